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

/** A transaction as its block lists it; quantities in hex. */
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

/** A block by its place in the chain. JSON-safe. */
export interface BlockMark {
  number: number
  hash: Hex
}

/** A node to read from: what it is asked rejects with `StoppedError` when the follower is paused. */
export type ReadNode = Pick<Node, 'network'> & { rpc: Pick<Rpc, 'request'>; isFork?: boolean }

/** Listeners to blocks, called for one block of a network at a time. A listener that rejects gets the same block again. */
export interface ChainListener {
  /** A block was mined: each once, in the order of the chain. */
  mined(node: ReadNode, block: MinedBlock): Promise<void>
  /** Blocks that were told of are not on the chain any more. Comes before those that have taken their place. */
  replaced(node: ReadNode): Promise<void>
}

/** The dependencies of a follower. */
export interface FollowParts {
  /** Reads bypass the faults: following the chain is not a client's request. */
  nodes: Nodes
  /** Runs a look as a background task. */
  track: BackgroundTasks['run']
  listener: ChainListener
  /** Up to where the chain has been followed by the process before; from the present when there was none. */
  begin(network: NetworkName): Promise<BlockMark | undefined>
  /** Hears how far the chain has been followed. */
  reached(network: NetworkName, mark: BlockMark): Promise<void>
  onError(message: string, cause: unknown): void
}

/** Follows the five chains block by block, and notices every reorganisation and reset. */
export interface ChainFollower extends Worker, Stateful<ReadonlyMap<NetworkName, Trail>> {
  /** Checks, as a background task, what has become of this chain. When a check is running already, that one checks once more. */
  look(network: NetworkName): void
}

/** The latest blocks that were told of, lowest first. */
type Trail = readonly BlockMark[]

/** A node takes back no more blocks than it keeps states of (`keptStates`), so more need not be remembered. */
const rememberedBlocks = 64

/** Who mines more blocks than these at once loses what is in the lowest: it bounds the work. */
const followedBlocks = 10_000

/** So many blocks are asked for side by side. */
const askedAtOnce = 16

/** Makes the follower; `resume` starts it. */
export function followChains(parts: FollowParts): ChainFollower {
  // Looking at blocks belongs to no request, whichever one caused the block.
  const detached = AsyncLocalStorage.snapshot()
  let trails = new Map<NetworkName, Trail>()
  let interrupt = manyAborted()
  interrupt.abort() // paused until it is resumed
  const looks = new Map<NetworkName, { isStale: boolean; done: Promise<void> }>()

  const run = async (network: NetworkName, state: { isStale: boolean }): Promise<void> => {
    const { signal } = interrupt
    // Those who sent the mined transactions are answered first.
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

/** Every answer is waited for only until the follower is to pause. */
function readOnly(node: Node, signal: AbortSignal): ReadNode {
  // Blocks that are still to be mined are no news yet.
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

/** Reports what a chain has become since its trail. False when it changed meanwhile, and has to be looked at again. */
async function follow(
  { listener, begin, reached }: FollowParts,
  node: ReadNode,
  before: Trail | undefined,
  keep: (trail: Trail) => void,
): Promise<boolean> {
  const latest = await headAt(node, 'latest')
  if (!latest) return true // Of a chain that was broken by reverting to a dead snapshot there is nothing to tell.
  if (before?.at(-1)?.hash === latest.hash) return true
  const known = before ?? (await begunTrail(begin, node.network))
  let trail = known ? await stillThere(node, known, latest) : [markOf(latest)]
  if (known && trail.at(-1)?.hash !== known.at(-1)!.hash) await listener.replaced(node)
  const end = Number(latest.number)
  if (end - trail.at(-1)!.number > followedBlocks)
    trail = [markOf((await headAt(node, end - followedBlocks)) ?? latest)]
  keep(trail)
  for (let next = trail.at(-1)!.number + 1; next <= end; next += askedAtOnce)
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

/** A few blocks from this number on, up to the latest. Those that are gone meanwhile are missing. */
async function blocksFrom(node: ReadNode, from: number, latest: Head): Promise<MinedBlock[]> {
  const end = Number(latest.number)
  const blocks = await Promise.all(
    Array.from({ length: Math.min(askedAtOnce, end - from + 1) }, async (_, i) => {
      const head = from + i === end ? latest : await headAt(node, from + i)
      return head && withTransactions(node, head)
    }),
  )
  return blocks.filter((block) => block !== null)
}

async function hasMoved(node: ReadNode, { hash }: Head): Promise<boolean> {
  return (await headAt(node, 'latest'))?.hash !== hash
}

/** The part of a trail that is on the chain. When none is, the block that stands below it now. */
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

/** A block as it is first read: of a fork with its transactions, else with their hashes. */
type Head = Omit<MinedBlock, 'transactions'> & { transactions: readonly (Hex | MinedTransaction)[] }

async function headAt({ rpc, isFork }: ReadNode, at: number | 'latest'): Promise<Head | null> {
  const read = (isWhole: boolean) =>
    rpc.request<Head | null>('eth_getBlockByNumber', [at === 'latest' ? at : toHex(at), isWhole])
  // The block of the fork can be asked for in no other way than when it was recorded.
  return ((isFork ?? false) && (await read(true))) || read(false)
}

async function withTransactions({ rpc, isFork }: ReadNode, head: Head): Promise<MinedBlock> {
  const { hash, transactions } = head
  const known = transactions.filter((sent) => typeof sent === 'object' && sent.hash)
  if (isFork || transactions.length === 0)
    return { ...head, transactions: known as MinedTransaction[] }
  const own = await ownTransactions({ rpc }, head)
  if (own) return { ...head, transactions: own }
  // A loaded state knows the hash of its last block, and not what was in it; nor is that known of one that was taken back meanwhile.
  const whole = await rpc.request<MinedBlock | null>('eth_getBlockByHash', [hash, true])
  return { ...head, transactions: whole?.transactions ?? [] }
}

/**
 * The transactions of a block that has those of the simulator's own accounts alone, by their receipts: for a whole block the node works
 * out each sender from its signature, which takes as long as signing. Undefined for any other block.
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
