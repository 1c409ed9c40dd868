import { encodeAbiParameters, encodeEventTopics, type Hex, pad, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Log } from '../../../chain/rpc/node.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import type { ActionContext } from '../model/contexts.js'
import { planKinds } from './index.js'

/** What kinds read from the logs of an operation that ran. The logs are made here; real ones are read in the tier `sim`. */

const base = loadAddressBook().on('base')
const usdc = base.tokens.find(({ symbol }) => symbol === 'USDC')!.address
const weth = base.tokens.find(({ symbol }) => symbol === 'WETH')!.address
const wallet = '0x2222222222222222222222222222222222222222'
const friend = '0x00000000000000000000000000000000000f41e7'
const { morpho, markets } = base.morpho
const { id } = markets[0]!

const events = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
  'event SupplyCollateral(bytes32 indexed id, address indexed caller, address indexed onBehalf, uint256 assets)',
  'event WithdrawCollateral(bytes32 indexed id, address caller, address indexed onBehalf, address indexed receiver, uint256 assets)',
  'event Borrow(bytes32 indexed id, address caller, address indexed onBehalf, address indexed receiver, uint256 assets, uint256 shares)',
  'event Repay(bytes32 indexed id, address indexed caller, address indexed onBehalf, uint256 assets, uint256 shares)',
])

let lastIndex = 0

/** A log of a contract: the event's indexed arguments, then its data. */
function log(address: string, topics: (Hex | Hex[] | null)[], words: bigint[]): Log {
  const data = encodeAbiParameters(
    words.map(() => ({ type: 'int256' })),
    words,
  )
  const index = `0x${(++lastIndex).toString(16)}`
  return { address, topics: topics.flat(), data, logIndex: index } as unknown as Log
}

const sent = (token: string, to: Hex, value: bigint) =>
  log(
    token,
    encodeEventTopics({ abi: events, eventName: 'Transfer', args: { from: wallet, to } }),
    [value],
  )

const swapped = (amount0: bigint, amount1: bigint) => {
  const args = { sender: wallet, recipient: wallet } as const
  const topics = encodeEventTopics({ abi: events, eventName: 'Swap', args })
  return log('0x00000000000000000000000000000000000000aa', topics, [amount0, amount1, 1n, 1n, 0n])
}

/** A move of a Morpho market; `caller` stands before the amounts where the event does not index it. */
function moved(
  eventName: 'SupplyCollateral' | 'WithdrawCollateral' | 'Borrow' | 'Repay',
  amount: bigint,
  market: Hex = id,
): Log {
  const isPlainCaller = eventName === 'WithdrawCollateral' || eventName === 'Borrow'
  const args = { id: market, caller: wallet, onBehalf: wallet, receiver: wallet } as const
  const topics = encodeEventTopics({ abi: events, eventName, args: args as never })
  return log(morpho, topics, [...(isPlainCaller ? [BigInt(wallet)] : []), amount, 1n])
}

const observe = (path: string, context: object, logs: readonly Log[]) =>
  planKinds.find((kind) => kind.path === path)!.observe(context as ActionContext, logs, base)

const transfer = {
  ...{ action_type: 'TRANSFER', token: usdc, recipient: friend },
  ...{ amount: '7', price: '200000000' },
}

test('default: a transfer is what arrived at the recipient, in the token', () => {
  const logs = [sent(usdc, friend, 3_000_000n), sent(usdc, wallet, 9n), sent(weth, friend, 9n)]
  expect(observe('transfer', transfer, logs)).toEqual([
    {
      event_type: 'outbound_transfer',
      log_indices: [Number(logs[0]!.logIndex)],
      event_metadata: {
        ...{ token: usdc, recipient: friend, amount: '3000000', dollar_value: '600000000' },
      },
    },
  ])
})

