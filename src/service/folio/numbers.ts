import type { Folio } from './schema.js'

/**
 * The folio's number formats (service-facts 8.1): amounts as whole-unit decimal and exponent (`52e6`, `0.5e6`, `0e18`), prices and rates as
 * plain decimals. No floating point.
 */

/** `value / 10^scale` as a plain decimal without trailing zeros. */
export function decimal(value: bigint, scale: number): string {
  if (value === 0n) return '0'
  const digits = value.toString().padStart(scale + 1, '0')
  const point = digits.length - scale
  let end = digits.length
  while (end > point && digits[end - 1] === '0') end--
  const whole = digits.slice(0, point)
  return end === point ? whole : `${whole}.${digits.slice(point, end)}`
}

/** An amount in smallest units: `1500000` of 6 decimals is `1.5e6`. */
export function folioAmount(amount: bigint, decimals: number): string {
  return `${decimal(amount, decimals)}e${decimals}`
}

/** A price in USD with 8 decimals. */
export function folioPrice(priceE8: bigint): string {
  return decimal(priceE8, 8)
}

const secondsPerYear = 31_536_000n

/** USD with 8 decimals as a plain decimal, negative for debts. */
export function usdText(usd: bigint): string {
  return usd < 0n ? `-${decimal(-usd, 8)}` : decimal(usd, 8)
}

/** A per-second rate scaled by 1e18 as the plain fraction per year, not compounded. */
export function yearlyRate(ratePerSecond: bigint): string {
  return decimal(ratePerSecond * secondsPerYear, 18)
}

/**
 * Yearly rewards as a fraction of what earns them, both in USD, rounded down to 18 decimals: `speed x year / indexScale` whole reward tokens
 * against `total` of the base asset (Compound III documentation, rewards). `0` when one of both has no price.
 */
export function rewardsRate(reward: {
  speed: bigint
  indexScale: bigint
  rewardPriceE8: bigint | undefined
  total: bigint
  decimals: number
  priceE8: bigint | undefined
}): string {
  const { priceE8, rewardPriceE8 } = reward
  if (priceE8 === undefined || rewardPriceE8 === undefined) return '0'
  const base = reward.total * priceE8 * reward.indexScale
  if (base === 0n) return '0'
  const yearly = reward.speed * secondsPerYear * rewardPriceE8 * 10n ** BigInt(reward.decimals)
  return decimal((yearly * 10n ** 18n) / base, 18)
}

/** A path of a folio key. A slash inside a part is escaped with a backslash (service-facts 8.1). */
export function folioKey(...parts: string[]): string {
  return parts.some((part) => part.includes('/'))
    ? parts.map((part) => part.replaceAll('/', '\\/')).join('/')
    : parts.join('/')
}

/** Zero is not listed: a missing key means zero (service-facts 8.1). */
export function addAmount(
  balances: Folio['balances'],
  key: string,
  amount: bigint,
  decimals: number,
): void {
  if (amount > 0n) balances[key] = folioAmount(amount, decimals)
}
