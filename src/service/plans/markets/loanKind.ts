import type { Address } from 'viem'
import { amountOrDeliverable } from '../assembly/sourcing.js'
import { maxUint256 } from '../model/amount.js'
import type { ActionContext } from '../model/contexts.js'
import { type Draft, definePlan, type PlanInput, type PlanKind } from '../model/kind.js'
import type { SvcIntent } from '../model/svcIntents.js'
import { cometLoan, observeCometLoan } from './cometLoan.js'
import {
  isCometLoan,
  isLoan,
  type Loan,
  type LoanChange,
  type LoanIntent,
  type LoanMarket,
  loanTokens,
} from './loan.js'
import { explainLoan } from './loanReverts.js'
import { morphoLoan, observeMorphoLoan } from './morphoLoan.js'
import { payoff, requireCollateral, requireDebt } from './payoffAmount.js'

type LoanBody = LoanIntent & { amount: bigint; collateral_amount: bigint }

/** What borrow and repay differ in. */
interface LoanKind<Intent>
  extends Pick<
    PlanKind<Intent>,
    'path' | 'summary' | 'description' | 'schema' | 'isExtension' | 'refusals' | 'spends'
  > {
  kind: LoanChange
  /** The amounts of the example body. */
  example: { amount: string; collateral_amount: string }
}

/** A plan kind that changes a loan: the same body, on the same two protocols, in one operation. */
export function defineLoan<Intent extends LoanBody>({
  example: { amount, collateral_amount },
  ...kind
}: LoanKind<Intent>): PlanKind {
  return definePlan<Intent>({
    ...kind,
    example: {
      amount,
      asset: 'USDC',
      collateral_amount,
      collateral_asset: 'WETH',
      network: 'base',
      protocol: 'compound',
    },
    reads: ['comet', 'morpho'],
    assets: loanTokens,

    build(intent, input) {
      const loan = {
        network: intent.network,
        ...loanTokens(intent, input.book),
        amount: intent.amount,
        collateralAmount: intent.collateral_amount,
      }
      const market =
        intent.protocol === 'morpho'
          ? morphoLoan(input, loan, kind.kind, intent.market!)
          : cometLoan(input, loan, kind.kind)
      return kind.kind === 'borrow' ? taken(input, loan, market) : repaid(input, loan, market)
    },

    explain: (revert) => explainLoan(revert, kind.kind),
    svcIntent: (intent, contexts, wallet) => loanIntent(kind.kind, intent, contexts, wallet),

    observe: (context, logs, book) => [
      ...observeCometLoan(context, logs, book),
      ...observeMorphoLoan(context, logs, book),
    ],
  })
}

/** Supplies the collateral and borrows; `collateralAmount` may be everything or nothing. */
function taken(input: PlanInput, loan: Loan, market: LoanMarket): Draft {
  const { network, collateral, amount } = loan
  market.requireLoan?.()
  const collateralAmount =
    loan.collateralAmount === 0n
      ? 0n
      : amountOrDeliverable(input, network, collateral, loan.collateralAmount)
  return {
    network,
    spends: collateralAmount > 0n ? [{ token: collateral, amount: collateralAmount }] : [],
    actions: [market.action({ ...loan, collateralAmount }, amount)],
  }
}

/** Repays and takes collateral out; each may be everything or nothing. */
function repaid(input: PlanInput, loan: Loan, market: LoanMarket): Draft {
  const { network, token, collateral, amount } = loan
  const { name, debt } = market
  const isAll = amount === maxUint256
  if (amount > 0n) requireDebt(debt, amount, token, name)
  const spent = isAll ? payoff(input, network, token, debt.borrowed) : amount
  const held = market.held()
  const collateralAmount = loan.collateralAmount === maxUint256 ? held : loan.collateralAmount
  if (loan.collateralAmount > 0n) requireCollateral(held, collateralAmount, collateral, name)
  const done = { ...loan, amount: isAll ? debt.borrowed : amount, collateralAmount }
  return {
    network,
    spends: spent > 0n ? [{ token, amount: spent }] : [],
    actions: [market.action(done, amount)],
  }
}

/** What `svc_intent` says of either kind: the amounts as they were asked for, 2^256-1 for everything. */
function loanIntent(
  change: LoanChange,
  intent: LoanBody,
  contexts: readonly ActionContext[],
  wallet: Address,
): SvcIntent {
  const { chain_id, asset_symbol, token } = contexts.find(isLoan)!
  const details = {
    chain_id: Number(chain_id),
    asset_symbol,
    token,
    amount: intent.amount.toString(),
    collateral_asset_symbol: intent.collateral_asset,
    collateral_amount: intent.collateral_amount.toString(),
  }
  const who = change === 'borrow' ? { borrower: wallet } : { repayer: wallet }
  const [protocol, where] =
    intent.protocol === 'morpho'
      ? (['morpho', { market_id: intent.market! }] as const)
      : (['comet', { comet: contexts.find(isCometLoan)!.comet }] as const)
  return {
    intent_type: `${protocol}_${change}`,
    intent: { ...details, ...where, ...who },
  } as SvcIntent
}
