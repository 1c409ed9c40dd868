import type { Hex } from 'viem'
import { stringToHex } from 'viem/utils'

/**
 * What the offline world costs when it starts, in USD with 8 decimals. Round, plausible figures, so that sums can be done
 * in the head; not the market's. One entry per price that can move on its own: see `priceSymbol` for who shares one.
 */
export const prices: Readonly<Record<string, bigint>> = {
  ETH: usd(3000),
  WBTC: usd(90_000),
  cbBTC: usd(90_000),
  wstETH: usd(3600),
  cbETH: usd(3300),
  USDC: usd(1),
  USDT: usd(1),
  DAI: usd(1),
  COMP: usd(50),
  MORPHO: usd(2),
  POL: usd(0.5),
}

/** Tokens that are a claim on exactly one other asset and therefore have its price. */
const samePrice: Readonly<Record<string, string>> = {
  WETH: 'ETH',
  WPOL: 'POL',
  'USDC.e': 'USDC',
  USDbC: 'USDC',
  USDT0: 'USDT',
}

/**
 * The key under which an asset is priced: itself, or the asset it wraps or bridges (`WETH` -> `ETH`, `USDC.e` -> `USDC`).
 * Ignores case. Undefined when the asset has no price.
 */
export function priceSymbol(symbol: string): string | undefined {
  const wanted = symbol.toLowerCase()
  const same = Object.entries(samePrice).find(([alias]) => alias.toLowerCase() === wanted)
  return same?.[1] ?? Object.keys(prices).find((key) => key.toLowerCase() === wanted)
}

/** A price key as the price hub stores it: the text in a `bytes32`, left-aligned. */
export function hubKey(priceKey: string): Hex {
  return stringToHex(priceKey, { size: 32 })
}

function usd(amount: number): bigint {
  return BigInt(Math.round(amount * 100)) * 10n ** 6n
}

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
