import { at, holds, textAt } from '../expect.js'
import type { ProbeContext } from '../probeContext.js'
import { unitsOf } from '../testAccount.js'
import { exampleOf } from './define.js'
import { earnOf, stake, weth } from './fixtures.js'

/** A folio, as an account reads it. */
type Folio = Record<string, Record<string, unknown>>

/** All that a folio has under keys that begin like this, in the smallest unit. */
export function unitsUnder(folio: Folio, start: string): bigint {
  return Object.entries(folio.balances ?? {})
    .filter(([key]) => key.startsWith(start))
    .reduce((sum, [key, text]) => sum + unitsOf(`folio.balances.${key}`, text), 0n)
}

/** What a wallet holds itself on base, in the smallest unit. */
export const walletHas = (folio: Folio, asset: string): bigint =>
  unitsUnder(folio, `token/base/${asset}/`)

const borrowOf = (amount: string, collateral: string) => ({
  ...{ asset: 'USDC', network: 'base', protocol: 'compound', amount },
  ...{ collateral_asset: 'WETH', collateral_amount: collateral },
})

/** A loan that was taken up with a plan of the same moment left over, and of which a part was paid back. */
export function loanDone(context: ProbeContext) {
  return context.once('an executed loan', async () => {
    const user = await context.funded('debtor', weth)
    const before = await user.folio()
    const late = await user.plan('borrow', borrowOf('1000000', '10000000000000000'))
    const borrowed = await user.carryOut('borrow', borrowOf('5000000', '10000000000000000'))
    const between = await user.folio()
    const refused = await user.execute(late)
    const repaid = await user.carryOut('repay', borrowOf('2000001', '1000000000000001'))
    return { user, before, borrowed, between, refused, repaid, after: await user.folio() }
  })
}

/** A position of 0.01 WETH that was opened, and closed as a whole. */
export function loopDone(context: ProbeContext) {
  return context.once('a loop that was opened and closed', async () => {
    const user = await context.funded('looper', {
      ...{ asset: 'USDC', network: 'base', amount: 60_000_000n },
    })
    const before = await user.folio()
    const price = Number(textAt(`GET ${user.path}/folio`, before, 'prices', 'token/WETH'))
    holds(`GET ${user.path}/folio: prices.token/WETH`, price > 0, 'a price', price)
    // Of a hundredth of a WETH, in USDC.
    const cost = (part: number) => `${Math.floor(price * 10_000 * part)}`
    const opened = await user.carryOut('loop-long', {
      ...exampleOf('loop-long'),
      exposure_amount: '10000000000000000',
      max_swap_backing_amount: cost(1.05),
      max_provided_backing_amount: cost(0.5),
    })
    const between = await user.folio()
    const closed = await user.carryOut('unloop-long', {
      ...exampleOf('unloop-long'),
      min_swap_backing_amount: cost(0.9),
    })
    const after = await user.folio()
    return { user, provided: BigInt(cost(0.5)), before, opened, between, closed, after }
  })
}

/** A supply of which a part was migrated to another protocol. */
export function migrationDone(context: ProbeContext) {
  return context.once('an executed migration', async () => {
    const user = await context.funded('mover', stake)
    await user.carryOut('earn', earnOf('3000000'))
    const before = await user.folio()
    const done = await user.carryOut('migrate', {
      ...{ amount: '1000000', asset: 'USDC', network: 'base' },
      ...{ from_protocol: 'compound', to_protocol: 'aave', migrate_only_supply_balances: true },
    })
    return { user, before, done, after: await user.folio() }
  })
}

/** What was observed of the only action of an activity. */
export function observedOf(activity: unknown): unknown {
  return at(activity, 'executions', 0, 'actions', 0, 'observed_values')
}
