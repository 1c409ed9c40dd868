import { overview } from './live.js'

/** The network with this chain id; the id itself where there is none. */
export function networkOfChain(chainId: string | number): string {
  const known = overview.value?.networks.find(({ chain_id }) => chain_id === Number(chainId))
  return known?.network ?? String(chainId)
}
