import type { Address, Hex } from 'viem'
import { toEventSelector } from 'viem/utils'
import type { Log } from '../../../chain/rpc/node.js'
import { wordAt } from '../../../chain/state/multicall.js'
import { feeRecipient } from '../../../deployments/actors.js'
import type { AddressBook, NetworkBook } from '../../../deployments/addressBook.js'
import { networkOf, networks } from '../../../deployments/networks.js'
import { addressOf, depositLogsIn } from '../../bridge/deposit.js'
import type { ActionContext, ContextOf, ObservedContext } from '../model/contexts.js'
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
 * The logs of one operation, out of a transaction that may have run several: those between the wallet's log of the operation before and its
 * log of this one.
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
 * The result of an action that the planner put before the kind's own (bridge, wrap), read from the logs of its transaction. Undefined for the
 * kind's own actions.
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

/** The traces of an executed action: its events, and the logs of its operation. */
interface ActionTraces {
  context: ActionContext
  events: readonly SemanticEvent[]
  logs: readonly Log[]
  wallet: Address
}

/**
 * The context of an executed action: the same asset, network, market and prices, and for each planned amount the one in the logs. A limit
 * (`max_…`, `min_…`) becomes the amount that respected it.
 */
export function observedContext(facts: ActionTraces): ObservedContext {
  const { context } = facts
  const amount = (field = 'amount', type?: SemanticEvent['event_type']) => total(facts, field, type)
  switch (context.action_type) {
    case 'TRANSFER':
    case 'COMET_SUPPLY':
    case 'COMET_WITHDRAW':
    case 'AAVE_SUPPLY':
    case 'AAVE_WITHDRAW':
    case 'MORPHO_VAULT_SUPPLY':
    case 'MORPHO_VAULT_WITHDRAW':
    case 'BRIDGE_REFUND':
    case 'INBOUND_TRANSFER':
      return { ...context, amount: amount() }
    case 'COMET_BORROW':
    case 'COMET_REPAY': {
      const [debt, collateral] =
        context.action_type === 'COMET_BORROW'
          ? (['comet_borrow', 'comet_supply_collateral'] as const)
          : (['comet_repay', 'comet_withdraw_collateral'] as const)
      const moved = amount('amount', collateral)
      const collateral_amounts = context.collateral_tokens.map(() => moved)
      return { ...context, amount: amount('amount', debt), collateral_amounts }
    }
    case 'MORPHO_BORROW':
    case 'MORPHO_REPAY': {
      const [debt, collateral] =
        context.action_type === 'MORPHO_BORROW'
          ? (['morpho_borrow', 'morpho_supply_collateral'] as const)
          : (['morpho_repay', 'morpho_withdraw_collateral'] as const)
      const collateral_amount = amount('amount', collateral)
      return { ...context, amount: amount('amount', debt), collateral_amount }
    }
    case 'SWAP':
      return {
        ...context,
        amount: amount('input_amount'),
        input_amount: amount('input_amount'),
        output_amount: amount('output_amount'),
        fee_amounts: context.fee_tokens.map((token) => swapFeePaid(facts, token)),
      }
    case 'WRAP':
      return { ...context, amount: wrapped(facts, context.token, depositTopic) }
    case 'UNWRAP':
      return { ...context, amount: wrapped(facts, context.token, withdrawalTopic) }
    case 'CLAIM_REWARDS':
      return { ...context, amount: amount(), amounts: [amount()] }
    case 'LOOP_LONG':
      return {
        ...context,
        ...loop(facts, context),
        max_provided_backing_amount: amount('backing_amount'),
        max_swap_backing_amount: amount('swap_input_amount'),
      }
    case 'UNLOOP_LONG':
      return {
        ...context,
        ...loop(facts, context),
        backing_amount_to_exit: amount('backing_amount'),
        min_swap_backing_amount: amount('swap_output_amount'),
      }
    case 'ADD_BACKING_TOKEN':
    case 'WITHDRAW_BACKING_TOKEN':
      return { ...context, amount: amount('backing_amount') }
    case 'BRIDGE': {
      const output = BigInt(amount()) - BigInt(amount('bridge_fees'))
      return {
        ...context,
        amount: amount(),
        input_amount: amount(),
        output_amount: output.toString(),
      }
    }
    case 'BRIDGE_MINT':
      return { ...context, output_amount: amount(), max_fee: amount('bridge_fees') }
    case 'COMET_LIQUIDATION':
    case 'MORPHO_LIQUIDATION':
      return { ...context, ...lossOf(facts) }
  }
}

function loop(facts: ActionTraces, { fee_token }: ContextOf<'LOOP_LONG' | 'UNLOOP_LONG'>) {
  const exposure_amount = total(facts, 'exposure_amount')
  const fees = transfersOf(facts.logs, fee_token, { to: feeRecipient })
  return {
    amount: exposure_amount,
    exposure_amount,
    fee_amount: sum(fees.map((log) => BigInt(log.data))),
  }
}

const depositTopic = toEventSelector('Deposit(address,uint256)')
const withdrawalTopic = toEventSelector('Withdrawal(address,uint256)')

/** How much was turned, from the wrapper's own log: nothing when the wallet held enough of the other form already. */
function wrapped({ logs, wallet }: ActionTraces, token: Address, topic: Hex): string {
  const own = logsOf(logs, token, topic).filter((log) =>
    log.topics[1]?.endsWith(wallet.slice(2).toLowerCase()),
  )
  return sum(own.map((log) => BigInt(log.data)))
}

/** What a liquidation took, of which nothing was planned. */
function lossOf({ events, context }: ActionTraces) {
  if (context.action_type === 'MORPHO_LIQUIDATION') {
    const taken = events
      .filter((event) => event.event_type === 'morpho_liquidation')
      .map((event) => event.event_metadata)
    return {
      repaid_tokens: taken.map((each) => each.repaid_token),
      repaid_amounts: taken.map((each) => each.repaid_amount),
      seized_tokens: taken.map((each) => each.seized_token),
      seized_amounts: taken.map((each) => each.seized_amount),
    }
  }
  const repaid = events.filter((event) => event.event_type === 'comet_liquidation_base_paid_out')
  const seized = events.filter(
    (event) => event.event_type === 'comet_liquidation_collateral_absorbed',
  )
  return {
    repaid_tokens: repaid.map((each) => each.event_metadata.token),
    repaid_amounts: repaid.map((each) => each.event_metadata.amount),
    seized_tokens: seized.map((each) => each.event_metadata.token),
    seized_amounts: seized.map((each) => each.event_metadata.amount),
  }
}

function total(
  { events }: ActionTraces,
  field: string,
  type?: SemanticEvent['event_type'],
): string {
  const amounts = events
    .filter(({ event_type }) => type === undefined || event_type === type)
    .map(({ event_metadata }): Record<string, string | boolean> => event_metadata)
  return sum(amounts.map((amount) => BigInt(amount[field]!)))
}

const swapFeeTopic = toEventSelector('SwapFeePaid(address,address,uint256)')

/** What the wallet says that it paid of the service's fee. */
function swapFeePaid({ logs, wallet }: ActionTraces, token: string): string {
  const paid = logsOf(logs, wallet, swapFeeTopic).filter((log) =>
    log.topics[1]?.endsWith(token.slice(2)),
  )
  return sum(paid.map((log) => wordOf(log, 0)))
}

function sum(amounts: readonly bigint[]): string {
  return amounts.reduce((all, amount) => all + amount, 0n).toString()
}
