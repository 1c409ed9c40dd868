import type { Address, Hex } from 'viem'
import type { NetworkBook } from '../../deployments/addressBook.js'
import type { CometMarket } from '../../deployments/markets.js'
import type {
  AaveReserve,
  MorphoMarket,
  MorphoRewardsBook,
  MorphoVault,
} from '../../deployments/protocolBook.js'
import {
  aaveLensAbi,
  cometLensAbi,
  morphoLensAbi,
  rewardsLensAbi,
  vaultLensAbi,
} from '../../generated/abis.js'
import { encodeCall, type Read, selectorOf, wordAt } from './multicall.js'

export const protocols = ['comet', 'morpho', 'aave', 'vaults', 'morphoRewards'] as const
export type Protocol = (typeof protocols)[number]

/** Amounts in smallest units, rates per second and 1e18-scaled. */
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
  /** The amount that running executions will withdraw. Set when it has been subtracted from `supplied`. */
  leaving?: bigint
  borrowed: bigint
  /** As in `MorphoState`. */
  promised?: bigint
  rewardOwed: bigint
  /** In the order of `market.collaterals`. */
  collateral: bigint[]
  collateralTotals: bigint[]
}

const readComet = selectorOf(cometLensAbi, 'read')

function cometRead(book: NetworkBook, market: CometMarket, wallet: Address): Read {
  return {
    target: book.cometLens,
    data: encodeCall(readComet, [
      market.address,
      book.cometRewards,
      wallet,
      market.collaterals.map((collateral) => collateral.asset),
    ]),
  }
}

