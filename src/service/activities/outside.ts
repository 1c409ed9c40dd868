import type { Address, Hex } from 'viem'
import type { Receipt } from '../../chain/rpc/node.js'
import type { ReadNode } from '../../chain/transactions/follow.js'
import { mayBeTakenBack } from '../../chain/transactions/takenBack.js'
import type { NetworkBook } from '../../deployments/addressBook.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { Ids } from '../../lib/ids.js'
import type { Stateful } from '../../lib/lifecycle.js'
import { serialQueue } from '../../lib/serialQueues.js'
import { type Clock, isoSeconds } from '../../time/clock.js'
import { type ActivityItem, blankItem, type OutsideItem } from '../plans/model/activityItem.js'
import type { SemanticEvent } from '../plans/model/semanticEvents.js'
import type { ActivityRecord, Store } from '../store/store.js'

export interface OutsideAction {
  from: Address
  context: OutsideItem['action_context']
  events: SemanticEvent[]
}

/** What a transaction of somebody else did to a wallet. All actions are of one type. */
export interface Outside {
  networkBook: NetworkBook
  wallet: Address
  receipt: Receipt
  executedAtMs: number
  actions: OutsideAction[]
}

interface Recorded {
  network: NetworkName
  hash: Hex
  accountId: string
  activityId: string
}

export interface OutsideRecords extends Stateful<readonly Recorded[]> {
  /**
   * Records it for each account of the wallet: once, however often it is told. One whose transaction had fallen off the chain and
   * is mined again, is confirmed again.
   */
  record(outside: Outside): Promise<void>
  /** Looks which transactions have fallen off this chain: their activities have failed. */
  recheck(node: ReadNode): Promise<void>
}

/** Activities are looked at when blocks are replaced, up to so many. */
const recheckedActivities = 1_000

/** Why an activity from outside has failed; it was confirmed before. */
export const replacedReason =
  'the block of the transaction was replaced, and the transaction is not on the chain any more'

export function createOutside({
  clock,
  store,
  ids,
}: {
  clock: Clock
  store: Store
  ids: Ids
}): OutsideRecords {
  // The watch and a caller may report the same transaction at the same time.
  const inTurn = serialQueue()
  let recent: readonly Recorded[] = []

  const recordFor = async (accountId: string, outside: Outside): Promise<void> => {
    const metadata = itemsOf(outside, clock.now())
    const known = (await store.activities(accountId)).find((one) => isOf(one, metadata[0]!))
    const nowMs = clock.now()
    if (known?.status === 'confirmed') return
    if (known) {
      await store.updateActivity({ ...known, status: 'confirmed', metadata, updatedAtMs: nowMs })
      return
    }
    const activityId = ids.activity()
    const { transactionHash: hash } = outside.receipt
    const { network } = outside.networkBook
    recent = [...recent, { network, hash, accountId, activityId }].slice(-recheckedActivities)
    const about = { activityId, accountId, planId: null, intentId: null }
    await store.recordActivity({
      ...about,
      status: 'confirmed',
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      metadata,
    })
  }
  return {
    record: (outside) =>
      inTurn(async () => {
        for (const { accountId } of await store.accountsOfWallet(outside.wallet))
          await recordFor(accountId, outside)
      }),
    recheck: (node) =>
      inTurn(async () => {
        for (const { network, hash, accountId, activityId } of recent) {
          if (network !== node.network) continue
          const activity = await store.activity(accountId, activityId)
          if (activity?.status !== 'confirmed') continue
          const block = activity.metadata[0]?.executed_at_block_number
          if (block != null && !(await mayBeTakenBack(node, block))) continue
          const there = await node.rpc.request<object | null>('eth_getTransactionReceipt', [hash])
          if (!there) await store.updateActivity(fallenOff(activity, clock.now()))
        }
      }),
    save: () => recent,
    restore(saved) {
      recent = saved
    },
  }
}

function isOf({ planId, metadata: [item] }: ActivityRecord, other: ActivityItem) {
  const fields = ['chain_id', 'transaction_hash', 'action_type'] as const
  return planId === null && fields.every((field) => item?.[field] === other[field])
}

/** One item per action (service-facts 12.2). */
function itemsOf(
  { networkBook, wallet, receipt, executedAtMs, actions }: Outside,
  nowMs: number,
): OutsideItem[] {
  return actions.map(({ from, context, events }) => ({
    ...blankItem,
    activity_record_type: 'exogenous',
    success: true,
    chain_id: networkBook.chainId,
    transaction_hash: receipt.transactionHash,
    svc_wallet_address: wallet,
    svc_operation_nonce: null,
    from,
    to: wallet,
    action_type: context.action_type,
    action_context: context,
    semantic_events: events,
    gas_used: BigInt(receipt.gasUsed).toString(),
    executed_at: isoSeconds(executedAtMs),
    executed_at_block_number: Number(receipt.blockNumber),
    updated_at: isoSeconds(nowMs),
  }))
}

function fallenOff(activity: ActivityRecord, nowMs: number): ActivityRecord {
  const at = isoSeconds(nowMs)
  const metadata = activity.metadata.map((item) => ({
    ...item,
    success: false,
    reverted_at: at,
    revert_reason: replacedReason,
    updated_at: at,
  }))
  return { ...activity, status: 'failed', metadata, updatedAtMs: nowMs }
}
