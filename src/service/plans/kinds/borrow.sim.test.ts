import { afterAll, beforeAll, expect, test } from 'vitest'
import { positionsOn } from '../../../../test/kit/positions.js'
import { createSimulator, type SimulatorHandle } from '../../../../test/kit/simulator.js'
import { openUser, type PlanBody } from '../../../../test/kit/user.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'

const ether = 10n ** 18n
const { markets } = loadAddressBook().on('base').morpho
const wethUsdc = markets.find(({ label }) => label.startsWith('WETH/USDC'))!.id
const onComet = {
  asset: 'USDC',
  amount: '1000000000',
  collateral_asset: 'WETH',
  collateral_amount: ether.toString(),
  network: 'base',
  protocol: 'compound',
}
const onMorpho = { ...onComet, protocol: 'morpho', market: wethUsdc }
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ bridgeDelayMs: 20, rpcUnsafe: true })
})
afterAll(() => sim.close())

async function borrower(weth = ether) {
  const user = await openUser(sim)
  await user.fund('base', 'WETH', weth)
  return user
}

function failure(message: string) {
  return { status: 400, body: { error: 'plan_failed', message: expect.stringContaining(message) } }
}

test('error: bodies that no market could make sense of', async () => {
  const user = await borrower()
  const bad = [
    { amount: '0' },
    { amount: 'max' },
    { collateral_amount: '-1' },
    { collateral_asset: 'NOPE' },
    { protocol: 'aave' },
    { protocol: 'morpho', market: undefined },
    { protocol: 'morpho', market: `0x${'1'.repeat(63)}` },
    { protocol: 'morpho', market: '8793cf30' },
    { market: 42 },
  ]
  for (const change of bad)
    expect(
      await user.plan('borrow', { ...onComet, ...change }),
      JSON.stringify(change),
    ).toMatchObject({ status: 400, body: { error: 'invalid_params' } })
})

test('error: morpho: an unknown market, and one of another pair', async () => {
  const user = await borrower()
  const unknown = await user.plan('borrow', { ...onMorpho, market: `0x${'12'.repeat(32)}` })
  expect(unknown).toMatchObject(failure('morpho market not found: base has no market 0x1212'))
  const turned = { ...onMorpho, asset: 'WETH', collateral_asset: 'USDC' }
  expect(await user.plan('borrow', turned)).toMatchObject(
    failure('lends USDC against WETH, not WETH against USDC'),
  )
})

test('error: too little collateral, with the market’s own reason and what would do', async () => {
  const user = await borrower()
  const tooLittle = ': the collateral is worth too little for the debt; send more collateral_amount'
  expect(await user.plan('borrow', { ...onComet, amount: '2900000000' })).toMatchObject(
    failure(`NotCollateralized()${tooLittle}`),
  )
  expect(await user.plan('borrow', { ...onMorpho, amount: '3200000000' })).toMatchObject(
    failure(`insufficient collateral${tooLittle}`),
  )
  // No collateral at all, neither brought nor there.
  const nothing = { collateral_amount: '0' }
  expect(await user.plan('borrow', { ...onComet, ...nothing })).toMatchObject(
    failure(`NotCollateralized()${tooLittle}`),
  )
})

test('error: more than the market has, of either, said with what would do', async () => {
  const weth = 1_000_000n * ether
  const user = await borrower(weth)
  const more = { amount: '900000000000000', collateral_amount: weth.toString() }
  expect(await user.plan('borrow', { ...onMorpho, ...more })).toMatchObject(
    failure('insufficient liquidity: the market has less than that to lend; ask for less amount'),
  )
  expect(await user.plan('borrow', { ...onComet, ...more })).toMatchObject(
    failure('SupplyCapExceeded(): the market takes no more than its supply cap'),
  )
})

test('error: less than the market’s minimum, said with the minimum', async () => {
  const user = await openUser(sim)
  await user.fund('mainnet', 'WETH', ether)
  const little = { ...onComet, network: 'mainnet', amount: '99999999' }
  expect(await user.plan('borrow', little)).toMatchObject(
    failure('borrow too small: Compound USDC lends at least 100000000 of USDC, 99999999 was asked'),
  )
})

