import type { Address, Hex } from 'viem'
import { toHex } from 'viem/utils'
import type { Log, Node, Receipt } from './node.js'

/**
 * How far back a log is looked for. Who looks is about to send the transaction (again) that it would come from, so it is
 * among the latest blocks; the bound keeps a forked node from asking its upstream for the logs of a whole chain.
 */
const searchedBlocks = 1_000

/** The receipt of the first recent transaction with such a log of the contract, or undefined when there is none. */
export async function receiptOfLog(
  { rpc }: Node,
  address: Address,
  topics: readonly (Hex | readonly Hex[] | null)[],
): Promise<Receipt | undefined> {
  const latest = Number(await rpc.request<Hex>('eth_blockNumber'))
  const fromBlock = toHex(Math.max(0, latest - searchedBlocks))
  const filter = { address, topics, fromBlock, toBlock: 'latest' }
  const [log] = await rpc.request<(Log & { transactionHash: Hex })[]>('eth_getLogs', [filter])
  return log && rpc.request<Receipt>('eth_getTransactionReceipt', [log.transactionHash])
}
