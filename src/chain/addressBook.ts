import type { Address, Hex } from 'viem'
import type { NetworkName } from './networks.js'

/** An asset as it stands on one network. */
export interface Token {
  /** Canonical casing, for example `USDC`, `cbBTC`, `USDC.e`. */
  symbol: string
  name: string
  decimals: number
  /** Contract address; `0xeeee…eeee` for the native token. Lower case. */
  address: Address
  /** The network's native token (ETH, or POL on polygon). */
  native: boolean
  /** USD price feed with the Chainlink interface, 8 decimals. Lower case. */
  feed: Address
}

/** A collateral asset of a Comet market. Factors are 1e18-scaled, caps in the asset's smallest unit. */
export interface CometCollateral {
  symbol: string
  asset: Address
  decimals: number
  priceFeed: Address
  borrowCollateralFactor: bigint
  liquidateCollateralFactor: bigint
  liquidationFactor: bigint
  supplyCap: bigint
}

/** A Comet market. Rates are 1e18-scaled per year. */
export interface CometMarket {
  /** Lower case. */
  address: Address
  name: string
  symbol: string
  baseSymbol: string
  baseToken: Address
  baseDecimals: number
  basePriceFeed: Address
  baseBorrowMin: bigint
  rewardToken: Address
  rewardSymbol: string
  collaterals: CometCollateral[]
  rates: {
    supplyKink: bigint
    supplySlopeLow: bigint
    supplySlopeHigh: bigint
    supplyBase: bigint
    borrowKink: bigint
    borrowSlopeLow: bigint
    borrowSlopeHigh: bigint
    borrowBase: bigint
  }
  /** Scale of the tracking indices, speeds per second in that scale, and the base amount below which nothing accrues. */
  tracking: { indexScale: bigint; supplySpeed: bigint; borrowSpeed: bigint; minForRewards: bigint }
}

/** Everything that stands on one network, at its canonical address. All addresses lower case. */
export interface NetworkBook {
  network: NetworkName
  chainId: number
  nativeSymbol: string
  wrappedNativeSymbol: string
  /** In the order of `contracts/addresses.json`, native first. */
  tokens: readonly Token[]
  comets: readonly CometMarket[]
  cometRewards: Address
  multicall3: Address
  /** Simulator-owned contracts: the same addresses on every network. */
  exchange: Address
  /** Drives every price feed of the offline world. */
  priceHub: Address
}

/** The address book of all networks; cannot tell an offline world from a forked one. */
export interface AddressBook {
  on(network: NetworkName): NetworkBook
  /** Finds an asset on a network by symbol, ignoring case. */
  token(network: NetworkName, symbol: string): Token | undefined
  /** Canonical symbols of all assets on all networks, each once. */
  symbols(): readonly string[]
}

/** Addresses of the simulator's own wallet contracts, the same on every network (CREATE2). */
export interface SvcAddresses {
  factory: Address
  walletImplementation: Address
  nonceManager: Address
  scriptStore: Address
  scripts: { cometSupply: Address; cometWithdraw: Address; transfer: Address; swap: Address }
  exchange: Address
  priceHub: Address
}

export type { Hex }
