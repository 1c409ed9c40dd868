import { AsyncLocalStorage } from 'node:async_hooks'
import type { Address, Hex } from 'viem'
import { toHex } from 'viem/utils'
import { actors } from '../../deployments/actors.js'
import type { NetworkName } from '../../deployments/networks.js'
import { manyAborted } from '../../lib/abort.js'
import type { Stateful, Worker } from '../../lib/lifecycle.js'
import type { BackgroundTasks } from '../../time/backgroundTasks.js'
import type { Node, Nodes } from '../rpc/node.js'
import { rpcAsItStands } from '../rpc/postponedBlocks.js'
import { type Rpc, RpcError } from '../rpc/rpc.js'
import { unlessStopped } from './pool.js'
import { subscribe } from './subscribe.js'

/** As its block lists it; quantities in hex. */
export interface MinedTransaction {
  hash: Hex
  from: Address
  to: Address | null
  /** Absent for one of the simulator's own accounts. */
  input?: Hex
}

/** A block with its transactions; quantities in hex. */
export interface MinedBlock {
  number: Hex
  hash: Hex
  parentHash: Hex
  timestamp: Hex
  transactions: MinedTransaction[]
}

/** Identifies a block. JSON-safe. */
export interface BlockMark {
  number: number
  hash: Hex
}

/** A node to read from. Requests reject with `StoppedError` when the follower is paused. */
export type ReadNode = Pick<Node, 'network'> & { rpc: Pick<Rpc, 'request'>; isFork?: boolean }

/** Called for one block of a network at a time. If it rejects, it gets the same block again. */
export interface ChainListener {
  /** Called once for each mined block, in the order of the chain. */
  mined(node: ReadNode, block: MinedBlock): Promise<void>
  /** Reported blocks are no longer on the chain. Called before their replacements are reported. */
  replaced(node: ReadNode): Promise<void>
}

export interface FollowParts {
  /** Reads bypass the faults, because they are not a client's. */
  nodes: Nodes
  track: BackgroundTasks['run']
  listener: ChainListener
  /** The last block that an earlier process has followed; undefined to begin at the latest. */
  begin(network: NetworkName): Promise<BlockMark | undefined>
  /** Called with the last block that has been followed. */
  reached(network: NetworkName, mark: BlockMark): Promise<void>
  onError(message: string, cause: unknown): void
}

/** Follows the five chains block by block, and notices every reorganisation and reset. */
export interface ChainFollower extends Worker, Stateful<ReadonlyMap<NetworkName, Trail>> {
  /** Checks the chain in a background task. A check that is running already runs once more. */
  look(network: NetworkName): void
}

/** The latest reported blocks, lowest first. */
type Trail = readonly BlockMark[]

/** More than the states that a node retains (`retainedStates`), which limit the blocks that it can take back. */
const rememberedBlocks = 64

/** Limits the work when very many blocks are mined at once: the lowest are skipped. */
const followedBlocks = 10_000

const parallelReads = 16

/** Starts with the first `resume`. */
export function followChains(parts: FollowParts): ChainFollower {
  // Checks belong to no request, not even to the one that caused the block.
  const detached = AsyncLocalStorage.snapshot()
  let trails = new Map<NetworkName, Trail>()
  let interrupt = manyAborted()
  interrupt.abort() // paused until it is resumed
  const looks = new Map<NetworkName, { isStale: boolean; done: Promise<void> }>()

  const run = async (network: NetworkName, state: { isStale: boolean }): Promise<void> => {
    const { signal } = interrupt
    // First let the senders of the mined transactions get their answers.
    await new Promise(setImmediate)
    try {
      do {
        state.isStale = false
        const trail = trails.get(network)
        const keep = (next: Trail): void => void trails.set(network, next)
        const isWhole = await follow(parts, readOnly(parts.nodes.get(network), signal), trail, keep)
        state.isStale ||= !isWhole
      } while (state.isStale && !signal.aborted)
    } catch (cause) {
      if (!signal.aborted) parts.onError(`the blocks of ${network} could not be read`, cause)
    } finally {
      looks.delete(network)
    }
  }
  const look = (network: NetworkName): void => {
    if (interrupt.signal.aborted) return
    const underWay = looks.get(network)
    if (underWay) {
      underWay.isStale = true
      return
    }
    const state = { isStale: false, done: Promise.resolve() }
    looks.set(network, state)
    state.done = detached(() =>
      parts.track(() => run(network, state), `the look at the blocks of ${network}`),
    )
  }
  const subscriptions = parts.nodes.all().map((node) => {
    const onHead = ({ hash }: { hash: Hex }): void => {
      if (trails.get(node.network)?.at(-1)?.hash !== hash) look(node.network)
    }
    return subscribe(node, ['newHeads'], onHead, () => look(node.network))
  })
  return {
    look,
    async pause() {
      for (const subscription of subscriptions) subscription.pause()
      interrupt.abort()
      await Promise.all([...looks.values()].map(({ done }) => done))
    },
    async resume() {
      interrupt = manyAborted()
      await Promise.all(subscriptions.map((subscription) => subscription.resume()))
      // The start does not wait for this.
      for (const { network } of parts.nodes.all()) look(network)
    },
    end() {
      for (const subscription of subscriptions) subscription.end()
    },
    save: () => new Map(trails),
    restore(saved) {
      trails = new Map(saved)
    },
  }
}

