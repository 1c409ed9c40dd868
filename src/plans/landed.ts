import type { Address, Hex } from 'viem'
import { encodeEventTopics } from 'viem/utils'
import type { Deposit } from '../bridge/deposit.js'
import type { Log, Node, Receipt } from '../chain/node.js'
import { iSpokePoolAbi, iSvcWalletAbi } from '../generated/abis.js'

/**
 * How far back a transaction is looked for. What is resumed was under way when the service paused, so it is among the
 * latest blocks; the bound keeps a forked node from asking its upstream for the logs of a whole chain.
 */
const searchedBlocks = 1_000

/**
 * The receipt of the transaction in which the wallet ran the operation with this nonce, or undefined when none has landed.
 * A reverted transaction leaves the nonce unused and no trace here: nothing has moved, so it may be sent again.
 */
export function landedReceipt(
  node: Node,
  wallet: Address,
  nonce: Hex,
): Promise<Receipt | undefined> {
  const topics = encodeEventTopics({
    abi: iSvcWalletAbi,
    eventName: 'OperationExecuted',
    args: { nonce },
  })
  return receiptOfLog(node, wallet, topics as Topics)
}

/** The receipt of the deposit's fill on its destination, or undefined when nobody has filled it yet. */
export function fillReceipt(
  node: Node,
  spokePool: Address,
  { relayData }: Deposit,
): Promise<Receipt | undefined> {
  const { originChainId, depositId } = relayData
  const topics = encodeEventTopics({
    abi: iSpokePoolAbi,
    eventName: 'FilledRelay',
    args: { originChainId, depositId },
  })
  return receiptOfLog(node, spokePool, topics as Topics)
}

type Topics = (Hex | null)[]

async function receiptOfLog(
  { rpc }: Node,
  address: Address,
  topics: Topics,
): Promise<Receipt | undefined> {
  const latest = Number(await rpc.request<Hex>('eth_blockNumber'))
  const fromBlock: Hex = `0x${Math.max(0, latest - searchedBlocks).toString(16)}`
  const filter = { address, topics, fromBlock, toBlock: 'latest' }
  const [log] = await rpc.request<(Log & { transactionHash: Hex })[]>('eth_getLogs', [filter])
  return log && rpc.request<Receipt>('eth_getTransactionReceipt', [log.transactionHash])
}
