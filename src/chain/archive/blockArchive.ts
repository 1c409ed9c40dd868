import { AsyncLocalStorage } from 'node:async_hooks'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { toHex } from 'viem/utils'
import type { NetworkName } from '../../deployments/networks.js'
import { answerInOrder, type ChainMessage, type ChainStep, type PassOn } from '../rpc/pipeline.js'
import { answerFrom, askWith, isAnswerable, keptBlocks } from './archiveAnswers.js'
import { type ArchivedBlock, ArchiveError, BlockFile } from './blockFile.js'
import { isAboutFilters, LogFilters } from './logFilters.js'
import { inPieces, maxBlocks } from './minedBlocks.js'

/** The latest blocks are not archived: they may still be taken back, and short runs need no archive. */
const youngBlocks = 16
/**
 * After this many new blocks, older ones are archived in the background; after twice as many, the next command waits for that. Both are
 * far below `keptBlocks`, so blocks are never read from the node while it forgets them.
 */
const blocksBetween = 32
const readAtOnce = 16

/** The archive of a network in a data folder. */
export function archivePath(folder: string, network: NetworkName): string {
  return join(folder, `${network}.blocks`)
}

/** Where a node's archive is. */
export interface ArchivePlace {
  path: string
  /** Whether it is kept for the next start. */
  lasts: boolean
  /** Blocks up to this one belong to the forked network. */
  forkBlock: number
}

/**
 * Keeps the transactions, receipts and logs that a node forgets (`keptBlocks`) in a file, and answers requests about them. Traces are not
 * kept. An archived block is valid while the node has its header, which it keeps for every block on its chain.
 */
export interface BlockArchive {
  /** Refuses, with `ArchiveError`, commands that would make the node forget blocks that could not be written. */
  readonly step: ChainStep
  /** Resolves when the file is closed. Safe to call twice. */
  close(): Promise<void>
}

export function createBlockArchive(place: ArchivePlace): BlockArchive {
  return new Archive(place)
}

/** The last block up to which everything is archived; without a hash if it was not read. */
interface Mark {
  number: number
  hash: Hex | undefined
}

class Archive implements BlockArchive {
  private readonly place: ArchivePlace
  private opening: Promise<BlockFile> | undefined
  private file: BlockFile | undefined
  private upTo: Mark | undefined
  /** How many blocks there may be after `upTo`, without the youngest. */
  private since = 0
  private collecting: Promise<void> | undefined
  private failure: unknown
  private isClosed = false
  private readonly isFromBefore: boolean
  private readonly filters = new LogFilters()
  // Archiving belongs to no request.
  private readonly detached = AsyncLocalStorage.snapshot()

  constructor(place: ArchivePlace) {
    this.place = place
    this.isFromBefore = place.lasts && existsSync(place.path)
  }

