import { answerText, type Exchange, firedAt, isExecute, isRefused } from '../world/exchange.js'
import type { FindingKind } from './finding.js'
import { startedBy } from './leftBehind.js'

/** Requests that were not carried out, and may be sent again. */
const refusals: readonly string[] = [
  'request.respond',
  'request.reset_before',
  'request.rate_limit',
  'folio.timeout',
]

/**
 * What a client could not cope with, as it looks from there: many faults are one and the same to it. Whoever gave up did so at the last
 * fault; money went wrong at the first one around an execution.
 */
export function causeOf(kind: FindingKind, exchanges: readonly Exchange[]): string {
  const fired = exchanges.flatMap((exchange) =>
    firedAt(exchange).map(({ effect }) => ({ effect, exchange })),
  )
  const found =
    kind === 'gave_up'
      ? fired.at(-1)
      : (fired.find(({ exchange }) => isExecute(exchange)) ?? fired.at(0))
  if (!found) return 'nothing'
  const { effect, exchange } = found
  const { answer } = exchange
  const isTold = answer?.status === 200 && !answer.cut
  if (startedBy(exchange) !== undefined && !isTold) return 'a lost response to an execution'
  if (kind === 'left_behind') return 'an execution that takes long'
  if (kind === 'moved_twice' && refusals.includes(effect)) return 'a refused request'
  return kind === 'gave_up' && isRefused(exchange) ? answerText(exchange) : effect
}
