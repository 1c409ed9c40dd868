import { AsyncLocalStorage } from 'node:async_hooks'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { toHex } from 'viem/utils'
import type { NetworkName } from '../../deployments/networks.js'
import { commandKind, sharedBlockMethod } from '../rpc/nodeCommand.js'
import type { ChainMessage, ChainStep, PassOn } from '../rpc/pipeline.js'
import { parseAnswer, RpcError, toRpcError } from '../rpc/rpc.js'
import { type ArchivedBlock, BlockFile } from './blockFile.js'
import { type AskNode, completions, keptBlocks, maybeLacking } from './forgotten.js'

/** The latest blocks are not archived: they may be taken back, and a short run needs no archive. */
const youngBlocks = 16
/** After so many commands blocks are archived in the background; after twice as many, the next command waits for that. */
const commandsBetween = 48
const readAtOnce = 16

/** The archive of a network in a data folder. */
export function archivePath(folder: string, network: NetworkName): string {
  return join(folder, `${network}.blocks`)
}

/** Where a node's archive is. */
export interface ArchivePlace {
  path: string
  /** Whether it is to be there at the next start. */
  lasts: boolean
}

/**
 * Keeps the transactions, receipts and logs that a node forgets (`keptBlocks`) in a file, and completes the node's answers from it. Traces
 * are not kept. What is in it counts as long as the node has the head of its block: it has that of every block on its chain.
 */
export interface BlockArchive {
  readonly step: ChainStep
  /** Resolves when the file is closed. Safe to call twice. */
  close(): Promise<void>
}

export function createBlockArchive(place: ArchivePlace): BlockArchive {
  return new Archive(place)
}

/** Up to which block everything is archived; without its hash when it was not read. */
interface Mark {
  number: number
  hash: Hex | undefined
}

class Archive implements BlockArchive {
  private readonly place: ArchivePlace
  private opening: Promise<BlockFile> | undefined
  private file: BlockFile | undefined
  private upTo: Mark | undefined
  /** Blocks that there may be since `upTo`, without the young ones. */
  private since = 0
  private collecting: Promise<void> | undefined
  private isClosed = false
  private readonly isFromBefore: boolean
  // Archiving belongs to no request.
  private readonly detached = AsyncLocalStorage.snapshot()

  constructor(place: ArchivePlace) {
    this.place = place
    this.isFromBefore = place.lasts && existsSync(place.path)
  }

  readonly step: ChainStep = async (message, next) => {
    const ask = askWith(message, next)
    // That of the run before is needed from the first question on.
    const isAsked = message.methods.some((method) => method in completions)
    if (this.isFromBefore && !this.isClosed && isAsked) await this.open().catch(() => {})
    await this.makeRoom(blocksOf(message), ask)
    return this.complete(message, await next(message), ask)
  }

  async close(): Promise<void> {
    this.isClosed = true
    await this.collecting?.catch(() => {})
    const file = await this.opening?.catch(() => undefined)
    this.opening = undefined
    this.file = undefined
    await file?.close()
    if (file && !this.place.lasts) await rm(this.place.path, { force: true })
  }

  /** Before a node makes so many blocks: has those archived that it would forget. */
  private async makeRoom(blocks: number, ask: AskNode): Promise<void> {
    if (blocks === 0 || this.isClosed) return
    const isMany = blocks > commandsBetween
    this.since += blocks
    if (this.since < commandsBetween) return
    const mustWait = isMany || this.since >= 2 * commandsBetween
    if (mustWait) await this.collecting
    this.collecting ??= this.detached(() => this.collect(ask, isMany))
      .catch(() => {}) // tried again with the next command
      .finally(() => {
        this.collecting = undefined
      })
    if (mustWait) await this.collecting
  }

  private open(): Promise<BlockFile> {
    const { path, lasts } = this.place
    this.opening ??= BlockFile.open(path, lasts).then((file) => {
      this.file = file
      return file
    })
    return this.opening
  }

  private async collect(ask: AskNode, all: boolean): Promise<void> {
    this.since = 0
    const file = await this.open()
    const head = Number((await ask('eth_blockNumber')) as Hex)
    await this.dropReplaced(file, head, ask)
    const end = all ? head : head - youngBlocks
    const begin = Math.max(this.upTo!.number + 1, head - keptBlocks)
    for (let from = begin; from <= end && !this.isClosed; from += readAtOnce) {
      const count = Math.min(readAtOnce, end - from + 1)
      const blocks = await Promise.all(
        Array.from({ length: count }, (_, i) => readBlock(from + i, ask)),
      )
      // A revert came in between: what has taken their place is read the next time.
      if (!blocks.every(isLinked)) return
      await file.append(
        blocks.filter(({ block }) => block && block.transactions.length > 0) as never,
      )
      this.upTo = { number: from + count - 1, hash: blocks.at(-1)!.block?.hash }
    }
  }

