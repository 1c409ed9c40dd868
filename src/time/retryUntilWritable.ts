import { UnwritableError } from '../lib/errors.js'
import { yieldFor } from './backgroundTasks.js'
import { realWait } from './clock.js'

/** Milliseconds of real time between two attempts. */
const retryAfterMs = 500

/**
 * Retries work while the disk refuses its writes, for background work: it has no response to carry the error. Rejects with the last error
 * when `signal` is aborted.
 */
export async function retryUntilWritable<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof UnwritableError)) throw error
      if (!(await yieldFor(realWait(retryAfterMs, signal)))) throw error
    }
  }
}
