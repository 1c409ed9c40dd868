import { encodeFunctionData } from 'viem/utils'
import type { NetworkBook } from '../../deployments/addressBook.js'
import type { AaveReserve } from '../../deployments/protocolBook.js'
import { aaveLensAbi } from '../../generated/abis.js'
import { type Read, walletPlaceholder, wordAt } from './multicall.js'

/** A reserve of the Aave pool and the wallet's part in it, with the interest up to the read. Amounts in smallest units. */
export interface AaveState {
  reserve: AaveReserve
  totalSupply: bigint
  totalBorrow: bigint
  /** Per year, 1e27-scaled. */
  supplyRate: bigint
  borrowRate: bigint
  /** What has not been lent out. */
  cash: bigint
  /** The protocol's own part, not in `totalSupply` yet; counts towards the supply cap. */
  accruedToTreasury: bigint
  /** Zero is no cap. */
  supplyCap: bigint
  borrowCap: bigint
  /** Basis points; an `ltv` of zero lends nothing against the asset. */
  ltv: bigint
  liquidationThreshold: bigint
  /** What a liquidator gets for a debt of 100 %, for example 10500. */
  liquidationBonus: bigint
  isActive: boolean
  isFrozen: boolean
  isPaused: boolean
  isBorrowable: boolean
  supplied: bigint
  /** As in `CometState`. */
  leaving?: bigint
  borrowed: bigint
  /** Whether what the wallet supplied backs its debts. */
  isCollateral: boolean
}

/** The read of one reserve and position. */
export function aaveRead(book: NetworkBook, reserve: AaveReserve): Read {
  return {
    target: book.aaveLens,
    data: encodeFunctionData({
      abi: aaveLensAbi,
      functionName: 'read',
      args: [book.aave.protocolDataProvider, reserve.asset, reserve.aToken, walletPlaceholder],
    }),
  }
}

/** Decodes `AaveLens.read`: two structs of words in line. */
export function decodeAave(reserve: AaveReserve, data: string): AaveState {
  const word = (index: number) => wordAt(data, index)
  const flag = (index: number) => word(index) === 1n
  const unit = 10n ** BigInt(reserve.decimals)
  return {
    reserve,
    totalSupply: word(0),
    totalBorrow: word(1),
    supplyRate: word(2),
    borrowRate: word(3),
    cash: word(4),
    accruedToTreasury: word(5),
    supplyCap: word(6) * unit,
    borrowCap: word(7) * unit,
    ltv: word(8),
    liquidationThreshold: word(9),
    liquidationBonus: word(10),
    isActive: flag(11),
    isFrozen: flag(12),
    isPaused: flag(13),
    isBorrowable: flag(14),
    supplied: word(15),
    borrowed: word(16),
    isCollateral: flag(17),
  }
}
