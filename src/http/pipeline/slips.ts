import type { z } from 'zod'
import { type NetworkName, networkNames, networkOf } from '../../deployments/networks.js'

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
