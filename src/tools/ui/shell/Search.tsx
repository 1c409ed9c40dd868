import { useEffect, useRef, useState } from 'preact/hooks'
import { answered } from '../api/refusal.js'
import { controlApi } from '../api/session.js'
import { isReadOnly } from '../api/trace.js'
import { type Found, foundAtOnce } from './found.js'
import { pages } from './pages.js'
import { href } from './route.js'

/** One search for everything, on Ctrl-K: ids, hashes, wallets, error codes and pages. */
export function Search() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const found = useFound(text.trim())
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
            {text.trim() !== '' && found.length === 0 && 'Nothing found.'}
          </p>
        </form>
      </dialog>
    </>
  )
}

/** What the text itself says, then the accounts that the simulator finds by it. */
function useFound(text: string): readonly Found[] {
  const [accounts, setAccounts] = useState<readonly Found[]>([])
  useEffect(() => {
    setAccounts([])
    if (text.length < 3) return
    let isHere = true
    const query = { q: text, limit: 5 }
    answered(controlApi.GET('/_sim/accounts', { params: { query } })).then(
      (page) => {
        if (!isHere) return
        setAccounts(
          page.accounts.map(({ account_id, svc_wallet_address }) => ({
            title: `Account ${account_id}, wallet ${svc_wallet_address}`,
            path: ['accounts', account_id],
          })),
        )
      },
      () => {},
    )
    return () => {
      isHere = false
    }
  }, [text])
  const shown = pages.filter((page) => !(page.needsSimulator && isReadOnly.value))
  return [...foundAtOnce(text, shown), ...accounts]
}
