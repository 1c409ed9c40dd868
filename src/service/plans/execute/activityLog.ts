import type { Address, Hex } from 'viem'
import { decodeFunctionData } from 'viem/utils'
import type { Receipt } from '../../../chain/rpc/node.js'
import type { Revert } from '../../../chain/transactions/revert.js'
import { actors } from '../../../deployments/actors.js'
import type { AddressBook } from '../../../deployments/addressBook.js'
import { type NetworkName, networkOf } from '../../../deployments/networks.js'
import { acrossDepositAbi } from '../../../generated/abis.js'
import { type Clock, isoSeconds } from '../../../time/clock.js'
import { retryUntilWritable } from '../../../time/retryUntilWritable.js'
import type {
  AccountRecord,
  ActivityRecord,
  OperationRecord,
  PlanRecord,
  Store,
} from '../../store/store.js'
import { contextsOf } from '../assembly/details.js'
import {
  type ActivityItem,
  type BridgedItem,
  blankItem,
  itemName,
  type OperationItem,
} from '../model/activityItem.js'
import type { PlannedContext } from '../model/contexts.js'
import type { PlanKind } from '../model/kind.js'
import { logsOfOperation, observedContext, observeFunding } from '../observe/logs.js'

export type ActivityLog = ReturnType<typeof createActivityLog>

/** The growing metadata of an activity: its operations in order, with each bridge's item before the operations that wait for it. */
export function createActivityLog(
  { clock, store }: { clock: Clock; store: Store },
  {
    account,
    plan,
    pending,
    signal,
  }: { account: AccountRecord; plan: PlanRecord; pending: ActivityRecord; signal: AbortSignal },
) {
  const items = new Map<Hex, OperationItem>()
  for (const item of pending.metadata)
    if (item.svc_operation_nonce !== null) items.set(item.svc_operation_nonce, item)
  const bridged = bridgedItems(pending.metadata)
  let written = JSON.stringify(pending.metadata)
  const metadata = (): ActivityItem[] => {
    const of = (contingent: boolean) =>
      plan.operations
        .filter((op) => (op.contingent ?? false) === contingent)
        .map((op) => items.get(op.nonce)!)
    return [...of(false), ...bridged.all(), ...of(true)]
  }
  const write = (status: ActivityRecord['status']): Promise<void> => {
    const now = metadata()
    written = JSON.stringify(now)
    const update = () =>
      store.updateActivity({ ...pending, status, metadata: now, updatedAtMs: clock.now() })
    return retryUntilWritable(update, signal)
  }
  const contexts = contextsOf(plan)
  const listed = (operation: OperationRecord): ListedOperation => ({
    operation,
    context: contexts[plan.operations.indexOf(operation)]!,
    wallet: account.walletAddress,
    nowMs: clock.now(),
  })
  return {
    listed,
    /** The operation's item, if it had failed before an interruption. */
    failedItem(nonce: Hex): OperationItem | undefined {
      const item = items.get(nonce)
      return item?.success === false ? item : undefined
    },
    /** Records the end of an operation. A known end stays as it was recorded, unless it is in another transaction or block now. */
    set(nonce: Hex, item: OperationItem) {
      const known = items.get(nonce)
      if (!known?.success || !isSameEnd(known, item)) items.set(nonce, item)
    },
    /**
     * Makes operations that are no longer on their chain pending again, and drops the fills expected for their deposits. Returns the fills
     * that exist nevertheless: their deposits will be made again.
     */
    takeBack(operations: readonly OperationRecord[]): BridgedItem[] {
      for (const operation of operations) items.set(operation.nonce, pendingItem(listed(operation)))
      const { network } = operations[0]!
      const fills = bridged
        .from(network)
        .filter(({ action_type, success }) => action_type === 'BRIDGE_MINT' && success)
      bridged.keep(network, fills)
      return fills
    },
    /** Sets the fills expected for deposits on this network, and drops those expected for others there. */
    expect(network: NetworkName, expected: readonly BridgedItem[]): void {
      const hashes = expected.map(({ relay_hash }) => relay_hash)
      bridged.keep(
        network,
        bridged.from(network).filter(({ relay_hash }) => hashes.includes(relay_hash)),
      )
      for (const item of expected) bridged.note(item)
    },
    /** Records a fill, or that there will be none. */
    external: bridged.note,
    lose: bridged.lose,
    /** Writes the activity. If nothing is new, writes nothing and sends no event. */
    async update() {
      if (JSON.stringify(metadata()) !== written) await write('pending')
    },
    confirm: () => write('confirmed'),
    /** Ends the activity as failed. Operations that were not sent yet never will be, and say why. */
    fail() {
      const all = metadata()
      const reason = `not run: ${itemName(all, all.find((item) => item.success === false)!)} failed`
      for (const operation of plan.operations)
        if (items.get(operation.nonce)?.success === null)
          items.set(operation.nonce, notRunItem(listed(operation), reason))
      return write('failed')
    },
  }
}

