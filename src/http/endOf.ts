import type { Response } from 'express'

/** A signal for a wait that is pointless once the client has gone or the server stops. */
export function endOf(
  res: Response,
  stopping: AbortSignal,
): { signal: AbortSignal; release(): void } {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  if (stopping.aborted || res.destroyed) abort()
  stopping.addEventListener('abort', abort, { once: true })
  res.once('close', abort)
  return {
    signal: controller.signal,
    release() {
      stopping.removeEventListener('abort', abort)
      res.removeListener('close', abort)
    },
  }
}
