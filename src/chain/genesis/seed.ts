import type { CometMarket } from '../../deployments/cometMarket.js'
import { convert, worth } from './amounts.js'

/** What the borrower puts in and takes out of a market, and what the lender must supply for it. Smallest units. */
export interface Seed {
  collateral: bigint[]
  borrow: bigint
  supply: bigint
}

/** Dollars that the borrower puts into one collateral asset at most. */
const collateralUsd = 20_000_000n

/**
 * Sizes a market's first positions from its own parameters. Per collateral the borrower puts in 30 % of the cap, at most
 * 20 million dollars, and borrows 60 % of what that allows: far from liquidation, also after years of interest. The lender
 * supplies so much that utilisation is 7 points under the borrow kink: 73 to 83 %, where rates are neither nought nor wild.
 */
export function seedOf(market: CometMarket): Seed {
  const base = { symbol: market.baseSymbol, decimals: market.baseDecimals }
  const collateral = market.collaterals.map((c) =>
    min((c.supplyCap * 30n) / 100n, worth(collateralUsd, c)),
  )
  const capacity = market.collaterals
    .map((c, i) => (convert(collateral[i]!, c, base) * c.borrowCollateralFactor) / wad)
    .reduce((sum, value) => sum + value, 0n)
  const borrow = (capacity * 60n) / 100n
  const utilization = market.rates.borrowKink - (wad * 7n) / 100n
  const supply = (borrow * wad) / utilization
  if (borrow < market.tracking.minForRewards)
    throw new Error(
      `${market.name} at ${market.address}: seeded borrow ${borrow} is below ${market.tracking.minForRewards}, ` +
        'so no rewards would accrue. Raise the share of the caps in src/chain/genesis/seed.ts.',
    )
  return { collateral, borrow, supply }
}

const wad = 10n ** 18n

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
