import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The right to use a data directory. */
export interface DataDirLock {
  /**
   * True when the run before did not release the directory: it was killed, or failed while saving. What it did after
   * its last save is lost.
   */
  readonly previousRunWasUnclean: boolean
  /**
   * Gives the directory back and marks this run as ended cleanly. Call it when everything is saved, and not at all when
   * saving failed. Safe to call twice.
   */
  release(): Promise<void>
}

/** What the lock file says about who holds it. */
interface Holder {
  pid: number
  /** Tells this process from an earlier one with the same pid, which is the rule inside containers. */
  run: string
}

export const lockName = 'svc-sim.lock'
const thisRun: Holder = { pid: process.pid, run: randomUUID() }

/**
 * Takes the directory for this process, creating it when absent. Two simulators in one directory would overwrite each
 * other's state. The lock of a process that no longer runs is taken over.
 *
 * @throws `DataDirBusyError` when another simulator uses the directory.
 */
export async function lockDataDir(dir: string): Promise<DataDirLock> {
  await mkdir(dir, { recursive: true })
  const path = join(dir, lockName)
  let previousRunWasUnclean = false
  while (!(await create(path))) {
    const holder = await read(path)
    if (holder === undefined) continue // released just now
    if (isRunning(holder)) throw new DataDirBusyError(dir, holder.pid, path)
    previousRunWasUnclean = true
    await removeStale(dir, path)
  }
  let released: Promise<void> | undefined
  return {
    previousRunWasUnclean,
    release() {
      released ??= rm(path, { force: true })
      return released
    },
  }
}

/**
 * Makes the lock file appear with its content in one step: `link` fails when the name is taken, and nobody can read a
 * file that is only half written. False when somebody has it.
 */
async function create(path: string): Promise<boolean> {
  const own = `${path}.${thisRun.run}-${randomUUID()}`
  await writeFile(own, JSON.stringify(thisRun))
  try {
    await link(own, path)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  } finally {
    await unlink(own)
  }
}

/**
 * Removes the lock of a dead process. Two starting simulators may both have seen it; without care the slower one would
 * remove the new lock of the faster. So only who holds a second lock may remove, and looks again before it does.
 */
async function removeStale(dir: string, path: string): Promise<void> {
  const takeover = `${path}.takeover`
  if (!(await create(takeover))) {
    const rival = await read(takeover)
    if (rival === undefined) return
    throw new DataDirBusyError(dir, rival.pid, takeover)
  }
  try {
    const holder = await read(path)
    if (holder && !isRunning(holder)) await rm(path, { force: true })
  } finally {
    await rm(takeover, { force: true })
  }
}

/** Undefined when the file is gone. One that is not ours to understand counts as left by a dead process. */
async function read(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    if (error instanceof SyntaxError) return { pid: 0, run: '' }
    throw error
  }
}

function isRunning({ pid, run }: Holder): boolean {
  if (pid === process.pid) return run === thisRun.run
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isCode(error, 'EPERM') // it runs, as another user
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code
}

/** Another simulator uses the data directory. */
export class DataDirBusyError extends Error {
  override name = 'DataDirBusyError'
  readonly pid: number
  constructor(dir: string, pid: number, lockFile: string) {
    super(
      `The data directory ${dir} is in use by process ${pid}. Stop that process, or choose another --data-dir. ` +
        `If process ${pid} is not a simulator, delete ${lockFile} and start again.`,
    )
    this.pid = pid
  }
}
