import { readFileSync } from 'node:fs'
import type { Address, Hex } from 'viem'
import { packageFile } from '../lib/files/packageFile.js'
import type { NetworkName } from './networks.js'

/** The part of one network in `contracts/addresses.json` that the simulator uses. Addresses are checksummed there. */
export interface RawNetwork {
  chainId: number
  nativeSymbol: string
  wrappedNativeSymbol: string
  tokens: Record<
    string,
    { address: Address; decimals: number; name: string; native?: boolean; onchainSymbol?: string }
  >
  chainlinkFeeds: Record<string, { address: Address; decimals: number; description: string }>
  across: { spokePool: Address }
  comet: { rewards: Address; markets: Record<string, RawComet> }
  multicall3: Address
  aaveV3: RawAave
  morpho: RawMorpho
  uniswapV3: Record<'factory' | 'swapRouter02' | 'quoterV2' | 'nonfungiblePositionManager', Address>
}

/** Aave V3 of the file. Factors are decimal strings, on mainnet and base only. */
export interface RawAave {
  pool: Address
  poolAddressesProvider: Address
  poolConfigurator: Address
  aclManager: Address
  oracle: Address
  protocolDataProvider: Address
  uiPoolDataProvider: Address
  reserves: Record<
    string,
    {
      /** The maker's name for the asset: what its tokens are called after. */
      bookKey: string
      reserveId: number
      underlying: Address
      decimals: number
      aToken: Address
      vToken: Address
      oracle: Address
      interestRateStrategy: Address
      ltv?: string
      liquidationThreshold?: string
    }
  >
}

/** Morpho Blue of the file. An idle market has zero addresses for all but its loan token. */
export interface RawMorpho {
  morpho: Address
  adaptiveCurveIrm: Address
  /** Where the file has it. */
  universalRewardsDistributor?: Address
  markets: {
    id: Hex
    label: string
    idle?: boolean
    loanToken: Address
    collateralToken: Address
    oracle: Address
    irm: Address
    lltv: string
    /** The feeds inside the oracle, where they are known: `baseFeed1`, `baseFeed2`, `quoteFeed1`. */
    oracleFeeds?: Record<string, { description: string | null }>
  }[]
  vaults: { address: Address; name: string; symbol: string | null; asset: Address }[]
}

/** A Comet market of the file. Factors and rates are decimal strings, the rest raw integer strings. */
export interface RawComet {
  name: string
  symbol: string
  comet: Address
  baseSymbol: string
  baseToken: Address
  baseTokenDecimals: number
  baseTokenPriceFeed: Address
  baseBorrowMin: string
  storeFrontPriceFactor: string
  targetReserves: string
  collaterals: {
    symbol: string
    asset: Address
    decimals: number
    priceFeed: Address
    borrowCF: string
    liquidateCF: string
    liquidationFactor: string
    supplyCap: string
  }[]
  rates: Record<
    | 'supplyKink'
    | 'supplySlopeLow'
    | 'supplySlopeHigh'
    | 'supplyBase'
    | 'borrowKink'
    | 'borrowSlopeLow'
    | 'borrowSlopeHigh'
    | 'borrowBase',
    string
  >
  rewardToken: Address
  rewardSpeeds?: {
    trackingIndexScale: string
    baseTrackingSupplySpeed: string
    baseTrackingBorrowSpeed: string
    baseMinForRewards: string
  }
  live?: { baseBorrowMin?: string }
}

let file: Record<NetworkName, RawNetwork> | undefined

/** One network of `contracts/addresses.json`, as the file has it. The file is read once, at the first call. */
export function rawNetwork(network: NetworkName): RawNetwork {
  file ??= JSON.parse(readFileSync(packageFile('contracts/addresses.json'), 'utf8')) as Record<
    NetworkName,
    RawNetwork
  >
  return file[network]
}
