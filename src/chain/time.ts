import type { Hex } from 'viem'
import type { ClockState } from '../clock.js'
import type { Node, Nodes } from './node.js'

/**
 * Gives all chains the time of a clock: with a block now, which is what makes it everybody's time. Frozen, every later block
 * carries the same second, whoever sends it; otherwise the chains tick on from there. A chain that somebody has moved ahead
 * of the clock keeps its time: blocks cannot go back.
 */
export async function setChainTimes(nodes: Nodes, { mode, ms }: ChainTime): Promise<void> {
  const seconds = Math.floor(ms / 1000)
  await Promise.all(nodes.all().map((node) => setChainTime(node, mode, seconds)))
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
  const time = Math.max(seconds, await latestTime(node))
  await rpc.request('anvil_removeBlockTimestampInterval')
  // A node that has just started counts from the machine's time, and would take no earlier one for its next block.
  await rpc.request('evm_setTime', [time])
  if (mode === 'frozen') {
    await rpc.request('anvil_setBlockTimestampInterval', [0])
    await rpc.request('evm_setNextBlockTimestamp', [time])
  }
  await rpc.request('evm_mine')
}

async function latestTime({ rpc }: Node): Promise<number> {
  const block = await rpc.request<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false])
  return Number(block.timestamp)
}
