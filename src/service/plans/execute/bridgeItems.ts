import type { Address } from 'viem'
import { formatUnits } from 'viem/utils'
import type { Receipt } from '../../../chain/rpc/node.js'
import type { AddressBook, NetworkBook } from '../../../deployments/addressBook.js'
import { networkOf, networks } from '../../../deployments/networks.js'
import { isoSeconds } from '../../../time/clock.js'
import { addressOf, type Deposit, relayHash } from '../../bridge/deposit.js'
import { arrival, refunded } from '../../bridge/outcome.js'
import type { Settled } from '../../bridge/refund.js'
import type { PartialFill } from '../../context/requestContext.js'
import { type BridgedItem, blankItem, type FillItem } from '../model/activityItem.js'
import type { ContextOf } from '../model/contexts.js'
import type { SemanticEvent } from '../model/semanticEvents.js'
import { dollarValue, indexOf } from '../observe/logs.js'
import { minedFields } from './activityLog.js'

/** A deposit of a plan, and what else its items need. */
export interface PlannedBridge {
  deposit: Deposit
  wallet: Address
  /** Price of the bridged token, in USD with 8 decimals. */
  price: string
  /** The symbol of the asset that the plan expected to arrive; the output token's when absent. */
  arrivesAs?: string
  nowMs: number
}

/** The item of a bridge's fill on the destination, an external one (service-facts 9.4, 12.2). Without an outcome, the fill is still expected. */
export function receivedItem(
  fill: PlannedBridge & { outcome?: Settled },
  book: AddressBook,
): FillItem {
  const { deposit, outcome, nowMs } = fill
  const networkBook = book.on(deposit.to)
  const context = contextOf(fill, networkBook, book)
  const expected = {
    ...expectedItem(fill, networkBook, context),
    expiry: deposit.relayData.fillDeadline,
  }
  if (outcome?.status === 'failed')
    return {
      ...expected,
      success: false,
      reverted_at: isoSeconds(nowMs),
      revert_reason: outcome.reason,
      ...(outcome.stoppedBy?.length && { stopped_by: outcome.stoppedBy }),
    }
  if (outcome?.status !== 'filled') return expected
  const { amount, log, isNative } = arrival({ book }, outcome.receipt, deposit)
  const fees = deposit.relayData.inputAmount - amount
  const { token, symbol } = arrivedAs(deposit, networkBook, isNative)
  const dollars = (of: bigint): string => dollarValue(networkBook, token, of, fill.price)
  const event: SemanticEvent = {
    event_type: 'bridge_receive',
    log_indices: [indexOf(log)],
    event_metadata: {
      token,
      amount: amount.toString(),
      dollar_value: dollars(amount),
      dst_chain: context.chain_id,
      bridge_fees: fees.toString(),
      bridge_fees_dollar_value: dollars(fees),
      bridge: 'ACROSS',
    },
  }
  return {
    ...expected,
    ...arrivedFields(outcome.receipt, event, nowMs),
    observed_context: {
      ...context,
      asset_symbol: symbol,
      token,
      output_amount: amount.toString(),
      max_fee: fees.toString(),
    },
  }
}

/** What a fill lacks; undefined while it is pending, and where all has arrived. */
export function partialFillOf(
  { action_context: planned, observed_context: came, chain_id }: FillItem,
  book: AddressBook,
): PartialFill | undefined {
  if (!came) return undefined
  const [expected, arrived] = [BigInt(planned.output_amount), BigInt(came.output_amount)]
  if (arrived >= expected) return undefined
  const shown = (units: bigint) => amountOn(book, chain_id, came.asset_symbol, units)
  return {
    sent: shown(BigInt(planned.input_amount)),
    expected: shown(expected),
    arrived: shown(arrived),
    missing: shown(expected - arrived),
  }
}

