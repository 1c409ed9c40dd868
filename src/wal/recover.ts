import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DataFolderError } from './dataFolderError.js'
import { checksum, unframe } from './frames.js'
import type { Manifest, WrittenFile } from './manifest.js'

/** A line of a log. The first one says which log of which folder it is. */
export type LogRecord =
  | { folder: string; log: number }
  | { part: string; change: unknown }
  | { part: string; cut: number }

/** What a data folder holds. */
export interface Recovered {
  /** Path of the file of each part that was written down. */
  files: Partial<Record<string, string>>
  /** What has changed of each part since, in order. */
  changes: Partial<Record<string, unknown[]>>
  /** Whether nothing was ever written here. */
  isNew: boolean
  /** Another one at each opening; empty for a new folder. */
  mark: string
  /** What a clean end would not have left, for people. */
  remarks: string[]
}

/** The last log, and how much of it is whole. */
interface LastLog {
  number: number
  wholeBytes: number
}

export const logName = (number: number): string => `log-${number}.wal`

/**
 * Reads everything that a manifest stands for, and changes nothing.
 *
 * @throws `DataFolderError` when a file is missing, damaged or not of this folder.
 */
export async function recover(
  folder: string,
  manifest: Manifest,
  isNew: boolean,
): Promise<{ recovered: Recovered; last: LastLog | undefined }> {
  await Promise.all(Object.values(manifest.files).map((file) => expectFile(folder, file)))
  const { records, last, remarks } = await readLogs(folder, manifest)
  const files = Object.entries(manifest.files).map(([part, { name }]) => [part, join(folder, name)])
  return {
    recovered: {
      files: Object.fromEntries(files),
      changes: changesAfterCuts(records, manifest.checkpoint),
      isNew,
      mark: last ? `${last.number}-${last.wholeBytes}` : '',
      remarks,
    },
    last,
  }
}

async function readLogs(folder: string, manifest: Manifest) {
  const records: LogRecord[] = []
  const remarks: string[] = []
  let last: LastLog | undefined
  for (let number = manifest.checkpoint; ; number++) {
    const content = await readIfThere(join(folder, logName(number)))
    if (content === undefined) break
    if (last && remarks.length > 0)
      throw damaged(
        folder,
        logName(last.number),
        'ends in the middle of a line, and another log follows',
      )
    const { records: own, wholeBytes, rest } = unframe(content)
    const [head, ...others] = own as LogRecord[]
    // Made, and nothing written yet: the end came in between.
    if (head === undefined && rest !== 'damaged') break
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
    last = { number, wholeBytes }
  }
  if (!last && manifest.checkpoint > 0)
    throw damaged(folder, logName(manifest.checkpoint), 'is missing or empty')
  return { records, last, remarks }
}

/** What came before a part was written down is in its file. */
function changesAfterCuts(records: readonly LogRecord[], checkpoint: number) {
  const changes: Partial<Record<string, unknown[]>> = {}
  for (const record of records) {
    if ('folder' in record) continue
    if ('cut' in record) {
      if (record.cut === checkpoint) changes[record.part] = []
      continue
    }
    const own = changes[record.part] ?? []
    own.push(record.change)
    changes[record.part] = own
  }
  return changes
}

async function expectFile(folder: string, file: WrittenFile): Promise<void> {
  const path = join(folder, file.name)
  let [bytes, sum] = [0, checksum('')]
  try {
    for await (const piece of createReadStream(path, {
      highWaterMark: 1 << 20,
    }) as AsyncIterable<Buffer>) {
      bytes += piece.length
      sum = checksum(piece, Number.parseInt(sum, 16))
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw damaged(folder, file.name, 'is missing')
    throw error
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
