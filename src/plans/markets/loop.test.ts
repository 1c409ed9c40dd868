import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readsOf } from '../../../test/kit/chainReads.js'
import { positionsOn } from '../../../test/kit/positions.js'
import { openUser, type PlanBody } from '../../../test/kit/user.js'
import { feeRecipient } from '../../chain/deployments/actors.js'
import { loadAddressBook } from '../../chain/deployments/addressBook.js'
import { networkNames } from '../../chain/deployments/networks.js'
import { createSimulator, type SimulatorHandle } from '../../index.js'

const ether = 10n ** 18n
const book = loadAddressBook()
const base = book.on('base')
const market = base.morpho.markets.find(({ label }) => label.startsWith('WETH/USDC'))!
const [weth, usdc] = [market.collateralToken, market.loanToken]
const position = {
  exposure_asset: 'WETH',
  backing_asset: 'USDC',
  market_id: market.id,
  network: 'base',
  pool_fee: 500,
}
/** One WETH, at 3000 dollars in the new world, half of it paid. */
const loop = {
  ...position,
  is_increase: true,
  exposure_amount: ether.toString(),
  max_swap_backing_amount: '3100000000',
  max_provided_backing_amount: '1500000000',
}
const unloop = {
  ...position,
  exposure_amount: 'max',
  backing_amount_to_exit: '0',
  min_swap_backing_amount: '2900000000',
}
const quoterAbi = parseAbi([
  'function quoteExactOutputSingle((address tokenIn, address tokenOut, uint256 amount, uint24 fee, uint160 limit)) returns (uint256, uint160, uint32, uint256)',
  'function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, uint24 fee, uint160 limit)) returns (uint256, uint160, uint32, uint256)',
])
const routerAbi = parseAbi([
  'function approve(address, uint256)',
  'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 minimum, uint160 limit)) returns (uint256)',
])
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ bridgeDelayMs: 20, rpcUnsafe: true })
})
afterAll(() => sim.close())

type User = Awaited<ReturnType<typeof openUser>>

async function backed(amount = 1_500_000_000n): Promise<User> {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', amount)
  return user
}

/** A long position of one WETH. */
async function looped(): Promise<User> {
  const user = await backed()
  await user.run('loop-long', loop)
  return user
}

const chain = () => positionsOn(sim, 'base')

/** What the pool asks for so much exposure now, by Uniswap's own quoter. */
async function costOf(amount: bigint, fee = 500): Promise<bigint> {
  const { result } = await chain().client.simulateContract({
    address: base.uniswap.quoter,
    abi: quoterAbi,
    functionName: 'quoteExactOutputSingle',
    args: [{ tokenIn: usdc, tokenOut: weth, amount, fee, limit: 0n }],
  })
  return result[0]
}

async function yieldOf(amountIn: bigint, fee = 500): Promise<bigint> {
  const { result } = await chain().client.simulateContract({
    address: base.uniswap.quoter,
    abi: quoterAbi,
    functionName: 'quoteExactInputSingle',
    args: [{ tokenIn: weth, tokenOut: usdc, amountIn, fee, limit: 0n }],
  })
  return result[0]
}

/** Somebody else sells so much of a token on the pool; resolves to a function that buys it back. */
async function sellOnPool(asset: 'WETH' | 'USDC', amount: bigint): Promise<() => Promise<void>> {
  const reads = readsOf(sim)
  const trader: Address = '0x000000000000000000000000000000000007ade4'
  const other = asset === 'WETH' ? 'USDC' : 'WETH'
  const addressOf = { WETH: weth, USDC: usdc }
  const send = (to: Address, data: Hex) => {
    // A swap in another second than the one it was estimated in needs more gas: the pool then writes an observation.
    const call = { to, data, gas: '0xf4240' }
    return reads.sendAs('base', trader, call)
  }
  const swap = async (sold: typeof asset, amountIn: bigint) => {
    const tokenIn = addressOf[sold]
    const tokenOut = sold === 'WETH' ? usdc : weth
    const args = [base.uniswap.swapRouter, amountIn] as const
    await send(tokenIn, encodeFunctionData({ abi: routerAbi, functionName: 'approve', args }))
    const ends = { tokenIn, tokenOut, fee: 500, recipient: trader }
    const params = { ...ends, amountIn, minimum: 0n, limit: 0n }
    const call = { abi: routerAbi, functionName: 'exactInputSingle', args: [params] } as const
    await send(base.uniswap.swapRouter, encodeFunctionData(call))
  }
  await sim.fund({ address: trader, asset, network: 'base', amount: amount.toString() })
  const before = await chain().balance(other, trader)
  await swap(asset, amount)
  const bought = (await chain().balance(other, trader)) - before
  return () => swap(other, bought)
}

