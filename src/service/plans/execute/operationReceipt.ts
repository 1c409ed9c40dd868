import type { Address, Hex } from 'viem'
import { encodeEventTopics } from 'viem/utils'
import type { Node, Receipt } from '../../../chain/rpc/node.js'
import { receiptOfLog } from '../../../chain/transactions/findLog.js'
import { iSvcWalletAbi } from '../../../generated/abis.js'
import { hasRun } from '../observe/logs.js'

/**
 * The receipt of the transaction in which the wallet ran all operations with these nonces, whoever sent it, or undefined when
 * none has landed. A reverted transaction leaves the nonces unused and no trace here: nothing has moved, so it may be sent again.
 */
export async function landedReceipt(
  node: Node,
  wallet: Address,
  nonces: readonly Hex[],
): Promise<Receipt | undefined> {
  const topics = encodeEventTopics({
    abi: iSvcWalletAbi,
    eventName: 'OperationExecuted',
    args: { nonce: nonces[0]! },
  })
  const receipt = await receiptOfLog(node, wallet, topics as (Hex | null)[])
  return receipt && nonces.every((nonce) => hasRun(receipt.logs, wallet, nonce))
    ? receipt
    : undefined
}
