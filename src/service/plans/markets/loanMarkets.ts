import type { Hex } from 'viem'
import { encodeFunctionData, toEventSelector } from 'viem/utils'
import type { Log } from '../../../chain/rpc/node.js'
import type { CometState } from '../../../chain/state/marketReads.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import type { NetworkName, Token } from '../../../deployments/networks.js'
import { cometBorrowAbi, cometRepayAbi } from '../../../generated/abis.js'
import { ServiceError } from '../../../lib/errors.js'
import { cometOf, networkStateOf, priceOf } from '../assembly/resolve.js'
import type { ActionContext } from '../model/contexts.js'
import type { Action, PlanInput } from '../model/kind.js'
import type { SemanticEvent } from '../model/semanticEvents.js'
import { amountEvent, logsOf } from '../observe/logs.js'
import { morphoCall, morphoMoves, morphoOf, nameOf } from './morphoMarket.js'

/** Predicates, as TypeScript finds: the rest of a plan only brings the funds. */
export const isCometLoan = (context: ActionContext) =>
  context.action_type === 'COMET_BORROW' || context.action_type === 'COMET_REPAY'
const isMorphoLoan = (context: ActionContext) =>
  context.action_type === 'MORPHO_BORROW' || context.action_type === 'MORPHO_REPAY'
export const isLoan = (context: ActionContext) => isCometLoan(context) || isMorphoLoan(context)

export type LoanChange = 'borrow' | 'repay'

/** A loan to take or pay back, in smallest units. */
export interface Loan {
  network: NetworkName
  token: Token
  /** Borrowed or repaid; for the context of a whole repayment the debt of the moment. */
  amount: bigint
  collateral: Token
  collateralAmount: bigint
}

/** A lending market, with the wallet's position in it: one protocol per file. */
export interface LoanMarket {
  /** For messages. */
  name: string
  /** What the wallet owes, and how much of that something under way is going to repay. */
  debt: { borrowed: bigint; promised?: bigint }
  /** How much of the collateral is in the position. Throws `plan_failed` when the market does not take that asset. */
  held(): bigint
  /** Throws `plan_failed` when the market does not lend that much against that collateral. */
  requireLoan?(): void
  /** The operation. `amount` is what its call borrows or repays, 2^256-1 for the whole debt; `loan` is what its context says. */
  action(loan: Loan, amount: bigint): Action
}

/** The Comet market whose base asset the loan is in, or `plan_failed`. */
export function cometLoan(
  input: PlanInput,
  { network, token, collateral, amount }: Loan,
  change: LoanChange,
): LoanMarket {
  const state = cometOf(networkStateOf(input, network), token, undefined)
  return {
    name: state.market.name,
    debt: state,
    held: () => state.collateral[requireAccepted(state, collateral)]!,
    requireLoan() {
      requireAccepted(state, collateral)
      requireWorthwhile(state, token, amount)
    },
    action: (done, exactAmount) => actionOf(input, state, done, change, exactAmount),
  }
}

function actionOf(
  input: PlanInput,
  { market }: CometState,
  { network, token, amount, collateral, collateralAmount }: Loan,
  change: LoanChange,
  exactAmount: bigint,
): Action {
  const networkState = networkStateOf(input, network)
  const used = collateralAmount > 0n ? [collateral] : []
  const amounts = used.map(() => collateralAmount)
  const assets = used.map(({ address }) => address)
  const args = [market.address, assets, amounts, token.address, exactAmount] as const
  const isBorrow = change === 'borrow'
  return {
    network,
    script: isBorrow ? input.scripts.cometBorrow : input.scripts.cometRepay,
    calldata: isBorrow
      ? encodeFunctionData({ abi: cometBorrowAbi, functionName: 'run', args })
      : encodeFunctionData({ abi: cometRepayAbi, functionName: 'run', args }),
    context: {
      action_type: isBorrow ? 'COMET_BORROW' : 'COMET_REPAY',
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

type CometLoanEvent =
  | 'comet_supply_collateral'
  | 'comet_borrow'
  | 'comet_repay'
  | 'comet_withdraw_collateral'

export function observeCometLoan(
  context: ActionContext,
  logs: readonly Log[],
  book: NetworkBook,
): SemanticEvent[] {
  if (!isCometLoan(context)) return []
  const { comet, token, price } = context
  const base = { token, price }
  // One at most, and none where none is moved.
  const [collateral] = context.collateral_tokens.map((collateralToken, i) => ({
    token: collateralToken,
    price: context.collateral_token_prices[i]!,
  }))
  const events = <Type extends CometLoanEvent>(
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

type MorphoLoanEvent =
  | 'morpho_supply_collateral'
  | 'morpho_borrow'
  | 'morpho_repay'
  | 'morpho_withdraw_collateral'

export function observeMorphoLoan(
  context: ActionContext,
  logs: readonly Log[],
  book: NetworkBook,
): SemanticEvent[] {
  if (!isMorphoLoan(context)) return []
  const { morpho, morpho_market_id } = context
  const loan = { token: context.token, price: context.price }
  const collateral = { token: context.collateral_token, price: context.collateral_token_price }
  const events = <Type extends MorphoLoanEvent>(
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
