import { networks } from '../../deployments/networks.js'
import { isoSeconds } from '../../time/clock.js'
import type { BridgeWorker, ExpectedFill } from '../bridge/relayer.js'
import type { FillItem } from '../plans/model/activityItem.js'
import { isFillOf } from '../plans/model/contexts.js'
import type { ActivityRecord } from '../store/store.js'

/** The funds that activities have bridged or are bridging between networks, in the wire form of the overview. */
export function bridgedFundsOf(
  activities: readonly ActivityRecord[],
  expected: BridgeWorker['expected'],
) {
  return activities.flatMap((activity) =>
    activity.metadata.flatMap((item) =>
      item.action_type === 'BRIDGE_MINT'
        ? bridgedBy(activity, item, expected(item.relay_hash))
        : [],
    ),
  )
}

/** When a bridge without a fill is refunded: ISO 8601, the first whole second in which it has been. Undefined while that is open. */
export function refundedAt(expected: ExpectedFill | undefined): string | undefined {
  const ms = expected?.refundsAtMs
  return ms === undefined ? undefined : isoSeconds(Math.ceil(ms / 1000) * 1000)
}

function bridgedBy(activity: ActivityRecord, fill: FillItem, expected: ExpectedFill | undefined) {
  const { source_chain_id, asset_symbol, input_amount, output_amount } = fill.action_context
  const arrived = fill.observed_context?.output_amount
  const deposit = activity.metadata.find(
    ({ action_context: sent }) =>
      sent.action_type === 'BRIDGE' && isFillOf(fill.action_context, sent),
  )
  const [from, to] = [Number(source_chain_id), fill.chain_id].map(
    (id) => networks.find(({ chainId }) => chainId === id)?.name,
  )
  // A deposit that was planned and not made has moved no funds.
  if (!deposit?.executed_at || deposit.success !== true || !from || !to) return []
  const came = arrived === output_amount ? 'filled' : 'filled in part'
  const ended = fill.success ? came : 'refunded'
  const status: 'in flight' | typeof ended = fill.success === null ? 'in flight' : ended
  return [
    {
      activity_id: activity.activityId,
      account_id: activity.accountId,
      from,
      to,
      status,
      asset: asset_symbol,
      sent: input_amount,
      amount: output_amount,
      delivers: expected ? String(expected.delivers) : null,
      arrived: fill.success === null ? null : (arrived ?? '0'),
      since: deposit.executed_at,
      fills_at:
        expected && 'fillsAtMs' in expected ? new Date(expected.fillsAtMs).toISOString() : null,
      waits_for: expected && 'waitsFor' in expected ? expected.waitsFor : null,
      deadline: fill.expiry === null ? null : isoSeconds(fill.expiry * 1000),
      until: refundedAt(fill.success === null ? expected : undefined) ?? null,
    },
  ]
}
