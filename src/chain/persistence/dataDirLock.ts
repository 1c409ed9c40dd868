import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pTimeout from 'p-timeout'
import { linkOrCopy } from '../../lib/files/linkOrCopy.js'
import { makeFolder } from '../../lib/files/makeFolder.js'
import { canBeSignalled, type ProcessTable, procTable, psTable } from '../../lib/processTable.js'

/** The right to use a data directory. */
export interface DataDirLock {
  /**
   * True when the previous run did not release the directory, because it was killed or did not end in time.
   */
  readonly previousRunWasUnclean: boolean
  /**
   * Rejects when the directory no longer belongs to this process: it was moved or deleted, or another process took it over while this one
   * was suspended. Recreates a deleted lock file.
   */
  expectHeld(): Promise<void>
  /** Announces work that ends with the release, so that other simulators of this process wait for it. */
  isReleasedBy(ending: Promise<void>): void
  /**
   * Releases the directory and marks this run as ended cleanly. Call it after the last write. Safe to call twice.
   */
  release(): Promise<void>
}

/** The content of the lock file: who holds it. */
interface Holder {
  pid: number
  /** Identifies one lock: inside containers, an earlier process usually had the same pid. */
  run: string
  /** When the process started, by the system, which distinguishes it from later ones with its pid. Absent if unknown. */
  startedAt?: string
  /** The kernel and the pid namespace of the pid, by Linux: unique to a container and a machine. */
  space?: { boot: string; pids: string }
}

/** How often a lock is touched, to show processes that cannot look up its holder that it is alive. */
const touchedEveryMs = 1_000
/** How long they wait for a touch. A simulator that is suspended for longer (a paused container) loses its folder. */
const patience = 5_000
/** Without hard links, a lock file may exist for this long before it has its content. Milliseconds. */
const writtenWithinMs = 100
/** The locks of this process. Those being released have a promise of whether that succeeded. */
const runsHere = new Map<string, Promise<boolean> | undefined>()

/**
 * Takes the directory for this process, creating it when absent. Two simulators in one directory would overwrite each
 * other's state. The lock of a process that no longer runs is taken over, even if another process has its pid now. A process of
 * another container or machine cannot be looked up: its lock is taken over when it was not touched for `patienceMs`. The same time is
 * given to a simulator of this process that is being closed.
 *
 * @throws `DataDirBusyError` when another simulator uses the directory, `DataDirError` when it cannot be created or written.
 */
export async function lockDataDir(dir: string, patienceMs = patience): Promise<DataDirLock> {
  await makeFolder(dir).catch((cause) => {
    throw new DataDirError(dir, 'made', cause)
  })
  const path = join(dir, lockName)
  const run = randomUUID()
  runsHere.set(run, undefined)
  const previousRunWasUnclean = await take(dir, path, run, patienceMs).catch((cause) => {
    runsHere.delete(run)
    if (cause instanceof DataDirBusyError) throw cause
    throw new DataDirError(dir, 'used', cause)
  })
  const touching = setInterval(() => {
    const now = new Date()
    void utimes(path, now, now).catch(() => {}) // of a folder that is gone
  }, touchedEveryMs)
  touching.unref()
  let released: Promise<void> | undefined
  const giveBack = async (): Promise<void> => {
    if ((await read(path))?.run === run) await rm(path, { force: true })
  }
  return {
    previousRunWasUnclean,
    async expectHeld() {
      const holder = await read(path)
      if (holder?.run === run) return
      // Recreate a lock file that was deleted by hand.
      if (holder !== undefined || !(await create(path, run)))
        throw new FolderLost(`another process has taken it over, as ${path} says`)
    },
    isReleasedBy(ending) {
      const given = ending.then(
        () => true,
        () => false,
      )
      if (runsHere.has(run)) runsHere.set(run, given)
    },
    release() {
      clearInterval(touching)
      released ??= giveBack().finally(() => runsHere.delete(run))
      return released
    },
  }
}

/** Creates the lock file; true when a dead process had left one behind. */
async function take(dir: string, path: string, run: string, patienceMs: number): Promise<boolean> {
  let wasLeft = false
  while (!(await create(path, run))) {
    const holder = await read(path)
    if (holder === undefined) continue // released just now
    if (await isGivenBack(holder, patienceMs)) continue
    await expectDead(dir, path, holder, patienceMs)
    wasLeft = true
    await removeStale(dir, path, run, holder)
  }
  return wasLeft
}

/**
 * Creates the lock file with its content in one step: a link fails when the name is taken, and nobody can read a half-written file.
 * Without hard links that is possible, so `read` looks twice. False when the name is taken.
 */
async function create(path: string, run: string): Promise<boolean> {
  const own = `${path}.${run}`
  try {
    await writeFile(own, JSON.stringify(holderHere(run)))
    await linkOrCopy(own, path)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  } finally {
    await rm(own, { force: true })
  }
}

/**
 * Removes the lock of a dead process. Two starting simulators may both have seen it, and the slower one must not remove the new lock of
 * the faster one. So a simulator has to hold a second lock to remove the first, and checks again before it does.
 */
async function removeStale(dir: string, path: string, run: string, dead: Holder): Promise<void> {
  const takeover = `${path}.takeover`
  if (!(await create(takeover, run))) {
    const rival = await read(takeover)
    if (rival === undefined) return
    await expectDead(dir, takeover, rival, patience)
    return removeStale(dir, takeover, run, rival) // it died while it took over
  }
  try {
    if ((await read(path))?.run === dead.run) await rm(path, { force: true })
  } finally {
    await rm(takeover, { force: true })
  }
}

