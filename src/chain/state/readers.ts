import type { Address } from 'viem'
import type { AddressBook, NetworkBook } from '../../deployments/addressBook.js'
import type { NetworkName } from '../../deployments/networks.js'
import { createNetworkStateReader, type NetworkStateReader } from './networkState.js'

/**
 * One snapshot reader per network, made when the network is first read: encoding its calldata takes a moment. Those of `forked`
 * networks have a wallet's slots fetched side by side before they first read it.
 */
export function createReaders(
  book: AddressBook,
  forked: { has(network: NetworkName): boolean } = new Set(),
): (network: NetworkName) => NetworkStateReader {
  const readers = new Map<NetworkName, NetworkStateReader>()
  return (network) => {
    const known = readers.get(network)
    if (known) return known
    const plain = createNetworkStateReader(book.on(network))
    const reader = forked.has(network) ? warmed(plain, book.on(network)) : plain
    readers.set(network, reader)
    return reader
  }
}

/** Reads for a wallet wait until what it has there has been fetched; a fetch that failed is tried again by the next read. */
function warmed(reader: NetworkStateReader, book: NetworkBook): NetworkStateReader {
  const fetched = new Map<Address, Promise<void>>()
  return {
    async read(node, wallet, scope, nonceCount) {
      const { warm } = await import('./warm.js')
      const fetching = fetched.get(wallet) ?? warm(node, book, wallet)
      fetched.set(wallet, fetching)
      await fetching.catch((error) => {
        fetched.delete(wallet)
        throw error
      })
      return reader.read(node, wallet, scope, nonceCount)
    },
  }
}
