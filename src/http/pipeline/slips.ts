import { getAddress, isAddress } from 'viem/utils'
import type { ZodType, z } from 'zod'
import { type NetworkName, networkNames, networkOf } from '../../deployments/networks.js'
import { fieldsNaming } from '../../service/plans/model/fields.js'

type Fields = Readonly<Record<string, unknown>>
type Issue = Pick<z.core.$ZodIssue, 'path' | 'code'> & { expected?: string }

/** Names that people give to networks, and the one that requests have. */
const networkAliases = new Map<string, NetworkName>(
  Object.entries({
    ...Object.fromEntries(networkNames.map((name) => [name, name])),
    ...Object.fromEntries(networkNames.map((name) => [networkOf(name).folioName, name])),
    ...Object.fromEntries(networkNames.map((name) => [String(networkOf(name).chainId), name])),
    ...({ eth: 'mainnet', 'arbitrum one': 'arbitrum', arb: 'arbitrum' } as const),
    ...({ op: 'optimism', 'op mainnet': 'optimism', matic: 'polygon' } as const),
  }),
)

/** Hints for values that were refused and look like a known slip; each says what to send. */
export function refusedSlips(issues: readonly Issue[], input: unknown): string[] {
  const hints = issues.flatMap(({ path: [name], expected }) => {
    if (typeof name !== 'string') return []
    const value = (input as Fields | undefined)?.[name]
    if (typeof value === 'number') return expected === 'string' ? numberHint(name, value) : []
    return refusedSlip(name, value) ?? []
  })
  return [...new Set(hints)]
}

function refusedSlip(name: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  if (name === 'network') return networkHint(value)
  if (/^(true|false)$/i.test(value)) return `Write ${name} in lower case: ${value.toLowerCase()}.`
  const digits = plainDigits(value)
  if (digits === undefined) return undefined
  // Who writes a fraction may mean whole tokens.
  const unit = value.includes('.') ? ' It counts the smallest unit: 1 USDC is "1000000".' : ''
  return `Write ${name} as plain digits: "${digits}".${unit}`
}

function numberHint(name: string, value: number): string {
  return Number.isSafeInteger(value)
    ? `Send ${name} as text: "${value}".`
    : `Send ${name} as text: a JSON number does not carry it exactly.`
}

function networkHint(value: string): string | undefined {
  const name = networkAliases.get(value.toLowerCase())
  if (name === undefined) return undefined
  const { folioName } = networkOf(name)
  const inFolio = folioName === name ? '' : ` Folio keys call it ${folioName}.`
  return `Did you mean "${name}"?${inFolio}`
}

/** The integer that a number with an exponent, a fraction of zeros or separators stands for; undefined when it is none. */
function plainDigits(text: string): string | undefined {
  const [, whole, fraction = '', exponent = '0'] =
    /^(\d{1,78})(?:\.(\d{1,78}))?(?:e\+?(\d{1,2}))?$/i.exec(
      text.replace(/(?<=\d)[_,](?=\d{3})/g, ''),
    ) ?? []
  if (whole === undefined) return undefined
  const places = Number(exponent)
  const kept = fraction.replace(/0+$/, '')
  if (kept.length > places) return undefined
  const digits = (whole + kept.padEnd(places, '0')).replace(/^0+(?=\d)/, '')
  return digits === text ? undefined : digits
}

/** From here on, a number of seconds would be in the year 33658: it counts milliseconds. */
const surelyMilliseconds = 1e12

/**
 * Hints for values that were accepted, but may not mean what the caller thinks: a cursor in milliseconds, an address whose casing is not its
 * checksum, an asset in another casing. `symbols` are those of all assets.
 */
export function acceptedSlips(
  { query, body }: { query: Fields; body: unknown },
  schema: ZodType | undefined,
  symbols: () => readonly string[],
): string[] {
  const fields = Object.entries((body ?? {}) as Fields)
  const assets = schema === undefined ? [] : fieldsNaming('asset', schema)
  return [
    Number(query.since) >= surelyMilliseconds
      ? 'since looks like milliseconds: cursors count seconds. Pass the cursor of the last response.'
      : [],
    fields.flatMap(([name, value]) => checksumHint(name, value) ?? []),
    fields
      .filter(([name]) => assets.includes(name))
      .flatMap(([name, value]) => casingHint(name, value, symbols) ?? []),
  ].flat()
}

/** The signer has a hint of its own. */
function checksumHint(name: string, value: unknown): string | undefined {
  if (name === 'signer_address' || typeof value !== 'string') return undefined
  const isMixed = /^0x[0-9a-fA-F]{40}$/.test(value) && /[a-f]/.test(value) && /[A-F]/.test(value)
  if (!isMixed || isAddress(value)) return undefined
  const right = getAddress(value.toLowerCase())
  return `The casing of ${name} is not its EIP-55 checksum (${right}); check for a typing error.`
}

function casingHint(
  name: string,
  value: unknown,
  symbols: () => readonly string[],
): string | undefined {
  if (typeof value !== 'string') return undefined
  const all = symbols()
  if (all.includes(value)) return undefined
  const meant = all.find((symbol) => symbol.toLowerCase() === value.toLowerCase())
  return meant && `${name} was read as ${meant}; responses spell it so.`
}
