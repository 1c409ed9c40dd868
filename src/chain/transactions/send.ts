import type { Hex } from 'viem'
import { toHex } from 'viem/utils'
import type { NetworkName } from '../../deployments/networks.js'
import { taskQueues, yieldFor } from '../../time/backgroundTasks.js'
import { realWait } from '../../time/clock.js'
import { sharedBlockMethod } from '../rpc/methods.js'
import type { Node, Receipt, SendRequest } from '../rpc/node.js'
import { RpcError, toRpcError, UpstreamError } from '../rpc/rpc.js'
import type { SharedOutcome } from '../rpc/sharedBlock.js'
import { minesAtOnce } from './mining.js'
import { pooledHash, receiptOf, receiptOfPooled, StoppedError, unlessStopped } from './pool.js'

/**
 * Gas limit of a transaction that names none. Estimating would double the cost of every send and fail where a revert is
 * wanted. The heaviest operations of the simulator use a few hundred thousand gas, creating a Uniswap pool 4.6 million.
 */
const defaultGas = 10_000_000n

/**
 * Sends a transaction for an account that the node acts for, and resolves to its receipt once it is mined. With `stop` it is
 * given up and taken out of the pool again when that is aborted.
 *
 * @throws `StoppedError` when it was given up: it is not mined.
 * @throws `ChainRevert` when it was mined but reverted.
 * @throws `RpcError` when the node refuses it, for example because the account cannot pay.
 * @throws `UpstreamError` when a forked node cannot read what it takes; nothing was sent then.
 */
export async function sendAs(
  node: Node,
  request: SendRequest,
  signal?: AbortSignal,
): Promise<Receipt> {
  const receipt = await sendForReceipt(node, request, signal).catch(async (error) => {
    if (error instanceof StoppedError) await withdraw(node, request)
    throw error
  })
  return unlessReverted(node, receipt)
}

/** Rejects with `ChainRevert` when the transaction reverted. */
export async function unlessReverted(node: Node, receipt: Receipt): Promise<Receipt> {
  if (receipt.status === '0x1') return receipt
  throw new ChainRevert(node.network, receipt, await revertDataOf(node, receipt))
}

/** Hears how far a transaction has come. */
interface SendProgress {
  /** Told the hash under which it waits, where the node mines no blocks by itself. */
  parked?(hash: Hex): Promise<void>
  /** Told when the node is about to get it, with how that ends whether anybody waits for it or not. */
  sent?(outcome: Promise<Receipt>): void
}

/**
 * Like `sendAs`, but a reverted transaction resolves too, with `status` `0x0`. Where no blocks are mined, it waits until
 * there are some or until `stop` is aborted; then it rejects, and the transaction may still be mined later.
 */
export function sendForReceipt(
  node: Node,
  request: SendRequest,
  signal?: AbortSignal,
  { parked, sent }: SendProgress = {},
): Promise<Receipt> {
  const { from, to, data, value = 0n, gas = defaultGas, canWait = false, alone = false } = request
  const transaction = { from, to, data, value: toHex(value), gas: toHex(gas) }
  // Unlike eth_sendTransaction, which answers before there is a receipt, Sync answers with the receipt.
  const send = () => node.rpc.request<Receipt>('eth_sendTransactionSync', [transaction])
  const attempt = async () => {
    await readAhead(node, transaction)
    if (signal?.aborted) throw new StoppedError()
    const outcome = orParked(node, request, send(), parked).catch(async (error) => {
      // The node gives up after 30 s, and the transaction stays in its pool.
      const mined = isTimeout(error) ? await receiptOfPooled(node, request, signal) : undefined
      if (mined) return mined
      throw error
    })
    sent?.(outcome)
    return outcome
  }
  // Both: one that waits for its turn ends at once, and one that waits for its block lets the next have its turn.
  const stoppable = <T>(work: Promise<T>) => (signal ? unlessStopped(work, signal) : work)
  const waiting: Waiting = { transaction, canWait, signal, onSent: sent }
  const place = alone ? undefined : waitFor(node, waiting)
  const take = async (): Promise<Receipt> => {
    place?.end()
    if (signal?.aborted) throw new StoppedError()
    const isShared = waiting.sent || (!alone && mayShare(node) && (await sendShared(node, waiting)))
    return isShared ? waiting.sent! : stoppable(attempt())
  }
  return stoppable(inTurn(node, take, { canWait }))
}

