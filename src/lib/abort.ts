import { setMaxListeners } from 'node:events'

/** A controller whose signal may have any number of listeners: by default Node reports the eleventh as a leak. */
export function manyAborted(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}

/** Settles as the work does, but rejects with the signal's reason `graceMs` after an abort. The work itself continues. */
export function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  graceMs = 0,
): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const onAbort = (): void => {
      timer = setTimeout(() => reject(signal.reason), graceMs)
    }
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    })
  })
}
