import type { Address, Hex } from 'viem'
import type { ActionContext } from '../model/contexts.js'
import { type Draft, definePlan, type PlanInput, type PlanKind } from '../model/kind.js'
import type { SvcIntent } from '../model/svcIntents.js'
import { observeCometLoan } from './cometLoan.js'
import { cometIn, type Loan, type LoanIntent, loanIntent, loanTokens } from './loan.js'
import { explainLoan } from './loanReverts.js'
import { observeMorphoLoan } from './morphoLoan.js'

type LoanBody = LoanIntent & { amount: bigint; collateral_amount: bigint }

type LoanDetails = ReturnType<typeof loanIntent>

/** What borrow and repay differ in. */
interface LoanKind<Intent>
  extends Pick<
    PlanKind<Intent>,
    'path' | 'summary' | 'description' | 'schema' | 'isExtension' | 'refusals' | 'spends'
  > {
  kind: 'borrow' | 'repay'
  /** The amounts of the example body. */
  example: { amount: string; collateral_amount: string }
  onComet(input: PlanInput, loan: Loan): Draft
  onMorpho(input: PlanInput, loan: Loan, market: Hex): Draft
  cometIntent(details: LoanDetails & { comet: string }, wallet: Address): SvcIntent
  morphoIntent(details: LoanDetails & { market_id: Hex }, wallet: Address): SvcIntent
}

/** A plan kind that changes a loan: the same body, on the same two protocols, in one operation. */
export function defineLoan<Intent extends LoanBody>({
  onComet,
  onMorpho,
  cometIntent,
  morphoIntent,
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
    errors: ['invalid_params', 'plan_failed', 'no_wallet', 'timeout'],
    reads: ['comet', 'morpho'],

    networks(intent, book) {
      loanTokens(intent, book)
      return [intent.network]
    },

    build(intent, input) {
      const loan = {
        network: intent.network,
        ...loanTokens(intent, input.book),
        amount: intent.amount,
        collateralAmount: intent.collateral_amount,
      }
      return intent.protocol === 'morpho'
        ? onMorpho(input, loan, intent.market!)
        : onComet(input, loan)
    },

    explain: (revert) => explainLoan(revert, kind.kind),

    svcIntent(intent, contexts, wallet) {
      const details = loanIntent(intent, contexts)
      return intent.protocol === 'morpho'
        ? morphoIntent({ ...details, market_id: intent.market! }, wallet)
        : cometIntent({ ...details, comet: cometIn(contexts) }, wallet)
    },

    observe: (context: ActionContext, logs, book) => [
      ...observeCometLoan(context, logs, book),
      ...observeMorphoLoan(context, logs, book),
    ],
  })
}
