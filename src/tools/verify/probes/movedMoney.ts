import { carriesOut, is, once, plans, refuses } from '../corpus/steps.js'
import type { Probe } from '../probe.js'
import { chosen, probesOn, published, refusals, shown } from './define.js'
import {
  accountWith,
  bridgeDone,
  context,
  earnOf,
  migrationOf,
  nearly,
  stake,
  supplyDone,
  swapDone,
  transferDone,
} from './fixtures.js'

const supplied = once('a supply', [
  accountWith('supplier', stake),
  ...carriesOut('supply', 'supplier', 'earn', earnOf('3000000')),
])
const { migrate_only_supply_balances: _, ...toItself } = migrationOf('compound')

/** Amounts after the execution of plans, to the unit. */
export const movedMoneyProbes: Probe[] = probesOn('money', {
  'a plan moves no money': {
    from: shown('A plan is ephemeral', '201@transfer', '200@folio'),
    all: async (context) => {
      const { before, planned } = await transferDone(context)
      planned.sent.has('USDC').is(before.sent.has('USDC').value)
    },
  },
  'a transfer takes exactly its amount, and all of it arrives': {
    from: shown('Plan execution', '200@execute', '200@folio'),
    all: async (context) => {
      const { before, after } = await transferDone(context)
      after.sent.has('USDC').is(before.sent.has('USDC').value - 1_234_567n)
      after.received.has('USDC').is(before.received.has('USDC').value + 1_234_567n)
    },
  },
  'a supply takes exactly its amount; the position has it but for a unit of rounding': {
    from: shown('Plan execution', '200@execute', '200@folio'),
    all: async (context) => {
      const { before, after } = await supplyDone(context)
      after.has('USDC').is(before.has('USDC').value - 3_000_000n)
      nearly(after.under('yield_market/comet/base/'), 3_000_000n)
    },
  },
  'a swap takes what it sells, and brings what was bought less the fee': {
    from: shown('Limits', '200@execute', '200@folio'),
    all: async (context) => {
      const { before, after, activity } = await swapDone(context)
      after.has('USDC').is(before.has('USDC').value - 2_000_001n)
      const observed = activity
        .at('executions', 0, 'actions')
        .list()
        .map((each) => each.at('observed_values'))
        .find((each) => each.at('output_amount').value !== undefined)
      const swap = observed ?? activity.at('observed_values')
      const bought = swap.at('output_amount').amount().value
      const fee = swap.at('fee_amounts', 0).amount()
      fee.is((bought * 15n) / 10_000n)
      after.has('WETH').is(before.has('WETH').value + bought - fee.value)
    },
  },
  'a position is not migrated to where it is': {
    from: chosen('Migrating a market to itself', '400:plan_failed@migrate'),
    steps: [supplied, refuses('supplier', 'migrate', toItself, refusals.failed)],
  },
  'a position can be planned to be withdrawn, and to be migrated': {
    from: shown('Plan creation', '201@withdraw', '201@migrate'),
    steps: [
      supplied,
      plans(
        'withdrawal',
        'supplier',
        'withdraw',
        earnOf('1000000'),
        is(context('amount'), '1000000'),
      ),
      plans('migration', 'supplier', 'migrate', migrationOf('aave')),
    ],
  },
  'a shortfall is bridged: own money first, and what arrives is the input at the folio’s rate less its cost':
    {
      from: published('bridging', '201@transfer', '200@folio'),
      all: async (context) => {
        const { plan, folio } = await bridgeDone(context)
        const bridge = plan.actionWith('BRIDGE', 'input_amount')
        const input = bridge.at('input_amount').amount().value
        const output = bridge.at('output_amount').amount()
        const hint = folio.at('bridge_hints', 'across/optimism/USDC/base/USDC')
        const cost = hint.at('fixed_cost').units().value
        const rate = hint.at('rate').text().value
        const scale = 10n ** BigInt(rate.split('.')[1]?.length ?? 0)
        output.is((input * BigInt(rate.replace('.', ''))) / scale - cost)
        const isShortfall = output.value >= 2_000_000n && output.value <= 2_000_001n
        output.holds(isShortfall, 'the shortfall of 2000000')
      },
    },
  'after a bridge all that was asked for is gone from the wallets, and no more than planned': {
    from: shown('Funds held on other networks', '200@execute'),
    all: async (context) => {
      const { user, plan, activity } = await bridgeDone(context)
      activity.at('activity_status').is('confirmed')
      const bridge = plan.actionWith('BRIDGE', 'input_amount')
      const folio = await user.folio()
      folio.has('USDC', 'optimism').is(6_000_000n - bridge.at('input_amount').amount().value)
      const left = folio.has('USDC')
      left.holds(left.value <= 1n, 'nothing, or a unit of rounding')
    },
  },
})
