import type { Address } from 'viem'
import { addressOf, type Deposit, relayHash } from '../bridge/deposit.js'
import { arrivedAmount } from '../bridge/ended.js'
import type { Settled } from '../bridge/refund.js'
import { actors } from '../chain/actors.js'
import type { AddressBook } from '../chain/addressBook.js'
import { networkOf } from '../chain/networks.js'
import type { Receipt } from '../chain/node.js'
import type { Revert } from '../chain/revert.js'
import { isoSeconds } from '../clock.js'
import type { OperationRecord } from '../store/store.js'
import type { ActionContext, PlanKind } from './kind.js'
import { dollarValue, logsOfOperation } from './observe.js'
import { observeFunding } from './observeFunding.js'

/** One operation of an executed plan, as its activity lists it. */
interface MetadataItem {
  operation: OperationRecord
  context: ActionContext
  wallet: Address
  nowMs: number
}

/** The metadata of an operation that is signed but not mined yet (service-facts 12.2). */
export function pendingItem({
  operation,
  context,
  wallet,
  nowMs,
}: MetadataItem): Record<string, unknown> {
  return {
    activity_record_type: 'unexecuted',
    success: null,
    chain_id: networkOf(operation.network).chainId,
    transaction_hash: null,
    svc_wallet_address: wallet,
    svc_operation_nonce: operation.nonce,
    from: actors.relayer.toLowerCase(),
    to: wallet,
    action_type: context.action_type,
    action_context: context,
    semantic_events: [],
    payment_method: 'sponsored',
    expiry: operation.expiry,
    gas_used: null,
    gas_price: null,
    executed_at: null,
    executed_at_block_number: null,
    reverted_at: null,
    revert_reason: null,
    revert_signature: null,
    revert_values: null,
    updated_at: isoSeconds(nowMs),
  }
}

/** The metadata once the transaction of the operation is mined and has succeeded. */
export function confirmedItem(
  item: MetadataItem,
  receipt: Receipt,
  kind: PlanKind,
  book: AddressBook,
): Record<string, unknown> {
  const logs = logsOfOperation(receipt.logs, item.wallet, item.operation.nonce)
  return {
    ...pendingItem(item),
    ...minedFields(receipt, item.nowMs),
    success: true,
    semantic_events:
      observeFunding(item.context, logs, book) ??
      kind.observe(item.context, logs, book.on(item.operation.network)),
  }
}

/** The metadata when the transaction reverted, or (without a receipt) never reached the chain. */
export function failedItem(
  item: MetadataItem,
  revert: Revert,
  receipt?: Receipt,
): Record<string, unknown> {
  return {
    ...pendingItem(item),
    ...(receipt ? minedFields(receipt, item.nowMs) : {}),
    success: false,
    reverted_at: isoSeconds(item.nowMs),
    revert_reason: revert.reason,
    revert_signature: revert.signature,
    revert_values: revert.values,
  }
}

/** The metadata of an operation that is never going to be sent, because what had to come before it has failed. */
export function notRunItem(item: MetadataItem, reason: string): Record<string, unknown> {
  return { ...pendingItem(item), success: false, revert_reason: reason }
}

/** A deposit of a plan, and what its items say besides. */
export interface BridgeSeen {
  deposit: Deposit
  wallet: Address
  /** USD with 8 decimals, of the token that is bridged. */
  price: string
  nowMs: number
}

/**
 * The metadata of what comes from outside: a bridge's fill on the destination (service-facts 9.4, 12.2). Without an outcome
 * the fill is still expected.
 */
export function receivedItem(
  fill: BridgeSeen & { outcome?: Settled },
  book: AddressBook,
): Record<string, unknown> {
  const { deposit, outcome, wallet, price, nowMs } = fill
  const { inputAmount, outputAmount, outputToken } = deposit.relayData
  const arrived =
    outcome?.status === 'filled' ? arrivedAmount({ book }, outcome.receipt, deposit) : outputAmount
  const place = book.on(deposit.to)
  const token = addressOf(outputToken)
  const fees = inputAmount - outputAmount
  const dollars = (amount: bigint): string => dollarValue(place, token, amount, price)
  const filled = outcome?.status === 'filled'
  const failed = outcome?.status === 'failed'
  return {
    activity_record_type: 'exogenous',
    success: outcome ? filled : null,
    chain_id: place.chainId,
    transaction_hash: null,
    svc_wallet_address: wallet,
    svc_operation_nonce: null,
    relay_hash: relayHash(deposit),
    from: place.spokePool,
    to: wallet,
    action_type: 'BRIDGE_MINT',
    action_context: {
      action_type: 'BRIDGE_MINT',
      asset_symbol: place.tokens.find((t) => t.address === token)?.symbol ?? token,
      bridge_type: 'ACROSS',
      chain_id: place.chainId.toString(),
      input_amount: inputAmount.toString(),
      max_fee: fees.toString(),
      output_amount: outputAmount.toString(),
      recipient: wallet,
      source_chain_id: book.on(deposit.from).chainId.toString(),
      token,
    },
    semantic_events: filled
      ? [
          {
            event_type: 'bridge_receive',
            log_indices: [],
            event_metadata: {
              token,
              amount: arrived.toString(),
              dollar_value: dollars(arrived),
              dst_chain: place.chainId.toString(),
              bridge_fees: (inputAmount - arrived).toString(),
              bridge_fees_dollar_value: dollars(inputAmount - arrived),
              bridge: 'ACROSS',
            },
          },
        ]
      : [],
    payment_method: 'sponsored',
    expiry: deposit.relayData.fillDeadline,
    gas_used: null,
    gas_price: null,
    executed_at: null,
    executed_at_block_number: null,
    reverted_at: failed ? isoSeconds(nowMs) : null,
    revert_reason: failed ? outcome.reason : null,
    revert_signature: null,
    revert_values: null,
    updated_at: isoSeconds(nowMs),
    ...(filled
      ? { ...minedFields(outcome.receipt, nowMs), activity_record_type: 'exogenous' }
      : {}),
  }
}

/** What a mined transaction adds to a metadata item. */
export function minedFields(receipt: Receipt, nowMs: number) {
  return {
    activity_record_type: 'executed',
    transaction_hash: receipt.transactionHash,
    gas_used: BigInt(receipt.gasUsed).toString(),
    gas_price: BigInt(receipt.effectiveGasPrice).toString(),
    executed_at: isoSeconds(nowMs),
    executed_at_block_number: Number(receipt.blockNumber),
  }
}
