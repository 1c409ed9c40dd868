import { type Checkpoint, CheckpointLostError, markChains, returnTo } from '../chain/checkpoint.js'
import type { Nodes } from '../chain/node.js'
import { type ClockMode, isoSeconds, type SettableClock } from '../clock.js'
import { ServiceError } from '../errors.js'
import { type Gate, GateBusyError, patienceMs } from '../gate.js'
import type { Stateful, Worker } from '../stateful.js'

/** A snapshot of the whole system, as callers see it. */
export interface SnapshotInfo {
  id: string
  /** Undefined when it was not named. */
  name: string | undefined
  /** Service time at which it was taken; ISO 8601, whole seconds. */
  at: string
}

/** What the parts remembered and where the chains stood, at one moment. */
interface World {
  /** Milliseconds since the Unix epoch, and whether time ran by itself. */
  time: { ms: number; mode: ClockMode }
  checkpoint: Checkpoint
  saved: ReadonlyMap<Stateful, unknown>
}

interface Held extends SnapshotInfo {
  world: World
  /** Cannot be restored any more, but the nodes hold its memory until an earlier one is restored. */
  deleted?: true
}

/** Snapshots of the whole system: service state, five chains, clock, faults. Every failure is a `ServiceError`. */
export interface Snapshots {
  /** Takes one. Waits for requests under way, interrupts executions and bridge fills, and lets them go on. */
  take(name?: string): Promise<SnapshotInfo>
  /** Oldest first. */
  list(): SnapshotInfo[]
  /**
   * Takes everything back to it; it can be restored again, those taken after it are gone. Executions and bridge fills that
   * were under way when it was taken go on from there; those of now are dropped.
   */
  restore(idOrName: string): Promise<{ restored: SnapshotInfo; dropped: string[] }>
  delete(idOrName: string): Promise<SnapshotInfo>
  /** Takes everything back to `markStart`; all snapshots are gone. */
  reset(): Promise<{ at: string; dropped: string[] }>
  /** Makes the present the state to which `reset` returns, and forgets all snapshots. Called at the start, by its owner. */
  markStart(): Promise<void>
}

/** What the snapshots are made of. */
export interface SnapshotParts {
  nodes: Nodes
  /** Rejects when a node does not answer: before anybody is kept out for it. */
  expectAlive(): Promise<void>
  clock: SettableClock
  gate: Gate
  /** Restored in this order; last the store, whose file may fail to be written when all is right in memory. */
  stateful: readonly Stateful[]
  /** Paused together, and resumed together in this order. */
  workers: readonly Worker[]
}

/** Each holds memory in five nodes: about 1 MB together when it is new, more as the chains grow. */
export const maxSnapshots = 100
/** For how many snapshots that are gone the reason is remembered. */
const maxGone = 1_000

