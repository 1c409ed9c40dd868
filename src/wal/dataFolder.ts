import { join } from 'node:path'
import { serialQueue } from '../lib/serialQueues.js'
import { writePieces } from './checkpointFile.js'
import { notPersisted, unwritable } from './dataFolderError.js'
import {
  type DataLog,
  type LoggedPart,
  type Replaced,
  Replacements,
  type Stale,
} from './dataLog.js'
import { beginLog, expectRoom, removeOldFiles } from './folderFiles.js'
import { link } from './frames.js'
import { createGroupWrites, type LogFile, openLogFile } from './logFile.js'
import {
  loadManifest,
  type Manifest,
  newManifest,
  type Origin,
  type WrittenFile,
  writeManifest,
} from './manifest.js'
import { type LogRecord, type Logs, logName, type Recovered, recover } from './recover.js'

export interface DataFolder extends DataLog {
  readonly recovered: Recovered
  /** Registers all parts. Until then there can be no checkpoint. */
  keep(parts: readonly LoggedPart[]): void
  /** Resolves when everything is on the disk and the files are closed. */
  close(): Promise<void>
}

export interface FolderOptions {
  /** Called when a checkpoint in the background has failed. */
  onProblem?: (cause: Error) => void
  /** The forks of a new folder; an existing one has its own. */
  forks?: Manifest['forks']
  /** Rejects when the folder no longer belongs to this process: then nothing is written there. */
  expectHeld?: () => Promise<void>
}

/**
 * Opens a data folder that nothing else uses, and reads its content. The remains of an interrupted write are cut off.
 * @throws `DataFolderError` when a file is missing, damaged, of another folder or of another version.
 */
