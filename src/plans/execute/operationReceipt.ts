import type { Address, Hex } from 'viem'
import { encodeEventTopics } from 'viem/utils'
import { receiptOfLog } from '../../chain/node/findLog.js'
import type { Node, Receipt } from '../../chain/node/node.js'
import { iSvcWalletAbi } from '../../generated/abis.js'

/**
 * The receipt of the transaction in which the wallet ran the operation with this nonce, or undefined when none has landed.
 * A reverted transaction leaves the nonce unused and no trace here: nothing has moved, so it may be sent again.
 */
export function landedReceipt(
  node: Node,
  wallet: Address,
  nonce: Hex,
): Promise<Receipt | undefined> {
  const topics = encodeEventTopics({
    abi: iSvcWalletAbi,
    eventName: 'OperationExecuted',
    args: { nonce },
  })
  return receiptOfLog(node, wallet, topics as (Hex | null)[])
}
