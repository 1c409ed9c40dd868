import type { Address } from 'viem'
import type { Receipt } from '../../../chain/rpc/node.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import { isoSeconds } from '../../../time/clock.js'
import { type BridgedItem, blankItem } from '../model/activityItem.js'
import type { SemanticEvent } from '../model/semanticEvents.js'

/** Where and to whom a bridge brings something, and when its item is written down. */
interface Arriving {
  networkBook: NetworkBook
  wallet: Address
  nowMs: number
}

/** The metadata of what a bridge is expected to bring from outside (service-facts 12.2). `action` says what that is. */
export function expectedItem<Action extends Pick<BridgedItem, 'action_type' | 'action_context'>>(
  { networkBook, wallet, nowMs }: Arriving,
  action: Action,
) {
  return {
    ...blankItem,
    activity_record_type: 'exogenous' as const,
    success: null,
    chain_id: networkBook.chainId,
    transaction_hash: null,
    svc_wallet_address: wallet,
    svc_operation_nonce: null,
    from: networkBook.spokePool,
    to: wallet,
    ...action,
    semantic_events: [],
    updated_at: isoSeconds(nowMs),
  }
}

/** What a mined transaction with this event adds to it. */
export function arrivedFields(receipt: Receipt, event: SemanticEvent, nowMs: number) {
  return { ...minedFields(receipt, nowMs), success: true, semantic_events: [event] }
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
