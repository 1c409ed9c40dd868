import type { Address } from 'viem'
import type { RawNetwork } from './addressFile.js'
import type { Token } from './token.js'

/** The rewards that holders of Morpho vaults earn on one network, and who pays them. Addresses lower case. */
export interface MorphoRewardsBook {
  /** Pays against Merkle proofs. */
  distributor: Address
  /** Keeps what the simulator’s control plane gave; the simulator’s own. */
  grants: Address
  /** The reward token: MORPHO. */
  symbol: string
  token: Address
  /** What the holders of each vault share, in smallest units per second. */
  perSecond: bigint
}

/** 200 whole tokens a day for each vault: at the world's starting prices 1.5 % a year of its ten million dollars. */
const tokensPerDay = 200n
const secondsPerDay = 86_400n

/**
 * Rewards are paid where the network has the MORPHO token (mainnet, base, arbitrum). Where the file names no distributor,
 * it stands at `own.distributor`.
 */
export function parseMorphoRewards(
  raw: RawNetwork,
  tokens: readonly Token[],
  own: { distributor: Address; grants: Address },
): MorphoRewardsBook | undefined {
  const token = tokens.find(({ symbol }) => symbol === 'MORPHO')
  if (!token) return undefined
  return {
    distributor: (
      raw.morpho.universalRewardsDistributor ?? own.distributor
    ).toLowerCase() as Address,
    grants: own.grants,
    symbol: token.symbol,
    token: token.address,
    perSecond: (tokensPerDay * 10n ** BigInt(token.decimals)) / secondsPerDay,
  }
}
