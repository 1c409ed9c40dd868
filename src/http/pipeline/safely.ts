import type { HttpLog } from '../core/log.js'

/**
 * Runs bookkeeping (journal, coverage, log): whatever goes wrong there is logged, and reaches neither the answer nor the process.
 * Undefined when it failed.
 */
export function safely<T>(log: HttpLog, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    safeLog(log).error('bookkeeping failed; what was asked is not touched by it', error)
    return undefined
  }
}

/** A log that never throws: it may be anybody's. */
export function safeLog(log: HttpLog): HttpLog {
  const quiet = (write: () => void): void => {
    try {
      write()
    } catch {}
  }
  return {
    debug: (message) => quiet(() => log.debug(message)),
    error: (message, cause) => quiet(() => log.error(message, cause)),
    ...(log.request && { request: (line) => quiet(() => log.request?.(line)) }),
    ...(log.happened && { happened: (event) => quiet(() => log.happened?.(event)) }),
  }
}
