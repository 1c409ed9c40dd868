import type { AccountRecord } from '../store/store.js'
import type { PlanDetails } from './model/planDetails.js'

/** The answer of every plan-creation endpoint (interface.md, "Plan"). `details` is wire JSON. */
export interface PlanAnswer {
  plan_id: string
  details: PlanDetails
  /** ISO 8601. */
  expires_at: string
}

/** The answer of execute (interface.md, "Execution result"). */
export interface ExecuteAnswer {
  plan_id: string
  svc_intent_id: string
  activity_id: string
  status: 'executing'
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
