import type { Hex } from 'viem'
import type { ClockState } from '../../time/clock.js'
import type { Node, Nodes } from '../rpc/node.js'

/**
 * Gives all chains the time of a clock: with a block now, which is what makes it everybody's time. Where it stands still, every later block
 * carries the same second, whoever sends it; otherwise the chains tick on from there. A chain that somebody has moved ahead
 * of the clock keeps its time: blocks cannot go back. A chain that mines no blocks (`evm_setAutomine` off) is not made to:
 * its next block has the time.
 *
 * All or none: when a node fails, those that took the time are put back to `before`, and no block has been mined.
 */
export async function setChainTimes(
  nodes: Nodes,
  time: ChainTime,
  before?: ChainTime,
): Promise<void> {
  const put = ({ mode, ms }: ChainTime) =>
    Promise.allSettled(nodes.all().map((node) => setChainTime(node, mode, Math.floor(ms / 1000))))
  const failed = (await put(time)).find((result) => result.status === 'rejected')
  if (failed) {
    if (before) await put(before) // The node that failed may fail again; the others are back.
    throw failed.reason
  }
  await Promise.all(nodes.all().map(mineUnlessHalted))
}

/** What the chains are to show. */
export interface ChainTime {
  mode: ClockState['mode']
  ms: number
}

/** The time of the latest block of all chains, in Unix seconds: none can go back behind it. */
export async function latestChainTime(nodes: Nodes): Promise<number> {
  return Math.max(...(await Promise.all(nodes.all().map(latestTime))))
}

async function setChainTime(node: Node, mode: ClockState['mode'], seconds: number): Promise<void> {
  const { rpc } = node
  // In this order: with an interval, anvil adds it to the time of the last block; with 0 all have one. So the head's time stands still
  // while it is read, and what somebody mines in between has the old second or the new one, never one before its parent's.
  // `evm_setTime` is taken for the time of the last block, earlier ones too.
  if (!node.changeTracker?.hasStillTime) await rpc.request('anvil_setBlockTimestampInterval', [0])
  await rpc.request('evm_setTime', [Math.max(seconds, await latestTime(node))])
  if (mode === 'real') await rpc.request('anvil_removeBlockTimestampInterval')
}

/** One block of now, unless the chain mines none by itself: there it would take what waits for whoever has halted it. */
export async function mineUnlessHalted({ rpc }: Node): Promise<void> {
  if (await rpc.request<boolean>('anvil_getAutomine')) await rpc.request('evm_mine')
}

async function latestTime({ rpc }: Node): Promise<number> {
  const block = await rpc.request<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false])
  return Number(block.timestamp)
}
