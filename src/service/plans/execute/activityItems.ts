import type { Address } from 'viem'
import type { Receipt } from '../../../chain/rpc/node.js'
import type { Revert } from '../../../chain/transactions/revert.js'
import { actors } from '../../../deployments/actors.js'
import type { AddressBook } from '../../../deployments/addressBook.js'
import { networkOf } from '../../../deployments/networks.js'
import { isoSeconds } from '../../../time/clock.js'
import type { OperationRecord } from '../../store/store.js'
import { blankItem, type OperationItem } from '../model/activityItem.js'
import type { PlannedContext } from '../model/contexts.js'
import type { PlanKind } from '../model/kind.js'
import { observeFunding } from '../observe/funding.js'
import { logsOfOperation } from '../observe/logs.js'
import { observedContext } from '../observe/observedContext.js'
import { minedFields } from './bridgeItems.js'

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
export function notRunItem(item: ListedOperation, reason: string): OperationItem {
  return { ...pendingItem(item), success: false, revert_reason: reason }
}
