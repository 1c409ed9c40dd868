import type { Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import { networks } from '../chain/networks.js'
import type { Nodes } from '../chain/node.js'
import type { Clock } from '../clock.js'
import { isoSeconds } from '../clock.js'
import { svcNonceManagerAbi } from '../generated/abis.js'
import { svcAddresses } from '../generated/svc.js'
import type { ActivityRecord, Store } from '../store/store.js'

const lostReason =
  'the simulator was stopped before the transaction was mined; the chain does not know the operation'

/**
 * Ends the activities that a sudden death left pending: an operation whose nonce the chain has used up was mined, any other
 * is lost. Without this a client would follow them for ever.
 */
export async function recoverActivities(parts: {
  clock: Clock
  nodes: Nodes
  store: Store
}): Promise<void> {
  for (const activity of await parts.store.pendingActivities()) {
    const nowMs = parts.clock.now()
    const metadata = await Promise.all(
      activity.metadata.map((item) => recoverItem(parts.nodes, item, isoSeconds(nowMs))),
    )
    const status = metadata.every((item) => item.success === true) ? 'confirmed' : 'failed'
    await parts.store.updateActivity({ ...activity, status, metadata, updatedAtMs: nowMs })
  }
}

async function recoverItem(
  nodes: Nodes,
  item: ActivityRecord['metadata'][number],
  at: string,
): Promise<ActivityRecord['metadata'][number]> {
  // A bridge's fill is no operation of the wallet; it is listed only when it has happened.
  if (item.svc_operation_nonce === null) return item
  const network = networks.find(({ chainId }) => chainId === item.chain_id)!
  const abi = svcNonceManagerAbi
  const args = [item.svc_wallet_address as Hex, item.svc_operation_nonce as Hex] as const
  const returned = await nodes.get(network.name).rpc.request<Hex>('eth_call', [
    {
      to: svcAddresses.nonceManager,
      data: encodeFunctionData({ abi, functionName: 'submissionTokenOf', args }),
    },
    'latest',
  ])
  const token = decodeFunctionResult({ abi, functionName: 'submissionTokenOf', data: returned })
  const mined = BigInt(token) !== 0n
  return mined
    ? {
        ...item,
        activity_record_type: 'executed',
        success: true,
        executed_at: at,
        updated_at: at,
      }
    : { ...item, success: false, reverted_at: at, revert_reason: lostReason, updated_at: at }
}
