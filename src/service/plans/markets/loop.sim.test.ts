import { afterAll, beforeAll, expect, test } from 'vitest'
import { loop, loopsOf, planFailure, unloop } from '../../../../test/kit/loops.js'
import { positionsOn } from '../../../../test/kit/positions.js'
import { createSimulator, type SimulatorHandle } from '../../../../test/kit/simulator.js'
import { openUser, type PlanBody } from '../../../../test/kit/user.js'
import { networkNames } from '../../../deployments/networks.js'

/** What both kinds have in common. */

const ether = 10n ** 18n
let sim: SimulatorHandle
let loops: ReturnType<typeof loopsOf>

beforeAll(async () => {
  sim = await createSimulator({ bridgeDelayMs: 20, rpcUnsafe: true })
  loops = loopsOf(sim)
})
afterAll(() => sim.close())

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
  const { backed } = loops
  const user = await backed()
  const unknown = { market_id: `0x${'12'.repeat(32)}` }
  const turned = { exposure_asset: 'USDC', backing_asset: 'WETH' }
  for (const [kind, body] of [
    ['loop-long', loop],
    ['unloop-long', unloop],
  ] as const) {
    expect(await user.plan(kind, { ...body, ...unknown })).toMatchObject(planFailure('not found'))
    expect(await user.plan(kind, { ...body, ...turned })).toMatchObject(planFailure('mismatch'))
  }
  expect(await user.plan('loop-long', { ...loop, pool_fee: 100 })).toMatchObject(
    planFailure('NoPool('),
  )
  expect(await user.plan('loop-long', { ...loop, is_increase: false })).toMatchObject(
    planFailure('position not found'),
  )
  expect(await user.plan('unloop-long', unloop)).toMatchObject(planFailure('position not found'))
})

test('error: a price that moves beyond the limits after planning makes both kinds stale', async () => {
  const { backed, looped, sellOnPool } = loops
  const [opener, closer, innocent] = [await backed(), await looped(), await backed()]
  const opening = (await opener.plan('loop-long', loop)).body as PlanBody
  const closing = (await closer.plan('unloop-long', unloop)).body as PlanBody
  const [dear, poor] = [
    /SwapCostTooHigh\(.*\): the swap costs \d+ of USDC, more than max_swap_backing_amount 3100000000; raise that/,
    /SwapYieldTooLow\(.*\): the swap yields \d+ of USDC, less than min_swap_backing_amount 2900000000; lower that/,
  ]
  for (const [user, plan, asset, amount, reason] of [
    [opener, opening, 'USDC', 50_000_000_000_000n, dear!],
    [closer, closing, 'WETH', 16_000n * ether, poor!],
  ] as const) {
    const earn = { asset: 'USDC', amount: '1000000', network: 'base', protocol: 'compound' }
    await innocent.run('earn', earn)
    const undo = await sellOnPool(asset, amount)
    await innocent.run('earn', earn)
    const reply = await user.execute(plan)
    await undo()
    // Who traded on the pool, and nobody else who did something meanwhile.
    expect(reply.headers.get('x-svc-sim-hint')).toMatch(/^a write over \/rpc\/base \(eth_send/)
    expect(reply).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
    expect(reply.headers.get('x-svc-sim-hint')).toMatch(reason)
  }
  // The plans stay, and can be executed when the price has come back.
  expect((await opener.execute(opening)).status).toBe(200)
  expect((await closer.execute(closing)).status).toBe(200)
})

test('behavior: a price and a trade that made a loop stale together are both named, and no trade on the pool of another fee', async () => {
  const { backed, sellOnPool } = loops
  const user = await backed()
  const { body } = await user.plan('loop-long', loop)
  const setPrice = async (usd: string) => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'PUT', headers, body: JSON.stringify({ usd }) }
    expect((await fetch(`${sim.controlUrl}/prices/ETH`, init)).status).toBe(200)
  }
  await setPrice('3090')
  const elsewhere = await sellOnPool('USDC', 50_000_000_000_000n, 3000)
  const undo = await sellOnPool('USDC', 10_000_000_000_000n)
  const refuse = async () => {
    const reply = await user.execute(body as PlanBody)
    expect(reply).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
    return reply.headers.get('x-svc-sim-hint')
  }
  const price = 'the price of ETH, WETH in USD moved from 3000 to '
  expect(await refuse()).toMatch(
    new RegExp(
      `^${price}3090 at .*, and a write over /rpc/base \\(eth_send[^;]* and changed the pool 0x\\w{40} on base; it would revert now: SwapCostTooHigh\\(`,
    ),
  )
  const told = await (await fetch(`${sim.controlUrl}/why/${(body as PlanBody).plan_id}`)).json()
  expect(told).toMatchObject({
    verdict: { cause: { cause: 'price', also: [{ cause: 'rpc', network: 'base' }] } },
  })
  await undo()
  await elsewhere()
  await setPrice('3200')
  await sellOnPool('USDC', 50_000_000_000_000n, 3000)
  const alone = await refuse()
  expect(alone?.startsWith(`${price}3200 `)).toBe(true)
  expect(alone).not.toContain('a write over')
  await setPrice('3000')
  expect((await user.execute(body as PlanBody)).status).toBe(200)
})

test.each(networkNames)('behavior: a position is opened and closed on %s', async (network) => {
  const chain = positionsOn(sim, network)
  const { id } = chain.book.morpho.markets.find(({ label }) => label.startsWith('WETH/USDC'))!
  const user = await openUser(sim)
  await user.fund(network, 'USDC', 1_500_000_000n)
  await user.run('loop-long', { ...loop, network, market_id: id })
  expect((await chain.morpho(id, user.wallet)).collateral).toBe(ether)
  await user.run('unloop-long', { ...unloop, network, market_id: id })
  const { shares, collateral } = await chain.morpho(id, user.wallet)
  expect({ shares, collateral }).toEqual({ shares: 0n, collateral: 0n })
  const left = await chain.balance('USDC', user.wallet)
  // Two swaps at 0.05 % and two fees at 0.04 % of about 3000 dollars cost a little more than 5.
  expect(left).toBeGreaterThan(1_490_000_000n)
  expect(left).toBeLessThan(1_495_000_000n)
})

test('behavior: the mere passing of time does not make a loop stale', async () => {
  const { backed } = loops
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
