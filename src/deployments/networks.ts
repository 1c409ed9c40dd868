/** The five networks of interface.md ("Network"), in the order in which the service lists them. */
export const networks = [
  { name: 'mainnet', chainId: 1, displayName: 'Ethereum', folioName: 'ethereum' },
  { name: 'base', chainId: 8453, displayName: 'Base', folioName: 'base' },
  { name: 'arbitrum', chainId: 42161, displayName: 'Arbitrum One', folioName: 'arbitrum' },
  { name: 'optimism', chainId: 10, displayName: 'OP Mainnet', folioName: 'optimism' },
  { name: 'polygon', chainId: 137, displayName: 'Polygon', folioName: 'polygon' },
] as const

/** The identifier of a network in API requests. */
export type NetworkName = (typeof networks)[number]['name']

export const networkNames = networks.map((n) => n.name) as [NetworkName, ...NetworkName[]]

/** The network of a name; `folioName` is what folio keys say (`ethereum` for mainnet). */
export function networkOf(name: NetworkName): (typeof networks)[number] {
  return networks.find((n) => n.name === name)!
}

/** A record with an entry for each network, in their order. */
export function perNetwork<T>(
  make: (network: (typeof networks)[number]) => T,
): Record<NetworkName, T> {
  return Object.fromEntries(networks.map((network) => [network.name, make(network)])) as Record<
    NetworkName,
    T
  >
}

/** An asset as it stands on one network. Addresses are spelled out, since types of the library name no package. */
export interface Token {
  /** Canonical casing, for example `USDC`, `cbBTC`, `USDC.e`. */
  symbol: string
  name: string
  decimals: number
  /** Contract address; `0xeeee…eeee` for the native token. Lower case. */
  address: `0x${string}`
  /** The network's native token (ETH, or POL on polygon). */
  native: boolean
  /** USD price feed with the Chainlink interface, 8 decimals. Lower case. */
  feed: `0x${string}`
}
