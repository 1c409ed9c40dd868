import { z } from 'zod'
import type { MorphoState } from '../../../chain/state/morphoState.js'
import { amountOrDeliverable, canDeliver } from '../assembly/sourcing.js'
import {
  type BackingIntent,
  backingExample,
  backingFields,
  backingIntent,
  moveBacking,
  observeBacking,
} from '../markets/backing.js'
import { nameOf } from '../markets/morphoMarket.js'
import { payoff, requireDebt } from '../markets/payoffAmount.js'
import { definePosition, positionOf, positionTokens, requirePosition } from '../markets/position.js'
import { maxUint256 } from '../model/amount.js'
import type { Draft, PlanInput } from '../model/kind.js'

const schema = z.object(backingFields).meta({ id: 'AddBackingIntent' })

/**
 * Makes a leveraged position safer (interface.md, `plan/add-backing`): for a long one backing repays debt, for a short one
 * it is supplied as collateral (service-facts 9.2).
 */
export const addBacking = definePosition<BackingIntent>({
  kind: 'addBacking',
  path: 'add-backing',
  summary: 'Plan to add backing to a position',
  description:
    'Builds a plan that adds backing to a position on Morpho Blue. For a long position it repays debt; for a short one it is supplied as collateral. `max` adds everything available, for a long position at most the debt.',
  schema,
  example: backingExample,
  spends: (intent) => [intent.backing_asset],

  build(intent, input) {
    const state = positionOf(intent, input, intent.is_short)
    requirePosition(state)
    return intent.is_short ? addToShort(intent, input, state) : addToLong(intent, input, state)
  },

  svcIntent: (...asked) => ({ intent_type: 'add_backing_token', intent: backingIntent(...asked) }),

  observe: observeBacking,
})

function addToShort(intent: BackingIntent, input: PlanInput, { market }: MorphoState): Draft {
  const { backing } = positionTokens(intent, input.book)
  const amount = amountOrDeliverable(input, intent.network, backing, intent.amount)
  const move = { supplyCollateral: amount }
  return moveBacking(intent, input, market, { move, amount, spent: amount })
}

function addToLong(intent: BackingIntent, input: PlanInput, state: MorphoState): Draft {
  const { backing } = positionTokens(intent, input.book)
  const { market, borrowed } = state
  const asked = intent.amount === maxUint256 ? 'all' : intent.amount
  requireDebt(state, asked, backing, nameOf(market))
  if (asked !== 'all')
    return moveBacking(intent, input, market, {
      move: { repay: asked },
      amount: asked,
      spent: asked,
    })
  const whole = payoff(input, intent.network, backing, borrowed)
  if (canDeliver(input, intent.network, backing, whole))
    return moveBacking(intent, input, market, {
      move: { repay: maxUint256 },
      amount: borrowed,
      spent: whole,
    })
  const amount = amountOrDeliverable(input, intent.network, backing, maxUint256)
  return moveBacking(intent, input, market, { move: { repay: amount }, amount, spent: amount })
}
