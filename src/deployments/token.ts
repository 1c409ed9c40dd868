import type { Address } from 'viem'

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
