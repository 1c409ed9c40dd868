import type { AccountRecord } from '../store/store.js'
import type { PlanKind } from './model/kind.js'
import type { PlanAnswer } from './model/planDetails.js'

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
