import type { Hex } from 'viem'
import { type ClockStart, type ClockState, frozenByDefault, isoSeconds } from '../../time/clock.js'
import type { Node, Nodes } from '../rpc/node.js'
import type { Rpc } from '../rpc/rpc.js'
import { minesAtOnce } from './mining.js'

/**
 * Gives all chains the time of a clock: with a block now, which is what makes it everybody's time. Where it stands still, every later block
 * carries the same second, whoever sends it; otherwise the chains tick on from there. A chain that somebody has moved ahead
 * of the clock keeps its time: blocks cannot go back. A chain that mines no blocks (`evm_setAutomine` off) is not made to:
 * its next block has the time.
 *
 * All or none: when a node fails, those that took the time are put back to `before`, and no block has been mined. An `auto` clock moves
 * often: there a chain that nobody looks at mines its block when somebody does (`PostponedBlocks`), unless `atOnce` is given.
 */
export async function setChainTimes(
  nodes: Nodes,
  time: ChainTime,
  before?: ChainTime,
  atOnce = false,
): Promise<void> {
  const isJump = time.mode === 'auto' && before?.mode === 'auto'
  const later = nodes.all().filter((node) => isJump && !atOnce && mayPostpone(node))
  const now = nodes.all().filter((node) => !later.includes(node))
  const put = ({ mode, ms }: ChainTime) =>
    Promise.allSettled(now.map((node) => setChainTime(node, mode, Math.floor(ms / 1000))))
  const failed = (await put(time)).find((result) => result.status === 'rejected')
  if (failed) {
    if (before) await put(before) // The node that failed may fail again; the others are back.
    throw failed.reason
  }
  await Promise.all(now.map(mineUnlessHalted))
  await Promise.all(later.map((node) => postpone(node, time)))
}

/** Leaves the block to be mined later, unless somebody has begun to follow the chain meanwhile. */
async function postpone(node: Node, { mode, ms }: ChainTime): Promise<void> {
  const seconds = Math.floor(ms / 1000)
  if (mayPostpone(node)) return node.postponed!.add(seconds)
  await setChainTime(node, mode, seconds)
  await mineUnlessHalted(node)
}

/** The next message to the chain waits until all of them are mined, so there are never more. */
const maxPostponed = 64

/** Whether its block is sure to be empty whenever it is mined, and has no subscribers. */
function mayPostpone({ postponed, gate }: Node): boolean {
  if (!postponed || postponed.isHeld || gate?.mines !== true) return false
  if (postponed.times.length >= maxPostponed) return false
  return gate.hasStillTime && gate.mark() !== undefined
}

/** Mines a block with this time; with that of the latest block where that is later. */
export async function mineAt(rpc: Rpc, seconds: number): Promise<void> {
  await rpc.request('evm_setTime', [Math.max(seconds, await followedTime(rpc))])
  await rpc.request('evm_mine')
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
  if (!node.gate?.hasStillTime) await rpc.request('anvil_setBlockTimestampInterval', [0])
  await rpc.request('evm_setTime', [Math.max(seconds, await followedTime(rpc))])
  if (mode === 'real') await rpc.request('anvil_removeBlockTimestampInterval')
}

/** One block of now, unless the chain mines none by itself: there it would take what waits for whoever has halted it. */
async function mineUnlessHalted(node: Node): Promise<void> {
  if (await minesAtOnce(node)) await node.rpc.request('evm_mine')
}

/** The time of the latest block, asked for as who follows the chain does: that answer is known already. */
async function followedTime(rpc: Rpc): Promise<number> {
  const block = await latestBlock(rpc, true)
  // A state that was loaded lacks the transactions of its latest block, and is said to have none.
  return block ? Number(block.timestamp) : latestTime({ rpc })
}

async function latestTime({ rpc }: Pick<Node, 'rpc'>): Promise<number> {
  return Number((await latestBlock(rpc, false))!.timestamp)
}

function latestBlock(rpc: Rpc, isWhole: boolean): Promise<{ timestamp: Hex } | null> {
  return rpc.request('eth_getBlockByNumber', ['latest', isWhole])
}

/** The default mode of a clock. */
export const machineTime: ClockState = { mode: 'real', offsetMs: 0 }

/**
 * A loaded chain still shows the time at which it was saved, a forked one that of its block: one block brings all to the time
 * of the clock, where blocks are mined at all. No chain can go back: a running clock goes on from the latest of them, one that stands still refuses an earlier instant.
 */
export async function alignClocks(
  nodes: Nodes,
  start: ClockStart,
  { areForked = false, hasPersistedClock = false } = {},
): Promise<ClockState> {
  const latestMs = (await latestChainTime(nodes)) * 1000
  if (start.mode === 'real') {
    const behindMs = latestMs - (Date.now() + start.offsetMs)
    // The nodes keep the machine's time by themselves, but forked ones go on from their block.
    const areAlike = start.offsetMs === 0 && !areForked
    if (areAlike && behindMs <= 0) {
      await Promise.all(nodes.all().map(mineUnlessHalted))
      return start
    }
    const offsetMs = start.offsetMs + Math.max(0, behindMs)
    await setChainTimes(nodes, { mode: 'real', ms: Date.now() + offsetMs })
    return { mode: 'real', offsetMs }
  }
  const wantedMs = start.atMs === 'earliest' ? frozenByDefault : start.atMs
  // A sudden end may have come when the chains had moved on and the clock had not.
  const mayMove = start.atMs === 'earliest' || hasPersistedClock
  const atMs = mayMove ? Math.max(wantedMs, latestMs) : wantedMs
  if (atMs < latestMs)
    throw new Error(
      `The clock cannot be frozen at ${isoSeconds(atMs)}: the chains are at ${isoSeconds(latestMs)} and cannot go back. Choose a later instant, or "real".`,
    )
  const { mode } = start
  await setChainTimes(nodes, { mode, ms: atMs })
  return { mode, atMs }
}