/** The fills and refunds of an execution, as listed by its activity; starts with those that the activity has. */
function bridgedItems(metadata: readonly ActivityItem[]) {
  const items = new Map<string, BridgedItem>()
  for (const item of metadata) if ('relay_hash' in item) items.set(keyOf(item), item)
  const from = (network: NetworkName): BridgedItem[] =>
    [...items.values()].filter((item) => originOf(item) === networkOf(network).chainId)
  return {
    /** In the order of the chains of their deposits. */
    all: () => [...items.values()].toSorted((a, b) => originOf(a) - originOf(b)),
    from,
    /** A known end stays as it was recorded, unless it is in another transaction or block now. */
    note(item: BridgedItem): void {
      const known = items.get(keyOf(item))
      if (item.success === null ? !known : !isSameEnd(known, item)) items.set(keyOf(item), item)
    },
    /** The fill is no longer on its chain: it is expected again. */
    lose(item: BridgedItem): void {
      if (items.get(keyOf(item))?.success) items.set(keyOf(item), item)
    },
    /** Drops all items for deposits on this network except these. */
    keep(network: NetworkName, kept: readonly BridgedItem[]): void {
      for (const item of from(network)) if (!kept.includes(item)) items.delete(keyOf(item))
    },
  }
}

function isSameEnd(known: ActivityItem | undefined, item: ActivityItem): boolean {
  return (
    known?.success === item.success &&
    known.transaction_hash === item.transaction_hash &&
    known.executed_at_block_number === item.executed_at_block_number
  )
}

/** The key of a fill or a refund: there is one of each per deposit. */
function keyOf({ action_type, relay_hash }: BridgedItem): string {
  return `${action_type}/${relay_hash}`
}

function originOf({ action_context: context, chain_id }: BridgedItem): number {
  return context.action_type === 'BRIDGE_MINT' ? Number(context.source_chain_id) : chain_id
}

export interface ListedOperation {
  operation: OperationRecord
  context: PlannedContext
  wallet: Address
  nowMs: number
}

/** The metadata of an operation that is signed but not mined yet (service-facts 12.2). */
export function pendingItem({ operation, context, wallet, nowMs }: ListedOperation): OperationItem {
  return {
    ...blankItem,
    activity_record_type: 'unexecuted',
    success: null,
    chain_id: networkOf(operation.network).chainId,
    transaction_hash: null,
    svc_wallet_address: wallet,
    svc_operation_nonce: operation.nonce,
    from: actors.relayer,
    to: wallet,
    action_type: context.action_type,
    action_context: context,
    semantic_events: [],
    expiry: operation.expiry,
    updated_at: isoSeconds(nowMs),
    ...(context.action_type === 'BRIDGE' && { fill_deadline: fillDeadlineOf(operation) }),
  }
}

function fillDeadlineOf({ scriptCalldata: data }: OperationRecord): number {
  return decodeFunctionData({ abi: acrossDepositAbi, data }).args[0].fillDeadline
}

/** The metadata once the transaction of the operation is mined and has succeeded. */
export function confirmedItem(
  item: ListedOperation,
  receipt: Receipt,
  kind: PlanKind,
  book: AddressBook,
): OperationItem {
  const { context, operation, wallet } = item
  const logs = logsOfOperation(receipt.logs, wallet, operation.nonce)
  const events =
    observeFunding(context, logs, book) ?? kind.observe(context, logs, book.on(operation.network))
  return {
    ...pendingItem(item),
    activity_record_type: 'executed',
    ...minedFields(receipt, item.nowMs),
    success: true,
    semantic_events: events,
    observed_context: observedContext({ context, events, logs, wallet }),
  }
}

/** The metadata when the transaction reverted, or (without a receipt) never reached the chain. */
export function failedItem(
  item: ListedOperation,
  revert: Revert,
  receipt?: Receipt,
): OperationItem {
  return {
    ...pendingItem(item),
    ...(receipt && {
      activity_record_type: 'executed',
      ...minedFields(receipt, item.nowMs),
    }),
    success: false,
    reverted_at: isoSeconds(item.nowMs),
    revert_reason: revert.reason,
    revert_signature: revert.signature,
    revert_values: revert.values,
  }
}

/** The metadata of an operation that will never be sent, because an earlier step has failed. */
function notRunItem(item: ListedOperation, reason: string): OperationItem {
  return { ...pendingItem(item), success: false, revert_reason: reason }
}

/** What a mined transaction adds to a metadata item. */
export function minedFields(receipt: Receipt, nowMs: number) {
  return {
    transaction_hash: receipt.transactionHash,
    gas_used: BigInt(receipt.gasUsed).toString(),
    gas_price: BigInt(receipt.effectiveGasPrice).toString(),
    executed_at: isoSeconds(nowMs),
    executed_at_block_number: Number(receipt.blockNumber),
  }
}
