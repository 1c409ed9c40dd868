import { z } from 'zod'
import {
  type BackingIntent,
  backingExample,
  backingFields,
  backingIntent,
  moveBacking,
  observeBacking,
} from '../markets/backing.js'
import { explainLoan } from '../markets/loanReverts.js'
import { nameOf } from '../markets/morphoMarket.js'
import { requireCollateral } from '../markets/payoffAmount.js'
import { definePosition, positionOf, positionTokens, requirePosition } from '../markets/position.js'
import { maxUint256 } from '../model/amount.js'

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
export const withdrawBacking = definePosition<BackingIntent>({
  kind: 'withdrawBacking',
  path: 'withdraw-backing',
  summary: 'Plan to withdraw backing from a position',
  description:
    'Builds a plan that takes backing out of a position on Morpho Blue. A long position borrows more; a short one withdraws collateral (`max`: all of it). This raises the risk of liquidation. More than the market allows returns `plan_failed`.',
  schema,
  example: backingExample,
  isExtension: true,

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

  svcIntent: (...asked) => ({
    intent_type: 'withdraw_backing_token',
    intent: backingIntent(...asked),
  }),

  observe: observeBacking,
})
