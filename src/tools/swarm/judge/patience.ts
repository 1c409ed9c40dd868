import type { ClientFinding } from '../types.js'
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
import { firstAt } from './cause.js'
import { openExecution } from './executions.js'
import type { Baseline, Ending, Run } from './run.js'

/** A pause that is longer than this is more than the time between two requests. Milliseconds. */
const pauseMs = 1_000

/** The client did not end: its last request, and what it seems to wait for. */
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
  const finding = {
    message: parts.join(' '),
    about: open ?? (isWaiting ? last.request_id : (account ?? last?.request_id)),
  }
  if (isWaiting) return { ...finding, cause: 'a response that does not come' }
  // Otherwise the last fault is the cause.
  if (effects.size > 0) return finding
  const cause = last
    ? `after ${last.method} ${routeOf(last.url)} (${answerText(last)})`
    : 'no request'
  return { ...finding, cause }
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

/** From this many whole responses to the same call on, a client polls. */
const fewestPolls = 2

/** Whether the request had no response when the client was stopped, and is not one of many polls. */
function waitsForResponse(last: Exchange, exchanges: readonly Exchange[]): boolean {
  const { answer } = last
  if (answer && !(answer.cut && (answer.took_ms ?? 0) > pauseMs)) return false
  const polls = exchanges.filter((each) => isSameCall(each, last) && each.answer?.cut === false)
  return polls.length < fewestPolls || firedAt(last).length > 0
}

/** Whether a request was open when the client was stopped: no fault cut its connection. */
function isStopped(exchange: Exchange): boolean {
  const { answer } = exchange
  return !answer || (answer.cut && firedAt(exchange).length === 0)
}

/** The first event that came after a later event of its activity. */
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

/** How long the interface lets a folio and a long poll take. Milliseconds. */
const allowedMs = 30_000

/** Timers may fire early by one part in twenty. */
const earlyPart = 0.95

/**
 * The client gave up a folio too early, since it takes as long the next time; or a long poll, if the client failed for it. Ending a long
 * poll early and looking elsewhere is fine.
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

const maxRefusedInSecond = 50
/** The client retried before `retry-after` was over, or too often while it was refused. */
export function hammered(exchanges: readonly Exchange[]): Omit<ClientFinding, 'kind'> | undefined {
  return ignoredRetryAfter(exchanges) ?? refusedTooOften(exchanges)
}

function ignoredRetryAfter(exchanges: readonly Exchange[]) {
  for (const [place, refused] of exchanges.entries()) {
    const seconds = Number(refused.answer?.headers['retry-after'] ?? Number.NaN)
    if (refused.answer?.status !== 429 || refused.answer.cut || !(seconds > 0)) continue
    const retry = exchanges.slice(place + 1).find((each) => isSameCall(each, refused))
    const waitedMs = retry && waitBetween(refused, retry)
    if (waitedMs === undefined || waitedMs >= seconds * 1000 * earlyPart) continue
    return {
      message: `${refused.method} ${refused.url} returned 429 with retry-after ${seconds}, and the client retried after ${Math.max(0, Math.round(waitedMs))} ms.`,
      about: refused.request_id,
      and: retry!.request_id,
      cause: 'retry-after ignored',
      at: firstAt([refused]),
    }
  }
  return undefined
}

/**
 * By the machine's time or by the simulator's clock, whichever is more: a client may take its pauses from the clock. Measured from the
 * arrival of the refused request, since a busy machine records the end of a response late.
 */
function waitBetween(refused: Exchange, retry: Exchange): number {
  const byClock = Date.parse(retry.at) - Date.parse(refused.answer!.at)
  return Math.max(retry.received_ms! - refused.received_ms!, byClock)
}

function refusedTooOften(exchanges: readonly Exchange[]) {
  const refused = exchanges.filter(isOverload)
  for (const [place, first] of refused.entries()) {
    const last = refused[place + maxRefusedInSecond]
    if (last === undefined || last.received_ms! - first.received_ms! > 1000) continue
    return {
      message: `While it was being refused, the client sent more than ${maxRefusedInSecond} requests within one second, starting with ${first.method} ${first.url} (${answerText(first)}).`,
      about: first.request_id,
      cause: 'too many requests in a second',
      at: firstAt(refused.slice(place, place + maxRefusedInSecond)),
    }
  }
  return undefined
}

function isOverload({ answer }: Exchange): boolean {
  return (
    !answer || answer.cut || answer.status === 408 || answer.status === 429 || answer.status >= 500
  )
}