/** Makes the snapshots of a running system; `markStart` has to be called before the first `reset`. */
export function createSnapshots(parts: SnapshotParts): Snapshots {
  const { gate, nodes, clock } = parts
  let start: World | undefined
  const held: Held[] = []
  const gone = new Map<string, string>()
  let lastId = 0

  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    await parts.expectAlive()
    return gate.alone(() => whilePaused(parts.workers, work)).catch(explain)
  }
  const capture = async (): Promise<World> => ({
    time: { ms: clock.now(), mode: clock.mode },
    checkpoint: await markChains(nodes, clock),
    saved: new Map(parts.stateful.map((part) => [part, part.save()])),
  })
  /** The chains go first: they are what can fail, and fail before anything has changed. */
  const putBack = async ({ time, checkpoint, saved }: World): Promise<World> => {
    const again = await atTime(clock, time, () => returnTo(nodes, checkpoint, clock))
    try {
      for (const part of parts.stateful) await part.restore(saved.get(part))
    } finally {
      gate.exchanged()
    }
    return { time, checkpoint: again, saved }
  }
  const dropFrom = (index: number, because: string): string[] => {
    const dropped = held.splice(index).filter((one) => !one.deleted)
    for (const { id, name } of dropped) {
      for (const key of [id, name]) if (key !== undefined) remember(gone, key, because)
    }
    return dropped.map(({ id }) => id)
  }
  const find = (idOrName: string): Held => {
    const alive = held.filter((one) => !one.deleted)
    const found = alive.find(({ id, name }) => id === idOrName || name === idOrName)
    if (found) return found
    const there = alive.map(({ id, name }) => (name === undefined ? id : `${id} (${name})`))
    throw new ServiceError(
      'not_found',
      gone.get(idOrName) ?? `There is no snapshot ${idOrName.slice(0, 80)}`,
      { hint: `There are ${there.length === 0 ? 'none' : there.join(', ').slice(0, 400)}.` },
    )
  }

  return {
    take: (name) =>
      alone(async () => {
        refuseTooMany(held)
        refuseTaken(held, name)
        const world = await capture()
        const one = { id: `snp_${++lastId}`, name, at: isoSeconds(clock.now()), world }
        held.push(one)
        return infoOf(one)
      }),
    list: () => held.filter((one) => !one.deleted).map(infoOf),
    async restore(idOrName) {
      find(idOrName) // before anybody has to wait for it
      return alone(async () => {
        const one = find(idOrName)
        one.world = await putBack(one.world)
        const because = (id: string) => `it was taken after ${id}, which has been restored`
        const dropped = dropFrom(held.indexOf(one) + 1, because(one.id))
        return { restored: infoOf(one), dropped }
      })
    },
    async delete(idOrName) {
      const one = find(idOrName)
      one.deleted = true
      one.world = { ...one.world, saved: new Map() }
      for (const key of [one.id, one.name])
        if (key !== undefined) remember(gone, key, 'it was deleted')
      return infoOf(one)
    },
    reset: () =>
      alone(async () => {
        start = await putBack(start!)
        return { at: isoSeconds(clock.now()), dropped: dropFrom(0, 'everything was reset') }
      }),
    markStart: () =>
      alone(async () => {
        dropFrom(0, 'the start was marked anew')
        start = await capture()
      }),
  }
}

/** Sets the clock back for what is done at that time, and for good unless that fails. */
async function atTime<T>(
  clock: SettableClock,
  { ms, mode }: World['time'],
  work: () => Promise<T>,
): Promise<T> {
  const before = clock.state()
  clock.set(mode === 'frozen' ? { mode, atMs: ms } : { mode, offsetMs: ms - Date.now() })
  try {
    return await work()
  } catch (error) {
    clock.set(before)
    throw error
  }
}

/** Resumes also when the work fails, so that a refusal costs nothing. */
async function whilePaused<T>(workers: readonly Worker[], work: () => Promise<T>): Promise<T> {
  try {
    await inTime(Promise.all(workers.map((worker) => worker.pause())))
    return await work()
  } finally {
    await Promise.all(workers.map((worker) => worker.resume()))
  }
}

/** What is being sent to a node that hangs may never end. */
async function inTime(pausing: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const what = ['an execution or a bridge fill']
    timer = setTimeout(() => reject(new GateBusyError(what, patienceMs)), patienceMs)
  })
  try {
    await Promise.race([pausing, late])
  } finally {
    clearTimeout(timer)
  }
}

function infoOf({ id, name, at }: Held): SnapshotInfo {
  return { id, name, at }
}

function remember(gone: Map<string, string>, key: string, because: string): void {
  gone.set(key, `There is no snapshot ${key} any more: ${because}`)
  for (const oldest of gone.keys()) {
    if (gone.size <= maxGone) break
    gone.delete(oldest)
  }
}

function refuseTooMany(held: readonly Held[]): void {
  if (held.length < maxSnapshots) return
  throw new ServiceError(
    'conflict',
    `There are ${held.length} snapshots already, the most there can be`,
    {
      hint: 'Deleted ones count as well, since a node keeps them until an earlier one is restored: restore an early one, or reset.',
    },
  )
}

function refuseTaken(held: readonly Held[], name: string | undefined): void {
  const known = held.find((one) => !one.deleted && name !== undefined && one.name === name)
  if (!known) return
  throw new ServiceError('conflict', `Snapshot ${known.id} has the name ${name} already`, {
    hint: 'Delete it first, or choose another name.',
  })
}

/** What can be expected to go wrong, in the words of the control API. */
function explain(cause: unknown): never {
  if (cause instanceof GateBusyError)
    throw new ServiceError('conflict', `The system is busy: ${cause.message}`, {
      hint: 'Let it end (lift the fault that holds it, cut the connection) and try again.',
      cause,
    })
  if (cause instanceof CheckpointLostError)
    throw new ServiceError('conflict', `This snapshot cannot be restored: ${cause.message}`, {
      hint: 'Restore another one, reset, or restart the simulator.',
      cause,
    })
  throw cause
}
