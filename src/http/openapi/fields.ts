import { z } from 'zod'

/** Texts that the bodies of several answers have; numbers, addresses and hashes are in `scalars.ts`. */

export const hex = z.string().meta({ pattern: '^0x([0-9a-f]{2})*$' })
export const timestamp = z.string().meta({ format: 'date-time', description: 'ISO 8601, UTC.' })
export const decimalField = z.string().meta({ pattern: '^[0-9]+$' })

/** An id of the service: a prefix, then letters and digits; how many is not promised. */
export function id(prefix: string): z.ZodString {
  return z.string().meta({ pattern: `^${prefix}_[0-9A-Za-z]+$` })
}

export const activityTypeField = z.enum(['svc_operation_executed', 'exogenous']).meta({
  description: '`svc_operation_executed`: an executed plan; `exogenous`: an event from outside.',
})

export const activityStatus = z.enum(['pending', 'confirmed', 'failed'])

/** A boolean of the query string: exactly `true` or `false`. */
export function booleanParameter(description: string) {
  return z
    .string({ error: 'must be true or false, given once' })
    .refine((text) => text === 'true' || text === 'false', { error: 'must be true or false' })
    .transform((text) => text === 'true')
    .meta({ type: 'boolean', description })
}

/** An integer of the query string that a JSON number carries exactly: decimal digits alone, without leading zeros. */
export function integerParameter(
  description: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {},
) {
  const most = max === Number.MAX_SAFE_INTEGER ? '2^53-1' : max
  const error = `must be an integer from ${min} to ${most}, given once`
  const isInteger = (text: string): boolean =>
    /^(0|[1-9][0-9]{0,15})$/.test(text) && Number(text) >= min && Number(text) <= max
  return z
    .string({ error })
    .refine(isInteger, { error })
    .transform(Number)
    .meta({ type: 'integer', minimum: min, maximum: max, description })
}
