import { actors } from '../../../deployments/actors.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import { rawNetwork } from '../../../deployments/addressFile.js'
import type { Node } from '../../rpc/node.js'
import { artifact } from '../artifacts.js'
import { place } from '../place.js'

/** Places every token of the network at its own address; the admin actor may mint them, the wrapped native one nobody. */
export async function buildTokens(node: Node, book: NetworkBook): Promise<void> {
  const raw = rawNetwork(book.network).tokens
  for (const token of book.tokens) {
    if (token.native) continue
    const symbol = raw[token.symbol]?.onchainSymbol ?? token.symbol
    if (token.symbol === book.wrappedNativeSymbol)
      await place(node, token.address, artifact('WrappedNative'), [token.name, symbol])
    else
      await place(node, token.address, artifact('Token'), [
        token.name,
        symbol,
        token.decimals,
        actors.admin,
      ])
  }
}
