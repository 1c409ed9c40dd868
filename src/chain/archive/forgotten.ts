import type { Hex } from 'viem'
import { toHex } from 'viem/utils'
import { RpcError } from '../rpc/rpc.js'
import { quantityOf } from '../rpc/rpcValues.js'
import type { ArchivedBlock, ArchivedLog, BlockFile, BlockRecord } from './blockFile.js'

/** Asks the node. Rejects when it refuses, or does not answer. */
export type AskNode = (method: string, ...params: unknown[]) => Promise<unknown>

/**
 * Blocks whose transactions a node keeps, with receipts, logs and traces: those of the latest so many. Of older blocks it has the head. They
 * make up most of its memory, 10 to 25 kB for each transaction.
 */
export const keptBlocks = 128

/** What an answer is completed with. */
export interface AnswerSources {
  file: BlockFile
  ask: AskNode
}

/** The result that the node gave, or the complete one. */
type Complete = (params: unknown[], result: unknown, from: AnswerSources) => Promise<unknown>

/** By method: what a node answers of blocks whose transactions it has forgotten, completed from the archive. */
export const completions: Readonly<Record<string, Complete>> = {
  eth_getTransactionByHash: ofTransaction(({ block }, at) => block.transactions[at]),
  eth_getTransactionReceipt: ofTransaction(({ receipts }, at) => receipts[at]),
  eth_getBlockByHash: wholeBlock,
  eth_getBlockByNumber: wholeBlock,
  eth_getBlockReceipts: ofBlock(({ receipts }) => receipts),
  eth_getBlockTransactionCountByHash: ofBlock(({ block }) => toHex(block.transactions.length)),
  eth_getBlockTransactionCountByNumber: ofBlock(({ block }) => toHex(block.transactions.length)),
  eth_getTransactionByBlockHashAndIndex: ofBlock(atIndex),
  eth_getTransactionByBlockNumberAndIndex: ofBlock(atIndex),
  eth_getLogs: withForgottenLogs,
  debug_traceTransaction: refuseTrace,
  trace_transaction: refuseTrace,
}

/** How the answers look that may lack something; logs may in any case. */
export const maybeLacking =
  /"result":(?:null|\[\]|"0x0")|"transactions":\[\]|"gas":0\b|"gasUsed":"0x0"/

function ofTransaction(pick: (archived: ArchivedBlock, at: number) => unknown): Complete {
  return async ([hash], result, from) => {
    if (result !== null || typeof hash !== 'string') return result
    const record = from.file.ofTransaction(hash)
    if (!record || !(await isOnChain(record, from))) return result
    const at = record.transactions.indexOf(hash.toLowerCase() as Hex)
    return pick(await from.file.read(record), at)
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
  const { block: archived } = await file.read(record)
  return isFull === true ? archived : { ...archived, transactions: record.transactions }
}

function ofBlock(pick: (archived: ArchivedBlock, params: unknown[]) => unknown): Complete {
  return async (params, result, { file, ask }) => {
    const isThere = result !== null && result !== '0x0' && !isEmptyList(result)
    const record = isThere ? undefined : file.ofBlock((await blockOf(params[0], ask))?.hash ?? '')
    return record ? pick(await file.read(record), params) : result
  }
}

/** Instead of a trace without calls, which the node gives of what it has forgotten. */
async function refuseTrace([hash]: unknown[], result: unknown, { file, ask }: AnswerSources) {
  const record = typeof hash === 'string' && file.ofTransaction(hash)
  if (!record || (await ask('eth_getTransactionByHash', hash))) return result
  throw new RpcError(
    `the trace of ${hash} is not kept any more: traces are kept of the latest ${keptBlocks} blocks`,
    -32000,
  )
}

function atIndex({ block }: ArchivedBlock, [, index]: unknown[]): unknown {
  return block.transactions[Number(quantityOf(index) ?? -1)] ?? null
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

/** The node drops blocks that are taken back, and keeps the heads of all others. */
async function isOnChain({ hash }: BlockRecord, { ask }: AnswerSources): Promise<boolean> {
  return Boolean(await ask('eth_getBlockByHash', hash, false))
}

interface Head {
  number: Hex
  hash: Hex
}

/** The block that a parameter names: by number, tag, hash, or an object of one of these. */
async function blockOf(id: unknown, ask: AskNode): Promise<Head | undefined> {
  const { blockHash, blockNumber } = (id ?? {}) as { blockHash?: unknown; blockNumber?: unknown }
  const name = blockHash ?? blockNumber ?? id
  const isHash = typeof name === 'string' && name.length === 66
  const method = isHash ? 'eth_getBlockByHash' : 'eth_getBlockByNumber'
  return ((await ask(method, name, false)) as Head | null) ?? undefined
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
    const { receipts } = await from.file.read(record)
    const logs = receipts.flatMap((each) => each.logs).filter((log) => matches(query, log))
    if (logs.length > 0 && (await isOnChain(record, from))) lacking.push(...logs)
  }
  if (lacking.length === 0) return result
  // Those of one block are in their order already.
  return [...lacking, ...found].sort((a, b) => Number(a.blockNumber) - Number(b.blockNumber))
}

/** The archived blocks that a query may mean. */
async function recordsIn(query: LogQuery, { file, ask }: AnswerSources): Promise<BlockRecord[]> {
  const emits = ({ emitters }: BlockRecord): boolean =>
    query.address == null || emitters.some((each) => isOneOf(query.address, each))
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
  if (address != null && !isOneOf(address, log.address)) return false
  return (topics ?? []).every(
    (wanted, at) => wanted == null || isEmptyList(wanted) || isOneOf(wanted, log.topics[at]),
  )
}

function isOneOf(wanted: string | string[] | null | undefined, value: string | undefined): boolean {
  const lower = value?.toLowerCase()
  return [wanted].flat().some((each) => each?.toLowerCase() === lower)
}
