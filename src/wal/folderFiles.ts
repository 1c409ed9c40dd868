import { readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { frame } from './frames.js'
import { type LogFile, openLogFile } from './logFile.js'
import { manifestName } from './manifest.js'
import { type LogRecord, logName, ownFile } from './recover.js'

/** Creates a log and writes its first line. Overwrites one left by a failed checkpoint. */
export async function beginLog(folder: string, id: string, number: number): Promise<LogFile> {
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

/** Removes the files of earlier and of failed checkpoints. */
export async function removeOldFiles(
  folder: string,
  needed: ReadonlySet<string>,
  firstLog: number,
): Promise<void> {
  const isOld = (name: string): boolean => {
    const [, kind, number] = ownFile.exec(name) ?? []
    if (kind === undefined || needed.has(name)) return false
    return kind === 'log' ? Number(number) < firstLog : true
  }
  const names = await readdir(folder).catch(() => [])
  await Promise.all(
    names.filter(isOld).map((name) => rm(join(folder, name), { force: true })),
  ).catch(() => {}) // they do no harm, and the next checkpoint tries again
}

/** Removes the files of `openDataFolder`, and nothing else. */
export async function clearDataFolder(folder: string): Promise<void> {
  const own = (await readdir(folder)).filter((name) => ownFile.test(name))
  // The manifest goes last: without it there is no folder to open.
  for (const name of [...own, manifestName]) await rm(join(folder, name), { force: true })
}

/** Bytes for a manifest, a new log and changes that arrive meanwhile. */
const roomBeside = 64 * 1024

/** Rejects, as a write would, when the disk has no room for this many bytes. */
export async function expectRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const needed = bytes + roomBeside
  if (free >= needed) return
  const message = `ENOSPC: ${free} bytes are free, and ${needed} are needed to write down what comes of it`
  throw Object.assign(new Error(message), { code: 'ENOSPC' })
}
