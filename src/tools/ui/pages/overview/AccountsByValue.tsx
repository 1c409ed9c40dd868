import { overview } from '../../api/live.js'
import { shownUsd, usdOf } from '../../parts/money.js'
import { shownClock } from '../../parts/text.js'
import { href } from '../../shell/route.js'

/** The accounts that were worth most when that was last recorded. */
export function AccountsByValue() {
  const accounts = overview.value?.accounts ?? []
  return (
    <section class="panel" aria-labelledby="worth-title">
      <header>
        <h2 id="worth-title">Accounts by value</h2>
        <a href={href(['accounts'])}>All accounts</a>
      </header>
      {accounts.length === 0 ? (
        <p class="empty">No value is recorded yet. A folio that is read or an event records one.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>Account</th>
              <th class="number">Value</th>
              <th class="number">At</th>
            </tr>
          </thead>
          <tbody>
            {accounts.map(({ account_id, usd, unix_ms }) => (
              <tr key={account_id}>
                <td>
                  <a href={href(['accounts', account_id])}>{account_id}</a>
                </td>
                <td class="number">{shownUsd(usdOf(usd))}</td>
                <td class="number small">{shownClock(unix_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
