import type { Address, Hex } from 'viem'
import { type ZodType, z } from 'zod'
import { networkNames } from '../../../deployments/networks.js'

/** What a field of a request names. Kept beside the schemas, so that nobody else lists field names. */
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
