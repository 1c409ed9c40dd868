import type { FindingKind } from '../types.js'
import {
  answerText,
  type Exchange,
  firedAt,
  isExecute,
  isKilledAt,
  isRefused,
  routeOf,
} from '../world/exchange.js'
import { startedBy } from './executions.js'

/** Faults that refuse a request without carrying it out. */
const refusals: readonly string[] = [
  'request.respond',
  'request.reset_before',
  'request.rate_limit',
  'folio.timeout',
]

export const lostResponse = 'a lost response to an execution'

export const afterRestart = 'a restart'

export const noFault = 'needs no fault'

const outOfOrder: readonly string[] = ['events.delay', 'events.reorder']

interface Cause {
  cause: string
  /** `request.truncate at GET /networks (a cut connection)`; undefined when no fault fired. */
  at: string | undefined
}

/**
 * The response that broke a client: many faults look the same to it. A client that gave up or hung did so at the last fault; money went
 * wrong at the first fault around an execution.
 */
export function causeOf(kind: FindingKind, exchanges: readonly Exchange[]): Cause {
  const fired = firedIn(exchanges)
  const blamed =
    kind === 'gave_up' || kind === 'hung'
      ? fired.at(-1)
      : (fired.find(({ exchange }) => isExecute(exchange)) ?? fired.at(0))
  if (!blamed) return { cause: noFault, at: undefined }
  const { effect, exchange } = blamed
  return { cause: nameOf(kind, effect, exchange), at: placeText(blamed) }
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
  if (isKilledAt(exchange)) return afterRestart
  const { answer } = exchange
  const isAnswered = answer?.status === 200 && !answer.cut
  if (startedBy(exchange) !== undefined && !isAnswered) return lostResponse
  if (kind === 'left_behind') return 'an execution that takes long'
  if (kind === 'moved_twice' && refusals.includes(effect)) return 'a refused request'
  if (outOfOrder.includes(effect)) return 'late or out-of-order events'
  if (kind !== 'gave_up' || !isRefused(exchange)) return effect
  return mayRepeat(exchange) ? 'a request that has to be sent again' : answerText(exchange)
}

/** Whether repeating the request, perhaps later, is enough. */
function mayRepeat({ answer }: Exchange): boolean {
  const { status = 0, cut = true } = answer ?? {}
  return cut || status >= 500 || status === 408 || status === 429
}
