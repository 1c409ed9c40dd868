import pTimeout from 'p-timeout'
import { serialQueue } from '../lib/serialQueues.js'
import type { BackgroundTasks } from '../time/backgroundTasks.js'
import type { Clock, ClockMode } from '../time/clock.js'

/**
 * A read-write lock over the state of the whole system, so that no request sees a mixture of two states. Requests share it; a restore or
 * reset holds it exclusively.
 */
export interface SystemLock {
  /** Runs work that relies on one state, in parallel with others. `what` names it in `SystemBusyError`. Must not be nested. */
  shared<T>(what: string, work: () => Promise<T>): Promise<T>
  /** Runs work alone, after everything that has begun or waits already. Rejects with `SystemBusyError` before the work begins. */
  exclusive<T>(work: () => Promise<T>): Promise<T>
  /** Calls back when the state has been replaced, for waits outside the lock (long polls, streams). Returns the unsubscribe function. */
  onReplaced(listener: () => void): () => void
  /** Resolves when there is no exclusive holder, and refuses new ones: the simulator stops. */
  retire(): Promise<void>
  /** Call it inside `exclusive`, after replacing the state. */
  replaced(): void
}

/** Work inside the lock did not end in time, so nothing was replaced. */
export class SystemBusyError extends Error {
  override name = 'SystemBusyError'
  constructor(inside: readonly string[], patienceMs: number) {
    const some = inside.slice(0, 5).join(', ')
    const more = inside.length > 5 ? ` and ${inside.length - 5} more` : ''
    super(`${some}${more} did not end within ${patienceMs / 1000} s; nothing was changed`)
  }
}

/** How long `exclusive` waits for shared work: longer than a quote may take, so that only hanging work blocks it. Milliseconds. */
export const patienceMs = 10_000

export function createSystemLock(): SystemLock {
  const inside = new Map<symbol, string>()
  const listeners = new Set<() => void>()
  /** Settles when the exclusive holder has finished; undefined if nobody holds or awaits it exclusively. */
  let closed: Promise<unknown> | undefined
  let onEmpty = (): void => {}
  let retired = false

  const empty = (): Promise<void> =>
    new Promise((resolve, reject) => {
      if (inside.size === 0) return resolve()
      const timer = setTimeout(() => {
        reject(new SystemBusyError([...inside.values()], patienceMs))
      }, patienceMs)
      onEmpty = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  return {
    async shared(what, work) {
      while (closed) await closed
      const visit = Symbol(what)
      inside.set(visit, what)
      try {
        return await work()
      } finally {
        inside.delete(visit)
        if (inside.size === 0) onEmpty()
      }
    },
    async exclusive(work) {
      while (closed) await closed
      if (retired) throw new Error('the simulator is being stopped')
      const turn = empty().then(work)
      const done = turn.then(
        () => {},
        () => {},
      )
      closed = done
      try {
        return await turn
      } finally {
        closed = undefined
      }
    },
    async retire() {
      retired = true
      while (closed) await closed
    },
    onReplaced(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    replaced() {
      for (const listener of [...listeners]) listener()
    },
  }
}

/**
 * Keeps the order of the calls while the clock does not run: `turn` resolves when earlier work has ended and what it started is at rest,
 * or after ten seconds. So requests of one moment take effect in their order, whichever node answers first. While the clock runs, `turn`
 * resolves at once.
 */
export type InOrderOfArrival = <T>(work: (turn: () => Promise<void>) => Promise<T>) => Promise<T>

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
