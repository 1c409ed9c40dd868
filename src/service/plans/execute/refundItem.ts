import type { Receipt } from '../../../chain/rpc/node.js'
import type { AddressBook } from '../../../deployments/addressBook.js'
import { networkOf } from '../../../deployments/networks.js'
import { addressOf, relayHash } from '../../bridge/deposit.js'
import { refunded } from '../../bridge/outcome.js'
import type { BridgedItem } from '../model/activityItem.js'
import type { ContextOf } from '../model/contexts.js'
import type { SemanticEvent } from '../model/semanticEvents.js'
import { dollarValue, indexOf } from '../observe/logs.js'
import { arrivedFields, expectedItem } from './externalItem.js'
import type { BridgeSeen } from './receivedItems.js'

/**
 * The metadata of a bridge's refund on the network that the deposit came from. No public source shows one; it is shaped like
 * the fill's (service-facts 12.2), with a name of its own, and stands beside the failed fill.
 */
export function refundedItem(
  parts: BridgeSeen & { refund: Receipt },
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
  const action = { action_type: context.action_type, action_context: context }
  return {
    ...expectedItem({ networkBook, wallet, nowMs }, action),
    ...arrivedFields(refund, event, nowMs),
    relay_hash: relayHash(deposit),
  }
}
