import { z } from 'zod'
import { type ProblemCode, problems, ServiceError } from '../../errors.js'
import { defineEffect } from '../effect.js'

const codes = Object.keys(problems) as [ProblemCode, ...ProblemCode[]]

/** An error is answered, with its own status, and nothing is done: painted, not caused. */
export const respond = defineEffect({
  on: 'request',
  name: 'respond',
  summary:
    'The error `error` is answered with its own status, and nothing is done. A rule that names a path, kind or method may only ask for what a matching route documents.',
  settings: z.strictObject({ error: z.enum(codes), message: z.string().max(500).optional() }),
  async apply({ error, message }) {
    throw new ServiceError(error, message ?? `Forced by a fault rule: ${problems[error].when}`)
  },
})
