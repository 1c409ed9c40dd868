import type { Address } from 'viem'
import type { AddressBook, NetworkBook } from '../../../deployments/addressBook.js'
import { isoSeconds } from '../../../time/clock.js'
import { addressOf, type Deposit, relayHash } from '../../bridge/deposit.js'
import { arrival } from '../../bridge/outcome.js'
import type { Settled } from '../../bridge/refund.js'
import type { FillItem } from '../model/activityItem.js'
import type { ContextOf } from '../model/contexts.js'
import type { SemanticEvent } from '../model/semanticEvents.js'
import { dollarValue, indexOf } from '../observe/logs.js'
import { arrivedFields, expectedItem } from './externalItem.js'

/** A deposit of a plan, and what its items say besides. */
export interface BridgeSeen {
  deposit: Deposit
  wallet: Address
  /** USD with 8 decimals, of the token that is bridged. */
  price: string
  /** The symbol of what was expected to arrive when the plan was made; without it that of the output token. */
  arrivesAs?: string
  nowMs: number
}

/**
 * The metadata of what comes from outside: a bridge's fill on the destination (service-facts 9.4, 12.2). Without an outcome
 * the fill is still expected.
 */
export function receivedItem(
  fill: BridgeSeen & { outcome?: Settled },
  book: AddressBook,
): FillItem {
  const { deposit, outcome, wallet, nowMs } = fill
  const networkBook = book.on(deposit.to)
  const context = contextOf(fill, networkBook, book)
  const action = { action_type: context.action_type, action_context: context }
  const expected = {
    ...expectedItem({ networkBook, wallet, nowMs }, action),
    relay_hash: relayHash(deposit),
    expiry: deposit.relayData.fillDeadline,
  }
  if (outcome?.status === 'failed')
    return {
      ...expected,
      success: false,
      reverted_at: isoSeconds(nowMs),
      revert_reason: outcome.reason,
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

/** What a bridge brings: the output token, or the native one in its place. */
function arrivedAs({ relayData }: Deposit, { tokens }: NetworkBook, isNative: boolean) {
  const address = addressOf(relayData.outputToken)
  const found = tokens.find((each) => (isNative ? each.native : each.address === address))
  return { token: found?.address ?? address, symbol: found?.symbol ?? address }
}

function contextOf(
  { deposit, wallet, arrivesAs }: BridgeSeen,
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