export async function openDataFolder(
  folder: string,
  origin: Origin,
  { onProblem = () => {}, forks, expectHeld = async () => {} }: FolderOptions = {},
): Promise<DataFolder> {
  const existing = await loadManifest(folder, origin)
  const { end, ...manifest } = existing ?? newManifest(origin, forks)
  const { recovered, logs } = await recover(folder, { ...manifest, end }, !existing)
  const opened = { folder, manifest, recovered, onProblem, expectHeld }
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
 * When to make a checkpoint: when a part that replays slowly has so many changes, absolutely or for the size of its file, that a start
 * would take twice as long; or when the log is this long.
 */
const writeDownAfter = { changes: 250, bytesOfFile: 10_000, bytes: 32 * 1024 * 1024 }

/** With this many logs, even parts whose files could stay as they are get new ones. */
const maxLogs = 50
/** Milliseconds of the machine. */
const lookEveryMs = 1_000

class OpenFolder implements DataFolder {
  readonly recovered: Recovered
  private readonly folder: string
  private manifest: Manifest
  private log: LogFile
  /** The logs of the folder; the last one is being written. */
  private readonly logs: Logs
  private parts: readonly LoggedPart[] = []
  private readonly replacements = new Replacements({
    before: (replaced) => this.expectWritable(replaced),
    after: (stale) => this.writtenDown(stale),
    notPersisted: (cause) => notPersisted(this.folder, cause),
  })
  /** Files that must stay in spite of later checkpoints, by part. */
  private readonly held = new Map<string, string>()
  private readonly oneWritesDown = serialQueue()
  private isWritingDown = false
  /** The changes appended since the last checkpoint began. */
  private growth: { changes: Map<string, number>; bytes: number }
  private readonly onProblem: (cause: Error) => void
  private readonly expectHeld: () => Promise<void>
  /** When the folder last belonged to this process, by `performance.now()`. */
  private lookedAt = Number.NEGATIVE_INFINITY
  private readonly writes = createGroupWrites((texts) => this.appendLines(texts))

  constructor(opened: {
    folder: string
    manifest: Manifest
    recovered: Recovered
    log: LogFile
    logs: Logs
    onProblem: (cause: Error) => void
    expectHeld: () => Promise<void>
  }) {
    this.folder = opened.folder
    this.manifest = opened.manifest
    this.recovered = opened.recovered
    this.log = opened.log
    this.logs = opened.logs
    this.onProblem = opened.onProblem
    this.expectHeld = opened.expectHeld
    const counts = Object.entries(opened.recovered.changes).map(
      ([part, changes]) => [part, changes?.length ?? 0] as const,
    )
    this.growth = { changes: new Map(counts), bytes: 0 }
  }

  keep(parts: readonly LoggedPart[]): void {
    this.parts = parts
  }

  async append(part: string, change: unknown, undo?: () => void): Promise<void> {
    if (!this.partOf(part)?.onlyGrows) {
      if (this.replacements.takes(part)) return
      if (this.isClosed) await this.opened()
    }
    await this.write({ part, change }, undo)
    const { changes, bytes } = this.growth
    const count = (changes.get(part) ?? 0) + 1
    changes.set(part, count)
    if (count >= this.maxChanges(part) || bytes >= writeDownAfter.bytes) this.checkpointSoon()
  }

  leaveOut(part: string, what: string): Promise<void> {
    return this.write({ part, leftOut: what })
  }

  private maxChanges(name: string): number {
    if (this.partOf(name)?.startsQuickly) return Number.POSITIVE_INFINITY
    const { changes, bytesOfFile } = writeDownAfter
    return Math.max(changes, (this.manifest.files[name]?.bytes ?? 0) / bytesOfFile)
  }

  private partOf(name: string): LoggedPart | undefined {
    return this.parts.find((part) => part.name === name)
  }

  get isClosed(): boolean {
    return this.replacements.isClosed
  }

  opened(): Promise<void> {
    return this.replacements.opened()
  }

  get epoch(): number {
    return this.replacements.epoch
  }

  get isRestoring(): boolean {
    return this.replacements.isRestoring
  }

  replace<T>(work: () => Promise<T>, replaced: Replaced): Promise<T> {
    return this.replacements.run(work, replaced)
  }

  hold(part: string): void {
    const file = this.manifest.files[part]
    if (file) this.held.set(part, file.name)
    else this.held.delete(part)
  }

  settled(): true | Promise<boolean> {
    return this.writes.settled()
  }

  checkpoint(): Promise<void> {
    return this.writtenDown('everything')
  }

  private writtenDown(parts: Stale): Promise<void> {
    return this.oneWritesDown(async () => {
      this.isWritingDown = true
      await this.writeDown(parts).finally(() => {
        this.isWritingDown = false
      })
    })
  }

  close(): Promise<void> {
    return this.oneWritesDown(async () => {
      await this.writes.settled()
      const isOurs = await this.expectOurs().then(
        () => true,
        () => false,
      )
      await this.log.close()
      this.held.clear()
      if (!isOurs) return
      await this.writeEnd()
      await this.removeOld()
    })
  }

  private async writeEnd(): Promise<void> {
    const end = { log: this.logs.last, bytes: this.log.bytes }
    const manifest = { ...this.manifest, end }
    await writeManifest(this.folder, manifest).catch(() => {}) // otherwise the next start recovers as after a crash
  }

  /** Checks at most once a second that the folder is still the same one: writes to another place would be lost. */
  private async expectOurs(): Promise<void> {
    const now = performance.now()
    if (now - this.lookedAt < lookEveryMs) return
    await this.expectHeld()
    await this.log.expectThere()
    this.lookedAt = now
  }

  private async appendLines(texts: readonly string[]): Promise<void> {
    await this.expectOurs()
    const { lines, last } = link(texts, this.logs.lastLink)
    await this.log.append(lines)
    this.logs.lastLink = last
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

  /** Makes a checkpoint in the background. When it fails, the log goes on, and a later one tries again. */
  private checkpointSoon(): void {
    const canBegin = this.parts.length > 0 && !this.isWritingDown && !this.isClosed
    if (canBegin) void this.checkpoint().catch(this.onProblem)
  }

  /** Rejects when the replacement could not be persisted: the disk is full, or the log cannot be written. */
  private async expectWritable(replaced: Replaced): Promise<void> {
    // A checkpoint under way would have some parts from before the replacement, and others from after it.
    await this.oneWritesDown(async () => {})
    const files = Object.entries(this.manifest.files)
    const needed = files
      .filter(([part]) => replaced === 'everything' || replaced.includes(part))
      .reduce((sum, [, { bytes }]) => sum + bytes, 0)
    await expectRoom(this.folder, needed).catch((cause) => {
      throw unwritable(this.folder, cause)
    })
    await this.write({ replaces: replaced })
  }

  /** Makes a checkpoint: first a new log, then the parts, then the manifest, which makes it valid; last it removes old files. */
  private async writeDown(staleParts: Stale): Promise<void> {
    if (this.parts.length === 0) throw new Error('nothing is kept in the data folder yet')
    const number = this.logs.last + 1
    const parts = this.canKeepOthers ? staleParts : 'everything'
    if (parts === 'everything') this.growth = { changes: new Map(), bytes: 0 }
    else for (const part of parts) this.growth.changes.delete(part)
    await this.writes
      .between(() => this.nextLog(number))
      .catch((cause) => {
        throw unwritable(this.folder, cause)
      })
    try {
      const files = await this.writeParts(number, parts)
      const firstLog = Math.min(...Object.values(files).map(({ cut }) => cut))
      const manifest = { ...this.manifest, firstLog, files }
      await writeManifest(this.folder, manifest)
      this.manifest = manifest
      this.replacements.written(parts)
      this.reportWritten(number)
    } catch (cause) {
      throw unwritable(this.folder, cause)
    } finally {
      await this.removeOld()
    }
  }

  /** Whether other files may stay as they are: all exist, and are recent enough that a start need not read too many logs. */
  private get canKeepOthers(): boolean {
    const { firstLog, files } = this.manifest
    const areThere = this.parts.every(({ name }) => files[name] !== undefined)
    return areThere && this.logs.last - firstLog < maxLogs
  }

  private reportWritten(number: number): void {
    for (const { name, written } of this.parts) {
      const file = this.manifest.files[name]
      if (file?.cut === number) written?.(join(this.folder, file.name))
    }
  }

  /** Waits for all writes even when one fails: no writer may outlive its file. */
  private async writeParts(number: number, which: Stale): Promise<Record<string, WrittenFile>> {
    const writing = this.parts.map(async (part) => {
      const before = this.manifest.files[part.name]
      const stays = before && which !== 'everything' && !which.has(part.name)
      return [part.name, stays ? before : await this.writePart(part, number)] as const
    })
    await Promise.allSettled(writing)
    return Object.fromEntries(await Promise.all(writing))
  }

  private async nextLog(number: number): Promise<void> {
    await this.expectOurs()
    await this.log.clean() // the next log must not follow on half a line
    const log = await beginLog(this.folder, this.manifest.folder, number)
    await this.log.close().catch(() => {})
    this.log = log
    this.logs.last = number
    this.logs.lastLink = 0
  }

  private async writePart(part: LoggedPart, number: number): Promise<WrittenFile> {
    const before = this.manifest.files[part.name]
    if (before && this.canGoOn(part) && this.bytesSince(before) < before.bytes) {
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
    return { name, cut: number, ...(await writePieces(join(this.folder, name), content)) }
  }

  /** Whether the file of a part and its later changes in the log restore it as quickly as a new file would. */
  private canGoOn({ name, startsQuickly = false }: LoggedPart): boolean {
    const { stale } = this.replacements
    return startsQuickly && stale !== 'everything' && !stale?.has(name)
  }

  private bytesSince({ cut }: WrittenFile): number {
    let sum = 0
    for (const [number, bytes] of this.logs.bytes) if (number >= cut) sum += bytes
    return sum
  }

  private removeOld(): Promise<void> {
    const written = Object.values(this.manifest.files).map(({ name }) => name)
    const needed = new Set([...written, ...this.held.values()])
    return removeOldFiles(this.folder, needed, this.manifest.firstLog)
  }
}
