import { afterAll, beforeAll, expect, test } from 'vitest'
import { positionsOn } from '../../../../test/kit/positions.js'
import { createSimulator, type SimulatorHandle } from '../../../../test/kit/simulator.js'
import { openUser, type PlanBody } from '../../../../test/kit/user.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import { networkNames } from '../../../deployments/networks.js'

const ether = 10n ** 18n
const { markets } = loadAddressBook().on('base').morpho
const wethUsdc = markets.find(({ label }) => label.startsWith('WETH/USDC'))!.id
const comet = { asset: 'USDC', collateral_asset: 'WETH', network: 'base', protocol: 'compound' }
const morpho = { ...comet, protocol: 'morpho', market: wethUsdc }
const venues = { compound: comet, morpho }
type Venue = keyof typeof venues
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ bridgeDelayMs: 20, rpcUnsafe: true })
})
afterAll(() => sim.close())

type User = Awaited<ReturnType<typeof openUser>>

/** Owes 1000 USDC against one WETH, and holds the 1000. */
async function debtor(venue: Venue): Promise<User> {
  const user = await openUser(sim)
  await user.fund('base', 'WETH', ether)
  await user.run('borrow', {
    ...venues[venue],
    amount: '1000000000',
    collateral_amount: ether.toString(),
  })
  return user
}

/** Debt and collateral, as an outsider reads them. */
async function position(venue: Venue, { wallet }: User) {
  const chain = positionsOn(sim, 'base')
  const { debt, collateral } =
    venue === 'compound'
      ? await chain.comet('USDC', 'WETH', wallet)
      : await chain.morpho(wethUsdc, wallet)
  return { debt, collateral }
}

/** On all chains, which share one time. */
const warpAll = (seconds: number) =>
  Promise.all(networkNames.map((name) => positionsOn(sim, name).warp(seconds)))

const usdcOf = ({ wallet }: User) => positionsOn(sim, 'base').balance('USDC', wallet)
const wethOf = ({ wallet }: User) => positionsOn(sim, 'base').balance('WETH', wallet)

function failure(message: string) {
  return { status: 400, body: { error: 'plan_failed', message: expect.stringContaining(message) } }
}

test('error: nothing to do, and amounts that are none', async () => {
  const user = await openUser(sim)
  const bad = [
    { amount: '0', collateral_amount: '0' },
    { amount: '00', collateral_amount: '1' },
    { amount: '1', collateral_amount: '-1' },
    { amount: '1' },
    { amount: '1', collateral_amount: '0', market: '0x12' },
  ]
  for (const change of bad)
    expect(await user.plan('repay', { ...morpho, ...change })).toMatchObject({
      status: 400,
      body: { error: 'invalid_params' },
    })
})

test.each<Venue>(['compound', 'morpho'])('error: %s: no debt, no collateral', async (venue) => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  const plan = (amount: string, collateral_amount: string) =>
    user.plan('repay', { ...venues[venue], amount, collateral_amount })
  expect(await plan('1000000', '0')).toMatchObject(failure('owes no USDC'))
  expect(await plan('max', '0')).toMatchObject(failure('owes no USDC'))
  expect(await plan('0', '1')).toMatchObject(failure('insufficient collateral'))
  expect(await plan('0', 'max')).toMatchObject(failure('insufficient collateral'))
})