test('behavior: a native transfer leaves no log: it is the planned amount', () => {
  const native = base.tokens.find((token) => token.native)!.address
  const observed = observe('transfer', { ...transfer, token: native }, [sent(usdc, friend, 9n)])
  expect(observed).toMatchObject([{ log_indices: [], event_metadata: { amount: '7' } }])
})

const loop = {
  ...{ borrow_market_id: id, borrow_venue: 'MORPHO', swap_venue: 'UNISWAP_V3', fee_amount: '5' },
  ...{ exposure_token: weth, exposure_token_price: '300000000000' },
  ...{ backing_token: usdc, backing_token_price: '100000000' },
}
const other: Hex = pad('0x01')

test('behavior: a loop pays with what it borrowed and its own; the pool counts what it takes above zero', () => {
  const context = { ...loop, action_type: 'LOOP_LONG' }
  const swap = swapped(-2n * 10n ** 18n, 6_100_000_000n)
  const moves = [
    ...[moved('SupplyCollateral', 10n ** 18n), moved('SupplyCollateral', 10n ** 18n)],
    ...[moved('SupplyCollateral', 1n, other), moved('Borrow', 4_000_000_000n)],
  ]
  expect(observe('loop-long', context, [swap, ...moves])).toMatchObject([
    {
      event_type: 'loop_long',
      log_indices: [Number(swap.logIndex)],
      event_metadata: {
        ...{ exposure_amount: `${2n * 10n ** 18n}`, exposure_dollar_value: '600000000000' },
        ...{ backing_amount: '2100000000', backing_dollar_value: '210000000000' },
        ...{ swap_input_token: usdc, swap_input_amount: '6100000000' },
        ...{ swap_output_token: weth, swap_output_amount: `${2n * 10n ** 18n}` },
      },
    },
  ])
  expect(observe('loop-long', context, moves)).toEqual([])
})

test('behavior: an unloop returns what the sale brought, less fee and repaid debt', () => {
  const context = { ...loop, action_type: 'UNLOOP_LONG' }
  const swap = swapped(10n ** 18n, -3_000_000_000n)
  const moves = [moved('WithdrawCollateral', 10n ** 18n), moved('Repay', 1_000_000_000n)]
  expect(observe('unloop-long', context, [swap, ...moves])).toMatchObject([
    {
      event_type: 'unloop_long',
      event_metadata: {
        ...{ exposure_amount: `${10n ** 18n}`, backing_amount: '1999999995' },
        ...{ swap_input_token: weth, swap_output_token: usdc, swap_output_amount: '3000000000' },
      },
    },
  ])
})

test('behavior: a Morpho loan reads the market that it names', () => {
  const context = {
    ...{ morpho, morpho_market_id: id, token: usdc, price: '100000000' },
    ...{ collateral_token: weth, collateral_token_price: '300000000000' },
  }
  const types = (path: string, type: string, logs: Log[]) =>
    observe(path, { ...context, action_type: type }, logs).map(({ event_type, event_metadata }) => [
      event_type,
      (event_metadata as { amount: string }).amount,
    ])
  const taken = [moved('SupplyCollateral', 5n), moved('Borrow', 7n), moved('Borrow', 9n, other)]
  expect(types('borrow', 'MORPHO_BORROW', taken)).toEqual([
    ['morpho_supply_collateral', '5'],
    ['morpho_borrow', '7'],
  ])
  expect(
    types('repay', 'MORPHO_REPAY', [moved('Repay', 7n), moved('WithdrawCollateral', 5n)]),
  ).toEqual([
    ['morpho_repay', '7'],
    ['morpho_withdraw_collateral', '5'],
  ])
})

describe('error: the context of another kind', () => {
  const logs = [sent(usdc, friend, 1n), swapped(1n, -1n), moved('Borrow', 1n)]

  test.each(['transfer', 'loop-long', 'unloop-long'])('%s observes nothing in it', (path) => {
    expect(observe(path, { ...transfer, ...loop, action_type: 'WRAP_ASSET' }, logs)).toEqual([])
  })
})
