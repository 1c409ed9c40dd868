import { expirePlan } from '../../expirePlan.js'
import { atPaths, defineAnswer, errorOf, executePath, sentFields } from '../defineAnswer.js'

/** interface.md: what becomes of a plan when the signature or the execution fails is not shown. */
export const failureUsesPlanUp = defineAnswer({
  name: 'failure_uses_plan_up',
  summary:
    'A plan whose execution fails with 500 `internal_error`, because of its signature or anything else, is used up: executing it again returns 404 `plan_not_found`.',
  at: atPaths(executePath),
  async alter(answer, call, _, tools) {
    if (errorOf(answer) !== 'internal_error') return answer
    await expirePlan(tools, {
      accountId: String(call.facts.account_id),
      planId: String(sentFields(call).plan_id),
      effect: 'answer.failure_uses_plan_up',
    })
    return answer
  },
})
