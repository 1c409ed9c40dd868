import type { Hex } from 'viem'
import { encodeEventTopics } from 'viem/utils'
import type { AddressBook } from '../chain/addressBook.js'
import { receiptOfLog } from '../chain/findLog.js'
import type { Nodes, Receipt } from '../chain/node.js'
import { iSpokePoolAbi } from '../generated/abis.js'
import type { Deposit } from './deposit.js'

interface Where {
  nodes: Nodes
  book: AddressBook
}

/** The receipt of the deposit's fill on its destination, or undefined when nobody has filled it yet. */
export function fillReceipt(
  { nodes, book }: Where,
  deposit: Deposit,
): Promise<Receipt | undefined> {
  const { originChainId, depositId } = deposit.relayData
  const topics = encodeEventTopics({
    abi: iSpokePoolAbi,
    eventName: 'FilledRelay',
    args: { originChainId, depositId },
  })
  return receiptOfLog(nodes.get(deposit.to), book.on(deposit.to).spokePool, topics as Topics)
}

/** The receipt of the deposit's refund on its origin, or undefined when it has not been refunded yet. */
export function refundReceipt(
  { nodes, book }: Where,
  deposit: Deposit,
): Promise<Receipt | undefined> {
  const { depositId } = deposit.relayData
  const topics = encodeEventTopics({
    abi: iSpokePoolAbi,
    eventName: 'DepositRefunded',
    args: { depositId },
  })
  return receiptOfLog(nodes.get(deposit.from), book.on(deposit.from).spokePool, topics as Topics)
}

type Topics = (Hex | null)[]
