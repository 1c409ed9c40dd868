import { type NetworkName, networkNames } from '../../deployments/networks.js'

/** What a bridge route offers. Amounts in the asset's smallest unit. */
export interface BridgeHint {
  from: NetworkName
  to: NetworkName
  /** Bridged under this symbol on both ends: `USDC` or `WETH` (native ETH travels as WETH). */
  symbol: string
  decimals: number
  /** Share of the input that arrives, before the fixed cost, in millionths. */
  rateMillionths: bigint
  fixedCost: bigint
  minAmount: bigint
  maxAmount: bigint
  estimatedFillSeconds: number
}

/** The assets that can be bridged (service-facts section 6), with decimals. */
const bridgeable: Record<string, { decimals: number; perEther: bigint }> = {
  USDC: { decimals: 6, perEther: 3000n * 10n ** 6n },
  WETH: { decimals: 18, perEther: 10n ** 18n },
}

/** Fixed cost of a fill on the destination, in millionths of an ether's worth: mainnet is expensive, the others are not. */
const fillCost: Record<NetworkName, bigint> = {
  mainnet: 10n,
  base: 1n,
  arbitrum: 1n,
  optimism: 1n,
  polygon: 1n,
}

const rateMillionths = 999_900n

/** The route between two networks, or undefined when the symbol cannot be bridged. */
export function bridgeHint(
  from: NetworkName,
  to: NetworkName,
  symbol: string,
): BridgeHint | undefined {
  const asset = bridgeable[symbol]
  if (!asset || from === to) return undefined
  const part = (millionths: bigint): bigint => (asset.perEther * millionths) / 1_000_000n
  return {
    from,
    to,
    symbol,
    decimals: asset.decimals,
    rateMillionths,
    fixedCost: part(fillCost[to]),
    minAmount: part(200n),
    maxAmount: part(1_000_000_000n),
    estimatedFillSeconds: 2,
  }
}

/** All routes, as the folio lists them. */
export function allBridgeHints(): BridgeHint[] {
  return networkNames.flatMap((from) =>
    networkNames.flatMap((to) =>
      Object.keys(bridgeable).flatMap((symbol) => bridgeHint(from, to, symbol) ?? []),
    ),
  )
}

/** What arrives of an input: input x rate - fixed cost, rounded down (service-facts section 14); never below zero. */
export function bridgeOutput(hint: BridgeHint, input: bigint): bigint {
  const output = (input * hint.rateMillionths) / 1_000_000n - hint.fixedCost
  return output > 0n ? output : 0n
}

/** What must be put in for this output: (output + fixed cost) / rate, rounded up. */
export function bridgeInput(hint: BridgeHint, output: bigint): bigint {
  const scaled = (output + hint.fixedCost) * 1_000_000n
  return (scaled + hint.rateMillionths - 1n) / hint.rateMillionths
}
