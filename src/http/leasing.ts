import type { Response } from 'express'
import { ServiceError } from '../lib/errors.js'
import { NoWorldError } from '../worlds/queue.js'
import type { AppDeps, WorldAsk, WorldLeases } from './types.js'

/** When a client that was refused may try again. Seconds. */
const retryAfter = 1

/** The worlds that can be leased; a world itself has none. */
export function leasesOf({ worlds }: Pick<AppDeps, 'worlds'>): WorldLeases {
  if (worlds) return worlds
  throw new ServiceError('not_found', 'A world has no worlds of its own', {
    hint: 'Ask for worlds at /_sim/worlds of the simulator itself.',
  })
}

/** Leases a world for a caller who may leave before there is one; `rate_limited` when there is none to be had. */
export async function leaseFor(
  deps: Pick<AppDeps, 'worlds'>,
  res: Response,
  ask: Omit<WorldAsk, 'signal'>,
) {
  try {
    return await leasesOf(deps).lease({ ...ask, signal: hasLeft(res) })
  } catch (error) {
    if (!(error instanceof NoWorldError)) throw error
    res.setHeader('retry-after', retryAfter)
    throw new ServiceError('rate_limited', `No world can be leased now: ${error.message}`, {
      hint: 'Give worlds back as soon as they are not needed, or start with a higher --max-worlds.',
      cause: error,
    })
  }
}

/** Aborts when the caller does not wait for the answer any more. */
export function hasLeft(res: Response): AbortSignal {
  const left = new AbortController()
  res.once('close', () => left.abort())
  return left.signal
}
