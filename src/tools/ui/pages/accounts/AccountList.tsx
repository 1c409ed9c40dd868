import { useEffect, useState } from 'preact/hooks'
import { changesAccounts, findAccounts, type ListedAccount } from '../../api/accounts.js'
import { canSign } from '../../api/signers.js'
import { useLoaded, useSteady } from '../../api/useLoaded.js'
import { RefusalBox } from '../../parts/RefusalBox.js'
import { shownTime } from '../../parts/text.js'
import { goInstead, href, useQuery } from '../../shell/route.js'
import { CreateAccount } from './CreateAccount.js'

const pageSize = 25

/** Sub-accounts of all prime accounts, searched and paged by the server. */
export function AccountList() {
  const [search] = useQuery('q')
  // The accounts behind which the pages begin, up to the one that is shown.
  const [after, setAfter] = useQuery('after')
  const starts = after === '' ? [] : after.split(',')
  const { found, refusal } = useFound(search, starts.at(-1) ?? '')
  const from = starts.length * pageSize
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
                goInstead(['accounts'], { q: currentTarget.value })
              }}
            />
          </label>
        </header>
        {refusal && <RefusalBox refusal={refusal} />}
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
              disabled={starts.length === 0}
              onClick={() => setAfter(starts.slice(0, -1).join(','))}
            >
              Newer
            </button>
            <span class="small">
              {from + 1} to {from + found.accounts.length} of {found.total}
            </span>
            <button
              type="button"
              disabled={!hasMore}
              onClick={() => setAfter([...starts, last].join(','))}
            >
              Older
            </button>
          </div>
        )}
      </section>
    </div>
  )
}

/** A page of what is found, anew when there are others. */
function useFound(search: string, after: string) {
  const q = useSettled(search.trim())
  const load = () => findAccounts({ q, limit: pageSize, after })
  const { data, refusal } = useLoaded(`${q} ${after}`, load, changesAccounts)
  return { found: useSteady(data), refusal }
}

/** A text once nobody has typed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const waiting = setTimeout(() => setSettled(text), 150)
    return () => clearTimeout(waiting)
  }, [text])
  return settled
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
