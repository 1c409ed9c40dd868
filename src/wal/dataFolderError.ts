import { ServiceError, UnwritableError } from '../lib/errors.js'

/** A data folder cannot be used. It was left as it was. The message names it, says why, and what to do. */
export class DataFolderError extends Error {
  override name = 'DataFolderError'
  constructor(folder: string, why: string, cure: string, options?: ErrorOptions) {
    super(
      `The data folder ${folder} cannot be used: ${why}. Nothing in it was changed. ${cure}`,
      options,
    )
  }
}

/** What a write to a data folder ends with when the disk does not take it. Nothing has changed then. */
export function unwritable(folder: string, cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause // of a write within the one that failed
  const { code, message } = cause as NodeJS.ErrnoException
  const cure = (code !== undefined && cures[code]) || 'See to the disk'
  return new UnwritableError(
    'internal_error',
    `The data folder ${folder} cannot be written to (${message}); nothing was changed`,
    { hint: `${cure}; then the same request succeeds. Reads go on as before.`, cause },
  )
}

const cures: Record<string, string> = {
  ENOSPC: 'Free some space on the disk',
  EDQUOT: 'Free some of the quota, or have it raised',
  EFBIG: 'Raise the limit for the size of files',
  EROFS: 'Mount the disk for writing',
  EACCES: 'Let the simulator write there',
  EPERM: 'Let the simulator write there',
}
