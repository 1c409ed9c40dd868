import type { Address } from 'viem'
import type { NetworkState } from '../../chain/state/networkState.js'
import type { RewardClaim } from '../rewards/updater.js'
import { addAmount, folioKey } from './keys.js'
import { folioAmount } from './numbers.js'
import type { Folio } from './schema.js'

/** MORPHO and all other reward tokens of the kind. */
const rewardDecimals = 18

/**
 * Rewards of vault holders (service-facts 8.1): what the newest root lets the wallet claim is its reward, with the proof; what
 * it has earned since is locked. `net` is the network's name in folio keys.
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
