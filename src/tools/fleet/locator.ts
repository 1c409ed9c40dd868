import type { IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { worldNamed } from '../../http/worlds/worldRouter.js'
import { keepNewest } from '../../lib/keepNewest.js'
import {
  announceEveryMs,
  type FleetDirectory,
  type FoundLease,
  NotAnnouncedYet,
} from './directory.js'
import { hashOfKey } from './membership.js'

/** How a request names a world. */
export interface NamedWorld {
  id?: string
  keyHash?: string
}

/** Finds worlds; those that were found before without asking anybody, for a world never moves. */
export interface Locator {
  /** Not those that are lost: their leases may have been given back at another front. */
  known(named: NamedWorld): FoundLease | undefined
  /** Waits while the directory may have forgotten it. Rejects with `DirectoryError` when that takes too long, or nobody can be asked. */
  find(named: NamedWorld): Promise<FoundLease | undefined>
  /** A worker is gone: its worlds are lost for this reason. */
  lose(workerId: string, reason: string): void
}

/** A lease itself: what is asked of it is for its worker as well. */
const pathOfLease = /^\/_sim\/worlds\/([\w-]+)(?:\/renew)?(?:[?#]|$)/

/** The world that a request names; undefined when it names none. */
export function namedIn(req: Pick<IncomingMessage, 'url' | 'headers'>): NamedWorld | undefined {
  const { id = pathOfLease.exec(req.url ?? '')?.[1], key } = worldNamed(req)
  if (id !== undefined) return { id }
  return key === undefined ? undefined : { keyHash: hashOfKey(key) }
}

/** How many worlds, and workers that are gone, a front remembers. */
const remembered = 20_000

/** What may have been forgotten is asked for again after this time, and no longer than workers take to tell it. Milliseconds. */
const askAgainMs = 100
const patienceMs = announceEveryMs + 1_000

/** A front's way to worlds. While the directory may have forgotten what workers are about to tell it again, nothing is said not to be. */
export function createLocator(
  directory: Pick<FleetDirectory, 'ofId' | 'ofKeyHash'>,
  mayHaveForgotten: () => boolean = () => false,
): Locator {
  const byId = new Map<string, FoundLease>()
  const byKeyHash = new Map<string, FoundLease>()
  const gone = new Map<string, string>()
  const cached = ({ id, keyHash }: NamedWorld): FoundLease | undefined => {
    const lease = id === undefined ? byKeyHash.get(keyHash!) : byId.get(id)
    const lost = lease && gone.get(lease.worker.id)
    return lost === undefined ? lease : { ...lease!, lost }
  }
  const look = async ({ id, keyHash }: NamedWorld) => {
    const lease = await (id === undefined ? directory.ofKeyHash(keyHash!) : directory.ofId(id))
    if (!lease && mayHaveForgotten()) throw new NotAnnouncedYet()
    return lease
  }
  return {
    known(named) {
      const lease = cached(named)
      return lease?.lost === undefined ? lease : undefined
    },
    async find(named) {
      const untilMs = performance.now() + patienceMs
      const lookAgain = async (): Promise<FoundLease | undefined> => {
        try {
          return await look(named)
        } catch (error) {
          if (!(error instanceof NotAnnouncedYet) || performance.now() >= untilMs) throw error
          await setTimeout(askAgainMs)
          return lookAgain()
        }
      }
      const lease = await lookAgain().catch((error) => {
        const lost = cached(named)
        if (lost) return lost
        throw error
      })
      if (!lease || lease.lost !== undefined) return lease
      byId.set(lease.id, lease)
      byKeyHash.set(lease.keyHash, lease)
      keepNewest(byId, remembered)
      keepNewest(byKeyHash, remembered)
      return cached({ id: lease.id })
    },
    lose(workerId, reason) {
      gone.set(workerId, reason)
      keepNewest(gone, remembered)
    },
  }
}
