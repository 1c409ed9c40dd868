import { UnwritableError } from '../lib/errors.js'
import { yieldFor } from './backgroundTasks.js'
import { realWait } from './clock.js'

/** How soon it is tried again. Milliseconds of the machine. */
const againAfterMs = 500

/**
 * Work that nobody can be told the failure of: as long as the disk does not take what it writes, it is tried again. Rejects with that
 * when it is given up.
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
      if (!(await yieldFor(realWait(againAfterMs, signal)))) throw error
    }
  }
}
