import { actors } from '../../../deployments/actors.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import type { Faucet } from '../../funds/faucet.js'
import type { Node } from '../../rpc/node.js'
import { artifact } from '../artifacts.js'
import { place } from '../place.js'

/** Reward tokens in the distributor when the world starts, in whole tokens: decades for all vaults of a network. */
const rewardTokens = 100_000_000n

/** The distributor of the rewards for vault holders, filled. It has no root until somebody has earned something. */
export async function buildRewards(node: Node, book: NetworkBook, faucet: Faucet): Promise<void> {
  const rewards = book.morphoRewards
  if (!rewards) return
  await place(node, rewards.distributor, artifact('RewardsDistributor'), [actors.admin])
  await place(node, rewards.grants, artifact('RewardGrants'), [actors.admin])
  await faucet.fund({
    address: rewards.distributor,
    asset: rewards.symbol,
    amount: rewardTokens * 10n ** 18n,
    network: book.network,
  })
}
