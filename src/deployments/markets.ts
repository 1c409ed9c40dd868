// Types of the library reach these: they name no package.

/** A collateral asset of a Comet market. Factors are 1e18-scaled, caps in the asset's smallest unit. */
export interface CometCollateral {
  symbol: string
  asset: `0x${string}`
  decimals: number
  priceFeed: `0x${string}`
  borrowCollateralFactor: bigint
  liquidateCollateralFactor: bigint
  liquidationFactor: bigint
  supplyCap: bigint
}

/**
 * A Comet market. Rates are 1e18-scaled per year. `collaterals` has only the assets that are tokens of the book: what the
 * real market also accepts (UNI, LINK, ARB, rETH …) is left out, because nothing else in the simulator knows those assets.
 * Rates and reward speeds are the deploy-time ones; `baseBorrowMin` is the live one where the file has it.
 */
export interface CometMarket {
  /** Lower case. */
  address: `0x${string}`
  name: string
  symbol: string
  baseSymbol: string
  baseToken: `0x${string}`
  baseDecimals: number
  basePriceFeed: `0x${string}`
  baseBorrowMin: bigint
  rewardToken: `0x${string}`
  rewardSymbol: string
  collaterals: CometCollateral[]
  rates: {
    supplyKink: bigint
    supplySlopeLow: bigint
    supplySlopeHigh: bigint
    supplyBase: bigint
    borrowKink: bigint
    borrowSlopeLow: bigint
    borrowSlopeHigh: bigint
    borrowBase: bigint
  }
  /** Scale of the tracking indices, speeds per second in that scale, and the base amount below which nothing accrues. */
  tracking: { indexScale: bigint; supplySpeed: bigint; borrowSpeed: bigint; minForRewards: bigint }
}

/** A market that does not answer on a forked network: nothing offers it there. */
export interface LeftOut {
  protocol: 'comet' | 'aave' | 'morpho' | 'vaults' | 'morphoRewards' | 'across'
  name: string
  /** Address of the Comet, the vault, the reserve's asset, the distributor or the spoke pool; the id of a Morpho market. */
  id: `0x${string}`
  /** The assets that name it in requests. */
  symbols: readonly string[]
  /** The problem with it there. */
  why: string
}
