import { encodeFunctionData } from 'viem/utils'
import type { NetworkBook } from '../../deployments/addressBook.js'
import type { MorphoMarket } from '../../deployments/protocolBook.js'
import { morphoLensAbi } from '../../generated/abis.js'
import { type Read, walletPlaceholder, wordAt } from './multicall.js'

/** A Morpho Blue market and the wallet's position in it, with the interest up to the read. Amounts in smallest units. */
export interface MorphoState {
  market: MorphoMarket
  totalSupply: bigint
  totalBorrow: bigint
  /** Per second, 1e18-scaled. */
  borrowRate: bigint
  /** What the wallet would have to pay to owe nothing, rounded up. */
  borrowed: bigint
  /** What executions under way are going to pay back besides. Only where a plan is made: `borrowed` is without it there. */
  promised?: bigint
  collateral: bigint
}

/** The read of one market and position. */
export function morphoRead(book: NetworkBook, market: MorphoMarket): Read {
  return {
    target: book.morphoLens,
    data: encodeFunctionData({
      abi: morphoLensAbi,
      functionName: 'read',
      args: [book.morpho.morpho, market.id, walletPlaceholder],
    }),
  }
}

/** Decodes `MorphoLens.read`: five words in line. */
export function decodeMorpho(market: MorphoMarket, data: string): MorphoState {
  return {
    market,
    totalSupply: wordAt(data, 0),
    totalBorrow: wordAt(data, 1),
    borrowRate: wordAt(data, 2),
    borrowed: wordAt(data, 3),
    collateral: wordAt(data, 4),
  }
}
