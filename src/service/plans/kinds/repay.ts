import { z } from 'zod'
import { observeCometLoan, repayToComet } from '../markets/cometLoan.js'
import {
  cometIn,
  hasItsMarket,
  loanFields,
  loanIntent,
  loanTokens,
  marketMissing,
} from '../markets/loan.js'
import { explainLoan } from '../markets/loanReverts.js'
import { observeMorphoLoan, repayToMorpho } from '../markets/morphoLoan.js'
import { anyAmount } from '../model/amount.js'
import { definePlan } from '../model/kind.js'

const schema = z
  .object({
    amount: anyAmount(
      'Amount to repay, in the asset’s smallest unit; `0` only takes collateral out.',
    ),
    collateral_amount: anyAmount(
      'Amount of collateral to take out, in its smallest unit; `0` only repays.',
    ),
    ...loanFields,
  })
  .refine(hasItsMarket, marketMissing)
  .refine((body) => body.amount > 0n || body.collateral_amount > 0n, {
    error: 'must not be 0 together with collateral_amount: there would be nothing to do',
    path: ['amount'],
  })
  .meta({ id: 'RepayIntent' })

/** Repays a loan and takes collateral out, in one operation (service-facts 9.2; interface.md does not show it). */
export const repay = definePlan<z.infer<typeof schema>>({
  kind: 'repay',
  path: 'repay',
  summary: 'Plan the repayment of a loan',
  description:
    'Builds a plan that repays debt and takes collateral out of a market, in one transaction. Amount `max` repays the whole debt with the interest of the moment of execution.',
  schema,
  example: {
    amount: 'max',
    asset: 'USDC',
    collateral_amount: '1000000000000000000',
    collateral_asset: 'WETH',
    network: 'base',
    protocol: 'compound',
  },
  isExtension: true,
  errors: ['invalid_params', 'plan_failed', 'no_wallet', 'timeout'],
  refusals: {
    plan_failed: 'route not found: the wallet owes no USDC to Compound USDC',
  },
  reads: ['comet', 'morpho'],
  spends: ({ amount, asset }) => (amount > 0n ? [asset] : []),

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
      ? repayToMorpho(input, loan, intent.market!)
      : repayToComet(input, loan)
  },

  explain: (revert) => explainLoan(revert, 'repay'),

  svcIntent: (intent, contexts, repayer) =>
    intent.protocol === 'morpho'
      ? {
          intent_type: 'morpho_repay',
          intent: { ...loanIntent(intent, contexts), market_id: intent.market!, repayer },
        }
      : {
          intent_type: 'comet_repay',
          intent: { ...loanIntent(intent, contexts), comet: cometIn(contexts), repayer },
        },

  observe: (context, logs, book) =>
    context.action_type === 'MORPHO_REPAY'
      ? observeMorphoLoan(context, logs, book)
      : observeCometLoan(context, logs, book),
})
