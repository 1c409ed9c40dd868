import { answerText, type Exchange, isSameCall } from '../world/exchange.js'
import { firstAt } from './cause.js'
import type { ClientFinding } from './finding.js'

/** So many refused requests within a second are too many. */
const maxRefusedInSecond = 50
/** Timers may be early by a part of what was asked. */
const earlyPart = 0.95

/** The client asked again before `retry-after` was over, or asked very often while it was refused. */
export function hammered(exchanges: readonly Exchange[]): Omit<ClientFinding, 'kind'> | undefined {
  return ignoredRetryAfter(exchanges) ?? refusedTooOften(exchanges)
}

function ignoredRetryAfter(exchanges: readonly Exchange[]) {
  for (const [place, refused] of exchanges.entries()) {
    const seconds = Number(refused.answer?.headers['retry-after'] ?? Number.NaN)
    if (refused.answer?.status !== 429 || refused.answer.cut || !(seconds > 0)) continue
    const again = exchanges.slice(place + 1).find((each) => isSameCall(each, refused))
    const waitedMs = again && waitBetween(refused, again)
    if (waitedMs === undefined || waitedMs >= seconds * 1000 * earlyPart) continue
    return {
      message: `${refused.method} ${refused.url} returned 429 with retry-after ${seconds}, and the client retried after ${Math.max(0, Math.round(waitedMs))} ms.`,
      about: refused.request_id,
      and: again!.request_id,
      cause: 'retry-after ignored',
      at: firstAt([refused]),
    }
  }
  return undefined
}

/**
 * By the machine's time or by the clock, whichever is more: a client may take its pauses from the clock. From the arrival of what was
 * refused at once, since on a busy machine the end of the answer is noted after the client has it.
 */
function waitBetween(refused: Exchange, again: Exchange): number {
  const byClock = Date.parse(again.at) - Date.parse(refused.answer!.at)
  return Math.max(again.received_ms! - refused.received_ms!, byClock)
}

function refusedTooOften(exchanges: readonly Exchange[]) {
  const refused = exchanges.filter(isRefused)
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

function isRefused({ answer }: Exchange): boolean {
  return (
    !answer || answer.cut || answer.status === 408 || answer.status === 429 || answer.status >= 500
  )
}
