import { AsyncLocalStorage } from 'node:async_hooks'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { serialQueue } from '../lib/serialQueues.js'
import { notKept, unwritable } from './dataFolderError.js'
import type { DataLog, LoggedPart } from './dataLog.js'
import { frame, link } from './frames.js'
import { createGroupWrites } from './groupWrites.js'
import { type LogFile, openLogFile, writeFileWhole } from './logFile.js'
import {
  hasLinks,
  loadManifest,
  type Manifest,
  manifestName,
  newManifest,
  type Origin,
  type WrittenFile,
  writeManifest,
} from './manifest.js'
import { type LogRecord, type Logs, logName, ownFile, type Recovered, recover } from './recover.js'

/** The log of a folder that is in use. */
export interface DataFolder extends DataLog {
  readonly recovered: Recovered
  /** All the parts there are. Until then nothing can be written down whole. */
  keep(parts: readonly LoggedPart[]): void
  /** Resolves when everything is on the disk and the files are closed. */
  close(): Promise<void>
}

/**
 * Opens a data folder that nobody else uses, and reads what it holds. The end of a write that was interrupted is cut off.
 *
 * @param onProblem Hears of a checkpoint in the background that failed.
 * @param forks Where the chains of a new folder are forked; one that is there has its own.
 * @throws `DataFolderError` when a file is missing, damaged, of another folder or of another version.
 */
export async function openDataFolder(
  folder: string,
  origin: Origin,
  onProblem: (cause: Error) => void = () => {},
  forks?: Manifest['forks'],
): Promise<DataFolder> {
  const found = await loadManifest(folder, origin)
  const { end, ...manifest } = found ?? newManifest(origin, forks)
  const { recovered, logs } = await recover(folder, { ...manifest, end }, !found)
  const opened = { folder, manifest, recovered, onProblem }
  if (logs) {
    if (end) await writeManifest(folder, manifest) // from now on the log grows
    const log = await openLogFile(join(folder, logName(logs.last)), logs.bytes.get(logs.last)!)
    return new OpenFolder({ ...opened, log, logs })
  }
  const log = await beginLog(folder, manifest.folder, manifest.firstLog)
  await writeManifest(folder, manifest) // after its log, which is missed when it is not there
  const begun = { last: manifest.firstLog, bytes: new Map(), lastLink: 0 }
  return new OpenFolder({ ...opened, log, logs: begun })
}

/**
 * When everything is written down anew: when a part that takes in its changes slowly has so many of them, or so many for each byte of
 * its file, that a start would take twice as long; or when the log is so long.
 */
const writeDownAfter = { changes: 250, bytesOfFile: 10_000, bytes: 32 * 1024 * 1024 }

class OpenFolder implements DataFolder {
  readonly recovered: Recovered
  private readonly folder: string
  private manifest: Manifest
  private log: LogFile
  /** The last one is being written. */
  private readonly logs: Logs
  private parts: readonly LoggedPart[] = []
  /** Marks what belongs to the work of a `replace`, as long as that goes on. */
  private readonly replacer = new AsyncLocalStorage<{ isOver: boolean }>()
  private replacing: Promise<unknown> | undefined
  private lives = 0
  /** What was replaced has not been written down yet, so the log does not lead to what the parts hold. */
  private isStale = false
  /** The turn of what replaced everything last. */
  private restore: { isOver: boolean } | undefined
  /** Files that somebody may still need, by part, whatever is written down since. */
  private readonly held = new Map<string, string>()
  private readonly oneReplaces = serialQueue()
  private readonly oneWritesDown = serialQueue()
  private isWritingDown = false
  /** What has been appended since the last checkpoint began. */
  private growth: { changes: Map<string, number>; bytes: number }
  private readonly onProblem: (cause: Error) => void
  private readonly writes = createGroupWrites((texts) => this.appendLines(texts))

  constructor(opened: {
    folder: string
    manifest: Manifest
    recovered: Recovered
    log: LogFile
    logs: Logs
    onProblem: (cause: Error) => void
  }) {
    this.folder = opened.folder
    this.manifest = opened.manifest
    this.recovered = opened.recovered
    this.log = opened.log
    this.logs = opened.logs
    this.onProblem = opened.onProblem
    const counts = Object.entries(opened.recovered.changes).map(
      ([part, changes]) => [part, changes?.length ?? 0] as const,
    )
    this.growth = { changes: new Map(counts), bytes: 0 }
  }