  readonly step: ChainStep = async (message, next) => {
    const pieces = inPieces(message)
    if (!pieces) return this.pass(message, next)
    const isBatch = message.text.trimStart().startsWith('[')
    const answers: string[] = []
    for (const piece of pieces) {
      const answer = await this.step(piece, next)
      if (!isBatch && answer.includes('"error"')) return answer
      answers.push(answer)
    }
    return isBatch ? `[${answers.join(',')}]` : answers.at(-1)!
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

  private async pass(message: ChainMessage, next: PassOn): Promise<string> {
    const isOfFilters = message.methods.some(isAboutFilters)
    const isConcerned = isOfFilters || message.methods.some(isAnswerable)
    // The archive of the previous run is needed from the first request on.
    if (this.isFromBefore && !this.isClosed && isConcerned) await this.open()
    await this.makeRoom(maxBlocks(message), message, next)
    if (!isConcerned) return next(message)
    const answer: PassOn = (each) =>
      this.file && this.file.records.length > 0 ? answerFrom(this.file, each, next) : next(each)
    if (!isOfFilters) return answer(message)
    const ask = askWith(message.network, answer)
    return answerInOrder<{ method: string }>(message.text, (request) =>
      this.filters.answer(
        request,
        () => answer({ ...message, text: JSON.stringify(request), methods: [request.method] }),
        ask,
      ),
    )
  }

  /** Called before a node mines this many blocks: archives those that it would forget. */
  private async makeRoom(blocks: number, message: ChainMessage, next: PassOn): Promise<void> {
    if (blocks === 0 || this.isClosed) return
    this.since += blocks
    if (this.since < blocksBetween) return
    const mustWait = this.since >= 2 * blocksBetween
    if (mustWait) await this.collecting
    this.collecting ??= this.detached(() => this.collect(message, next))
      .catch((cause) => {
        // The next command tries again.
        this.failure = cause
      })
      .finally(() => {
        this.collecting = undefined
      })
    if (!mustWait) return
    await this.collecting
    // The node would forget blocks that nothing else has.
    if (this.failure instanceof ArchiveError) throw this.failure
  }

  private async open(): Promise<BlockFile> {
    const { path, lasts } = this.place
    this.opening ??= BlockFile.open(path, lasts)
    try {
      this.file = await this.opening
      return this.file
    } catch (cause) {
      this.opening = undefined
      throw cause
    }
  }

  private async collect({ network }: ChainMessage, next: PassOn): Promise<void> {
    const { since } = this
    await this.filters.read(askWith(network, next))
    const file = await this.open()
    const head = Number((await askWith(network, next)('eth_blockNumber')) as Hex)
    await this.dropReplaced(file, head, network, next)
    const end = head - youngBlocks
    const begin = Math.max(this.upTo!.number + 1, head - keptBlocks)
    for (let from = begin; from <= end && !this.isClosed; from += readAtOnce) {
      const count = Math.min(readAtOnce, end - from + 1)
      const blocks = await readBlocks(from, count, network, next)
      // A revert came in between; the replacing blocks are read the next time.
      if (!blocks.every(isLinked)) return
      await file.append(blocks.filter(hasTransactions))
      this.upTo = { number: from + count - 1, hash: blocks.at(-1)!.block?.hash }
    }
    this.since -= since
    this.failure = undefined
  }

  /** Drops the last blocks of the file that are no longer on the chain. */
  private async dropReplaced(
    file: BlockFile,
    head: number,
    network: NetworkName,
    next: PassOn,
  ): Promise<void> {
    const ask = askWith(network, next)
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
    const lowest = Math.max(this.place.forkBlock, head - keptBlocks)
    this.upTo = last && last.number >= lowest ? last : { number: lowest, hash: undefined }
  }
}

type Read = Partial<ArchivedBlock>

/** Reads blocks in one batch, during which the node mines none (`snapshotGuard.ts`). */
async function readBlocks(
  from: number,
  count: number,
  network: NetworkName,
  next: PassOn,
): Promise<Read[]> {
  const requests = Array.from({ length: count }, (_, i) => toHex(from + i)).flatMap((number) => [
    { method: 'eth_getBlockByNumber', params: [number, true] },
    { method: 'eth_getBlockReceipts', params: [number] },
  ])
  const text = JSON.stringify(requests.map((each, id) => ({ jsonrpc: '2.0', id, ...each })))
  const methods = requests.map(({ method }) => method)
  const answers = JSON.parse(await next({ network, text, methods, by: 'archive' })) as {
    result?: unknown
  }[]
  return Array.from({ length: count }, (_, i) => {
    const block = (answers[2 * i]?.result ?? undefined) as Read['block']
    const receipts = (answers[2 * i + 1]?.result ?? []) as ArchivedBlock['receipts']
    return block ? { block, receipts } : {}
  })
}

function hasTransactions(read: Read): read is ArchivedBlock {
  return read.block !== undefined && read.block.transactions.length > 0
}

/** Whether a block was read completely, and follows the one before it. */
function isLinked({ block, receipts }: Read, i: number, all: readonly Read[]): boolean {
  const before = all[i - 1]?.block
  if (!block) return true
  if (before && before.hash !== block.parentHash) return false
  return receipts!.length === block.transactions.length
}
