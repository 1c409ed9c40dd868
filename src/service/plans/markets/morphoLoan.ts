import type { Hex } from 'viem'
import type { Log } from '../../../chain/rpc/node.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import { networkStateOf, priceOf } from '../assembly/resolve.js'
import type { ActionContext } from '../model/contexts.js'
import type { PlanInput } from '../model/kind.js'
import type { SemanticEvent } from '../model/semanticEvents.js'
import { amountEvent } from '../observe/logs.js'
import { isMorphoLoan, type Loan, type LoanChange, type LoanMarket } from './loan.js'
import { morphoCall, morphoMoves, morphoOf, nameOf } from './morphoMarket.js'

/** The Morpho Blue market of this id, or `plan_failed`. */
export function morphoLoan(
  input: PlanInput,
  { network, token, collateral }: Loan,
  change: LoanChange,
  id: Hex,
): LoanMarket {
  const state = morphoOf(input, network, id, { loan: token, collateral })
  const { market } = state
  const book = input.book.on(network)
  const networkState = networkStateOf(input, network)
  return {
    name: nameOf(market),
    debt: state,
    held: () => state.collateral,
    action: ({ amount, collateralAmount }, exactAmount) => ({
      ...morphoCall(
        input,
        network,
        market,
        change === 'borrow'
          ? { supplyCollateral: collateralAmount, borrow: exactAmount }
          : { repay: exactAmount, withdrawCollateral: collateralAmount },
      ),
      context: {
        action_type: change === 'borrow' ? 'MORPHO_BORROW' : 'MORPHO_REPAY',
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
      },
    }),
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
  if (!isMorphoLoan(context)) return []
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
