import { type NetworkName, networkOf } from '../../chain/deployments/networks.js'
import type { ExecutionRecord } from '../../store/store.js'
import { isoSeconds } from '../../time/clock.js'
import { contextsOf } from '../build/details.js'
import type { ActivityItem } from '../model/activityItem.js'
import { pendingItem } from './activityItems.js'
import type { RelayParts } from './relay.js'

/**
 * The execution as it stands when transactions of it on this network are not on the chain any more: their operations, and what
 * bridges had brought with them, are pending again, and so is the activity. Undefined when all are where they were, or when the activity is not confirmed.
 */
export async function fallenOut(
  { nodes, store, clock }: Pick<RelayParts, 'nodes' | 'store' | 'clock'>,
  { account, plan, signature, activity: { activityId } }: ExecutionRecord,
  network: NetworkName,
): Promise<ExecutionRecord | undefined> {
  const activity = await store.activity(account.accountId, activityId)
  if (activity?.status !== 'confirmed') return undefined
  const { chainId } = networkOf(network)
  const mined = activity.metadata.filter(
    (item) => item.chain_id === chainId && item.transaction_hash !== null,
  )
  const hashes = [...new Set(mined.map((item) => item.transaction_hash))]
  const { rpc } = nodes.get(network)
  const receipts = await Promise.all(
    hashes.map((hash) => rpc.request<object | null>('eth_getTransactionReceipt', [hash])),
  )
  const gone = hashes.filter((_, i) => receipts[i] === null)
  if (gone.length === 0) return undefined
  const contexts = contextsOf(plan)
  const nowMs = clock.now()
  const reset = (item: ActivityItem): ActivityItem => {
    const position = plan.operations.findIndex((op) => op.nonce === item.svc_operation_nonce)
    if (!gone.includes(item.transaction_hash)) return item
    if (position < 0) return { ...item, ...notArrived, updated_at: isoSeconds(nowMs) }
    const [operation, context] = [plan.operations[position]!, contexts[position]!]
    return pendingItem({ operation, context, wallet: account.walletAddress, nowMs })
  }
  const metadata = activity.metadata.map(reset)
  return {
    account,
    plan,
    signature,
    activity: { ...activity, status: 'pending', metadata, updatedAtMs: nowMs },
  }
}

/** What an item of a bridge's fill says as long as it is expected. */
const notArrived = {
  success: null,
  transaction_hash: null,
  semantic_events: [],
  gas_used: null,
  gas_price: null,
  executed_at: null,
  executed_at_block_number: null,
}
