import type { Address } from 'viem'
import type { MorphoState } from '../../chain/state/morphoState.js'
import type { NetworkState } from '../../chain/state/networkState.js'
import type { MorphoBook, MorphoMarket } from '../../deployments/protocolBook.js'
import { addAmount, folioKey } from './keys.js'
import { decimal, folioAmount, folioPrice, yearlyRate } from './numbers.js'
import type { Folio } from './schema.js'

/** A Morpho Blue market and the wallet's position in it (service-facts 8.1). `net` is the network's name in folio keys. */
export function encodeMorpho(
  folio: Folio,
  networkState: NetworkState,
  morpho: MorphoBook,
  net: string,
  state: MorphoState,
  wallet: Address,
): void {
  const { market } = state
  const path = marketPath(morpho, market, net)
  const { collateralSymbol, collateralDecimals, loanDecimals } = market
  const price = networkState.prices.get(collateralSymbol)
  folio.borrow_markets[folioKey(...path)] = {
    borrow_apr: yearlyRate(state.borrowRate),
    borrow_rewards_apr: '0',
    borrow_cap: null,
    total_borrow: folioAmount(state.totalBorrow, loanDecimals),
    base_borrow_min: folioAmount(0n, loanDecimals),
    collaterals: {
      [collateralSymbol]: {
        borrow_collateral_factor: decimal(market.lltv, 18),
        liquidate_collateral_factor: decimal(market.lltv, 18),
        liquidation_factor: decimal(liquidationFactor(market.lltv), 18),
        supply_cap: null,
        // Morpho Blue does not keep the sum of a market's collateral.
        total_supply: null,
        usd_price: price === undefined ? null : folioPrice(price),
      },
    },
  }
  const { balances } = folio
  addAmount(balances, folioKey('borrow_market', ...path, wallet), state.borrowed, loanDecimals)
  addAmount(
    balances,
    folioKey('borrow_market_collateral', ...path, collateralSymbol, wallet),
    state.collateral,
    collateralDecimals,
  )
}

/**
 * `morpho/{net}/{COLLATERAL}/{LOAN}`. Where several markets have the same pair, the first of the book has this path; the
 * others carry their id behind it, since one key cannot hold two markets.
 */
export function marketPath(morpho: MorphoBook, market: MorphoMarket, net: string): string[] {
  const path = ['morpho', net, market.collateralSymbol, market.loanSymbol]
  const first = morpho.markets.find(
    ({ collateralSymbol, loanSymbol }) =>
      collateralSymbol === market.collateralSymbol && loanSymbol === market.loanSymbol,
  )
  return first?.id === market.id ? path : [...path, market.id]
}

const wad = 10n ** 18n

/**
 * What a liquidated borrower is credited of the seized collateral's value, 1e18-scaled and rounded down: the inverse of the
 * incentive min(1.15, 1 / (1 - 0.3 x (1 - lltv))) of Morpho Blue's documentation.
 */
function liquidationFactor(lltv: bigint): bigint {
  const most = (wad * 100n) / 115n
  const factor = wad - (3n * (wad - lltv)) / 10n
  return factor > most ? factor : most
}
