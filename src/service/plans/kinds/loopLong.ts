import { encodeFunctionData } from 'viem/utils'
import { z } from 'zod'
import { loopLongAbi } from '../../../generated/abis.js'
import { ServiceError } from '../../../lib/errors.js'
import { amountOrDeliverable, canDeliver, insufficient } from '../assembly/funding.js'
import { defineLoop, feeContext, loopParams, poolFeeField } from '../markets/loop.js'
import {
  positionContext,
  positionExample,
  positionFields,
  positionIntent,
  positionOf,
  positionTokens,
  requirePosition,
} from '../markets/position.js'
import { amountWithMax, anyAmount, maxUint256, smaller } from '../model/fields.js'
import type { PlanInput } from '../model/kind.js'

const schema = z
  .object({
    ...positionFields,
    is_increase: z.boolean({ error: 'must be true or false' }).meta({
      description: 'True opens a position or increases one; false adjusts an existing one.',
      example: true,
    }),
    exposure_amount: amountWithMax(
      'Exposure to reach by this plan: bought and supplied as collateral, in its smallest unit.',
      'is refused with 400 `plan_failed`: only an exact amount can be bought',
    ),
    max_swap_backing_amount: amountWithMax(
      'Maximum backing that the swap may cost.',
      'sets no limit',
    ),
    max_provided_backing_amount: anyAmount(
      'Part of the cost that the wallet pays in backing, at most `max_swap_backing_amount`; the rest is borrowed. An exact amount must be available.',
    ),
    pool_fee: poolFeeField,
  })
  .meta({ id: 'LoopLongIntent' })

type LoopLongIntent = z.infer<typeof schema>

/** 0.04 % of what is bought (service-facts 16): bought on top of the exposure, rounded down. */
function loopFee(exposureAmount: bigint): bigint {
  return (exposureAmount * 4n) / 9996n
}

/** `plan/loop-long` of interface.md. Instead of borrowing, swapping and supplying repeatedly, the script does one swap, to the same position. */
export const loopLong = defineLoop<LoopLongIntent>({
  kind: 'loopLong',
  path: 'loop-long',
  summary: 'Plan to open or increase a leveraged long position',
  description:
    'Builds a plan that buys exposure on the Uniswap V3 pool of `pool_fee`, supplies it as collateral to a Morpho Blue market, and pays with provided and borrowed backing. A cost beyond `max_swap_backing_amount`, or a loan that the market does not allow, returns `plan_failed`. The plan buys a fee of 0.04 % on top of the exposure.',
  schema,
  example: {
    ...positionExample,
    is_increase: true,
    exposure_amount: '1000000000000000000',
    max_swap_backing_amount: '3100000000',
    max_provided_backing_amount: '1500000000',
    pool_fee: 500,
    network: 'base',
  },
  spends: ({ max_provided_backing_amount: provided, backing_asset }) =>
    provided > 0n ? [backing_asset] : [],

  build(intent, input) {
    const { network } = intent
    const state = positionOf(intent, input, false)
    if (intent.exposure_amount === maxUint256)
      throw new ServiceError('plan_failed', 'Loop long does not support max exposure amount', {
        hint: 'exposure_amount must be exact: send how much is to be bought, in the smallest unit',
      })
    const fee = loopFee(intent.exposure_amount)
    requireTradable(intent.exposure_amount, fee)
    if (!intent.is_increase) requirePosition(state)
    const provided = providedAmount(intent, input)
    const params = {
      ...loopParams(intent, input, state.market, fee),
      maxSwapBackingAmount: intent.max_swap_backing_amount,
      maxProvidedBackingAmount: provided,
    }
    const { exposure, backing } = positionTokens(intent, input.book)
    const position = positionContext(intent, input)
    return {
      network,
      spends: provided > 0n ? [{ token: backing, amount: provided }] : [],
      actions: [
        {
          network,
          script: input.scripts.loopLong,
          calldata: encodeFunctionData({ abi: loopLongAbi, functionName: 'loop', args: [params] }),
          context: {
            action_type: 'LOOP_LONG',
            amount: intent.exposure_amount.toString(),
            asset_symbol: exposure.symbol,
            ...position,
            exposure_amount: intent.exposure_amount.toString(),
            ...feeContext(exposure, fee, position.exposure_token_price),
            is_increase: intent.is_increase,
            max_provided_backing_amount: provided.toString(),
            max_swap_backing_amount: intent.max_swap_backing_amount.toString(),
            swap_venue: 'UNISWAP_V3',
          },
        },
      ],
    }
  },

  svcIntent: (intent, contexts, sender) => ({
    intent_type: 'loop_long',
    intent: {
      ...positionIntent(contexts, sender),
      is_increase: intent.is_increase,
      exposure_amount: intent.exposure_amount.toString(),
      max_swap_backing_amount: intent.max_swap_backing_amount.toString(),
      max_provided_backing_amount: intent.max_provided_backing_amount.toString(),
      pool_fee: intent.pool_fee,
    },
  }),
})

/** Pools count in signed 256-bit numbers. */
const maxTraded = 2n ** 255n - 1n

function requireTradable(exposureAmount: bigint, fee: bigint): void {
  if (exposureAmount + fee <= maxTraded) return
  throw new ServiceError(
    'plan_failed',
    `exposure_amount ${exposureAmount} and the fee of ${fee} on it are together more than any pool can trade, which is 2^255-1; ask for less exposure_amount`,
  )
}

/** What the wallet pays: as asked or everything there is, and no more than the swap may cost. */
function providedAmount(intent: LoopLongIntent, input: PlanInput): bigint {
  const { network } = intent
  const { backing } = positionTokens(intent, input.book)
  const maxProvided = intent.max_provided_backing_amount
  const most = intent.max_swap_backing_amount
  const provided = smaller(amountOrDeliverable(input, network, backing, maxProvided), most)
  if (canDeliver(input, network, backing, provided)) return provided
  const bound = maxProvided <= most ? 'max_provided_backing_amount' : 'max_swap_backing_amount'
  throw insufficient(input, network, backing, provided, {
    note: `; ${bound} asks for that much of the wallet: provide less, and the rest is borrowed`,
  })
}
