import type { Address } from 'viem'
import type { NetworkBook } from '../../deployments/addressBook.js'
import type { Node } from '../rpc/node.js'
import { RpcError } from '../rpc/rpc.js'
import { fillWallet } from './multicall.js'
import { singleReads } from './networkState.js'

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
