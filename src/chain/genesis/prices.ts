import type { Hex } from 'viem'
import { stringToHex } from 'viem/utils'

/**
 * The starting prices of the offline world, in USD with 8 decimals: round, plausible figures for mental arithmetic, not market prices. One
 * entry per independent price; `priceSymbol` maps assets that share one.
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

/** Tokens that are a claim on one other asset, and have its price. */
const samePrice: Readonly<Record<string, string>> = {
  WETH: 'ETH',
  WPOL: 'POL',
  'USDC.e': 'USDC',
  USDbC: 'USDC',
  USDT0: 'USDT',
}

/** The price key of an asset: itself, or the asset that it wraps or bridges (`USDC.e` -> `USDC`). Ignores case. Undefined without a price. */
export function priceSymbol(symbol: string): string | undefined {
  const wanted = symbol.toLowerCase()
  const same = Object.entries(samePrice).find(([alias]) => alias.toLowerCase() === wanted)
  return same?.[1] ?? Object.keys(prices).find((key) => key.toLowerCase() === wanted)
}

/** A price key for the price hub: the text in a `bytes32`, left-aligned. */
export function hubKey(priceKey: string): Hex {
  return stringToHex(priceKey, { size: 32 })
}

function usd(amount: number): bigint {
  return BigInt(Math.round(amount * 100)) * 10n ** 6n
}

interface Valued {
  symbol: string
  decimals: number
}

/** The amount, in smallest units, that `usd` whole US dollars buy at the starting price; rounded down. */
export function worth(usd: bigint, token: Valued): bigint {
  return (usd * 10n ** 8n * 10n ** BigInt(token.decimals)) / startPrice(token.symbol)
}

/** The amount of `to` with the same value at starting prices; rounded down. */
export function convert(amount: bigint, from: Valued, to: Valued): bigint {
  const usd = amount * startPrice(from.symbol) * 10n ** BigInt(to.decimals)
  return usd / (startPrice(to.symbol) * 10n ** BigInt(from.decimals))
}

/** USD with 8 decimals. */
export function startPrice(symbol: string): bigint {
  return prices[keyOf(symbol)]!
}

/** The key under which an asset of the world is priced; an asset without one is a mistake of ours. */
export function keyOf(symbol: string): string {
  const key = priceSymbol(symbol)
  if (!key) throw new Error(`${symbol} has no price: add it to src/chain/genesis/prices.ts`)
  return key
}
