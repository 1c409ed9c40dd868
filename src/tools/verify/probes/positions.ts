import { amountIn, at, holds, must, same } from '../expect.js'
import type { Probe } from '../probe.js'
import type { TestAccount } from '../testAccount.js'
import { chosen, probeOn, published, shown } from './define.js'
import { eventsOf } from './events.js'
import { contextWith } from './fixtures.js'
import {
  loanDone,
  loopDone,
  migrationDone,
  observedOf,
  unitsUnder,
  walletHas,
} from './positionFixtures.js'

const probe = probeOn('money')

/** Throws unless an amount is this, but for what a market rounds and what interest a minute brings. */
function nearly(where: string, seen: bigint, expected: bigint): void {
  const isSo = seen >= expected - 2n && seen <= expected + 100n
  holds(where, isSo, `${expected}, but for rounding and interest`, `${seen}`)
}

const folioOf = (user: TestAccount): string => `GET ${user.path}/folio`

/** Loans, loops and migrations that were executed. */
export const positionProbes: Probe[] = [
  probe({
    name: 'a loan brings exactly what was borrowed, and takes exactly its collateral',
    cells: ['201@borrow', '200@execute', '200@folio'],
    from: shown('Plan execution'),
    reach: 'all',
    async attempt(context) {
      const { user, before, between } = await loanDone(context)
      const where = folioOf(user)
      same(`${where}: USDC`, walletHas(between, 'USDC'), walletHas(before, 'USDC') + 5_000_000n)
      const collateral = 10_000_000_000_000_000n
      same(`${where}: WETH`, walletHas(between, 'WETH'), walletHas(before, 'WETH') - collateral)
      const locked = unitsUnder(between, 'borrow_market_collateral/comet/base/')
      same(`${where}: borrow_market_collateral`, locked, collateral)
      nearly(
        `${where}: borrow_market`,
        unitsUnder(between, 'borrow_market/comet/base/'),
        5_000_000n,
      )
    },
  }),
  probe({
    name: 'a repayment takes exactly its amount, and brings back exactly its collateral',
    cells: ['201@repay', '200@execute', '200@folio'],
    from: published('repaying a loan'),
    reach: 'all',
    async attempt(context) {
      const { user, between, after } = await loanDone(context)
      const where = folioOf(user)
      same(`${where}: USDC`, walletHas(after, 'USDC'), walletHas(between, 'USDC') - 2_000_001n)
      const collateral = 1_000_000_000_000_001n
      same(`${where}: WETH`, walletHas(after, 'WETH'), walletHas(between, 'WETH') + collateral)
      const locked = unitsUnder(after, 'borrow_market_collateral/comet/base/')
      same(`${where}: borrow_market_collateral`, locked, 10_000_000_000_000_000n - collateral)
      nearly(`${where}: borrow_market`, unitsUnder(after, 'borrow_market/comet/base/'), 2_999_999n)
    },
  }),
  probe({
    name: 'a loop pays what it is to provide, borrows the rest, and leaves its exposure in the market',
    cells: ['201@loop-long', '200@execute', '200@folio'],
    from: shown('Plan execution'),
    reach: 'all',
    async attempt(context) {
      const { user, provided, before, between, opened } = await loopDone(context)
      const where = folioOf(user)
      same(`${where}: USDC`, walletHas(between, 'USDC'), walletHas(before, 'USDC') - provided)
      const exposure = unitsUnder(between, 'borrow_market_collateral/')
      same(`${where}: borrow_market_collateral`, exposure, 10_000_000_000_000_000n)
      const observed = `GET /activities/${opened.activityId}: observed_values`
      const cost = amountIn(
        `${observed}.max_swap_backing_amount`,
        at(observedOf(opened.activity), 'max_swap_backing_amount'),
      )
      nearly(`${where}: borrow_market`, unitsUnder(between, 'borrow_market/'), cost - provided)
    },
  }),
  probe({
    name: 'the fee of a loop is 0.04 percent of what is bought, rounded down',
    cells: ['201@loop-long'],
    from: published('fee on loops'),
    reach: 'all',
    async attempt(context) {
      const { user, opened } = await loopDone(context)
      const action = contextWith(opened.plan.contexts, 'LOOP_LONG', 'fee_amount')
      const where = `POST ${user.path}/plan/loop-long: LOOP_LONG.fee_amount`
      same(where, amountIn(where, action.fee_amount), (10_000_000_000_000_000n * 4n) / 9_996n)
    },
  }),
  probe({
    name: 'a loop that is closed as a whole leaves neither debt nor exposure, and what the swap yields beyond the debt',
    cells: ['201@unloop-long', '200@execute', '200@folio'],
    from: shown('Plan execution'),
    reach: 'all',
    async attempt(context) {
      const { user, between, after, closed } = await loopDone(context)
      const where = folioOf(user)
      same(`${where}: borrow_market`, unitsUnder(after, 'borrow_market/'), 0n)
      same(`${where}: borrow_market_collateral`, unitsUnder(after, 'borrow_market_collateral/'), 0n)
      const came = walletHas(after, 'USDC') - walletHas(between, 'USDC')
      const observed = `GET /activities/${closed.activityId}: observed_values.backing_amount_to_exit`
      const exit = amountIn(observed, at(observedOf(closed.activity), 'backing_amount_to_exit'))
      same(`${where}: USDC that came is ${observed}`, came, exit)
    },
  }),
  probe({
    name: 'a migration moves exactly its amount, and leaves the wallet as it was',
    cells: ['201@migrate', '200@execute', '200@folio'],
    from: shown('Plan execution'),
    reach: 'all',
    async attempt(context) {
      const { user, before, after } = await migrationDone(context)
      const where = folioOf(user)
      same(`${where}: USDC`, walletHas(after, 'USDC'), walletHas(before, 'USDC'))
      const [from, to] = ['yield_market/comet/base/', 'yield_market/aave/base/']
      const left = unitsUnder(after, from)
      nearly(`${where}: ${from}`, left, unitsUnder(before, from) - 1_000_000n)
      nearly(`${where}: ${to}`, unitsUnder(after, to), unitsUnder(before, to) + 1_000_000n)
    },
  }),
  probe({
    name: 'a loan makes a plan of the same moment stale',
    axis: 'staleness',
    cells: ['409:plan_stale@execute'],
    from: chosen('What makes a plan stale'),
    reach: 'all',
    async attempt(context) {
      const { user, refused } = await loanDone(context)
      must(`POST ${user.path}/plan/execute`, refused, { status: 409, code: 'plan_stale' })
    },
  }),
  ...(['loan', 'loop', 'migration'] as const).map((what) =>
    probe({
      name: `a ${what} is told by events of its activity: pending, and then confirmed, once`,
      axis: 'events',
      cells: ['200@events', '200@execute'],
      from: shown('Events'),
      reach: 'all',
      async attempt(context) {
        const { user, activityIds } = await activitiesOf[what](context)
        const events = await eventsOf(user)
        for (const id of activityIds) {
          const statuses = events
            .filter((event) => at(event, 'data', 'activity_id') === id)
            .map((event) => at(event, 'data', 'activity_status'))
          const where = `GET ${user.path}/events: statuses of ${id}`
          same(`${where}: the last`, statuses.at(-1) as string, 'confirmed')
          same(where, statuses.filter((status) => status === 'confirmed').length, 1)
        }
      },
    }),
  ),
  probe({
    name: 'what a loan and its repayment have moved is observed in their activities',
    axis: 'events',
    cells: ['200@GET /activities/{activity_id}'],
    from: published('observed values'),
    reach: 'all',
    async attempt(context) {
      const { borrowed, repaid } = await loanDone(context)
      for (const [{ activity, activityId }, amount, collateral] of [
        [borrowed, '5000000', '10000000000000000'],
        [repaid, '2000001', '1000000000000001'],
      ] as const) {
        const where = `GET /activities/${activityId}: observed_values`
        const observed = observedOf(activity)
        same(`${where}.amount`, at(observed, 'amount') as string, amount)
        const amounts = at(observed, 'collateral_amounts', 0)
        same(`${where}.collateral_amounts.0`, amounts as string, collateral)
      }
    },
  }),
]

const activitiesOf = {
  loan: async (context: Parameters<typeof loanDone>[0]) => {
    const { user, borrowed, repaid } = await loanDone(context)
    return { user, activityIds: [borrowed.activityId, repaid.activityId] }
  },
  loop: async (context: Parameters<typeof loanDone>[0]) => {
    const { user, opened, closed } = await loopDone(context)
    return { user, activityIds: [opened.activityId, closed.activityId] }
  },
  migration: async (context: Parameters<typeof loanDone>[0]) => {
    const { user, done } = await migrationDone(context)
    return { user, activityIds: [done.activityId] }
  },
}
