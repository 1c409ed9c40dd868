import type { Address, Hex } from 'viem'
import { toHex } from 'viem/utils'
import { yieldFor } from '../../time/backgroundTasks.js'
import { realWait } from '../../time/clock.js'
import type { Log, Node, Receipt } from '../rpc/node.js'

/** A call as it waits in a pool, with any nonce. */
interface PooledCall {
  from: Address
  to?: Address
  data?: Hex
}

/** A transaction as the pool lists it. */
interface PooledTransaction {
  hash: Hex
  to: Address | null
  input: Hex
}

type PoolContent = Record<'pending' | 'queued', Record<Address, Record<string, PooledTransaction>>>

/** How often a node is asked for a transaction that waits, or for a receipt that is not known yet. Milliseconds of the machine. */
const askEveryMs = 25

/** The hash under which such a call waits in the node's pool; undefined when none does. */
export async function pooledHash(node: Node, call: PooledCall): Promise<Hex | undefined> {
  const content = await node.rpc.request<PoolContent>('txpool_content')
  const own = [content.pending, content.queued].flatMap((part) =>
    Object.entries(part)
      .filter(([sender]) => sender.toLowerCase() === call.from.toLowerCase())
      .flatMap(([, transactions]) => Object.values(transactions)),
  )
  const pooled = own.find(
    ({ to, input }) =>
      to?.toLowerCase() === call.to?.toLowerCase() && input === (call.data ?? '0x'),
  )
  return pooled?.hash
}

/** The receipt of such a call that waits in the node's pool, once it is mined; undefined when none waits there. */
export async function receiptOfPooled(
  node: Node,
  call: PooledCall,
  signal?: AbortSignal,
): Promise<Receipt | undefined> {
  const hash = await pooledHash(node, call)
  return hash && receiptOf(node, hash, signal)
}

/**
 * The receipt of a transaction that was accepted, once it is mined.
 *
 * @throws `NotMinedError` when it has left the pool without, `StoppedError` when told to stop.
 */
export async function receiptOf(node: Node, hash: Hex, signal?: AbortSignal): Promise<Receipt> {
  const never = signal ?? new AbortController().signal
  let wasMissing = false
  for (;;) {
    const stirs = node.gate?.stirs()
    // In this order: what is mined in between has left the pool, and has a receipt at the second look.
    const waits = await node.rpc.request<object | null>('eth_getTransactionByHash', [hash])
    const receipt = await node.rpc.request<Receipt | null>('eth_getTransactionReceipt', [hash])
    if (receipt) return receipt
    // A block takes a transaction out of the pool a moment before its receipt can be had.
    if (!waits && wasMissing) throw new NotMinedError(hash)
    wasMissing = !waits
    // Nobody who moves the clock waits for it, until it may be mined: it may wait for the clock itself.
    const nextLook = realWait(askEveryMs, never)
    if (!(await yieldFor(stirs ? Promise.race([nextLook, stirs.then(() => true)]) : nextLook)))
      throw new StoppedError()
  }
}

/** Rejects with `StoppedError` when told to stop before the work is done; the work itself goes on. */
export function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new StoppedError())
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** A transaction was accepted by a node, and left its pool without being mined. Nothing has moved. */
export class NotMinedError extends Error {
  constructor(hash: Hex) {
    super(`the transaction ${hash} left the pool without being mined; nothing has moved`)
    this.name = 'NotMinedError'
  }
}

/** The wait for a transaction was given up on request; what becomes of it is to be looked up. */
export class StoppedError extends Error {
  constructor() {
    super('stopped before the transaction was mined')
    this.name = 'StoppedError'
  }
}

/**
 * How far back a log is looked for. Who looks is about to send the transaction (again) that it would come from, so it is
 * among the latest blocks, and on a fork among its own: its upstream has none of ours.
 */
const searchedBlocks = 1_000

const { signal: never } = new AbortController()

/** The receipt of the first recent transaction for which one of these logs of the contract `fits`; undefined when there is none. */
export async function receiptOfLog(
  { rpc, fork }: Node,
  address: Address,
  topics: readonly (Hex | readonly Hex[] | null)[],
  fits: (log: Log) => boolean = () => true,
): Promise<Receipt | undefined> {
  const latest = Number(await rpc.request<Hex>('eth_blockNumber'))
  const first = fork ? fork.block + 1 : 0
  if (latest < first) return undefined
  const fromBlock = toHex(Math.max(first, latest - searchedBlocks))
  const filter = { address, topics, fromBlock, toBlock: 'latest' }
  // A log is there a moment before its receipt can be had; what was taken back meanwhile has neither.
  for (;;) {
    const logs = await rpc.request<(Log & { transactionHash: Hex })[]>('eth_getLogs', [filter])
    const log = logs.find(fits)
    if (!log) return undefined
    const { transactionHash: hash } = log
    const receipt = await rpc.request<Receipt | null>('eth_getTransactionReceipt', [hash])
    if (receipt) return receipt
    await realWait(askEveryMs, never)
  }
}
