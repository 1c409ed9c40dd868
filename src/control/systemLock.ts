import pTimeout from 'p-timeout'
import { serialQueue } from '../lib/serialQueues.js'
import type { BackgroundTasks } from '../time/backgroundTasks.js'
import type { Clock, ClockMode } from '../time/clock.js'

/**
 * A read-write lock over the state of the whole system. Requests share it; a restore or a reset, which replaces the state,
 * holds it exclusively: it waits for those inside, and whoever comes meanwhile waits for it. So no request sees a mixture of two
 * states.
 */
export interface SystemLock {
  /** Runs work that relies on one state, beside others. `what` names it to those who have to wait. Must not be nested. */
  shared<T>(what: string, work: () => Promise<T>): Promise<T>
  /** Runs work alone, after what is inside and after others who asked before. Rejects with `SystemBusyError`, nothing done. */
  exclusive<T>(work: () => Promise<T>): Promise<T>
  /** Calls back those who wait outside (a long poll, a stream) when the state has been replaced. Returns the unsubscribe function. */
  onReplaced(listener: () => void): () => void
  /** Resolves when nobody holds it exclusively, and lets nobody do so from then on: the simulator stops. */
  retire(): Promise<void>
  /** To be called, inside `exclusive`, by whoever has replaced the state. */
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

/** How long `exclusive` waits for those inside: longer than a quote may take, so that only what really hangs keeps others out. */
export const patienceMs = 10_000

export function createSystemLock(): SystemLock {
  const inside = new Map<symbol, string>()
  const listeners = new Set<() => void>()
  /** Settles when the exclusive holder has finished; undefined when there is none, waiting ones included. */
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
