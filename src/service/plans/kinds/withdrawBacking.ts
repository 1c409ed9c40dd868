import { z } from 'zod'
import {
  type BackingIntent,
  backingExample,
  backingFields,
  moveBacking,
  observeBacking,
} from '../markets/backing.js'
import { explainLoan } from '../markets/loanReverts.js'
import { nameOf } from '../markets/morphoMarket.js'
import { requireCollateral } from '../markets/payoffAmount.js'
import { positionIntent, positionOf, positionTokens, requirePosition } from '../markets/position.js'
import { maxUint256 } from '../model/amount.js'
import { definePlan } from '../model/kind.js'

const schema = z
  .object(backingFields)
  .refine((body) => body.is_short || body.amount !== maxUint256, {
    error:
      'cannot be everything for a long position, since what is withdrawn there is borrowed; name the amount',
    path: ['amount'],
  })
  .meta({ id: 'WithdrawBackingIntent' })

/**
 * Takes backing out of a leveraged position (service-facts 9.2; interface.md only alludes to it): from a long one by borrowing
 * more, from a short one by withdrawing collateral.
 */
export const withdrawBacking = definePlan<BackingIntent>({
  kind: 'withdrawBacking',
  path: 'withdraw-backing',
  summary: 'Plan to withdraw backing from a position',
  description:
    'Builds a plan that takes backing out of a position on Morpho Blue: of a long position more is borrowed, of a short one collateral is withdrawn (`max`: all of it). Raises the risk of liquidation; beyond what the market allows it is `plan_failed`.',
  schema,
  example: backingExample,
  isExtension: true,
  errors: ['invalid_params', 'plan_failed', 'no_wallet', 'timeout'],
  refusals: {
    plan_failed:
      'position not found: the wallet has neither collateral nor debt in the WETH/USDC 86% market 0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda',
  },
  reads: ['morpho'],

  networks(intent, book) {
    positionTokens(intent, book)
    return [intent.network]
  },

  build(intent, input) {
    const state = positionOf(intent, input, intent.is_short)
    const { market, collateral } = state
    requirePosition(state)
    if (!intent.is_short)
      return moveBacking(intent, input, market, {
        move: { borrow: intent.amount },
        amount: intent.amount,
        spent: 0n,
      })
    const amount = intent.amount === maxUint256 ? collateral : intent.amount
    const { backing } = positionTokens(intent, input.book)
    requireCollateral(collateral, amount, backing, nameOf(market))
    const move = { withdrawCollateral: amount }
    return moveBacking(intent, input, market, { move, amount, spent: 0n })
  },

  explain: (revert) => explainLoan(revert, 'withdraw-backing'),

  svcIntent: (intent, contexts, sender) => ({
    intent_type: 'withdraw_backing_token',
    intent: {
      ...positionIntent(contexts, sender),
      amount: intent.amount.toString(),
      is_short: intent.is_short,
    },
  }),

  observe: observeBacking,
})
