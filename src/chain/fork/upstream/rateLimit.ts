import { setTimeout as pause } from 'node:timers/promises'

/** How many requests an endpoint gets side by side, and when: fewer after it said that they were too many, slowly more again. */
export interface RateLimit {
  /** Resolves when one more may be sent; false when that would be later than `until`, by `performance.now()`. */
  enter(until: number): Promise<boolean>
  /** One has ended: answered, or refused as too many, perhaps with the time to wait. */
  leave(how: 'answered' | 'failed' | { busyMs: number | undefined }): void
  /** When it may be asked again; in the past when it may be now. */
  readonly pausedUntil: number
}

const maxAtOnce = 32
const firstPauseMs = 250
const longestPauseMs = 8_000

/** Begins with as many at once as a fast endpoint takes. */
export function createRateLimit(signal: AbortSignal): RateLimit {
  let limit = maxAtOnce
  let running = 0
  let pausedUntil = 0
  let refusals = 0
  const waiting: (() => void)[] = []
  const next = (): void => {
    while (running < limit && waiting.length > 0) {
      running++
      waiting.shift()!()
    }
  }
  const untilTurn = async (until: number): Promise<boolean> => {
    if (running < limit) {
      running++
      return true
    }
    const turn = new Promise<true>((resolve) => waiting.push(() => resolve(true)))
    const over = new AbortController()
    const late = pause(Math.max(0, until - performance.now()), false as const, {
      signal: AbortSignal.any([signal, over.signal]),
      ref: false,
    }).catch(() => false as const)
    const isMine = await Promise.race([turn, late])
    over.abort()
    // Whoever does not wait any more gives its turn to the next.
    if (!isMine) void turn.then(() => leaveTurn())
    return isMine
  }
  const leaveTurn = (): void => {
    running--
    next()
  }
  return {
    async enter(until) {
      if (!(await untilTurn(until))) return false
      for (let wait = pausedUntil - performance.now(); wait > 0; ) {
        if (pausedUntil > until) {
          leaveTurn()
          return false
        }
        await pause(wait, undefined, { signal }).catch(() => {})
        if (signal.aborted) break
        wait = pausedUntil - performance.now()
      }
      return true
    },
    leave(how) {
      if (how === 'answered') {
        refusals = 0
        limit = Math.min(maxAtOnce, limit + 1 / limit)
      } else if (how !== 'failed' && performance.now() >= pausedUntil) {
        // Those that were under way together are refused together, and count once.
        const longer = Math.min(longestPauseMs, firstPauseMs * 2 ** refusals++)
        pausedUntil = performance.now() + Math.max(longer, how.busyMs ?? 0)
        limit = Math.max(1, limit / 2)
      }
      leaveTurn()
    },
    get pausedUntil() {
      return pausedUntil
    },
  }
}
