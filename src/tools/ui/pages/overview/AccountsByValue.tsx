import { overview } from '../../api/live.js'
import { bridgesUnderWay } from '../../parts/Flights.js'
import { moneyText } from '../../parts/Money.js'
import { shownUsd, usdOf } from '../../parts/money.js'
import { Panel, Table } from '../../parts/panels.js'
import { shownClock } from '../../parts/text.js'
import { href } from '../../shell/route.js'

/** The accounts that were worth most when that was last recorded. */
export function AccountsByValue() {
  const rows = (overview.value?.accounts ?? []).map(({ account_id, usd, unix_ms }) => ({
    key: account_id,
    cells: [
      <a href={href(['accounts', account_id])}>{account_id}</a>,
      <>
        {shownUsd(usdOf(usd))}
        {bridgesUnderWay({ account_id }).map(({ asset, amount }, index) => (
          <span key={index} class="small">
            {' '}
            + {moneyText({ raw: amount, symbol: asset })} in flight
          </span>
        ))}
      </>,
      <span class="small">{shownClock(unix_ms)}</span>,
    ],
  }))
  return (
    <Panel title="Accounts by value" aside={<a href={href(['accounts'])}>All accounts</a>}>
      {rows.length === 0 ? (
        <p class="empty">No value is recorded yet. A folio that is read or an event records one.</p>
      ) : (
        <Table heads={['Account', 'Value', 'At']} numbersFrom={1} rows={rows} />
      )}
    </Panel>
  )
}
