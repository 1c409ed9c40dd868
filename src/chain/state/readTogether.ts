import type { Hex } from 'viem'
import type { NetworkBook } from '../../deployments/addressBook.js'
import type { Node } from '../rpc/node.js'
import { decodeReads, encodeReads, type Read } from './multicall.js'

/** What the latest block answers to all of them, in one call; what failed or answered nothing is undefined. */
export async function readTogether(
  { rpc }: Node,
  book: NetworkBook,
  reads: readonly Read[],
): Promise<(Hex | undefined)[]> {
  if (reads.length === 0) return []
  const call = { to: book.multicall3, data: encodeReads(reads) }
  const returned = await rpc.request<Hex>('eth_call', [call, 'latest'])
  return decodeReads(returned).map((data) => (data ? (`0x${data}` as Hex) : undefined))
}
