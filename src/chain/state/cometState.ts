import { encodeFunctionData } from 'viem/utils'
import type { NetworkBook } from '../../deployments/addressBook.js'
import type { CometMarket } from '../../deployments/cometMarket.js'
import { cometLensAbi } from '../../generated/abis.js'
import { type Read, walletPlaceholder, wordAt } from './multicall.js'

/** A Comet market and the wallet's position in it. Amounts in smallest units, rates per second and 1e18-scaled. */
export interface CometState {
  market: CometMarket
  totalSupply: bigint
  totalBorrow: bigint
  supplyRate: bigint
  borrowRate: bigint
  /** Reward tracking: units of `trackingIndexScale` per second, for the whole market. */
  supplySpeed: bigint
  borrowSpeed: bigint
  trackingIndexScale: bigint
  supplied: bigint
  /** What executions under way are going to take out of the supply. Set once it has been taken off `supplied`. */
  leaving?: bigint
  borrowed: bigint
  /** As in `MorphoState`. */
  promised?: bigint
  rewardOwed: bigint
  /** In the order of `market.collaterals`. */
  collateral: bigint[]
  collateralTotals: bigint[]
}

/** The read of one market and position. */
export function cometRead(book: NetworkBook, market: CometMarket): Read {
  return {
    target: book.cometLens,
    data: encodeFunctionData({
      abi: cometLensAbi,
      functionName: 'read',
      args: [
        market.address,
        book.cometRewards,
        walletPlaceholder,
        market.collaterals.map((collateral) => collateral.asset),
      ],
    }),
  }
}

/** Decodes `CometLens.read`: the two structs stand in line (7 and 3 words), then two offsets to the arrays. */
export function decodeComet(market: CometMarket, data: string): CometState {
  const list = (offsetWord: number): bigint[] => {
    const start = Number(wordAt(data, offsetWord)) / 32
    return market.collaterals.map((_, i) => wordAt(data, start + 1 + i))
  }
  return {
    market,
    totalSupply: wordAt(data, 0),
    totalBorrow: wordAt(data, 1),
    supplyRate: wordAt(data, 2),
    borrowRate: wordAt(data, 3),
    supplySpeed: wordAt(data, 4),
    borrowSpeed: wordAt(data, 5),
    trackingIndexScale: wordAt(data, 6),
    supplied: wordAt(data, 7),
    borrowed: wordAt(data, 8),
    rewardOwed: wordAt(data, 9),
    collateral: list(10),
    collateralTotals: list(11),
  }
}
