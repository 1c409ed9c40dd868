import { type Exchange, pathOf } from '../world/exchange.js'
import type { ClientFinding } from './finding.js'
import { leftBehind } from './leftBehind.js'
import { misplaced } from './money.js'
import type { Baseline, Run } from './run.js'

/** The cause of a client that takes an activity for done which has failed. */
const failedIsDone = 'a failed activity taken for done'

type Lost = Pick<ClientFinding, 'message' | 'about' | 'until'> & { cause?: string }

/**
 * After a failure that is not its fault a client may fail too, but it must know what became of each intent: exit code 0 with less than was
 * asked for is wrong, and so is an execution of which nobody knows the end.
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
  const { activities = [], events = [], ...one } = (answer.body ?? {}) as Said
  const all = [one, ...activities, ...events.map(({ data }) => data)]
  return all.some((said) => said?.activity_id === activityId && said.activity_status === 'failed')
}

interface Said {
  activity_id?: string
  activity_status?: string
  activities?: readonly Said[]
  events?: readonly { data?: Said }[]
}

/** The last activity that ended as failed. */
function failedActivity(exchanges: readonly Exchange[]): string | undefined {
  const events = exchanges.flatMap(({ notes }) => notes.filter(({ type }) => type === 'event'))
  const failed = events.findLast(({ activity_status }) => activity_status === 'failed')
  return failed && String(failed.activity_id)
}
