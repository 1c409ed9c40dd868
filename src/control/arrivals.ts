import pTimeout from 'p-timeout'
import { serialQueue } from '../lib/serialQueues.js'
import type { BackgroundTasks } from '../time/backgroundTasks.js'
import type { Clock, ClockMode } from '../time/clock.js'
import { patienceMs } from './systemLock.js'

/**
 * Gives work a place in the order of the calls, where the clock stands still. `comes` resolves when all work before it has ended, and what
 * it has started is at rest. So requests of one moment take effect in their order, whichever node answers first. None waits longer than
 * ten seconds for one that hangs. While the clock runs it resolves at once.
 */
export type InOrderOfArrival = <T>(work: (comes: () => Promise<void>) => Promise<T>) => Promise<T>

export function createArrivals(
  clock: Clock & { readonly mode: ClockMode },
  tasks: Pick<BackgroundTasks, 'settled'>,
): InOrderOfArrival {
  const inTurn = serialQueue()
  return (work) => {
    if (clock.mode === 'real') return work(async () => {})
    let come = (): void => {}
    const turn = new Promise<void>((resolve) => {
      come = resolve
    })
    const working = work(async () => {
      await turn
      await tasks.settled()
    })
    const ended = working.then(
      () => {},
      () => {},
    )
    void inTurn(() => {
      come()
      return pTimeout(ended, { milliseconds: patienceMs, fallback() {} })
    })
    return working
  }
}
