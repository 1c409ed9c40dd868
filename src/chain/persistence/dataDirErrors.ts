/** Name of the file that says which process uses a data directory. */
export const lockName = 'svc-sim.lock'

/** The data directory cannot be created or written. The message says why and what to do. */
export class DataDirError extends Error {
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
export class FolderLost extends Error {
  override name = 'FolderLost'
  readonly code = 'LOST'
}
