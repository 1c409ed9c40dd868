import type { ClientFinding } from '../types.js'
import { accountInUrl, answeredMs, type Exchange, isExecute } from '../world/exchange.js'
import { startedBy } from './executions.js'
import type { CursorRewinds } from './run.js'

export const rewoundCursor = 'a cursor that went back'

type Misuse = Pick<ClientFinding, 'message' | 'about' | 'cause'>

/** The client broke a rule of the interface that it could have kept. */
export function misused(exchanges: readonly Exchange[], usual: CursorRewinds): Misuse | undefined {
  return (
    executedExpired(exchanges) ?? reusedSignature(exchanges) ?? cursorWentBack(exchanges, usual)
  )
}

export function cursorRewindsIn(exchanges: readonly Exchange[]): CursorRewinds {
  const back = wentBack(exchanges)
  const behind = back.filter(({ since }) => since > 0).length
  return { toStart: back.length - behind, toEarlier: behind }
}

/** The client executed a plan twice that the service answers with 404 `plan_not_found`. */
function executedExpired(exchanges: readonly Exchange[]): Misuse | undefined {
  const executed = new Set<string>()
  const gone = new Map<string, number>()
  for (const exchange of exchanges.filter(isExecute)) {
    const { plan_id: planId } = bodyOf(exchange)
    if (planId === undefined) continue
    if (startedBy(exchange) !== undefined) executed.add(planId)
    const { error } = (exchange.answer?.body ?? {}) as { error?: string }
    if (executed.has(planId) || error !== 'plan_not_found') continue
    // The first refusal counts only if it reached the client.
    if (!gone.has(planId) && exchange.answer?.cut) continue
    const times = (gone.get(planId) ?? 0) + 1
    gone.set(planId, times)
    if (times > 1)
      return {
        message: `The client executed plan ${planId} again after 404 plan_not_found. The plan had expired; only a new plan can be executed.`,
        about: exchange.request_id,
        cause: 'an expired plan executed again',
      }
  }
  return undefined
}

function reusedSignature(exchanges: readonly Exchange[]): Misuse | undefined {
  const digestOf = new Map<unknown, unknown>()
  for (const { notes } of exchanges)
    for (const note of notes) if (note.type === 'plan') digestOf.set(note.plan_id, note.digest)
  const planOf = new Map<string, string>()
  for (const exchange of exchanges.filter(isExecute)) {
    const { plan_id: planId, signature } = bodyOf(exchange)
    if (planId === undefined || signature === undefined) continue
    const before = planOf.get(signature) ?? planId
    planOf.set(signature, before)
    if (digestOf.get(before) !== digestOf.get(planId))
      return {
        message: `The client sent the signature of plan ${before} for plan ${planId}, which has a different digest.`,
        about: exchange.request_id,
        cause: 'a signature of another plan',
      }
  }
  return undefined
}

/**
 * A poll for events that begins before a cursor which earlier polls of the account had received. It counts only when it happens more often
 * than in the baseline: a new consumer begins at the start.
 */
function cursorWentBack(exchanges: readonly Exchange[], usual: CursorRewinds): Misuse | undefined {
  const back = wentBack(exchanges)
  const behind = back.filter(({ since }) => since > 0)
  if (behind.length > usual.toEarlier) return rewoundFinding(behind.at(-1)!)
  const toStart = back.filter(({ since }) => since === 0)
  return toStart.length > usual.toStart ? rewoundFinding(toStart.at(-1)!) : undefined
}

interface StepBack {
  exchange: Exchange
  since: number
  reached: number
}

function rewoundFinding({ exchange, since, reached }: StepBack): Misuse {
  return {
    message: `The client polled events of account ${accountInUrl(exchange.url)} from cursor ${since} after it had received cursor ${reached}. It reads the same events again.`,
    about: exchange.request_id,
    cause: rewoundCursor,
  }
}

/** Polls that begin before the highest cursor of earlier responses. */
function wentBack(exchanges: readonly Exchange[]): StepBack[] {
  const polls = exchanges.filter(({ url }) => /^\/accounts\/[^/]+\/events(\?|$)/.test(url))
  return polls.flatMap((exchange) => {
    const since = Number(new URLSearchParams(exchange.url.split('?')[1]).get('since') ?? 0)
    const received = polls
      .filter((each) => accountInUrl(each.url) === accountInUrl(exchange.url))
      .filter((each) => answeredMs(each) <= exchange.received_ms!)
      .map(cursorOf)
    const reached = Math.max(0, ...received)
    return since < reached ? [{ exchange, since, reached }] : []
  })
}

function cursorOf({ answer }: Exchange): number {
  const { cursor } = (answer?.body ?? {}) as { cursor?: unknown }
  return answer?.status === 200 && !answer.cut && typeof cursor === 'number' ? cursor : 0
}

function bodyOf({ body }: Exchange): { plan_id?: string; signature?: string } {
  return typeof body === 'object' && body !== null ? body : {}
}
