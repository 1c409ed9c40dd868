import { folioAmount } from './numbers.js'

/** A section of a folio under construction. */
export type Section = Record<string, unknown>

/** A path of a folio key. A slash inside a part is escaped with a backslash (service-facts 8.1). */
export function folioKey(...parts: string[]): string {
  return parts.map((part) => part.replaceAll('/', '\\/')).join('/')
}

/** Only what is not zero is listed; a missing key means zero (service-facts 8.1). */
export function addAmount(section: Section, key: string, amount: bigint, decimals: number): void {
  if (amount > 0n) section[key] = folioAmount(amount, decimals)
}