test.each<Venue>(['compound', 'morpho'])(
  'error: %s: more than is owed, more collateral than is there or than the debt lets go',
  async (venue) => {
    const user = await debtor(venue)
    const plan = (amount: string, collateral_amount: string) =>
      user.plan('repay', { ...venues[venue], amount, collateral_amount })
    const tooMuch = await plan('1100000000', '0')
    expect(tooMuch).toMatchObject(failure('repay amount exceeds debt'))
    const id = tooMuch.headers.get('x-svc-sim-request-id')
    const why = (await (await fetch(`${sim.controlUrl}/why/${id}`)).json()) as { verdict: object }
    expect(why.verdict).toMatchObject({
      amounts: { asked: '1100 USDC', owes: expect.stringMatching(/^10\d\d(\.\d+)? USDC$/) },
      next: expect.stringMatching(/^ask for at most what the wallet owes \(/),
    })
    expect(await plan('0', (ether + 1n).toString())).toMatchObject(
      failure('insufficient collateral'),
    )
    const reason = venue === 'compound' ? 'NotCollateralized()' : 'insufficient collateral'
    const says = `${reason}: the collateral that is left is worth too little for the debt; repay more`
    expect(await plan('1', 'max')).toMatchObject(failure(says))
  },
)

test.each<Venue>(['compound', 'morpho'])(
  'error: %s: everything, but the wallet cannot pay the interest',
  async (venue) => {
    const user = await debtor(venue)
    await warpAll(86_400)
    const all = { ...venues[venue], amount: 'max', collateral_amount: '0' }
    expect(await user.plan('repay', all)).toMatchObject(failure('insufficient resources of USDC'))
  },
)

test.each<Venue>(['compound', 'morpho'])(
  'default: %s: the whole debt is repaid with its interest and the collateral comes back; no dust stays',
  async (venue) => {
    const user = await debtor(venue)
    await user.fund('base', 'USDC', 10_000_000n)
    await warpAll(86_400)
    const { plan, activity } = await user.run('repay', {
      ...venues[venue],
      amount: 'max',
      collateral_amount: 'max',
    })
    const type = venue === 'compound' ? 'COMET_REPAY' : 'MORPHO_REPAY'
    const { action_context } = plan.details.svc_operation_actions[0]!.action
    expect(action_context).toMatchObject({ action_type: type, asset_symbol: 'USDC' })
    expect(BigInt(action_context.amount as string)).toBeGreaterThan(1_000_000_000n)
    expect(activity.activity_status).toBe('confirmed')
    expect(await position(venue, user)).toEqual({ debt: 0n, collateral: 0n })
    expect(await wethOf(user)).toBe(ether)
    const [repaid, back] = activity.activity_metadata[0]!.semantic_events as {
      event_type: string
      event_metadata: { amount: string }
    }[]
    const prefix = venue === 'compound' ? 'comet' : 'morpho'
    expect(repaid!.event_type).toBe(`${prefix}_repay`)
    expect(1_010_000_000n - (await usdcOf(user))).toBe(BigInt(repaid!.event_metadata.amount))
    expect(back).toMatchObject({
      event_type: `${prefix}_withdraw_collateral`,
      event_metadata: { amount: ether.toString() },
    })
  },
)

test.each<Venue>(['compound', 'morpho'])(
  'behavior: %s: a part of the debt, and then a part of the collateral alone',
  async (venue) => {
    const user = await debtor(venue)
    const request = venues[venue]
    await user.run('repay', { ...request, amount: '600000000', collateral_amount: '0' })
    expect(await usdcOf(user)).toBe(400_000_000n)
    const half = (ether / 2n).toString()
    const { activity } = await user.run('repay', {
      ...request,
      amount: '0',
      collateral_amount: half,
    })
    expect(activity.activity_status).toBe('confirmed')
    const { debt, collateral } = await position(venue, user)
    expect(collateral).toBe(ether / 2n)
    expect(debt).toBeGreaterThanOrEqual(400_000_000n)
    expect(debt).toBeLessThan(400_001_000n)
    expect(await usdcOf(user)).toBe(400_000_000n)
  },
)

test('behavior: what is missing for the whole debt is bridged, and time does not make that stale', async () => {
  const user = await debtor('morpho')
  await user.fund('optimism', 'USDC', 50_000_000n)
  await warpAll(86_400)
  const { body } = await user.plan('repay', { ...morpho, amount: 'max', collateral_amount: 'max' })
  const plan = body as PlanBody
  expect(
    plan.details.svc_operation_actions.map(({ action }) => action.action_context.action_type),
  ).toEqual(['BRIDGE', 'MORPHO_REPAY'])
  await warpAll(60)
  const executed = (await user.execute(plan)).body as { activity_id: string }
  expect((await user.follow(executed.activity_id)).activity_status).toBe('confirmed')
  expect(await position('morpho', user)).toEqual({ debt: 0n, collateral: 0n })
})
