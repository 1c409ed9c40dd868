import type { ServerResponse } from 'node:http'
import { ServiceError } from '../../lib/errors.js'
import { NoWorldError } from '../../worlds/lease.js'
import type { AppDeps, WorldAsk, WorldLeases } from '../core/types.js'

/** When a refused client may retry, in seconds. */
const retryAfter = 1

/** The leasable worlds. Throws inside a leased world, which has none. */
export function leasesOf({ worlds }: Pick<AppDeps, 'worlds'>): WorldLeases {
  if (worlds) return worlds
  throw new ServiceError('not_found', 'A leased world cannot lease worlds', {
    hint: 'Lease worlds at /_sim/worlds of the simulator itself.',
  })
}

/**
 * Leases a world for a caller who may disconnect first: then the world is released at once. Rejects with `rate_limited` or `no_room` when none
 * is available.
 */
export async function leaseFor(
  deps: Pick<AppDeps, 'worlds'>,
  res: ServerResponse,
  ask: Omit<WorldAsk, 'signal'>,
) {
  const leases = leasesOf(deps)
  try {
    const leased = await leases.lease({ ...ask, signal: hasLeft(res) })
    ifUnheard(res, () => void leases.release(leased.world.id))
    return leased
  } catch (error) {
    if (!(error instanceof NoWorldError)) throw error
    res.setHeader('retry-after', retryAfter)
    throw new ServiceError(error.code, `No world can be leased now: ${error.message}`, {
      hint: 'Release worlds as soon as you no longer need them, or start with a higher --max-worlds.',
      cause: error,
    })
  }
}

/** Aborts when the caller disconnects. */
export function hasLeft(res: ServerResponse): AbortSignal {
  const left = new AbortController()
  res.once('close', () => left.abort())
  return left.signal
}

/** Calls back when the caller has left, or leaves, before the whole answer was sent. */
function ifUnheard(res: ServerResponse, undo: () => void): void {
  const look = (): void => {
    if (!res.writableFinished) undo()
  }
  if (res.closed) look()
  else res.once('close', look)
}
