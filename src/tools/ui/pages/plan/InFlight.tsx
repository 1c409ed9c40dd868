import type { Schemas } from '../../../../clients/client/types.js'
import { isFillOf } from '../../../../service/plans/model/fills.js'
import { networkOfChain } from '../../api/live.js'
import { now } from '../../api/now.js'
import { NetworkLabel } from '../../parts/labels.js'
import { Money } from '../../parts/Money.js'
import { moneyIn } from '../../parts/money.js'
import { shownClock, shownSpan } from '../../parts/text.js'

type Item = Schemas['ActivityItem']

/** A deposit whose funds have not arrived: how much, since when, and what happens if they never do. */
export function InFlight({ deposit, items }: { deposit: Item; items: readonly Item[] }) {
  const sent = deposit.action_context as Record<string, unknown>
  const mint = items.find((item) => item.success === null && belongsTo(item, deposit))
  if (deposit.action_type !== 'BRIDGE' || deposit.success !== true || !mint) return null
  const [amount] = moneyIn('output_amount', sent)
  const since = ((now.value ?? 0) - Date.parse(deposit.executed_at ?? '')) / 1000
  return (
    <p class="in-flight">
      {amount && <Money {...amount} />} in flight for {shownSpan(since)}: waits for the fill on{' '}
      <NetworkLabel network={networkOfChain(mint.chain_id)} /> until{' '}
      {shownClock(Number(mint.expiry) * 1000)}. Without a fill, the deposit is refunded on{' '}
      <NetworkLabel network={networkOfChain(deposit.chain_id)} />.
    </p>
  )
}

function belongsTo({ action_context: fill }: Item, { action_context: sent }: Item): boolean {
  return fill.action_type === 'BRIDGE_MINT' && sent.action_type === 'BRIDGE' && isFillOf(fill, sent)
}
