import {
  answeredMs,
  answerText,
  callText,
  type Exchange,
  firedAt,
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
): Pick<ClientFinding, 'message' | 'about' | 'cause'> {
  const last = exchanges.at(-1)
  const isWaiting = last !== undefined && waitsForResponse(last)
  const open = openExecution(exchanges)
  const effects = new Set(exchanges.flatMap((each) => firedAt(each).map(({ effect }) => effect)))
  const parts = [
    `The client had not ended after ${seconds(ending.tookMs)}, and was stopped; without faults it takes ${seconds(tookMs)}.`,
    last ? waitText(last, exchanges, ending.tookMs) : 'It sent no request.',
    ...(open === undefined ? [] : [`Activity ${open} had not ended by then.`]),
    ...(effects.size === 0 ? [] : [`Faults that fired before: ${[...effects].join(', ')}.`]),
  ]
  return {
    message: parts.join(' '),
    about: open ?? last?.request_id,
    cause: isWaiting
      ? 'a response that does not come'
      : last
        ? `after ${last.method} ${routeOf(last.url)} (${answerText(last)})`
        : 'no request',
  }
}

function waitText(last: Exchange, exchanges: readonly Exchange[], tookMs: number): string {
  const call = `${last.method} ${last.url}`
  const took = last.answer?.took_ms ?? 0
  if (waitsForResponse(last))
    return `It was waiting for the response to ${call}${took > 0 ? `, for ${seconds(took)}` : ''}.`
  const alike = exchanges.filter(({ method, url }) => method === last.method && url === last.url)
  // It took its first request soon after it had begun.
  const silentMs = exchanges[0]!.received_ms! + tookMs - answeredMs(last)
  return silentMs > pauseMs
    ? `After its last request, ${callText(last)}, it sent nothing for about ${seconds(silentMs)}.`
    : `It was still sending requests: ${callText(last)} ${alike.length} times.`
}

/** It had no response when the client was stopped, which cuts the connection. */
function waitsForResponse({ answer }: Exchange): boolean {
  return !answer || (answer.cut && (answer.took_ms ?? 0) > pauseMs)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
