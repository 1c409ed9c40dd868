import { constants as files } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, deflateRaw, inflateRaw } from 'node:zlib'
import type { Hex } from 'viem'
import { checksum, frame, unframe } from '../../wal/frames.js'
import { writeAll } from '../../wal/logFile.js'
import type { Log } from '../rpc/node.js'

/** A log as a node returns it; quantities in hex. */
export type ArchivedLog = Log & { blockNumber: Hex }

/** A block with transactions and its receipts, exactly as the node returned them. */
export interface ArchivedBlock {
  block: { number: Hex; hash: Hex; parentHash: Hex; transactions: { hash: Hex }[] }
  receipts: { transactionHash: Hex; logs: ArchivedLog[] }[]
}

/** What is in memory of an archived block. */
export interface BlockRecord {
  number: number
  hash: Hex
  transactions: readonly Hex[]
  /** The contracts that emitted its logs, in lower case. */
  emitters: readonly string[]
  /** The offsets of its record and of its content, and the length of that. */
  start: number
  content: number
  bytes: number
}

/** The line in front of a compressed block. */
type Head = Pick<BlockRecord, 'number' | 'hash' | 'transactions' | 'emitters' | 'bytes'> & {
  checksum: string
}

/** The file cannot be opened or written. */
export class ArchiveError extends Error {
  override name = 'ArchiveError'
  constructor(path: string, cause: unknown) {
    super(
      `the file of old blocks ${path} cannot be written: ${(cause as Error).message}. The node would forget their transactions, so that nothing is sent to it; make room there, and send it again.`,
      { cause },
    )
  }
}

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Longer than any head: 24 transactions take 2 kB, and a block that a client mines has room for 1,400 of them. */
const longestHead = 1 << 18
const usualHead = 1 << 12

/**
 * The file of one network's archived blocks, in ascending order. Each record is a line about the block, which is also kept in memory, and
 * the compressed block. Blocks that are no longer on the chain are always at its end, and are cut off.
 */
export class BlockFile {
  readonly records: BlockRecord[] = []
  private readonly byTransaction = new Map<Hex, BlockRecord>()
  private readonly byHash = new Map<Hex, BlockRecord>()
  /** One text for each contract, shared by all its blocks. */
  private readonly names = new Map<string, string>()
  private readonly path: string
  private readonly file: FileHandle
  private readonly lasts: boolean
  private end = 0

  private constructor(path: string, file: FileHandle, lasts: boolean) {
    this.path = path
    this.file = file
    this.lasts = lasts
  }

  /**
   * Opens or creates the file. Anything after the last whole block, left by a crash, is cut off.
   *
   * @param lasts Whether its content has to survive a power failure.
   * @throws `ArchiveError` when it cannot be opened.
   */
  static async open(path: string, lasts: boolean): Promise<BlockFile> {
    // Reads and writes at any offset, and creates the file if it is missing.
    const flags = files.O_RDWR | files.O_CREAT | (lasts ? 0 : files.O_TRUNC)
    const file = await open(path, flags, 0o600).catch((cause) => {
      throw new ArchiveError(path, cause)
    })
    const own = new BlockFile(path, file, lasts)
    try {
      while (await own.readRecord());
      await file.truncate(own.end)
    } catch (error) {
      await file.close()
      throw error
    }
    return own
  }

  ofTransaction(hash: string): BlockRecord | undefined {
    return this.byTransaction.get(hash.toLowerCase() as Hex)
  }

  ofBlock(hash: string): BlockRecord | undefined {
    return this.byHash.get(hash.toLowerCase() as Hex)
  }

  /** Appends blocks, with higher numbers than those in the file. When it fails, throws `ArchiveError` and appends none. */
  async append(blocks: readonly ArchivedBlock[]): Promise<void> {
    if (blocks.length === 0) return
    const written = await Promise.all(blocks.map(packed))
    const pieces = written.flatMap(({ line, content }) => [line, content])
    try {
      await writeAll(this.file, Buffer.concat(pieces), this.end)
      if (this.lasts) await this.file.datasync()
    } catch (cause) {
      throw new ArchiveError(this.path, cause)
    }
    for (const { head, line } of written) this.add(head, line.length)
  }

  /** Cuts off the last blocks. */
  async drop(count: number): Promise<void> {
    if (count === 0) return
    const gone = this.records.splice(-count)
    this.end = gone[0]!.start
    for (const { hash, transactions } of gone) {
      this.byHash.delete(hash)
      for (const each of transactions) this.byTransaction.delete(each)
    }
    await this.file.truncate(this.end)
  }

  /** Undefined when the block was cut off meanwhile. */
  async read(record: BlockRecord): Promise<ArchivedBlock | undefined> {
    const packed = Buffer.alloc(record.bytes)
    await this.file.read(packed, 0, record.bytes, record.content)
    if (this.byHash.get(record.hash) !== record) return undefined
    return JSON.parse((await inflate(packed)).toString('utf8')) as ArchivedBlock
  }

  close(): Promise<void> {
    return this.file.close()
  }

  /** Reads the next record. False when there is no whole one. */
  private async readRecord(): Promise<boolean> {
    const line = (await this.readLine(usualHead)) ?? (await this.readLine(longestHead))
    const [head] = line ? (unframe(line).records as Head[]) : []
    if (!line || !head) return false
    const lineEnd = line.length
    const content = Buffer.alloc(head.bytes)
    await this.file.read(content, 0, head.bytes, this.end + lineEnd)
    if (checksum(content) !== head.checksum) return false
    this.add(head, lineEnd)
    return true
  }

  /** The next line, with its line feed; undefined when it is longer than `longest`, or has no end. */
  private async readLine(longest: number): Promise<Buffer | undefined> {
    const begin = Buffer.alloc(longest)
    const { bytesRead } = await this.file.read(begin, 0, longest, this.end)
    const end = begin.subarray(0, bytesRead).indexOf('\n') + 1
    return end === 0 ? undefined : begin.subarray(0, end)
  }

  private add({ checksum: _, ...head }: Head, lineLength: number): void {
    const emitters = head.emitters.map((each) => this.nameOf(each))
    const content = this.end + lineLength
    const record = { ...head, emitters, start: this.end, content }
    this.end = content + head.bytes
    this.records.push(record)
    this.byHash.set(record.hash, record)
    for (const hash of record.transactions) this.byTransaction.set(hash, record)
  }

  private nameOf(emitter: string): string {
    const known = this.names.get(emitter)
    if (known === undefined) this.names.set(emitter, emitter)
    return known ?? emitter
  }
}

async function packed(
  archived: ArchivedBlock,
): Promise<{ head: Head; line: Buffer; content: Buffer }> {
  const { block, receipts } = archived
  const content = await deflate(JSON.stringify(archived), { level: constants.Z_BEST_SPEED })
  const logs = receipts.flatMap((receipt) => receipt.logs)
  const head = {
    number: Number(block.number),
    hash: block.hash,
    transactions: block.transactions.map(({ hash }) => hash),
    emitters: [...new Set(logs.map(({ address }) => address.toLowerCase()))],
    bytes: content.length,
    checksum: checksum(content),
  }
  return { head, line: Buffer.from(frame(head)), content }
}
