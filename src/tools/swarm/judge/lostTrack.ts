import type { Exchange } from '../world/exchange.js'
import type { ClientFinding } from './finding.js'
import { leftBehind } from './leftBehind.js'
import { misplaced } from './money.js'
import type { Baseline, Run } from './run.js'

/** The cause of a client that takes an activity for done which has failed. */
const failedIsDone = 'a failed activity taken for done'

type Lost = Pick<ClientFinding, 'message' | 'about'> & { cause?: string }

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
  return {
    message: `The client ended with 0, although ${failed ? `activity ${failed} failed` : 'something failed'}. ${missing.message}`,
    about: failed ?? missing.about,
    ...(failed && { cause: failedIsDone }),
  }
}

/** The last activity that ended as failed. */
function failedActivity(exchanges: readonly Exchange[]): string | undefined {
  const events = exchanges.flatMap(({ notes }) => notes.filter(({ type }) => type === 'event'))
  const failed = events.findLast(({ activity_status }) => activity_status === 'failed')
  return failed && String(failed.activity_id)
}
