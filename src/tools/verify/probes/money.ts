import type { Probe } from '../probe.js'
import { contextOf, contextWith } from '../responseValue.js'
import { chosen, probesOn, published, refusals, shown } from './define.js'
import {
  context,
  earnOf,
  ether,
  plansTransfer,
  stake,
  swapOfUsdc,
  transferFrom,
  weth,
} from './fixtures.js'
import { hasLength, is, plans, refuses } from './steps.js'

const { failed } = refusals
const planner = { planner: stake }

/** Amounts in plans, to the unit. */
export const moneyProbes: Probe[] = probesOn('money', {
  'a transfer plans exactly what was asked': {
    from: shown('Plan', '201@transfer'),
    accounts: planner,
    steps: [
      plansTransfer(
        'plan',
        'planner',
        '1234567',
        is(context('amount'), '1234567'),
        is(context('asset_symbol'), 'USDC'),
        is(context('chain_id'), '8453'),
      ),
    ],
  },
  'a supply plans exactly what was asked, as the action of its protocol': {
    from: shown('Plan', '201@earn'),
    accounts: planner,
    steps: [
      plans(
        'plan',
        'planner',
        'earn',
        earnOf('1234567'),
        is(context('action_type'), 'COMET_SUPPLY'),
        is(context('amount'), '1234567'),
      ),
    ],
  },
  'a supply to morpho needs no market, and plans exactly what was asked': {
    from: shown('Plan creation', '201@earn'),
    accounts: planner,
    steps: [
      plans(
        'plan',
        'planner',
        'earn',
        { ...earnOf('1234567'), protocol: 'morpho' },
        is(context('amount'), '1234567'),
        is(context('asset_symbol'), 'USDC'),
      ),
    ],
  },
  'an amount that no float can hold is planned to the unit': {
    from: shown('Plan', '201@transfer'),
    accounts: { debtor: weth },
    steps: [
      plans(
        'plan',
        'debtor',
        'transfer',
        { ...transferFrom('debtor', '10000000000000001'), asset: 'WETH' },
        is(context('amount'), '10000000000000001'),
      ),
    ],
  },
  'the last unit can be sent, and not one more': {
    from: published('gas is handled by the service', '201@transfer', '400:plan_failed@transfer'),
    accounts: planner,
    steps: [
      plansTransfer('plan', 'planner', '4000000'),
      refuses('planner', 'transfer', transferFrom('planner', '4000001'), failed),
    ],
  },
  'the word max and the largest number mean everything': {
    from: chosen('"max"', '201@transfer'),
    accounts: planner,
    steps: ['max', `${2n ** 256n - 1n}`].map((all) =>
      plansTransfer('plan', 'planner', all, is(context('amount'), '4000000')),
    ),
  },
  'the fee of a swap is 0.15 percent of what is bought, rounded down': {
    from: shown('Limits', '201@swap'),
    accounts: planner,
    steps: [plans('plan', 'planner', 'swap', { ...swapOfUsdc, sell_amount: '1000001' })],
    compute({ body }) {
      const swap = contextWith(body('plan'), 'SWAP', 'output_amount')
      swap.at('input_amount').is('1000001')
      const output = swap.at('output_amount').amount().value
      swap
        .at('fee_amounts', 0)
        .amount()
        .is((output * 15n) / 10_000n)
    },
  },
  'buy_amount is what the swap buys, before the fee': {
    from: chosen('`buy_amount`', '201@swap'),
    accounts: planner,
    steps: [
      plans(
        'plan',
        'planner',
        'swap',
        { ...swapOfUsdc, buy_amount: '100000000000001' },
        is(context('output_amount', 'SWAP'), '100000000000001'),
        is(context('is_exact_out', 'SWAP'), true),
      ),
    ],
  },
  'own money that covers the quote of an exact purchase is enough': {
    from: chosen('Room for slippage of `buy_amount`', '201@swap'),
    accounts: planner,
    steps: [plans('all', 'planner', 'swap', { ...swapOfUsdc, sell_amount: '4000000' })],
    async compute({ body, play }) {
      const bought = contextOf(body('all'), 'SWAP').at('output_amount').amount().value
      // A thousandth less than all of the money buys: no room for a slippage of 1 %.
      const buy_amount = `${(bought * 999n) / 1_000n}`
      await play(plans('plan', 'planner', 'swap', { ...swapOfUsdc, buy_amount }))
      contextOf(body('plan'), 'BRIDGE').is(undefined)
    },
  },
  'a swap is carried out without a filler, and has the service’s own fee alone': {
    from: chosen('`use_filler` of SWAP, and fee entries', '201@swap'),
    accounts: planner,
    steps: [
      plans(
        'plan',
        'planner',
        'swap',
        { ...swapOfUsdc, sell_amount: '1000000' },
        is(context('use_filler', 'SWAP'), false),
        hasLength(context('fee_amounts', 'SWAP'), 1),
      ),
    ],
  },
  'swap-and-supply supplies what is bought less the fee': {
    from: shown('Limits', '201@swap-and-supply'),
    accounts: planner,
    steps: [
      plans('plan', 'planner', 'swap-and-supply', {
        ...swapOfUsdc,
        sell_amount: '1000000',
        protocol: 'compound',
      }),
    ],
    compute({ body }) {
      const swap = contextWith(body('plan'), 'SWAP', 'output_amount')
      const bought = swap.at('output_amount').amount().value
      const fee = swap.at('fee_amounts', 0).amount().value
      contextOf(body('plan'), 'COMET_SUPPLY')
        .at('amount')
        .amount()
        .is(bought - fee)
    },
  },
  'the native token stands for its wrapped form in a market': {
    from: chosen('Native assets in markets', '201@earn'),
    accounts: { planner: ether },
    steps: [
      plans(
        'plan',
        'planner',
        'earn',
        { ...earnOf('1000000000000000'), asset: 'ETH' },
        is(context('amount', 'WRAP'), '1000000000000000'),
        is(context('asset_symbol', 'COMET_SUPPLY'), 'WETH'),
      ),
    ],
  },
  'a loan that its collateral does not carry has no plan, also when the collateral has yet to be bridged':
    {
      from: chosen('Operations that wait for a bridge', '400:plan_failed@borrow'),
      accounts: { borrower: { optimism: { WETH: '20000000000000000' } } },
      steps: [
        refuses(
          'borrower',
          'borrow',
          {
            amount: '900000000',
            asset: 'USDC',
            network: 'base',
            protocol: 'compound',
            collateral_amount: '10000000000000000',
            collateral_asset: 'WETH',
          },
          failed,
        ),
      ],
    },
  'a plan sends where it is told to': {
    from: published('contexts of actions', '201@transfer'),
    accounts: planner,
    steps: [plansTransfer('plan', 'planner', '1000000')],
    compute({ body, actor }) {
      const { signer } = actor('planner')
      const recipient = contextWith(body('plan'), 'TRANSFER', 'recipient').at('recipient')
      recipient.holds(String(recipient.value).toLowerCase() === signer.toLowerCase(), signer)
    },
  },
})
