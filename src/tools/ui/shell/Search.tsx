import { useState } from 'preact/hooks'
import { findAccounts } from '../api/accounts.js'
import { useLoaded } from '../api/useLoaded.js'
import { Form, TextField } from '../parts/controls.js'
import { type Found, foundAtOnce } from './found.js'
import { KeyDialog } from './KeyDialog.js'
import { shownPages } from './pages.js'
import { go, href } from './route.js'

/** One search for everything, on Ctrl-K: ids, hashes, wallets, error codes and pages. */
export function Search() {
  const [text, setText] = useState('')
  const { found, isKnown } = useFound(text.trim())
  return (
    <KeyDialog
      title="Search"
      kind="finder"
      opensOn={({ key, ctrlKey, metaKey }) => key.toLowerCase() === 'k' && (ctrlKey || metaKey)}
    >
      {(close) => {
        const leave = (): void => {
          close()
          setText('')
        }
        return (
          <Form
            onSubmit={() => {
              const [first] = found
              if (!first) return
              go(first.path, first.query)
              leave()
            }}
          >
            <TextField
              label="Id, transaction, wallet, error code or page"
              value={text}
              maxLength={80}
              autocomplete="off"
              onInput={setText}
            />
            <ul class="list" aria-label="Results">
              {found.map(({ title, path, query }) => (
                <li key={title}>
                  <a href={href(path, query)} onClick={leave}>
                    {title}
                  </a>
                </li>
              ))}
            </ul>
            <p class="small" role="status">
              {text.trim() !== '' && found.length === 0 && isKnown && 'Nothing found.'}
            </p>
          </Form>
        )
      }}
    </KeyDialog>
  )
}

/** What the text itself says, then the accounts that the simulator finds by it. */
function useFound(text: string): { found: readonly Found[]; isKnown: boolean } {
  const isSought = text.length >= 3
  const { data } = useLoaded(isSought ? text : undefined, () => findAccounts({ q: text, limit: 5 }))
  const accounts = (isSought ? (data?.accounts ?? []) : []).map(
    ({ account_id, svc_wallet_address }) => ({
      title: `Account ${account_id}, wallet ${svc_wallet_address}`,
      path: ['accounts', account_id],
    }),
  )
  return {
    found: [...foundAtOnce(text, shownPages.value), ...accounts],
    isKnown: !isSought || !!data,
  }
}
