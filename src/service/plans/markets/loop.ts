import { toEventSelector } from 'viem/utils'
import { z } from 'zod'
import type { Log } from '../../../chain/rpc/node.js'
import { wordAt } from '../../../chain/state/multicall.js'
import type { Revert } from '../../../chain/transactions/revert.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import type { Token } from '../../../deployments/token.js'
import { maxUint256 } from '../model/amount.js'
import type { ContextOf } from '../model/contexts.js'
import type { SemanticEvent } from '../model/semanticEvents.js'
import { dollarValue, indexOf } from '../observe/logs.js'

/** What loop-long and unloop-long have in common. */
const poolFeeError =
  'must be a pool fee in hundredths of a basis point, for example 500, 3000 or 10000'

/** The fee tier of the Uniswap V3 pool. */
export const poolFeeField = z
  .int({ error: poolFeeError })
  .min(1, { error: poolFeeError })
  .max(999_999, { error: poolFeeError })
  .meta({
    description:
      'Fee tier of the Uniswap V3 pool in hundredths of a basis point: 500 is 0.05 %, 3000 is 0.3 %, 10000 is 1 %.',
    example: 500,
  })

/** The fields of a context about the service's fee. */
export function feeContext(token: Token, amount: bigint, price: string) {
  return {
    fee_amount: amount.toString(),
    fee_asset_symbol: token.symbol,
    fee_token: token.address,
    fee_token_price: price,
  }
}

const swapTopic = toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24)')

/** What the pool took and what it gave, in smallest units. */
interface Traded {
  sold: bigint
  bought: bigint
}

/** The event of a loop, with the swap read from the pool's own log; none when there was no swap. */
export function loopEvent(
  context: ContextOf<'LOOP_LONG' | 'UNLOOP_LONG'>,
  logs: readonly Log[],
  book: NetworkBook,
  amountsOf: (traded: Traded) => { exposure: bigint; backing: bigint },
): SemanticEvent[] {
  const isLoop = context.action_type === 'LOOP_LONG'
  const exposureToken = { token: context.exposure_token, price: context.exposure_token_price }
  const backingToken = { token: context.backing_token, price: context.backing_token_price }
  const [input, output] = isLoop ? [backingToken, exposureToken] : [exposureToken, backingToken]
  const value = ({ token, price }: typeof input, amount: bigint): string =>
    dollarValue(book, token, amount, price)
  return logs
    .filter((log) => log.topics[0] === swapTopic)
    .map((log) => {
      const traded = tradedIn(log)
      const { exposure, backing } = amountsOf(traded)
      return {
        event_type: isLoop ? 'loop_long' : 'unloop_long',
        log_indices: [indexOf(log)],
        event_metadata: {
          borrow_market_id: context.borrow_market_id,
          backing_token: backingToken.token,
          backing_amount: backing.toString(),
          backing_dollar_value: value(backingToken, backing),
          exposure_token: exposureToken.token,
          exposure_amount: exposure.toString(),
          exposure_dollar_value: value(exposureToken, exposure),
          swap_input_token: input.token,
          swap_input_amount: traded.sold.toString(),
          swap_input_dollar_value: value(input, traded.sold),
          swap_output_token: output.token,
          swap_output_amount: traded.bought.toString(),
          swap_output_dollar_value: value(output, traded.bought),
          swap_venue: context.swap_venue,
          borrow_venue: context.borrow_venue,
        },
      }
    })
}

/** The pool counts what it takes above zero and what it gives below. */
function tradedIn(log: Log): Traded {
  const [a, b] = [0, 1].map((word) => BigInt.asIntN(256, wordAt(log.data.slice(2), word)))
  return a! > 0n ? { sold: a!, bought: -b! } : { sold: b!, bought: -a! }
}

/** What a loop or an unloop asked for, as far as a revert can be about it. */
export interface LoopAsked {
  exposure_amount: bigint
  pool_fee: number
  max_provided_backing_amount?: bigint
  backing_amount_to_exit?: bigint
}

/** Which bound of a request a simulated loop has broken: by how much, and what would do. Undefined for any other revert. */
export function explainLoop(
  { reason, values }: Revert,
  asked: LoopAsked,
  { exposure, backing }: { exposure: Token; backing: Token },
): string | undefined {
  const [one, other] = values ?? []
  switch (reason.split('(')[0]) {
    case 'NoPool':
      return `there is no Uniswap V3 pool of ${exposure.symbol} and ${backing.symbol} with pool_fee ${asked.pool_fee}; usual ones are 500, 3000 and 10000`
    case 'SwapCostTooHigh':
      return `the swap costs ${one} of ${backing.symbol}, more than max_swap_backing_amount ${other}; raise that, or ask for less exposure_amount`
    case 'SwapYieldTooLow':
      return `the swap yields ${one} of ${backing.symbol}, less than min_swap_backing_amount ${other}; lower that, or close more exposure_amount`
    case 'NotEnoughLiquidity':
      return `of ${other} of ${exposure.symbol}, the pool of pool_fee ${asked.pool_fee} can trade ${one}; ask for less exposure_amount, or use another pool_fee`
    case 'ExitAboveProceeds':
      return `backing_amount_to_exit ${one} is more than the ${other} of ${backing.symbol} that the swap yields after the fee; lower that, or close more exposure_amount`
    case 'ProceedsBelowDebt':
      return `the swap yields ${one} of ${backing.symbol} after the fee, less than the debt of ${other}; add backing first, or close less exposure_amount`
    case 'insufficient collateral':
      return unsafe(asked)
    default:
      return undefined
  }
}

/** What the market would lend too much for. */
function unsafe(asked: LoopAsked): string {
  if (asked.backing_amount_to_exit !== undefined)
    return `with backing_amount_to_exit ${amountOf(asked.backing_amount_to_exit)} too much debt stays for the collateral that is left; lower that, or close less exposure_amount`
  return `with max_provided_backing_amount ${amountOf(asked.max_provided_backing_amount!)} more would have to be borrowed than the market lends for the collateral; raise that, or ask for less exposure_amount`
}

function amountOf(amount: bigint): string {
  return amount === maxUint256 ? 'max' : amount.toString()
}
