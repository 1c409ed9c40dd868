import type { Schemas } from '../../../../clients/client/types.js'
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
  const mint = items.find((item) => item.success === null && isOf(item, deposit))
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

/** Whether an item is the fill of a deposit: it comes from its network, with what it sent. */
function isOf(item: Item, deposit: Item): boolean {
  const filled = item.action_context as Record<string, unknown>
  const sent = deposit.action_context as Record<string, unknown>
  return (
    item.action_type === 'BRIDGE_MINT' &&
    filled.source_chain_id === sent.chain_id &&
    filled.input_amount === sent.input_amount &&
    String(item.chain_id) === sent.destination_chain_id
  )
}
