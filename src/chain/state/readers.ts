import type { Address } from 'viem'
import type { AddressBook, NetworkBook } from '../../deployments/addressBook.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { Node } from '../rpc/node.js'
import { RpcError } from '../rpc/rpc.js'
import { fillWallet } from './multicall.js'
import { createNetworkStateReader, type NetworkStateReader, singleReads } from './networkState.js'

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

/**
 * Makes a forked node fetch what a snapshot of this wallet needs from its upstream. In the snapshot's one call it would fetch slot
 * after slot, hundreds of round trips in a row; here every market is a call of its own, and all are under way at once.
 */
export async function warm(node: Node, book: NetworkBook, wallet: Address): Promise<void> {
  await Promise.all(
    singleReads(book).map(async ({ target, data }) => {
      const call = { to: target, data: fillWallet(data, wallet) }
      await node.rpc.request('eth_call', [call, 'latest']).catch((error) => {
        // A market that does not answer is the snapshot's affair.
        if (!(error instanceof RpcError)) throw error
      })
    }),
  )
}
