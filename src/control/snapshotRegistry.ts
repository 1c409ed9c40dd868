import type { Checkpoint } from '../chain/persistence/checkpoint.js'
import { ServiceError } from '../lib/errors.js'
import { keepNewest } from '../lib/keepNewest.js'
import type { Stateful } from '../lib/lifecycle.js'
import type { ClockState } from '../time/clock.js'
import type { SnapshotInfo } from './snapshotInfo.js'

export interface ClockMoment {
  /** Milliseconds since the Unix epoch. */
  ms: number
  clock: ClockState
}

export interface SystemState {
  time: ClockMoment
  checkpoint: Checkpoint
  saved: ReadonlyMap<Stateful, unknown>
}

export interface StoredSnapshot extends SnapshotInfo {
  state: SystemState
  /** Can no longer be restored, but takes memory of the nodes until an earlier one is restored. */
  deleted?: true
}

/** The snapshot never existed, or a restore removed it. */
export class UnknownSnapshotError extends ServiceError {}

/** Each takes memory in five nodes: together about 1 MB when new, more as the chains grow. */
const maxSnapshots = 100
/** The most removed snapshots whose reason is remembered. */
const maxGone = 1_000

/** Snapshots, oldest first, and the reasons why others are gone. Ids are reused only after `startOver`. */
export function createSnapshotRegistry(onAdded: (snapshot: SnapshotInfo) => void = () => {}) {
  const held: StoredSnapshot[] = []
  const gone = new Map<string, { because: string; isEnded: boolean }>()
  let lastId = 0

  const remember = ({ id, name }: StoredSnapshot, because: string, isEnded = false): void => {
    for (const key of [id, name]) if (key !== undefined) gone.set(key, { because, isEnded })
    keepNewest(gone, maxGone)
  }
  const alive = (): StoredSnapshot[] => held.filter((one) => !one.deleted)
  /** Rejects with `not_found`, with the reason if the snapshot once existed. */
  const find = (idOrName: string): StoredSnapshot => {
    const snapshot = alive().find(({ id, name }) => id === idOrName || name === idOrName)
    if (snapshot) return snapshot
    const there = alive().map(({ id, name }) => (name === undefined ? id : `${id} (${name})`))
    const { because, isEnded = true } = gone.get(idOrName) ?? {}
    const what = `There is no snapshot ${idOrName.slice(0, 80)}`
    const Refusal = isEnded ? UnknownSnapshotError : ServiceError
    throw new Refusal('not_found', because ? `${what} any more: ${because}` : what, {
      hint: `Existing snapshots: ${there.join(', ').slice(0, 400) || 'none'}. Snapshots end with the process that took them.`,
    })
  }
  /** Removes the snapshots from this index on; returns the ids of those that could be restored. */
  const dropFrom = (index: number, because: string, isEnded = false): string[] => {
    const dropped = held.splice(index).filter((one) => !one.deleted)
    for (const snapshot of dropped) remember(snapshot, because, isEnded)
    return dropped.map(({ id }) => id)
  }
  return {
    find,
    list: () => alive().map(infoOf),
    /** Throws `conflict` when there are too many, or the name is taken. */
    expectRoom(name: string | undefined): void {
      refuseTooMany(held)
      refuseTaken(alive(), name)
    },
    add(name: string | undefined, at: string, state: SystemState): SnapshotInfo {
      const snapshot = { id: `snp_${++lastId}`, name, at, state }
      gone.delete(snapshot.id)
      held.push(snapshot)
      onAdded(snapshot)
      return infoOf(snapshot)
    },
    /** Removes the snapshots after a restored one, and with `ends` that one too. */
    dropAfter(snapshot: StoredSnapshot, ends: boolean): string[] {
      const because = `it was taken after ${snapshot.id}, which has been restored`
      const later = dropFrom(held.indexOf(snapshot) + 1, because, true)
      return ends
        ? [
            ...dropFrom(held.indexOf(snapshot), 'a revert over JSON-RPC has ended it', true),
            ...later,
          ]
        : later
    },
    dropAll: (because: string) => dropFrom(0, because),
    /** Numbers snapshots from the first id again. */
    startOver(): void {
      lastId = 0
    },
    /** Keeps the entry, since the nodes keep the snapshot, without its content. */
    delete(idOrName: string): SnapshotInfo {
      const snapshot = find(idOrName)
      snapshot.deleted = true
      snapshot.state = { ...snapshot.state, saved: new Map() }
      remember(snapshot, 'it was deleted')
      return infoOf(snapshot)
    },
  }
}

export function infoOf({ id, name, at }: StoredSnapshot): SnapshotInfo {
  return { id, name, at }
}

function refuseTooMany(held: readonly StoredSnapshot[]): void {
  if (held.length < maxSnapshots) return
  throw new ServiceError(
    'conflict',
    `Too many snapshots: ${held.length} (the limit is ${maxSnapshots})`,
    {
      hint: 'Deleted ones count too, because a node keeps them until an earlier one is restored. Restore an early one, or reset.',
    },
  )
}

function refuseTaken(alive: readonly StoredSnapshot[], name: string | undefined): void {
  const known = alive.find((one) => name !== undefined && one.name === name)
  if (!known) return
  throw new ServiceError('conflict', `Snapshot ${known.id} has the name ${name} already`, {
    hint: 'Delete it first, or choose another name.',
  })
}