/**
 * Has a forked node read what a transaction reads, before it gets it. What it cannot run for want of an answer would neither succeed nor
 * fail: it would stay in the pool, before all that its sender sends later.
 */
async function readAhead({ rpc, fork }: Node, transaction: object): Promise<void> {
  if (!fork) return
  // As it would be in the next block, whose time is another one.
  await rpc.request('eth_call', [transaction, 'pending']).catch((error) => {
    if (error instanceof UpstreamError) throw error
  })
}

/** Removes a call from the pool after its caller has given up. */
async function withdraw(node: Node, request: SendRequest): Promise<void> {
  const hash = await pooledHash(node, request)
  if (hash) await node.rpc.request('anvil_dropTransaction', [hash])
}

/** How soon it is asked again whether the node has what it is being sent. Milliseconds of the machine. */
const arrivesWithinMs = 1

/**
 * Whoever moves the clock does not wait for a transaction that a node takes and does not mine: it may wait for the clock. From the
 * moment in which it may be mined it is waited for again. `parked` is told its hash.
 */
async function orParked<T>(
  node: Node,
  request: SendRequest,
  sending: Promise<T>,
  parked?: (hash: Hex) => Promise<void>,
): Promise<T> {
  const { gate, rpc } = node
  if (!gate) return sending
  let hasEnded = false
  const end = (): void => {
    hasEnded = true
  }
  const ended = sending.then(end, end)
  const ask = <A>(method: string, params: unknown[] = []) =>
    rpc.request<A>(method, params).catch(() => undefined)
  let hash: Hex | undefined
  while (!hasEnded) {
    const stirs = gate.stirs()
    const mines = await minesAtOnce(node).catch(() => undefined)
    if (hasEnded) break
    if (mines !== false) await Promise.race([ended, stirs])
    else {
      if (!hash) {
        hash = await pooledHash(node, request).catch(() => undefined)
        if (hash) await parked?.(hash)
      }
      const isMined = hash && (await ask<object | null>('eth_getTransactionReceipt', [hash]))
      if (isMined) await ended
      else if (hash) await yieldFor(Promise.race([ended, stirs]))
      else await Promise.race([ended, stirs, realWait(arrivesWithinMs, never)])
    }
  }
  return sending
}

const never = new AbortController().signal

/**
 * The data that a mined transaction reverted with; `0x` when it reverted without, for example out of gas.
 * Asks for the trace without steps: the node still has the outcome when the state before it has long been pruned.
 */
export async function revertDataOf(
  node: Pick<Node, 'rpc'>,
  receipt: Pick<Receipt, 'transactionHash'>,
): Promise<Hex> {
  const options = { disableStorage: true, disableMemory: true, disableStack: true }
  const params = [receipt.transactionHash, options]
  const trace = await node.rpc.request<{ returnValue: string }>('debug_traceTransaction', params)
  return `0x${trace.returnValue.replace(/^0x/, '')}`
}

/**
 * One block at a time per node, of one transaction or of those that wait at the same moment, new operations (`canWait`) last. anvil gives parallel sends of one account the same nonce and loses some of them
 * ("replacement transaction underpriced": 2 of 50, tried). In turn they also come in the order of the calls, and one to a block where
 * the clock is frozen, so the same calls give the same blocks.
 */
export const inTurn = taskQueues<Node>()

function isTimeout(error: unknown): boolean {
  return error instanceof RpcError && /confirmation timeout/i.test(error.message)
}

