import { createListeners } from '../lib/listeners.js'
import { yieldFor } from './backgroundTasks.js'

/**
 * The one clock. API time, plan expiry, long polls, bridge delays and event times read it and wait on it; block times follow
 * it. Nothing else in the product may call `Date.now()` for service time.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

/**
 * Resolves to true when `ms` have gone by, to false as soon as `stop` is aborted. Of several that are due at the same time on a
 * clock that is moved, `order` (as text) says which comes first; then who began to wait first.
 */
export type Wait = (ms: number, signal: AbortSignal, order?: string) => Promise<boolean>

/** How far a clock may be moved at once: a hundred years, in milliseconds. Beyond it the dates of contracts and JavaScript become odd. */
export const longestAdvance = 100 * 365 * 86_400_000

export const clockModes = ['real', 'frozen', 'auto'] as const

/**
 * How a clock runs: `real` with the machine's clock; `frozen`: it moves only when it is told to; `auto`: it stands still too, and jumps to
 * the next moment that somebody waits for as soon as everybody waits.
 */
export type ClockMode = (typeof clockModes)[number]

/** All there is to know of a clock: `atMs` where it stands still, how far it is ahead of the machine's clock when real. */
export type ClockState = { mode: 'real'; offsetMs: number } | { mode: StillMode; atMs: number }

type StillMode = Exclude<ClockMode, 'real'>

/** How a clock is to start: `earliest` stands for the default instant, or the chains' time where that is later. */
export type ClockStart = ClockState | { mode: StillMode; atMs: 'earliest' }

/** The clock as its owner holds it. The task that calls `wait` yields meanwhile. */
export interface SettableClock extends Clock {
  readonly mode: ClockMode
  wait: Wait
  /** Like `wait`, but the task that calls it stays busy. */
  sleep: Wait
  /**
   * Like `wait`, for who waits for something else to come, but not for longer: a long poll. When the clock is moved no stop is made for
   * it, or one that waits again and again would make a month's way a hundred thousand stops long; it is woken at the next one. Only an
   * `auto` clock goes there by itself.
   */
  idle: Wait
  /** Like `idle`, for who looks again from time to time: an open stream. No clock goes there by itself. */
  look: Wait
  state(): ClockState
  /** Changes mode and time. Those whose instant has come are woken, unless the clock is held. */
  set(state: ClockState): void
  /** The earliest instant, not after `ms`, that somebody waits for other than idly. */
  nextDue(ms: number): number | undefined
  /** The earliest instant that somebody waits for, idly or not, other than to look. */
  nextWaited(): number | undefined
  /** Calls back when a wait begins, and after each `set`. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void
  /** Announces a hold: `released` waits from now on, everything else is woken as usual. Returns how to withdraw it. */
  announce(): () => void
  /** From now on only `wakeNext` wakes. Returns how to end the hold. */
  hold(): () => void
  /** Resolves when the clock is neither held nor about to be held. */
  released(): Promise<void>
  /** Wakes the first of those who are due; false when there is none. */
  wakeNext(): boolean
}

/** The kind of a wait: `wait`, `idle`, `look`. */
type Purpose = keyof Pick<SettableClock, 'wait' | 'idle' | 'look'>

interface Sleeper {
  dueMs: number
  order: string
  purpose: Purpose
  wake(): void
}

/** The longest that Node's timers can wait. */
const longestTimeout = 2 ** 31 - 1

export function timeOf(state: ClockState): number {
  return state.mode === 'real' ? Date.now() + state.offsetMs : state.atMs
}

