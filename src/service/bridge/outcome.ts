import type { Hex } from 'viem'
import { encodeEventTopics, toEventSelector, toHex } from 'viem/utils'
import type { Log, Nodes, Receipt } from '../../chain/rpc/node.js'
import { wordAt } from '../../chain/state/multicall.js'
import { receiptOfLog } from '../../chain/transactions/pool.js'
import type { AddressBook } from '../../deployments/addressBook.js'
import { iSpokePoolAbi, tokenAbi } from '../../generated/abis.js'
import { addressOf, type Deposit } from './deposit.js'

const filledTopic = toEventSelector(
  iSpokePoolAbi.find((item) => item.type === 'event' && item.name === 'FilledRelay')!,
)

/** First topics of fills' logs, the older pools' name included; both begin with the tokens and the amounts. */
const filledTopics: readonly Hex[] = [
  filledTopic,
  toEventSelector(
    'FilledV3Relay(address,address,uint256,uint256,uint256,uint256,uint32,uint32,uint32,address,address,address,address,bytes,(address,bytes,uint256,uint8))',
  ),
]

interface Where {
  nodes: Nodes
  book: AddressBook
}

/**
 * The receipt of the deposit's fill on its destination, or undefined while there is none. A fill with the same number may belong to a removed
 * deposit: after a reorganisation its number is used again.
 */
export function fillReceipt(
  { nodes, book }: Where,
  deposit: Deposit,
): Promise<Receipt | undefined> {
  const topics = [filledTopics, ...filledIds(deposit)]
  const pool = book.on(deposit.to).spokePool
  return receiptOfLog(nodes.get(deposit.to), pool, topics, (log) => fills(log, deposit))
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

/** The log of the transaction that fills such a deposit, under whatever number. */
export function fillLog(
  { book }: Pick<Where, 'book'>,
  { logs }: Receipt,
  deposit: Deposit,
): Log | undefined {
  const { spokePool } = book.on(deposit.to)
  const [origin, id] = filledIds(deposit)
  const alike = logs.filter(
    (log) =>
      log.address.toLowerCase() === spokePool &&
      filledTopics.includes(log.topics[0]!) &&
      log.topics[1] === origin &&
      fills(log, deposit),
  )
  return alike.find(({ topics }) => topics[2] === id) ?? alike[0]
}

/**
 * The payout of a fill, in the output token's smallest unit, and its log. `isNative` when the pool has unwrapped it: then no transfer of the
 * token to the recipient follows the fill's log.
 */
export function arrival(
  where: Pick<Where, 'book'>,
  fill: Receipt,
  deposit: Deposit,
): { amount: bigint; log: Log; isNative: boolean } {
  const log = fillLog(where, fill, deposit)
  if (!log)
    throw new Error(
      `transaction ${fill.transactionHash} fills no deposit like ${deposit.relayData.depositId}`,
    )
  return { amount: wordAt(log.data.slice(2), 3), log, isNative: !paysInToken(fill, log, deposit) }
}

/** Whether the output token itself was transferred to the recipient. A transaction may hold several fills. */
function paysInToken({ logs }: Receipt, log: Log, { relayData }: Deposit): boolean {
  const behind = logs.slice(logs.indexOf(log) + 1)
  const next = behind.findIndex(({ topics }) => filledTopics.includes(topics[0]!))
  const [transfer, , to] = encodeEventTopics({
    abi: tokenAbi,
    eventName: 'Transfer',
    args: { to: addressOf(relayData.recipient) },
  })
  return behind
    .slice(0, next < 0 ? undefined : next)
    .some(
      ({ address, topics }) =>
        address.toLowerCase() === addressOf(relayData.outputToken).toLowerCase() &&
        topics[0] === transfer &&
        topics[2] === to,
    )
}

/** Whether a fill's log repeats what the deposit asked for. What it pays out may be less, and whom it repays is the relayer's matter. */
function fills(log: Log, { relayData }: Deposit): boolean {
  const said = [0, 1, 2, 5, 6, 7, 8, 9].map((index) => wordAt(log.data.slice(2), index))
  const expected = [
    relayData.inputToken,
    relayData.outputToken,
    relayData.inputAmount,
    relayData.fillDeadline,
    relayData.exclusivityDeadline,
    relayData.exclusiveRelayer,
    relayData.depositor,
    relayData.recipient,
  ]
  return said.every((word, i) => word === BigInt(expected[i]!))
}

/** What a fill's log names the deposit by: its network and its number. */
function filledIds({ relayData: { originChainId, depositId } }: Deposit): [Hex, Hex] {
  return [toHex(originChainId, { size: 32 }), toHex(depositId, { size: 32 })]
}

/**
 * The refund to the depositor, in the input token's smallest unit, and its log: the pool's own, or the token's where the pool was made to pay
 * (on a fork).
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
  const topics = encodeEventTopics({
    abi: iSpokePoolAbi,
    eventName: 'DepositRefunded',
    args: { depositId },
  })
  const paid = encodeEventTopics({
    abi: tokenAbi,
    eventName: 'Transfer',
    args: { from: spokePool, to: addressOf(depositor) },
  })
  const log = by(spokePool, topics as Topics) ?? by(addressOf(inputToken), paid as Topics)
  if (!log) throw new Error(`transaction ${refund.transactionHash} refunds no deposit ${depositId}`)
  return { amount: BigInt(log.data), log }
}

type Topics = (Hex | null)[]
