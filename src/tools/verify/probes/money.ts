import { plans, sends } from '../corpus/steps.js'
import { amountIn, at, holds, same } from '../expect.js'
import type { Probe } from '../probe.js'
import { chosen, hasField, probeOn, published, shown } from './define.js'
import {
  accountWith,
  contextOf,
  contextWith,
  earnOf,
  stake,
  transferFrom,
  transferOf,
  weth,
} from './fixtures.js'

const probe = probeOn('money')

const failed = { status: 400, code: 'plan_failed' }

/** A field of the last action of a plan, or of the first of a type. */
const context = (field: string, type?: string) => [
  ...['details', 'svc_operation_actions'],
  type === undefined ? -1 : { action: { action_context: { action_type: type } } },
  ...['action', 'action_context', field],
]

const swapped = { sell_asset: 'USDC', buy_asset: 'WETH', network: 'base' }
const ether = { asset: 'ETH', network: 'base', amount: 2_000_000_000_000_000n }

/** Amounts in plans, to the unit. */
export const moneyProbes: Probe[] = [
  probe({
    name: 'a transfer plans exactly what was asked',
    cells: ['201@transfer'],
    from: shown('Plan'),
    steps: [
      accountWith('planner', stake),
      plans('plan', 'planner', 'transfer', transferFrom('planner', '1234567'), {
        checks: [
          { at: context('amount'), equals: '1234567' },
          { at: context('asset_symbol'), equals: 'USDC' },
          { at: context('chain_id'), equals: '8453' },
        ],
      }),
    ],
  }),
  probe({
    name: 'a supply plans exactly what was asked, as the action of its protocol',
    cells: ['201@earn'],
    from: shown('Plan'),
    steps: [
      accountWith('planner', stake),
      plans('plan', 'planner', 'earn', earnOf('1234567'), {
        checks: [
          { at: context('action_type'), equals: 'COMET_SUPPLY' },
          { at: context('amount'), equals: '1234567' },
        ],
      }),
    ],
  }),
  probe({
    name: 'a supply to morpho needs no market, and plans exactly what was asked',
    cells: ['201@earn'],
    from: shown('Plan creation'),
    steps: [
      accountWith('planner', stake),
      plans(
        'plan',
        'planner',
        'earn',
        { ...earnOf('1234567'), protocol: 'morpho' },
        {
          checks: [
            { at: context('amount'), equals: '1234567' },
            { at: context('asset_symbol'), equals: 'USDC' },
          ],
        },
      ),
    ],
  }),
  probe({
    name: 'an amount that no float can hold is planned to the unit',
    cells: ['201@transfer'],
    from: shown('Plan'),
    steps: [
      accountWith('debtor', weth),
      plans(
        'plan',
        'debtor',
        'transfer',
        { ...transferFrom('debtor', '10000000000000001'), asset: 'WETH' },
        { checks: [{ at: context('amount'), equals: '10000000000000001' }] },
      ),
    ],
  }),
  probe({
    name: 'the last unit can be sent, and not one more',
    cells: ['201@transfer', '400:plan_failed@transfer'],
    from: published('gas is handled by the service'),
    steps: [
      accountWith('planner', stake),
      plans('plan', 'planner', 'transfer', transferFrom('planner', `${stake.amount}`)),
      sends(
        'POST',
        '/accounts/{planner.id}/plan/transfer',
        { body: transferFrom('planner', `${stake.amount + 1n}`) },
        failed,
      ),
    ],
  }),
  probe({
    name: 'the word max and the largest number mean everything',
    cells: ['201@transfer'],
    from: chosen('"max"'),
    concerns: ({ sent }) => hasField(sent, (value) => value === 'max'),
    steps: [
      accountWith('planner', stake),
      ...['max', `${2n ** 256n - 1n}`].map((all) =>
        plans('plan', 'planner', 'transfer', transferFrom('planner', all), {
          checks: [{ at: context('amount'), equals: `${stake.amount}` }],
        }),
      ),
    ],
  }),
  probe({
    name: 'the fee of a swap is 0.15 percent of what is bought, rounded down',
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
      const context = contextWith(contexts, 'SWAP', 'output_amount')
      const where = `POST ${user.path}/plan/swap: SWAP`
      same(`${where}.input_amount`, context.input_amount as string, '1000001')
      const output = amountIn(`${where}.output_amount`, context.output_amount)
      const fee = amountIn(`${where}.fee_amounts.0`, at(context, 'fee_amounts', 0))
      same(`${where}.fee_amounts.0`, fee, (output * 15n) / 10_000n)
    },
  }),
  probe({
    name: 'buy_amount is what the swap buys, before the fee',
    cells: ['201@swap'],
    from: chosen('`buy_amount`'),
    concerns: ({ sent }) => hasField(sent, (_, name) => name === 'buy_amount'),
    steps: [
      accountWith('planner', stake),
      plans(
        'plan',
        'planner',
        'swap',
        { ...swapped, buy_amount: '100000000000001' },
        {
          checks: [
            { at: context('output_amount', 'SWAP'), equals: '100000000000001' },
            { at: context('is_exact_out', 'SWAP'), equals: true },
          ],
        },
      ),
    ],
  }),
  probe({
    name: 'own money that covers the quote of an exact purchase is enough',
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
    cells: ['201@swap'],
    from: chosen('`use_filler` of SWAP, and fee entries'),
    concerns: ({ status }) => status === 201,
    steps: [
      accountWith('planner', stake),
      plans(
        'plan',
        'planner',
        'swap',
        { ...swapped, sell_amount: '1000000' },
        {
          checks: [
            { at: context('use_filler', 'SWAP'), equals: false },
            { at: context('fee_amounts', 'SWAP'), length: 1 },
          ],
        },
      ),
    ],
  }),
  probe({
    name: 'swap-and-supply supplies what is bought less the fee',
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
      const swap = contextWith(contexts, 'SWAP', 'output_amount')
      const where = `POST ${user.path}/plan/swap-and-supply`
      const bought = amountIn(`${where}: SWAP.output_amount`, swap.output_amount)
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
    cells: ['201@earn'],
    from: chosen('Native assets in markets'),
    concerns: ({ sent }) => ['ETH', 'POL'].includes(String(at(sent, 'asset')).toUpperCase()),
    steps: [
      accountWith('planner', ether),
      plans(
        'plan',
        'planner',
        'earn',
        { ...earnOf('1000000000000000'), asset: 'ETH' },
        {
          checks: [
            { at: context('amount', 'WRAP'), equals: '1000000000000000' },
            { at: context('asset_symbol', 'COMET_SUPPLY'), equals: 'WETH' },
          ],
        },
      ),
    ],
  }),
  probe({
    name: 'a loan that its collateral does not carry has no plan, also when the collateral has yet to be bridged',
    cells: ['400:plan_failed@borrow'],
    from: chosen('Operations that wait for a bridge'),
    concerns: () => true,
    steps: [
      accountWith('borrower', {
        asset: 'WETH',
        network: 'optimism',
        amount: 20_000_000_000_000_000n,
      }),
      sends(
        'POST',
        '/accounts/{borrower.id}/plan/borrow',
        {
          body: {
            ...{ amount: '900000000', asset: 'USDC', network: 'base', protocol: 'compound' },
            ...{ collateral_amount: '10000000000000000', collateral_asset: 'WETH' },
          },
        },
        failed,
      ),
    ],
  }),
  probe({
    name: 'a plan sends where it is told to',
    cells: ['201@transfer'],
    from: published('contexts of actions'),
    reach: 'plan',
    async attempt({ funded }) {
      const user = await funded('planner', stake)
      const { contexts } = await user.plan('transfer', transferOf(user, '1000000'))
      const where = `POST ${user.path}/plan/transfer: action_context.recipient`
      const { recipient } = contextWith(contexts, 'TRANSFER', 'recipient')
      same(where, String(recipient).toLowerCase(), user.signer.toLowerCase())
    },
  }),
]
