import type { Address, Hex } from 'viem'
import type { NetworkBook } from '../../deployments/addressBook.js'
import type { ReadNode } from '../transactions/follow.js'

const latestAnswer = '0x50d25bcd'

/** The present answer of the token's feed, in USD with 8 decimals. */
export async function feedPrice(
  node: ReadNode,
  networkBook: NetworkBook,
  token: Address,
): Promise<bigint> {
  const { feed } = networkBook.tokens.find(({ address }) => address === token)!
  return BigInt(
    await node.rpc.request<Hex>('eth_call', [{ to: feed, data: latestAnswer }, 'latest']),
  )
}
