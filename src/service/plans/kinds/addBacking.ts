import { z } from 'zod'
import type { MorphoState } from '../../../chain/state/marketReads.js'
import { amountOrDeliverable, canDeliver } from '../assembly/funding.js'
import {
  type BackingIntent,
  backingFields,
  defineBacking,
  moveBacking,
} from '../markets/backing.js'
import { payoff, requireDebt } from '../markets/loan.js'
import { nameOf } from '../markets/morphoMarket.js'
import { positionOf, positionTokens, requirePosition } from '../markets/position.js'
import { maxUint256 } from '../model/fields.js'
import type { Draft, PlanInput } from '../model/kind.js'

/** `plan/add-backing` of interface.md: repays debt of a long position, supplies collateral to a short one (service-facts 9.2). */
export const addBacking = defineBacking({
  kind: 'addBacking',
  path: 'add-backing',
  summary: 'Plan to add backing to a position',
  description:
    'Builds a plan that adds backing to a position on Morpho Blue. For a long position it repays debt; for a short one it is supplied as collateral. `max` adds everything available, for a long position at most the debt.',
  schema: z.object(backingFields).meta({ id: 'AddBackingIntent' }),
  spends: (intent) => [intent.backing_asset],

  build(intent, input) {
    const state = positionOf(intent, input, intent.is_short)
    requirePosition(state)
    return intent.is_short ? addToShort(intent, input, state) : addToLong(intent, input, state)
  },
})

function addToShort(intent: BackingIntent, input: PlanInput, { market }: MorphoState): Draft {
  const { backing } = positionTokens(intent, input.book)
  const amount = amountOrDeliverable(input, intent.network, backing, intent.amount)
  const move = { supplyCollateral: amount, borrow: 0n }
  return moveBacking(intent, input, market, { move, amount, spent: amount })
}

function addToLong(intent: BackingIntent, input: PlanInput, state: MorphoState): Draft {
  const { network, amount: requested } = intent
  const { backing } = positionTokens(intent, input.book)
  const { market, borrowed } = state
  requireDebt(state, requested, backing, nameOf(market))
  const repay = (amount: bigint, { of = amount, spent = amount } = {}): Draft =>
    moveBacking(intent, input, market, {
      move: { repay: of, withdrawCollateral: 0n },
      amount,
      spent,
    })
  if (requested !== maxUint256) return repay(requested)
  const whole = payoff(input, network, backing, borrowed)
  return canDeliver(input, network, backing, whole)
    ? repay(borrowed, { of: maxUint256, spent: whole })
    : repay(amountOrDeliverable(input, network, backing, maxUint256))
}
