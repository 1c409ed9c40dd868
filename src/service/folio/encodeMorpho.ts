import type { Address } from 'viem'
import type { MorphoState, VaultState } from '../../chain/state/marketReads.js'
import type { NetworkState } from '../../chain/state/networkState.js'
import type { MorphoBook, MorphoMarket } from '../../deployments/protocolBook.js'
import type { RewardClaim } from '../rewards/updater.js'
import {
  addAmount,
  decimal,
  folioAmount,
  folioKey,
  folioPrice,
  rewardsRate,
  yearlyRate,
} from './numbers.js'
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
 * `morpho/{net}/{COLLATERAL}/{LOAN}`. If several markets have the same pair, only the first of the book has this path; the others append their
 * id.
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
 * The part of the seized collateral's value that a liquidated borrower is credited, 1e18-scaled and rounded down: the inverse of the incentive
 * min(1.15, 1 / (1 - 0.3 x (1 - lltv))) of Morpho Blue's documentation.
 */
function liquidationFactor(lltv: bigint): bigint {
  const most = (wad * 100n) / 115n
  const factor = wad - (3n * (wad - lltv)) / 10n
  return factor > most ? factor : most
}

/** A vault and the wallet's part in it, in its asset (service-facts 8.1). `net` is the network's name in folio keys. */
export function encodeVault(
  folio: Folio,
  networkState: NetworkState,
  net: string,
  state: VaultState,
  wallet: Address,
): void {
  const { address, assetSymbol, assetDecimals } = state.vault
  const path = ['morpho_vault', net, address, assetSymbol]
  folio.yield_markets[folioKey(...path)] = {
    supply_apr: yearlyRate(state.supplyRate),
    supply_rewards_apr: rewardsOf(networkState, state),
    supply_cap: folioAmount(state.totalAssets + state.room, assetDecimals),
    total_supply: folioAmount(state.totalAssets, assetDecimals),
  }
  const key = folioKey('yield_market', ...path, wallet)
  addAmount(folio.balances, key, state.supplied, assetDecimals)
}

/** What the rewards for the vault's holders are worth a year, as a fraction of its assets. */
function rewardsOf({ morphoRewards, prices }: NetworkState, state: VaultState): string {
  if (!morphoRewards) return '0'
  const { symbol, perSecond } = morphoRewards.rewards
  return rewardsRate({
    speed: perSecond,
    // Smallest units of MORPHO to whole ones.
    indexScale: 10n ** 18n,
    rewardPriceE8: prices.get(symbol),
    total: state.totalAssets,
    decimals: state.vault.assetDecimals,
    priceE8: prices.get(state.vault.assetSymbol),
  })
}

/** MORPHO and all other reward tokens of the kind. */
const rewardDecimals = 18

/**
 * Rewards of vault holders (service-facts 8.1): what the newest root lets the wallet claim, with the proof; later earnings are locked. `net`
 * is the network's name in folio keys.
 */
export function encodeMorphoRewards(
  folio: Folio,
  { network, morphoRewards }: NetworkState,
  net: string,
  { wallet, rewards }: { wallet: Address; rewards: readonly RewardClaim[] },
): void {
  if (!morphoRewards) return
  const { symbol, distributor } = morphoRewards.rewards
  const key = folioKey('morpho_reward', net, symbol, distributor, wallet)
  const claim = rewards.find((each) => each.network === network && each.symbol === symbol)
  const { claimed, earned } = morphoRewards
  const proven = claim?.claimable ?? claimed
  addAmount(folio.balances, `reward/${key}`, proven - claimed, rewardDecimals)
  addAmount(folio.balances, `locked_reward/${key}`, earned - proven, rewardDecimals)
  if (!claim) return
  folio.rewards[key] = {
    proof: {
      proof_type: 'morpho_reward',
      proof: claim.proof,
      proof_amount: folioAmount(claim.claimable, rewardDecimals),
    },
  }
}