export function createClock(start: ClockState = { mode: 'real', offsetMs: 0 }): SettableClock {
  let state = start
  let holders = 0
  const { announce, released } = createAnnouncements()
  const sleepers = createSleepers()
  const changes = createListeners<void>()
  let timer: NodeJS.Timeout | undefined

  const now = (): number => timeOf(state)
  const wakeNext = (): boolean => {
    const first = sleepers.first()
    if (!first || first.dueMs > now()) return false
    first.wake()
    return true
  }
  /** Wakes who is due, the earliest first, and sets the machine's timer to the next one. */
  const wakeDue = (): void => {
    clearTimeout(timer)
    if (holders > 0) return
    while (wakeNext());
    const next = sleepers.first()
    if (state.mode === 'real' && next)
      // Nothing that is only due some day keeps the program alive.
      timer = setTimeout(wakeDue, Math.min(Math.ceil(next.dueMs - now()), longestTimeout)).unref()
  }
  const sleep = (ms: number, signal: AbortSignal, purpose: Purpose, order = ''): Promise<boolean> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(false)
      if (ms <= 0) return resolve(true)
      const end = (due: boolean): void => {
        sleepers.remove(sleeper)
        signal.removeEventListener('abort', onAbort)
        if (!sleepers.first()) clearTimeout(timer)
        resolve(due)
      }
      const onAbort = (): void => end(false)
      const sleeper = { dueMs: now() + ms, order, purpose, wake: () => end(true) }
      sleepers.add(sleeper)
      signal.addEventListener('abort', onAbort)
      if (sleepers.first() === sleeper) wakeDue()
      changes.publish()
    })
  return {
    now,
    get mode() {
      return state.mode
    },
    wait: (ms, signal, order) => yieldFor(sleep(ms, signal, 'wait', order)),
    sleep: (ms, signal, order) => sleep(ms, signal, 'wait', order),
    idle: (ms, signal, order) => yieldFor(sleep(ms, signal, 'idle', order)),
    look: (ms, signal, order) => yieldFor(sleep(ms, signal, 'look', order)),
    state: () => ({ ...state }),
    set(next) {
      state = { ...next }
      wakeDue()
      changes.publish()
    },
    nextDue(ms) {
      const first = sleepers.firstFor('wait')
      return first && first.dueMs <= ms ? first.dueMs : undefined
    },
    nextWaited: () => sleepers.firstFor('wait', 'idle')?.dueMs,
    onChange: changes.add,
    announce,
    hold() {
      holders++
      const end = announce()
      wakeDue()
      return () => {
        holders--
        wakeDue()
        end()
      }
    },
    released,
    wakeNext,
  }
}

/** Holds that are about to come, and who waits for their end. */
function createAnnouncements() {
  let announced = 0
  const whenReleased: (() => void)[] = []
  return {
    announce() {
      announced++
      return (): void => {
        announced--
        if (announced === 0) for (const go of whenReleased.splice(0)) go()
      }
    },
    async released(): Promise<void> {
      while (announced > 0) await new Promise<void>((go) => whenReleased.push(go))
    },
  }
}

/** Those who wait, in the order in which they are to be woken. */
function createSleepers() {
  const inOrder: Sleeper[] = []
  return {
    first: (): Sleeper | undefined => inOrder[0],
    firstFor: (...purposes: Purpose[]): Sleeper | undefined =>
      inOrder.find(({ purpose }) => purposes.includes(purpose)),
    add(sleeper: Sleeper): void {
      const isLater = ({ dueMs, order }: Sleeper): boolean =>
        dueMs > sleeper.dueMs || (dueMs === sleeper.dueMs && order > sleeper.order)
      // Most wait for as long as those before them, so the search begins at the end.
      const before = inOrder.findLastIndex((other) => !isLater(other))
      inOrder.splice(before + 1, 0, sleeper)
    },
    remove(sleeper: Sleeper): void {
      const index = inOrder.indexOf(sleeper)
      if (index >= 0) inOrder.splice(index, 1)
    },
  }
}

/** Waiting by the machine's clock: for what happens outside the simulated time. A task that calls it stays busy, since it comes by itself. */
export const realWait: Wait = createClock().sleep

/** No clock goes beyond: protocols keep times in 32 bits of seconds, which end in 2106. */
export const latestMs = Date.parse('2100-01-01T00:00:00Z')

/** The default instant of a clock that stands still: a round one, after the offline world was made. */
export const frozenByDefault = Date.parse('2026-01-01T00:00:00Z')

/** Reads `real`, `auto`, `frozen`, or one of the latter two with `@ISO-TIME` or `@now`. Throws with what is allowed. */
export function parseClock(text: string): ClockStart {
  if (text === 'real') return { mode: 'real', offsetMs: 0 }
  if (text === 'frozen' || text === 'auto') return { mode: text, atMs: 'earliest' }
  const mode = text.startsWith('auto@') ? 'auto' : 'frozen'
  if (text === `${mode}@now`) return { mode, atMs: Math.floor(Date.now() / 1000) * 1000 }
  const at =
    /^(?:frozen|auto)@(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))$/.exec(
      text,
    )
  const atMs = Date.parse(at?.[1] ?? '')
  if (atMs <= latestMs && isDay(text.slice(mode.length + 1))) return { mode, atMs }
  throw new Error(
    `it must be real, auto, frozen, or frozen@ or auto@ and now or an instant such as 2026-01-01T00:00:00Z, up to ${isoSeconds(latestMs)}`,
  )
}

/** Whether there is such a day: for 30 February, `Date.parse` says 2 March. */
function isDay(date: string): boolean {
  const [year, month, day] = date.slice(0, 10).split('-').map(Number)
  return day! <= new Date(Date.UTC(year!, month!, 0)).getUTCDate()
}

/** Whole Unix seconds of the clock, as chains count them. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}

/** ISO 8601 in UTC with whole seconds and `Z`, as the service writes its timestamps. */
export function isoSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
