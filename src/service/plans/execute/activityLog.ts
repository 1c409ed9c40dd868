import type { Address, Hex } from 'viem'
import type { Receipt } from '../../../chain/rpc/node.js'
import type { Revert } from '../../../chain/transactions/revert.js'
import { actors } from '../../../deployments/actors.js'
import type { AddressBook } from '../../../deployments/addressBook.js'
import { type NetworkName, networkOf } from '../../../deployments/networks.js'
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
import { logsOfOperation, observeFunding } from '../observe/logs.js'
import { observedContext } from '../observe/observedContext.js'

/** What is noted of an execution while it is carried out. */
export type ActivityLog = ReturnType<typeof createActivityLog>

/** The activity's metadata as it grows: its operations in order, and what bridges bring before what waits for it. */
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
    /** An operation as it is listed now. */
    listed,
    /** The operation's item, if it had failed before an interruption. */
    failedItem(nonce: Hex): OperationItem | undefined {
      const item = items.get(nonce)
      return item?.success === false ? item : undefined
    },
    /** What was noted before an interruption stays as it was, unless it is somewhere else now. */
    set(nonce: Hex, item: OperationItem) {
      const known = items.get(nonce)
      if (!known?.success || !isSameEnd(known, item)) items.set(nonce, item)
    },
    /**
     * Nothing of these operations is on their chain any more: they are pending again, and what was expected of their deposits
     * is not. Returns the fills that have come all the same: their deposits are going to be made again.
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
    /** What these deposits on this network are going to bring; what was expected of others there is forgotten. */
    expect(network: NetworkName, expected: readonly BridgedItem[]): void {
      const hashes = expected.map(({ relay_hash }) => relay_hash)
      bridged.keep(
        network,
        bridged.from(network).filter(({ relay_hash }) => hashes.includes(relay_hash)),
      )
      for (const item of expected) bridged.note(item)
    },
    /** What a bridge has brought, or has not. */
    external: bridged.note,
    /** What a bridge had brought is gone from its chain. */
    lose: bridged.lose,
    /** Nothing is written, and no event sent, when all of it was known before. */
    async update() {
      if (JSON.stringify(metadata()) !== written) await write('pending')
    },
    confirm: () => write('confirmed'),
    /** Ends the activity; what has not been sent by now is not going to be, and says why. */
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

/** What bridges bring or give back of an execution, as its activity lists it; begins with what the activity has. */
function bridgedItems(metadata: readonly ActivityItem[]) {
  const items = new Map<string, BridgedItem>()
  for (const item of metadata) if ('relay_hash' in item) items.set(keyOf(item), item)
  const from = (network: NetworkName): BridgedItem[] =>
    [...items.values()].filter((item) => originOf(item) === networkOf(network).chainId)
  return {
    /** In the order of the chains that their deposits were made on. */
    all: () => [...items.values()].toSorted((a, b) => originOf(a) - originOf(b)),
    /** Those of deposits on this network. */
    from,
    /** What was noted before an interruption stays as it was, unless it is somewhere else now. */
    note(item: BridgedItem): void {
      const known = items.get(keyOf(item))
      if (item.success === null ? !known : !isSameEnd(known, item)) items.set(keyOf(item), item)
    },
    /** What it brought is not on its chain any more: it is expected again. */
    lose(item: BridgedItem): void {
      if (items.get(keyOf(item))?.success) items.set(keyOf(item), item)
    },
    /** Of deposits on this network, forgets all but these. */
    keep(network: NetworkName, kept: readonly BridgedItem[]): void {
      for (const item of from(network)) if (!kept.includes(item)) items.delete(keyOf(item))
    },
  }
}

/** Whether both say that it ended in this way, in this transaction and block. */
function isSameEnd(known: ActivityItem | undefined, item: ActivityItem): boolean {
  return (
    known?.success === item.success &&
    known.transaction_hash === item.transaction_hash &&
    known.executed_at_block_number === item.executed_at_block_number
  )
}

/** What a bridge brings or returns, once per deposit. */
function keyOf({ action_type, relay_hash }: BridgedItem): string {
  return `${action_type}/${relay_hash}`
}

/** The chain that the deposit of an external item was made on. */
function originOf({ action_context: context, chain_id }: BridgedItem): number {
  return context.action_type === 'BRIDGE_MINT' ? Number(context.source_chain_id) : chain_id
}

/** One operation of an executed plan, as its activity lists it. */
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
  }
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

/** The metadata of an operation that is never going to be sent, because what had to come before it has failed. */
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
