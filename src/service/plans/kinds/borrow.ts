import { z } from 'zod'
import { defineLoan, hasItsMarket, loanFields, marketMissing } from '../markets/loan.js'
import { anyAmount, exactAmount } from '../model/fields.js'

const schema = z
  .object({
    amount: exactAmount('Amount to borrow, in the asset’s smallest unit.'),
    collateral_amount: anyAmount(
      'Amount of collateral to supply, in its smallest unit; `0` borrows against the collateral already in the position.',
    ),
    ...loanFields,
  })
  .refine(hasItsMarket, marketMissing)
  .meta({ id: 'BorrowIntent' })

/** Borrows against collateral (interface.md, `plan/borrow`): collateral in and asset out in one operation. */
export const borrow = defineLoan<z.infer<typeof schema>>({
  kind: 'borrow',
  path: 'borrow',
  summary: 'Plan a loan against collateral',
  description:
    'Builds a plan that supplies collateral to a market and borrows from it, in one transaction. Too little collateral returns `plan_failed`.',
  schema,
  example: { amount: '1000000000', collateral_amount: '1000000000000000000' },
  spends: ({ collateral_amount, collateral_asset }) =>
    collateral_amount > 0n ? [collateral_asset] : [],
})
