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
import { untilAllMined } from '../chain/transactions/send.js'
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

/** Snapshots of service state, five chains, clock and faults. Every failure is a `ServiceError`. */
export interface Snapshots {
  /** Waits for requests in progress, and until executions and bridge fills wait for something. */
  take(name?: string): Promise<SnapshotInfo>
  /** Oldest first. */
  list(): SnapshotInfo[]
  /**
   * Restores everything and deletes later snapshots. Executions and bridge fills that were in progress in the snapshot continue; present
   * ones are dropped.
   *
   * @param ends Also deletes the restored snapshot, and frees its memory.
   */
  restore(
    idOrName: string,
    how?: { ends?: boolean },
  ): Promise<{ restored: SnapshotInfo; dropped: string[] }>
  delete(idOrName: string): Promise<SnapshotInfo>
  /** Restores the state of `markStart` and deletes all snapshots. Lifts faults first, which could block it. */
  reset(): Promise<{ at: string; dropped: string[] }>
  /** Makes `reset` restore the present state, and deletes all snapshots. Must be called before the first `reset`. */
  markStart(): Promise<void>
}

export interface SnapshotParts {
  nodes: Nodes
  /** Rejects when a node does not answer, before requests are blocked. */
  expectAlive(): Promise<void>
  clock: SettableClock
  lock: SystemLock
  tasks: Pick<BackgroundTasks, 'settled'>
  /** Lifts the faults, which could block the nodes. They are also among `stateful`. */
  lift: Lift
  /** Restored in this order. The store comes last, because its file may not be writable. */
  stateful: readonly Stateful[]
  /** Paused together, and resumed together in this order. */
  workers: readonly Worker[]
  /** Runs work that replaces the state of every part; resolves when the new state would survive a crash. */
  replacing<T>(work: () => Promise<T>): Promise<T>
  /** Whether a reset restarts ids, so that the same requests get the same bytes. */
  repeats?(): boolean
  onTaken?(snapshot: SnapshotInfo): void
  /**
   * Called before a restore or reset lifts or undoes anything. What it resolves to is called when the snapshot, or with undefined the start, has
   * been restored, before anything else happens.
   */
  onLeave(): Promise<OnReturn>
}

type OnReturn = (to: SnapshotInfo | undefined) => void

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
  /** Restores the chains first: they may fail, and then nothing has changed. `of` is undefined for the start. */
  const putBack = (
    { time, checkpoint, saved }: SystemState,
    to: ClockState,
    onReturn: OnReturn,
    { of, ends }: { of?: SnapshotInfo; ends?: boolean } = {},
  ): Promise<SystemState> =>
    whilePaused(parts.workers, () =>
      whileLifted(parts.lift, async () => {
        // Interrupted senders no longer wait for what they have sent; mined later, it would land in the restored chain.
        await Promise.all(nodes.all().map(untilAllMined))
        return parts.replacing(async () => {
          const back = () => returnTo(nodes, checkpoint, clock, { isStart: !of, ends })
          const renewed = await atTime(clock, to, back)
          try {
            for (const part of parts.stateful) await part.restore(saved.get(part))
            onReturn(of)
          } finally {
            lock.replaced()
          }
          return { time, checkpoint: renewed, saved }
        })
      }),
    )

  const returnToStart = async (onReturn: OnReturn): Promise<{ at: string; dropped: string[] }> => {
    // A real clock is not reset: clients compare its times with their own clock.
    start = await putBack(start!, start!.time.clock, onReturn)
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
      registry.find(idOrName) // fail before anything waits
      return alone(async () => {
        const snapshot = registry.find(idOrName)
        const of = infoOf(snapshot)
        const { state } = snapshot
        const onReturn = await parts.onLeave()
        snapshot.state = await putBack(state, rewound(state.time), onReturn, { of, ends })
        return { restored: of, dropped: registry.dropAfter(snapshot, ends) }
      })
    },
    delete: async (idOrName) => registry.delete(idOrName),
    async reset() {
      const onReturn = await parts.onLeave()
      return whileAllMine(parts, () => alone(() => returnToStart(onReturn), true))
    },
    markStart: () =>
      alone(async () => {
        registry.dropAll('the start was marked again')
        start = await capture()
        keepStart(nodes, start.checkpoint)
      }),
  }
}

/** Makes `take` wait for background work of earlier requests, as over HTTP, for callers in this process. */
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

/** The state of a clock that continues from that moment. */
function rewound({ ms, clock }: ClockMoment): ClockState {
  return clock.mode === 'real' ? { mode: 'real', offsetMs: ms - Date.now() } : clock
}

/** Runs work while all tasks wait and the clock wakes none of them. Rejects with `SystemBusyError`. */
async function whileQuiesced<T>(
  { clock, tasks }: { clock: SettableClock; tasks: Pick<BackgroundTasks, 'settled'> },
  work: (now: ClockMoment) => Promise<T>,
): Promise<T> {
  const release = clock.hold()
  try {
    const busy = await tasks.settled(patienceMs)
    if (busy.length > 0) throw new SystemBusyError(busy, patienceMs)
    return await work({ ms: clock.now(), clock: clock.state() })
  } finally {
    release()
  }
}

/** Pauses the workers; resumes them even when the work fails. */
async function whilePaused<T>(workers: readonly Worker[], work: () => Promise<T>): Promise<T> {
  try {
    await inTime(Promise.all(workers.map((worker) => worker.pause())))
    return await work()
  } finally {
    await Promise.all(workers.map((worker) => worker.resume()))
  }
}

/**
 * Stops workers for good between two steps. Call it before faults are removed, so that executions held by a fault stay pending. Does not
 * wait for the workers: a fault may block their present step.
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

/** Lifts faults for the work, which restores the right ones itself; puts them back if it fails. */
async function whileLifted<T>(lift: Lift, work: () => Promise<T>): Promise<T> {
  const putBack = await lift()
  try {
    return await work()
  } catch (error) {
    await putBack()
    throw error
  }
}

/** Lifts faults and all that keeps a chain from mining first: a reset must work even when these block everything. */
function whileAllMine<T>(
  { lift, nodes }: Pick<SnapshotParts, 'lift' | 'nodes'>,
  work: () => Promise<T>,
): Promise<T> {
  return whileLifted(lift, () => whileLifted(() => mineEverywhere(nodes), work))
}

/** Sets the clock before the work; sets it back if the work fails. */
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