/** A transaction was mined and reverted. `data` is what it reverted with, for the caller to decode. */
export class ChainRevert extends Error {
  readonly network: NetworkName
  readonly transactionHash: Hex
  readonly receipt: Receipt
  readonly data: Hex

  constructor(network: NetworkName, receipt: Receipt, data: Hex) {
    super(`Transaction ${receipt.transactionHash} on ${network} reverted with data ${data}.`)
    this.name = 'ChainRevert'
    this.network = network
    this.transactionHash = receipt.transactionHash
    this.receipt = receipt
    this.data = data
  }
}

/**
 * So many transactions share a block at most. An operation uses up to some 900,000 gas, and a block has 30 million.
 */
const maxInOne = 24

/** A transaction that waits for its turn, and may share its block with others that wait. */
export interface Waiting {
  transaction: object
  /** It lets those go first that cannot wait. */
  canWait: boolean
  signal: AbortSignal | undefined
  onSent: ((outcome: Promise<Receipt>) => void) | undefined
  /** Set when it was sent together with others; how that ended. */
  sent?: Promise<Receipt>
}

const waitingAt = new WeakMap<Node, Set<Waiting>>()

/**
 * Whether transactions may share a block now. Where the clock is frozen each has a block for itself, so that the same calls give the
 * same blocks: who waits at the same moment is chance. On a fork, what the network does not answer would hold up all of them.
 */
function mayShare({ gate, fork }: Node): boolean {
  return gate?.mines === true && !gate.hasStillTime && !fork
}

/** Has a transaction wait until `end` is called; meanwhile others may take it with them. */
function waitFor(node: Node, waiting: Waiting): { end: () => void } {
  const all = waitingAt.get(node) ?? new Set()
  waitingAt.set(node, all.add(waiting))
  return { end: () => void all.delete(waiting) }
}

/** Those that share the block of this one, whose turn it is: in the order in which they came, after those that cannot wait. */
function companyOf(node: Node, first: Waiting): Waiting[] {
  const others = [...(waitingAt.get(node) ?? [])].filter(
    (each) => each !== first && !each.sent && !each.signal?.aborted,
  )
  const inOrder = [
    ...others.filter((each) => !each.canWait),
    ...others.filter((each) => each.canWait),
  ]
  return inOrder.slice(0, maxInOne - 1)
}

/**
 * Sends a transaction whose turn it is with all that wait as well, in one block. Resolves when each has its `sent`; false when nothing
 * was sent, because nobody else waits or the node does not mine now.
 */
async function sendShared(node: Node, first: Waiting): Promise<boolean> {
  const all = [first, ...companyOf(node, first)]
  if (all.length === 1) return false
  const sending = node.rpc.request<SharedOutcome<Receipt>[]>(
    sharedBlockMethod,
    all.map(({ transaction }) => transaction),
  )
  // Nobody else takes them meanwhile. What the node refuses as a whole was not sent, and each is sent in its own turn.
  const outcomes = sending.catch((error: unknown) => {
    if (error instanceof RpcError) return undefined
    throw error
  })
  for (const [i, each] of all.entries()) {
    each.sent = outcomes.then((known) => {
      if (!known) throw new NothingSent()
      return receiptFrom(node, known[i]!, each.signal)
    })
    each.sent.catch(() => {}) // its awaiters get the error
    each.onSent?.(each.sent)
  }
  if ((await outcomes.catch(() => [])) !== undefined) return true
  for (const entry of all) delete entry.sent
  return false
}

/** The node has refused a whole shared block: each of its transactions is sent by itself, if it is still wanted. */
export class NothingSent extends Error {}

async function receiptFrom(
  node: Node,
  outcome: SharedOutcome<Receipt>,
  signal: AbortSignal | undefined,
): Promise<Receipt> {
  if ('error' in outcome) throw toRpcError(outcome.error)
  if (outcome.receipt) return outcome.receipt
  if (signal?.aborted) throw new StoppedError()
  // The block was full: it is mined in the next one.
  await node.rpc.request('evm_mine')
  return receiptOf(node, outcome.hash, signal)
}
