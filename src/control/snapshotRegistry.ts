import type { Checkpoint } from '../chain/persistence/checkpoint.js'
import { ServiceError } from '../lib/errors.js'
import { keepNewest } from '../lib/keepNewest.js'
import type { Stateful } from '../lib/lifecycle.js'
import type { ClockState } from '../time/clock.js'
import type { SnapshotInfo } from './snapshotInfo.js'

/** A time of the clock, in milliseconds since the Unix epoch, and how the clock ran then. */
export interface ClockMoment {
  ms: number
  clock: ClockState
}

/** The state of the whole system at one moment: what its parts remembered, and where the chains were. */
export interface SystemState {
  time: ClockMoment
  checkpoint: Checkpoint
  saved: ReadonlyMap<Stateful, unknown>
}

export interface StoredSnapshot extends SnapshotInfo {
  state: SystemState
  /** Cannot be restored any more, but the nodes hold its memory until an earlier one is restored. */
  deleted?: true
}

/** The snapshot never existed, or a restore removed it. */
export class UnknownSnapshotError extends ServiceError {}

/** Each holds memory in five nodes: about 1 MB together when it is new, more as the chains grow. */
const maxSnapshots = 100
/** The most removed snapshots whose reason is remembered. */
const maxGone = 1_000

/** The snapshots that are kept, oldest first, and why others are gone. Ids are used again only after `startOver`. */
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
  /** Removes those from this place on; returns the ids of those that could have been restored. */
  const dropFrom = (index: number, because: string, isEnded = false): string[] => {
    const dropped = held.splice(index).filter((one) => !one.deleted)
    for (const snapshot of dropped) remember(snapshot, because, isEnded)
    return dropped.map(({ id }) => id)
  }
  return {
    find,
    list: () => alive().map(infoOf),
    /** Rejects with `conflict` when there can be no further one, or none of this name. */
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
    /** Removes what was taken after one that was restored, and with `ends` that one itself. */
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
    /** It stays in the list, since the nodes keep it, but holds nothing here. */
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
