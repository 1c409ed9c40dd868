import { z } from 'zod'
import { borrowFromComet, observeCometLoan } from '../markets/cometLoan.js'
import {
  cometIn,
  hasItsMarket,
  loanFields,
  loanIntent,
  loanTokens,
  marketMissing,
} from '../markets/loan.js'
import { explainLoan } from '../markets/loanReverts.js'
import { borrowFromMorpho, observeMorphoLoan } from '../markets/morphoLoan.js'
import { anyAmount, exactAmount } from '../model/amount.js'
import { definePlan } from '../model/kind.js'

const schema = z
  .object({
    amount: exactAmount('Amount to borrow, in the asset’s smallest unit.'),
    collateral_amount: anyAmount(
      'Amount of collateral to supply, in its smallest unit; `0` borrows against what the position holds already.',
    ),
    ...loanFields,
  })
  .refine(hasItsMarket, marketMissing)
  .meta({ id: 'BorrowIntent' })

/** Borrows against collateral (interface.md, `plan/borrow`): collateral in and asset out in one operation. */
export const borrow = definePlan<z.infer<typeof schema>>({
  kind: 'borrow',
  path: 'borrow',
  summary: 'Plan a loan against collateral',
  description:
    'Builds a plan that supplies collateral to a market and borrows from it, in one transaction. Too little collateral is `plan_failed`.',
  schema,
  example: {
    amount: '1000000000',
    asset: 'USDC',
    collateral_amount: '1000000000000000000',
    collateral_asset: 'WETH',
    network: 'base',
    protocol: 'compound',
  },
  errors: ['invalid_params', 'plan_failed', 'no_wallet', 'timeout'],
  refusals: {
    plan_failed: 'insufficient resources of WETH on base: target 1000000000000000000, max 0',
  },
  reads: ['comet', 'morpho'],
  spends: ({ collateral_amount, collateral_asset }) =>
    collateral_amount > 0n ? [collateral_asset] : [],

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
      ? borrowFromMorpho(input, loan, intent.market!)
      : borrowFromComet(input, loan)
  },

  explain: (revert) => explainLoan(revert, 'borrow'),

  svcIntent: (intent, contexts, borrower) =>
    intent.protocol === 'morpho'
      ? {
          intent_type: 'morpho_borrow',
          intent: { ...loanIntent(intent, contexts), market_id: intent.market!, borrower },
        }
      : {
          intent_type: 'comet_borrow',
          intent: { ...loanIntent(intent, contexts), comet: cometIn(contexts), borrower },
        },

  observe: (context, logs, book) =>
    context.action_type === 'MORPHO_BORROW'
      ? observeMorphoLoan(context, logs, book)
      : observeCometLoan(context, logs, book),
})
