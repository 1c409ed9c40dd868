import type { Hex } from 'viem'
import { toHex } from 'viem/utils'
import type { NetworkName } from '../../deployments/networks.js'
import { answerInOrder, type ChainMessage, type PassOn } from '../rpc/pipeline.js'
import { type AskNode, parseAnswer, RpcError, toRpcError } from '../rpc/rpc.js'
import { quantityOf } from '../rpc/rpcValues.js'
import type { ArchivedBlock, ArchivedLog, BlockFile, BlockRecord } from './blockFile.js'
import { rawTransaction } from './rawTransaction.js'

/**
 * How many recent blocks a node keeps in full, with transactions, receipts, logs and traces; of older ones it keeps only the header.
 * Transactions take most of its memory, 10 to 25 kB each.
 */
export const keptBlocks = 192
/** How many recent blocks can be traced: fewer than are kept, since a trace must not meet a block that is being forgotten. */
const tracedBlocks = 128

/** Where answers come from. */
interface AnswerSources {
  file: BlockFile
  ask: AskNode
}

/** Answers from the archive; undefined when it does not have the answer. */
type FromArchive = (params: unknown[], from: AnswerSources) => Promise<unknown>

/**
 * Methods that the archive answers for blocks that it has. The node is not asked, because it closes the connection when it forgets a
 * block while its receipt is read (anvil 1.7.1).
 */
const answeredByArchive: Readonly<Record<string, FromArchive>> = {
  eth_getTransactionByHash: ofTransaction(({ block }, at) => block.transactions[at]),
  eth_getTransactionReceipt: ofTransaction(({ receipts }, at) => receipts[at]),
  eth_getBlockReceipts: ofBlock(({ receipts }) => receipts),
  eth_getBlockTransactionCountByHash: ofBlock(({ block }) => toHex(block.transactions.length)),
  eth_getBlockTransactionCountByNumber: ofBlock(({ block }) => toHex(block.transactions.length)),
  eth_getTransactionByBlockHashAndIndex: ofBlock(atIndex),
  eth_getTransactionByBlockNumberAndIndex: ofBlock(atIndex),
  eth_getRawTransactionByHash: ofTransaction(rawAt),
  debug_getRawTransaction: ofTransaction(rawAt),
  eth_getRawTransactionByBlockHashAndIndex: ofBlock(rawAtIndex),
  eth_getRawTransactionByBlockNumberAndIndex: ofBlock(rawAtIndex),
  debug_traceTransaction: refuseTrace,
  trace_transaction: refuseTrace,
}

/** Completes a result of the node. */
type Complete = (params: unknown[], result: unknown, from: AnswerSources) => Promise<unknown>

/** Methods that the node answers without the transactions that it has forgotten, which the archive adds. */
const completedByArchive: Readonly<Record<string, Complete>> = {
  eth_getBlockByHash: wholeBlock,
  eth_getBlockByNumber: wholeBlock,
  eth_getLogs: withForgottenLogs,
}

/** Whether the archive may answer this method, or complete its answer. */
export function isAnswerable(method: string): boolean {
  return Object.hasOwn(answeredByArchive, method) || Object.hasOwn(completedByArchive, method)
}

interface Asked {
  id?: unknown
  method: string
  params?: unknown
}

/** Answers from the archive where it can, and otherwise completes the answer of the node. */
export async function answerFrom(
  file: BlockFile,
  message: ChainMessage,
  next: PassOn,
): Promise<string> {
  return answerInOrder<Asked>(message.text, (each) => answerOne(file, each, message, next))
}

