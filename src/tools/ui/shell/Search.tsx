import { useEffect, useRef, useState } from 'preact/hooks'
import { findAccounts } from '../api/accounts.js'
import { isReadOnly } from '../api/trace.js'
import { useLoaded } from '../api/useLoaded.js'
import { type Found, foundAtOnce } from './found.js'
import { pages } from './pages.js'
import { href } from './route.js'

/** One search for everything, on Ctrl-K: ids, hashes, wallets, error codes and pages. */
export function Search() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const { found, isKnown } = useFound(text.trim())
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      if (!dialog.current?.open) dialog.current?.showModal()
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])
  const close = (): void => {
    dialog.current?.close()
    setText('')
  }
  return (
    <>
      <button type="button" class="quiet" onClick={() => dialog.current?.showModal()}>
        Search
      </button>
      <dialog ref={dialog} class="finder" aria-label="Search">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const [first] = found
            if (!first) return
            location.hash = href(first.path, first.query)
            close()
          }}
        >
          <label class="field">
            <span>Id, transaction, wallet, error code or page</span>
            <input
              type="text"
              value={text}
              maxLength={80}
              autocomplete="off"
              spellcheck={false}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </label>
          <ul class="list" aria-label="Results">
            {found.map(({ title, path, query }) => (
              <li key={title}>
                <a href={href(path, query)} onClick={close}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
          <p class="small" role="status">
            {text.trim() !== '' && found.length === 0 && isKnown && 'Nothing found.'}
          </p>
        </form>
      </dialog>
    </>
  )
}

/** What the text itself says, then the accounts that the simulator finds by it. */
function useFound(text: string): { found: readonly Found[]; isKnown: boolean } {
  const isSought = text.length >= 3
  const { data } = useLoaded(isSought ? text : undefined, () => findAccounts({ q: text, limit: 5 }))
  const shown = pages.filter((page) => !(page.needsSimulator && isReadOnly.value))
  const accounts = (isSought ? (data?.accounts ?? []) : []).map(
    ({ account_id, svc_wallet_address }) => ({
      title: `Account ${account_id}, wallet ${svc_wallet_address}`,
      path: ['accounts', account_id],
    }),
  )
  return { found: [...foundAtOnce(text, shown), ...accounts], isKnown: !isSought || !!data }
}
