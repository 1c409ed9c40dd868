import type { Revert } from '../../../chain/transactions/revert.js'
import type { Token } from '../../../deployments/token.js'
import { maxUint256 } from '../model/amount.js'

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