  /** Forgets blocks that are not on the chain any more: those at the end. */
  private async dropReplaced(file: BlockFile, head: number, ask: AskNode): Promise<void> {
    const isOnChain = async ({ number, hash }: Mark): Promise<boolean> => {
      if (number > head || !hash) return false
      const block = (await ask('eth_getBlockByNumber', toHex(number), false)) as {
        hash: Hex
      } | null
      return block?.hash === hash
    }
    if (this.upTo && (await isOnChain(this.upTo))) return
    let gone = 0
    while (gone < file.records.length && !(await isOnChain(file.records.at(-1 - gone)!))) gone++
    await file.drop(gone)
    const last = file.records.at(-1)
    const fork = (await ask('anvil_nodeInfo')) as { forkConfig?: { forkBlockNumber?: number } }
    const lowest = Math.max(0, head - keptBlocks, Number(fork?.forkConfig?.forkBlockNumber ?? 0))
    this.upTo = last && last.number >= lowest ? last : { number: lowest, hash: undefined }
  }

  private async complete(message: ChainMessage, answer: string, ask: AskNode): Promise<string> {
    const { methods, text } = message
    const { file } = this
    if (!file || file.records.length === 0) return answer
    if (!methods.some((method) => method in completions)) return answer
    if (!methods.includes('eth_getLogs') && !maybeLacking.test(answer)) return answer
    const [asked, given] = [JSON.parse(text), JSON.parse(answer)] as [Asked | Asked[], Given]
    const one = async ({ method, params }: Asked, from: Answer): Promise<Answer> => {
      const completion = completions[method]
      if (!completion || !Array.isArray(params) || from?.result === undefined) return from
      const completed = completion(params, from.result, { file, ask })
      return completed.then(
        (result) => ({ ...from, result }),
        (error) => refusal(from, error),
      )
    }
    if (!Array.isArray(asked)) return JSON.stringify(await one(asked, given as Answer))
    if (!Array.isArray(given)) return answer
    return JSON.stringify(await Promise.all(asked.map((each, i) => one(each, given[i]!))))
  }
}

interface Asked {
  method: string
  params?: unknown
}

type Answer = { id?: unknown; result?: unknown }
type Given = Answer | Answer[]

/** The answer where the node refuses what it is asked for the sake of another answer. */
function refusal({ id }: Answer, error: unknown): object {
  if (!(error instanceof RpcError)) throw error
  const { code, message } = error
  return { jsonrpc: '2.0', id, error: { code, message } }
}

/** Asks past this step. */
function askWith({ network }: ChainMessage, next: PassOn): AskNode {
  return async (method, ...params) => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const message = { network, text, methods: [method], by: 'archive' } as const
    const { result, error } = parseAnswer(await next(message))
    if (error) throw toRpcError(error)
    return result
  }
}

/** How many blocks a message may make at most; a follower that reads a block may have been told of it by the node alone. */
function blocksOf({ methods, text, by }: ChainMessage): number {
  if (by === 'service' && methods[0] === 'eth_getBlockByNumber') return 1
  const made = methods.reduce((sum, method) => sum + blocksOfMethod(method), 0)
  if (!methods.some((method) => /_mine$/.test(method))) return made
  const requests = [JSON.parse(text) as Asked | Asked[]].flat()
  return requests.reduce((sum, each) => sum + mined(each), made)
}

function blocksOfMethod(method: string): number {
  // What does not fit into a shared block is mined in another one.
  if (method === sharedBlockMethod) return 2
  return commandKind(method, undefined) === 'read' ? 0 : 1
}

/** `anvil_mine [blocks]`, `evm_mine [{ blocks }]`. */
function mined({ method, params }: Asked): number {
  const [first] = Array.isArray(params) ? (params as unknown[]) : []
  if (!/_mine$/.test(method) || first == null) return 0
  const blocks = typeof first === 'object' ? (first as { blocks?: unknown }).blocks : first
  return method === 'evm_mine' && typeof first !== 'object' ? 0 : Number(blocks ?? 0)
}

type Read = Partial<ArchivedBlock>

async function readBlock(number: number, ask: AskNode): Promise<Read> {
  const block = (await ask('eth_getBlockByNumber', toHex(number), true)) as Read['block'] | null
  if (!block) return {}
  if (block.transactions.length === 0) return { block, receipts: [] }
  const receipts = (await ask('eth_getBlockReceipts', block.hash)) as Read['receipts'] | null
  return { block, receipts: receipts ?? [] }
}

/** Whether a block was read whole, and is on the one before it. */
function isLinked({ block, receipts }: Read, i: number, all: readonly Read[]): boolean {
  const before = all[i - 1]?.block
  if (!block) return true
  if (before && before.hash !== block.parentHash) return false
  return receipts!.length === block.transactions.length
}
