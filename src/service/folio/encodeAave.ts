import type { Address } from 'viem'
import type { NetworkState } from '../../chain/state/networkState.js'
import { addAmount, decimal, folioAmount, folioKey, folioPrice } from './numbers.js'
import type { Folio } from './schema.js'

/**
 * The Aave pool of a network and the wallet's part in it (service-facts 8.1): each reserve is a yield market and, where it
 * lends, a borrow market with the path `aave/{net}/{pool}/{SYM}`. One position backs all debts there, so what is collateral is
 * listed under each of them. `net` is the network's name in folio keys.
 */
export function encodeAave(
  folio: Folio,
  networkState: NetworkState,
  pool: Address,
  net: string,
  wallet: Address,
): void {
  const { aaveReserves } = networkState
  const collaterals = collateralsOf(networkState)
  const backing = aaveReserves.filter(({ isCollateral, supplied }) => isCollateral && supplied > 0n)
  for (const state of aaveReserves) {
    const { symbol, decimals } = state.reserve
    const path = ['aave', net, pool, symbol]
    const amount = (value: bigint) => folioAmount(value, decimals)
    const cap = (value: bigint) => (value === 0n ? null : amount(value))
    folio.yield_markets[folioKey(...path)] = {
      supply_apr: yearlyRay(state.supplyRate),
      supply_rewards_apr: '0',
      supply_cap: cap(state.supplyCap),
      total_supply: amount(state.totalSupply),
    }
    const { balances } = folio
    addAmount(balances, folioKey('yield_market', ...path, wallet), state.supplied, decimals)
    if (!state.isBorrowable && state.borrowed === 0n) continue
    folio.borrow_markets[folioKey(...path)] = {
      borrow_apr: yearlyRay(state.borrowRate),
      borrow_rewards_apr: '0',
      borrow_cap: cap(state.borrowCap),
      total_borrow: amount(state.totalBorrow),
      base_borrow_min: amount(0n),
      collaterals,
    }
    addAmount(balances, folioKey('borrow_market', ...path, wallet), state.borrowed, decimals)
    if (state.borrowed === 0n) continue
    for (const { reserve, supplied } of backing) {
      const key = folioKey('borrow_market_collateral', ...path, reserve.symbol, wallet)
      addAmount(balances, key, supplied, reserve.decimals)
    }
  }
}

/** A rate of 27 decimals, per year, as the plain fraction. */
function yearlyRay(rate: bigint): string {
  return decimal(rate, 27)
}

/** The reserves against which the pool lends; the same for all of its borrow markets. */
function collateralsOf({
  aaveReserves,
  prices,
}: NetworkState): Folio['borrow_markets'][string]['collaterals'] {
  return Object.fromEntries(
    aaveReserves
      .filter(({ ltv }) => ltv > 0n)
      .map(({ reserve, ...state }) => {
        const { symbol, decimals } = reserve
        const price = prices.get(symbol)
        return [
          symbol,
          {
            borrow_collateral_factor: decimal(state.ltv, 4),
            liquidate_collateral_factor: decimal(state.liquidationThreshold, 4),
            liquidation_factor: liquidationFactor(state.liquidationBonus),
            supply_cap: state.supplyCap === 0n ? null : folioAmount(state.supplyCap, decimals),
            total_supply: folioAmount(state.totalSupply, decimals),
            usd_price: price === undefined ? null : folioPrice(price),
          },
        ]
      }),
  )
}

/** What a liquidated borrower is credited of the seized collateral's value: the inverse of the bonus, rounded down. */
function liquidationFactor(bonus: bigint): string {
  return decimal(bonus === 0n ? 0n : (10_000n * 10n ** 18n) / bonus, 18)
}