function failure(message: string) {
  return { status: 400, body: { error: 'plan_failed', message: expect.stringContaining(message) } }
}

test('error: malformed bodies of both kinds', async () => {
  const user = await openUser(sim)
  const bad = [
    { market_id: '0x12' },
    { market_id: undefined },
    { exposure_amount: '0' },
    { pool_fee: '500' },
    { pool_fee: 0 },
    { pool_fee: 0.5 },
    { pool_fee: 1_000_000 },
    { network: 'nowhere' },
  ]
  const badLoop = [
    { is_increase: 'true' },
    { is_increase: undefined },
    { max_swap_backing_amount: '0' },
    { max_provided_backing_amount: '-1' },
  ]
  for (const change of [...bad, ...badLoop])
    expect(await user.plan('loop-long', { ...loop, ...change })).toMatchObject({
      status: 400,
      body: { error: 'invalid_params' },
    })
  for (const change of [...bad, { min_swap_backing_amount: 'max' }, { backing_amount_to_exit: '' }])
    expect(await user.plan('unloop-long', { ...unloop, ...change })).toMatchObject({
      status: 400,
      body: { error: 'invalid_params' },
    })
})

test('error: an unknown market, another pair, a fee without a pool, no position', async () => {
  const user = await backed()
  const unknown = { market_id: `0x${'12'.repeat(32)}` }
  const turned = { exposure_asset: 'USDC', backing_asset: 'WETH' }
  for (const [kind, body] of [
    ['loop-long', loop],
    ['unloop-long', unloop],
  ] as const) {
    expect(await user.plan(kind, { ...body, ...unknown })).toMatchObject(failure('not found'))
    expect(await user.plan(kind, { ...body, ...turned })).toMatchObject(failure('mismatch'))
  }
  expect(await user.plan('loop-long', { ...loop, pool_fee: 100 })).toMatchObject(failure('NoPool('))
  expect(await user.plan('loop-long', { ...loop, is_increase: false })).toMatchObject(
    failure('position not found'),
  )
  expect(await user.plan('unloop-long', unloop)).toMatchObject(failure('position not found'))
})

test('error: loop-long: everything as exposure, a cost above the limit, backing that is not there', async () => {
  const user = await backed()
  const plan = (change: object) => user.plan('loop-long', { ...loop, ...change })
  expect(await plan({ exposure_amount: 'max' })).toMatchObject(
    failure('Loop long does not support max exposure amount'),
  )
  const cost = await costOf(ether + (ether * 4n) / 9996n)
  expect(await plan({ max_swap_backing_amount: (cost - 1n).toString() })).toMatchObject(
    failure(`SwapCostTooHigh(${cost}, ${cost - 1n})`),
  )
  expect((await plan({ max_swap_backing_amount: cost.toString() })).status).toBe(201)
  expect(await plan({ max_provided_backing_amount: '1500000001' })).toMatchObject(
    failure('insufficient resources of USDC'),
  )
  // The market lends up to 86 % of the collateral.
  expect(await plan({ max_provided_backing_amount: '400000000' })).toMatchObject(
    failure('insufficient collateral'),
  )
  expect(await plan({ exposure_amount: (10n ** 9n * ether).toString() })).toMatchObject(
    failure('NotEnoughLiquidity('),
  )
})

