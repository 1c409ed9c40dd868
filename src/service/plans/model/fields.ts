import type { Address, Hex } from 'viem'
import { type ZodType, z } from 'zod'
import { networkNames } from '../../../deployments/networks.js'

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

/** An exact amount, or `max` or 2^256-1, whose effect `meaning` describes. */
export function amountWithMax(description: string, meaning: string) {
  const range = `2^256-2; "max" or 2^256-1 ${meaning.replaceAll('`', '')}`
  return amountText(description, 1, { meaning, range })
}

/** An exact amount, as text or as a JSON integer up to 2^53-1, beyond which numbers are not exact. */
export function amountOrInteger(description: string) {
  return z
    .union(
      [
        z
          .string()
          .refine(isExact, { error: exactOrInteger })
          .meta({ pattern: '^[1-9][0-9]{0,77}$' }),
        // Aborts, so that a number that is too large or no integer is reported once.
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

/** What a field of a request names. Stored beside the schemas, so that field names are listed only there. */
const naming = z.registry<{ what: 'asset' | 'network' }>()

export const networkField = z
  .enum(networkNames, { error: `must be one of ${networkNames.join(', ')}` })
  .meta({ description: 'Network name, as listed by GET /networks.', example: 'base' })
  .register(naming, { what: 'network' })

/** An asset symbol; case does not matter. Whether the asset exists on the network is for the route to say. */
export function assetField(description: string, example = 'USDC') {
  return z
    .string({ error: 'must be an asset symbol such as "USDC", as listed by GET /assets' })
    .min(1, { error: 'must be an asset symbol such as "USDC", as listed by GET /assets' })
    .max(32, { error: 'must be an asset symbol such as "USDC", as listed by GET /assets' })
    .meta({ description, example })
    .register(naming, { what: 'asset' })
}

/** The fields of a body in which a request names assets, or networks: those made by the functions above, and lists of them. */
export function fieldsNaming(what: 'asset' | 'network', schema: ZodType): string[] {
  const fields = schema instanceof z.ZodObject ? Object.entries<ZodType>(schema.shape) : []
  return fields.filter(([, field]) => namedBy(field) === what).map(([name]) => name)
}

function namedBy(field: unknown): 'asset' | 'network' | undefined {
  if (field instanceof z.ZodArray) return namedBy(field.element)
  if (field instanceof z.ZodOptional) return namedBy(field.unwrap())
  return field instanceof z.ZodType ? naming.get(field)?.what : undefined
}

/** The assets, or networks, that a body names; it need not have been parsed, nor be well-formed. */
export function namesIn(what: 'asset' | 'network', schema: ZodType, body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return []
  const values = new Map<string, unknown>(Object.entries(body))
  return fieldsNaming(what, schema)
    .flatMap((field) => values.get(field))
    .filter((value) => typeof value === 'string')
}

const marketIdError = 'must be a market id: 0x and 64 hex digits'

/** A Morpho Blue market id in any casing; lower case inside. */
export function marketIdField(description: string) {
  return z
    .string({ error: marketIdError })
    .regex(/^0x[0-9a-fA-F]{64}$/, { error: marketIdError })
    .transform((text) => text.toLowerCase() as Hex)
    .meta({
      description,
      pattern: '^0x[0-9a-fA-F]{64}$',
      example: '0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda',
    })
}

/** A 0x-prefixed address of 40 hex digits in any casing; lower case inside. */
export function addressField(description: string) {
  return z
    .string({ error: 'must be an address: 0x and 40 hex digits' })
    .regex(/^0x[0-9a-fA-F]{40}$/, { error: 'must be an address: 0x and 40 hex digits' })
    .transform((text) => text.toLowerCase() as Address)
    .meta({
      description,
      pattern: '^0x[0-9a-fA-F]{40}$',
      example: '0x1111111111111111111111111111111111111111',
    })
}
