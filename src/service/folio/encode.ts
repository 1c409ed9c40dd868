import type { Address, Hex } from 'viem'
import type { CometState } from '../../chain/state/marketReads.js'
import type { NetworkState } from '../../chain/state/networkState.js'
import type { AddressBook, NetworkBook } from '../../deployments/addressBook.js'
import { networkOf } from '../../deployments/networks.js'
import { allBridgeHints } from '../bridge/hints.js'
import type { RewardClaim } from '../rewards/updater.js'
import { encodeMorpho, encodeMorphoRewards, encodeVault } from './encodeMorpho.js'
import {
  addAmount,
  decimal,
  folioAmount,
  folioKey,
  folioPrice,
  rewardsRate,
  yearlyRate,
} from './numbers.js'
import type { Completion, Patches } from './patches.js'
import { type Folio, folioSections } from './schema.js'

export interface FolioExtras {
  wallet: Address
  /** The next nonce of the wallet on the snapshot's network. */
  nonceSecret(networkState: NetworkState): Hex
  completions: readonly Completion[]
  patches: readonly Patches[]
  /** What rewards distributors let the wallet claim. */
  rewards: readonly RewardClaim[]
}

/** Results of an earlier encoding: a snapshot's part by `encodeOne`, and the bridge hints, which depend on the book alone. */
interface EncodedParts {
  encodeOne: typeof encodeState
  bridgeHints: Folio['bridge_hints']
}

/** The folio of a wallet from one snapshot per network. Pure; keys in a stable order. */
export function encodeFolio(
  states: readonly NetworkState[],
  book: AddressBook,
  extras: FolioExtras,
  { encodeOne = encodeState, bridgeHints = encodeBridges(book) }: Partial<EncodedParts> = {},
): Folio {
  const folio = emptyFolio()
  for (const state of states) {
    const part = encodeOne(state, book, extras)
    // What a token costs is said once, by the first network that has it.
    for (const name of folioSections)
      if (name === 'prices') folio.prices = { ...part.prices, ...folio.prices }
      else Object.assign(folio[name], part[name])
    encodeMorphoRewards(folio, state, networkOf(state.network).folioName, extras)
  }
  for (const { kind, id, through } of extras.completions)
    folio.completion_statuses[folioKey(kind, extras.wallet, id)] = through
  for (const { kind, id, patches } of extras.patches)
    folio.patches[folioKey(kind, extras.wallet, id)] = patches
  folio.bridge_hints = bridgeHints
  return folio
}

export function encodeState(
  state: NetworkState,
  book: AddressBook,
  { wallet, nonceSecret }: Pick<FolioExtras, 'wallet' | 'nonceSecret'>,
): Folio {
  const part = emptyFolio()
  const networkBook = book.on(state.network)
  const net = networkOf(state.network).folioName
  encodeTokens(part, state, networkBook, net, wallet)
  for (const market of state.comets) encodeComet(part, state, networkBook, net, market, wallet)
  for (const market of state.morphoMarkets)
    encodeMorpho(part, state, networkBook.morpho, net, market, wallet)
  encodeAave(part, state, networkBook.aave.pool, net, wallet)
  for (const vault of state.vaults) encodeVault(part, state, net, vault, wallet)
  part.hex_data[folioKey('nonce_secret', net, wallet)] = nonceSecret(state)
  part.swap_hints[
    folioKey('wrapper', net, networkBook.nativeSymbol, net, networkBook.wrappedNativeSymbol)
  ] = { exchange_rate: '1', min_amount: '0e18', max_amount: null }
  return part
}

function emptyFolio(): Folio {
  return Object.fromEntries(folioSections.map((name) => [name, {}])) as Folio
}

export function encodeBridges(book: AddressBook): Folio['bridge_hints'] {
  const hints: Folio['bridge_hints'] = {}
  for (const hint of allBridgeHints()) {
    const ends = [book.on(hint.from), book.on(hint.to)]
    // A fork may lack the spoke pool.
    if (ends.some(({ leftOut }) => leftOut.some(({ protocol }) => protocol === 'across'))) continue
    const [from, to] = [networkOf(hint.from).folioName, networkOf(hint.to).folioName]
    const amount = (value: bigint): string => folioAmount(value, hint.decimals)
    hints[folioKey('across', from, hint.symbol, to, hint.symbol)] = {
      estimated_fill_time_sec: hint.estimatedFillSeconds,
      fixed_cost: amount(hint.fixedCost),
      max_amount: amount(hint.maxAmount),
      max_amount_instant: amount(hint.maxAmount),
      min_amount: amount(hint.minAmount),
      rate: decimal(hint.rateMillionths, 6),
    }
  }
  return hints
}

