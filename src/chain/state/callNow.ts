import type { Hex } from 'viem'
import { toHex } from 'viem/utils'
import type { Pooled } from '../rpc/changeTracker.js'
import type { Node } from '../rpc/node.js'
import { type PostponedBlocks, rpcAsItStands } from '../rpc/postponedBlocks.js'
import type { Rpc } from '../rpc/rpc.js'

/** So often a call is made while blocks come in between. Each takes a few milliseconds. */
const mostTries = 50

/**
 * Calls a contract as the next block would, without the transactions that only wait in the pool: those may never be mined. Where nothing
 * can wait, that is the node's own pending state, whose answers are kept.
 */
export async function callNow(node: Node, call: object): Promise<Hex> {
  const { rpc, changeTracker, postponed } = node
  if (postponed && postponed.times.length > 0) {
    const returned = await callAfter(node, postponed, call)
    if (returned !== undefined) return returned
  }
  if (changeTracker?.isUnsettled)
    await changeTracker.settle(() => rpc.request<Pooled>('txpool_status'))
  if (!changeTracker || changeTracker.mark() !== undefined)
    return rpc.request<Hex>('eth_call', [call, 'pending'])
  let next = await pendingBlock(rpc)
  for (let tries = 1; ; tries++) {
    const block = { number: next.number, time: next.timestamp }
    const returned = await rpc.request<Hex>('eth_call', [call, 'latest', {}, block])
    // A block that was mined in between may be later than this time, and interest until an earlier time underflows. Its number tells too
    // late: a moment passes between the state of a block and its number. The time of the next one changes before its state.
    const after = await pendingBlock(rpc)
    if (after.timestamp === next.timestamp || tries === mostTries) return returned
    next = after
  }
}

interface PendingBlock {
  number: Hex
  timestamp: Hex
}

function pendingBlock(rpc: Rpc): Promise<PendingBlock> {
  return rpc.request<PendingBlock>('eth_getBlockByNumber', ['pending', false])
}

/** What it returns after the blocks that are still to be mined, without mining them; undefined when something happens meanwhile. */
async function callAfter(
  node: Node,
  postponed: PostponedBlocks,
  call: object,
): Promise<Hex | undefined> {
  const { times } = postponed
  const before = node.changeTracker?.mark()
  const rpc = rpcAsItStands(node)
  const head = await rpc.request<{ number: Hex; timestamp: Hex }>('eth_getBlockByNumber', [
    'latest',
    true,
  ])
  const number = toHex(Number(head.number) + times.length + 1)
  const time = toHex(Math.max(times.at(-1)!, Number(head.timestamp)))
  const returned = await rpc.request<Hex>('eth_call', [call, 'latest', {}, { number, time }])
  const isSame = before !== undefined && before === node.changeTracker?.mark()
  return isSame && postponed.times === times ? returned : undefined
}
