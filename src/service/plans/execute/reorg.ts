import type { Hex } from 'viem'
import { toHex } from 'viem/utils'
import type { Node, Receipt } from '../../../chain/rpc/node.js'
import { mayBeTakenBack } from '../../../chain/transactions/takenBack.js'
import { type NetworkName, networkOf } from '../../../deployments/networks.js'
import { isoSeconds } from '../../../time/clock.js'
import type { ExecutionRecord, Store } from '../../store/store.js'
import { contextsOf } from '../assembly/details.js'
import type { ActivityItem } from '../model/activityItem.js'
import { pendingItem } from './activityLog.js'
import type { RelayParts } from './execution.js'

/**
 * The execution after transactions of it were removed from this network, or no longer have an effect there: their operations and fills are
 * pending again, and so is the activity. Undefined when nothing was removed. A failed execution stays failed and says what is gone, with
 * two exceptions. A deposit whose refund or fill is gone is served again. A deposit that is gone while its fill exists is made again,
 * because the funds would be on both networks.
 */
export async function fallenOut(
  { nodes, store, clock }: Pick<RelayParts, 'nodes' | 'store' | 'clock'>,
  { account, plan, signature, activity: { activityId } }: ExecutionRecord,
  network: NetworkName,
): Promise<ExecutionRecord | undefined> {
  const activity = await store.activity(account.accountId, activityId)
  if (!activity || activity.status === 'pending') return undefined
  const gone = await goneOf(nodes.get(network), activity.metadata)
  const lost = activity.metadata.filter(isIn(gone))
  if (lost.length === 0) return undefined
  const unrefunded = lost.filter((item) => item.action_type === 'BRIDGE_REFUND')
  const isServedAgain = unrefunded.length > 0 || lost.some(isFill)
  const withoutRefunds = activity.metadata.filter(
    (item) => !(item.action_type === 'BRIDGE_REFUND' && isIn(gone)(item)),
  )
  const over = (): ExecutionRecord => {
    const metadata = withoutRefunds.map((item) =>
      isIn(gone)(item) ? takenBack(item, clock.now()) : item,
    )
    const ended = { ...activity, metadata, updatedAtMs: clock.now() }
    return { account, plan, signature, activity: ended }
  }
  if (activity.status === 'failed') {
    const goneAnywhere = async (items: readonly ActivityItem[]): Promise<ActivityItem[]> => {
      const all = new Set(plan.operations.map((operation) => nodes.get(operation.network)))
      const taken = await Promise.all([...all].map((node) => goneOf(node, items)))
      return items.filter((item) => taken.some((hashes) => isIn(hashes)(item)))
    }
    if (isServedAgain) {
      const deposits = activity.metadata.filter(isDeposit)
      // The funds are back where they were, so no bridge has failed to deliver.
      if ((await goneAnywhere(deposits)).length > 0 || deposits.some(isTakenBack)) return over()
    } else {
      const paid = activity.metadata.filter((item) => lost.some((each) => hasPaid(item, each)))
      if ((await goneAnywhere(paid)).length === paid.length) return over()
    }
  }
  const contexts = contextsOf(plan)
  const nowMs = clock.now()
  const isAwaited = (item: ActivityItem): boolean =>
    unrefunded.some((refund) => 'relay_hash' in item && refund.relay_hash === item.relay_hash)
  const isNotRun = ({ success, transaction_hash }: ActivityItem): boolean =>
    isServedAgain && success === false && transaction_hash === null
  const reset = (item: ActivityItem): ActivityItem => {
    if (!isIn(gone)(item) && !isAwaited(item) && !isNotRun(item)) return item
    const position = plan.operations.findIndex((op) => op.nonce === item.svc_operation_nonce)
    if (position < 0) return { ...item, ...notArrived, updated_at: isoSeconds(nowMs) }
    const [operation, context] = [plan.operations[position]!, contexts[position]!]
    return pendingItem({ operation, context, wallet: account.walletAddress, nowMs })
  }
  const metadata = withoutRefunds.map(reset)
  return {
    account,
    plan,
    signature,
    activity: { ...activity, status: 'pending', metadata, updatedAtMs: nowMs },
  }
}

