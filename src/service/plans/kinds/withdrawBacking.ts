import { z } from 'zod'
import { backingFields, defineBacking, moveBacking } from '../markets/backing.js'
import { explainLoan, requireCollateral } from '../markets/loan.js'
import { nameOf } from '../markets/morphoMarket.js'
import { positionOf, positionTokens, requirePosition } from '../markets/position.js'
import { maxUint256 } from '../model/fields.js'

const schema = z
  .object(backingFields)
  .refine((body) => body.is_short || body.amount !== maxUint256, {
    error:
      'cannot be everything for a long position, since what is withdrawn there is borrowed; name the amount',
    path: ['amount'],
  })
  .meta({ id: 'WithdrawBackingIntent' })

/**
 * Service-facts 9.2; interface.md only mentions it. Takes backing out of a long position by borrowing more, out of a short one by withdrawing
 * collateral.
 */
export const withdrawBacking = defineBacking({
  kind: 'withdrawBacking',
  path: 'withdraw-backing',
  summary: 'Plan to withdraw backing from a position',
  description:
    'Builds a plan that takes backing out of a position on Morpho Blue. A long position borrows more; a short one withdraws collateral (`max`: all of it). This raises the risk of liquidation. More than the market allows returns `plan_failed`.',
  schema,
  isExtension: true,

  build(intent, input) {
    const state = positionOf(intent, input, intent.is_short)
    const { market, collateral } = state
    requirePosition(state)
    const amount = intent.amount === maxUint256 ? collateral : intent.amount
    if (intent.is_short) {
      const { backing } = positionTokens(intent, input.book)
      requireCollateral(collateral, amount, backing, nameOf(market))
    }
    const move = intent.is_short
      ? { repay: 0n, withdrawCollateral: amount }
      : { supplyCollateral: 0n, borrow: amount }
    return moveBacking(intent, input, market, { move, amount, spent: 0n })
  },

  explain: (revert) => explainLoan(revert, 'withdraw-backing'),
})