async function answerOne(
  file: BlockFile,
  request: Asked,
  message: ChainMessage,
  next: PassOn,
): Promise<string> {
  const { id, method, params } = request
  const passOn = (): Promise<string> =>
    next({ ...message, text: JSON.stringify(request), methods: [method] })
  if (!isAnswerable(method) || !Array.isArray(params)) return passOn()
  const from = { file, ask: askWith(message.network, next) }
  const answerWith = (answer: object): string =>
    JSON.stringify({ jsonrpc: '2.0', id: id ?? null, ...answer })
  try {
    const known = await answeredByArchive[method]?.(params, from)
    if (known !== undefined) return answerWith({ result: known })
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return answerWith({ error: { code: error.code, message: error.message } })
  }
  const complete = completedByArchive[method]
  if (!complete || !mayLack(file, params)) return passOn()
  const text = await passOn()
  const { result } = parseAnswer(text)
  return result === undefined ? text : answerWith({ result: await complete(params, result, from) })
}

/** Whether the node's answer about a block or logs may lack something that is in the file; decided without asking the node. */
function mayLack(file: BlockFile, [about]: unknown[]): boolean {
  if (typeof about !== 'object' || about === null) return mayHave(file, about)
  const { blockHash, fromBlock } = about as LogQuery
  return mayHave(file, blockHash ?? fromBlock ?? 'latest')
}

/** Asks the node, from this step on. */
export function askWith(network: NetworkName, next: PassOn): AskNode {
  return async (method, ...params) => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const message = { network, text, methods: [method], by: 'archive' } as const
    const { result, error } = parseAnswer(await next(message))
    if (error) throw toRpcError(error)
    return result as never
  }
}

function ofTransaction(pick: (archived: ArchivedBlock, at: number) => unknown): FromArchive {
  return async ([hash], from) => {
    const record = typeof hash === 'string' && from.file.ofTransaction(hash)
    if (!record || !(await isOnChain(record, from))) return undefined
    const at = record.transactions.indexOf(hash.toLowerCase() as Hex)
    const block = await from.file.read(record)
    return block && pick(block, at)
  }
}

async function wholeBlock(
  [, isFull]: unknown[],
  result: unknown,
  { file }: AnswerSources,
): Promise<unknown> {
  const block = result as { hash: Hex | null; transactions: unknown[] } | null
  const record = block?.hash && file.ofBlock(block.hash)
  if (!record || block.transactions.length > 0) return result
  const whole = await file.read(record)
  if (!whole) return result
  return isFull === true ? whole.block : { ...whole.block, transactions: record.transactions }
}

function ofBlock(pick: (archived: ArchivedBlock, params: unknown[]) => unknown): FromArchive {
  return async (params, { file, ask }) => {
    if (!mayHave(file, params[0])) return undefined
    const record = file.ofBlock((await blockOf(params[0], ask))?.hash ?? '')
    const block = record && (await file.read(record))
    return block && pick(block, params)
  }
}

/** Whether a block with this name can be in the file; decided without asking the node. */
function mayHave(file: BlockFile, id: unknown): boolean {
  const name = nameOf(id)
  if (isHash(name)) return file.ofBlock(name) !== undefined
  const last = file.records.at(-1)?.number ?? -1
  const number = quantityOf(name)
  return number === undefined ? name !== 'latest' && name !== 'pending' : number <= last
}

/** The node would return a trace without calls for a transaction that it has forgotten. */
async function refuseTrace([hash]: unknown[], { file, ask }: AnswerSources): Promise<undefined> {
  const record = typeof hash === 'string' && file.ofTransaction(hash)
  if (!record) return
  const head = Number(await ask('eth_blockNumber'))
  if (head - record.number < tracedBlocks) return
  throw new RpcError(
    `the trace of ${hash} is not kept any more: traces are kept of the latest ${tracedBlocks} blocks`,
    -32000,
  )
}

function atIndex({ block }: ArchivedBlock, [, index]: unknown[]): unknown {
  const at = quantityOf(index)
  // The node says what is wrong with what is no number.
  return at === undefined ? undefined : (block.transactions[Number(at)] ?? null)
}

function rawAt({ block }: ArchivedBlock, at: number): unknown {
  return rawTransaction(block.transactions[at]!)
}

