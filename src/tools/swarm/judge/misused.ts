import { accountInUrl, answeredMs, type Exchange, isExecute } from '../world/exchange.js'
import type { ClientFinding } from './finding.js'
import { startedBy } from './leftBehind.js'

/** The cause of a client that reads the same events again. */
export const rewoundCursor = 'a cursor that went back'

type Misuse = Pick<ClientFinding, 'message' | 'about' | 'cause'>

/** The client broke a rule of the interface that it could have kept: see the three functions below. */
export function misused(exchanges: readonly Exchange[], usual: CursorRewinds): Misuse | undefined {
  return (
    executedExpired(exchanges) ?? reusedSignature(exchanges) ?? cursorWentBack(exchanges, usual)
  )
}

/** How often polls for events began before a cursor that had been given: at the very start, and after some other cursor. */
export interface CursorRewinds {
  toStart: number
  toEarlier: number
}

/** Counts them in a run. */
export function cursorRewindsIn(exchanges: readonly Exchange[]): CursorRewinds {
  const back = wentBack(exchanges)
  const behind = back.filter(({ since }) => since > 0).length
  return { toStart: back.length - behind, toEarlier: behind }
}

/** A plan that was answered 404 `plan_not_found`, and was not executed before, is gone: asking again is no use. */
function executedExpired(exchanges: readonly Exchange[]): Misuse | undefined {
  const executed = new Set<string>()
  const gone = new Map<string, number>()
  for (const exchange of exchanges.filter(isExecute)) {
    const { plan_id: planId } = bodyOf(exchange)
    if (planId === undefined) continue
    if (startedBy(exchange) !== undefined) executed.add(planId)
    const { error } = (exchange.answer?.body ?? {}) as { error?: string }
    // A refusal that was cut on its way has told the client nothing.
    const isTold = error === 'plan_not_found' && !exchange.answer?.cut
    const wasTold = gone.has(planId) && error === 'plan_not_found'
    if (executed.has(planId) || !(isTold || wasTold)) continue
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
 * A poll for events that begins before a cursor which the account's polls had reached. To begin at the start is usual for a consumer that
 * is new, so it counts only when it happens more often than in the baseline.
 */
function cursorWentBack(exchanges: readonly Exchange[], usual: CursorRewinds): Misuse | undefined {
  const back = wentBack(exchanges)
  const behind = back.filter(({ since }) => since > 0)
  if (behind.length > usual.toEarlier) return toldOf(behind.at(-1)!)
  const toStart = back.filter(({ since }) => since === 0)
  return toStart.length > usual.toStart ? toldOf(toStart.at(-1)!) : undefined
}

interface StepBack {
  exchange: Exchange
  since: number
  reached: number
}

function toldOf({ exchange, since, reached }: StepBack): Misuse {
  return {
    message: `The client polled events of account ${accountInUrl(exchange.url)} from cursor ${since} after it had received cursor ${reached}. It reads the same events again.`,
    about: exchange.request_id,
    cause: rewoundCursor,
  }
}

/** Polls behind the highest cursor that a whole answer had given before they came. */
function wentBack(exchanges: readonly Exchange[]): StepBack[] {
  const polls = exchanges.filter(({ url }) => /^\/accounts\/[^/]+\/events(\?|$)/.test(url))
  return polls.flatMap((exchange) => {
    const since = Number(new URLSearchParams(exchange.url.split('?')[1]).get('since') ?? 0)
    const given = polls
      .filter((each) => accountInUrl(each.url) === accountInUrl(exchange.url))
      .filter((each) => answeredMs(each) <= exchange.received_ms!)
      .map(cursorGiven)
    const reached = Math.max(0, ...given)
    return since < reached ? [{ exchange, since, reached }] : []
  })
}

function cursorGiven({ answer }: Exchange): number {
  const { cursor } = (answer?.body ?? {}) as { cursor?: unknown }
  return answer?.status === 200 && !answer.cut && typeof cursor === 'number' ? cursor : 0
}

function bodyOf({ body }: Exchange): { plan_id?: string; signature?: string } {
  return typeof body === 'object' && body !== null ? body : {}
}
