import type { Address } from 'viem'
import type { NetworkBook } from '../../chain/deployments/addressBook.js'
import type { Receipt } from '../../chain/node/node.js'
import { isoSeconds } from '../../time/clock.js'
import type { ActionContext } from '../model/contexts.js'
import type { SemanticEvent } from '../model/semanticEvents.js'

/** What a bridge brings to a wallet from outside, as its activity lists it. */
interface External {
  networkBook: NetworkBook
  wallet: Address
  /** Whoever did it; null when that is not told. */
  from: Address | null
  context: ActionContext
  /** When the item is written down. */
  nowMs: number
}

/** The metadata of what is expected to come from outside (service-facts 12.2). */
export function expectedItem({ networkBook, wallet, from, context, nowMs }: External) {
  return {
    activity_record_type: 'exogenous',
    success: null,
    chain_id: networkBook.chainId,
    transaction_hash: null,
    svc_wallet_address: wallet,
    svc_operation_nonce: null,
    from,
    to: wallet,
    action_type: context.action_type,
    action_context: context,
    semantic_events: [],
    payment_method: 'sponsored',
    expiry: null,
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

/** The metadata of what came from outside in a mined transaction. */
export function externalItem(external: External, receipt: Receipt, event: SemanticEvent) {
  return {
    ...expectedItem(external),
    ...minedFields(receipt, external.nowMs),
    activity_record_type: 'exogenous',
    success: true,
    semantic_events: [event],
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
