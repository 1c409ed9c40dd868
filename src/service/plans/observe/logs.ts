import type { Hex } from 'viem'
import { toEventSelector } from 'viem/utils'
import type { Log } from '../../../chain/rpc/node.js'
import { wordAt } from '../../../chain/state/multicall.js'
import type { AddressBook, NetworkBook } from '../../../deployments/addressBook.js'
import { networkOf, networks } from '../../../deployments/networks.js'
import { addressOf, depositLogsIn } from '../../bridge/deposit.js'
import type { ActionContext } from '../model/contexts.js'
import type { SemanticEvent } from '../model/semanticEvents.js'

export const transferTopic = toEventSelector('Transfer(address,address,uint256)')

export function logsOf(logs: readonly Log[], address: string, topic: Hex): Log[] {
  return logs.filter(
    (log) => log.address.toLowerCase() === address.toLowerCase() && log.topics[0] === topic,
  )
}

/** The wallet's event of an operation that it has run. */
export const executedTopic = toEventSelector(
  'OperationExecuted(address,address,bytes32,bytes32,bool)',
)

/** Whether the wallet says in these logs that it has run the operation with this nonce. */
export function hasRun(logs: readonly Log[], wallet: string, nonce: Hex): boolean {
  return logsOf(logs, wallet, executedTopic).some((log) => log.topics[3] === nonce)
}

/**
 * The logs of one operation out of those of its transaction, which may have run several: what stands between the wallet's word
 * that the one before has run and its word that this one has.
 */
export function logsOfOperation(logs: readonly Log[], wallet: string, nonce: Hex): Log[] {
  const ends = logsOf(logs, wallet, executedTopic)
  const at = ends.findIndex((log) => log.topics[3] === nonce)
  if (at < 0) return []
  const after = at === 0 ? -1 : logs.indexOf(ends[at - 1]!)
  return logs.slice(after + 1, logs.indexOf(ends[at]!))
}

/** ERC-20 transfers of a token between two accounts; either may be left open. */
export function transfersOf(
  logs: readonly Log[],
  token: string,
  ends: { from?: string; to?: string },
): Log[] {
  const matches = (topic: Hex | undefined, account: string | undefined): boolean =>
    account === undefined || addressOf(topic ?? '0x') === account.toLowerCase()
  return logsOf(logs, token, transferTopic).filter(
    (log) => matches(log.topics[1], ends.from) && matches(log.topics[2], ends.to),
  )
}

export function wordOf({ data }: Log, index: number): bigint {
  return wordAt(data.slice(2), index)
}

/** The number of a log within its block, as activities list it. */
export function indexOf(log: Log): number {
  return Number(log.logIndex)
}

/** USD with 8 decimals, rounded down: amount x price / 10^decimals. */
export function dollarValue(
  book: NetworkBook,
  token: string,
  amount: bigint,
  price: string,
): string {
  const decimals = book.tokens.find((t) => t.address === token)?.decimals ?? 18
  return ((amount * BigInt(price)) / 10n ** BigInt(decimals)).toString()
}

/** An event about one token amount, in the shape that most of them have (service-facts 12.2). */
export function amountEvent<Type extends SemanticEvent['event_type'], Of extends { token: string }>(
  eventType: Type,
  logs: readonly Log[],
  book: NetworkBook,
  { amount, price }: { amount: bigint; price: string },
  fields: Of,
) {
  return {
    event_type: eventType,
    log_indices: logs.map(indexOf),
    event_metadata: {
      ...fields,
      amount: amount.toString(),
      dollar_value: dollarValue(book, fields.token, amount, price),
    },
  }
}

/**
 * What the actions did that the planner put before a kind's own (bridges, wraps), read from the logs of their transaction.
 * Undefined for an action that belongs to the kind.
 */
export function observeFunding(
  context: ActionContext,
  logs: readonly Log[],
  book: AddressBook,
): SemanticEvent[] | undefined {
  if (context.action_type === 'WRAP' || context.action_type === 'UNWRAP') return []
  if (context.action_type !== 'BRIDGE') return undefined
  const from = networks.find(({ chainId }) => String(chainId) === context.chain_id)!.name
  return depositLogsIn(logs, from, book)
    .filter(({ deposit }) => deposit.relayData.inputAmount.toString() === context.input_amount)
    .map(({ deposit, log }) => {
      const { inputAmount, outputAmount, depositId } = deposit.relayData
      const { token, price } = context
      const dollars = (amount: bigint): string => dollarValue(book.on(from), token, amount, price)
      return {
        event_type: 'bridge_send',
        log_indices: [indexOf(log)],
        event_metadata: {
          token,
          amount: inputAmount.toString(),
          dollar_value: dollars(inputAmount),
          src_chain: networkOf(from).chainId.toString(),
          dst_chain: networkOf(deposit.to).chainId.toString(),
          bridge_fees: (inputAmount - outputAmount).toString(),
          bridge_fees_dollar_value: dollars(inputAmount - outputAmount),
          bridge: 'ACROSS',
          deposit_id: depositId.toString(),
        },
      }
    })
}
