/**
 * The one clock. API time, plan expiry, long polls, bridge delays and event times read it and wait on it; block times follow
 * it. Nothing else in the product may call `Date.now()` for service time.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

/** Resolves to true when `ms` have gone by, to false as soon as `stop` is aborted. */
export type Wait = (ms: number, stop: AbortSignal) => Promise<boolean>

/** How a clock runs: `real` with the machine's clock, or `frozen`: it moves only when it is told to. */
export type ClockMode = 'real' | 'frozen'

/** All there is to know of a clock: `atMs` when frozen, how far it is ahead of the machine's clock when real. */
export type ClockState = { mode: 'real'; offsetMs: number } | { mode: 'frozen'; atMs: number }

/** How a clock is to start: `earliest` stands for the default instant, or the chains' time where that is later. */
export type ClockStart = ClockState | { mode: 'frozen'; atMs: 'earliest' }

/** The clock as its owner holds it. */
export interface SettableClock extends Clock {
  readonly mode: ClockMode
  wait: Wait
  state(): ClockState
  /** Changes mode and time. Whoever waits for an instant that has come by then is woken. */
  set(state: ClockState): void
  /** The earliest instant, not after `ms`, that somebody waits for. */
  nextDue(ms: number): number | undefined
}

/** Somebody who waits. */
interface Sleeper {
  dueMs: number
  wake(): void
}

/** The longest that Node's timers can wait. */
const longestTimeout = 2 ** 31 - 1

/** A clock in this state; the machine's own when absent. */
export function createClock(start: ClockState = { mode: 'real', offsetMs: 0 }): SettableClock {
  let state = start
  const sleepers = new Set<Sleeper>()
  let timer: NodeJS.Timeout | undefined

  const now = (): number => (state.mode === 'frozen' ? state.atMs : Date.now() + state.offsetMs)
  /** Wakes who is due, the earliest first, and sets the machine's timer to the next one. */
  const wakeDue = (): void => {
    clearTimeout(timer)
    const inOrder = [...sleepers].sort((a, b) => a.dueMs - b.dueMs)
    for (const sleeper of inOrder) if (sleeper.dueMs <= now()) sleeper.wake()
    const next = inOrder.find((sleeper) => sleepers.has(sleeper))
    if (state.mode === 'real' && next)
      timer = setTimeout(wakeDue, Math.min(next.dueMs - now(), longestTimeout))
  }
  return {
    now,
    get mode() {
      return state.mode
    },
    wait: (ms, stop) =>
      new Promise((resolve) => {
        if (stop.aborted) return resolve(false)
        const end = (due: boolean): void => {
          sleepers.delete(sleeper)
          stop.removeEventListener('abort', onAbort)
          if (sleepers.size === 0) clearTimeout(timer)
          resolve(due)
        }
        const onAbort = (): void => end(false)
        const sleeper = { dueMs: now() + ms, wake: () => end(true) }
        sleepers.add(sleeper)
        stop.addEventListener('abort', onAbort)
        wakeDue()
      }),
    state: () => ({ ...state }),
    set(next) {
      state = { ...next }
      wakeDue()
    },
    nextDue(ms) {
      const due = [...sleepers].map(({ dueMs }) => dueMs).filter((dueMs) => dueMs <= ms)
      return due.length === 0 ? undefined : Math.min(...due)
    },
  }
}

/** Waiting by the machine's clock: for what happens outside the simulated time. */
export const realWait: Wait = createClock().wait

/** Where a frozen clock stands when it is not told: a round instant after the offline world was made. */
export const frozenByDefault = Date.parse('2026-01-01T00:00:00Z')

/** Reads `real`, `frozen` or `frozen@ISO-TIME`. Throws with what is allowed. */
export function parseClock(text: string): ClockStart {
  if (text === 'real') return { mode: 'real', offsetMs: 0 }
  if (text === 'frozen') return { mode: 'frozen', atMs: 'earliest' }
  const at = /^frozen@(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))$/.exec(
    text,
  )
  const atMs = Date.parse(at?.[1] ?? '')
  if (!Number.isNaN(atMs)) return { mode: 'frozen', atMs }
  throw new Error('it must be real, frozen, or frozen@ and an instant such as 2026-01-01T00:00:00Z')
}

/** Whole Unix seconds of the clock, as chains count them. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}

/** ISO 8601 in UTC with whole seconds and `Z`, as the service writes its timestamps. */
export function isoSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
