import { z } from 'zod'
import { ServiceError } from '../../../lib/errors.js'
import { defineEffect, pastRule } from '../../rules/effect.js'

/** No plan can be generated, whatever the account holds. */
export const fail = defineEffect({
  on: 'plan',
  name: 'fail',
  summary: 'Planning returns 400 `plan_failed` with `reason` as its message.',
  synthetic: 'the table below has requests whose plans cannot be made',
  settings: z.strictObject({ reason: z.string().min(1).max(500).default('No valid plan') }),
  async apply({ reason }, _call, _proceed, { rule }) {
    throw new ServiceError('plan_failed', reason, {
      hint: `Fault rule ${rule.id} (plan.fail) returned this error instead of a plan. ${pastRule(rule)}`,
    })
  },
})