function encodeTokens(
  folio: Folio,
  networkState: NetworkState,
  networkBook: NetworkBook,
  net: string,
  wallet: Address,
): void {
  for (const token of networkBook.tokens) {
    const balance = networkState.balances.get(token.symbol) ?? 0n
    addAmount(folio.balances, folioKey('token', net, token.symbol, wallet), balance, token.decimals)
    const price = networkState.prices.get(token.symbol)
    if (price !== undefined) folio.prices[folioKey('token', token.symbol)] ??= folioPrice(price)
  }
}

function encodeComet(
  folio: Folio,
  networkState: NetworkState,
  networkBook: NetworkBook,
  net: string,
  state: CometState,
  wallet: Address,
): void {
  const { market } = state
  const path = ['comet', net, market.address, market.baseSymbol]
  folio.yield_markets[folioKey(...path)] = {
    supply_apr: yearlyRate(state.supplyRate),
    supply_rewards_apr: cometRewards(networkState, state, 'supply'),
    supply_cap: null,
    total_supply: folioAmount(state.totalSupply, market.baseDecimals),
  }
  folio.borrow_markets[folioKey(...path)] = {
    borrow_apr: yearlyRate(state.borrowRate),
    borrow_rewards_apr: cometRewards(networkState, state, 'borrow'),
    borrow_cap: null,
    total_borrow: folioAmount(state.totalBorrow, market.baseDecimals),
    base_borrow_min: folioAmount(market.baseBorrowMin, market.baseDecimals),
    collaterals: cometCollaterals(networkState, state),
  }
  const { balances } = folio
  const position = (kind: string, amount: bigint): void =>
    addAmount(balances, folioKey(kind, ...path, wallet), amount, market.baseDecimals)
  position('yield_market', state.supplied)
  position('borrow_market', state.borrowed)
  market.collaterals.forEach((collateral, i) => {
    const key = folioKey('borrow_market_collateral', ...path, collateral.symbol, wallet)
    addAmount(balances, key, state.collateral[i]!, collateral.decimals)
  })
  const { address, rewardSymbol } = market
  const contract = networkBook.cometRewards
  const reward = folioKey('comet_reward', net, address, rewardSymbol, contract, wallet)
  const rewardDecimals =
    networkBook.tokens.find((t) => t.symbol === market.rewardSymbol)?.decimals ?? 18
  addAmount(balances, `reward/${reward}`, state.rewardOwed, rewardDecimals)
  if (state.rewardOwed > 0n) folio.rewards[reward] = { proof: { proof_type: 'none' } }
}

function cometRewards(
  { prices }: NetworkState,
  { market, ...state }: CometState,
  side: 'supply' | 'borrow',
): string {
  return rewardsRate({
    speed: side === 'supply' ? state.supplySpeed : state.borrowSpeed,
    indexScale: state.trackingIndexScale,
    rewardPriceE8: prices.get(market.rewardSymbol),
    total: side === 'supply' ? state.totalSupply : state.totalBorrow,
    decimals: market.baseDecimals,
    priceE8: prices.get(market.baseSymbol),
  })
}

function cometCollaterals(
  networkState: NetworkState,
  state: CometState,
): Folio['borrow_markets'][string]['collaterals'] {
  return Object.fromEntries(
    state.market.collaterals.map((collateral, i) => {
      const price = networkState.prices.get(collateral.symbol)
      return [
        collateral.symbol,
        {
          borrow_collateral_factor: decimal(collateral.borrowCollateralFactor, 18),
          liquidate_collateral_factor: decimal(collateral.liquidateCollateralFactor, 18),
          liquidation_factor: decimal(collateral.liquidationFactor, 18),
          supply_cap: folioAmount(collateral.supplyCap, collateral.decimals),
          total_supply: folioAmount(state.collateralTotals[i]!, collateral.decimals),
          usd_price: price === undefined ? null : folioPrice(price),
        },
      ]
    }),
  )
}

/**
 * Service-facts 8.1: each reserve is a yield market and, if it lends, a borrow market with the path `aave/{net}/{pool}/{SYM}`. One position
 * backs all debts there, so its collateral is listed under each of them. `net` is the network's name in folio keys.
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
