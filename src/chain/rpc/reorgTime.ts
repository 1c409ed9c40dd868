import type { Address, Hex } from 'viem'
import { toHex } from 'viem/utils'
import { takesBack } from './methods.js'
import type { NodeAnswer } from './nodeSocket.js'
import { askOver, type ChainStep, firstParam, type NodeRequest, type PassOn } from './pipeline.js'
import type { RemovedLogs } from './removedLogs.js'
import type { AskNode } from './rpc.js'

/**
 * States of past blocks that a node keeps in memory. 0 (plain `--prune-history`) is leanest but makes `anvil_reorg`,
 * `anvil_rollback` and reads at a past block fail ("Required data unavailable"); without the flag anvil writes every state
 * to ~/.foundry and never removes it. Measured after 700 transactions on a state of the offline world's size, RSS per
 * node: 36 MB with 0, 45 with 16, 52 with 32, 66 with 64, 89 with 128; the time per transaction is the same for all.
 */
export const retainedStates = 32

const timing = ['setTime', 'setBlockTimestampInterval', 'removeBlockTimestampInterval']

interface Block {
  number: Hex
  hash: Hex
  timestamp: Hex
}

type Send = (request: NodeRequest) => Promise<NodeAnswer>

/**
 * The step that corrects a node when blocks are taken back. By itself (anvil 1.7.1) it continues from the time of the block on which it
 * lands, and would fall behind the clock that all networks share:
 *
 * - The node gets back the time that it was last set to, plus what has passed since. As always, no block is earlier than its parent.
 * - Blocks that replace others in `anvil_reorg` have the times of those, so that transactions find the same conditions, and another
 *   miner, since blocks with equal content would be the same blocks.
 * - On a fork (`isForked`), writes of the removed blocks are undone (`putBack`).
 *
 * Around that, the logs of these blocks are reported as removed. Meanwhile nothing else may use the node (`Gate`).
 */
export function createReorgTime(
  removedLogs: Pick<RemovedLogs, 'around'>,
  isForked = false,
): ChainStep {
  const nodeTime = createNodeTime()
  const keepTime: ChainStep = async (request, next) => {
    const { about, by } = request
    // The service sets the time itself after a revert.
    if (by === 'service' && about.turn === 'revert') return next(request)
    if (takesBack(about)) return takeBack(request, nodeTime, next, isForked)
    if (!timing.includes(about.name)) return next(request)
    const second = machineSeconds()
    const answer = await next(request)
    if (!answer.error) nodeTime.note(request, second)
    return answer
  }
  return (request, next) => removedLogs.around(request, (inner) => keepTime(inner, next))
}

type NodeTime = ReturnType<typeof createNodeTime>

/** The time settings of a node. Unix seconds. */
function createNodeTime() {
  /** Seconds between blocks; undefined while its time runs with the machine's, as it does at the start. */
  let interval: number | undefined
  let set = { at: 0, second: 0 }
  return {
    get interval() {
      return interval
    },
    /** The time that the node should have in this second of the machine. */
    at: (second: number): number => set.at + (interval === undefined ? second - set.second : 0),
    /** Notes a request that the node carried out in that second of the machine. */
    note(request: NodeRequest, second: number): void {
      const first = firstParam(request)
      if (request.about.name === 'setTime') set = { at: Number(first), second }
      else interval = first === undefined ? undefined : Number(first)
    },
  }
}

/** Carries out a request that takes blocks back, and restores the time of the node. */
async function takeBack(
  request: NodeRequest,
  nodeTime: NodeTime,
  send: PassOn,
  isForked: boolean,
): Promise<NodeAnswer> {
  const ask = askOver(request, send)
  let mayBeDone = false
  const act: Send = async (part) => {
    const before = mayBeDone
    mayBeDone = true
    const answer = await send(part)
    mayBeDone = before || !isRefused(answer)
    return answer
  }
  const undo: Undo[] = [
    async () => {
      if (!mayBeDone) return
      const { timestamp } = await ask<Block>('eth_getBlockByNumber', 'latest', false)
      await inOneSecond((now) => ask('evm_setTime', Math.max(Number(timestamp), nodeTime.at(now))))
    },
  ]
  const finish = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const replaced = await replacedBy(request, ask)
    const depth = isForked ? (replaced?.steps.length ?? depthOf(request)) : 0
    const prior = depth > 0 ? await readPriorState(ask, depth) : undefined
    const work = () => (replaced ? replace(replaced, { nodeTime, ask, act, undo }) : act(request))
    let answer = await work()
    if (prior && !isRefused(answer)) {
      // The new blocks ran on leftovers of the old ones, so they are made again.
      if (replaced) await ask('anvil_rollback', depth)
      await putBack(ask, prior)
      if (replaced) await ask('anvil_mine', toHex(depth))
      if (replaced) answer = await work()
    }
    await finish()
    return answer
  } catch (error) {
    // A node that did not answer may still carry it out; the caller must not wait for it again.
    void finish().catch(() => {})
    throw error
  }
}

/** How many blocks `anvil_rollback` takes back; 0 for other requests, and for an invalid depth. */
function depthOf({ about, params }: NodeRequest): number {
  if (about.name !== 'rollback') return 0
  const [depth = 1] = Array.isArray(params) ? (params as unknown[]) : Object.values(params ?? {})
  const number = Number(depth ?? 1)
  return Number.isInteger(number) && number <= retainedStates ? number : 0
}

type Undo = () => Promise<unknown>

/** A revert to an unknown snapshot returns `false`. */
function isRefused({ result, error }: NodeAnswer): boolean {
  return error !== undefined || result === false
}

