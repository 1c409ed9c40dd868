import { ServiceError, UnwritableError } from '../lib/errors.js'

/** A data folder cannot be used, and was not changed. The message names it, and says why and what to do. */
export class DataFolderError extends Error {
  override name = 'DataFolderError'
  constructor(folder: string, why: string, cure: string, options?: ErrorOptions) {
    super(
      `The data folder ${folder} cannot be used: ${why}. Nothing in it was changed. ${cure}`,
      options,
    )
  }
}

/** The error of a write that the disk does not accept. Nothing was changed. */
export function unwritable(folder: string, cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause // from a write within this one
  const hint = `${cureOf(cause)}; then the same request succeeds. Reads still work.`
  return new UnwritableError(folder, 'nothing was changed', hint, cause as Error)
}

/**
 * The error of a restore, a reset or a reverted chain that was carried out but cannot be persisted. `cause` is the error of the write.
 */
export function notPersisted(folder: string, cause: unknown): ServiceError {
  const system = cause instanceof UnwritableError ? cause.cause : cause
  return new UnwritableError(
    folder,
    'the running simulator has carried out the request, but a start from the folder would lack it',
    `${cureOf(system)}, and ask again. Until it is written down, everything else that changes something is refused.`,
    system as Error,
  )
}

/** The error of a removal that was carried out but cannot be persisted. Errors other than of the disk are returned unchanged. */
export function removedOnlyHere(cause: unknown): unknown {
  if (!(cause instanceof UnwritableError)) return cause
  const { folder, cause: system } = cause
  return new UnwritableError(
    folder,
    'it is removed, but a start from the folder would bring it back',
    `${cureOf(system)}, and ask again.`,
    system as Error,
  )
}

function cureOf(cause: unknown): string {
  const { code } = cause as NodeJS.ErrnoException
  return (code !== undefined && cures[code]) || 'See to the disk'
}

const cures: Record<string, string> = {
  LOST: 'End this simulator, and start it again',
  ENOENT: 'Put the folder back where it was, or end this simulator and start it again',
  ENOSPC: 'Free some space on the disk',
  EDQUOT: 'Free some of the quota, or have it raised',
  EFBIG: 'Raise the limit for the size of files',
  EROFS: 'Mount the disk for writing',
  EACCES: 'Let the simulator write there',
  EPERM: 'Let the simulator write there',
}