export async function hasBeenConfirmed(
  store: Pick<Store, 'events'>,
  { account, activity: { activityId } }: ExecutionRecord,
): Promise<boolean> {
  const events = await store.events(account.accountId, 0)
  return events.some(
    ({ data }) => data.activity_id === activityId && data.activity_status === 'confirmed',
  )
}

/** Sorts executions by when they were mined on this network; those that were not come last. */
export async function inChainOrder(
  store: Pick<Store, 'activity'>,
  executions: readonly ExecutionRecord[],
  network: NetworkName,
): Promise<ExecutionRecord[]> {
  const { chainId } = networkOf(network)
  const placed = executions.map(async (execution) => {
    const { account, activity: known } = execution
    const activity = await store.activity(account.accountId, known.activityId)
    const blocks = (activity?.metadata ?? []).flatMap((item) =>
      item.chain_id === chainId && item.success ? (item.executed_at_block_number ?? []) : [],
    )
    return { execution, block: Math.min(...blocks, Number.MAX_SAFE_INTEGER) }
  })
  const all = await Promise.all(placed)
  return all.sort((a, b) => a.block - b.block).map(({ execution }) => execution)
}

/** Whether a transaction of these items is no longer on the network, or no longer has its effect. */
export async function hasFallen(
  node: Pick<Node, 'chainId' | 'rpc'>,
  items: readonly ActivityItem[],
): Promise<boolean> {
  return (await goneOf(node, items)).size > 0
}

/** The transactions of these items that are no longer on the network, or that have failed there since. */
async function goneOf(
  node: Pick<Node, 'chainId' | 'rpc'>,
  items: readonly ActivityItem[],
): Promise<ReadonlySet<Hex>> {
  const ended = items.filter((item) => item.chain_id === node.chainId && item.success !== null)
  // Items of one transaction end alike.
  const ends = new Map(ended.map((item) => [item.transaction_hash, item]))
  const gone = await Promise.all(
    [...ends].map(async ([hash, { success, executed_at_block_number: block }]) => {
      if (!hash || (block !== null && !(await mayBeTakenBack(node, block)))) return []
      const receipt = await node.rpc.request<Receipt | null>('eth_getTransactionReceipt', [hash])
      if (receipt) return receipt.status === '0x1' || !success ? [] : [hash]
      return block !== null && (await isInBlock(node, hash, block)) ? [] : [hash]
    }),
  )
  return new Set(gone.flat())
}

/** Whether a transaction whose receipt is not known is in this block of the chain. */
async function isInBlock({ rpc }: Pick<Node, 'rpc'>, hash: Hex, number: number): Promise<boolean> {
  const method = 'eth_getBlockByNumber'
  const block = await rpc.request<{ transactions: Hex[] } | null>(method, [toHex(number), false])
  return block?.transactions.includes(hash) ?? false
}

function isIn(gone: ReadonlySet<Hex>) {
  return ({ transaction_hash }: ActivityItem): boolean =>
    transaction_hash !== null && gone.has(transaction_hash)
}

function isFill({ action_type }: ActivityItem): boolean {
  return action_type === 'BRIDGE_MINT'
}

function isDeposit({ action_type }: ActivityItem): boolean {
  return action_type === 'BRIDGE'
}

function hasPaid(item: ActivityItem, { action_type, chain_id }: ActivityItem): boolean {
  if (item.action_type !== 'BRIDGE_MINT' || action_type !== 'BRIDGE') return false
  return item.success === true && item.action_context.source_chain_id === `${chain_id}`
}

const byReorganisation = 'a reorganisation took the transaction'

function isTakenBack({ revert_reason }: ActivityItem): boolean {
  return revert_reason?.startsWith(byReorganisation) ?? false
}

/** An item whose transaction is no longer on the chain and will not be sent again. */
export function takenBack<Item extends ActivityItem>(item: Item, nowMs: number): Item {
  const revert_reason = `${byReorganisation} ${item.transaction_hash} off the chain; nothing has moved`
  const reason = { revert_reason, revert_signature: null, revert_values: null }
  return { ...item, ...notArrived, ...reason, success: false, updated_at: isoSeconds(nowMs) }
}

const notArrived = {
  success: null,
  transaction_hash: null,
  semantic_events: [],
  gas_used: null,
  gas_price: null,
  executed_at: null,
  executed_at_block_number: null,
  reverted_at: null,
  revert_reason: null,
}
