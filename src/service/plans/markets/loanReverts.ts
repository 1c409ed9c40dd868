import type { Revert } from '../../../chain/transactions/revert.js'

/** What a loan, or a position's backing, is changed by. */
type Change = 'borrow' | 'repay' | 'withdraw-backing'

/** What to change in the request when the market would lend too much for the collateral. */
const tooMuchDebt: Record<Change, string> = {
  borrow:
    'the collateral is worth too little for the debt; send more collateral_amount, or ask for less amount',
  repay:
    'the collateral that is left is worth too little for the debt; repay more amount, or take out less collateral_amount',
  'withdraw-backing': 'the position would owe too much for its collateral; ask for less amount',
}

/** Why a market refused a simulated change of a loan, and what would do. Undefined where its own words say it all. */
export function explainLoan({ reason }: Revert, change: Change): string | undefined {
  switch (reason.split('(')[0]) {
    // Compound's word and Morpho's.
    case 'NotCollateralized':
    case 'insufficient collateral':
      return tooMuchDebt[change]
    case 'SupplyCapExceeded':
      return 'the market takes no more than its supply cap of this collateral; send less collateral_amount'
    case 'insufficient liquidity':
      return 'the market has less than that to lend; ask for less amount'
    default:
      return undefined
  }
}
