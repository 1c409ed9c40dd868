import { afterAll, beforeAll, expect, test } from 'vitest'
import { positionsOn } from '../../../../test/kit/positions.js'
import { createSimulator, type SimulatorHandle } from '../../../../test/kit/simulator.js'
import { openUser } from '../../../../test/kit/user.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import { networkNames } from '../../../deployments/networks.js'

const ether = 10n ** 18n
const { markets } = loadAddressBook().on('base').morpho
const marketOf = (label: string) => markets.find((each) => each.label.startsWith(label))!.id
const long = {
  exposure_asset: 'WETH',
  backing_asset: 'USDC',
  market_id: marketOf('WETH/USDC'),
  is_short: false,
  network: 'base',
}
/** Owes WETH against USDC. */
const short = { ...long, market_id: marketOf('USDC/WETH'), is_short: true }
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ rpcUnsafe: true })
})
afterAll(() => sim.close())

type User = Awaited<ReturnType<typeof openUser>>

/** A long position: 1 WETH of collateral, 1000 USDC owed, and these in the wallet. */
async function longUser(): Promise<User> {
  const user = await openUser(sim)
  await user.fund('base', 'WETH', ether)
  await user.run('borrow', {
    asset: 'USDC',
    amount: '1000000000',
    collateral_asset: 'WETH',
    collateral_amount: 'max',
    network: 'base',
    protocol: 'morpho',
    market: long.market_id,
  })
  return user
}

/** A short position: 5000 USDC of collateral, 0.5 WETH owed. */
async function shortUser(): Promise<User> {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000_000n)
  await user.run('borrow', {
    asset: 'WETH',
    amount: (ether / 2n).toString(),
    collateral_asset: 'USDC',
    collateral_amount: 'max',
    network: 'base',
    protocol: 'morpho',
    market: short.market_id,
  })
  return user
}

const usdcOf = ({ wallet }: User) => positionsOn(sim, 'base').balance('USDC', wallet)
const positionIn = (intent: typeof long, { wallet }: User) =>
  positionsOn(sim, 'base').morpho(intent.market_id, wallet)

function failure(message: string) {
  return { status: 400, body: { error: 'plan_failed', message: expect.stringContaining(message) } }
}

test('error: malformed bodies of both kinds', async () => {
  const user = await openUser(sim)
  const bad = [
    { amount: '0' },
    { amount: '-1' },
    { market_id: '0x12' },
    { market_id: undefined },
    { is_short: 'false' },
    { is_short: undefined },
    { exposure_asset: 'NOPE' },
  ]
  for (const kind of ['add-backing', 'withdraw-backing'])
    for (const change of bad)
      expect(await user.plan(kind, { ...long, amount: '1', ...change })).toMatchObject({
        status: 400,
        body: { error: 'invalid_params' },
      })
  expect(await user.plan('withdraw-backing', { ...long, amount: 'max' })).toMatchObject({
    body: { error: 'invalid_params', message: expect.stringContaining('name the amount') },
  })
})

test('error: an unknown market, a pair that is not the market’s, no position', async () => {
  const user = await openUser(sim)
  for (const kind of ['add-backing', 'withdraw-backing']) {
    const plan = (change: object) => user.plan(kind, { ...long, amount: '1', ...change })
    expect(await plan({ market_id: `0x${'12'.repeat(32)}` })).toMatchObject(
      failure('morpho market not found'),
    )
    expect(await plan({ is_short: true })).toMatchObject(
      failure('lends USDC against WETH, not WETH against USDC'),
    )
    expect(await plan({ exposure_asset: 'cbBTC' })).toMatchObject(failure('mismatch'))
    expect(await plan({})).toMatchObject(failure('position not found'))
  }
})

