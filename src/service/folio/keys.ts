import { folioAmount } from './numbers.js'
import type { Folio } from './schema.js'

/** A path of a folio key. A slash inside a part is escaped with a backslash (service-facts 8.1). */
export function folioKey(...parts: string[]): string {
  return parts.some((part) => part.includes('/'))
    ? parts.map((part) => part.replaceAll('/', '\\/')).join('/')
    : parts.join('/')
}

/** Only what is not zero is listed; a missing key means zero (service-facts 8.1). */
export function addAmount(
  balances: Folio['balances'],
  key: string,
  amount: bigint,
  decimals: number,
): void {
  if (amount > 0n) balances[key] = folioAmount(amount, decimals)
}
