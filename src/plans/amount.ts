import { z } from 'zod'

/** The largest uint256; on the wire it means "everything available" (service-facts section 17). */
export const maxUint256 = 2n ** 256n - 1n

const format =
  'a decimal integer string in the asset’s smallest unit, from 1 to 2^256-1, without sign, leading zeros, fraction or exponent'

function isAmount(text: string): boolean {
  return /^[1-9][0-9]{0,77}$/.test(text) && BigInt(text) <= maxUint256
}

/** An exact amount: decimal string outside, `bigint` inside. */
export function exactAmount(description: string) {
  return z
    .string({ error: `must be ${format}` })
    .refine(isAmount, { error: `must be ${format}` })
    .transform((text) => BigInt(text))
    .meta({ description, pattern: '^[1-9][0-9]{0,77}$', examples: ['1000000'] })
}

/** An amount that may also be everything: the word `max`, or 2^256-1. `bigint` inside, everything is `maxUint256`. */
export function amountOrMax(description: string) {
  return z
    .string({ error: `must be ${format}; or "max" for everything` })
    .refine((text) => text === 'max' || isAmount(text), {
      error: `must be ${format}; or "max" for everything`,
    })
    .transform((text) => (text === 'max' ? maxUint256 : BigInt(text)))
    .meta({
      description: `${description} \`max\` or 2^256-1 means everything available.`,
      pattern: '^([1-9][0-9]{0,77}|max)$',
      examples: ['1000000'],
    })
}

/** JSON form of a parsed intent: every `bigint` as a decimal string, which the kind's schema parses back to the same value. */
export function intentToJson(intent: unknown): unknown {
  return JSON.parse(
    JSON.stringify(intent, (_key, value) => (typeof value === 'bigint' ? value.toString() : value)),
  )
}
