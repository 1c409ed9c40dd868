import type { Hex } from 'viem'
import { toHex } from 'viem/utils'
import { keptStates } from './anvil.js'
import type { Channel } from './nodeSocket.js'

const taking = /^((evm|anvil|hardhat)_revert|anvil_(rollback|reorg))$/
const pacing = /_(set|remove)blocktimestampinterval$/i

/** Whether a request takes blocks back. */
export const takesBack = (method: string): boolean => taking.test(method)

interface Request {
  id?: unknown
  method: string
  params?: unknown
}

interface Answer {
  result?: unknown
  error?: { message: string }
}

interface Block {
  number: Hex
  hash: Hex
  timestamp: Hex
}

type Ask = <T>(method: string, ...params: unknown[]) => Promise<T>
type Send = (request: Request) => Promise<string>

/**
 * Stands next to a node for when blocks are taken back. By itself it goes on from the time of the block on which it lands
 * (anvil 1.7.1), and would stay behind the clock that all networks have:
 *
 * - Its next block has the time that it would have had.
 * - Blocks that `anvil_reorg` puts in the place of others have their times, so that transactions find them again, and another
 *   miner: those with the same content would be the same blocks.
 *
 * While one of these is under way, nobody else may ask the node (`SnapshotGuard`).
 */
export function createTimeKeeping(): (channel: Channel) => Channel {
  /** Seconds from block to block; undefined while its time goes with the machine's. */
  let interval: number | undefined
  const note = (request: Request): void => {
    if (!pacing.test(request.method)) return
    const [seconds] = Array.isArray(request.params) ? (request.params as unknown[]) : []
    interval = seconds === undefined ? undefined : Number(seconds)
  }
  return (channel) => ({
    ...channel,
    async exchange(text, timeoutMs, methods = []) {
      if (!methods.some((method) => takesBack(method) || pacing.test(method)))
        return channel.exchange(text, timeoutMs, methods)
      const message = JSON.parse(text) as Request | Request[]
      const send: Send = (request) =>
        channel.exchange(JSON.stringify(request), timeoutMs, [request.method])
      if (!Array.isArray(message) && takesBack(message.method))
        return takeBack(message, interval, send)
      const answer = await channel.exchange(text, timeoutMs, methods)
      for (const request of [message].flat()) note(request)
      return answer
    },
  })
}

/** Does it, and gives the node its time again. */
async function takeBack(
  request: Request,
  interval: number | undefined,
  send: Send,
): Promise<string> {
  const ask: Ask = async (method, ...params) => {
    const answer = await send({ ...request, id: 0, method, params })
    const { result, error } = JSON.parse(answer) as Answer
    if (error) throw new Error(`the node refused ${method}: ${error.message}`)
    return result as never
  }
  const { answer: next, second } = await inOneSecond(() =>
    ask<Block>('eth_getBlockByNumber', 'pending', false),
  )
  try {
    const replaced = await replacedBy(request, ask)
    return await (replaced ? replace(replaced, { interval, ask, send }) : send(request))
  } finally {
    // Taken for the time of the last block.
    const passed = (now: number): number => (interval === undefined ? now - second : -interval)
    await inOneSecond((now) => ask('evm_setTime', Number(next.timestamp) + passed(now)))
  }
}

/** What `anvil_reorg` is to replace. */
interface Replacement {
  request: Request
  /** Transactions for the new blocks, each with the place of its block among them. */
  pairs: readonly [transaction: unknown, at: number][]
  /** Seconds from the block before to each of the blocks. */
  steps: readonly number[]
  /** The last of them. */
  head: Block
}

/** Undefined when it is no reorganisation, or one that the node refuses. */
async function replacedBy(request: Request, ask: Ask): Promise<Replacement | undefined> {
  if (request.method !== 'anvil_reorg') return undefined
  const { depth, pairs } = reorganisation(request.params)
  const isKnown = depth > 0 && depth <= keptStates && Array.isArray(pairs)
  if (!isKnown || !pairs.every(Array.isArray)) return undefined
  const head = await ask<Block>('eth_getBlockByNumber', 'latest', false)
  const base = Number(head.number) - depth
  if (base < 0) return undefined
  const blocks = await Promise.all(
    Array.from({ length: depth + 1 }, (_, i) =>
      ask<Block | null>('eth_getBlockByNumber', toHex(base + i), false),
    ),
  )
  const times = blocks.map((block) => Number(block?.timestamp))
  if (times.some(Number.isNaN)) return undefined
  // Older versions let a block be earlier than its parent.
  const rising = times.map((_, i) => Math.max(...times.slice(0, i + 1)))
  const steps = rising.slice(1).map((time, i) => time - rising[i]!)
  return { request, pairs: pairs as never, steps, head }
}

/** The parameters, by their places or by their names; a depth that is none is 0. */
function reorganisation(params: unknown): { depth: number; pairs: unknown } {
  const { depth, tx_block_pairs: pairs } = (params ?? {}) as Record<string, unknown>
  const [first, second] = Array.isArray(params) ? (params as unknown[]) : [depth, pairs]
  return { depth: Number.isInteger(first) ? (first as number) : 0, pairs: second }
}

/**
 * The node mines all new blocks at once, at most with the same step from each to the next. So where there is another step, those
 * from there on are replaced once more.
 */
async function replace(
  { request, pairs, steps, head }: Replacement,
  { interval, ask, send }: { interval: number | undefined; ask: Ask; send: Send },
): Promise<string> {
  const miner = await ask<Hex>('eth_coinbase')
  await ask('anvil_setCoinbase', `0x${head.hash.slice(-40)}`)
  try {
    for (let from = 0; ; ) {
      const length = steps.slice(from).findIndex((step) => step !== steps[from])
      const end = length < 0 ? steps.length : from + length
      await ask('anvil_setBlockTimestampInterval', steps[from])
      // At first all of them: what is wrong with one is said before anything is done.
      const those = pairs.filter(([, at]) => from === 0 || (at >= from && at < end))
      const params = [steps.length - from, those.map(([tx, at]) => [tx, at - from])]
      const answer = await send({ ...request, params })
      if (end === steps.length || (JSON.parse(answer) as Answer).error) return answer
      from = end
    }
  } finally {
    await ask('anvil_setCoinbase', miner)
    await (interval === undefined
      ? ask('anvil_removeBlockTimestampInterval')
      : ask('anvil_setBlockTimestampInterval', interval))
  }
}

/** Does something that counts for a second of the machine, once more when that ended meanwhile. */
async function inOneSecond<T>(
  work: (second: number) => Promise<T>,
): Promise<{ answer: T; second: number }> {
  for (let tries = 3; ; tries--) {
    const second = machineSeconds()
    const answer = await work(second)
    if (machineSeconds() === second || tries === 1) return { answer, second }
  }
}

function machineSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
