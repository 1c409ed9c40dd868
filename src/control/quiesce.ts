import { setImmediate } from 'node:timers/promises'
import pTimeout from 'p-timeout'
import type { Worker } from '../lib/lifecycle.js'
import type { BackgroundTasks } from '../time/backgroundTasks.js'
import type { ClockState, SettableClock } from '../time/clock.js'
import { patienceMs, SystemBusyError } from './systemLock.js'

/** A time of the clock, in milliseconds since the Unix epoch, and how the clock ran then. */
export interface ClockMoment {
  ms: number
  clock: ClockState
}

/** The state with which the clock continues from that moment. */
export function rewound({ ms, clock }: ClockMoment): ClockState {
  return clock.mode === 'real' ? { mode: 'real', offsetMs: ms - Date.now() } : clock
}

/** Nothing begins and nothing is busy meanwhile: who waits for the clock goes on waiting. Rejects with `SystemBusyError`. */
export async function whileQuiesced<T>(
  { clock, tasks: work }: { clock: SettableClock; tasks: Pick<BackgroundTasks, 'settled'> },
  look: (now: ClockMoment) => Promise<T>,
): Promise<T> {
  const release = clock.hold()
  try {
    const busy = await work.settled(patienceMs)
    if (busy.length > 0) throw new SystemBusyError(busy, patienceMs)
    return await look({ ms: clock.now(), clock: clock.state() })
  } finally {
    release()
  }
}

/** Interrupts what is under way. Resumes it also when the work fails, so that a refusal costs nothing. */
export async function whilePaused<T>(
  workers: readonly Worker[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    await inTime(Promise.all(workers.map((worker) => worker.pause())))
    return await work()
  } finally {
    await Promise.all(workers.map((worker) => worker.resume()))
  }
}

/**
 * Has workers stop between two steps, for good. Before the faults let go: what a fault holds stays pending, instead of ending as the fault
 * is there to prevent. Does not wait until they have stopped: a fault may be in the way of the step that they are at.
 */
export async function interrupt(
  workers: readonly Worker[],
  onError: (message: string, cause: unknown) => void,
): Promise<void> {
  void Promise.all(workers.map((worker) => worker.pause())).catch((error) =>
    onError('interrupting what is under way', error),
  )
  await setImmediate()
}

/** Suspends something; resolves to the function that restores it. */
export type Lift = () => Promise<() => Promise<void>>

/** Lifts faults for what is done, which arms those that belong to its outcome; puts them back when it fails. */
export async function whileLifted<T>(lift: Lift, work: () => Promise<T>): Promise<T> {
  const putBack = await lift()
  try {
    return await work()
  } catch (error) {
    await putBack()
    throw error
  }
}

/** Sets the clock for what is done at that time, and for good unless that fails. */
export async function atTime<T>(
  clock: SettableClock,
  state: ClockState,
  work: () => Promise<T>,
): Promise<T> {
  const before = clock.state()
  clock.set(state)
  try {
    return await work()
  } catch (error) {
    clock.set(before)
    throw error
  }
}

/** Bounded, because a send to a hanging node may never end. */
function inTime(ending: Promise<unknown>): Promise<unknown> {
  const late = new SystemBusyError(['an execution or a bridge fill'], patienceMs)
  return pTimeout(ending, { milliseconds: patienceMs, message: late })
}
