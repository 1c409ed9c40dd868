import { passes } from './follow.js'
import { type Patience, pause } from './sending.js'
import type { ExecutedPlan } from './svcClient.js'
import { SvcError } from './svcError.js'
import type { Schemas } from './types.js'

/** What it takes to carry out one intent. */
export interface IntentSteps {
  plan(): Promise<Schemas['Plan']>
  /** Sends a plan off, once. */
  execute(plan: Schemas['Plan']): Promise<Schemas['ExecutionResult']>
  /** The account's activities. */
  activities(): Promise<readonly Schemas['Activity'][]>
}

/** Of a plan that was answered with one of these, nothing was done, unless an earlier request has done it. */
const gone: readonly string[] = ['plan_stale', 'plan_not_found']

/**
 * Carries out an intent once. A plan can be executed once at most, so the same plan may be sent again after a lost answer; a new one is made
 * only when no activity of the old one exists and the service has said that the old one is gone.
 */
export async function executeOnce(
  { plan: makePlan, execute, activities }: IntentSteps,
  { attempts, signal }: { attempts: number; signal?: AbortSignal | undefined },
  { attempts: tries, delayMs }: Patience,
): Promise<ExecutedPlan> {
  for (let made = 1; ; made++) {
    const plan = await makePlan()
    for (let failures = 1; ; failures++) {
      try {
        return { plan, execution: await execute(plan), attempts: made }
      } catch (error) {
        signal?.throwIfAborted()
        const isGone = error instanceof SvcError && gone.includes(error.code)
        if (!isGone && !passes(error)) throw error
        const execution = executionIn(await activities(), plan)
        if (execution) return { plan, execution, attempts: made }
        if (isGone ? made >= attempts : failures >= tries) throw error
        if (isGone) break
        await pause(delayMs(failures), signal)
      }
    }
  }
}

/** The result that an earlier request has brought about. */
function executionIn(
  activities: readonly Schemas['Activity'][],
  { plan_id }: Schemas['Plan'],
): Schemas['ExecutionResult'] | undefined {
  const found = activities.find((each) => each.plan_id === plan_id)
  if (!found || found.svc_intent_id === null) return undefined
  const { activity_id, svc_intent_id } = found
  return { plan_id, svc_intent_id, activity_id, status: 'executing' }
}
