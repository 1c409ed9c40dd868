import { actors } from '../../../deployments/actors.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import { rawNetwork } from '../../../deployments/addressFile.js'
import type { Token } from '../../../deployments/networks.js'
import type { Node } from '../../rpc/node.js'
import { artifact, place } from '../contracts.js'

/** Places every token of the network at its own address; the admin actor may mint them, the wrapped native one nobody. */
export async function buildTokens(node: Node, book: NetworkBook): Promise<void> {
  const raw = rawNetwork(book.network).tokens
  for (const token of book.tokens) {
    if (token.native) continue
    const symbol = raw[token.symbol]?.onchainSymbol ?? token.symbol
    const [name, args] = contractOf(book, token, symbol)
    await place(node, token.address, artifact(name), args)
  }
}

/** The contract that behaves as the token itself on this network, and what its constructor takes. docs/simulated.md lists the rest. */
function contractOf(
  { network, wrappedNativeSymbol }: NetworkBook,
  { symbol: own, name, decimals }: Token,
  symbol: string,
): [contract: string, args: readonly unknown[]] {
  const isEthereum = network === 'mainnet'
  const usual = [name, symbol, decimals, actors.admin]
  if (own === wrappedNativeSymbol) return ['WrappedNative', [name, symbol]]
  if (own === 'USDC') return ['FiatToken', [...usual, 'USD']]
  if (own === 'cbBTC') return ['FiatToken', [...usual, 'BTC']]
  if (own === 'cbETH' && isEthereum) return ['FiatToken', [...usual, 'ETH']]
  if (own === 'USDT' && isEthereum) return ['Tether', usual]
  if (own === 'DAI' && (isEthereum || network === 'arbitrum' || network === 'optimism'))
    return ['Dai', [actors.admin, !isEthereum]]
  return [own === 'MORPHO' ? 'Token' : 'BridgedToken', usual]
}