/** Whether a simulator of this process that is being closed releases its lock in time. */
async function isGivenBack({ pid, run }: Holder, patienceMs: number): Promise<boolean> {
  const given = pid === process.pid ? runsHere.get(run) : undefined
  return given ? pTimeout(given, { milliseconds: patienceMs, fallback: () => false }) : false
}

/** Throws `DataDirBusyError` when the holder of a lock still runs. */
async function expectDead(
  dir: string,
  path: string,
  holder: Holder,
  patienceMs: number,
): Promise<void> {
  const here = spaceHere()
  const { pid, space } = holder
  const isElsewhere = here && space && (space.boot !== here.boot || space.pids !== here.pids)
  if (!isElsewhere) {
    if (isRunning(holder)) throw new DataDirBusyError(dir, pid, path)
    return
  }
  const place =
    space.boot === here.boot ? 'another container' : 'another machine or an earlier boot'
  if (await isTouched(path, patienceMs)) throw new DataDirBusyError(dir, pid, path, place)
}

/** Whether the file is touched or released in time. */
async function isTouched(path: string, patienceMs: number): Promise<boolean> {
  const touchedAt = () =>
    stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    )
  const before = await touchedAt()
  for (let waited = 0; waited < patienceMs; waited += 100) {
    await wait(100)
    const now = await touchedAt()
    if (now === undefined) return false
    if (now !== before) return true
  }
  return false
}

/** Undefined when the file is gone. A file that cannot be parsed counts as left by a dead process. */
async function read(path: string, isSecond = false): Promise<Holder | undefined> {
  try {
    const holder = JSON.parse(await readFile(path, 'utf8')) as Holder | null
    return typeof holder?.pid === 'number' ? holder : { pid: 0, run: '' }
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    if (!(error instanceof SyntaxError)) throw error
    if (isSecond) return { pid: 0, run: '' }
    await wait(writtenWithinMs)
    return read(path, true)
  }
}

/** The table of processes; undefined if there is none (Windows, a system without /proc). */
function findProcessTable(): ProcessTable | undefined {
  if (process.platform === 'win32') return undefined
  const table = process.platform === 'linux' ? procTable : psTable
  return table.find(process.pid) && table
}

function holderHere(run: string): Holder {
  const { pid } = process
  const startedAt = findProcessTable()?.find(pid)?.startedAt
  const space = spaceHere()
  return { pid, run, ...(startedAt && { startedAt }), ...(space && { space }) }
}

/** Undefined on systems other than Linux. */
function spaceHere(): Holder['space'] {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return { boot, pids: readlinkSync('/proc/self/ns/pid') }
  } catch {
    return undefined
  }
}

/** Whether a holder on this system still runs. If that cannot be known, it counts as running. */
function isRunning({ pid, run, startedAt }: Holder): boolean {
  if (pid === process.pid) return runsHere.has(run)
  if (!Number.isInteger(pid) || pid <= 0) return false
  const signalled = canBeSignalled(pid)
  if (signalled === 'no such process') return false
  const table = findProcessTable()
  if (!table) return true
  const entry = table.find(pid)
  // A process of this user that cannot be found has ended and was not reaped yet; those of other users may be hidden.
  if (!entry) return signalled === 'not by us'
  return startedAt === undefined || startedAt === entry.startedAt
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code
}

/** Name of the file that says which process uses a data directory. */
export const lockName = 'svc-sim.lock'

/** The data directory cannot be created or written. The message says why and what to do. */
class DataDirError extends Error {
  override name = 'DataDirError'
  constructor(dir: string, what: 'made' | 'used', cause: Error) {
    const { code } = cause as NodeJS.ErrnoException
    const why = (code && reasons[code]) || cause.message
    const cure = code && cures[code] ? `${cures[code]}, or choose` : 'Choose'
    super(`The data directory ${dir} cannot be ${what}: ${why}. ${cure} another --data-dir.`, {
      cause,
    })
  }
}

/** The meaning of system error codes for a folder. */
const reasons: Record<string, string> = {
  EACCES: 'this user may not write there (EACCES)',
  EPERM: 'this user may not write there (EPERM)',
  EEXIST: 'something that is no folder has its name (EEXIST)',
  ENOTDIR: 'a part of its path is no folder (ENOTDIR)',
  ENOENT: 'no folder can be made there (ENOENT)',
  EROFS: 'the file system is read-only (EROFS)',
  ENOSPC: 'the disk is full (ENOSPC)',
  EISDIR: `a folder has the name of its lock file, ${lockName} (EISDIR)`,
}

/** What to do about them, if anything. */
const cures: Record<string, string> = {
  EROFS: 'Mount it for writing',
  ENOSPC: 'Free some space on the disk',
}

/** Another simulator uses the data directory. */
export class DataDirBusyError extends Error {
  override name = 'DataDirBusyError'
  readonly pid: number
  /** `place`: where the process runs, if it cannot be looked up from here. */
  constructor(dir: string, pid: number, lockFile: string, place?: string) {
    const inCase = place
      ? `It updates ${lockFile} every second, so the lock is not a leftover.`
      : `If process ${pid} is not a simulator, delete ${lockFile} and start again.`
    super(
      `The data directory ${dir} is in use by process ${pid}${place ? ` of ${place}` : ''}. ` +
        `Stop that process, or choose another --data-dir. ${inCase}`,
    )
    this.pid = pid
  }
}

/** The data directory no longer belongs to this process. `code` as in system errors, so that callers say what to do. */
class FolderLost extends Error {
  override name = 'FolderLost'
  readonly code = 'LOST'
}