/** Requests reject when the follower is to pause. */
function readOnly(node: Node, signal: AbortSignal): ReadNode {
  // Do not mine postponed blocks just to read them.
  const rpc = rpcAsItStands(node)
  return {
    network: node.network,
    isFork: node.fork !== undefined,
    rpc: {
      request: <T>(method: string, params?: readonly unknown[]) =>
        unlessStopped(rpc.request<T>(method, params), signal),
    },
  }
}

/** Reports the changes of a chain since its trail. False when it changed meanwhile and needs another check. */
async function follow(
  { listener, begin, reached }: FollowParts,
  node: ReadNode,
  before: Trail | undefined,
  keep: (trail: Trail) => void,
): Promise<boolean> {
  const latest = await headAt(node, 'latest')
  if (!latest) return true // a chain that a revert to a dead snapshot has broken
  if (before?.at(-1)?.hash === latest.hash) return true
  const known = before ?? (await begunTrail(begin, node.network))
  let trail = known ? await stillThere(node, known, latest) : [markOf(latest)]
  if (known && trail.at(-1)?.hash !== known.at(-1)!.hash) await listener.replaced(node)
  const end = Number(latest.number)
  if (end - trail.at(-1)!.number > followedBlocks)
    trail = [markOf((await headAt(node, end - followedBlocks)) ?? latest)]
  keep(trail)
  for (let next = trail.at(-1)!.number + 1; next <= end; next += parallelReads)
    for (const block of await blocksFrom(node, next, latest)) {
      if (block.parentHash !== trail.at(-1)!.hash && (await hasMoved(node, latest))) return false
      await listener.mined(node, block)
      trail = [...trail, markOf(block)].slice(-rememberedBlocks)
      keep(trail)
    }
  await reached(node.network, trail.at(-1)!)
  return true
}

async function begunTrail(begin: FollowParts['begin'], network: NetworkName) {
  const mark = await begin(network)
  return mark && [mark]
}

/** The next few blocks from this number on. Blocks that were taken back meanwhile are missing. */
async function blocksFrom(node: ReadNode, from: number, latest: Head): Promise<MinedBlock[]> {
  const end = Number(latest.number)
  const blocks = await Promise.all(
    Array.from({ length: Math.min(parallelReads, end - from + 1) }, async (_, i) => {
      const head = from + i === end ? latest : await headAt(node, from + i)
      return head && withTransactions(node, head)
    }),
  )
  return blocks.filter((block) => block !== null)
}

async function hasMoved(node: ReadNode, { hash }: Head): Promise<boolean> {
  return (await headAt(node, 'latest'))?.hash !== hash
}

/** The part of the trail that is still on the chain, or else the present block below it. */
async function stillThere(node: ReadNode, trail: Trail, latest: Head): Promise<Trail> {
  for (let length = trail.length; length > 0; length--) {
    const { number, hash } = trail[length - 1]!
    const above = Number(latest.number) - number
    if (above < 0) continue
    const currentHash = above === 1 ? latest.parentHash : (await headAt(node, number))?.hash
    if (currentHash === hash) return trail.slice(0, length)
  }
  const below = Math.max(0, Math.min(trail[0]!.number - 1, Number(latest.number)))
  return [markOf((await headAt(node, below)) ?? latest)]
}

/** The first read of a block: on a fork with its transactions, otherwise with their hashes. */
type Head = Omit<MinedBlock, 'transactions'> & { transactions: readonly (Hex | MinedTransaction)[] }

async function headAt({ rpc, isFork }: ReadNode, at: number | 'latest'): Promise<Head | null> {
  const read = (isWhole: boolean) =>
    rpc.request<Head | null>('eth_getBlockByNumber', [at === 'latest' ? at : toHex(at), isWhole])
  // A recorded fork has its block only in the form that was recorded.
  return ((isFork ?? false) && (await read(true))) || read(false)
}

async function withTransactions({ rpc, isFork }: ReadNode, head: Head): Promise<MinedBlock> {
  const { hash, transactions } = head
  const known = transactions.filter((sent) => typeof sent === 'object' && sent.hash)
  if (isFork || transactions.length === 0)
    return { ...head, transactions: known as MinedTransaction[] }
  const own = await ownTransactions({ rpc }, head)
  if (own) return { ...head, transactions: own }
  // Null for the last block of a loaded state, and for one that was taken back meanwhile.
  const whole = await rpc.request<MinedBlock | null>('eth_getBlockByHash', [hash, true])
  return { ...head, transactions: whole?.transactions ?? [] }
}

/**
 * The transactions of a block, from their receipts, if all are of the simulator's own accounts; otherwise undefined. Reading the whole
 * block is slow: the node recovers each sender from its signature.
 */
async function ownTransactions(
  { rpc }: Pick<ReadNode, 'rpc'>,
  { hash, transactions }: Head,
): Promise<MinedTransaction[] | undefined> {
  type Sent = Omit<MinedTransaction, 'hash' | 'input'> & { transactionHash: Hex }
  const receipts = await rpc
    .request<Sent[] | null>('eth_getBlockReceipts', [hash])
    .catch((error) => {
      if (error instanceof RpcError) return null
      throw error
    })
  const isOwn = ({ from }: Sent): boolean => Object.values<Address>(actors).includes(from)
  if (receipts?.length !== transactions.length || !receipts.every(isOwn)) return undefined
  return receipts.map(({ transactionHash, from, to }) => ({ hash: transactionHash, from, to }))
}

function markOf({ number, hash }: Pick<MinedBlock, 'number' | 'hash'>): BlockMark {
  return { number: Number(number), hash }
}