  keep(parts: readonly LoggedPart[]): void {
    this.parts = parts
  }

  async append(part: string, change: unknown, undo?: () => void): Promise<void> {
    if (this.isReplacer) return
    if (this.isClosed) await this.opened()
    await this.write({ part, change }, undo)
    const { changes, bytes } = this.growth
    const count = (changes.get(part) ?? 0) + 1
    changes.set(part, count)
    if (count >= this.mostChanges(part) || bytes >= writeDownAfter.bytes) this.checkpointSoon()
  }

  private mostChanges(name: string): number {
    if (this.parts.find((part) => part.name === name)?.startsQuickly)
      return Number.POSITIVE_INFINITY
    const { changes, bytesOfFile } = writeDownAfter
    return Math.max(changes, (this.manifest.files[name]?.bytes ?? 0) / bytesOfFile)
  }

  private get isReplacer(): boolean {
    return this.replacer.getStore()?.isOver === false
  }

  get isClosed(): boolean {
    if (this.isReplacer) return false
    return this.replacing !== undefined || this.isStale
  }

  async opened(): Promise<void> {
    while (this.isClosed) {
      if (this.replacing) await this.replacing.catch(() => {})
      else await this.checkpoint()
    }
  }

  get life(): number {
    return this.lives
  }

  get isRestoring(): boolean {
    return this.restore !== undefined && (!this.restore.isOver || this.isStale)
  }

  hold(part: string): void {
    const file = this.manifest.files[part]
    if (file) this.held.set(part, file.name)
    else this.held.delete(part)
  }

  replace<T>(work: () => Promise<T>, everything?: 'everything'): Promise<T> {
    if (this.isReplacer) return work() // a part of what replaces already
    if (everything) this.lives++
    return this.oneReplaces(async () => {
      const turn = { isOver: false }
      if (everything) this.restore = turn
      const done = this.replacer
        .run(turn, () => this.afterWritingDown(work))
        .finally(async () => {
          turn.isOver = true
          this.isStale = true
          await this.checkpoint().catch((cause) => {
            throw notKept(this.folder, cause)
          })
        })
      this.replacing = done
      try {
        return await done
      } finally {
        this.replacing = undefined
      }
    })
  }

  /** A checkpoint under way would have some parts from before the work, and others from after it. */
  private async afterWritingDown<T>(work: () => Promise<T>): Promise<T> {
    await this.oneWritesDown(async () => {})
    return work()
  }

  settled(): true | Promise<boolean> {
    return this.writes.settled()
  }

  checkpoint(): Promise<void> {
    return this.oneWritesDown(async () => {
      this.isWritingDown = true
      await this.writeDown().finally(() => {
        this.isWritingDown = false
      })
    })
  }

  close(): Promise<void> {
    return this.oneWritesDown(async () => {
      await this.writes.settled()
      await this.log.close()
      // Versions that do not know of ends would leave it there.
      if (hasLinks(this.manifest)) await this.writeEnd()
      this.held.clear()
      await this.removeOld()
    })
  }

  private async writeEnd(): Promise<void> {
    const end = { log: this.logs.last, bytes: this.log.bytes }
    const manifest = { ...this.manifest, end }
    await writeManifest(this.folder, manifest).catch(() => {}) // then it is as after a sudden end
  }

  private async appendLines(texts: readonly string[]): Promise<void> {
    const { lines, last } = link(texts, hasLinks(this.manifest) ? this.logs.lastLink : undefined)
    await this.log.append(lines)
    this.logs.lastLink = last ?? 0
  }

  private async write(record: LogRecord, undo?: () => void): Promise<void> {
    const text = JSON.stringify(record)
    this.growth.bytes += text.length
    const { last, bytes } = this.logs
    bytes.set(last, (bytes.get(last) ?? 0) + text.length)
    await this.writes.add(text, undo).catch((cause) => {
      throw unwritable(this.folder, cause)
    })
  }

  /** In the background: nobody waits for it, and when it fails, the log goes on and it is tried again later. */
  private checkpointSoon(): void {
    const canBegin = this.parts.length > 0 && !this.isWritingDown && !this.isClosed
    if (canBegin) void this.checkpoint().catch(this.onProblem)
  }

