import { z } from 'zod'

/** The largest uint256; on the wire it means "everything available" (service-facts section 17). */
export const maxUint256 = 2n ** 256n - 1n

/** The smaller of two amounts; `Math.min` does not take them. */
export function smaller(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}

/** The larger of two amounts. */
export function larger(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}

const format =
  'a decimal integer string in the smallest unit of the asset, without sign, leading zeros, fraction or exponent'
const exact = `must be ${format}, from 1 to 2^256-2`
const exactOrInteger = `${exact}, or a JSON integer from 1 to 2^53-1; larger ones are not exact as JSON numbers, send them as text`
const exactOrZero = `must be ${format}, from 0 to 2^256-2`
const any = `must be ${format}, from 0 to 2^256-1; "max" or 2^256-1 means everything`
const exactOrMax = `must be ${format}, from 1 to 2^256-1; "max" or 2^256-1 means everything`

function isAmount(text: string): boolean {
  return /^[1-9][0-9]{0,77}$/.test(text) && BigInt(text) <= maxUint256
}

/** An exact amount: decimal string outside, `bigint` inside. "Everything" is not an exact amount and is refused. */
export function exactAmount(description: string) {
  return z
    .string({ error: exact })
    .refine((text) => isAmount(text) && BigInt(text) < maxUint256, { error: exact })
    .transform((text) => BigInt(text))
    .meta({ description, pattern: '^[1-9][0-9]{0,77}$', example: '1000000' })
}

/** An exact amount, as text or as a JSON integer that is exact: what is beyond 2^53-1, a number cannot carry. */
export function amountOrInteger(description: string) {
  return z
    .union(
      [
        z
          .string()
          .refine((text) => isAmount(text) && BigInt(text) < maxUint256, { error: exactOrInteger })
          .meta({ pattern: '^[1-9][0-9]{0,77}$' }),
        // Aborts, so that what is beyond 2^53-1, or is no integer, is told once.
        z
          .int({ error: exactOrInteger, abort: true })
          .min(1, { error: exactOrInteger })
          .max(Number.MAX_SAFE_INTEGER, { error: exactOrInteger }),
      ],
      { error: exactOrInteger },
    )
    .transform((value) => BigInt(value))
    .meta({ description, example: '1000000' })
}

/** An amount that may also be everything: the word `max`, or 2^256-1. `bigint` inside, everything is `maxUint256`. */
export function amountOrMax(description: string) {
  return z
    .string({ error: exactOrMax })
    .refine((text) => text === 'max' || isAmount(text), { error: exactOrMax })
    .transform((text) => (text === 'max' ? maxUint256 : BigInt(text)))
    .meta({
      description: `${description} \`max\` or 2^256-1 means everything available.`,
      pattern: '^([1-9][0-9]{0,77}|max)$',
      example: '1000000',
    })
}

/** An exact amount, beside which the word `max`, or 2^256-1, means something of its own: `meaning` says what it does. */
export function amountWithMax(description: string, meaning: string) {
  const error = `must be ${format}, from 1 to 2^256-2; "max" or 2^256-1 ${meaning.replaceAll('`', '')}`
  return z
    .string({ error })
    .refine((text) => text === 'max' || isAmount(text), { error })
    .transform((text) => (text === 'max' ? maxUint256 : BigInt(text)))
    .meta({
      description: `${description} \`max\` or 2^256-1 ${meaning}.`,
      pattern: '^([1-9][0-9]{0,77}|max)$',
      example: '1000000',
    })
}

/** An exact amount that may be none at all: "0". */
export function amountOrZero(description: string) {
  return z
    .string({ error: exactOrZero })
    .refine((text) => text === '0' || (isAmount(text) && BigInt(text) < maxUint256), {
      error: exactOrZero,
    })
    .transform((text) => BigInt(text))
    .meta({ description, pattern: '^(0|[1-9][0-9]{0,77})$', example: '1000000' })
}

/** Nothing ("0"), an exact amount, or everything; as `amountOrMax` otherwise. */
export function anyAmount(description: string) {
  return z
    .string({ error: any })
    .refine((text) => text === '0' || text === 'max' || isAmount(text), { error: any })
    .transform((text) => (text === 'max' ? maxUint256 : BigInt(text)))
    .meta({
      description: `${description} \`max\` or 2^256-1 means everything available.`,
      pattern: '^(0|[1-9][0-9]{0,77}|max)$',
      example: '1000000',
    })
}