test.each([500, 3000, 10_000])(
  'default: loop-long on the pool of fee %d reaches the exposure at the pool’s price, to the unit',
  async (pool_fee) => {
    const user = await backed()
    const fee = (ether * 4n) / 9996n
    const [cost, paidBefore] = [
      await costOf(ether + fee, pool_fee),
      await chain().balance('WETH', feeRecipient),
    ]
    const { plan, activity } = await user.run('loop-long', { ...loop, pool_fee })
    expect(plan.details.svc_operation_actions).toHaveLength(1)
    expect(plan.details.svc_operation_actions[0]!.action.action_context).toMatchObject({
      action_type: 'LOOP_LONG',
      exposure_amount: ether.toString(),
      fee_amount: fee.toString(),
      fee_asset_symbol: 'WETH',
      borrow_market_id: market.id,
      borrow_venue: 'MORPHO_BLUE',
      swap_venue: 'UNISWAP_V3',
      is_increase: true,
    })
    expect(activity.activity_status).toBe('confirmed')
    const { debt, collateral } = await chain().morpho(market.id, user.wallet)
    expect(collateral).toBe(ether)
    const borrowed = cost - 1_500_000_000n
    expect(debt - borrowed).toBeLessThanOrEqual(1n)
    expect(debt).toBeGreaterThanOrEqual(borrowed)
    expect(await chain().balance('USDC', user.wallet)).toBe(0n)
    expect(await chain().balance('WETH', user.wallet)).toBe(0n)
    expect((await chain().balance('WETH', feeRecipient)) - paidBefore).toBe(fee)
    expect(activity.activity_metadata[0]).toMatchObject({
      action_type: 'LOOP_LONG',
      semantic_events: [
        {
          event_type: 'loop_long',
          event_metadata: {
            exposure_amount: ether.toString(),
            backing_amount: '1500000000',
            swap_input_token: usdc,
            swap_input_amount: cost.toString(),
            swap_output_token: weth,
            swap_output_amount: (ether + fee).toString(),
          },
        },
      ],
    })
  },
)

test('behavior: loop-long: everything the wallet has on all networks is provided, but no more than the cost', async () => {
  const user = await backed(1_000_000_000n)
  await user.fund('optimism', 'USDC', 1_000_000_000n)
  const { plan, activity } = await user.run('loop-long', {
    ...loop,
    max_provided_backing_amount: 'max',
  })
  const types = plan.details.svc_operation_actions.map(
    ({ action }) => action.action_context.action_type,
  )
  expect(types).toEqual(['BRIDGE', 'LOOP_LONG'])
  expect(activity.activity_status).toBe('confirmed')
  expect(await chain().balance('USDC', user.wallet)).toBe(0n)

  const rich = await backed(10_000_000_000n)
  const fee = (ether * 4n) / 9996n
  const cost = await costOf(ether + fee)
  await rich.run('loop-long', { ...loop, max_provided_backing_amount: 'max' })
  expect((await chain().morpho(market.id, rich.wallet)).shares).toBe(0n)
  expect(await chain().balance('USDC', rich.wallet)).toBe(10_000_000_000n - cost)
})

test('behavior: loop-long adds to a position, also without new backing', async () => {
  const user = await looped()
  await user.run('loop-long', {
    ...loop,
    is_increase: false,
    exposure_amount: (ether / 10n).toString(),
    max_provided_backing_amount: '0',
  })
  expect((await chain().morpho(market.id, user.wallet)).collateral).toBe(ether + ether / 10n)
})

