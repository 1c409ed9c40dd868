import { toEventSelector } from 'viem/utils'
import { z } from 'zod'
import type { Log } from '../../../chain/rpc/node.js'
import type { Revert } from '../../../chain/transactions/revert.js'
import { feeRecipient } from '../../../deployments/actors.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import type { Token } from '../../../deployments/networks.js'
import type { MorphoMarket } from '../../../deployments/protocolBook.js'
import type { ActionContext } from '../model/contexts.js'
import { maxUint256 } from '../model/fields.js'
import type { PlanInput, PlanKind } from '../model/kind.js'
import type { SemanticEvent } from '../model/semanticEvents.js'
import { dollarValue, indexOf, wordOf } from '../observe/logs.js'
import { morphoMoves, paramsOf } from './morphoMarket.js'
import {
  definePosition,
  type PositionIntent,
  type PositionKind,
  positionTokens,
} from './position.js'

const poolFeeError =
  'must be a pool fee in hundredths of a basis point, for example 500, 3000 or 10000'

export const poolFeeField = z
  .int({ error: poolFeeError })
  .min(1, { error: poolFeeError })
  .max(999_999, { error: poolFeeError })
  .meta({
    description:
      'Fee tier of the Uniswap V3 pool in hundredths of a basis point: 500 is 0.05 %, 3000 is 0.3 %, 10000 is 1 %.',
    example: 500,
  })

/** A plan kind that trades the exposure of a long position on a Uniswap V3 pool. */
export function defineLoop<Intent extends PositionIntent & LoopRequest>(
  kind: Omit<PositionKind<Intent>, 'explain' | 'observe'>,
): PlanKind {
  return definePosition<Intent>({
    ...kind,
    explain: (revert, intent, book) => explainLoop(revert, intent, positionTokens(intent, book)),
    observe: observeLoop,
  })
}

/** What the scripts of both take besides their bounds. */
export function loopParams(
  { network, pool_fee, exposure_amount }: PositionIntent & LoopRequest,
  input: PlanInput,
  market: MorphoMarket,
  feeAmount: bigint,
) {
  const { morpho, uniswap } = input.book.on(network)
  return {
    morpho: morpho.morpho,
    market: paramsOf(market),
    factory: uniswap.factory,
    poolFee: pool_fee,
    exposureAmount: exposure_amount,
    feeAmount,
    feeRecipient,
  }
}

export function feeContext(token: Token, amount: bigint, price: string) {
  return {
    fee_amount: amount.toString(),
    fee_asset_symbol: token.symbol,
    fee_token: token.address,
    fee_token_price: price,
  }
}

const swapTopic = toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24)')

/** The event of a loop or an unloop, with the swap read from the pool's own log; none when there was no swap. */
function observeLoop(
  context: ActionContext,
  logs: readonly Log[],
  book: NetworkBook,
): SemanticEvent[] {
  const isLoop = context.action_type === 'LOOP_LONG'
  if (!isLoop && context.action_type !== 'UNLOOP_LONG') return []
  const { borrow_market_id, swap_venue, borrow_venue } = context
  const exposure = { token: context.exposure_token, price: context.exposure_token_price }
  const backing = { token: context.backing_token, price: context.backing_token_price }
  const [input, output] = isLoop ? [backing, exposure] : [exposure, backing]
  const value = ({ token, price }: typeof input, amount: bigint): string =>
    dollarValue(book, token, amount, price)
  const moved = (event: Parameters<typeof morphoMoves>[3]): bigint =>
    morphoMoves(logs, book, borrow_market_id, event).reduce((sum, { amount }) => sum + amount, 0n)
  return logs
    .filter((log) => log.topics[0] === swapTopic)
    .map((log) => {
      const { sold, bought } = tradedIn(log)
      // What the position gained or lost, and what the wallet paid or got besides the loan.
      const [exposureAmount, backingAmount] = isLoop
        ? [moved('supplyCollateral'), sold - moved('borrow')]
        : [moved('withdrawCollateral'), bought - BigInt(context.fee_amount) - moved('repay')]
      return {
        event_type: isLoop ? 'loop_long' : 'unloop_long',
        log_indices: [indexOf(log)],
        event_metadata: {
          borrow_market_id,
          backing_token: backing.token,
          backing_amount: backingAmount.toString(),
          backing_dollar_value: value(backing, backingAmount),
          exposure_token: exposure.token,
          exposure_amount: exposureAmount.toString(),
          exposure_dollar_value: value(exposure, exposureAmount),
          swap_input_token: input.token,
          swap_input_amount: sold.toString(),
          swap_input_dollar_value: value(input, sold),
          swap_output_token: output.token,
          swap_output_amount: bought.toString(),
          swap_output_dollar_value: value(output, bought),
          swap_venue,
          borrow_venue,
        },
      }
    })
}

/** The pool counts what it takes above zero and what it gives below. */
function tradedIn(log: Log): { sold: bigint; bought: bigint } {
  const [a, b] = [0, 1].map((word) => BigInt.asIntN(256, wordOf(log, word)))
  return a! > 0n ? { sold: a!, bought: -b! } : { sold: b!, bought: -a! }
}

/** What a loop or an unloop asked for, as far as a revert can be about it. */
interface LoopRequest {
  exposure_amount: bigint
  pool_fee: number
  max_provided_backing_amount?: bigint
  backing_amount_to_exit?: bigint
}

/** Which bound of a request a simulated loop has broken: by how much, and what would do. Undefined for any other revert. */
function explainLoop(
  { reason, values }: Revert,
  request: LoopRequest,
  { exposure, backing }: { exposure: Token; backing: Token },
): string | undefined {
  const [actual, bound] = values ?? []
  switch (reason.split('(')[0]) {
    case 'NoPool':
      return `there is no Uniswap V3 pool of ${exposure.symbol} and ${backing.symbol} with pool_fee ${request.pool_fee}; usual ones are 500, 3000 and 10000`
    case 'SwapCostTooHigh':
      return `the swap costs ${actual} of ${backing.symbol}, more than max_swap_backing_amount ${bound}; raise that, or ask for less exposure_amount`
    case 'SwapYieldTooLow':
      return `the swap yields ${actual} of ${backing.symbol}, less than min_swap_backing_amount ${bound}; lower that, or close more exposure_amount`
    case 'NotEnoughLiquidity':
      return `of ${bound} of ${exposure.symbol}, the pool of pool_fee ${request.pool_fee} can trade ${actual}; ask for less exposure_amount, or use another pool_fee`
    case 'ExitAboveProceeds':
      return `backing_amount_to_exit ${actual} is more than the ${bound} of ${backing.symbol} that the swap yields after the fee; lower that, or close more exposure_amount`
    case 'ProceedsBelowDebt':
      return `the swap yields ${actual} of ${backing.symbol} after the fee, less than the debt of ${bound}; add backing first, or close less exposure_amount`
    case 'insufficient collateral':
      return unsafe(request)
    default:
      return undefined
  }
}

function unsafe(request: LoopRequest): string {
  if (request.backing_amount_to_exit !== undefined)
    return `with backing_amount_to_exit ${amountOf(request.backing_amount_to_exit)} too much debt stays for the collateral that is left; lower that, or close less exposure_amount`
  return `with max_provided_backing_amount ${amountOf(request.max_provided_backing_amount!)} more would have to be borrowed than the market lends for the collateral; raise that, or ask for less exposure_amount`
}

function amountOf(amount: bigint): string {
  return amount === maxUint256 ? 'max' : amount.toString()
}
