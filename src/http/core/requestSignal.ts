import type { ServerResponse } from 'node:http'
import type { SystemLock } from '../../control/systemLock.js'

/** Aborts when the client has gone or the server stops; with a lock, also when the world has been restored. */
export function requestSignal(
  res: ServerResponse,
  stopping: AbortSignal,
  lock?: Pick<SystemLock, 'onReplaced'>,
): { signal: AbortSignal; release(): void } {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  if (stopping.aborted || res.destroyed) abort()
  stopping.addEventListener('abort', abort, { once: true })
  res.once('close', abort)
  const unsubscribe = lock?.onReplaced(abort)
  return {
    signal: controller.signal,
    release() {
      stopping.removeEventListener('abort', abort)
      res.removeListener('close', abort)
      unsubscribe?.()
    },
  }
}
