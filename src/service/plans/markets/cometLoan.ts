import { encodeFunctionData, toEventSelector } from 'viem/utils'
import type { Log } from '../../../chain/rpc/node.js'
import type { CometState } from '../../../chain/state/marketReads.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import type { Token } from '../../../deployments/token.js'
import { cometBorrowAbi, cometRepayAbi } from '../../../generated/abis.js'
import { ServiceError } from '../../../lib/errors.js'
import { cometOf, networkStateOf, priceOf } from '../assembly/resolve.js'
import type { ActionContext } from '../model/contexts.js'
import type { Action, PlanInput } from '../model/kind.js'
import type { SemanticEvent } from '../model/semanticEvents.js'
import { amountEvent, logsOf } from '../observe/logs.js'
import { isCometLoan, type Loan, type LoanChange, type LoanMarket } from './loan.js'

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
  if (!isCometLoan(context)) return []
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
