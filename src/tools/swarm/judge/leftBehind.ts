import { accountInUrl, type Exchange, isExecute } from '../world/exchange.js'
import type { ClientFinding } from './finding.js'

/**
 * An execution that was still open when the client got its last answer: the clock had to move on before it ended, and nobody asked any
 * more what became of it.
 */
export function leftBehind(
  exchanges: readonly Exchange[],
): Pick<ClientFinding, 'message' | 'about'> | undefined {
  const lastWord = Math.max(...exchanges.map(({ at, answer }) => Date.parse(answer?.at ?? at)))
  const ended = endings(exchanges)
  for (const exchange of exchanges.filter(isExecute)) {
    const activityId = startedBy(exchange)
    if (activityId === undefined) continue
    const endedAt = ended.get(activityId)
    if (endedAt !== undefined && endedAt <= lastWord) continue
    const how =
      endedAt === undefined
        ? 'it never ended'
        : `it ended ${(endedAt - lastWord) / 1000} s later on the clock`
    return {
      message: `The client ended while activity ${activityId} of account ${accountInUrl(exchange.url)} was still pending, and never looked again: ${how}.`,
      about: activityId,
    }
  }
  return undefined
}

/** The first execution that had not ended when everything came to rest; undefined when all had. */
export function openExecution(exchanges: readonly Exchange[]): string | undefined {
  const ended = endings(exchanges)
  const started = exchanges.filter(isExecute).flatMap((each) => startedBy(each) ?? [])
  return started.find((activityId) => !ended.has(activityId))
}

/** The activity that an execute request has begun. */
export function startedBy({ notes }: Exchange): string | undefined {
  const note = notes.find(({ type }) => type === 'activity')
  return note && String(note.activity_id)
}

/** When each activity ended last, in milliseconds of the clock. */
function endings(exchanges: readonly Exchange[]): Map<string, number> {
  const ended = new Map<string, number>()
  const events = exchanges
    .flatMap(({ notes }) => notes.filter(({ type }) => type === 'event'))
    .sort((one, other) => Number(one.cursor) - Number(other.cursor))
  for (const { activity_id, activity_status, at } of events) {
    if (activity_status === 'pending') ended.delete(String(activity_id))
    else ended.set(String(activity_id), Date.parse(at))
  }
  return ended
}
