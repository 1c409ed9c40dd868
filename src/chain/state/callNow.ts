import type { Hex } from 'viem'
import type { Pooled } from '../rpc/changeTracker.js'
import type { Node } from '../rpc/node.js'

/** So often a call is made while blocks come in between. Each takes a few milliseconds. */
const mostTries = 50

/**
 * Calls a contract as the next block would, without the transactions that only wait in the pool: those may never be mined. Where nothing
 * can wait, that is the node's own pending state, whose answers are kept.
 */
export async function callNow({ rpc, changeTracker }: Node, call: object): Promise<Hex> {
  if (changeTracker?.isUnsettled)
    await changeTracker.settle(() => rpc.request<Pooled>('txpool_status'))
  if (!changeTracker || changeTracker.mark() !== undefined)
    return rpc.request<Hex>('eth_call', [call, 'pending'])
  for (let tries = 1; ; tries++) {
    const next = await rpc.request<{ number: Hex; timestamp: Hex }>('eth_getBlockByNumber', [
      'pending',
      false,
    ])
    const block = { number: next.number, time: next.timestamp }
    const returned = await rpc.request<Hex>('eth_call', [call, 'latest', {}, block])
    // A block that was mined in between may be later than this time, and interest until an earlier time underflows.
    const head = BigInt(await rpc.request<Hex>('eth_blockNumber'))
    if (head < BigInt(next.number) || tries === mostTries) return returned
  }
}
