import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { piecesOf } from './checkpointFile.js'
import { DataFolderError } from './dataFolderError.js'
import type { Replaced } from './dataLog.js'
import { checksum, unframe } from './frames.js'
import { type Manifest, manifestName, type WrittenFile } from './manifest.js'

/** A line of a log. The first one names the log and its folder. */
export type LogRecord =
  | { folder: string; log: number }
  | { part: string; change: unknown }
  | { part: string; cut: number }
  /** The previous change of the part was not carried out. */
  | { part: string; leftOut: string }
  /** Written before a replacement. If the log ends here, the replacement was not carried out. */
  | { replaces: Replaced }

export interface Recovered {
  /** Paths of the checkpoint files, by part. */
  files: Partial<Record<string, string>>
  /** The changes of each part since its checkpoint, in order. */
  changes: Partial<Record<string, unknown[]>>
  isNew: boolean
  /** Different at each opening; empty for a new folder. */
  mark: string
  /** Remarks for people about what a clean stop would not have left. */
  remarks: string[]
}

/** The intact length of each log, by its number, and the last log. */
export interface Logs {
  last: number
  bytes: Map<number, number>
  /** Checksum of the last link of the last log (`link` in frames.ts). */
  lastLink: number
}

/** Names of checkpoint files and logs. */
export const ownFile = /^([a-z]+)-(\d+)\.(?:data|wal)$/

/** Names of files in which earlier versions kept old blocks. A start without them would lose transactions. */
const oldBlocks = /^[a-z]+\.blocks$/

export const logName = (number: number): string => `log-${number}.wal`

/** Undefined when this is not the name of a log. */
function logNumber(name: string): number | undefined {
  const [, number] = /^log-(\d+)\.wal$/.exec(name) ?? []
  return number === undefined ? undefined : Number(number)
}

/**
 * Reads everything that a manifest names, without changing it.
 *
 * @throws `DataFolderError` when a file is missing, damaged or not of this folder.
 */
export async function recover(
  folder: string,
  manifest: Manifest,
  isNew: boolean,
): Promise<{ recovered: Recovered; logs: Logs | undefined }> {
  const names = await readdir(folder)
  const unread = names.find((name) => oldBlocks.test(name))
  if (unread !== undefined)
    throw new DataFolderError(
      folder,
      `${unread} holds old blocks, which this svc-sim does not read`,
      'Start the version of svc-sim that wrote it, or name another --data-dir.',
    )
  if (isNew) {
    await expectUnused(folder, names)
    const recovered = { files: {}, changes: {}, isNew, mark: '', remarks: [] }
    return { recovered, logs: undefined }
  }
  await Promise.all(Object.values(manifest.files).map((file) => expectFile(folder, file)))
  const { records, logs, remarks } = await readLogs(folder, manifest, names)
  const files = Object.entries(manifest.files).map(([part, { name }]) => [part, join(folder, name)])
  return {
    recovered: {
      files: Object.fromEntries(files),
      changes: changesAfterCuts(folder, manifest, records),
      isNew,
      mark: `${logs.last}-${logs.bytes.get(logs.last)}`,
      remarks,
    },
    logs,
  }
}

/**
 * A folder without a manifest may have an empty log, which is created first. Throws `DataFolderError` when it has more: then the manifest is
 * missing.
 */
export async function expectUnused(folder: string, names: readonly string[]): Promise<void> {
  const first = await readIfThere(join(folder, logName(0)))
  const isBegun = first !== undefined && unframe(first).records.length > 1
  if (isBegun || names.some((name) => ownFile.test(name) && name !== logName(0)))
    throw damaged(folder, manifestName, 'is missing')
}

