import { carriesOut, once, plans, sends } from '../corpus/steps.js'
import { amountIn, at, holds, same, textAt } from '../expect.js'
import type { Probe } from '../probe.js'
import { unitsOf } from '../testAccount.js'
import { chosen, probeOn, published, shown } from './define.js'
import {
  accountWith,
  bridgeDone,
  contextWith,
  earnOf,
  stake,
  supplyDone,
  swapDone,
  transferDone,
} from './fixtures.js'

const probe = probeOn('money')

const supplied = once('a supply', [
  accountWith('supplier', stake),
  ...carriesOut('supply', 'supplier', 'earn', earnOf('3000000')),
])
const migration = {
  ...{ amount: '1000000', asset: 'USDC', network: 'base', from_protocol: 'compound' },
}
const failed = { status: 400, code: 'plan_failed' }

/** Amounts after the execution of plans, to the unit. */
export const movedMoneyProbes: Probe[] = [
  probe({
    name: 'a plan moves no money',
    cells: ['201@transfer', '200@folio'],
    from: shown('A plan is ephemeral'),
    reach: 'all',
    async attempt(context) {
      const { sender, before, unchanged } = await transferDone(context)
      same(`GET ${sender.path}/folio: balance after the plan`, unchanged.sent, before.sent)
    },
  }),
  probe({
    name: 'a transfer takes exactly its amount, and all of it arrives',
    cells: ['200@execute', '200@folio'],
    from: shown('Plan execution'),
    reach: 'all',
    async attempt(context) {
      const { sender, receiver, before, after } = await transferDone(context)
      same(`GET ${sender.path}/folio: balance of the sender`, after.sent, before.sent - 1_234_567n)
      same(
        `GET ${receiver.path}/folio: balance of the receiver`,
        after.received,
        before.received + 1_234_567n,
      )
    },
  }),
  probe({
    name: 'a supply takes exactly its amount; the position has it but for a unit of rounding',
    cells: ['200@execute', '200@folio'],
    from: shown('Plan execution'),
    reach: 'all',
    async attempt(context) {
      const { user, before, after, folio } = await supplyDone(context)
      const where = `GET ${user.path}/folio`
      same(`${where}: balance`, after, before - 3_000_000n)
      const entry = Object.entries(folio.balances ?? {}).find(([key]) =>
        key.startsWith('yield_market/comet/base/'),
      )
      holds(
        `${where}: balances`,
        entry !== undefined,
        'a position in yield_market/comet/base',
        folio.balances,
      )
      const supplied = unitsOf(`${where}: ${entry?.[0]}`, entry?.[1])
      holds(
        `${where}: ${entry?.[0]}`,
        supplied >= 2_999_998n && supplied <= 3_000_100n,
        '3000000, or a unit or two of rounding less',
        `${supplied}`,
      )
    },
  }),
  probe({
    name: 'a swap takes what it sells, and brings what was bought less the fee',
    cells: ['200@execute', '200@folio'],
    from: shown('Limits'),
    reach: 'all',
    async attempt(context) {
      const { user, before, after, done } = await swapDone(context)
      const where = `GET ${user.path}/folio`
      same(`${where}: USDC`, after.usdc, before.usdc - 2_000_001n)
      const actions = at(done.activity, 'executions', 0, 'actions') as unknown[] | undefined
      const swap = actions?.find(
        (each) => at(each, 'observed_values', 'output_amount') !== undefined,
      )
      const observed = `GET /activities/${done.activityId}: observed_values`
      const bought = amountIn(
        `${observed}.output_amount`,
        at(swap, 'observed_values', 'output_amount'),
      )
      const fee = amountIn(
        `${observed}.fee_amounts.0`,
        at(swap, 'observed_values', 'fee_amounts', 0),
      )
      same(`${observed}.fee_amounts.0`, fee, (bought * 15n) / 10_000n)
      same(`${where}: WETH`, after.weth, before.weth + bought - fee)
    },
  }),
  probe({
    name: 'a position is not migrated to where it is',
    cells: ['400:plan_failed@migrate'],
    from: chosen('Migrating a market to itself'),
    concerns: ({ sent }) => at(sent, 'from_protocol') === at(sent, 'to_protocol'),
    steps: [
      supplied,
      sends(
        'POST',
        '/accounts/{supplier.id}/plan/migrate',
        { body: { ...migration, to_protocol: 'compound' } },
        failed,
      ),
    ],
  }),
  probe({
    name: 'a position can be planned to be withdrawn, and to be migrated',
    cells: ['201@withdraw', '201@migrate'],
    from: shown('Plan creation'),
    steps: [
      supplied,
      plans('withdrawal', 'supplier', 'withdraw', earnOf('1000000'), {
        checks: [
          {
            at: ['details', 'svc_operation_actions', -1, 'action', 'action_context', 'amount'],
            equals: '1000000',
          },
        ],
      }),
      plans('migration', 'supplier', 'migrate', {
        ...migration,
        to_protocol: 'aave',
        migrate_only_supply_balances: true,
      }),
    ],
  }),
  probe({
    name: 'a shortfall is bridged: own money first, and what arrives is the input at the folio’s rate less its cost',
    cells: ['201@transfer', '200@folio'],
    from: published('bridging'),
    reach: 'all',
    async attempt(context) {
      const { user, plan, folio } = await bridgeDone(context)
      const bridge = contextWith(plan.contexts, 'BRIDGE', 'input_amount')
      const where = `POST ${user.path}/plan/transfer: BRIDGE`
      const input = amountIn(`${where}.input_amount`, bridge.input_amount)
      const output = amountIn(`${where}.output_amount`, bridge.output_amount)
      const hint = folio.bridge_hints?.['across/optimism/USDC/base/USDC']
      const cost = unitsOf(`GET ${user.path}/folio: fixed_cost`, at(hint, 'fixed_cost'))
      const rate = textAt(`GET ${user.path}/folio: bridge_hints`, hint, 'rate')
      const scale = 10n ** BigInt(rate.split('.')[1]?.length ?? 0)
      same(`${where}.output_amount`, output, (input * BigInt(rate.replace('.', ''))) / scale - cost)
      holds(
        `${where}.output_amount`,
        output >= 2_000_000n && output <= 2_000_001n,
        'the shortfall of 2000000',
        `${output}`,
      )
    },
  }),
  probe({
    name: 'after a bridge all that was asked for is gone from the wallets, and no more than planned',
    cells: ['200@execute'],
    from: shown('Funds held on other networks'),
    reach: 'all',
    async attempt(context) {
      const { user, plan, activity, activityId } = await bridgeDone(context)
      same(
        `GET /activities/${activityId}: activity_status`,
        at(activity, 'activity_status') as string,
        'confirmed',
      )
      const input = amountIn(
        'BRIDGE.input_amount',
        contextWith(plan.contexts, 'BRIDGE', 'input_amount').input_amount,
      )
      const where = `GET ${user.path}/folio`
      same(`${where}: USDC on optimism`, await user.balance('USDC', 'optimism'), 6_000_000n - input)
      const left = await user.balance('USDC', 'base')
      holds(`${where}: USDC on base`, left <= 1n, 'nothing, or a unit of rounding', `${left}`)
    },
  }),
]
