import type { ClientFinding } from '../types.js'
import { accountInUrl, type Exchange, isExecute, pathOf } from '../world/exchange.js'
import { misplaced } from './money.js'
import type { Baseline, Run } from './run.js'

/**
 * An execution that was still open when the client got its last response, so that the client cannot know how it ended.
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

const failedIsDone = 'a failed activity taken for done'

type Lost = Pick<ClientFinding, 'message' | 'about' | 'until'> & { cause?: string }

/**
 * After a failure that it cannot avert a client may fail too, but it must know what became of each intent: exit code 0 with less than the
 * baseline is wrong, and so is an execution whose end the client did not read.
 */
export function lostTrack(
  baseline: Baseline,
  { ending, exchanges, outcome }: Run,
): Lost | undefined {
  if (ending.exit !== 0) {
    const pending = leftBehind(exchanges)
    return pending && { ...pending, cause: 'an execution that takes long' }
  }
  const missing = misplaced(baseline.outcome, outcome)
  if (!missing) return undefined
  const failed = failedActivity(exchanges)
  if (failed === undefined)
    return {
      message: `The client ended with 0, although something failed. ${missing.message}`,
      about: missing.about,
    }
  const read = exchanges.find((each) => isRead(each, failed))
  const known = read ? `${read.method} ${pathOf(read)} had returned "failed"` : 'it never read that'
  return {
    message: `The client ended with 0, although activity ${failed} failed: ${known}. ${missing.message}`,
    about: failed,
    ...(read && { until: read.request_id }),
    cause: failedIsDone,
  }
}

/** Whether a response says that an activity has failed: the activity itself, a list of them, or events. */
function isRead({ answer }: Exchange, activityId: string): boolean {
  if (answer?.status !== 200 || answer.cut) return false
  const { activities = [], events = [], ...single } = (answer.body ?? {}) as ActivityReply
  const all = [single, ...activities, ...events.map(({ data }) => data)]
  return all.some(
    (reply) => reply?.activity_id === activityId && reply.activity_status === 'failed',
  )
}

interface ActivityReply {
  activity_id?: string
  activity_status?: string
  activities?: readonly ActivityReply[]
  events?: readonly { data?: ActivityReply }[]
}

/** The last activity that ended as failed. */
function failedActivity(exchanges: readonly Exchange[]): string | undefined {
  const events = exchanges.flatMap(({ notes }) => notes.filter(({ type }) => type === 'event'))
  const failed = events.findLast(({ activity_status }) => activity_status === 'failed')
  return failed && String(failed.activity_id)
}
