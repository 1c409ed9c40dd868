import type { Hex } from 'viem'
import { decodeEventLog, encodeEventTopics } from 'viem/utils'
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

/** What a fill has paid out for the deposit, in the output token's smallest unit. */
export function arrivedAmount(
  { book }: Pick<Where, 'book'>,
  fill: Receipt,
  deposit: Deposit,
): bigint {
  const { spokePool } = book.on(deposit.to)
  const { originChainId, depositId } = deposit.relayData
  const [, origin, id] = encodeEventTopics({
    abi: iSpokePoolAbi,
    eventName: 'FilledRelay',
    args: { originChainId, depositId },
  })
  const log = fill.logs.find(
    ({ address, topics }) =>
      address.toLowerCase() === spokePool && topics[1] === origin && topics[2] === id,
  )
  if (!log) throw new Error(`transaction ${fill.transactionHash} fills no deposit ${depositId}`)
  const { args } = decodeEventLog({
    abi: iSpokePoolAbi,
    eventName: 'FilledRelay',
    topics: log.topics as [Hex, ...Hex[]],
    data: log.data,
  })
  return args.outputAmount
}

type Topics = (Hex | null)[]
