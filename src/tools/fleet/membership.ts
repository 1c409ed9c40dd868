import { createHash } from 'node:crypto'
import type { LeasedWorld } from '../../worlds/directory.js'
import type { Worlds } from '../../worlds/pool.js'
import { NoWorldError } from '../../worlds/queue.js'
import { DirectoryError, type FleetDirectory, fleetUnavailable } from './directory.js'

/** A worker's part in a fleet. */
export interface Membership {
  /** The same worlds, whose leases the directory hears of. */
  wrap(worlds: Worlds): Worlds
  /** Says who has room, from now on again and again. */
  begin(): void
  /** Says it at once: the directory may have forgotten everything. */
  sayAgain(): void
  /** Takes no more leases; resolves when all have ended. */
  leave(): Promise<void>
  /** Is no part of it any more: what is still leased is lost for this reason. */
  end(reason: string): Promise<void>
}

/** Who takes part, and where. */
export interface MembershipOptions {
  directory: FleetDirectory
  worker: { id: string; url: string }
  /** The fleet has given this worker up, and nothing that it does counts any more. */
  onGivenUp(): void
}

/** How often a worker announces itself, and after what time it is taken for gone. Milliseconds. */
const beatMs = 500
const aliveMs = 3_000
/** How much longer than the lease the directory knows it: its end is known to the worker alone. Milliseconds. */
const graceMs = 60_000

/** As which a key is in the directory. */
export function hashOfKey(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex')
}

/** Announces a worker and its leases, as long as it lives, and anew whenever the directory may not know them. */
export function joinFleet({ directory, worker, onGivenUp }: MembershipOptions): Membership {
  let worlds: Worlds | undefined
  let isLeaving = false
  let hasEnded = false
  /** Whether the directory may lack leases. */
  let isStale = false
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> | undefined

  const put = async ({ id, apiKey, leaseSeconds, leaseUntilMs }: LeasedWorld): Promise<void> => {
    const lease = { id, keyHash: hashOfKey(apiKey), worker, leaseSeconds, leaseUntilMs }
    const isPut = await directory.put(lease, Math.max(0, leaseUntilMs - Date.now()) + graceMs)
    if (!isPut) throw new NoWorldError('its worker has been given up')
  }
  const putAll = async (): Promise<void> => {
    const leased = worlds?.all().filter(({ lost }) => lost === undefined) ?? []
    await Promise.all(leased.map(put))
    isStale = false
  }
  const announce = async (): Promise<void> => {
    const { most, leased, starting, warm } = worlds!.counts()
    const room = isLeaving ? 0 : Math.max(0, most - leased - starting)
    const state = await directory.announce({ ...worker, room, warm: Math.min(warm, room) }, aliveMs)
    if (state === 'lost') onGivenUp()
    else if (state === 'new' || isStale) await putAll()
  }
  const beat = (): void => {
    clearTimeout(timer)
    if (hasEnded || !worlds) return
    beating ??= announce()
      .catch(() => {
        isStale = true
      })
      .finally(() => {
        beating = undefined
        if (!hasEnded) timer = setTimeout(beat, beatMs).unref()
      })
  }
  return {
    wrap(given) {
      worlds = given
      return announcing(given, {
        isLeaving: () => isLeaving,
        put,
        remove: ({ id, apiKey }) => directory.remove({ id, keyHash: hashOfKey(apiKey) }),
        onChange: beat,
        onTrouble() {
          isStale = true
        },
      })
    },
    begin: beat,
    sayAgain() {
      isStale = true
      beat()
    },
    async leave() {
      isLeaving = true
      await beating
      beat()
      await new Promise<void>((resolve) => {
        const look = setInterval(() => {
          if (worlds!.counts().leased > 0) return
          clearInterval(look)
          resolve()
        }, 100)
      })
    },
    async end(reason) {
      hasEnded = true
      clearTimeout(timer)
      await beating
      await directory.giveUp(worker.id, reason).catch((error) => {
        if (!(error instanceof DirectoryError)) throw error
      })
    },
  }
}

/** The same worlds; nobody hears of a lease before the directory does, and its renewals and its end are told in the background. */
function announcing(
  worlds: Worlds,
  told: {
    isLeaving(): boolean
    put(world: LeasedWorld): Promise<void>
    remove(world: LeasedWorld): Promise<void>
    onChange(): void
    onTrouble(): void
  },
): Worlds {
  const report = (work: Promise<void>): void => void work.catch(told.onTrouble)
  return {
    ...worlds,
    async lease(request) {
      if (told.isLeaving()) throw new NoWorldError('this worker is leaving the fleet')
      const prepare = async (world: LeasedWorld): Promise<void> => {
        await request.prepare?.(world)
        await told.put(world).catch((error) => {
          throw error instanceof DirectoryError ? fleetUnavailable(error) : error
        })
      }
      return worlds.lease({ ...request, prepare }).finally(told.onChange)
    },
    renew(id) {
      const world = worlds.renew(id)
      if (world) report(told.put(world))
      return world
    },
    release(id) {
      const world = worlds.release(id)
      if (world) report(told.remove(world))
      told.onChange()
      return world
    },
  }
}