test('error: unloop-long: a yield below the limit, more exposure than there is, more exit than yield', async () => {
  const user = await looped()
  const plan = (change: object) => user.plan('unloop-long', { ...unloop, ...change })
  const received = await yieldOf(ether)
  expect(await plan({ min_swap_backing_amount: (received + 1n).toString() })).toMatchObject(
    failure(`SwapYieldTooLow(${received}, ${received + 1n})`),
  )
  expect((await plan({ min_swap_backing_amount: received.toString() })).status).toBe(201)
  expect(await plan({ exposure_amount: (ether + 1n).toString() })).toMatchObject(
    failure('insufficient collateral'),
  )
  expect(await plan({ backing_amount_to_exit: '1' })).toMatchObject(
    failure('when exposureAmount is max (full unloop), backingAmountToExit must be 0'),
  )
  const tenth = { exposure_amount: (ether / 10n).toString(), min_swap_backing_amount: '0' }
  expect(await plan({ ...tenth, backing_amount_to_exit: '400000000' })).toMatchObject(
    failure('ExitAboveProceeds(400000000, '),
  )
  // Selling 90 % without repaying would leave the debt without collateral.
  expect(
    await plan({
      exposure_amount: ((ether * 9n) / 10n).toString(),
      min_swap_backing_amount: '0',
      backing_amount_to_exit: 'max',
    }),
  ).toMatchObject(failure('insufficient collateral'))
})

test('default: unloop-long closes the position after interest; no debt, no collateral, no dust', async () => {
  const user = await looped()
  await Promise.all(networkNames.map((name) => positionsOn(sim, name).warp(30 * 86_400)))
  const [received, paidBefore] = [await yieldOf(ether), await chain().balance('USDC', feeRecipient)]
  const { plan, activity } = await user.run('unloop-long', unloop)
  expect(activity.activity_status).toBe('confirmed')
  expect(plan.details.svc_operation_actions[0]!.action.action_context).toMatchObject({
    action_type: 'UNLOOP_LONG',
    exposure_amount: ether.toString(),
    fee_amount: '1160000',
    fee_asset_symbol: 'USDC',
    min_swap_backing_amount: '2900000000',
    backing_amount_to_exit: '0',
  })
  const { shares, collateral } = await chain().morpho(market.id, user.wallet)
  expect({ shares, collateral }).toEqual({ shares: 0n, collateral: 0n })
  expect((await chain().balance('USDC', feeRecipient)) - paidBefore).toBe(1_160_000n)
  const [event] = activity.activity_metadata[0]!.semantic_events as {
    event_type: string
    event_metadata: Record<string, string>
  }[]
  expect(event).toMatchObject({
    event_type: 'unloop_long',
    event_metadata: {
      exposure_amount: ether.toString(),
      swap_input_token: weth,
      swap_input_amount: ether.toString(),
      swap_output_token: usdc,
      swap_output_amount: received.toString(),
    },
  })
  expect(await chain().balance('USDC', user.wallet)).toBe(
    BigInt(event!.event_metadata.backing_amount!),
  )
  expect(await chain().balance('WETH', user.wallet)).toBe(0n)
  for (const contract of [base.morpho.morpho, base.uniswap.factory])
    expect(await allowance(usdc, user.wallet, contract)).toBe(0n)
})

test('behavior: unloop-long reduces: what is not kept repays debt', async () => {
  const user = await looped()
  const before = await chain().morpho(market.id, user.wallet)
  const half = ether / 2n
  const received = await yieldOf(half)
  const { activity } = await user.run('unloop-long', {
    ...unloop,
    exposure_amount: half.toString(),
    backing_amount_to_exit: '100000000',
    min_swap_backing_amount: '1000000000',
  })
  expect(activity.activity_status).toBe('confirmed')
  const after = await chain().morpho(market.id, user.wallet)
  expect(after.collateral).toBe(half)
  expect(await chain().balance('USDC', user.wallet)).toBe(100_000_000n)
  const repaid = received - 400_000n - 100_000_000n
  // Interest of a few seconds, and the market's rounding.
  expect(after.debt - (before.debt - repaid)).toBeGreaterThanOrEqual(0n)
  expect(after.debt - (before.debt - repaid)).toBeLessThan(1000n)
})

