import { readFileSync } from 'node:fs'
import type { Address } from 'viem'
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

/** Where the file stands; the same relative place seen from `src/chain` and from `dist/chain`. */
export const addressFileUrl = new URL('../../contracts/addresses.json', import.meta.url)

let file: Record<NetworkName, RawNetwork> | undefined

/** One network of `contracts/addresses.json`, as the file has it. The file is read once, at the first call. */
export function rawNetwork(network: NetworkName): RawNetwork {
  file ??= JSON.parse(readFileSync(addressFileUrl, 'utf8')) as Record<NetworkName, RawNetwork>
  return file[network]
}
