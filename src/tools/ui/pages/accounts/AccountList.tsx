import { useEffect, useState } from 'preact/hooks'
import { type ListedAccount, onAccounts } from '../../api/accounts.js'
import { coalesced } from '../../api/coalesced.js'
import { answered } from '../../api/refusal.js'
import { controlApi } from '../../api/session.js'
import { canSign } from '../../api/signers.js'
import { shownTime } from '../../parts/text.js'
import { href } from '../../shell/route.js'
import { CreateAccount } from './CreateAccount.js'

const pageSize = 25

/** Sub-accounts of all prime accounts, searched and paged by the server. */
export function AccountList() {
  const [search, setSearch] = useState('')
  // The account behind which each page begins, up to the one that is shown.
  const [starts, setStarts] = useState<readonly (string | undefined)[]>([undefined])
  const { found, problem } = useFound(search, starts.at(-1))
  const from = (starts.length - 1) * pageSize
  const last = found?.accounts.at(-1)?.account_id
  const hasMore = found !== undefined && from + found.accounts.length < found.total
  return (
    <div class="accounts">
      <CreateAccount />
      <section class="panel" aria-labelledby="accounts-title">
        <header>
          <h2 id="accounts-title">All accounts</h2>
          <label class="field inline">
            <span>Search</span>
            <input
              type="search"
              value={search}
              placeholder="id, signer or wallet"
              onInput={({ currentTarget }) => {
                setSearch(currentTarget.value)
                setStarts([undefined])
              }}
            />
          </label>
        </header>
        {problem !== undefined && (
          <p role="alert" class="refused-text">
            {problem}
          </p>
        )}
        {found && found.total === 0 && (
          <p class="empty">
            {search === ''
              ? 'None yet. Create one above.'
              : `No account has “${search}” in its id or addresses.`}
          </p>
        )}
        {found && found.total > 0 && <AccountTable accounts={found.accounts} />}
        {found && found.total > pageSize && (
          <div class="row pager">
            <button
              type="button"
              disabled={starts.length === 1}
              onClick={() => setStarts(starts.slice(0, -1))}
            >
              Previous
            </button>
            <span class="small">
              {from + 1} to {from + found.accounts.length} of {found.total}
            </span>
            <button type="button" disabled={!hasMore} onClick={() => setStarts([...starts, last])}>
              Next
            </button>
          </div>
        )}
      </section>
    </div>
  )
}

interface Found {
  accounts: ListedAccount[]
  total: number
}

/** A page of what is found, anew when there are others. */
function useFound(search: string, after: string | undefined) {
  const [state, setState] = useState<{ found?: Found; problem?: string }>({})
  useEffect(() => {
    const q = search.trim()
    const leaving = new AbortController()
    const query = { limit: pageSize, ...(q && { q }), ...(after !== undefined && { after }) }
    const load = coalesced(async () => {
      try {
        const found = await answered(controlApi.GET('/_sim/accounts', { params: { query } }))
        if (!leaving.signal.aborted) setState({ found })
      } catch (error) {
        if (!leaving.signal.aborted) setState({ problem: (error as Error).message })
      }
    })
    // Who is still typing asks once.
    const waiting = setTimeout(load, q === '' ? 0 : 150)
    const stop = onAccounts(load)
    return () => {
      leaving.abort()
      clearTimeout(waiting)
      stop()
    }
  }, [search, after])
  return state
}

function AccountTable({ accounts }: { accounts: readonly ListedAccount[] }) {
  return (
    <div class="scroller">
      <table class="account-table">
        <thead>
          <tr>
            <th>Account</th>
            <th>Wallet</th>
            <th>Signer</th>
            <th>Prime account</th>
            <th>Created</th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <tr key={account.account_id}>
              <td>
                <a href={href(['accounts', account.account_id])}>{account.account_id}</a>
                {canSign(account.signer_address) && <span class="pill good">signs here</span>}
              </td>
              <td>
                <code title={account.svc_wallet_address}>
                  {shortened(account.svc_wallet_address)}
                </code>
              </td>
              <td>
                <code title={account.signer_address}>{shortened(account.signer_address)}</code>
              </td>
              <td>
                <code>{account.prime_account_id}</code>
              </td>
              <td class="small">{shownTime(Date.parse(account.created_at))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Enough of an address to know it by. */
function shortened(address: string): string {
  return `${address.slice(0, 10)}…${address.slice(-6)}`
}
