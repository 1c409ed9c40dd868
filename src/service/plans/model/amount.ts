import { z } from 'zod'

/** The largest uint256; on the wire it means "everything available" (service-facts section 17). */
export const maxUint256 = 2n ** 256n - 1n

/** The smaller of two amounts; `Math.min` does not take them. */
export function smaller(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}

export function larger(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}

const format =
  'a decimal integer string in the smallest unit of the asset, without sign, leading zeros, fraction or exponent'
const exactOrInteger = `must be ${format}, from 1 to 2^256-2, or a JSON integer from 1 to 2^53-1; larger ones are not exact as JSON numbers, send them as text`

function isAmount(text: string): boolean {
  return /^[1-9][0-9]{0,77}$/.test(text) && BigInt(text) <= maxUint256
}

function isExact(text: string): boolean {
  return isAmount(text) && BigInt(text) < maxUint256
}

/** What the word `max`, or 2^256-1, means beside exact amounts: as a predicate for the description, and in the range of the error. */
interface Everything {
  meaning: string
  range: string
}

/** Amounts from `least` on: decimal strings outside, `bigint` inside. Everything is `maxUint256`; without `all` it is refused. */
function amountText(description: string, least: 0 | 1, all?: Everything) {
  const error = `must be ${format}, from ${least} to ${all?.range ?? '2^256-2'}`
  const forms = [...(least === 0 ? ['0'] : []), '[1-9][0-9]{0,77}', ...(all ? ['max'] : [])]
  const isTaken = (text: string): boolean =>
    (least === 0 && text === '0') || (all ? text === 'max' || isAmount(text) : isExact(text))
  return z
    .string({ error })
    .refine(isTaken, { error })
    .transform((text) => (text === 'max' ? maxUint256 : BigInt(text)))
    .meta({
      description: all ? `${description} \`max\` or 2^256-1 ${all.meaning}.` : description,
      pattern: forms.length === 1 ? `^${forms[0]}$` : `^(${forms.join('|')})$`,
      example: '1000000',
    })
}

const available: Everything = {
  meaning: 'means everything available',
  range: '2^256-1; "max" or 2^256-1 means everything',
}

/** An exact amount. "Everything" is not an exact amount and is refused. */
export const exactAmount = (description: string) => amountText(description, 1)

/** An exact amount that may be none at all: "0". */
export const amountOrZero = (description: string) => amountText(description, 0)

/** An amount that may also be everything: the word `max`, or 2^256-1. */
export const amountOrMax = (description: string) => amountText(description, 1, available)

/** Nothing ("0"), an exact amount, or everything. */
export const anyAmount = (description: string) => amountText(description, 0, available)

/** An exact amount, beside which the word `max`, or 2^256-1, means something of its own: `meaning` says what it does. */
export function amountWithMax(description: string, meaning: string) {
  const range = `2^256-2; "max" or 2^256-1 ${meaning.replaceAll('`', '')}`
  return amountText(description, 1, { meaning, range })
}

/** An exact amount, as text or as a JSON integer that is exact: what is beyond 2^53-1, a number cannot carry. */
export function amountOrInteger(description: string) {
  return z
    .union(
      [
        z
          .string()
          .refine(isExact, { error: exactOrInteger })
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
