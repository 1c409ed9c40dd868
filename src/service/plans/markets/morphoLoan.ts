import type { Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import type { Log } from '../../../chain/rpc/node.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import type { MorphoMarket } from '../../../deployments/protocolBook.js'
import { morphoActionsAbi } from '../../../generated/abis.js'
import { networkStateOf, priceOf } from '../assembly/resolve.js'
import { amountOrDeliverable } from '../assembly/sourcing.js'
import { maxUint256 } from '../model/amount.js'
import type { ActionContext, ContextOf } from '../model/contexts.js'
import type { Action, Draft, PlanInput } from '../model/kind.js'
import type { SemanticEvent } from '../model/semanticEvents.js'
import { amountEvent } from '../observe/logs.js'
import type { Loan } from './loan.js'
import { morphoMoves, morphoOf, nameOf, paramsOf } from './morphoMarket.js'
import { payoff, requireCollateral, requireDebt } from './payoffAmount.js'

/** Supplies the collateral and borrows; `collateralAmount` may be everything or nothing. */
export function borrowFromMorpho(input: PlanInput, loan: Loan, id: Hex): Draft {
  const { network, token, collateral, amount } = loan
  const { market } = morphoOf(input, network, id, { loan: token, collateral })
  const collateralAmount =
    loan.collateralAmount === 0n
      ? 0n
      : amountOrDeliverable(input, network, collateral, loan.collateralAmount)
  return {
    network,
    spends: collateralAmount > 0n ? [{ token: collateral, amount: collateralAmount }] : [],
    actions: [
      {
        network,
        script: input.scripts.morphoActions,
        calldata: encodeFunctionData({
          abi: morphoActionsAbi,
          functionName: 'supplyCollateralAndBorrow',
          args: [input.book.on(network).morpho.morpho, paramsOf(market), collateralAmount, amount],
        }),
        context: contextOf(input, market, { ...loan, collateralAmount }, 'MORPHO_BORROW'),
      },
    ],
  }
}

/** Repays and takes collateral out; each may be everything or nothing. */
export function repayToMorpho(input: PlanInput, loan: Loan, id: Hex): Draft {
  const { network, token, collateral } = loan
  const state = morphoOf(input, network, id, { loan: token, collateral })
  const { market, borrowed, collateral: held } = state
  const where = nameOf(market)
  const isAll = loan.amount === maxUint256
  if (loan.amount > 0n) requireDebt(state, isAll ? 'all' : loan.amount, token, where)
  const spent = isAll ? payoff(input, network, token, borrowed) : loan.amount
  const collateralAmount = loan.collateralAmount === maxUint256 ? held : loan.collateralAmount
  if (loan.collateralAmount > 0n) requireCollateral(held, collateralAmount, collateral, where)
  const done = { ...loan, amount: isAll ? borrowed : loan.amount, collateralAmount }
  const action: Action = {
    network,
    script: input.scripts.morphoActions,
    calldata: encodeFunctionData({
      abi: morphoActionsAbi,
      functionName: 'repayAndWithdrawCollateral',
      args: [input.book.on(network).morpho.morpho, paramsOf(market), loan.amount, collateralAmount],
    }),
    context: contextOf(input, market, done, 'MORPHO_REPAY'),
  }
  return { network, spends: spent > 0n ? [{ token, amount: spent }] : [], actions: [action] }
}

function contextOf(
  input: PlanInput,
  market: MorphoMarket,
  { network, token, amount, collateral, collateralAmount }: Loan,
  type: 'MORPHO_BORROW' | 'MORPHO_REPAY',
): ContextOf<'MORPHO_BORROW' | 'MORPHO_REPAY'> {
  const networkState = networkStateOf(input, network)
  const book = input.book.on(network)
  return {
    action_type: type,
    amount: amount.toString(),
    asset_symbol: token.symbol,
    chain_id: book.chainId.toString(),
    collateral_amount: collateralAmount.toString(),
    collateral_asset_symbol: collateral.symbol,
    collateral_token: collateral.address,
    collateral_token_price: priceOf(networkState, collateral).toString(),
    morpho: book.morpho.morpho,
    morpho_market_id: market.id,
    price: priceOf(networkState, token).toString(),
    token: token.address,
  }
}

type LoanEvent =
  | 'morpho_supply_collateral'
  | 'morpho_borrow'
  | 'morpho_repay'
  | 'morpho_withdraw_collateral'

/** What a loan did in its market, from the market's logs. */
export function observeMorphoLoan(
  context: ActionContext,
  logs: readonly Log[],
  book: NetworkBook,
): SemanticEvent[] {
  if (context.action_type !== 'MORPHO_BORROW' && context.action_type !== 'MORPHO_REPAY') return []
  const { morpho, morpho_market_id } = context
  const loan = { token: context.token, price: context.price }
  const collateral = { token: context.collateral_token, price: context.collateral_token_price }
  const events = <Type extends LoanEvent>(
    type: Type,
    event: Parameters<typeof morphoMoves>[3],
    { token, price }: typeof loan,
  ) =>
    morphoMoves(logs, book, morpho_market_id, event).map(({ log, amount }) => {
      const fields = { morpho, morpho_market_id, token }
      return amountEvent(type, [log], book, { amount, price }, fields)
    })
  return [
    ...events('morpho_supply_collateral', 'supplyCollateral', collateral),
    ...events('morpho_borrow', 'borrow', loan),
    ...events('morpho_repay', 'repay', loan),
    ...events('morpho_withdraw_collateral', 'withdrawCollateral', collateral),
  ]
}
