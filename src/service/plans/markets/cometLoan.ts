import { encodeFunctionData, toEventSelector } from 'viem/utils'
import type { Log } from '../../../chain/rpc/node.js'
import type { CometState } from '../../../chain/state/networkState.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import type { Token } from '../../../deployments/token.js'
import { cometBorrowAbi, cometRepayAbi } from '../../../generated/abis.js'
import { ServiceError } from '../../../lib/errors.js'
import { cometOf, networkStateOf, priceOf } from '../assembly/resolve.js'
import { amountOrDeliverable } from '../assembly/sourcing.js'
import { maxUint256 } from '../model/amount.js'
import type { ActionContext } from '../model/contexts.js'
import type { Action, Draft, PlanInput } from '../model/kind.js'
import type { SemanticEvent } from '../model/semanticEvents.js'
import { amountEvent, logsOf } from '../observe/logs.js'
import type { Loan } from './loan.js'
import { payoff, requireCollateral, requireDebt } from './payoffAmount.js'

/** Supplies the collateral and borrows; `collateralAmount` may be everything or nothing. */
export function borrowFromComet(input: PlanInput, loan: Loan): Draft {
  const { network, token, collateral, amount } = loan
  const state = cometOf(networkStateOf(input, network), token, undefined)
  requireAccepted(state, collateral)
  requireWorthwhile(state, token, amount)
  const collateralAmount =
    loan.collateralAmount === 0n
      ? 0n
      : amountOrDeliverable(input, network, collateral, loan.collateralAmount)
  const action = actionOf(input, state, { ...loan, collateralAmount }, 'COMET_BORROW', amount)
  const spends = collateralAmount > 0n ? [{ token: collateral, amount: collateralAmount }] : []
  return { network, spends, actions: [action] }
}

/** Repays and takes collateral out; each may be everything or nothing. */
export function repayToComet(input: PlanInput, loan: Loan): Draft {
  const { network, token, collateral } = loan
  const state = cometOf(networkStateOf(input, network), token, undefined)
  const { name } = state.market
  const isAll = loan.amount === maxUint256
  if (loan.amount > 0n) requireDebt(state, isAll ? 'all' : loan.amount, token, name)
  const spent = isAll ? payoff(input, network, token, state.borrowed) : loan.amount
  const held = state.collateral[requireAccepted(state, collateral)]!
  const collateralAmount = loan.collateralAmount === maxUint256 ? held : loan.collateralAmount
  if (loan.collateralAmount > 0n) requireCollateral(held, collateralAmount, collateral, name)
  const done = { ...loan, amount: isAll ? state.borrowed : loan.amount, collateralAmount }
  const action = actionOf(input, state, done, 'COMET_REPAY', loan.amount)
  return { network, spends: spent > 0n ? [{ token, amount: spent }] : [], actions: [action] }
}

function actionOf(
  input: PlanInput,
  { market }: CometState,
  { network, token, amount, collateral, collateralAmount }: Loan,
  type: 'COMET_BORROW' | 'COMET_REPAY',
  exactAmount: bigint,
): Action {
  const networkState = networkStateOf(input, network)
  const used = collateralAmount > 0n ? [collateral] : []
  const amounts = used.map(() => collateralAmount)
  const assets = used.map(({ address }) => address)
  const args = [market.address, assets, amounts, token.address, exactAmount] as const
  const isBorrow = type === 'COMET_BORROW'
  return {
    network,
    script: isBorrow ? input.scripts.cometBorrow : input.scripts.cometRepay,
    calldata: isBorrow
      ? encodeFunctionData({ abi: cometBorrowAbi, functionName: 'run', args })
      : encodeFunctionData({ abi: cometRepayAbi, functionName: 'run', args }),
    context: {
      action_type: type,
      amount: amount.toString(),
      asset_symbol: token.symbol,
      chain_id: input.book.on(network).chainId.toString(),
      collateral_amounts: amounts.map(String),
      collateral_asset_symbols: used.map(({ symbol }) => symbol),
      collateral_token_prices: used.map((each) => priceOf(networkState, each).toString()),
      collateral_tokens: assets,
      comet: market.address,
      price: priceOf(networkState, token).toString(),
      token: token.address,
    },
  }
}

/** Where the collateral stands in the market's list, or `plan_failed`. */
function requireAccepted({ market }: CometState, { symbol }: Token): number {
  const accepted = market.collaterals.map((collateral) => collateral.symbol)
  const index = accepted.indexOf(symbol)
  if (index >= 0) return index
  throw new ServiceError(
    'plan_failed',
    `no such collateral in borrow market: ${market.name} does not take ${symbol}; it takes ${accepted.join(', ')}`,
  )
}

/** A market lends no less than its minimum; said here with the figures, which the contract's error lacks. */
function requireWorthwhile(
  { market, borrowed, supplied }: CometState,
  token: Token,
  amount: bigint,
) {
  if (supplied > 0n || borrowed + amount >= market.baseBorrowMin) return
  throw new ServiceError(
    'plan_failed',
    `borrow too small: ${market.name} lends at least ${market.baseBorrowMin} of ${token.symbol}, ${amount} was asked`,
  )
}

const topics = {
  repay: toEventSelector('Supply(address,address,uint256)'),
  borrow: toEventSelector('Withdraw(address,address,uint256)'),
  supplyCollateral: toEventSelector('SupplyCollateral(address,address,address,uint256)'),
  withdrawCollateral: toEventSelector('WithdrawCollateral(address,address,address,uint256)'),
}

type LoanEvent =
  | 'comet_supply_collateral'
  | 'comet_borrow'
  | 'comet_repay'
  | 'comet_withdraw_collateral'

/** What a loan did in its market, from the market's logs. */
export function observeCometLoan(
  context: ActionContext,
  logs: readonly Log[],
  book: NetworkBook,
): SemanticEvent[] {
  if (context.action_type !== 'COMET_BORROW' && context.action_type !== 'COMET_REPAY') return []
  const { comet, token, price } = context
  const base = { token, price }
  // One at most, and none where none is moved.
  const [collateral] = context.collateral_tokens.map((each, i) => ({
    token: each,
    price: context.collateral_token_prices[i]!,
  }))
  const events = <Type extends LoanEvent>(
    type: Type,
    topic: keyof typeof topics,
    of: typeof base | undefined,
  ) =>
    logsOf(logs, comet, topics[topic]).flatMap((log) => {
      if (!of) return []
      const worth = { amount: BigInt(log.data), price: of.price }
      return amountEvent(type, [log], book, worth, { comet, token: of.token })
    })
  return [
    ...events('comet_supply_collateral', 'supplyCollateral', collateral),
    ...events('comet_borrow', 'borrow', base),
    ...events('comet_repay', 'repay', base),
    ...events('comet_withdraw_collateral', 'withdrawCollateral', collateral),
  ]
}
