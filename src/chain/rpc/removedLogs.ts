import type { Address, Hex } from 'viem'
import { toHex } from 'viem/utils'
import { takesBack } from './methods.js'
import type { NodeAnswer } from './nodeSocket.js'
import { askOver, type ChainStep, firstParam, type NodeRequest, type PassOn } from './pipeline.js'
import type { AskNode } from './rpc.js'

/** A log as a node lists it. */
interface ListedLog {
  address: Address
  topics: Hex[]
  blockHash: Hex
  blockNumber: Hex
}

/** A filter of logs, as `eth_newFilter` and `eth_subscribe` take it. */
export interface LogQuery {
  address?: Address | readonly Address[] | null
  topics?: readonly (Hex | readonly Hex[] | null)[] | null
}

/** Is called around a reorganisation. */
export interface RemovalListener {
  /** Blocks are about to be replaced: hold back what the node reports until `after`. */
  before(): void
  /** The logs of the replaced blocks; none if no block was replaced. */
  after(removed: readonly ListedLog[]): void
}

/**
 * Reports the logs of replaced blocks once more, with `removed: true`, to every subscription and filter that got them, before the logs of the
 * new blocks. geth does so, anvil 1.7.1 does not.
 */
export interface RemovedLogs {
  /** Answers `eth_getFilterChanges`, and notices what takes blocks back. A restore or a reset of the service is no reorganisation. */
  around: ChainStep
  /** Returns how to hear of them no more. */
  watch(listener: RemovalListener): () => void
  /** The node has a new process: its filters are gone. */
  renew(): void
}

/** A filter of a client. */
interface LogFilter {
  query: LogQuery
  /** Removed logs to report before the node's next ones. */
  waiting: ListedLog[]
}

/** Deeper ones are not looked for: a node takes back far fewer. */
const searchedBlocks = 1_000

/** @param forkBlock The block at which the chain is forked; 0 without a fork. */
export function createRemovedLogs(forkBlock: number): RemovedLogs {
  const filters = new Map<string, LogFilter>()
  const listeners = new Set<RemovalListener>()

  const answerFilter = async (request: NodeRequest, next: PassOn): Promise<NodeAnswer> => {
    const first = firstParam(request)
    const { name } = request.about
    const filter = filters.get(String(first))
    if (name === 'eth_uninstallFilter') filters.delete(String(first))
    const answer = await next(request)
    if (name === 'eth_newFilter' && typeof answer.result === 'string')
      filters.set(answer.result, { query: (first ?? {}) as LogQuery, waiting: [] })
    if (name !== 'eth_getFilterChanges' || !filter) return answer
    if (!Array.isArray(answer.result)) filters.delete(String(first)) // the node does not have it any more
    if (!Array.isArray(answer.result) || filter.waiting.length === 0) return answer
    return { result: [...filter.waiting.splice(0), ...answer.result] }
  }

  /** What the node has for each filter comes before what is taken back now. */
  const readFilters = async (ask: AskNode): Promise<void> => {
    for (const [id, { waiting }] of filters)
      await ask<ListedLog[]>('eth_getFilterChanges', id).then(
        (logs) => waiting.push(...logs),
        () => filters.delete(id),
      )
  }

  const takingBack = async (request: NodeRequest, next: PassOn): Promise<NodeAnswer> => {
    const ask = askOver(request, next)
    for (const listener of listeners) listener.before()
    let removed: ListedLog[] = []
    try {
      await readFilters(ask)
      const there = await recentLogs(ask, forkBlock)
      const answer = await next(request)
      removed = await goneOf(ask, there)
      for (const { query, waiting } of filters.values())
        waiting.push(...removed.filter((log) => fits(log, query)))
      return answer
    } finally {
      for (const listener of listeners) listener.after(removed)
    }
  }

  return {
    around(request, next) {
      const { about, by } = request
      const isRestore = by === 'service' && about.turn === 'revert'
      if (takesBack(about) && !isRestore && filters.size + listeners.size > 0)
        return takingBack(request, next)
      const isOfFilter = by === 'client' && about.id?.endsWith('filter')
      return isOfFilter ? answerFilter(request, next) : next(request)
    },
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    renew: () => filters.clear(),
  }
}

/** Whether a log is one that the query asks for. Addresses and topics may be in capitals. */
export function fits(log: ListedLog, { address, topics }: LogQuery): boolean {
  const isOneOf = (value: Hex | undefined, wanted: Hex | readonly Hex[]): boolean =>
    [wanted].flat().some((one) => one.toLowerCase() === value?.toLowerCase())
  if (address && !(Array.isArray(address) && address.length === 0))
    if (!isOneOf(log.address, address as Hex | Hex[])) return false
  return (topics ?? []).every(
    (wanted, at) => wanted === null || wanted.length === 0 || isOneOf(log.topics[at], wanted),
  )
}

/** The logs of the latest blocks, which may be taken back. */
async function recentLogs(ask: AskNode, forkBlock: number): Promise<ListedLog[]> {
  const head = Number(await ask<Hex>('eth_blockNumber'))
  const first = Math.max(forkBlock + 1, head - searchedBlocks)
  if (first > head) return []
  return ask<ListedLog[]>('eth_getLogs', { fromBlock: toHex(first), toBlock: toHex(head) })
}

/** Those whose block is on the chain no more, in their order. */
async function goneOf(ask: AskNode, logs: readonly ListedLog[]): Promise<ListedLog[]> {
  let first = logs.length
  let checked: Hex | undefined
  while (first > 0) {
    const { blockHash, blockNumber } = logs[first - 1]!
    if (blockHash !== checked) {
      const there = await ask<{ hash: Hex } | null>('eth_getBlockByNumber', blockNumber, false)
      if (there?.hash === blockHash) break
      checked = blockHash
    }
    first--
  }
  return logs.slice(first).map((log) => ({ ...log, removed: true }))
}
