import { networks } from '../../deployments/networks.js'
import { isoSeconds } from '../../time/clock.js'
import type { FillItem } from '../plans/model/activityItem.js'
import type { ActivityRecord } from '../store/store.js'

/** Funds of activities that crossed from one network to another, or are on their way, in the wire form of the overview. */
export function bridgedFundsOf(activities: readonly ActivityRecord[]) {
  return activities.flatMap((activity) =>
    activity.metadata.flatMap((item) =>
      item.action_type === 'BRIDGE_MINT' ? bridgedBy(activity, item) : [],
    ),
  )
}

function bridgedBy(activity: ActivityRecord, fill: FillItem) {
  const { source_chain_id, asset_symbol, input_amount, output_amount } = fill.action_context
  const deposit = activity.metadata.find(
    ({ action_type, action_context: sent, chain_id }) =>
      action_type === 'BRIDGE' &&
      String(chain_id) === source_chain_id &&
      'input_amount' in sent &&
      sent.input_amount === input_amount,
  )
  const [from, to] = [Number(source_chain_id), fill.chain_id].map(
    (id) => networks.find(({ chainId }) => chainId === id)?.name,
  )
  // What was planned and not deposited has not left.
  if (!deposit?.executed_at || deposit.success !== true || !from || !to) return []
  const status: 'in flight' | 'filled' | 'refunded' =
    fill.success === null ? 'in flight' : fill.success ? 'filled' : 'refunded'
  return [
    {
      activity_id: activity.activityId,
      account_id: activity.accountId,
      from,
      to,
      status,
      asset: asset_symbol,
      amount: output_amount,
      since: deposit.executed_at,
      until: fill.expiry === null ? null : isoSeconds(fill.expiry * 1000),
    },
  ]
}
