import { z } from 'zod'
import { type ProblemCode, problems, ServiceError } from '../../../lib/errors.js'
import { defineEffect, pastRule } from '../../rules/effect.js'

const codes = Object.keys(problems) as [ProblemCode, ...ProblemCode[]]

/**
 * An error is answered, with its own status, and nothing is done. With `done` everything is done first,
 * so that the answer is a lie of the kind that makes clients pay twice.
 */
export const respond = defineEffect({
  on: 'request',
  name: 'respond',
  summary:
    'Returns the error `error` with its own status, and nothing is done. With `done`, the request is carried out first, as when a service breaks after its transaction has landed. A rule with a path, kind or method may only use errors that a matching route documents.',
  synthetic: 'the table below has a cause of each error',
  settings: z.strictObject({
    error: z.enum(codes),
    message: z.string().max(500).optional(),
    done: z.boolean().optional(),
  }),
  outcome: ({ error, done }) => ({
    text: `returned ${error} ${done ? 'after the request was carried out' : 'instead'}`,
    ...(done && { isDone: true }),
  }),
  async apply({ error, message, done }, _, proceed, { rule }) {
    if (done) await proceed()
    throw new ServiceError(error, message ?? 'Forced by a fault rule', {
      hint: `Fault rule ${rule.id} (request.respond) returned this error ${done ? 'after the request was carried out. Look for what it did before you send it again.' : `instead of handling the request. ${pastRule(rule)}`}`,
    })
  },
})
