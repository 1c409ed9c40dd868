import pTimeout from 'p-timeout'
import type { Hex } from 'viem'
import { toHex } from 'viem/utils'
import type { NetworkName } from '../../deployments/networks.js'
import { taskQueues, yieldFor } from '../../time/backgroundTasks.js'
import { realWait } from '../../time/clock.js'
import type { Pooled } from '../rpc/gate.js'
import { sharedBlockMethod } from '../rpc/methods.js'
import type { Node, Receipt, SendRequest } from '../rpc/node.js'
import type { NodeLifecycle } from '../rpc/nodeLifecycle.js'
import { rpcAsItStands } from '../rpc/postponedBlocks.js'
import { RpcError, toRpcError, UpstreamError } from '../rpc/rpc.js'
import type { SharedOutcome } from '../rpc/sharedBlock.js'
import { minesAtOnce } from './mining.js'
import { pooledHash, receiptOf, receiptOfPooled, StoppedError, unlessStopped } from './pool.js'

/**
 * The default gas limit. Estimating would double the cost of every send, and fail for wanted reverts. The heaviest operations use a few
 * hundred thousand gas; creating a Uniswap pool uses 4.6 million.
 */
const defaultGas = 10_000_000n

/**
 * Sends a transaction for an account that the node acts for; resolves to its receipt once it is mined.
 *
 * @throws `StoppedError` when `signal` was aborted; the transaction was removed from the pool.
 * @throws `ChainRevert` when it reverted.
 * @throws `NotMinedError` when it has left the pool of a network that mines no blocks by itself.
 * @throws `RpcError` when the node refuses it, for example because the account cannot pay.
 * @throws `UpstreamError` when a forked node cannot read the state that it needs; nothing was sent.
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

interface SendProgress {
  /** Called with the hash of the waiting transaction if the node mines no blocks by itself. */
  parked?(hash: Hex): Promise<void>
  /** Called just before the node gets the transaction, with its outcome, which an abort does not change. */
  sent?(outcome: Promise<Receipt>): void
}