test('error: more collateral than all networks hold', async () => {
  const user = await borrower()
  const more = { ...onMorpho, collateral_amount: (2n * ether).toString() }
  expect(await user.plan('borrow', more)).toMatchObject(failure('insufficient resources of WETH'))
})

test('default: a loan on Morpho Blue', async () => {
  const user = await borrower()
  const { plan, activity } = await user.run('borrow', { ...onMorpho, collateral_amount: 'max' })
  const { action_context } = plan.details.svc_operation_actions[0]!.action
  expect(action_context).toMatchObject({
    action_type: 'MORPHO_BORROW',
    amount: '1000000000',
    asset_symbol: 'USDC',
    chain_id: '8453',
    collateral_amount: ether.toString(),
    collateral_asset_symbol: 'WETH',
    morpho_market_id: wethUsdc,
  })
  expect(activity.activity_status).toBe('confirmed')
  expect(activity.activity_metadata[0]).toMatchObject({
    action_type: 'MORPHO_BORROW',
    semantic_events: [
      {
        event_type: 'morpho_supply_collateral',
        event_metadata: { morpho_market_id: wethUsdc, amount: ether.toString() },
      },
      {
        event_type: 'morpho_borrow',
        event_metadata: { morpho_market_id: wethUsdc, amount: '1000000000' },
      },
    ],
  })
  const chain = positionsOn(sim, 'base')
  const { debt, collateral } = await chain.morpho(wethUsdc, user.wallet)
  expect(collateral).toBe(ether)
  expect(debt - 1_000_000_000n).toBeLessThanOrEqual(1n)
  expect(await chain.balance('USDC', user.wallet)).toBe(1_000_000_000n)
  const { folio } = (await user.api.get(`${user.path}/folio`)).body as {
    folio: { balances: Record<string, string>; borrow_markets: Record<string, unknown> }
  }
  expect(folio.balances).toMatchObject({
    [`borrow_market/morpho/base/WETH/USDC/${user.wallet}`]: expect.stringMatching(/^1000\.?\d*e6$/),
    [`borrow_market_collateral/morpho/base/WETH/USDC/WETH/${user.wallet}`]: '1e18',
  })
  expect(folio.borrow_markets).toHaveProperty(['morpho/base/WETH/USDC', 'total_borrow'])
})

test('behavior: a loan against native ETH on another network: bridged, wrapped, supplied, borrowed', async () => {
  const user = await openUser(sim)
  await user.fund('arbitrum', 'ETH', 2n * ether)
  const { plan, activity } = await user.run('borrow', onMorpho)
  const types = plan.details.svc_operation_actions.map(
    ({ action }) => action.action_context.action_type,
  )
  expect(types).toEqual(['WRAP', 'BRIDGE', 'WRAP', 'MORPHO_BORROW'])
  expect(activity.activity_status).toBe('confirmed')
  expect((await positionsOn(sim, 'base').morpho(wethUsdc, user.wallet)).collateral).toBe(ether)
})

test('behavior: no new collateral: more is borrowed against what is there', async () => {
  const user = await borrower()
  const chain = positionsOn(sim, 'base')
  for (const request of [onComet, onMorpho]) {
    await user.fund('base', 'WETH', ether)
    await user.run('borrow', request)
    const { activity } = await user.run('borrow', { ...request, collateral_amount: '0' })
    expect(activity.activity_status).toBe('confirmed')
  }
  expect(await chain.balance('USDC', user.wallet)).toBe(4_000_000_000n)
  expect((await chain.comet('USDC', 'WETH', user.wallet)).collateral).toBe(ether)
  expect((await chain.morpho(wethUsdc, user.wallet)).collateral).toBe(ether)
})

test('behavior: the mere passing of time does not make a loan stale', async () => {
  const user = await borrower()
  const { body } = await user.plan('borrow', onMorpho)
  await positionsOn(sim, 'base').warp(60)
  expect((await user.execute(body as PlanBody)).status).toBe(200)
})
