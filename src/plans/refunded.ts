import { addressOf, relayHash } from '../bridge/deposit.js'
import type { AddressBook } from '../chain/addressBook.js'
import { networkOf } from '../chain/networks.js'
import type { Receipt } from '../chain/node.js'
import { type BridgeSeen, minedFields } from './activity.js'
import { dollarValue } from './observe.js'

/**
 * The metadata of a bridge's refund on the network that the deposit came from. No public source shows one; it is shaped like
 * the fill's (service-facts 12.2), with a name of its own, and stands beside the failed fill.
 */
export function refundedItem(
  parts: BridgeSeen & { refund: Receipt },
  book: AddressBook,
): Record<string, unknown> {
  const { deposit, refund, wallet, price, nowMs } = parts
  const place = book.on(deposit.from)
  const token = addressOf(deposit.relayData.inputToken)
  const amount = deposit.relayData.inputAmount
  const route = {
    src_chain: place.chainId.toString(),
    dst_chain: networkOf(deposit.to).chainId.toString(),
  }
  return {
    ...minedFields(refund, nowMs),
    activity_record_type: 'exogenous',
    success: true,
    chain_id: place.chainId,
    svc_wallet_address: wallet,
    svc_operation_nonce: null,
    relay_hash: relayHash(deposit),
    from: place.spokePool,
    to: wallet,
    action_type: 'BRIDGE_REFUND',
    action_context: {
      action_type: 'BRIDGE_REFUND',
      amount: amount.toString(),
      asset_symbol: place.tokens.find((t) => t.address === token)?.symbol ?? token,
      bridge_type: 'ACROSS',
      chain_id: place.chainId.toString(),
      destination_chain_id: route.dst_chain,
      recipient: wallet,
      token,
    },
    semantic_events: [
      {
        event_type: 'bridge_refund',
        log_indices: [],
        event_metadata: {
          token,
          amount: amount.toString(),
          dollar_value: dollarValue(place, token, amount, price),
          ...route,
          bridge: 'ACROSS',
          deposit_id: deposit.relayData.depositId.toString(),
        },
      },
    ],
    payment_method: 'sponsored',
    expiry: null,
    reverted_at: null,
    revert_reason: null,
    revert_signature: null,
    revert_values: null,
    updated_at: minedFields(refund, nowMs).executed_at,
  }
}
