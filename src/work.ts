import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Knows whether the simulator is busy by itself: executions being relayed, bridges being filled. Whoever moves the clock waits
 * until it is not, so that everything that was due has happened.
 */
export interface Work {
  /** Runs work that counts as busy until it ends, except while it is parked. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when nothing is busy. */
  settled(): Promise<void>
}

/** One piece of work under way. */
interface Unit {
  parked: number
  run: Work['run']
  park(): void
  unpark(): void
}

const underWay = new AsyncLocalStorage<Unit>()

/**
 * Waits for something that is due at a time, or done by other work: the work that the caller is part of does not count as
 * busy meanwhile. Outside of work it just waits.
 */
export async function park<T>(event: Promise<T>): Promise<T> {
  const unit = underWay.getStore()
  unit?.park()
  try {
    return await event
  } finally {
    unit?.unpark()
  }
}

/** Like `Promise.all` of what the tasks do; each is work of its own, so that one may be parked while others are busy. */
export function inParallel<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const unit = underWay.getStore()
  return park(Promise.all(tasks.map((task) => (unit ? unit.run(task) : task()))))
}

export function createWork(): Work {
  let busy = 0
  const waiting = new Set<() => void>()
  const leave = (): void => {
    busy--
    if (busy > 0) return
    // Who was waited for may begin anew right after: looked at again when all that is due at once has run.
    setImmediate(() => {
      if (busy === 0) for (const wake of [...waiting]) wake()
    })
  }
  const run: Work['run'] = async (work) => {
    const unit: Unit = {
      parked: 0,
      run,
      park: () => {
        if (++unit.parked === 1) leave()
      },
      unpark: () => {
        if (--unit.parked === 0) busy++
      },
    }
    busy++
    try {
      return await underWay.run(unit, work)
    } finally {
      leave()
    }
  }
  const untilIdle = (): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        waiting.delete(wake)
        resolve()
      }
      waiting.add(wake)
    })
  return {
    run,
    async settled() {
      do {
        await new Promise<void>((resolve) => setImmediate(resolve))
        if (busy > 0) await untilIdle()
      } while (busy > 0)
    },
  }
}
