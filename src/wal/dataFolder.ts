import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { serialQueue } from '../lib/serialQueues.js'
import { unwritable } from './dataFolderError.js'
import type { DataLog, LoggedPart } from './dataLog.js'
import { frame } from './frames.js'
import { createGroupWrites } from './groupWrites.js'
import { type LogFile, openLogFile, writeFileWhole } from './logFile.js'
import {
  type Manifest,
  newManifest,
  type Origin,
  readManifest,
  type WrittenFile,
  writeManifest,
} from './manifest.js'
import { type LogRecord, logName, type Recovered, recover } from './recover.js'

/** The log of a folder that is in use. */
export interface DataFolder extends DataLog {
  readonly recovered: Recovered
  /** From here on these parts are written down; the first checkpoint has to follow. */
  keep(parts: readonly LoggedPart[]): void
  /** How much has been appended since the last checkpoint. */
  readonly growth: { records: number; bytes: number }
  /** Resolves when everything is on the disk and the files are closed. */
  close(): Promise<void>
}

/**
 * Opens a data folder that nobody else uses, and reads what it holds. The end of a write that was interrupted is cut off.
 *
 * @throws `DataFolderError` when a file is missing, damaged, of another folder or of another version.
 */
export async function openDataFolder(folder: string, origin: Origin): Promise<DataFolder> {
  const found = await readManifest(folder, origin)
  const manifest = found ?? newManifest(origin)
  const { recovered, last } = await recover(folder, manifest, !found)
  if (!found) await writeManifest(folder, manifest)
  const log = last
    ? await openLogFile(join(folder, logName(last.number)), last.wholeBytes)
    : await beginLog(folder, manifest.folder, manifest.checkpoint)
  const number = last?.number ?? manifest.checkpoint
  return new OpenFolder({ folder, manifest, recovered, log, number })
}

class OpenFolder implements DataFolder {
  readonly recovered: Recovered
  readonly growth = { records: 0, bytes: 0 }
  private readonly folder: string
  private manifest: Manifest
  private log: LogFile
  private number: number
  private parts: readonly LoggedPart[] = []
  private readonly inTurn = serialQueue()
  private readonly writes = createGroupWrites((text) => this.log.append(text))

  constructor(opened: {
    folder: string
    manifest: Manifest
    recovered: Recovered
    log: LogFile
    number: number
  }) {
    this.folder = opened.folder
    this.manifest = opened.manifest
    this.recovered = opened.recovered
    this.log = opened.log
    this.number = opened.number
  }

  keep(parts: readonly LoggedPart[]): void {
    this.parts = parts
  }

  append(part: string, change: unknown, undo?: () => void): Promise<void> {
    return this.write({ part, change }, undo)
  }

  settled(): true | Promise<boolean> {
    return this.writes.settled()
  }

  checkpoint(): Promise<void> {
    return this.inTurn(() => this.writeDown())
  }

  async close(): Promise<void> {
    await this.writes.settled()
    await this.log.close()
  }

  private async write(record: LogRecord, undo?: () => void): Promise<void> {
    const text = frame(record)
    this.growth.records++
    this.growth.bytes += text.length
    await this.writes.add(text, undo).catch((cause) => {
      throw unwritable(this.folder, cause)
    })
  }

  /** A new log, then every part, then the manifest, which is what makes it count; last the old files go. */
  private async writeDown(): Promise<void> {
    const number = this.number + 1
    try {
      await this.writes.between(() => this.nextLog(number))
      Object.assign(this.growth, { records: 0, bytes: 0 })
      const written = await Promise.all(
        this.parts.map(async (part) => [part.name, await this.writePart(part, number)] as const),
      )
      const files = Object.fromEntries(written)
      const manifest = { ...this.manifest, checkpoint: number, files }
      await writeManifest(this.folder, manifest)
      this.manifest = manifest
    } catch (cause) {
      throw unwritable(this.folder, cause)
    }
    await this.removeOld()
  }

  private async nextLog(number: number): Promise<void> {
    const log = await beginLog(this.folder, this.manifest.folder, number)
    await this.log.close().catch(() => {})
    this.log = log
    this.number = number
  }

  private async writePart(part: LoggedPart, number: number): Promise<WrittenFile> {
    const content = await part.content(() => this.write({ part: part.name, cut: number }))
    const name = `${part.name}-${number}.data`
    return { name, ...(await writeFileWhole(join(this.folder, name), content)) }
  }

  /** Files of earlier checkpoints, and of those that did not end. */
  private async removeOld(): Promise<void> {
    const needed = new Set(Object.values(this.manifest.files).map(({ name }) => name))
    const isOld = (name: string): boolean => {
      const [, kind, number] = /^(.+)-(\d+)\.(?:data|wal)$/.exec(name) ?? []
      if (kind === undefined || needed.has(name)) return false
      return kind === 'log' ? Number(number) < this.manifest.checkpoint : true
    }
    const names = await readdir(this.folder).catch(() => [])
    await Promise.all(
      names.filter(isOld).map((name) => rm(join(this.folder, name), { force: true })),
    ).catch(() => {}) // they are in nobody's way, and go the next time
  }
}

/** Makes a log and writes its first line. One of a failed checkpoint before is written over. */
async function beginLog(folder: string, id: string, number: number): Promise<LogFile> {
  const log = await openLogFile(join(folder, logName(number)), 0)
  try {
    await log.append(frame({ folder: id, log: number } satisfies LogRecord))
    return log
  } catch (error) {
    await log.close()
    throw error
  }
}
