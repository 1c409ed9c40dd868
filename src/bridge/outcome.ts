import type { Hex } from 'viem'
import { decodeEventLog, encodeEventTopics } from 'viem/utils'
import type { AddressBook } from '../chain/deployments/addressBook.js'
import { receiptOfLog } from '../chain/node/findLog.js'
import type { Log, Nodes, Receipt } from '../chain/node/node.js'
import { iSpokePoolAbi, tokenAbi } from '../generated/abis.js'
import { addressOf, type Deposit } from './deposit.js'

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

/** What a fill has paid out for the deposit, in the output token's smallest unit, and its log. */
export function arrival(
  { book }: Pick<Where, 'book'>,
  fill: Receipt,
  deposit: Deposit,
): { amount: bigint; log: Log } {
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
  return { amount: args.outputAmount, log }
}

/**
 * What a refund has sent back to the depositor, in the input token's smallest unit, and its log: the pool's
 * own, or the token's where the pool was made to pay (on a fork).
 */
export function refunded(
  { book }: Pick<Where, 'book'>,
  refund: Receipt,
  { from, relayData }: Deposit,
): { amount: bigint; log: Log } {
  const { spokePool } = book.on(from)
  const { depositId, depositor, inputToken } = relayData
  const by = (address: string, topics: Topics): Log | undefined =>
    refund.logs.find(
      (log) =>
        log.address.toLowerCase() === address &&
        topics.every((topic, i) => topic === null || log.topics[i] === topic),
    )
  const told = encodeEventTopics({
    abi: iSpokePoolAbi,
    eventName: 'DepositRefunded',
    args: { depositId },
  })
  const paid = encodeEventTopics({
    abi: tokenAbi,
    eventName: 'Transfer',
    args: { from: spokePool, to: addressOf(depositor) },
  })
  const log = by(spokePool, told as Topics) ?? by(addressOf(inputToken), paid as Topics)
  if (!log) throw new Error(`transaction ${refund.transactionHash} refunds no deposit ${depositId}`)
  return { amount: BigInt(log.data), log }
}

type Topics = (Hex | null)[]
