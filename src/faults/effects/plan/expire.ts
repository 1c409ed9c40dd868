import { defineEffect } from '../../rules/effect.js'

/** The plan is answered as usual and is gone at once, whatever its `expires_at` says: a service that has lost its memory. */
export const expire = defineEffect({
  on: 'plan',
  name: 'expire',
  summary:
    'The plan expires as soon as it is returned, although its `expires_at` is two minutes away: executing it returns 404 `plan_not_found`.',
  async apply(_, { account }, proceed, { store, clock }) {
    const answer = await proceed()
    const plan = await store.plan(account.accountId, answer.plan_id)
    if (plan) await store.savePlan({ ...plan, expiresAtMs: clock.now() })
    return answer
  },
})
