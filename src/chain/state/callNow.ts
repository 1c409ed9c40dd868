import type { Hex } from 'viem'
import type { Node } from '../rpc/node.js'

/**
 * Calls a contract as the next block would, without the transactions that only wait in the pool: those may never be mined. Where nothing
 * can wait, that is the node's own pending state, whose answers are kept.
 */
export async function callNow({ rpc, changeTracker }: Node, call: object): Promise<Hex> {
  if (changeTracker?.isUnsettled)
    await changeTracker.settle(() => rpc.request<{ pending: string }>('txpool_status'))
  if (!changeTracker || changeTracker.mark() !== undefined)
    return rpc.request<Hex>('eth_call', [call, 'pending'])
  const next = await rpc.request<{ number: Hex; timestamp: Hex }>('eth_getBlockByNumber', [
    'pending',
    false,
  ])
  const block = { number: next.number, time: next.timestamp }
  return rpc.request<Hex>('eth_call', [call, 'latest', {}, block])
}
