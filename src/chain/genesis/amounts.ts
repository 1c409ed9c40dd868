import { priceSymbol, prices } from './prices.js'

/** What a token must say to be valued. */
interface Valued {
  symbol: string
  decimals: number
}

/** As much of the token, in its smallest unit, as `usd` whole dollars buy at the world's starting price; rounded down. */
export function worth(usd: bigint, token: Valued): bigint {
  return (usd * 10n ** 8n * 10n ** BigInt(token.decimals)) / startPrice(token.symbol)
}

/** The amount of `to` that costs as much as `amount` of `from` at starting prices; rounded down. */
export function convert(amount: bigint, from: Valued, to: Valued): bigint {
  const usd = amount * startPrice(from.symbol) * 10n ** BigInt(to.decimals)
  return usd / (startPrice(to.symbol) * 10n ** BigInt(from.decimals))
}

/** The asset's price when the world starts: USD with 8 decimals. */
export function startPrice(symbol: string): bigint {
  return prices[keyOf(symbol)]!
}

/** The key under which an asset of the world is priced; an asset without one is a mistake of ours. */
export function keyOf(symbol: string): string {
  const key = priceSymbol(symbol)
  if (!key) throw new Error(`${symbol} has no price: add it to src/chain/genesis/prices.ts`)
  return key
}