function rawAtIndex(archived: ArchivedBlock, params: unknown[]): unknown {
  const transaction = atIndex(archived, params)
  return transaction ? rawTransaction(transaction) : transaction
}

/** The node drops blocks that are taken back, and keeps the headers of all others. */
async function isOnChain({ hash }: BlockRecord, { ask }: AnswerSources): Promise<boolean> {
  return Boolean(await ask('eth_getBlockByHash', hash, false))
}

interface Head {
  number: Hex
  hash: Hex
}

/** The block that a parameter names. */
async function blockOf(id: unknown, ask: AskNode): Promise<Head | undefined> {
  const name = nameOf(id)
  const method = isHash(name) ? 'eth_getBlockByHash' : 'eth_getBlockByNumber'
  return ((await ask(method, name, false)) as Head | null) ?? undefined
}

/** A number, a tag or a hash, which may be in an object. */
function nameOf(id: unknown): unknown {
  const { blockHash, blockNumber } = (id ?? {}) as { blockHash?: unknown; blockNumber?: unknown }
  return blockHash ?? blockNumber ?? id
}

function isHash(name: unknown): name is Hex {
  return typeof name === 'string' && name.length === 66
}

/** What `eth_getLogs` takes. */
interface LogQuery {
  blockHash?: unknown
  fromBlock?: unknown
  toBlock?: unknown
  address?: string | string[] | null
  topics?: (string | string[] | null)[] | null
}

async function withForgottenLogs(
  [given]: unknown[],
  result: unknown,
  from: AnswerSources,
): Promise<unknown> {
  if (!Array.isArray(result) || typeof given !== 'object' || given === null) return result
  const query = given as LogQuery
  const found = result as ArchivedLog[]
  const known = new Set(found.map(({ blockHash }) => blockHash))
  const lacking: ArchivedLog[] = []
  for (const record of await recordsIn(query, from)) {
    if (known.has(record.hash)) continue
    const { receipts = [] } = (await from.file.read(record)) ?? {}
    const logs = receipts.flatMap((each) => each.logs).filter((log) => matches(query, log))
    if (logs.length > 0 && (await isOnChain(record, from))) lacking.push(...logs)
  }
  if (lacking.length === 0) return result
  // The sort is stable, and logs of one block are in order already.
  return [...lacking, ...found].sort((a, b) => Number(a.blockNumber) - Number(b.blockNumber))
}

/** The archived blocks that a query may match. */
async function recordsIn(query: LogQuery, { file, ask }: AnswerSources): Promise<BlockRecord[]> {
  const emits = ({ emitters }: BlockRecord): boolean =>
    isAny(query.address) || emitters.some((each) => isOneOf(query.address, each))
  if (query.blockHash != null) {
    const record = file.ofBlock(String(query.blockHash))
    return record && emits(record) ? [record] : []
  }
  const lowest = file.records[0]?.number ?? 0
  const numberOf = async (id: unknown): Promise<number> => {
    if (id === 'earliest') return lowest
    const number = quantityOf(id)
    return Number(number ?? (await blockOf(id ?? 'latest', ask))?.number ?? -1)
  }
  const [from, to] = [await numberOf(query.fromBlock), await numberOf(query.toBlock)]
  return file.records.filter((each) => each.number >= from && each.number <= to && emits(each))
}

function matches({ address, topics }: LogQuery, log: ArchivedLog): boolean {
  if (!isAny(address) && !isOneOf(address, log.address)) return false
  return (topics ?? []).every((wanted, at) => isAny(wanted) || isOneOf(wanted, log.topics[at]))
}

/** Whether a part of a query is left out. */
function isAny(wanted: unknown): boolean {
  return wanted == null || (Array.isArray(wanted) && wanted.length === 0)
}

function isOneOf(wanted: string | string[] | null | undefined, value: string | undefined): boolean {
  const lower = value?.toLowerCase()
  return [wanted].flat().some((each) => each?.toLowerCase() === lower)
}
