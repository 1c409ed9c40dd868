import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Knows whether the simulator is busy by itself: executions being relayed, bridges being filled. Whoever moves the clock waits
 * until it is not, so that everything that was due has happened.
 */
export interface Work {
  /** Runs work that counts as busy until it ends. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Waits, inside work, for something that is due at a time or done by other work: does not count as busy meanwhile. */
  waitFor<T>(event: Promise<T>): Promise<T>
  /** Resolves when nothing is busy. */
  settled(): Promise<void>
}

const underWay = new AsyncLocalStorage<Work>()

/** Like `waitFor` of the work that the caller is part of; for code that may also run outside of any. */
export function park<T>(event: Promise<T>): Promise<T> {
  return underWay.getStore()?.waitFor(event) ?? event
}

export function createWork(): Work {
  let busy = 0
  const waiting = new Set<() => void>()
  const leave = (): void => {
    busy--
    // Who was waited for may begin anew right after: looked at again when all that is due at once has run.
    if (busy > 0) return
    setImmediate(() => {
      if (busy === 0) for (const wake of [...waiting]) wake()
    })
  }
  const self: Work = {
    async run(work) {
      busy++
      try {
        return await underWay.run(self, work)
      } finally {
        leave()
      }
    },
    async waitFor(event) {
      leave()
      try {
        return await event
      } finally {
        busy++
      }
    },
    async settled() {
      do {
        await new Promise<void>((resolve) => setImmediate(resolve))
        if (busy > 0)
          await new Promise<void>((resolve) => {
            const wake = (): void => {
              waiting.delete(wake)
              resolve()
            }
            waiting.add(wake)
          })
      } while (busy > 0)
    },
  }
  return self
}
