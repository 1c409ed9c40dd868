import type { Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import type { NetworkBook } from '../../deployments/addressBook.js'
import type { MorphoRewardsBook } from '../../deployments/rewardsBook.js'
import { rewardsLensAbi } from '../../generated/abis.js'
import { type Read, walletPlaceholder, wordAt } from './multicall.js'

/** What a wallet has earned of the rewards for vault holders, and what it has had of them. */
export interface MorphoRewardsState {
  rewards: MorphoRewardsBook
  /** The newest root that the distributor has. */
  root: Hex
  /** Paid to the wallet ever, in smallest units. */
  claimed: bigint
  /** Earned by the wallet ever, and granted to it, in smallest units, rounded down. */
  earned: bigint
}

/** The read of the network's distributor and vaults. */
export function rewardsRead(book: NetworkBook, rewards: MorphoRewardsBook): Read {
  const vaults = book.morpho.vaults.map(({ address }) => address)
  return {
    target: book.rewardsLens,
    data: encodeFunctionData({
      abi: rewardsLensAbi,
      functionName: 'read',
      args: [rewards.distributor, rewards.grants, rewards.token, vaults, walletPlaceholder],
    }),
  }
}

const wad = 10n ** 18n

/** Decodes `RewardsLens.read`: four words in line. */
export function decodeRewards(rewards: MorphoRewardsBook, data: string): MorphoRewardsState {
  return {
    rewards,
    root: `0x${data.slice(0, 64)}`,
    claimed: wordAt(data, 1),
    earned: (wordAt(data, 2) * rewards.perSecond) / wad + wordAt(data, 3),
  }
}