  /** A new log, then every part, then the manifest, which is what makes it count; last the files go that are not needed. */
  private async writeDown(): Promise<void> {
    if (this.parts.length === 0) throw new Error('nothing is kept in the data folder yet')
    const number = this.logs.last + 1
    this.growth = { changes: new Map(), bytes: 0 }
    try {
      await this.writes.between(() => this.nextLog(number))
      const files = await this.writeParts(number)
      const firstLog = Math.min(...Object.values(files).map(({ cut }) => cut))
      const manifest = { ...this.manifest, firstLog, files }
      await writeManifest(this.folder, manifest)
      this.manifest = manifest
      this.isStale = false
      this.tellWritten(number)
    } catch (cause) {
      throw unwritable(this.folder, cause)
    } finally {
      await this.removeOld()
    }
  }

  private tellWritten(number: number): void {
    for (const { name, written } of this.parts) {
      const file = this.manifest.files[name]
      if (file?.cut === number) written?.(join(this.folder, file.name))
    }
  }

  /** Waits for all of them, also when one fails: nobody is to write to a file that goes. */
  private async writeParts(number: number): Promise<Record<string, WrittenFile>> {
    const writing = this.parts.map(
      async (part) => [part.name, await this.writePart(part, number)] as const,
    )
    await Promise.allSettled(writing)
    return Object.fromEntries(await Promise.all(writing))
  }

  private async nextLog(number: number): Promise<void> {
    await this.log.clean() // what follows in the next log must not be behind half a line
    const log = await beginLog(this.folder, this.manifest.folder, number)
    await this.log.close().catch(() => {})
    this.log = log
    this.logs.last = number
    this.logs.lastLink = 0
  }

  private async writePart(part: LoggedPart, number: number): Promise<WrittenFile> {
    const before = this.manifest.files[part.name]
    if (before && part.startsQuickly && !this.isStale && this.bytesSince(before) < before.bytes) {
      const changes = part.unlogged?.() ?? []
      await Promise.all(changes.map((change) => this.write({ part: part.name, change })))
      return before
    }
    const content = await part.content(async (changes = []) => {
      const written = [
        this.write({ part: part.name, cut: number }),
        ...changes.map((change) => this.write({ part: part.name, change })),
      ]
      await Promise.all(written)
    })
    const name = `${part.name}-${number}.data`
    return { name, cut: number, ...(await writeFileWhole(join(this.folder, name), content)) }
  }

  private bytesSince({ cut }: WrittenFile): number {
    let sum = 0
    for (const [number, bytes] of this.logs.bytes) if (number >= cut) sum += bytes
    return sum
  }

  /** Files of earlier checkpoints, and of those that did not end. */
  private async removeOld(): Promise<void> {
    const written = Object.values(this.manifest.files).map(({ name }) => name)
    const needed = new Set([...written, ...this.held.values()])
    const isOld = (name: string): boolean => {
      const [, kind, number] = ownFile.exec(name) ?? []
      if (kind === undefined || needed.has(name)) return false
      return kind === 'log' ? Number(number) < this.manifest.firstLog : true
    }
    const names = await readdir(this.folder).catch(() => [])
    await Promise.all(
      names.filter(isOld).map((name) => rm(join(this.folder, name), { force: true })),
    ).catch(() => {}) // they are in nobody's way, and go the next time
  }
}

/** Removes what `openDataFolder` made, and nothing else. */
export async function clearDataFolder(folder: string): Promise<void> {
  const own = (await readdir(folder)).filter((name) => ownFile.test(name))
  // The manifest last: without it there is no folder to open.
  for (const name of [...own, manifestName]) await rm(join(folder, name), { force: true })
}

/** Makes a log and writes its first line. One of a failed checkpoint before is written over. */
async function beginLog(folder: string, id: string, number: number): Promise<LogFile> {
  const path = join(folder, logName(number))
  const log = await openLogFile(path, 0)
  try {
    await log.append(frame({ folder: id, log: number } satisfies LogRecord))
    return log
  } catch (error) {
    await log.close()
    await rm(path, { force: true }).catch(() => {})
    throw error
  }
}
