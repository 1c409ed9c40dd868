import { z } from 'zod'
import { atPlans, defineAnswer, errorOf, messageOf, refused } from '../defineAnswer.js'

const statuses = { forbidden: 403, invalid_params: 400, not_found: 404 } as const

/** interface.md: "Behavior for an unknown account_id on plan endpoints and on execute: not shown". */
export const unknownAccountEffect = defineAnswer({
  name: 'unknown_account',
  summary:
    'An unknown account returns another error on plan endpoints and execute: 403 `forbidden`, 400 `invalid_params` or 404 `not_found`.',
  settings: z.strictObject({
    as: z.enum(['forbidden', 'invalid_params', 'not_found']).default('forbidden'),
  }),
  at: atPlans,
  alter: (answer, _, { as }) =>
    errorOf(answer) === 'account_not_found' ? refused(statuses[as], as, messageOf(answer)) : answer,
})
