import type { Probe } from '../probe.js'
import { balancesUnder, contextWith, ResponseValue, walletBalance } from '../responseValue.js'
import { statusesOf } from '../wire.js'
import { chosen, probesOn, published, shown } from './define.js'
import { loanDone, loopDone, migrationDone, nearly, observedOf, readsEvents } from './fixtures.js'

const collateral = 'borrow_market_collateral/comet/base/'
const debt = 'borrow_market/comet/base/'

const eventsOf = (what: string) =>
  `a ${what} is told by events of its activity: pending, and then confirmed, once`
const tells = shown('Events', '200@events', '200@execute')

/** Throws unless the events of an execution are as `eventsOf` says. */
function expectEventsOnce(events: ResponseValue, execution: ResponseValue): void {
  const id = execution.at('activity_id').text().value
  const statuses = statusesOf(events.value, id)
  const isOnceAndLast = statuses.indexOf('confirmed') === statuses.length - 1
  const reported = new ResponseValue(events.request, statuses, `statuses of ${id}`)
  reported.holds(isOnceAndLast && statuses.length > 0, 'confirmed as the last one, once')
}

/** Loans, loops and migrations that were executed. */
export const positionProbes: Probe[] = probesOn('money', {
  'a loan brings exactly what was borrowed, and takes exactly its collateral': {
    from: shown('Plan execution', '201@borrow', '200@execute', '200@folio'),
    ...loanDone,
    compute({ body, actor }) {
      const has = (step: string, asset: string) =>
        walletBalance(body(step), actor('debtor').wallet, asset)
      has('borrowed_after', 'USDC').is(has('borrowed_before', 'USDC').value + 5_000_000n)
      has('borrowed_after', 'WETH').is(
        has('borrowed_before', 'WETH').value - 10_000_000_000_000_000n,
      )
      balancesUnder(body('borrowed_after'), collateral).is(10_000_000_000_000_000n)
      nearly(balancesUnder(body('borrowed_after'), debt), 5_000_000n)
    },
  },
  'a repayment takes exactly its amount, and brings back exactly its collateral': {
    from: published('repaying a loan', '201@repay', '200@execute', '200@folio'),
    ...loanDone,
    compute({ body, actor }) {
      const has = (step: string, asset: string) =>
        walletBalance(body(step), actor('debtor').wallet, asset)
      has('repaid_after', 'USDC').is(has('repaid_before', 'USDC').value - 2_000_001n)
      has('repaid_after', 'WETH').is(has('repaid_before', 'WETH').value + 1_000_000_000_000_001n)
      balancesUnder(body('repaid_after'), collateral).is(
        10_000_000_000_000_000n - 1_000_000_000_000_001n,
      )
      nearly(balancesUnder(body('repaid_after'), debt), 2_999_999n)
    },
  },
  'a loop pays what it is to provide, borrows the rest, and leaves its exposure in the market': {
    from: shown('Plan execution', '201@loop-long', '200@execute', '200@folio'),
    reach: 'all',
    async compute(playing) {
      const { body, actor, provided } = await loopDone(playing)
      const usdc = (step: string) => walletBalance(body(step), actor('looper').wallet, 'USDC')
      usdc('opened_after').is(usdc('opened_before').value - provided)
      balancesUnder(body('opened_after'), 'borrow_market_collateral/').is(10_000_000_000_000_000n)
      const observed = observedOf(body('opened_activity'))
      const cost = observed.at('max_swap_backing_amount').amount().value
      nearly(balancesUnder(body('opened_after'), 'borrow_market/'), cost - provided)
    },
  },
  'the fee of a loop is 0.04 percent of what is bought, rounded down': {
    from: published('fee on loops', '201@loop-long'),
    reach: 'all',
    async compute(playing) {
      const { body } = await loopDone(playing)
      const fee = contextWith(body('opened'), 'LOOP_LONG', 'fee_amount').at('fee_amount').amount()
      fee.is((10_000_000_000_000_000n * 4n) / 9_996n)
    },
  },
  'a loop that is closed as a whole leaves neither debt nor exposure, and what the swap yields beyond the debt':
    {
      from: shown('Plan execution', '201@unloop-long', '200@execute', '200@folio'),
      reach: 'all',
      async compute(playing) {
        const { body, actor } = await loopDone(playing)
        const usdc = (step: string) => walletBalance(body(step), actor('looper').wallet, 'USDC')
        balancesUnder(body('closed_after'), 'borrow_market/').is(0n)
        balancesUnder(body('closed_after'), 'borrow_market_collateral/').is(0n)
        const observed = observedOf(body('closed_activity'))
        const exit = observed.at('backing_amount_to_exit').amount().value
        usdc('closed_after').is(usdc('closed_before').value + exit)
      },
    },
  'a migration moves exactly its amount, and leaves the wallet as it was': {
    from: shown('Plan execution', '201@migrate', '200@execute', '200@folio'),
    ...migrationDone,
    compute({ body, actor }) {
      const usdc = (step: string) => walletBalance(body(step), actor('mover').wallet, 'USDC')
      usdc('migrated_after').is(usdc('migrated_before').value)
      const moved = (step: string, protocol: string) =>
        balancesUnder(body(step), `yield_market/${protocol}/base/`)
      nearly(moved('migrated_after', 'comet'), moved('migrated_before', 'comet').value - 1_000_000n)
      nearly(moved('migrated_after', 'aave'), moved('migrated_before', 'aave').value + 1_000_000n)
    },
  },
  'a loan makes a plan of the same moment stale': {
    axis: 'staleness',
    from: chosen('What makes a plan stale', '409:plan_stale@execute'),
    ...loanDone,
    steps: [{ join: 'late_execution' }],
  },
  [eventsOf('loan')]: {
    axis: 'events',
    from: tells,
    ...loanDone,
    steps: [readsEvents('debtor', 'told')],
    compute({ body }) {
      expectEventsOnce(body('told'), body('borrowed_execution'))
      expectEventsOnce(body('told'), body('repaid_execution'))
    },
  },
  [eventsOf('loop')]: {
    axis: 'events',
    from: tells,
    reach: 'all',
    async compute(playing) {
      const { body, play } = await loopDone(playing)
      await play(readsEvents('looper', 'told'))
      expectEventsOnce(body('told'), body('opened_execution'))
      expectEventsOnce(body('told'), body('closed_execution'))
    },
  },
  [eventsOf('migration')]: {
    axis: 'events',
    from: tells,
    ...migrationDone,
    steps: [readsEvents('mover', 'told')],
    compute({ body }) {
      expectEventsOnce(body('told'), body('migrated_execution'))
    },
  },
  'what a loan and its repayment have moved is observed in their activities': {
    axis: 'events',
    from: published('observed values', '200@GET /activities/{activity_id}'),
    ...loanDone,
    compute({ body }) {
      for (const [plan, amount, collateral] of [
        ['borrowed', '5000000', '10000000000000000'],
        ['repaid', '2000001', '1000000000000001'],
      ] as const) {
        const observed = observedOf(body(`${plan}_activity`))
        observed.at('amount').is(amount)
        observed.at('collateral_amounts', 0).is(collateral)
      }
    },
  },
})
