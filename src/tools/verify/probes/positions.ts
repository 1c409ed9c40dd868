import { must, Seen } from '../expect.js'
import type { Probe } from '../probe.js'
import type { ProbeContext } from '../probeContext.js'
import { statusesOf } from '../testAccount.js'
import { chosen, probesFor, probesOn, published, refusals, shown } from './define.js'
import {
  type DoneChange,
  loanDone,
  loopDone,
  migrationDone,
  nearly,
  observedOf,
} from './fixtures.js'

const collateral = 'borrow_market_collateral/comet/base/'
const debt = 'borrow_market/comet/base/'

/** The executed plans of each kind of position. */
const changes: Record<string, (context: ProbeContext) => Promise<DoneChange[]>> = {
  loan: async (context) => {
    const { borrowed, repaid } = await loanDone(context)
    return [borrowed, repaid]
  },
  loop: async (context) => {
    const { opened, closed } = await loopDone(context)
    return [opened, closed]
  },
  migration: async (context) => [await migrationDone(context)],
}

/** Loans, loops and migrations that were executed. */
export const positionProbes: Probe[] = probesOn('money', {
  'a loan brings exactly what was borrowed, and takes exactly its collateral': {
    from: shown('Plan execution', '201@borrow', '200@execute', '200@folio'),
    all: async (context) => {
      const { before, after } = (await loanDone(context)).borrowed
      after.has('USDC').is(before.has('USDC').value + 5_000_000n)
      after.has('WETH').is(before.has('WETH').value - 10_000_000_000_000_000n)
      after.under(collateral).is(10_000_000_000_000_000n)
      nearly(after.under(debt), 5_000_000n)
    },
  },
  'a repayment takes exactly its amount, and brings back exactly its collateral': {
    from: published('repaying a loan', '201@repay', '200@execute', '200@folio'),
    all: async (context) => {
      const { before, after } = (await loanDone(context)).repaid
      after.has('USDC').is(before.has('USDC').value - 2_000_001n)
      after.has('WETH').is(before.has('WETH').value + 1_000_000_000_000_001n)
      after.under(collateral).is(10_000_000_000_000_000n - 1_000_000_000_000_001n)
      nearly(after.under(debt), 2_999_999n)
    },
  },
  'a loop pays what it is to provide, borrows the rest, and leaves its exposure in the market': {
    from: shown('Plan execution', '201@loop-long', '200@execute', '200@folio'),
    all: async (context) => {
      const { provided, opened } = await loopDone(context)
      const { before, after, activity } = opened
      after.has('USDC').is(before.has('USDC').value - provided)
      after.under('borrow_market_collateral/').is(10_000_000_000_000_000n)
      const cost = observedOf(activity).at('max_swap_backing_amount').amount().value
      nearly(after.under('borrow_market/'), cost - provided)
    },
  },
  'the fee of a loop is 0.04 percent of what is bought, rounded down': {
    from: published('fee on loops', '201@loop-long'),
    all: async (context) => {
      const { plan } = (await loopDone(context)).opened
      const fee = plan.actionWith('LOOP_LONG', 'fee_amount').at('fee_amount').amount()
      fee.is((10_000_000_000_000_000n * 4n) / 9_996n)
    },
  },
  'a loop that is closed as a whole leaves neither debt nor exposure, and what the swap yields beyond the debt':
    {
      from: shown('Plan execution', '201@unloop-long', '200@execute', '200@folio'),
      all: async (context) => {
        const { before, after, activity } = (await loopDone(context)).closed
        after.under('borrow_market/').is(0n)
        after.under('borrow_market_collateral/').is(0n)
        const exit = observedOf(activity).at('backing_amount_to_exit').amount().value
        after.has('USDC').is(before.has('USDC').value + exit)
      },
    },
  'a migration moves exactly its amount, and leaves the wallet as it was': {
    from: shown('Plan execution', '201@migrate', '200@execute', '200@folio'),
    all: async (context) => {
      const { before, after } = await migrationDone(context)
      after.has('USDC').is(before.has('USDC').value)
      const [from, to] = ['yield_market/comet/base/', 'yield_market/aave/base/'] as const
      nearly(after.under(from), before.under(from).value - 1_000_000n)
      nearly(after.under(to), before.under(to).value + 1_000_000n)
    },
  },
  'a loan makes a plan of the same moment stale': {
    axis: 'staleness',
    from: chosen('What makes a plan stale', '409:plan_stale@execute'),
    all: async (context) => {
      const { user, refused } = await loanDone(context)
      must(`POST ${user.path}/plan/execute`, refused, refusals.stale)
    },
  },
  ...probesFor(Object.entries(changes), ([what, changesOf]) => [
    `a ${what} is told by events of its activity: pending, and then confirmed, once`,
    {
      axis: 'events',
      from: shown('Events', '200@events', '200@execute'),
      all: async (context) => {
        for (const { user, activityId } of await changesOf(context)) {
          const events = await user.events()
          const statuses = statusesOf(events, activityId)
          const isOnceAndLast = statuses.indexOf('confirmed') === statuses.length - 1
          new Seen(events.request, statuses, `statuses of ${activityId}`).holds(
            isOnceAndLast && statuses.length > 0,
            'confirmed as the last one, once',
          )
        }
      },
    },
  ]),
  'what a loan and its repayment have moved is observed in their activities': {
    axis: 'events',
    from: published('observed values', '200@GET /activities/{activity_id}'),
    all: async (context) => {
      const { borrowed, repaid } = await loanDone(context)
      for (const [{ activity }, amount, collateral] of [
        [borrowed, '5000000', '10000000000000000'],
        [repaid, '2000001', '1000000000000001'],
      ] as const) {
        observedOf(activity).at('amount').is(amount)
        observedOf(activity).at('collateral_amounts', 0).is(collateral)
      }
    },
  },
})
