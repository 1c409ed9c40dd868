import type { Address } from 'viem'
import { toEventSelector } from 'viem/utils'
import { feeRecipient } from '../../chain/deployments/actors.js'
import type { Log } from '../../chain/node/node.js'
import { wordAt } from '../../chain/state/multicall.js'
import type { ActionContext, ActionType } from '../model/contexts.js'
import type { SemanticEvent } from '../model/kind.js'
import { logsOf, transfersOf } from './logs.js'

/** What an action left behind: its events, and the logs of its operation. */
interface Seen {
  context: ActionContext
  events: readonly SemanticEvent[]
  logs: readonly Log[]
  wallet: Address
}

/** What only the chain can tell: amounts as decimal strings, and of what nobody has planned the tokens. */
type Amounts = Record<string, string | string[]>

const moved = (seen: Seen): Amounts => ({ amount: total(seen, 'amount') })

const collateralOf = {
  COMET_BORROW: 'comet_supply_collateral',
  COMET_REPAY: 'comet_withdraw_collateral',
}

function cometLoan(seen: Seen): Amounts {
  const { action_type, collateral_tokens } = seen.context
  const type = action_type as keyof typeof collateralOf
  return {
    amount: total(seen, 'amount', type.toLowerCase()),
    collateral_amounts: (collateral_tokens as string[]).map(() =>
      total(seen, 'amount', collateralOf[type]),
    ),
  }
}

function swap(seen: Seen): Amounts {
  const input_amount = total(seen, 'input_amount')
  return {
    amount: input_amount,
    input_amount,
    output_amount: total(seen, 'output_amount'),
    fee_amounts: (seen.context.fee_tokens as string[]).map((token) => swapFeePaid(seen, token)),
  }
}

function loop(seen: Seen): Amounts {
  const exposure_amount = total(seen, 'exposure_amount')
  const fees = transfersOf(seen.logs, seen.context.fee_token as string, { to: feeRecipient })
  return {
    amount: exposure_amount,
    exposure_amount,
    fee_amount: sum(fees.map((log) => BigInt(log.data))),
  }
}

function bridged(seen: Seen): Amounts {
  const input_amount = total(seen, 'amount')
  const output = BigInt(input_amount) - BigInt(total(seen, 'bridge_fees'))
  return { amount: input_amount, input_amount, output_amount: output.toString() }
}

function claimed(seen: Seen): Amounts {
  const amount = total(seen, 'amount')
  return { amount, amounts: [amount] }
}

const backing = (seen: Seen): Amounts => ({ amount: total(seen, 'backing_amount') })

const wrapTopics = {
  WRAP: toEventSelector('Deposit(address,uint256)'),
  UNWRAP: toEventSelector('Withdrawal(address,uint256)'),
}

/** How much was turned, from the wrapper's own log: nothing when the wallet held enough of the other form already. */
function wrapped({ context, logs, wallet }: Seen): Amounts {
  const topic = wrapTopics[context.action_type as keyof typeof wrapTopics]
  const own = logsOf(logs, context.token as string, topic).filter((log) =>
    log.topics[1]?.endsWith(wallet.slice(2).toLowerCase()),
  )
  return { amount: sum(own.map((log) => BigInt(log.data))) }
}

const observers: Partial<Record<ActionType, (seen: Seen) => Amounts>> = {
  TRANSFER: moved,
  COMET_SUPPLY: moved,
  COMET_WITHDRAW: moved,
  AAVE_SUPPLY: moved,
  AAVE_WITHDRAW: moved,
  MORPHO_VAULT_SUPPLY: moved,
  MORPHO_VAULT_WITHDRAW: moved,
  COMET_BORROW: cometLoan,
  COMET_REPAY: cometLoan,
  MORPHO_BORROW: (seen) => ({
    amount: total(seen, 'amount', 'morpho_borrow'),
    collateral_amount: total(seen, 'amount', 'morpho_supply_collateral'),
  }),
  MORPHO_REPAY: (seen) => ({
    amount: total(seen, 'amount', 'morpho_repay'),
    collateral_amount: total(seen, 'amount', 'morpho_withdraw_collateral'),
  }),
  SWAP: swap,
  WRAP: wrapped,
  UNWRAP: wrapped,
  CLAIM_REWARDS: claimed,
  LOOP_LONG: (seen) => ({
    ...loop(seen),
    max_provided_backing_amount: total(seen, 'backing_amount'),
    max_swap_backing_amount: total(seen, 'swap_input_amount'),
  }),
  UNLOOP_LONG: (seen) => ({
    ...loop(seen),
    backing_amount_to_exit: total(seen, 'backing_amount'),
    min_swap_backing_amount: total(seen, 'swap_output_amount'),
  }),
  ADD_BACKING_TOKEN: backing,
  WITHDRAW_BACKING_TOKEN: backing,
  BRIDGE: bridged,
  BRIDGE_MINT: (seen) => ({
    output_amount: total(seen, 'amount'),
    max_fee: total(seen, 'bridge_fees'),
  }),
  BRIDGE_REFUND: moved,
  INBOUND_TRANSFER: moved,
  COMET_LIQUIDATION: (seen) => ({
    repaid_tokens: each(seen, 'token', 'comet_liquidation_base_paid_out'),
    repaid_amounts: each(seen, 'amount', 'comet_liquidation_base_paid_out'),
    seized_tokens: each(seen, 'token', 'comet_liquidation_collateral_absorbed'),
    seized_amounts: each(seen, 'amount', 'comet_liquidation_collateral_absorbed'),
  }),
  MORPHO_LIQUIDATION: (seen) => ({
    repaid_tokens: each(seen, 'repaid_token'),
    repaid_amounts: each(seen, 'repaid_amount'),
    seized_tokens: each(seen, 'seized_token'),
    seized_amounts: each(seen, 'seized_amount'),
  }),
}

/**
 * What an executed action did, in the fields of its context: the same asset, network, market and prices, and for each amount
 * that was planned the one that the logs show. Of a limit (`max_…`, `min_…`) that is what came to be within it.
 */
export function observedContext(seen: Seen): ActionContext {
  const observe = observers[seen.context.action_type as ActionType]
  return { ...seen.context, ...observe?.(seen) }
}

/** The same of what happened to a wallet from outside, of which the events tell everything. */
export function outsideContext(
  context: ActionContext,
  events: readonly SemanticEvent[],
  wallet: Address,
): ActionContext {
  return observedContext({ context, events, logs: [], wallet })
}

/** The sum of a field over the events, or over those of one type. */
function total(seen: Seen, field: string, type?: string): string {
  return sum(each(seen, field, type).map(BigInt))
}

/** A field of each event, or of each of one type. */
function each({ events }: Pick<Seen, 'events'>, field: string, type?: string): string[] {
  return events
    .filter(({ event_type }) => type === undefined || event_type === type)
    .map(({ event_metadata }) => event_metadata[field] as string)
}

const swapFeeTopic = toEventSelector('SwapFeePaid(address,address,uint256)')

/** What the wallet says that it paid of the service's fee. */
function swapFeePaid({ logs, wallet }: Seen, token: string): string {
  const paid = logsOf(logs, wallet, swapFeeTopic).filter((log) =>
    log.topics[1]?.endsWith(token.slice(2)),
  )
  return sum(paid.map((log) => wordAt(log.data.slice(2), 0)))
}

function sum(amounts: readonly bigint[]): string {
  return amounts.reduce((all, amount) => all + amount, 0n).toString()
}
