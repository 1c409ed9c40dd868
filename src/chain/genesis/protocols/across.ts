import { actors } from '../../../deployments/actors.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import type { WorldNode } from '../anvil.js'
import { artifact } from '../artifacts.js'
import { place } from '../place.js'

/** Across: the network's spoke pool at its canonical address. It needs no liquidity; relayers fill from their own pockets. */
export async function buildAcross(node: WorldNode, book: NetworkBook): Promise<void> {
  const wrapped = book.tokens.find((token) => token.symbol === book.wrappedNativeSymbol)
  if (!wrapped) throw new Error(`${book.network} has no ${book.wrappedNativeSymbol}`)
  await place(node, book.spokePool, artifact('SpokePool'), [wrapped.address, actors.admin])
}
