import { z } from 'zod'
import { ServiceError } from '../../../lib/errors.js'
import { defineEffect } from '../../rules/effect.js'

/** Too many requests. interface.md shows no limits, so status, code and header are ours, in their usual form. */
export const rateLimit = defineEffect({
  on: 'request',
  name: 'rate_limit',
  summary: '429 `rate_limited` with the header `retry-after: <seconds>`; nothing is done.',
  synthetic: 'the simulator itself has no limits',
  settings: z.strictObject({ retry_after: z.int().min(0).max(86_400).default(1) }),
  outcome: () => ({ text: 'returned 429 instead' }),
  async apply({ retry_after }, call, _proceed, { rule }) {
    call.header('retry-after', String(retry_after))
    const when = retry_after === 0 ? 'now' : `in ${retry_after} s`
    throw new ServiceError('rate_limited', `Too many requests; try again ${when}`, {
      hint: `Fault rule ${rule.id} (request.rate_limit) returned this error instead of handling the request. Wait ${retry_after} s, as the header retry-after says, and send it again.`,
    })
  },
})
