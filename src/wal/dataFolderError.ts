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

/**
 * What a restore, a reset or the return of a chain ends with when it was carried out but cannot be written down: `cause` is what the
 * write ended with.
 */
export function notKept(folder: string, cause: unknown): ServiceError {
  const system = cause instanceof UnwritableError ? cause.cause : cause
  const { code, message } = system as NodeJS.ErrnoException
  const cure = (code !== undefined && cures[code]) || 'See to the disk'
  return new UnwritableError(
    'internal_error',
    `The data folder ${folder} cannot be written to (${message}); the running simulator has done what was asked, but a start from the folder would not have it`,
    {
      hint: `${cure}, and ask again. Until it is written down, everything else that changes something is refused.`,
      cause: system,
    },
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
