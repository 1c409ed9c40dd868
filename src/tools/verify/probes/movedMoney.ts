import type { Probe } from '../probe.js'
import { balancesUnder, contextWith, walletBalance } from '../responseValue.js'
import { chosen, probesOn, published, refusals, type Shared, shown } from './define.js'
import {
  bridgeDone,
  context,
  earnOf,
  migrationOf,
  nearly,
  readsFolio,
  stake,
  supplyDone,
  swapDone,
  transferDone,
} from './fixtures.js'
import { carriesOut, is, plans, refuses } from './steps.js'

const supplied: Shared = {
  accounts: { supplier: stake },
  setup: {
    name: 'a supply',
    steps: carriesOut('supply', 'supplier', 'earn', earnOf('3000000')),
  },
}
const { migrate_only_supply_balances: _, ...toItself } = migrationOf('compound')

/** Amounts after the execution of plans, to the unit. */
export const movedMoneyProbes: Probe[] = probesOn('money', {
  'a plan moves no money': {
    from: shown('A plan is ephemeral', '201@transfer', '200@folio'),
    ...transferDone,
    compute({ body, actor }) {
      const { wallet } = actor('sender')
      // Between the two a plan was made.
      const before = walletBalance(body('planned_before'), wallet, 'USDC')
      walletBalance(body('sent_before'), wallet, 'USDC').is(before.value)
    },
  },
  'a transfer takes exactly its amount, and all of it arrives': {
    from: shown('Plan execution', '200@execute', '200@folio'),
    ...transferDone,
    compute({ body, actor }) {
      const sender = (step: string) => walletBalance(body(step), actor('sender').wallet, 'USDC')
      const receiver = (step: string) => walletBalance(body(step), actor('receiver').wallet, 'USDC')
      sender('sent_after').is(sender('planned_before').value - 1_234_567n)
      receiver('received_after').is(receiver('received_before').value + 1_234_567n)
    },
  },
  'a supply takes exactly its amount; the position has it but for a unit of rounding': {
    from: shown('Plan execution', '200@execute', '200@folio'),
    ...supplyDone,
    compute({ body, actor }) {
      const usdc = (step: string) => walletBalance(body(step), actor('saver').wallet, 'USDC')
      usdc('supplied_after').is(usdc('supplied_before').value - 3_000_000n)
      nearly(balancesUnder(body('supplied_after'), 'yield_market/comet/base/'), 3_000_000n)
    },
  },
  'a swap takes what it sells, and brings what was bought less the fee': {
    from: shown('Limits', '200@execute', '200@folio'),
    ...swapDone,
    compute({ body, actor }) {
      const has = (step: string, asset: string) =>
        walletBalance(body(step), actor('trader').wallet, asset)
      const activity = body('swapped_activity')
      has('swapped_after', 'USDC').is(has('swapped_before', 'USDC').value - 2_000_001n)
      const observed = activity
        .at('executions', 0, 'actions')
        .list()
        .map((each) => each.at('observed_values'))
        .find((each) => each.at('output_amount').value !== undefined)
      const swap = observed ?? activity.at('observed_values')
      const bought = swap.at('output_amount').amount().value
      const fee = swap.at('fee_amounts', 0).amount()
      fee.is((bought * 15n) / 10_000n)
      has('swapped_after', 'WETH').is(has('swapped_before', 'WETH').value + bought - fee.value)
    },
  },
  'a position is not migrated to where it is': {
    from: chosen('Migrating a market to itself', '400:plan_failed@migrate'),
    ...supplied,
    steps: [refuses('supplier', 'migrate', toItself, refusals.failed)],
  },
  'a position can be planned to be withdrawn, and to be migrated': {
    from: shown('Plan creation', '201@withdraw', '201@migrate'),
    ...supplied,
    steps: [
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
      ...bridgeDone,
      compute({ body }) {
        const bridge = contextWith(body('bridged_out'), 'BRIDGE', 'input_amount')
        const input = bridge.at('input_amount').amount().value
        const output = bridge.at('output_amount').amount()
        const hints = body('bridged_out_before').at('folio', 'bridge_hints')
        const hint = hints.at('across/optimism/USDC/base/USDC')
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
    ...bridgeDone,
    steps: [readsFolio('bridged', 'left')],
    compute({ body, actor }) {
      body('bridged_out_activity').at('activity_status').is('confirmed')
      const { wallet } = actor('bridged')
      const bridge = contextWith(body('bridged_out'), 'BRIDGE', 'input_amount')
      const input = bridge.at('input_amount').amount().value
      walletBalance(body('left'), wallet, 'USDC', 'optimism').is(6_000_000n - input)
      const left = walletBalance(body('left'), wallet, 'USDC')
      left.holds(left.value <= 1n, 'nothing, or a unit of rounding')
    },
  },
})