test('error: more than the debt, more than the collateral, more than the market allows', async () => {
  const [inLong, inShort] = [await longUser(), await shortUser()]
  expect(await inLong.plan('add-backing', { ...long, amount: '1100000000' })).toMatchObject(
    failure('repay amount exceeds debt'),
  )
  const owing = 'insufficient collateral: the position would owe too much'
  for (const [user, intent, amount, says] of [
    [inLong, long, '1900000000', owing],
    [inShort, short, '4000000000', owing],
    [inShort, short, '5000000001', 'insufficient collateral'],
    [inShort, short, 'max', owing],
  ] as const)
    expect(await user.plan('withdraw-backing', { ...intent, amount })).toMatchObject(failure(says))
})

test('default: long: backing repays debt, and borrowing more takes it out again', async () => {
  const user = await longUser()
  const { plan, activity } = await user.run('add-backing', { ...long, amount: '400000000' })
  expect(plan.details.svc_operation_actions[0]!.action.action_context).toMatchObject({
    action_type: 'ADD_BACKING_TOKEN',
    amount: '400000000',
    asset_symbol: 'USDC',
    backing_asset_symbol: 'USDC',
    borrow_market_id: long.market_id,
    borrow_venue: 'MORPHO_BLUE',
    exposure_asset_symbol: 'WETH',
    is_short: false,
  })
  expect(activity).toMatchObject({
    activity_status: 'confirmed',
    activity_metadata: [
      {
        action_type: 'ADD_BACKING_TOKEN',
        semantic_events: [
          {
            event_type: 'add_backing_to_loop',
            event_metadata: { backing_amount: '400000000', is_short: false },
          },
        ],
      },
    ],
  })
  const { debt, collateral } = await positionIn(long, user)
  expect(collateral).toBe(ether)
  expect(debt - 600_000_000n).toBeLessThan(1000n)
  expect(await usdcOf(user)).toBe(600_000_000n)

  const out = await user.run('withdraw-backing', { ...long, amount: '100000000' })
  expect(out.activity.activity_metadata[0]).toMatchObject({
    success: true,
    action_type: 'WITHDRAW_BACKING_TOKEN',
    semantic_events: [
      {
        event_type: 'withdraw_backing_from_loop',
        event_metadata: { backing_amount: '100000000' },
      },
    ],
  })
  expect(await usdcOf(user)).toBe(700_000_000n)
  expect((await positionIn(long, user)).debt - 700_000_000n).toBeLessThan(1000n)
})

test('behavior: long: everything is the whole debt, or all there is', async () => {
  const user = await longUser()
  await user.run('transfer', {
    asset: 'USDC',
    amount: '300000000',
    network: 'base',
    recipient: '0x00000000000000000000000000000000000f41e7',
  })
  await user.run('add-backing', { ...long, amount: 'max' })
  expect(await usdcOf(user)).toBe(0n)
  expect((await positionIn(long, user)).debt - 300_000_000n).toBeLessThan(1000n)
  await user.fund('base', 'USDC', 500_000_000n)
  await Promise.all(networkNames.map((name) => positionsOn(sim, name).warp(86_400)))
  await user.run('add-backing', { ...long, amount: 'max' })
  expect((await positionIn(long, user)).shares).toBe(0n)
  expect(await usdcOf(user)).toBeLessThan(200_000_000n)
  expect(await usdcOf(user)).toBeGreaterThan(199_000_000n)
})

test('behavior: short: backing is collateral, in both directions', async () => {
  const user = await shortUser()
  await user.fund('base', 'USDC', 1_000_000_000n)
  const { activity } = await user.run('add-backing', { ...short, amount: 'max' })
  expect(activity.activity_metadata[0]).toMatchObject({
    semantic_events: [{ event_metadata: { backing_amount: '1000000000', is_short: true } }],
  })
  expect((await positionIn(short, user)).collateral).toBe(6_000_000_000n)
  await user.run('withdraw-backing', { ...short, amount: '2000000000' })
  expect((await positionIn(short, user)).collateral).toBe(4_000_000_000n)
  expect(await usdcOf(user)).toBe(2_000_000_000n)
})