/** The blocks that `anvil_reorg` replaces. */
interface Replacement {
  request: NodeRequest
  /** Transactions for the new blocks, each with the place of its block among them. */
  pairs: readonly [transaction: unknown, at: number][]
  /** Seconds from the block before to each of the blocks. */
  steps: readonly number[]
  /** The last of them. */
  head: Block
}

/** Undefined for other requests, and for a reorganisation that the node refuses. */
async function replacedBy(request: NodeRequest, ask: AskNode): Promise<Replacement | undefined> {
  if (request.about.name !== 'reorg') return undefined
  const { depth, pairs } = reorganisation(request.params)
  const isKnown = depth > 0 && depth <= retainedStates && Array.isArray(pairs)
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
  // A client may have set the time back (`--rpc-unsafe`).
  const rising = times.map((_, i) => Math.max(...times.slice(0, i + 1)))
  const steps = rising.slice(1).map((time, i) => time - rising[i]!)
  return { request, pairs: pairs as never, steps, head }
}

/** The parameters, by position or by name; an invalid depth is 0. */
function reorganisation(params: unknown): { depth: number; pairs: unknown } {
  const { depth, tx_block_pairs: pairs } = (params ?? {}) as Record<string, unknown>
  const [first, second] = Array.isArray(params) ? (params as unknown[]) : [depth, pairs]
  return { depth: Number.isInteger(first) ? (first as number) : 0, pairs: second }
}

/**
 * The node mines all new blocks at once, with one interval between them. Wherever the interval changes, the blocks from there on are
 * replaced once more.
 */
async function replace(
  { request, pairs, steps, head }: Replacement,
  { nodeTime, ask, act, undo }: { nodeTime: NodeTime; ask: AskNode; act: Send; undo: Undo[] },
): Promise<NodeAnswer> {
  const miner = await ask<Hex>('eth_coinbase')
  undo.push(
    () => ask('anvil_setCoinbase', miner),
    () =>
      nodeTime.interval === undefined
        ? ask('anvil_removeBlockTimestampInterval')
        : ask('anvil_setBlockTimestampInterval', nodeTime.interval),
  )
  await ask('anvil_setCoinbase', `0x${head.hash.slice(-40)}`)
  for (let from = 0; ; ) {
    const length = steps.slice(from).findIndex((step) => step !== steps[from])
    const end = length < 0 ? steps.length : from + length
    await ask('anvil_setBlockTimestampInterval', steps[from])
    // The first request has all of them, so that the node refuses a bad one before anything is changed.
    const those = pairs.filter(([, at]) => from === 0 || (at >= from && at < end))
    const params = [steps.length - from, those.map(([tx, at]) => [tx, at - from])]
    const answer = await act({ ...request, params })
    if (end === steps.length || isRefused(answer)) return answer
    from = end
  }
}

/** Runs work that is right for one second of the machine; again if that second has ended meanwhile. */
async function inOneSecond(work: (second: number) => Promise<unknown>): Promise<void> {
  for (let tries = 3; tries > 0; tries--) {
    const second = machineSeconds()
    await work(second)
    if (machineSeconds() === second) return
  }
}

function machineSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

interface Account {
  balance?: Hex
  nonce?: number | Hex
  code?: Hex
  storage?: Record<Hex, Hex>
}

/** What a transaction has changed, as `prestateTracer` reports it; zero values are omitted. */
interface Change {
  pre: Record<Address, Account>
  post: Record<Address, Account>
}

/** Storage slots and newly created accounts, as they were before the blocks whose transactions wrote them. */
interface PriorState {
  slots: ReadonlyMap<string, { address: Address; slot: Hex; value: Hex }>
  created: ReadonlyMap<Address, Account>
}

const word = (value: Hex | undefined): Hex => toHex(BigInt(value ?? 0), { size: 32 })

/** Reads what the last `depth` blocks (at least 1) have overwritten. Call it before they are taken back. */
async function readPriorState(ask: AskNode, depth: number): Promise<PriorState> {
  const latest = Number(await ask<Hex>('eth_blockNumber'))
  const slots = new Map<string, { address: Address; slot: Hex; value: Hex }>()
  const created = new Map<Address, Account>()
  for (let number = latest - depth + 1; number <= latest; number++) {
    const block = await ask<{ transactions: Hex[] } | null>(
      ...(['eth_getBlockByNumber', toHex(number), false] as const),
    )
    for (const hash of block?.transactions ?? []) {
      const tracing = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
      const { pre, post } = await ask<Change>('debug_traceTransaction', hash, tracing)
      for (const [address, after] of Object.entries(post) as [Address, Account][]) {
        const before = pre[address]
        if (after.code && !before?.code && !created.has(address)) created.set(address, before ?? {})
        for (const slot of Object.keys({ ...before?.storage, ...after.storage }) as Hex[]) {
          const key = `${address} ${word(slot)}`
          const value = word(before?.storage?.[slot])
          if (!slots.has(key)) slots.set(key, { address, slot: word(slot), value })
        }
      }
    }
  }
  return { slots, created }
}

/**
 * Restores what a forked node (anvil 1.7.1) leaves behind when it takes blocks back: accounts and slots that it first wrote in these
 * blocks keep their new values, because the earlier state does not list them.
 */
async function putBack(ask: AskNode, { slots, created }: PriorState): Promise<void> {
  for (const [address, { balance, nonce }] of created) {
    if ((await ask<Hex>('eth_getCode', address, 'latest')) === '0x') continue
    await ask('anvil_setCode', address, '0x')
    await ask('anvil_setNonce', address, toHex(BigInt(nonce ?? 0)))
    await ask('anvil_setBalance', address, balance ?? '0x0')
  }
  for (const { address, slot, value } of slots.values())
    if (word(await ask<Hex>('eth_getStorageAt', address, slot, 'latest')) !== value)
      await ask('anvil_setStorageAt', address, slot, value)
}
