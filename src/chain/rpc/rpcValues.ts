/** How a quantity may be written, for messages. */
export const quantityForms = 'a whole number, or text in decimal or 0x hex'

/**
 * A quantity of a request; undefined when it is not written in one of these ways. A node accepts more (`0b11`, `1_000`, and an empty text
 * as 0), so where a quantity decides something, requests with other forms are not passed on.
 */
export function quantityOf(value: unknown): bigint | undefined {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return BigInt(value)
  if (typeof value === 'string' && /^(?:0x[0-9a-f]{1,64}|\d{1,78})$/i.test(value))
    return BigInt(value)
  return undefined
}

/** Whether a value is present that `quantityOf` cannot read. */
export function isOddQuantity(value: unknown): boolean {
  return value !== undefined && value !== null && quantityOf(value) === undefined
}

/** An address in its plain form, from any text form that a node accepts; undefined when it is none. */
export function plainAddress(value: unknown): string | undefined {
  const digits = typeof value === 'string' && /^(?:0x)?([0-9a-f]{40})$/i.exec(value)?.[1]
  return digits ? `0x${digits.toLowerCase()}` : undefined
}

/** A value of a request, for messages; `missing` when absent. */
export function shownValue(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value).slice(0, 80)
}
