import type { Hex } from 'viem'
import { unixSeconds } from '../../time/clock.js'
import { note } from '../context/requestContext.js'
import type { AccountRecord } from '../store/store.js'
import { type ConsumeParts, consume, planOf } from './execute/consume.js'
import {
  createExecutions,
  type ExecutionParts,
  type Executions,
  type PlanExecution,
} from './execute/executions.js'
import { kindOf, type PlanKind } from './model/kind.js'
import type { PlanAnswer } from './model/planDetails.js'
import { type ApproveParts, approve } from './prepare/approve.js'
import { assemble } from './prepare/assemble.js'
import { executionsOf } from './prepare/progress.js'
import { type SaveParts, savePlan } from './prepare/savePlan.js'

/** The answer of execute (interface.md, "Execution result"). */
export interface ExecuteAnswer {
  plan_id: string
  svc_intent_id: string
  activity_id: string
  status: 'executing'
}

/** A plan that is to be made. */
export interface PlanCreation {
  kind: PlanKind
  account: AccountRecord
  /** The body as the kind's schema parsed it. */
  intent: unknown
}

/** What the HTTP layer asks of the planner. Every failure is a `ServiceError`. */
export interface PlanService {
  /** `intent` is the body as the kind's schema parsed it. */
  create(kind: string, account: AccountRecord, intent: unknown): Promise<PlanAnswer>
  execute(
    account: AccountRecord,
    request: { planId: string; signature: string },
  ): Promise<ExecuteAnswer>
}

/** What the simulator puts around the service's own steps. */
export interface PlanAround {
  /** Measures how long an answer takes. */
  timing: {
    create(kind: string, work: () => Promise<PlanAnswer>): Promise<PlanAnswer>
    execute(work: () => Promise<ExecuteAnswer>): Promise<ExecuteAnswer>
  }
  /** Fault rules; without rules they pass the call on as it is. */
  faults: {
    create(creation: PlanCreation, make: () => Promise<PlanAnswer>): Promise<PlanAnswer>
    execute(
      execution: PlanExecution,
      carryOut: (execution: PlanExecution) => Promise<ExecuteAnswer>,
    ): Promise<ExecuteAnswer>
  }
  /**
   * Resolves when nobody is moving the clock. A move lets all that is busy end first, and under load there is always something: without
   * this, what is due could wait for ever for executions that have just begun.
   */
  released(): Promise<void>
}

/** Everything the life of a plan needs. */
export interface PlanPipelineParts extends ApproveParts, SaveParts, ConsumeParts, ExecutionParts {
  around: PlanAround
}

/** The plan service as its owner holds it. */
export interface PlanPipeline extends PlanService, Omit<Executions, 'begin'> {}

/**
 * Creates and executes plans: every step between the parsed body and the answer, in order. The body has been validated by the
 * kind's schema (http/pipeline/validation.ts).
 */
export function createPlanPipeline(parts: PlanPipelineParts): PlanPipeline {
  const { timing, faults, released } = parts.around
  const { begin, ...executions } = createExecutions(parts)

  const make = async ({ kind, account, intent }: PlanCreation): Promise<PlanAnswer> => {
    const createdAtMs = unixSeconds(parts.clock) * 1000
    // Read before the chains, so that those can only be ahead of it.
    const from = parts.changes.position()
    const nonceCounts = await parts.store.nonceCounts(account.walletAddress)
    const underWay = await executionsOf(parts.store, account.walletAddress)
    const request = { kind, intent, account, known: { nonceCounts, underWay } }
    const built = await assemble(parts, request)
    const signing = await approve(parts, request, built)
    return savePlan(parts, request, { built, signing, createdAtMs, from })
  }

  const carryOut = async (execution: PlanExecution): Promise<ExecuteAnswer> => {
    await released()
    const { account, plan, signature, via } = execution
    const { submissions, activity } = await consume(parts, execution)
    const activity_id = activity.activityId
    const svc_intent_id = activity.intentId!
    const { planId: plan_id } = plan
    note({ type: 'activity', activity_id, plan_id, svc_intent_id, status: 'pending' })
    // From here on in the background.
    begin({ account, plan, signature: signature as Hex, activity }, submissions, via)
    return { plan_id, svc_intent_id, activity_id, status: 'executing' }
  }

  return {
    ...executions,
    create(name, account, intent) {
      const creation = { kind: kindOf(parts, name), account, intent }
      return timing.create(name, () => faults.create(creation, () => make(creation)))
    },
    execute: (account, { planId, signature }) =>
      timing.execute(async () => {
        const plan = await planOf(parts, account, planId)
        const kind = kindOf(parts, plan.kind)
        return faults.execute({ account, plan, kind, signature }, carryOut)
      }),
  }
}
