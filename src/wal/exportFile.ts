import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { syncFolder } from '../lib/files/durableFile.js'
import { linkOrCopy } from '../lib/files/linkOrCopy.js'
import { type Pieces, writePieces } from './checkpointFile.js'
import { checksum, frame, unframe } from './frames.js'
import {
  layoutVersion,
  type Manifest,
  manifestFormat,
  readAnyManifest,
  type WrittenFile,
  writeManifest,
} from './manifest.js'
import { expectUnused, type LogRecord, logName, type Recovered, recover } from './recover.js'

export interface FolderContents {
  manifest: Manifest
  recovered: Recovered
  /** Its logs in order, with the length of the intact part of each. */
  logs: readonly { name: string; bytes: number }[]
}

/**
 * Reads a whole data folder, of any origin, without changing it. Undefined when there is none.
 *
 * @throws `DataFolderError` when a file is missing, damaged, of another folder or of another version.
 */
export async function readContents(folder: string): Promise<FolderContents | undefined> {
  const manifest = await readAnyManifest(folder)
  if (!manifest) {
    await expectUnused(folder, await readdir(folder))
    return undefined
  }
  const { recovered, logs } = await recover(folder, manifest, false)
  const whole = [...logs!.bytes].map(([number, bytes]) => ({ name: logName(number), bytes }))
  return { manifest, recovered, logs: whole }
}

/** The layout of an export. A change that older code would misread increments it. */
const exportVersion = 1
const exportFormat = 'svc-sim-export'

/**
 * The first line of an export, framed like a line of a log. It is followed by the contents of the parts, in the order of their names, and
 * the logs. The whole file is compressed with gzip.
 */
interface ExportHead {
  format: typeof exportFormat
  version: typeof exportVersion
  /** Version of svc-sim that wrote it. */
  madeBy: string
  manifest: Manifest
  logs: { name: string; bytes: number; checksum: string }[]
}

/** An export cannot be used, and nothing was changed. The message says why and what to do. */
export class ExportFileError extends Error {
  override name = 'ExportFileError'
  constructor(file: string, why: string, cure = 'Take another copy of it, or export again.') {
    super(`The export ${file} cannot be used: ${why}. Nothing was changed. ${cure}`)
  }
}

const longestHead = 1 << 20

/** Parses the first line. Its names and sizes are checked, since an export may come from anybody. */
function parseHead(file: string, line: Buffer): ExportHead {
  const [firstRecord] = unframe(line).records
  const said = z
    .object({ format: z.literal(exportFormat), version: z.number() })
    .safeParse(firstRecord)
  if (!said.success)
    throw new ExportFileError(file, 'its first line is not that of an export, or is damaged')
  if (said.data.version !== exportVersion) throw otherVersion(file, said.data.version)
  if ((firstRecord as { archives?: unknown }).archives !== undefined)
    throw new ExportFileError(
      file,
      'it holds old blocks in files of their own, which this svc-sim does not read',
      otherVersionCure,
    )
  const head = headSchema.safeParse(firstRecord)
  if (!head.success) {
    const [issue] = head.error.issues
    throw new ExportFileError(
      file,
      `its first line is malformed (${issue?.path.join('.')}: ${issue?.message})`,
    )
  }
  const { manifest, logs } = head.data
  if (manifest.version !== layoutVersion) throw otherVersion(file, manifest.version)
  // Only names of a data folder's own files may reach the disk.
  const { files, firstLog } = manifest
  const names = [
    ...Object.entries(files).map(([part, { name, cut }]) => [name, partFile(part, cut)]),
    ...logs.map(({ name }, index) => [name, logName(firstLog + index)]),
  ]
  const wrong = names.find(([name, expected]) => name !== expected)
  if (wrong) throw new ExportFileError(file, `it holds a file ${JSON.stringify(wrong[0])}`)
  return head.data
}

/** The file name of a part's checkpoint. */
function partFile(part: string, cut: number): string {
  return `${part}-${cut}.data`
}

function otherVersion(file: string, version: number): ExportFileError {
  return new ExportFileError(
    file,
    `it has version ${version}, which this svc-sim does not read`,
    otherVersionCure,
  )
}

const otherVersionCure = 'Start the version of svc-sim that made it.'

const content = z.object({
  name: z.string(),
  bytes: z.int().nonnegative(),
  checksum: z.string().regex(/^[0-9a-f]{8}$/),
})

const headSchema = z.object({
  format: z.literal(exportFormat),
  version: z.literal(exportVersion),
  madeBy: z.string(),
  manifest: z.object({
    format: z.literal(manifestFormat),
    version: z.int(),
    folder: z.string(),
    worldHash: z.string(),
    anvilVersion: z.string(),
    forks: z
      .record(z.string().regex(/^[a-z]+$/), z.object({ block: z.int(), hash: z.string() }))
      .optional(),
    firstLog: z.int().nonnegative(),
    files: z.record(z.string().regex(/^[a-z]+$/), content.extend({ cut: z.int() })),
  }),
  logs: z.array(content).min(1),
})

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

function partsOf(files: Record<string, WrittenFile>): WrittenFile[] {
  return Object.keys(files)
    .sort()
    .map((part) => files[part]!)
}

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
