import type { Hex } from 'viem'
import { type ClockStart, type ClockState, frozenByDefault, isoSeconds } from '../../time/clock.js'
import type { Node, Nodes } from '../rpc/node.js'
import type { Rpc } from '../rpc/rpc.js'
import { minesAtOnce } from './mining.js'

/**
 * Sets all chains to the time of a clock, with a new block. On a frozen clock all later blocks have the same second. A chain that is ahead
 * of the clock keeps its time. A chain that does not mine (`evm_setAutomine` off) gets no block; its next one has the time.
 *
 * When a node fails, the others are set back to `before`, and no block is mined. An `auto` clock moves often, so its blocks are postponed
 * until the chain is read (`PostponedBlocks`), unless `atOnce` is given.
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
    if (before) await put(before) // the failed node may fail again
    throw failed.reason
  }
  await Promise.all(now.map(mineUnlessHalted))
  await Promise.all(later.map((node) => postpone(node, time)))
}

/** Postpones the block, unless the chain got a subscriber meanwhile. */
async function postpone(node: Node, { mode, ms }: ChainTime): Promise<void> {
  const seconds = Math.floor(ms / 1000)
  if (mayPostpone(node)) return node.postponed!.add(seconds)
  await setChainTime(node, mode, seconds)
  await mineUnlessHalted(node)
}

/** A limit, because the next request to the chain waits until all of them are mined. */
const maxPostponed = 64

/** Whether the block will be empty whenever it is mined, and the chain has no subscribers. */
function mayPostpone({ postponed, gate }: Node): boolean {
  if (!postponed || postponed.isHeld || gate?.mines !== true) return false
  if (postponed.times.length >= maxPostponed) return false
  return gate.hasStillTime && gate.mark() !== undefined
}

/** Mines a block with this time, or with that of the latest block if that is later. */
export async function mineAt(rpc: Rpc, seconds: number): Promise<void> {
  await rpc.request('evm_setTime', [Math.max(seconds, await followedTime(rpc))])
  await rpc.request('evm_mine')
}

export interface ChainTime {
  mode: ClockState['mode']
  ms: number
}

/** The latest block time of all chains, in Unix seconds. */
export async function latestChainTime(nodes: Nodes): Promise<number> {
  return Math.max(...(await Promise.all(nodes.all().map(latestTime))))
}

async function setChainTime(node: Node, mode: ClockState['mode'], seconds: number): Promise<void> {
  const { rpc } = node
  // First, so that the head's time cannot change while it is read: a block that a client mines in between has the old second or the new one.
  // `evm_setTime` would accept an earlier time than that of the last block.
  if (!node.gate?.hasStillTime) await rpc.request('anvil_setBlockTimestampInterval', [0])
  await rpc.request('evm_setTime', [Math.max(seconds, await followedTime(rpc))])
  if (mode === 'real') await rpc.request('anvil_removeBlockTimestampInterval')
}

/** Mines a block, unless mining is switched off: the block would take the transactions that wait. */
async function mineUnlessHalted(node: Node): Promise<void> {
  if (await minesAtOnce(node)) await node.rpc.request('evm_mine')
}

/** The time of the latest block, by the request that followers send: its answer is cached. */
async function followedTime(rpc: Rpc): Promise<number> {
  const block = await latestBlock(rpc, true)
  // Null for a loaded state, which lacks the transactions of its latest block.
  return block ? Number(block.timestamp) : latestTime({ rpc })
}

async function latestTime({ rpc }: Pick<Node, 'rpc'>): Promise<number> {
  return Number((await latestBlock(rpc, false))!.timestamp)
}

function latestBlock(rpc: Rpc, isWhole: boolean): Promise<{ timestamp: Hex } | null> {
  return rpc.request('eth_getBlockByNumber', ['latest', isWhole])
}

export const machineTime: ClockState = { mode: 'real', offsetMs: 0 }

/**
 * Sets loaded and forked chains, which have the time of their last block, to the time of the clock; resolves to the clock's state. A real
 * clock continues from the latest chain.
 *
 * @throws when a frozen clock is to start earlier than a chain.
 */
export async function alignClocks(
  nodes: Nodes,
  start: ClockStart,
  { areForked = false, hasPersistedClock = false } = {},
): Promise<ClockState> {
  const latestMs = (await latestChainTime(nodes)) * 1000
  if (start.mode === 'real') {
    const behindMs = latestMs - (Date.now() + start.offsetMs)
    // Nodes have the machine's time by default; forked ones continue from their block.
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
  // After a crash, the chains may be ahead of the persisted clock.
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