async function readLogs(folder: string, manifest: Manifest, names: readonly string[]) {
  const records: LogRecord[] = []
  const remarks: string[] = []
  const bytes = new Map<number, number>()
  let lastLink = 0
  for (let number = manifest.firstLog; ; number++) {
    const content = await readIfThere(join(folder, logName(number)))
    if (content === undefined) break
    const { records: own, wholeBytes, rest, last } = unframe(content)
    const [head, ...others] = own as LogRecord[]
    // The process ended after it had created the log, before its first line.
    if (head === undefined && rest !== 'damaged') break
    if (remarks.length > 0)
      throw damaged(
        folder,
        logName(number - 1),
        'ends in the middle of a line, and another log follows',
      )
    if (rest === 'damaged')
      throw damaged(folder, logName(number), `is damaged after ${own.length} lines`)
    if (
      head === undefined ||
      !('folder' in head) ||
      head.folder !== manifest.folder ||
      head.log !== number
    )
      throw damaged(folder, logName(number), 'is not the log of that number of this folder')
    if (rest === 'torn')
      remarks.push(
        `the last line of ${logName(number)} was not written to its end; it was never acknowledged, and is cut off`,
      )
    for (const record of others) records.push(record)
    bytes.set(number, wholeBytes)
    lastLink = last
  }
  const missing = manifest.firstLog + bytes.size
  const isFollowed = names.some((name) => (logNumber(name) ?? 0) > missing)
  if (isFollowed || bytes.size === 0) throw damaged(folder, logName(missing), 'is missing or empty')
  const logs = { last: missing - 1, bytes, lastLink }
  expectEnd(folder, manifest, logs)
  return { records, logs, remarks }
}

/** The chain of checksums cannot detect lines that are missing at the end, but after a clean stop the manifest has the end. */
function expectEnd(folder: string, { end }: Manifest, { last, bytes }: Logs): void {
  if (!end) return
  if (last !== end.log)
    throw damaged(folder, logName(end.log), `was the last log, and now ${logName(last)} is`)
  const wholeBytes = bytes.get(last)
  if (wholeBytes !== end.bytes)
    throw damaged(
      folder,
      logName(last),
      `holds ${wholeBytes} whole bytes, and was left with ${end.bytes}: it has lost lines, or belongs to another copy of the folder`,
    )
}

/** The changes after the checkpoints: earlier ones are in the files. */
function changesAfterCuts(folder: string, manifest: Manifest, records: readonly LogRecord[]) {
  const { files } = manifest
  const uncut = new Set(Object.values(files))
  const changes: Partial<Record<string, unknown[]>> = {}
  for (const record of records) {
    if ('folder' in record || 'replaces' in record) continue
    if ('cut' in record) {
      const file = files[record.part]
      if (!file || record.cut !== file.cut) continue
      changes[record.part] = []
      uncut.delete(file)
      continue
    }
    if ('leftOut' in record) {
      changes[record.part]?.pop()
      continue
    }
    const own = changes[record.part] ?? []
    own.push(record.change)
    changes[record.part] = own
  }
  // Every checkpoint file has a cut in the logs; a missing one means that lines were lost.
  for (const { cut } of uncut) throw damaged(folder, logName(cut), 'has lost its end')
  return changes
}

async function expectFile(folder: string, file: WrittenFile): Promise<void> {
  const content = await piecesOf(join(folder, file.name))
  let [bytes, sum] = [0, checksum('')]
  if (content === null) throw damaged(folder, file.name, 'is missing')
  for await (const piece of content) {
    bytes += piece.length
    sum = checksum(piece, Number.parseInt(sum, 16))
  }
  if (bytes !== file.bytes)
    throw damaged(folder, file.name, `has ${bytes} bytes, and was written with ${file.bytes}`)
  if (sum !== file.checksum)
    throw damaged(folder, file.name, 'is not as it was written: its checksum differs')
}

function damaged(folder: string, name: string, why: string): DataFolderError {
  return new DataFolderError(
    folder,
    `${name} ${why}`,
    'Put back a copy of the folder, or name another --data-dir.',
  )
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
