import { createListeners } from '../lib/listeners.js'
import { yieldFor } from './backgroundTasks.js'

/** The one source of service time: nothing else may call `Date.now()` for it. Block times follow it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

/**
 * Resolves to true after `ms`, or to false as soon as the signal is aborted. Waits that are due at the same instant end in the text
 * order of `order`, then in the order in which they began.
 */
export type Wait = (ms: number, signal: AbortSignal, order?: string) => Promise<boolean>

/** The longest move of a clock: a hundred years, in milliseconds. Contracts and JavaScript cannot handle much later dates. */
export const longestAdvance = 100 * 365 * 86_400_000

export const clockModes = ['real', 'frozen', 'auto'] as const

/**
 * `real` runs with the machine's clock. `frozen` moves only on request. `auto` is frozen too, but jumps to the next awaited moment as soon
 * as all work waits.
 */
export type ClockMode = (typeof clockModes)[number]

/** `offsetMs` is how far a real clock is ahead of the machine's. */
export type ClockState = { mode: 'real'; offsetMs: number } | { mode: FrozenMode; atMs: number }

type FrozenMode = Exclude<ClockMode, 'real'>

/** How a clock starts. `earliest` is the default instant, or the chains' time if that is later. */
export type ClockStart = ClockState | { mode: FrozenMode; atMs: 'earliest' }

/** A clock that can be moved and waited on. A task does not count as busy during `wait`, `idle` and `look`. */
export interface SettableClock extends Clock {
  readonly mode: ClockMode
  wait: Wait
  /** Like `wait`, but the calling task stays busy. */
  sleep: Wait
  /**
   * The timeout of a wait for something else: a long poll. A moved clock does not stop for it, because a client that polls through a month
   * would cause a hundred thousand stops; it ends at the next stop. An `auto` clock jumps to it.
   */
  idle: Wait
  /** The interval of an open stream. Like `idle`, but no clock jumps to it. */
  look: Wait
  state(): ClockState
  /** Changes mode and time, and ends the waits that are due, unless the clock is held. */
  set(state: ClockState): void
  /** The earliest end of a `wait` or `sleep`, if it is not after `ms`. */
  nextDue(ms: number): number | undefined
  /** The earliest end of a `wait`, `sleep` or `idle`. */
  nextWaited(): number | undefined
  /** Calls back when a wait begins, and after each `set`. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void
  /** Announces a hold: `released` waits from now on, other waits end as usual. Returns the function that withdraws it. */
  announce(): () => void
  /** From now on only `wakeNext` ends waits. Returns the function that ends the hold. */
  hold(): () => void
  /** Resolves when the clock is neither held nor about to be held. */
  released(): Promise<void>
  /** Ends the first wait that is due; false when there is none. */
  wakeNext(): boolean
}

type Purpose = keyof Pick<SettableClock, 'wait' | 'idle' | 'look'>

interface Sleeper {
  dueMs: number
  order: string
  purpose: Purpose
  wake(): void
}

/** The maximum of Node's timers. Milliseconds. */
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
  /** Ends the waits that are due, the earliest first, and sets the machine's timer to the next one. */
  const wakeDue = (): void => {
    clearTimeout(timer)
    if (holders > 0) return
    while (wakeNext());
    const next = sleepers.first()
    if (state.mode === 'real' && next)
      // A future wait must not keep the program alive.
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

/** Announced and running holds, and the callers of `released`. */
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

/** Waits in the order of their ends. */
function createSleepers() {
  const inOrder: Sleeper[] = []
  return {
    first: (): Sleeper | undefined => inOrder[0],
    firstFor: (...purposes: Purpose[]): Sleeper | undefined =>
      inOrder.find(({ purpose }) => purposes.includes(purpose)),
    add(sleeper: Sleeper): void {
      const isLater = ({ dueMs, order }: Sleeper): boolean =>
        dueMs > sleeper.dueMs || (dueMs === sleeper.dueMs && order > sleeper.order)
      // Search from the end: most waits are as long as the ones before them.
      const before = inOrder.findLastIndex((other) => !isLater(other))
      inOrder.splice(before + 1, 0, sleeper)
    },
    remove(sleeper: Sleeper): void {
      const index = inOrder.indexOf(sleeper)
      if (index >= 0) inOrder.splice(index, 1)
    },
  }
}

/** Waits by the machine's clock, for events outside the simulated time. The calling task stays busy. */
export const realWait: Wait = createClock().sleep

/** The latest time of any clock: protocols keep times in 32 bits of seconds, which end in 2106. */
export const latestMs = Date.parse('2100-01-01T00:00:00Z')

/** The default instant of a frozen clock: a round one, after the offline world was made. */
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

/** False for 30 February, which `Date.parse` reads as 2 March. */
function isDay(date: string): boolean {
  const [year, month, day] = date.slice(0, 10).split('-').map(Number)
  return day! <= new Date(Date.UTC(year!, month!, 0)).getUTCDate()
}

/** Whole Unix seconds, as chains count them. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}

/** ISO 8601 in UTC with whole seconds and `Z`, as the service writes its timestamps. */
export function isoSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
