import type { Node, Receipt } from '../../../chain/rpc/node.js'
import { decodeRevert, type Revert } from '../../../chain/transactions/revert.js'
import { revertDataOf } from '../../../chain/transactions/send.js'
import { note } from '../../context/requestContext.js'
import type { OperationRecord } from '../../store/store.js'

/** Notes what a mined transaction of a plan did; resolves to why it reverted, or undefined when it succeeded. */
export async function noteMined(
  node: Node,
  { activityId, operations }: { activityId: string; operations: readonly OperationRecord[] },
  receipt: Receipt,
): Promise<Revert | undefined> {
  const about = {
    type: 'transaction',
    activity_id: activityId,
    network: node.network,
    hash: receipt.transactionHash,
    block: Number(receipt.blockNumber),
    gas_used: BigInt(receipt.gasUsed).toString(),
  } as const
  if (receipt.status === '0x1') {
    note({ ...about, status: 'mined', operations, logs: receipt.logs })
    return undefined
  }
  const revert = decodeRevert(await revertDataOf(node, receipt))
  note({ ...about, status: 'reverted', operations, reason: revert.reason })
  return revert
}
