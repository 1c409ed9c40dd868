import type { Address, Hex } from 'viem'
import { toHex } from 'viem/utils'
import { yieldFor } from '../../time/backgroundTasks.js'
import { realWait } from '../../time/clock.js'
import type { Log, Node, Receipt } from '../rpc/node.js'

interface PooledCall {
  from: Address
  to?: Address
  data?: Hex
}

interface PooledTransaction {
  hash: Hex
  to: Address | null
  input: Hex
}

type PoolContent = Record<'pending' | 'queued', Record<Address, Record<string, PooledTransaction>>>

/** How often to ask for a waiting transaction or a missing receipt. Milliseconds of the machine. */
const askEveryMs = 25

/** The hash of such a call in the pool, with any nonce; undefined when there is none. */
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

/** The receipt of such a call in the pool, once it is mined; undefined when there is none. */
export async function receiptOfPooled(
  node: Node,
  call: PooledCall,
  signal?: AbortSignal,
): Promise<Receipt | undefined> {
  const hash = await pooledHash(node, call)
  return hash && receiptOf(node, hash, signal)
}

/**
 * The receipt of an accepted transaction, once it is mined.
 *
 * @throws `NotMinedError` when it has left the pool without being mined, `StoppedError` when the signal is aborted.
 */
export async function receiptOf(node: Node, hash: Hex, signal?: AbortSignal): Promise<Receipt> {
  const never = signal ?? new AbortController().signal
  let wasMissing = false
  for (;;) {
    const stirs = node.gate?.stirs()
    // In this order: a transaction that is mined in between has left the pool, and has a receipt in the next round.
    const waits = await node.rpc.request<object | null>('eth_getTransactionByHash', [hash])
    const receipt = await node.rpc.request<Receipt | null>('eth_getTransactionReceipt', [hash])
    if (receipt) return receipt
    // A mined transaction leaves the pool a moment before its receipt is available.
    if (!waits && wasMissing) throw new NotMinedError(hash)
    wasMissing = !waits
    // Yield until it may be mined, because it may itself wait for the clock to move.
    const nextLook = realWait(askEveryMs, never)
    if (!(await yieldFor(stirs ? Promise.race([nextLook, stirs.then(() => true)]) : nextLook)))
      throw new StoppedError()
  }
}

/** Rejects with `StoppedError` when aborted before the work is done; the work itself continues. */
export function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new StoppedError())
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** A node accepted the transaction, but it left the pool without being mined. */
export class NotMinedError extends Error {
  constructor(hash: Hex) {
    super(`the transaction ${hash} left the pool without being mined; nothing has moved`)
    this.name = 'NotMinedError'
  }
}

/** The wait for a transaction was aborted; it may still be mined. */
export class StoppedError extends Error {
  constructor() {
    super('stopped before the transaction was mined')
    this.name = 'StoppedError'
  }
}

/** How many blocks are searched for a log: its transaction, if any, was sent recently. On a fork, upstream blocks are not searched. */
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
  // A log is available a moment before its receipt; one that was taken back meanwhile has neither.
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
