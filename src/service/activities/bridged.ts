import { type NetworkName, networks } from '../../deployments/networks.js'
import type { FillItem } from '../plans/model/activityItem.js'
import type { ActivityRecord } from '../store/store.js'

/** Funds that crossed from one network to another, or are on their way. */
export interface BridgedFunds {
  activityId: string
  accountId: string
  from: NetworkName
  to: NetworkName
  asset: string
  /** What arrives, in the smallest unit. */
  amount: string
  status: 'in flight' | 'filled' | 'refunded'
  /** When the deposit was made; ISO 8601. */
  since: string
  /** When the time to fill it ends; Unix seconds. */
  until: number | null
}

/** The bridges of activities, in their order. */
export function bridgedFundsOf(activities: readonly ActivityRecord[]): BridgedFunds[] {
  return activities.flatMap((activity) =>
    activity.metadata.flatMap((item) =>
      item.action_type === 'BRIDGE_MINT' ? bridgedBy(activity, item) : [],
    ),
  )
}

function bridgedBy(activity: ActivityRecord, fill: FillItem): BridgedFunds[] {
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
  return [
    {
      activityId: activity.activityId,
      accountId: activity.accountId,
      from,
      to,
      asset: asset_symbol,
      amount: output_amount,
      status: fill.success === null ? 'in flight' : fill.success ? 'filled' : 'refunded',
      since: deposit.executed_at,
      until: fill.expiry,
    },
  ]
}
