import {
  atPaths,
  defineAnswer,
  errorOf,
  executePath,
  refused,
  sentFields,
} from '../defineAnswer.js'

/** interface.md: "a consumed plan cannot be executed again"; the error is not shown. */
export const consumedPlanStale = defineAnswer({
  name: 'consumed_plan_stale',
  summary:
    'Executing a plan again returns 409 `plan_stale`. Its money has already moved, so a client that plans again moves it twice.',
  at: atPaths(executePath),
  async alter(answer, call, _, { store }) {
    if (errorOf(answer) !== 'plan_not_found') return answer
    const { plan_id } = sentFields(call)
    const activities = await store.activities(String(call.facts.account_id))
    return activities.some(({ planId }) => planId !== null && planId === plan_id)
      ? refused(409, 'plan_stale', 'The plan was executed already')
      : answer
  },
})