test('behavior: unloop-long keeps everything, and repays no more than the debt', async () => {
  const user = await looped()
  const tenth = { exposure_amount: (ether / 10n).toString(), min_swap_backing_amount: '0' }
  const received = await yieldOf(ether / 10n)
  await user.run('unloop-long', { ...unloop, ...tenth, backing_amount_to_exit: 'max' })
  expect(await chain().balance('USDC', user.wallet)).toBe(received)
  // Nine tenths fetch more than is owed.
  await user.run('unloop-long', {
    ...unloop,
    exposure_amount: ((ether * 9n) / 10n).toString(),
    min_swap_backing_amount: '0',
  })
  const { shares, collateral } = await chain().morpho(market.id, user.wallet)
  expect({ shares, collateral }).toEqual({ shares: 0n, collateral: 0n })
  expect(await chain().balance('USDC', user.wallet)).toBeGreaterThan(received)
})

test('error: a price that moves beyond the limits after planning makes both kinds stale', async () => {
  const [opener, closer] = [await backed(), await looped()]
  const opening = (await opener.plan('loop-long', loop)).body as PlanBody
  const closing = (await closer.plan('unloop-long', unloop)).body as PlanBody
  for (const [user, plan, asset, amount, reason] of [
    [opener, opening, 'USDC', 50_000_000_000_000n, 'SwapCostTooHigh('],
    [closer, closing, 'WETH', 16_000n * ether, 'SwapYieldTooLow('],
  ] as const) {
    const undo = await sellOnPool(asset, amount)
    const reply = await user.execute(plan)
    await undo()
    expect(reply).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
    expect(reply.headers.get('x-svc-sim-hint')).toContain(reason)
  }
  // The plans stay, and can be executed when the price has come back.
  expect((await opener.execute(opening)).status).toBe(200)
  expect((await closer.execute(closing)).status).toBe(200)
})

test('error: a position whose exposure does not pay its debt cannot be closed', async () => {
  const user = await backed(500_000_000n)
  await user.run('loop-long', { ...loop, max_provided_backing_amount: 'max' })
  const undo = await sellOnPool('WETH', 40_000n * ether)
  const reply = await user.plan('unloop-long', { ...unloop, min_swap_backing_amount: '0' })
  await undo()
  expect(reply).toMatchObject(failure('ProceedsBelowDebt('))
})

test.each(networkNames)('behavior: a position is opened and closed on %s', async (network) => {
  const place = positionsOn(sim, network)
  const { id } = place.place.morpho.markets.find(({ label }) => label.startsWith('WETH/USDC'))!
  const user = await openUser(sim)
  await user.fund(network, 'USDC', 1_500_000_000n)
  await user.run('loop-long', { ...loop, network, market_id: id })
  expect((await place.morpho(id, user.wallet)).collateral).toBe(ether)
  await user.run('unloop-long', { ...unloop, network, market_id: id })
  const { shares, collateral } = await place.morpho(id, user.wallet)
  expect({ shares, collateral }).toEqual({ shares: 0n, collateral: 0n })
  const left = await place.balance('USDC', user.wallet)
  // Two swaps at 0.05 % and two fees at 0.04 % of about 3000 dollars cost a little more than 5.
  expect(left).toBeGreaterThan(1_490_000_000n)
  expect(left).toBeLessThan(1_495_000_000n)
})

test('behavior: the mere passing of time does not make a loop stale', async () => {
  const user = await backed()
  const { body } = await user.plan('loop-long', loop)
  await Promise.all(networkNames.map((name) => positionsOn(sim, name).warp(60)))
  const { activity_id } = (await user.execute(body as PlanBody)).body as { activity_id: string }
  expect((await user.follow(activity_id)).activity_status).toBe('confirmed')
  const closing = (await user.plan('unloop-long', unloop)).body as PlanBody
  await Promise.all(networkNames.map((name) => positionsOn(sim, name).warp(60)))
  const closed = (await user.execute(closing)).body as { activity_id: string }
  expect((await user.follow(closed.activity_id)).activity_status).toBe('confirmed')
})

async function allowance(token: Address, owner: Address, spender: Address): Promise<bigint> {
  return chain().client.readContract({
    address: token,
    abi: parseAbi(['function allowance(address, address) view returns (uint256)']),
    functionName: 'allowance',
    args: [owner, spender],
  })
}
