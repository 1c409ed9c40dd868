/**
 * What to do when it is not known whether an execution was carried out. The one text for the hint, `why`, the guides and the report of
 * `svc-sim swarm`.
 */
export const afterLostExecution =
  'find out whether the plan ran before you make another: if GET /accounts/:account_id/activities lists an activity with its plan_id, it ran, so follow that activity and do not plan again; if none has it, execute the same plan again'

/** What to do when it is known that a plan ran. */
export function followInstead(activityId: string): string {
  return `follow activity ${activityId}, and do not make a new plan for it`
}

/** The hint for a plan that was executed before. */
export function afterExecuted(activityId: string): string {
  return `the plan was executed before: ${followInstead(activityId)}`
}
