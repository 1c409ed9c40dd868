import { defineEffect } from '../../rules/effect.js'
import { expirePlan } from '../expirePlan.js'

/** The plan is answered as usual and is gone at once, whatever its `expires_at` says: a service that has lost its memory. */
export const expire = defineEffect({
  on: 'plan',
  name: 'expire',
  summary:
    'The plan expires as soon as it is returned, although its `expires_at` is two minutes away: executing it returns 404 `plan_not_found`.',
  outcome: () => ({ text: 'made the plan expire as soon as it was returned' }),
  async apply(_, { account }, proceed, tools) {
    const answer = await proceed()
    const { accountId } = account
    await expirePlan(tools, { accountId, planId: answer.plan_id, effect: 'plan.expire' })
    return answer
  },
})
