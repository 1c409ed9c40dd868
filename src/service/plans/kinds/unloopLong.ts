import { encodeFunctionData } from 'viem/utils'
import { z } from 'zod'
import { unloopLongAbi } from '../../../generated/abis.js'
import { ServiceError } from '../../../lib/errors.js'
import { requireCollateral, requireDebt } from '../markets/loan.js'
import { defineLoop, feeContext, loopParams, poolFeeField } from '../markets/loop.js'
import { nameOf } from '../markets/morphoMarket.js'
import {
  positionContext,
  positionExample,
  positionFields,
  positionIntent,
  positionOf,
  positionTokens,
  requirePosition,
} from '../markets/position.js'
import { amountOrMax, amountOrZero, anyAmount, maxUint256 } from '../model/fields.js'

const schema = z
  .object({
    ...positionFields,
    exposure_amount: amountOrMax(
      'Exposure to close, in its smallest unit; no more than the position holds.',
    ),
    backing_amount_to_exit: anyAmount(
      'Part of the swap’s proceeds that the wallet keeps instead of repaying debt. Must be 0 when the whole position is closed: the wallet then gets the rest after the debt is repaid.',
    ),
    min_swap_backing_amount: amountOrZero(
      'Minimum backing that the swap must yield; the transaction reverts if it yields less.',
    ),
    pool_fee: poolFeeField,
  })
  .meta({ id: 'UnloopLongIntent' })

/** The service's fee on unloops, 0.04 % of the least the swap must yield (service-facts 16), rounded down. */
function unloopFee(minSwapBackingAmount: bigint): bigint {
  return (minSwapBackingAmount * 4n) / 10_000n
}

/**
 * `plan/unloop-long` of interface.md. Instead of withdrawing, swapping and repaying repeatedly, the script does one swap, to the same
 * position.
 */
export const unloopLong = defineLoop<z.infer<typeof schema>>({
  kind: 'unloopLong',
  path: 'unloop-long',
  summary: 'Plan to reduce or close a leveraged long position',
  description:
    'Builds a plan that sells exposure on the Uniswap V3 pool of `pool_fee` and repays the loan on Morpho Blue with the proceeds. `max` closes the position. A fee of 0.04 % of `min_swap_backing_amount` is paid out of the backing.',
  schema,
  example: {
    ...positionExample,
    exposure_amount: 'max',
    backing_amount_to_exit: '0',
    min_swap_backing_amount: '2900000000',
    pool_fee: 500,
    network: 'base',
  },

  build(intent, input) {
    const { network } = intent
    const state = positionOf(intent, input, false)
    const isClose = intent.exposure_amount === maxUint256
    if (isClose && intent.backing_amount_to_exit > 0n)
      throw new ServiceError(
        'plan_failed',
        'Invalid unloop long: when exposureAmount is max (full unloop), backingAmountToExit must be 0',
        {
          hint: 'closing a whole position leaves the rest after the debt in the wallet: send backing_amount_to_exit "0", or an exact exposure_amount',
        },
      )
    requirePosition(state)
    const { exposure, backing } = positionTokens(intent, input.book)
    if (isClose && state.promised) requireDebt(state, maxUint256, backing, nameOf(state.market))
    const exposureAmount = isClose ? state.collateral : intent.exposure_amount
    requireCollateral(state.collateral, exposureAmount, exposure, nameOf(state.market))
    const fee = unloopFee(intent.min_swap_backing_amount)
    const params = {
      ...loopParams(intent, input, state.market, fee),
      backingAmountToExit: intent.backing_amount_to_exit,
      minSwapBackingAmount: intent.min_swap_backing_amount,
    }
    const position = positionContext(intent, input)
    return {
      network,
      spends: [],
      actions: [
        {
          network,
          script: input.scripts.unloopLong,
          calldata: encodeFunctionData({
            abi: unloopLongAbi,
            functionName: 'unloop',
            args: [params],
          }),
          context: {
            action_type: 'UNLOOP_LONG',
            amount: exposureAmount.toString(),
            asset_symbol: exposure.symbol,
            ...position,
            backing_amount_to_exit: intent.backing_amount_to_exit.toString(),
            exposure_amount: exposureAmount.toString(),
            ...feeContext(backing, fee, position.backing_token_price),
            min_swap_backing_amount: intent.min_swap_backing_amount.toString(),
            swap_venue: 'UNISWAP_V3',
          },
        },
      ],
    }
  },

  svcIntent: (intent, contexts, sender) => ({
    intent_type: 'unloop_long',
    intent: {
      ...positionIntent(contexts, sender),
      exposure_amount: intent.exposure_amount.toString(),
      backing_amount_to_exit: intent.backing_amount_to_exit.toString(),
      min_swap_backing_amount: intent.min_swap_backing_amount.toString(),
      pool_fee: intent.pool_fee,
    },
  }),
})
