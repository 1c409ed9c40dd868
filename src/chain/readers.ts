import type { AddressBook } from './addressBook.js'
import type { NetworkName } from './networks.js'
import { createSnapshotReader, type SnapshotReader } from './snapshot.js'

/** One snapshot reader per network, made when the network is first read: encoding its calldata takes a moment. */
export function createReaders(book: AddressBook): (network: NetworkName) => SnapshotReader {
  const readers = new Map<NetworkName, SnapshotReader>()
  return (network) => {
    const known = readers.get(network)
    if (known) return known
    const reader = createSnapshotReader(book.on(network))
    readers.set(network, reader)
    return reader
  }
}