/** Like `sendAs`, but resolves for a reverted transaction too (`status` `0x0`), and after an abort the transaction may still be mined. */
export function sendForReceipt(
  node: Node,
  request: SendRequest,
  signal?: AbortSignal,
  { parked, sent }: SendProgress = {},
): Promise<Receipt> {
  const { from, to, data, value = 0n, gas = defaultGas, canWait = false, alone = false } = request
  const transaction = { from, to, data, value: toHex(value), gas: toHex(gas) }
  // Unlike eth_sendTransaction, which answers before there is a receipt, Sync answers with the receipt.
  const send = () =>
    underWay(node, request, node.rpc.request<Receipt>('eth_sendTransactionSync', [transaction]))
  const attempt = async () => {
    await readAhead(node, transaction)
    if (signal?.aborted) throw new StoppedError()
    let pooled: Hex | undefined
    const noteParked = async (hash: Hex): Promise<void> => {
      pooled = hash
      await parked?.(hash)
    }
    const outcome = orParked(node, request, send(), noteParked).catch(async (error) => {
      if (!isTimeout(error)) throw error
      // The node gives up after 30 s, and the transaction stays in its pool, unless somebody drops it.
      const mined = await receiptOfPooled(node, request, signal)
      if (mined) return mined
      if (pooled) return receiptOf(node, pooled, signal)
      throw error
    })
    sent?.(outcome)
    return outcome
  }
  // Used twice: an abort ends the wait for the turn, and gives up the turn while waiting for the block.
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

/** Transactions without an answer, by the request that sent them. By lifecycle, which all views of one node share. */
const unanswered = new WeakMap<NodeLifecycle, Map<object, Promise<unknown>>>()

function underWay<T>({ lifecycle }: Node, asked: object, sending: Promise<T>): Promise<T> {
  const all = unanswered.get(lifecycle) ?? new Map<object, Promise<unknown>>()
  unanswered.set(lifecycle, all)
  const end = (): void => void (all.get(asked) === ended && all.delete(asked))
  const ended = sending.then(end, end)
  all.set(asked, ended)
  return sending
}

/** Removes all transactions from the pool, and stops waiting for their answers. */
export async function dropAllPooled({ rpc, lifecycle }: Node): Promise<void> {
  await rpc.request('anvil_dropAllTransactions')
  unanswered.delete(lifecycle)
}

/** Removes a waiting transaction from the pool, and stops waiting for the answer, which comes only half a minute later. */
export async function dropPooled(node: Node, request: SendRequest, hash: Hex): Promise<void> {
  await node.rpc.request('anvil_dropTransaction', [hash])
  unanswered.get(node.lifecycle)?.delete(request)
}

/** How long a node may take to answer what was sent to it, and then to mine what it has in its pool. Milliseconds of the machine. */
const [answersWithinMs, minesWithinMs] = [10_000, 1_000]

/**
 * Resolves when a node that mines at once has mined everything that the service has sent, even for senders that no longer wait, and
 * what clients have sent before. Resolves at once for other nodes. A transaction that cannot be mined, because one with an earlier nonce is
 * missing, delays this by ten seconds at most.
 */
export async function untilAllMined(node: Node): Promise<void> {
  if (!(await minesAtOnce(node))) return
  const answered = Promise.all(unanswered.get(node.lifecycle)?.values() ?? [])
  await pTimeout(answered, { milliseconds: answersWithinMs, fallback() {} })
  const rpc = rpcAsItStands(node)
  const until = performance.now() + minesWithinMs
  while (node.gate?.isUnsettled && performance.now() < until) {
    const { pending } = await rpc.request<Pooled>('txpool_status')
    if (BigInt(pending) === 0n) return
    await realWait(arrivesWithinMs, never)
  }
}

/**
 * Makes a forked node fetch the state that a transaction reads, before sending it. A transaction whose state cannot be fetched would stay
 * in the pool and block later ones of its sender.
 */
async function readAhead({ rpc, fork }: Node, transaction: object): Promise<void> {
  if (!fork) return
  // `pending`, because the time of the next block may matter.
  await rpc.request('eth_call', [transaction, 'pending']).catch((error) => {
    if (error instanceof UpstreamError) throw error
  })
}

async function withdraw(node: Node, request: SendRequest): Promise<void> {
  const hash = await pooledHash(node, request)
  if (hash) await dropPooled(node, request, hash)
}

/** How often to check whether a sent transaction has reached the pool. Milliseconds of the machine. */
const arrivesWithinMs = 1

/**
 * Yields while the transaction is in the pool of a node that does not mine, so that the clock can move: the transaction may wait for it.
 * Counts as busy again as soon as the transaction may be mined.
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
 * The data that a mined transaction reverted with; `0x` for none, for example out of gas. Reads a trace without steps, which the node can
 * answer even when it has pruned the state.
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
 * One block at a time per node, with one transaction or with all that wait (`sendShared`). anvil gives parallel sends of one account the
 * same nonce and loses some of them ("replacement transaction underpriced": 2 of 50, measured). A queue also keeps the order of the calls.
 */
export const inTurn = taskQueues<Node>()

function isTimeout(error: unknown): boolean {
  return error instanceof RpcError && /confirmation timeout/i.test(error.message)
}

/** A transaction was mined and reverted. */
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

/** The most transactions of a shared block. An operation uses up to 900,000 gas, and a block has 30 million. */
const maxInOne = 24

/** A transaction that waits for its turn, or for another one to take it into its block. */
export interface Waiting {
  transaction: object
  canWait: boolean
  signal: AbortSignal | undefined
  onSent: ((outcome: Promise<Receipt>) => void) | undefined
  /** Its outcome, once it was sent in a shared block. */
  sent?: Promise<Receipt>
}

const waitingAt = new WeakMap<Node, Set<Waiting>>()

/**
 * Whether transactions may share a block now. Not on a frozen clock, where the same calls must give the same blocks; not on a fork, where
 * one transaction that waits for its upstream would hold up the others.
 */
function mayShare({ gate, fork }: Node): boolean {
  return gate?.mines === true && !gate.hasStillTime && !fork
}

/** Offers a transaction to shared blocks until `end` is called. */
function waitFor(node: Node, waiting: Waiting): { end: () => void } {
  const all = waitingAt.get(node) ?? new Set()
  waitingAt.set(node, all.add(waiting))
  return { end: () => void all.delete(waiting) }
}

/** The transactions to share a block with: those that cannot wait first, each group in the order of arrival. */
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
 * Sends a transaction and all waiting ones in one block. Resolves to true when each has its `sent`; to false when nothing was sent,
 * because none waits or the node does not mine now.
 */
async function sendShared(node: Node, first: Waiting): Promise<boolean> {
  const all = [first, ...companyOf(node, first)]
  if (all.length === 1) return false
  const transactions = all.map(({ transaction }) => transaction)
  const sending = underWay(
    node,
    first,
    node.rpc.request<SharedOutcome<Receipt>[]>(sharedBlockMethod, transactions),
  )
  // Set `sent` at once, so that no other block takes them. If the node refuses the block, each is sent in its own turn.
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

/** The node refused the shared block, so the transaction was not sent. */
export class NothingSent extends Error {}

async function receiptFrom(
  node: Node,
  outcome: SharedOutcome<Receipt>,
  signal: AbortSignal | undefined,
): Promise<Receipt> {
  if ('error' in outcome) throw toRpcError(outcome.error)
  if (outcome.receipt) return outcome.receipt
  if (signal?.aborted) throw new StoppedError()
  // The block was full, so mine another one.
  await node.rpc.request('evm_mine')
  return receiptOf(node, outcome.hash, signal)
}
