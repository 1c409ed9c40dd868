import type { Address } from 'viem'
import type { NetworkState } from '../../chain/state/networkState.js'
import type { VaultState } from '../../chain/state/vaultState.js'
import { addAmount, folioKey } from './keys.js'
import { folioAmount, rewardsRate, yearlyRate } from './numbers.js'
import type { Folio } from './schema.js'

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
