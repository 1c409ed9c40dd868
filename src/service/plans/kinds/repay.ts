import { z } from 'zod'
import { defineLoan, hasItsMarket, loanFields, marketMissing } from '../markets/loan.js'
import { anyAmount } from '../model/fields.js'

const schema = z
  .object({
    amount: anyAmount(
      'Amount to repay, in the asset’s smallest unit; `0` only takes collateral out.',
    ),
    collateral_amount: anyAmount(
      'Amount of collateral to take out, in its smallest unit; `0` only repays.',
    ),
    ...loanFields,
  })
  .refine(hasItsMarket, marketMissing)
  .refine((body) => body.amount > 0n || body.collateral_amount > 0n, {
    error: 'must not be 0 together with collateral_amount: there would be nothing to do',
    path: ['amount'],
  })
  .meta({ id: 'RepayIntent' })

/** Repays a loan and takes collateral out, in one operation (service-facts 9.2; interface.md does not show it). */
export const repay = defineLoan<z.infer<typeof schema>>({
  kind: 'repay',
  path: 'repay',
  summary: 'Plan the repayment of a loan',
  description:
    'Builds a plan that repays debt and takes collateral out of a market, in one transaction. `max` as amount repays the whole debt, including interest up to execution.',
  schema,
  example: { amount: 'max', collateral_amount: '1000000000000000000' },
  isExtension: true,
  spends: ({ amount, asset }) => (amount > 0n ? [asset] : []),
})
