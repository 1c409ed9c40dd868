import { setImmediate } from 'node:timers/promises'
import pTimeout from 'p-timeout'
import {
  CheckpointLostError,
  keepStart,
  markChains,
  returnTo,
} from '../chain/persistence/checkpoint.js'
import type { Nodes } from '../chain/rpc/node.js'
import { mineEverywhere } from '../chain/transactions/mining.js'
import { ServiceError } from '../lib/errors.js'
import type { Stateful, Worker } from '../lib/lifecycle.js'
import type { BackgroundTasks } from '../time/backgroundTasks.js'
import { type ClockState, isoSeconds, type SettableClock } from '../time/clock.js'
import type { SnapshotInfo } from './snapshotInfo.js'
import {
  type ClockMoment,
  createSnapshotRegistry,
  infoOf,
  type SystemState,
} from './snapshotRegistry.js'
import { patienceMs, SystemBusyError, type SystemLock } from './systemLock.js'

/** Snapshots of the whole system: service state, five chains, clock, faults. Every failure is a `ServiceError`. */
export interface Snapshots {
  /** Takes one. Waits for requests under way, and until executions and bridge fills wait for something themselves. */
  take(name?: string): Promise<SnapshotInfo>
  /** Oldest first. */
  list(): SnapshotInfo[]
  /**
   * Takes everything back to it; it can be restored again, those taken after it are gone. Executions and bridge fills that
   * were under way when it was taken go on from there; those of now are dropped.
   *
   * @param ends Whether it is gone afterwards as well, and with it the memory that it takes.
   */
  restore(
    idOrName: string,
    how?: { ends?: boolean },
  ): Promise<{ restored: SnapshotInfo; dropped: string[] }>
  delete(idOrName: string): Promise<SnapshotInfo>
  /** Takes everything back to `markStart`; all snapshots are gone. Lifts faults first, so that they cannot be in its way. */
  reset(): Promise<{ at: string; dropped: string[] }>
  /** Makes the present the state to which `reset` returns, and forgets all snapshots. Called at the start, by its owner. */
  markStart(): Promise<void>
}

export interface SnapshotParts {
  nodes: Nodes
  /** Rejects when a node does not answer: before anybody is kept out for it. */
  expectAlive(): Promise<void>
  clock: SettableClock
  lock: SystemLock
  tasks: Pick<BackgroundTasks, 'settled'>
  /**
   * Lifts the faults, since what stands is in the way of the nodes; resolves to how to put them back. They are among `stateful`
   * as well.
   */
  lift: Lift
  /** Restored in this order; last the store, whose file may fail to be written when all is right in memory. */
  stateful: readonly Stateful[]
  /** Paused together, and resumed together in this order. */
  workers: readonly Worker[]
  /** Runs what replaces the state of every part; resolves when the new state would survive a sudden end. */
  replacing<T>(work: () => Promise<T>): Promise<T>
  /** Whether a reset takes ids back, so that the same requests get the same bytes again. */
  repeats?(): boolean
  onTaken?(snapshot: SnapshotInfo): void
  /** Called when another life begins: that of a snapshot, or with undefined the start's. Nothing of it has happened yet. */
  onReturn(to: SnapshotInfo | undefined): void
}

