import type { Hex } from 'viem'
import { serialQueues } from '../../lib/serialQueues.js'
import { type AskNode, parseAnswer, RpcError } from '../rpc/rpc.js'

/** So long after the last question a node drops a filter. Milliseconds of the machine. */
const keptMs = 5 * 60_000

/** A log as a node lists it. */
interface ListedLog {
  blockHash: Hex
}

interface LogFilter {
  query: object
  /** Blocks of which the node has told the filter's logs, and the client not yet. */
  blocks: Set<Hex>
  /** When the client asked last, in milliseconds of the machine. */
  asked: number
}

/** A request about a filter. */
interface FilterRequest {
  method: string
  params?: unknown
}

const aboutFilters = /^eth_(newFilter|getFilterChanges|getFilterLogs|uninstallFilter)$/

/** Whether a request is about filters. */
export function isAboutFilters(method: string): boolean {
  return aboutFilters.test(method)
}

/** Asks for the logs of a query. None of a block that was taken back. */
type AskLogs = (query: object) => Promise<ListedLog[]>

const logsFrom =
  (ask: AskNode): AskLogs =>
  async (query) => {
    try {
      return await ask('eth_getLogs', query)
    } catch (error) {
      if (error instanceof RpcError) return []
      throw error
    }
  }

/**
 * The filters of logs (`eth_newFilter`) that a node keeps for clients. A node (anvil 1.7.1) notes the blocks that its clients have not asked
 * about yet, and looks up their logs when they ask: it leaves out the blocks that it has forgotten by then. So they are read in time, and
 * their logs are taken from the archive when the client asks.
 */
export class LogFilters {
  private readonly filters = new Map<string, LogFilter>()
  private readonly inTurn = serialQueues<string>()

  /**
   * Answers a request.
   *
   * @param send Sends it on.
   * @param ask Asks the node, or the archive.
   */
  async answer(
    { method, params }: FilterRequest,
    send: () => Promise<string>,
    ask: AskNode,
  ): Promise<string> {
    if (!isAboutFilters(method)) return send()
    const [first] = Array.isArray(params) ? (params as unknown[]) : []
    if (method === 'eth_newFilter') return this.make(first, await send(), logsFrom(ask))
    const id = String(first)
    const filter = this.filters.get(id)
    if (!filter) return send()
    if (method === 'eth_uninstallFilter') this.filters.delete(id)
    if (method === 'eth_getFilterLogs') return logsOf(filter, await send(), logsFrom(ask))
    if (method !== 'eth_getFilterChanges') return send()
    return this.inTurn(id, async () => {
      filter.asked = performance.now()
      return changesOf(filter, await send(), logsFrom(ask))
    })
  }

  /** Reads what is new to each filter, before the node forgets it. */
  async read(ask: AskNode): Promise<void> {
    for (const [id, filter] of this.filters)
      await this.inTurn(id, () => this.readOne(id, filter, ask)).catch((error: unknown) => {
        if (!(error instanceof RpcError)) throw error
        // The node does not have it any more.
        this.filters.delete(id)
      })
  }

  private async readOne(id: string, { blocks, asked }: LogFilter, ask: AskNode): Promise<void> {
    if (!this.filters.has(id)) return
    if (performance.now() - asked > keptMs) {
      this.filters.delete(id)
      // For the node, reading is asking.
      await ask('eth_uninstallFilter', id)
      return
    }
    const logs = await ask<ListedLog[]>('eth_getFilterChanges', id)
    for (const { blockHash } of logs) blocks.add(blockHash)
  }

  private async make(query: unknown, text: string, ask: AskLogs): Promise<string> {
    const { result: id } = parseAnswer(text)
    if (typeof id !== 'string' || typeof query !== 'object' || query === null) return text
    // The first changes are the logs so far, if it says where they begin.
    const { fromBlock } = query as { fromBlock?: unknown }
    const logs = fromBlock == null ? [] : await ask(query)
    const blocks = new Set(logs.map(({ blockHash }) => blockHash))
    this.filters.set(id, { query, blocks, asked: performance.now() })
    return text
  }
}

async function logsOf({ query }: LogFilter, text: string, ask: AskLogs): Promise<string> {
  return Array.isArray(parseAnswer(text).result) ? withResult(text, await ask(query)) : text
}

async function changesOf(filter: LogFilter, text: string, ask: AskLogs): Promise<string> {
  const { result } = parseAnswer(text)
  if (!Array.isArray(result) || filter.blocks.size === 0) return text
  const { address, topics } = filter.query as { address?: unknown; topics?: unknown }
  const told = new Set((result as ListedLog[]).map(({ blockHash }) => blockHash))
  const earlier: ListedLog[] = []
  for (const blockHash of filter.blocks)
    if (!told.has(blockHash)) earlier.push(...(await ask({ address, topics, blockHash })))
  filter.blocks.clear()
  return withResult(text, [...earlier, ...(result as unknown[])])
}

function withResult(text: string, result: unknown): string {
  return JSON.stringify({ ...(JSON.parse(text) as object), result })
}
