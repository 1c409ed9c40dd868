import { z } from 'zod'

/** A boolean of the query string: exactly `true` or `false`. */
export function booleanParameter(description: string) {
  return z
    .string({ error: 'must be true or false, given once' })
    .refine((text) => text === 'true' || text === 'false', { error: 'must be true or false' })
    .transform((text) => text === 'true')
    .meta({ type: 'boolean', description })
}

/** A non-negative integer of the query string that a JSON number carries exactly. */
export function integerParameter(description: string) {
  const error = 'must be an integer from 0 to 2^53-1, given once'
  return z
    .string({ error })
    .refine((text) => /^[0-9]{1,16}$/.test(text) && Number.isSafeInteger(Number(text)), { error })
    .transform(Number)
    .meta({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description })
}