/** Makes the snapshots of a running system; `markStart` has to be called before the first `reset`. */
export function createSnapshots(parts: SnapshotParts): Snapshots {
  const { lock, nodes, clock } = parts
  const registry = createSnapshotRegistry(parts.onTaken)
  let start: SystemState | undefined
  for (const { network, lifecycle } of nodes.all())
    lifecycle.onBack(() =>
      registry.dropAll(
        `the ${network} node died and was started again at ${isoSeconds(clock.now())}, and what it had kept of it went with it`,
      ),
    )

  const alone = async <T>(work: () => Promise<T>, isReset = false): Promise<T> => {
    await parts.expectAlive()
    return lock.exclusive(work).catch((cause) => explain(cause, isReset))
  }
  const capture = (): Promise<SystemState> =>
    whileQuiesced(parts, async (time) => ({
      time,
      checkpoint: await markChains(nodes, clock),
      saved: new Map(parts.stateful.map((part) => [part, part.save()])),
    }))
  /** The chains go first: they are what can fail, and fail before anything has changed. `of` is undefined for the start. */
  const putBack = (
    { time, checkpoint, saved }: SystemState,
    to: ClockState,
    { of, ends }: { of?: SnapshotInfo; ends?: boolean } = {},
  ): Promise<SystemState> =>
    whilePaused(parts.workers, () =>
      whileLifted(parts.lift, () =>
        parts.replacing(async () => {
          const back = () => returnTo(nodes, checkpoint, clock, { isStart: !of, ends })
          const renewed = await atTime(clock, to, back)
          try {
            for (const part of parts.stateful) await part.restore(saved.get(part))
            parts.onReturn(of)
          } finally {
            lock.replaced()
          }
          return { time, checkpoint: renewed, saved }
        }),
      ),
    )

  const returnToStart = async (): Promise<{ at: string; dropped: string[] }> => {
    // Time itself goes on where it is not frozen: a client compares what it is told with its own clock.
    start = await putBack(start!, start!.time.clock)
    const dropped = registry.dropAll('everything was reset')
    if (parts.repeats?.()) registry.startOver()
    return { at: isoSeconds(clock.now()), dropped }
  }

  return {
    take: (name) =>
      alone(async () => {
        registry.expectRoom(name)
        const state = await capture()
        return registry.add(name, isoSeconds(state.time.ms), state)
      }),
    list: registry.list,
    async restore(idOrName, { ends = false } = {}) {
      registry.find(idOrName) // before anybody has to wait for it
      return alone(async () => {
        const snapshot = registry.find(idOrName)
        const of = infoOf(snapshot)
        snapshot.state = await putBack(snapshot.state, rewound(snapshot.state.time), { of, ends })
        return { restored: of, dropped: registry.dropAfter(snapshot, ends) }
      })
    },
    delete: async (idOrName) => registry.delete(idOrName),
    // Lifted before anybody is waited for: a reset is what helps when a fault, or a chain that does not mine, holds everything.
    reset: () =>
      whileLifted(parts.lift, () =>
        whileLifted(
          () => mineEverywhere(nodes),
          () => alone(returnToStart, true),
        ),
      ),
    markStart: () =>
      alone(async () => {
        registry.dropAll('the start was marked again')
        start = await capture()
        keepStart(nodes, start.checkpoint)
      }),
  }
}

/** For callers in this process: one that is taken waits for what earlier requests left behind, like those over HTTP. */
export function settledSnapshots(
  snapshots: Snapshots,
  settled: () => Promise<unknown> | undefined,
): Snapshots {
  return {
    ...snapshots,
    async take(name) {
      await settled()
      return snapshots.take(name)
    },
  }
}

/** Translates expected failures into errors of the control API. */
function explain(cause: unknown, isReset: boolean): never {
  if (cause instanceof SystemBusyError)
    throw new ServiceError('conflict', `The system is busy: ${cause.message}`, {
      hint: 'Let it finish (remove the fault that holds it, or close the connection) and try again.',
      cause,
    })
  if (cause instanceof CheckpointLostError) {
    const what = isReset ? 'The simulator cannot be reset' : 'This snapshot cannot be restored'
    const cure = isReset ? 'Restart' : 'Restore another one, reset, or restart'
    throw new ServiceError('conflict', `${what}: ${cause.message}`, {
      hint: `${cure} the simulator.`,
      cause,
    })
  }
  throw cause
}

/** The state with which the clock continues from that moment. */
function rewound({ ms, clock }: ClockMoment): ClockState {
  return clock.mode === 'real' ? { mode: 'real', offsetMs: ms - Date.now() } : clock
}

/** Nothing begins and nothing is busy meanwhile: who waits for the clock goes on waiting. Rejects with `SystemBusyError`. */
async function whileQuiesced<T>(
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
async function whilePaused<T>(workers: readonly Worker[], work: () => Promise<T>): Promise<T> {
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
async function whileLifted<T>(lift: Lift, work: () => Promise<T>): Promise<T> {
  const putBack = await lift()
  try {
    return await work()
  } catch (error) {
    await putBack()
    throw error
  }
}

/** Sets the clock for what is done at that time, and for good unless that fails. */
async function atTime<T>(
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
