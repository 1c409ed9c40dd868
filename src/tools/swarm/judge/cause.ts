import {
  answerText,
  type Exchange,
  firedAt,
  isExecute,
  isLast,
  isRefused,
  routeOf,
} from '../world/exchange.js'
import type { FindingKind } from './finding.js'
import { startedBy } from './leftBehind.js'

/** Requests that were not carried out, and may be sent again. */
const refusals: readonly string[] = [
  'request.respond',
  'request.reset_before',
  'request.rate_limit',
  'folio.timeout',
]

/** The cause of whoever does not find out what became of an execution. */
export const lostResponse = 'a lost response to an execution'

/** The cause of a client that does not know after a restart what it has done before. */
export const afterRestart = 'a restart'

/** The cause when no fault fired. */
export const noFault = 'needs no fault'

/** Either puts an event behind a later one. */
const outOfOrder: readonly string[] = ['events.delay', 'events.reorder']

/** What a client could not cope with, and the fault that brought it there. */
export interface Cause {
  cause: string
  /** `request.truncate at GET /networks (a cut connection)`; undefined when no fault fired. */
  at: string | undefined
}

/**
 * What a client could not cope with, as it looks from there: many faults are one and the same to it. Whoever gave up or hung did so at the
 * last fault; money went wrong at the first one around an execution.
 */
export function causeOf(kind: FindingKind, exchanges: readonly Exchange[]): Cause {
  const fired = firedIn(exchanges)
  const found =
    kind === 'gave_up' || kind === 'hung'
      ? fired.at(-1)
      : (fired.find(({ exchange }) => isExecute(exchange)) ?? fired.at(0))
  if (!found) return { cause: noFault, at: undefined }
  const { effect, exchange } = found
  return { cause: nameOf(kind, effect, exchange), at: placeText(found) }
}

interface Fired {
  effect: string
  exchange: Exchange
}

function firedIn(exchanges: readonly Exchange[]): Fired[] {
  return exchanges.flatMap((exchange) =>
    firedAt(exchange).map(({ effect }) => ({ effect, exchange })),
  )
}

function placeText({ effect, exchange }: Fired): string {
  return `${effect} at ${exchange.method} ${routeOf(exchange.url)} (${answerText(exchange)})`
}

/** The first fault at these requests, as `at` of a cause. */
export function firstAt(exchanges: readonly Exchange[]): string | undefined {
  const [first] = firedIn(exchanges)
  return first && placeText(first)
}

function nameOf(kind: FindingKind, effect: string, exchange: Exchange): string {
  if (isLast(exchange)) return afterRestart
  const { answer } = exchange
  const isTold = answer?.status === 200 && !answer.cut
  if (startedBy(exchange) !== undefined && !isTold) return lostResponse
  if (kind === 'left_behind') return 'an execution that takes long'
  if (kind === 'moved_twice' && refusals.includes(effect)) return 'a refused request'
  if (outOfOrder.includes(effect)) return 'late or out-of-order events'
  if (kind !== 'gave_up' || !isRefused(exchange)) return effect
  return mayRepeat(exchange) ? 'a request that has to be sent again' : answerText(exchange)
}

/** Whether sending it again, perhaps later, is all that it takes. */
function mayRepeat({ answer }: Exchange): boolean {
  const { status = 0, cut = true } = answer ?? {}
  return cut || status >= 500 || status === 408 || status === 429
}