/** Decodes `CometLens.read`: the two structs stand in line (7 and 3 words), then two offsets to the arrays. */
function decodeComet(market: CometMarket, data: string): CometState {
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

/** Includes interest up to the read. Amounts in smallest units. */
export interface MorphoState {
  market: MorphoMarket
  totalSupply: bigint
  totalBorrow: bigint
  /** Per second, 1e18-scaled. */
  borrowRate: bigint
  /** The amount that repays the wallet's whole debt, rounded up. */
  borrowed: bigint
  /** The amount that running executions will repay. Set while a plan is made, when it has been subtracted from `borrowed`. */
  promised?: bigint
  collateral: bigint
}

const readMorpho = selectorOf(morphoLensAbi, 'read')

function morphoRead(book: NetworkBook, market: MorphoMarket, wallet: Address): Read {
  return {
    target: book.morphoLens,
    data: encodeCall(readMorpho, [book.morpho.morpho, market.id, wallet]),
  }
}

/** Decodes `MorphoLens.read`: five words in line. */
function decodeMorpho(market: MorphoMarket, data: string): MorphoState {
  return {
    market,
    totalSupply: wordAt(data, 0),
    totalBorrow: wordAt(data, 1),
    borrowRate: wordAt(data, 2),
    borrowed: wordAt(data, 3),
    collateral: wordAt(data, 4),
  }
}

/** Includes interest up to the read. Amounts in smallest units. */
export interface AaveState {
  reserve: AaveReserve
  totalSupply: bigint
  totalBorrow: bigint
  /** Per year, 1e27-scaled. */
  supplyRate: bigint
  borrowRate: bigint
  /** The cash that has not been lent out. */
  cash: bigint
  /** The protocol's share, which is not in `totalSupply` yet, but counts towards the supply cap. */
  accruedToTreasury: bigint
  /** Zero for no cap. */
  supplyCap: bigint
  borrowCap: bigint
  /** Basis points; with zero, the asset is no collateral. */
  ltv: bigint
  liquidationThreshold: bigint
  /** The collateral that a liquidator gets for a debt of 100 %; basis points, for example 10500. */
  liquidationBonus: bigint
  isActive: boolean
  isFrozen: boolean
  isPaused: boolean
  isBorrowable: boolean
  supplied: bigint
  /** As in `CometState`. */
  leaving?: bigint
  borrowed: bigint
  /** Whether the wallet's supply backs its debts. */
  isCollateral: boolean
}

const readAave = selectorOf(aaveLensAbi, 'read')

function aaveRead(book: NetworkBook, reserve: AaveReserve, wallet: Address): Read {
  return {
    target: book.aaveLens,
    data: encodeCall(readAave, [
      book.aave.protocolDataProvider,
      reserve.asset,
      reserve.aToken,
      wallet,
    ]),
  }
}

/** Decodes `AaveLens.read`: two structs of words in line. */
function decodeAave(reserve: AaveReserve, data: string): AaveState {
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

/** Includes interest up to the read. Amounts in smallest units of the asset. */
export interface VaultState {
  vault: MorphoVault
  totalAssets: bigint
  /** The vault's yield in its markets after fees, per second, 1e18-scaled. */
  supplyRate: bigint
  /** The remaining deposit limit. */
  room: bigint
  /** The value of the wallet's shares, rounded down. */
  supplied: bigint
  /** As in `CometState`. */
  leaving?: bigint
  /** `supplied`, limited by the cash in the vault's markets. */
  withdrawable: bigint
}

const readVault = selectorOf(vaultLensAbi, 'read')

export function vaultRead(book: NetworkBook, vault: MorphoVault, wallet: Address): Read {
  return {
    target: book.vaultLens,
    data: encodeCall(readVault, [book.morpho.morpho, vault.address, wallet]),
  }
}

/** Decodes `VaultLens.read`: five words in line. */
export function decodeVault(vault: MorphoVault, data: string): VaultState {
  return {
    vault,
    totalAssets: wordAt(data, 0),
    supplyRate: wordAt(data, 1),
    room: wordAt(data, 2),
    supplied: wordAt(data, 3),
    withdrawable: wordAt(data, 4),
  }
}

/** A wallet's rewards for vault holders. */
export interface MorphoRewardsState {
  rewards: MorphoRewardsBook
  /** The distributor's newest root. */
  root: Hex
  /** The total paid to the wallet, in smallest units. */
  claimed: bigint
  /** The total earned by and granted to the wallet, in smallest units, rounded down. */
  earned: bigint
}

const readRewards = selectorOf(rewardsLensAbi, 'read')

export function rewardsRead(book: NetworkBook, rewards: MorphoRewardsBook, wallet: Address): Read {
  const vaults = book.morpho.vaults.map(({ address }) => address)
  return {
    target: book.rewardsLens,
    data: encodeCall(readRewards, [
      rewards.distributor,
      rewards.grants,
      rewards.token,
      vaults,
      wallet,
    ]),
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

/** The reads of one protocol's markets, and their decoder, which omits markets that do not answer. */
export interface MarketReads<State> {
  count: number
  reads(wallet: Address): Read[]
  decode(answers: readonly (string | undefined)[]): State[]
}

function marketReads<Market, State>(
  book: NetworkBook,
  markets: readonly Market[],
  read: (book: NetworkBook, market: Market, wallet: Address) => Read,
  decode: (market: Market, data: string) => State,
): MarketReads<State> {
  return {
    count: markets.length,
    reads: (wallet) => markets.map((market) => read(book, market, wallet)),
    decode: (answers) =>
      markets.flatMap((market, i) => {
        const answer = answers[i]
        return answer ? [decode(market, answer)] : []
      }),
  }
}

/** The markets of a scope, in the order of the reads. */
export function marketReadsOf(
  book: NetworkBook,
  of: readonly Protocol[],
  isWanted: (symbol: string) => boolean,
) {
  const pick = <Market>(
    protocol: Protocol,
    all: readonly Market[],
    symbolsOf: (market: Market) => readonly string[],
  ) => (of.includes(protocol) ? all.filter((market) => symbolsOf(market).every(isWanted)) : [])
  const { aave, comets, morpho, morphoRewards } = book
  return {
    comets: marketReads(
      book,
      pick('comet', comets, (market) => [market.baseSymbol]),
      cometRead,
      decodeComet,
    ),
    morphoMarkets: marketReads(
      book,
      pick('morpho', morpho.markets, (each) => [each.loanSymbol, each.collateralSymbol]),
      morphoRead,
      decodeMorpho,
    ),
    aaveReserves: marketReads(
      book,
      pick('aave', aave.reserves, (reserve) => [reserve.symbol]),
      aaveRead,
      decodeAave,
    ),
    vaults: marketReads(
      book,
      pick('vaults', morpho.vaults, (vault) => [vault.assetSymbol]),
      vaultRead,
      decodeVault,
    ),
    rewards: marketReads(
      book,
      pick('morphoRewards', morphoRewards ? [morphoRewards] : [], () => []),
      rewardsRead,
      decodeRewards,
    ),
  }
}

/** Whether a symbol is in the scope. Native and wrapped form include each other; ignores case. */
export function wanted(book: NetworkBook, assets: readonly string[] | undefined) {
  if (assets === undefined) return () => true
  const pair = [book.nativeSymbol, book.wrappedNativeSymbol]
  const named = assets.map((symbol) => symbol.toLowerCase())
  const withPair = pair.some((symbol) => named.includes(symbol.toLowerCase()))
    ? [...named, ...pair.map((symbol) => symbol.toLowerCase())]
    : named
  return (symbol: string): boolean => withPair.includes(symbol.toLowerCase())
}
