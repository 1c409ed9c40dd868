import { passes, untilItPasses } from './follow.js'
import type { Patience } from './sending.js'
import { SvcError } from './svcError.js'
import type { Schemas } from './types.js'

/** A plan that was executed. */
export interface ExecutedPlan {
  plan: Schemas['Plan']
  execution: Schemas['ExecutionResult']
  /** How many plans it took: more than one when the first could not be executed any more. */
  attempts: number
}

/** The calls that carrying out an intent consists of. */
interface Calls {
  plan(signal: AbortSignal): Promise<Schemas['Plan']>
  sign(plan: Schemas['Plan']): Promise<string>
  /** Sends a signed plan, once. */
  execute(
    planId: string,
    signature: string,
    signal: AbortSignal,
  ): Promise<Schemas['ExecutionResult']>
  activities(signal: AbortSignal): Promise<Schemas['Activity'][]>
}

/** Bounds of `carryOut`. */
interface Bounds {
  /** The most plans to make. */
  attempts: number
  signal?: AbortSignal | undefined
}

/**
 * Carries an intent out exactly once. Planning moves nothing, so temporary failures of it are retried. After an execution without a clear
 * response, the account's activities show whether it happened. A new plan is made only when the first was not executed and no longer can
 * be (404 `plan_not_found`, 409 `plan_stale`). Throws the last failure.
 */
export async function carryOut(
  calls: Calls,
  { attempts, signal }: Bounds,
  patience: Patience,
): Promise<ExecutedPlan> {
  const waiting = { signal, failures: patience.attempts }
  for (let attempt = 1; ; attempt++) {
    const plan = await untilItPasses(calls.plan, waiting, patience, mayPlanAgain)
    const signature = await calls.sign(plan)
    const send = async (until: AbortSignal): Promise<Schemas['ExecutionResult']> => {
      try {
        return await calls.execute(plan.plan_id, signature, until)
      } catch (error) {
        signal?.throwIfAborted()
        if (!isGone(error) && !passes(error)) throw error
        const look = () => executionOf(calls, plan, until)
        const execution = await untilItPasses(look, waiting, patience)
        if (execution) return execution
        throw error
      }
    }
    try {
      return { plan, execution: await untilItPasses(send, waiting, patience), attempts: attempt }
    } catch (error) {
      if (!isGone(error) || attempt >= attempts) throw error
    }
  }
}

function isGone(error: unknown): boolean {
  return error instanceof SvcError && ['plan_not_found', 'plan_stale'].includes(error.code)
}

/** A quote that could not be had may be there in a moment. */
function mayPlanAgain(error: unknown): boolean {
  return passes(error) || (error instanceof SvcError && error.code === 'swap_quote_failed')
}

/** The response to the execution of a plan, rebuilt from its activity; undefined when it was not executed. */
async function executionOf(
  calls: Calls,
  { plan_id }: Schemas['Plan'],
  signal: AbortSignal,
): Promise<Schemas['ExecutionResult'] | undefined> {
  const done = (await calls.activities(signal)).find((each) => each.plan_id === plan_id)
  if (!done?.svc_intent_id) return undefined
  const { svc_intent_id, activity_id } = done
  return { plan_id, svc_intent_id, activity_id, status: 'executing' }
}
