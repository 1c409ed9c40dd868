import type { Address, Hex } from 'viem'
import { toHex } from 'viem/utils'
import { realWait } from '../../time/clock.js'
import type { Log, Node, Receipt } from '../rpc/node.js'

/**
 * How far back a log is looked for. Who looks is about to send the transaction (again) that it would come from, so it is
 * among the latest blocks, and on a fork among its own: its upstream has none of ours.
 */
const searchedBlocks = 1_000

/** How often a receipt is asked for that is not known yet. Milliseconds of the machine. */
const askEveryMs = 25
const { signal: never } = new AbortController()

/** The receipt of the first recent transaction with such a log of the contract that `fits`, or undefined when there is none. */
export async function receiptOfLog(
  { rpc, fork }: Node,
  address: Address,
  topics: readonly (Hex | readonly Hex[] | null)[],
  fits: (log: Log) => boolean = () => true,
): Promise<Receipt | undefined> {
  const latest = Number(await rpc.request<Hex>('eth_blockNumber'))
  const first = fork ? fork.block + 1 : 0
  if (latest < first) return undefined
  const fromBlock = toHex(Math.max(first, latest - searchedBlocks))
  const filter = { address, topics, fromBlock, toBlock: 'latest' }
  // A log is there a moment before its receipt can be had; what was taken back meanwhile has neither.
  for (;;) {
    const logs = await rpc.request<(Log & { transactionHash: Hex })[]>('eth_getLogs', [filter])
    const log = logs.find(fits)
    if (!log) return undefined
    const { transactionHash: hash } = log
    const receipt = await rpc.request<Receipt | null>('eth_getTransactionReceipt', [hash])
    if (receipt) return receipt
    await realWait(askEveryMs, never)
  }
}
