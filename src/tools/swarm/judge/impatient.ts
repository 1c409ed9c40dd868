import { accountInUrl, answeredMs, type Exchange, firedAt, routeOf } from '../world/exchange.js'
import type { ClientFinding } from './finding.js'
import type { Ending } from './run.js'

/** So long the interface lets a folio and a long poll take. Milliseconds. */
const allowedMs = 30_000

/** Timers may be early by a part of what was asked. */
const earlyPart = 0.95

/**
 * The client gave up a response before its time: a folio, since it takes as long when it is asked for again; or a long poll, if the client
 * failed for it. To end a long poll early and to look elsewhere is fine.
 */
export function impatient(
  exchanges: readonly Exchange[],
  { exit, hung }: Ending,
): Pick<ClientFinding, 'message' | 'about' | 'cause' | 'at'> | undefined {
  if (hung) return undefined
  for (const exchange of exchanges) {
    const waitedMs = answeredMs(exchange) - exchange.received_ms!
    if (!isHeld(exchange) || waitedMs >= allowedMs * earlyPart) continue
    const isPoll = /[?&]poll=true/.test(exchange.url)
    if (!isPoll && !routeOf(exchange.url).endsWith('/folio')) continue
    if (isPoll && exit === 0) continue
    const what = isPoll ? 'a long poll' : 'a folio'
    return {
      message: `The client gave up ${exchange.method} ${routeOf(exchange.url)} after ${(waitedMs / 1000).toFixed(1)} s. The interface lets ${what} take ${allowedMs / 1000} s.`,
      about: accountInUrl(exchange.url),
      cause: `${what} that takes ${allowedMs / 1000} s`,
      at: `request.hang at ${exchange.method} ${routeOf(exchange.url)}`,
    }
  }
  return undefined
}

/** Whether a fault held its response until the client left. */
function isHeld(exchange: Exchange): boolean {
  return (
    exchange.answer?.cut === true &&
    firedAt(exchange).some(({ effect }) => effect === 'request.hang')
  )
}