/** `25 USDC`; the smallest units where the network has no such asset. */
export function amountOn(book: AddressBook, chainId: number, asset: string, units: bigint): string {
  const network = networks.find((each) => each.chainId === chainId)
  const token = network && book.token(network.name, asset)
  return token ? `${formatUnits(units, token.decimals)} ${asset}` : `${units}`
}

/** The asset that arrives: the output token, or the native one in its place. */
function arrivedAs({ relayData }: Deposit, { tokens }: NetworkBook, isNative: boolean) {
  const address = addressOf(relayData.outputToken)
  const token = tokens.find((each) => (isNative ? each.native : each.address === address))
  return { token: token?.address ?? address, symbol: token?.symbol ?? address }
}

function contextOf(
  { deposit, wallet, arrivesAs }: PlannedBridge,
  networkBook: NetworkBook,
  book: AddressBook,
): ContextOf<'BRIDGE_MINT'> {
  const { inputAmount, outputAmount } = deposit.relayData
  const isNative = networkBook.tokens.some((each) => each.native && each.symbol === arrivesAs)
  const { token, symbol } = arrivedAs(deposit, networkBook, isNative)
  return {
    action_type: 'BRIDGE_MINT',
    asset_symbol: symbol,
    bridge_type: 'ACROSS',
    chain_id: networkBook.chainId.toString(),
    input_amount: inputAmount.toString(),
    max_fee: (inputAmount - outputAmount).toString(),
    output_amount: outputAmount.toString(),
    recipient: wallet,
    source_chain_id: book.on(deposit.from).chainId.toString(),
    token,
  }
}

/**
 * No public source shows a refund. It has the shape of a fill (service-facts 12.2) and a name of its own, and is listed beside the failed
 * fill.
 */
export function refundedItem(
  parts: PlannedBridge & { refund: Receipt },
  book: AddressBook,
): BridgedItem {
  const { deposit, refund, wallet, price, nowMs } = parts
  const networkBook = book.on(deposit.from)
  const token = addressOf(deposit.relayData.inputToken)
  const { amount, log } = refunded({ book }, refund, deposit)
  const route = {
    src_chain: networkBook.chainId.toString(),
    dst_chain: networkOf(deposit.to).chainId.toString(),
  }
  const context: ContextOf<'BRIDGE_REFUND'> = {
    action_type: 'BRIDGE_REFUND',
    amount: deposit.relayData.inputAmount.toString(),
    asset_symbol: networkBook.tokens.find((t) => t.address === token)?.symbol ?? token,
    bridge_type: 'ACROSS',
    chain_id: route.src_chain,
    destination_chain_id: route.dst_chain,
    recipient: wallet,
    token,
  }
  const event: SemanticEvent = {
    event_type: 'bridge_refund',
    log_indices: [indexOf(log)],
    event_metadata: {
      token,
      amount: amount.toString(),
      dollar_value: dollarValue(networkBook, token, amount, price),
      ...route,
      bridge: 'ACROSS',
      deposit_id: deposit.relayData.depositId.toString(),
    },
  }
  return {
    ...expectedItem(parts, networkBook, context),
    ...arrivedFields(refund, event, nowMs),
  }
}

/** The metadata of an expected fill or refund (service-facts 12.2), described by `action_context`. */
function expectedItem<Context extends BridgedItem['action_context']>(
  { deposit, wallet, nowMs }: PlannedBridge,
  { chainId, spokePool }: NetworkBook,
  action_context: Context,
) {
  return {
    ...blankItem,
    activity_record_type: 'exogenous' as const,
    success: null,
    chain_id: chainId,
    transaction_hash: null,
    svc_wallet_address: wallet,
    svc_operation_nonce: null,
    from: spokePool,
    to: wallet,
    action_type: action_context.action_type as Context['action_type'],
    action_context,
    semantic_events: [],
    updated_at: isoSeconds(nowMs),
    relay_hash: relayHash(deposit),
  }
}

function arrivedFields(receipt: Receipt, event: SemanticEvent, nowMs: number) {
  return { ...minedFields(receipt, nowMs), success: true, semantic_events: [event] }
}
