import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { syncFolder } from '../lib/files/durableFile.js'
import { linkOrCopy } from '../lib/files/linkOrCopy.js'
import { type Pieces, writePieces } from './checkpointFile.js'
import type { FolderContents } from './contents.js'
import {
  ExportFileError,
  type ExportHead,
  exportFormat,
  exportVersion,
  longestHead,
  parseHead,
} from './exportHead.js'
import { checksum, frame } from './frames.js'
import { type WrittenFile, writeManifest } from './manifest.js'
import type { LogRecord } from './recover.js'

/** Rejects when the file exists and may not be replaced. */
export async function expectFree(file: string, mayReplace: boolean): Promise<void> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (isThere && !mayReplace)
    throw new Error(`${file} exists already. Name another file, or give --overwrite.`)
}

/**
 * Exports a data folder to one file, which appears only when it is complete. The same folder gives the same bytes. Nothing may change
 * the folder meanwhile.
 *
 * @param madeBy Version of svc-sim.
 */
export async function writeExport(
  folder: string,
  { manifest, logs }: FolderContents,
  { file, madeBy, mayReplace }: { file: string; madeBy: string; mayReplace: boolean },
): Promise<void> {
  await expectFree(file, mayReplace)
  const parts = partsOf(manifest.files)
  const head: ExportHead = {
    format: exportFormat,
    version: exportVersion,
    madeBy,
    manifest,
    logs: await Promise.all(
      logs.map(async ({ name, bytes }) => {
        const whole = (await readFile(join(folder, name))).subarray(0, bytes)
        return { name, bytes, checksum: checksum(whole) }
      }),
    ),
  }
  const temporary = `${file}.${randomUUID()}.tmp`
  async function* content() {
    yield frame(head)
    for (const { name, bytes } of [...parts, ...logs])
      if (bytes > 0) yield* createReadStream(join(folder, name), { end: bytes - 1 })
  }
  try {
    await pipeline(content, createGzip(), createWriteStream(temporary, { flush: true }))
    if (mayReplace) await rename(temporary, file)
    else await linkOrCopy(temporary, file) // fails when the file was created meanwhile
    await syncFolder(dirname(file))
  } finally {
    await rm(temporary, { force: true })
  }
}

/** The highest plausible compression ratio of an export. */
const maxTimes = 250

/**
 * Creates a data folder from an export, with an identity of its own. The folder has to exist and be empty. When this rejects, the files
 * written so far remain, without the manifest that makes it a data folder.
 *
 * @throws `ExportFileError` when the file is damaged, of another version, or no export.
 */
export async function unpackExport(file: string, folder: string): Promise<ExportHead> {
  const source = readPieces(file)
  const write = (name: string, content: Pieces) => writePieces(join(folder, name), content)
  try {
    const head = parseHead(file, await source.line(longestHead))
    const { manifest, logs } = head
    await expectPlausible(file, head)
    for (const part of partsOf(manifest.files)) {
      const { checksum: sum } = await write(part.name, source.take(part.bytes))
      if (sum !== part.checksum) throw damaged(file, part.name)
    }
    const id = randomUUID()
    for (const [index, log] of logs.entries()) {
      const pieces: Buffer[] = []
      for await (const piece of source.take(log.bytes)) pieces.push(piece)
      const content = Buffer.concat(pieces)
      if (checksum(content) !== log.checksum) throw damaged(file, log.name)
      await write(log.name, [renamedLog(content, { folder: id, log: manifest.firstLog + index })])
    }
    await source.end()
    await writeManifest(folder, { ...manifest, folder: id })
    return head
  } finally {
    source.close()
  }
}

/** Rejects an export that claims an implausible size, since it may have been made to fill the disk. */
async function expectPlausible(file: string, { manifest, logs }: ExportHead): Promise<void> {
  const { size } = await stat(file)
  const claimed = [...partsOf(manifest.files), ...logs].reduce((sum, { bytes }) => sum + bytes, 0)
  if (claimed > 64 * 1024 * 1024 + maxTimes * size)
    throw new ExportFileError(file, `its ${size} bytes claim to hold ${claimed}`)
}

/** The parts in the order of an export. */
function partsOf(files: Record<string, WrittenFile>): WrittenFile[] {
  return Object.keys(files)
    .sort()
    .map((part) => files[part]!)
}

/** A log with its first line, which names the folder, replaced. */
function renamedLog(content: Buffer, head: LogRecord): Buffer {
  const end = content.indexOf('\n') + 1
  return Buffer.concat([Buffer.from(frame(head)), content.subarray(end)])
}

function damaged(file: string, name: string): ExportFileError {
  return new ExportFileError(file, `its ${name} is not as it was written: the checksum differs`)
}

/** Reads a compressed file piece by piece: its first line, then a given number of bytes at a time. */
function readPieces(file: string) {
  const unzip = createGunzip()
  pipeline(createReadStream(file), unzip).catch(() => {}) // the reader gets the error
  const plain: AsyncIterator<Buffer> = unzip[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  const more = async (): Promise<boolean> => {
    try {
      const { done, value } = await plain.next()
      if (done) return false
      rest = rest.length === 0 ? value : Buffer.concat([rest, value])
      return true
    } catch (cause) {
      const { syscall, message } = cause as NodeJS.ErrnoException
      const why = syscall === undefined ? `it is damaged, or no export (${message})` : message
      throw new ExportFileError(file, why)
    }
  }
  const tooShort = () => new ExportFileError(file, 'it ends too early')
  return {
    /** The first line, with its line feed. */
    async line(longest: number): Promise<Buffer> {
      for (;;) {
        const end = rest.indexOf('\n') + 1
        if (end > 0) {
          const line = rest.subarray(0, end)
          rest = rest.subarray(end)
          return line
        }
        if (rest.length > longest || !(await more())) throw tooShort()
      }
    },
    async *take(bytes: number): AsyncGenerator<Buffer> {
      for (let missing = bytes; missing > 0; ) {
        if (rest.length === 0 && !(await more())) throw tooShort()
        const piece = rest.subarray(0, missing)
        rest = rest.subarray(piece.length)
        missing -= piece.length
        yield piece
      }
    },
    async end(): Promise<void> {
      if (rest.length > 0 || (await more()))
        throw new ExportFileError(file, 'it holds more than it names')
    },
    close: () => unzip.destroy(),
  }
}
