import { amountIn, at, holds, must, same, textAt } from '../expect.js'
import { unitsOf } from '../member.js'
import type { Probe } from '../probe.js'
import { chosen, elsewhere, hasField, known, probe, shown } from './define.js'
import {
  bridgeDone,
  earnOf,
  stake,
  supplyDone,
  swapDone,
  transferDone,
  transferOf,
} from './doings.js'

const failed = { status: 400, code: 'plan_failed' }

/** Amounts, to the unit: in plans, and after their execution. */
export const moneyProbes: Probe[] = [
  probe({
    name: 'a transfer plans exactly what was asked',
    axis: 'money',
    cells: ['201@transfer'],
    from: shown('Plan'),
    reach: 'plan',
    async attempt({ funded }) {
      const user = await funded('planner', stake)
      const { contexts } = await user.plan('transfer', transferOf('1234567'))
      const where = `POST ${user.path}/plan/transfer: action_context`
      same(`${where}.amount`, contexts.at(-1)?.amount as string, '1234567')
      same(`${where}.asset_symbol`, contexts.at(-1)?.asset_symbol as string, 'USDC')
      same(`${where}.chain_id`, contexts.at(-1)?.chain_id as string, '8453')
    },
  }),
  probe({
    name: 'a supply plans exactly what was asked, as the action of its protocol',
    axis: 'money',
    cells: ['201@earn'],
    from: shown('Plan'),
    reach: 'plan',
    async attempt({ funded }) {
      const user = await funded('planner', stake)
      const { contexts } = await user.plan('earn', earnOf('1234567'))
      const where = `POST ${user.path}/plan/earn: action_context`
      same(`${where}.action_type`, contexts.at(-1)?.action_type as string, 'COMET_SUPPLY')
      same(`${where}.amount`, contexts.at(-1)?.amount as string, '1234567')
    },
  }),
  probe({
    name: 'the last unit can be sent, and not one more',
    axis: 'money',
    cells: ['201@transfer', '400:plan_failed@transfer'],
    from: known('gas is handled by the service'),
    reach: 'plan',
    async attempt({ funded }) {
      const user = await funded('planner', stake)
      const balance = await user.balance('USDC', 'base')
      const where = `POST ${user.path}/plan/transfer`
      must(where, await user.ask('transfer', transferOf(`${balance}`)), { status: 201 })
      must(where, await user.ask('transfer', transferOf(`${balance + 1n}`)), failed)
    },
  }),
  probe({
    name: 'the word max and the largest number mean everything',
    axis: 'money',
    cells: ['201@transfer'],
    from: chosen('"max"'),
    reach: 'plan',
    concerns: ({ sent }) => hasField(sent, (value) => value === 'max'),
    async attempt({ funded }) {
      const user = await funded('planner', stake)
      const balance = await user.balance('USDC', 'base')
      for (const all of ['max', `${2n ** 256n - 1n}`]) {
        const { contexts } = await user.plan('transfer', transferOf(all))
        const where = `POST ${user.path}/plan/transfer: amount of ${all}`
        same(where, contexts.at(-1)?.amount as string, `${balance}`)
      }
    },
  }),
  probe({
    name: 'the fee of a swap is 0.15 percent of what is bought, rounded down',
    axis: 'money',
    cells: ['201@swap'],
    from: shown('Limits'),
    reach: 'plan',
    async attempt({ funded }) {
      const user = await funded('planner', stake)
      const swap = {
        sell_asset: 'USDC',
        buy_asset: 'WETH',
        network: 'base',
        sell_amount: '1000001',
      }
      const { contexts } = await user.plan('swap', swap)
      const context = contexts.find((each) => each.action_type === 'SWAP')
      const where = `POST ${user.path}/plan/swap: SWAP`
      same(`${where}.input_amount`, context?.input_amount as string, '1000001')
      const output = amountIn(`${where}.output_amount`, context?.output_amount)
      const fee = amountIn(`${where}.fee_amounts.0`, at(context, 'fee_amounts', 0))
      same(`${where}.fee_amounts.0`, fee, (output * 15n) / 10_000n)
    },
  }),
  probe({
    name: 'buy_amount is what the swap buys, before the fee',
    axis: 'money',
    cells: ['201@swap'],
    from: chosen('`buy_amount`'),
    reach: 'plan',
    concerns: ({ sent }) => hasField(sent, (_, name) => name === 'buy_amount'),
    async attempt({ funded }) {
      const user = await funded('planner', stake)
      const swap = {
        sell_asset: 'USDC',
        buy_asset: 'WETH',
        network: 'base',
        buy_amount: '100000000000001',
      }
      const { contexts } = await user.plan('swap', swap)
      const context = contexts.find((each) => each.action_type === 'SWAP')
      const where = `POST ${user.path}/plan/swap: SWAP`
      same(`${where}.output_amount`, context?.output_amount as string, '100000000000001')
      same(`${where}.is_exact_out`, context?.is_exact_out as boolean, true)
    },
  }),
  probe({
    name: 'own money that covers the quote of an exact purchase is enough',
    axis: 'money',
    cells: ['201@swap'],
    from: chosen('Room for slippage of `buy_amount`'),
    reach: 'plan',
    concerns: ({ sent }) => hasField(sent, (_, name) => name === 'buy_amount'),
    async attempt({ funded }) {
      const user = await funded('planner', stake)
      const swap = { sell_asset: 'USDC', buy_asset: 'WETH', network: 'base' }
      const all = await user.plan('swap', { ...swap, sell_amount: `${stake.amount}` })
      const where = `POST ${user.path}/plan/swap`
      const bought = amountIn(
        `${where}: SWAP.output_amount`,
        contextOf(all.contexts, 'SWAP')?.output_amount,
      )
      // A thousandth less than what all of the money buys: no room for a slippage of 1 %.
      const plan = await user.plan('swap', { ...swap, buy_amount: `${(bought * 999n) / 1_000n}` })
      const types = plan.contexts.map(({ action_type }) => action_type)
      holds(where, !types.includes('BRIDGE'), 'nothing to be bridged', types)
    },
  }),
  probe({
    name: 'a swap is carried out without a filler, and has the service’s own fee alone',
    axis: 'money',
    cells: ['201@swap'],
    from: chosen('`use_filler` of SWAP, and fee entries'),
    reach: 'plan',
    concerns: ({ status }) => status === 201,
    async attempt({ funded }) {
      const user = await funded('planner', stake)
      const swap = {
        sell_asset: 'USDC',
        buy_asset: 'WETH',
        network: 'base',
        sell_amount: '1000000',
      }
      const context = contextOf((await user.plan('swap', swap)).contexts, 'SWAP')
      const where = `POST ${user.path}/plan/swap: SWAP`
      same(`${where}.use_filler`, context?.use_filler as boolean, false)
      same(`${where}.fee_amounts`, (context?.fee_amounts as unknown[] | undefined)?.length, 1)
    },
  }),
  probe({
    name: 'swap-and-supply supplies what is bought less the fee',
    axis: 'money',
    cells: ['201@swap-and-supply'],
    from: shown('Limits'),
    reach: 'plan',
    async attempt({ funded }) {
      const user = await funded('planner', stake)
      const body = {
        ...{ sell_asset: 'USDC', sell_amount: '1000000', buy_asset: 'WETH' },
        ...{ protocol: 'compound', network: 'base' },
      }
      const { contexts } = await user.plan('swap-and-supply', body)
      const swap = contextOf(contexts, 'SWAP')
      const where = `POST ${user.path}/plan/swap-and-supply`
      const bought = amountIn(`${where}: SWAP.output_amount`, swap?.output_amount)
      const fee = amountIn(`${where}: SWAP.fee_amounts.0`, at(swap, 'fee_amounts', 0))
      const supplied = amountIn(
        `${where}: COMET_SUPPLY.amount`,
        contextOf(contexts, 'COMET_SUPPLY')?.amount,
      )
      same(`${where}: COMET_SUPPLY.amount`, supplied, bought - fee)
    },
  }),
  probe({
    name: 'the native token stands for its wrapped form in a market',
    axis: 'money',
    cells: ['201@earn'],
    from: chosen('Native assets in markets'),
    reach: 'plan',
    concerns: ({ sent }) => ['ETH', 'POL'].includes(String(at(sent, 'asset')).toUpperCase()),
    async attempt({ funded }) {
      const ether = { asset: 'ETH', network: 'base', amount: 2_000_000_000_000_000n }
      const user = await funded('planner', ether)
      const body = { ...earnOf('1000000000000000'), asset: 'ETH' }
      const { contexts } = await user.plan('earn', body)
      const where = `POST ${user.path}/plan/earn`
      same(
        `${where}: WRAP.amount`,
        contextOf(contexts, 'WRAP')?.amount as string,
        '1000000000000000',
      )
      same(
        `${where}: COMET_SUPPLY.asset_symbol`,
        contextOf(contexts, 'COMET_SUPPLY')?.asset_symbol as string,
        'WETH',
      )
    },
  }),
  probe({
    name: 'a plan moves no money',
    axis: 'money',
    cells: ['201@transfer', '200@folio'],
    from: shown('A plan is ephemeral'),
    reach: 'all',
    async attempt(setting) {
      const { sender, before, unchanged } = await transferDone(setting)
      same(`GET ${sender.path}/folio: balance after the plan`, unchanged.sent, before.sent)
    },
  }),
  probe({
    name: 'a transfer takes exactly its amount, and all of it arrives',
    axis: 'money',
    cells: ['200@execute', '200@folio'],
    from: shown('Plan execution'),
    reach: 'all',
    async attempt(setting) {
      const { sender, receiver, before, after } = await transferDone(setting)
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
    axis: 'money',
    cells: ['200@execute', '200@folio'],
    from: shown('Plan execution'),
    reach: 'all',
    async attempt(setting) {
      const { user, before, after, folio } = await supplyDone(setting)
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
    axis: 'money',
    cells: ['200@execute', '200@folio'],
    from: shown('Limits'),
    reach: 'all',
    async attempt(setting) {
      const { user, before, after, done } = await swapDone(setting)
      const where = `GET ${user.path}/folio`
      same(`${where}: USDC`, after.usdc, before.usdc - 2_000_001n)
      const actions = at(done.activity, 'executions', 0, 'actions') as unknown[] | undefined
      const swap = actions?.find((each) => at(each, 'action_type') === 'SWAP')
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
    axis: 'money',
    cells: ['400:plan_failed@migrate'],
    from: chosen('Migrating a market to itself'),
    reach: 'all',
    concerns: ({ sent }) => at(sent, 'from_protocol') === at(sent, 'to_protocol'),
    async attempt(setting) {
      const { user } = await supplyDone(setting)
      const body = {
        ...{ amount: '1000000', asset: 'USDC', network: 'base' },
        ...{ from_protocol: 'compound', to_protocol: 'compound' },
      }
      must(`POST ${user.path}/plan/migrate`, await user.ask('migrate', body), failed)
    },
  }),
  probe({
    name: 'a position can be planned to be withdrawn, and to be migrated',
    axis: 'money',
    cells: ['201@withdraw', '201@migrate'],
    from: shown('Plan creation'),
    reach: 'all',
    async attempt(setting) {
      const { user } = await supplyDone(setting)
      const { contexts } = await user.plan('withdraw', earnOf('1000000'))
      const where = `POST ${user.path}/plan/withdraw: amount`
      same(where, contexts.at(-1)?.amount as string, '1000000')
      await user.plan('migrate', {
        ...{ amount: '1000000', asset: 'USDC', network: 'base' },
        ...{ from_protocol: 'compound', to_protocol: 'aave', migrate_only_supply_balances: true },
      })
    },
  }),
  probe({
    name: 'a shortfall is bridged: own money first, and what arrives is the input at the folio’s rate less its cost',
    axis: 'money',
    cells: ['201@transfer', '200@folio'],
    from: known('bridging'),
    reach: 'all',
    async attempt(setting) {
      const { user, plan, folio } = await bridgeDone(setting)
      const bridge = contextOf(plan.contexts, 'BRIDGE')
      const where = `POST ${user.path}/plan/transfer: BRIDGE`
      const input = amountIn(`${where}.input_amount`, bridge?.input_amount)
      const output = amountIn(`${where}.output_amount`, bridge?.output_amount)
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
    axis: 'money',
    cells: ['200@execute'],
    from: shown('Funds held on other networks'),
    reach: 'all',
    async attempt(setting) {
      const { user, plan, activity, activityId } = await bridgeDone(setting)
      same(
        `GET /activities/${activityId}: activity_status`,
        at(activity, 'activity_status') as string,
        'confirmed',
      )
      const input = amountIn(
        'BRIDGE.input_amount',
        contextOf(plan.contexts, 'BRIDGE')?.input_amount,
      )
      const where = `GET ${user.path}/folio`
      same(`${where}: USDC on optimism`, await user.balance('USDC', 'optimism'), 6_000_000n - input)
      const left = await user.balance('USDC', 'base')
      holds(`${where}: USDC on base`, left <= 1n, 'nothing, or a unit of rounding', `${left}`)
    },
  }),
  probe({
    name: 'a loan that its collateral does not carry has no plan, also when the collateral has yet to be bridged',
    axis: 'money',
    cells: ['400:plan_failed@borrow'],
    from: chosen('What waits for a bridge'),
    reach: 'plan',
    concerns: () => true,
    async attempt({ funded }) {
      const user = await funded('borrower', {
        asset: 'WETH',
        network: 'optimism',
        amount: 20_000_000_000_000_000n,
      })
      const body = {
        ...{ amount: '900000000', asset: 'USDC', network: 'base', protocol: 'compound' },
        ...{ collateral_amount: '10000000000000000', collateral_asset: 'WETH' },
      }
      must(`POST ${user.path}/plan/borrow`, await user.ask('borrow', body), failed)
    },
  }),
  probe({
    name: 'a plan sends where it is told to',
    axis: 'money',
    cells: ['201@transfer'],
    from: known('contexts of actions'),
    reach: 'plan',
    async attempt({ funded }) {
      const user = await funded('planner', stake)
      const { contexts } = await user.plan('transfer', transferOf('1000000'))
      const where = `POST ${user.path}/plan/transfer: action_context.recipient`
      same(where, contexts.at(-1)?.recipient as string, elsewhere)
    },
  }),
]

function contextOf(contexts: readonly Record<string, unknown>[], type: string) {
  return contexts.find(({ action_type }) => action_type === type)
}
