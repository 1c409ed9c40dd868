import type { Hex } from 'viem'
import type { RpcAnswers, RpcCall } from '../chain/proxy/proxy.js'
import { type RpcRequest, wireAnswer } from '../chain/proxy/rpcMessage.js'
import { isRead, methodEffect, methodOf } from '../chain/rpc/methods.js'
import type { Nodes, Receipt } from '../chain/rpc/node.js'
import type { NodeAnswer } from '../chain/rpc/nodeSocket.js'
import { quantityOf } from '../chain/rpc/rpcValues.js'
import type { AddressBook, NetworkBook } from '../deployments/addressBook.js'
import type { NetworkName } from '../deployments/networks.js'
import { requestIdHeader } from '../http/core/headers.js'
import { type HttpLog, safely } from '../http/core/log.js'
import type { Ids } from '../lib/ids.js'
import type { Journal } from '../observe/journal/journal.js'
import {
  type LedgerTransaction,
  type SentValue,
  type Touch,
  touchesOf,
} from '../service/context/changes.js'
import type { Ledger } from '../service/context/ledger.js'
import { currentScope, inScope, type RequestScope } from '../service/context/requestContext.js'

interface WriteParts {
  nodes: Nodes
  book: AddressBook
  ids: Pick<Ids, 'request'>
  ledger: Pick<Ledger, 'add'>
  journal: Journal
  log: HttpLog
  /** Snapshot methods, which restore the whole world: they are recorded here, and in the ledger elsewhere. */
  isWorlds(method: string): boolean
}

/**
 * Records what clients change over JSON-RPC. The writes of a message are one exchange in the journal, and each successful one is in the
 * ledger before the client gets the response.
 */
export function recordedWrites(parts: WriteParts) {
  const isWrite = (method: string): boolean => parts.isWorlds(method) || !isRead(method)
  return async (call: RpcCall, proceed: () => Promise<RpcAnswers>): Promise<RpcAnswers> => {
    const { network, isBatch } = call
    const isOurs = call.requests.map(({ method }) => isWrite(method))
    if (!isOurs.includes(true)) return proceed()
    const requestId = currentScope()?.requestId ?? parts.ids.request()
    const ours = <T>(all: readonly T[]): T[] => all.filter((_, place) => isOurs[place])
    const requests = ours(call.requests)
    const shape = (all: readonly string[]): string => (isBatch ? `[${all.join(',')}]` : all[0]!)
    const recording = safely(parts.log, () =>
      parts.journal.begin({ requestId, method: 'POST', url: `/rpc/${network}`, headers: {} }),
    )
    const answered = (status: number, body: string, cut = false): void => {
      const headers = { [requestIdHeader]: requestId }
      const sent = requests.map((request) => JSON.stringify({ jsonrpc: '2.0', ...request }))
      recording?.sent(shape(sent))
      recording?.answered({ status, headers, text: body, bytes: body.length, cut })
    }
    try {
      const all = await proceed()
      const answers = ours(all)
      const scope: RequestScope = {
        requestId,
        note: (note) => void safely(parts.log, () => recording?.note(note)),
        cut() {},
      }
      await inScope(scope, () => writeAll(parts, network, requests, answers))
      const texts = answers.map((answer, place) => wireAnswer(requests[place]!.id ?? null, answer))
      safely(parts.log, () => answered(200, shape(texts)))
      return all
    } catch (error) {
      safely(parts.log, () => answered(502, String(error)))
      throw error
    }
  }
}

async function writeAll(
  parts: WriteParts,
  network: NetworkName,
  requests: readonly RpcRequest[],
  answers: RpcAnswers,
): Promise<void> {
  const writes = await Promise.all(
    requests.map((request, place) => whatIn(parts, network, request, answers[place])),
  )
  for (const write of writes)
    if (write) {
      const { method, sender, touched, transaction } = write
      const who = { method, ...(sender && { sender }) }
      currentScope()?.note({
        type: 'rpc',
        network,
        ...who,
        ...(transaction && { hash: transaction.hash }),
      })
      if (touched.length > 0 || transaction)
        parts.ledger.add({ by: 'rpc', network, ...who }, touched, transaction)
    }
}

interface Write {
  method: string
  sender?: Hex
  touched: Touch[]
  transaction?: LedgerTransaction
}

/** The effect of a request; undefined if it was refused. */
async function whatIn(
  { nodes, book, isWorlds }: WriteParts,
  network: NetworkName,
  { method, params }: RpcRequest,
  answer: NodeAnswer | undefined,
): Promise<Write | undefined> {
  if (!answer || answer.error !== undefined) return undefined
  if (isWorlds(method)) return { method, touched: [] }
  const effect = methodEffect(method, params)
  if (effect === 'settings') return { method, touched: [] }
  if (effect === 'time') return { method, touched: [{ of: 'state', network }] }
  const list = Array.isArray(params) ? (params as unknown[]) : []
  if (effect !== 'send') return { method, touched: touchesOfWrite(book.on(network), method, list) }
  const hash = hashOf(answer.result)
  if (!hash) return { method, touched: [] }
  const { rpc } = nodes.get(network)
  const [receipt, sent] = await Promise.all([
    rpc.request<Receipt | null>('eth_getTransactionReceipt', [hash]).catch(() => null),
    rpc.request<SentValue | null>('eth_getTransactionByHash', [hash]).catch(() => null),
  ])
  const touched = receipt ? touchesOf(book.on(network), receipt.logs, sent ?? undefined) : []
  const block = receipt ? { block: Number(receipt.blockNumber) } : {}
  return {
    method,
    ...(sent && { sender: sent.from as Hex }),
    touched,
    transaction: { network, hash, ...block },
  }
}

function hashOf(result: unknown): Hex | undefined {
  const hash = typeof result === 'string' ? result : (result as Partial<Receipt>)?.transactionHash
  return hash !== undefined && /^0x[0-9a-f]{64}$/i.test(hash) ? (hash as Hex) : undefined
}

/** The changes of a write without a transaction, from its name and addresses. */
function touchesOfWrite(book: NetworkBook, method: string, params: readonly unknown[]): Touch[] {
  const { network } = book
  const { name, effect, writes } = methodOf(method)
  if (effect === 'mine') return [{ of: 'blocks', network }]
  const addresses = params.filter(isAddress).map((each) => each.toLowerCase())
  if (addresses.length === 0) return [{ of: 'state', network }]
  const tokens = book.tokens.filter(({ address }) => addresses.includes(address))
  const others = addresses.filter((each) => !tokens.some(({ address }) => address === each))
  const named = tokens.length > 0 ? tokens : book.tokens.filter(({ native }) => native)
  const amount = quantityOf(params.at(-1))
  const now =
    amount === undefined ? {} : { [name === 'addBalance' ? 'delta' : 'after']: `${amount}` }
  if (writes === 'balance' && others.length > 0)
    return others.flatMap((address) =>
      named.map(({ symbol }): Touch => ({ of: 'balance', network, address, symbol, ...now })),
    )
  return addresses.map((address) => ({ of: 'state', network, address }))
}

const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)
