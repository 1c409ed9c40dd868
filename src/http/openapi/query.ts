import { z } from 'zod'

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
