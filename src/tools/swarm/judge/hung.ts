import {
  accountInUrl,
  answeredMs,
  answerText,
  callText,
  type Exchange,
  firedAt,
  isSameCall,
  pathOf,
  routeOf,
} from '../world/exchange.js'
import type { ClientFinding } from './finding.js'
import { openExecution } from './leftBehind.js'
import type { Baseline, Run } from './run.js'

/** A pause that is longer than this is more than the time between two requests. Milliseconds. */
const pauseMs = 1_000

/** The client did not end: what it asked last, and what it seems to wait for. */
export function hung(
  { ending, exchanges }: Run,
  { tookMs }: Baseline,
): Pick<ClientFinding, 'message' | 'about'> & { cause?: string } {
  const last = exchanges.at(-1)
  const isWaiting = last !== undefined && waitsForResponse(last, exchanges)
  const open = openExecution(exchanges)
  const effects = new Set(exchanges.flatMap((each) => firedAt(each).map(({ effect }) => effect)))
  const account = exchanges.map(({ url }) => accountInUrl(url)).findLast((id) => id !== undefined)
  const parts = [
    `The client had not ended after ${seconds(ending.tookMs)}, and was stopped${tookMs === undefined ? '' : `; without faults it takes ${seconds(tookMs)}`}.`,
    last ? waitText(last, exchanges, ending.tookMs) : 'It sent no request.',
    ...overtakenText(exchanges),
    ...(open === undefined ? [] : [`Activity ${open} had not ended by then.`]),
    ...(effects.size === 0 ? [] : [`Faults that fired before: ${[...effects].join(', ')}.`]),
  ]
  const found = {
    message: parts.join(' '),
    about: open ?? (isWaiting ? last.request_id : (account ?? last?.request_id)),
  }
  if (isWaiting) return { ...found, cause: 'a response that does not come' }
  // Otherwise the last fault is the cause.
  if (effects.size > 0) return found
  const cause = last
    ? `after ${last.method} ${routeOf(last.url)} (${answerText(last)})`
    : 'no request'
  return { ...found, cause }
}

function waitText(last: Exchange, exchanges: readonly Exchange[], tookMs: number): string {
  const took = last.answer?.took_ms ?? 0
  if (waitsForResponse(last, exchanges))
    return `It was waiting for the response to ${last.method} ${last.url}${took > 0 ? `, for ${seconds(took)}` : ''}.`
  // It took its first request soon after it had begun.
  const silentMs = exchanges[0]!.received_ms! + tookMs - answeredMs(last)
  if (silentMs > pauseMs)
    return `After its last request, ${callText(last)}, it sent nothing for about ${seconds(silentMs)}.`
  const alike = exchanges.filter((each) => isSameCall(each, last))
  const answered = alike.findLast((each) => !isStopped(each)) ?? last
  return `It was still sending requests: ${last.method} ${pathOf(last)} (${answerText(answered)}) ${alike.length} times.`
}

/** So many whole responses to the same call show that a client asks again and again. */
const fewestPolls = 2

/** It had no response when the client was stopped, and is not just the latest of many polls. */
function waitsForResponse(last: Exchange, exchanges: readonly Exchange[]): boolean {
  const { answer } = last
  if (answer && !(answer.cut && (answer.took_ms ?? 0) > pauseMs)) return false
  const polls = exchanges.filter((each) => isSameCall(each, last) && each.answer?.cut === false)
  return polls.length < fewestPolls || firedAt(last).length > 0
}

/** Under way when the client was stopped: no fault cut its connection. */
function isStopped(exchange: Exchange): boolean {
  const { answer } = exchange
  return !answer || (answer.cut && firedAt(exchange).length === 0)
}

/** An event that had been overtaken by the end of its activity. */
function overtakenText(exchanges: readonly Exchange[]): string[] {
  const deliveries = exchanges
    .flatMap(({ notes }) => notes.filter(({ type }) => type === 'delivery'))
    .sort((one, other) => Number(one.cursor) - Number(other.cursor))
  for (const [place, late] of deliveries.entries()) {
    const before = deliveries
      .slice(0, place)
      .find(
        ({ activity_id, of }) => activity_id === late.activity_id && Number(of) > Number(late.of),
      )
    if (before)
      return [
        `Of activity ${late.activity_id}, event ${before.cursor} (${before.activity_status}) came before event ${late.cursor} (${late.activity_status}).`,
      ]
  }
  return []
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
