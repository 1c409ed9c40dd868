import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { positionsOn } from '../../../../test/kit/positions.js'
import { createSimulator, type SimulatorHandle } from '../../../../test/kit/simulator.js'
import { openUser, type PlanBody } from '../../../../test/kit/user.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import { bridgeHint, bridgeInput } from '../../bridge/hints.js'

/** Whole debts that are paid off out of funds which must be bridged or wrapped first, while interest runs. */

const ether = 10n ** 18n
const friend = '0x00000000000000000000000000000000000f41e7'
const { id: market } = loadAddressBook()
  .on('base')
  .morpho.markets.find(({ label }) => label.startsWith('WETH/USDC'))!
const onComet = { asset: 'USDC', collateral_asset: 'WETH', network: 'base', protocol: 'compound' }
const onMorpho = { ...onComet, protocol: 'morpho', market }
const backing = { exposure_asset: 'WETH', backing_asset: 'USDC', network: 'base' }
/** How each kind pays off a debt, and where that stands. */
const ways = {
  compound: {
    loan: onComet,
    pay: ['repay', { ...onComet, amount: 'max', collateral_amount: '0' }],
  },
  morpho: {
    loan: onMorpho,
    pay: ['repay', { ...onMorpho, amount: 'max', collateral_amount: '0' }],
  },
  'add-backing': {
    loan: onMorpho,
    pay: ['add-backing', { ...backing, market_id: market, amount: 'max', is_short: false }],
  },
} as const
type Way = keyof typeof ways
const names = Object.keys(ways) as Way[]
/**
 * A debt whose hundred-thousandth more stays just below five round figures, and is beyond them some seconds later: whoever
 * rounds what he brings must come to two sums.
 */
const owed = (1_000_100_000n * 100_000n) / 100_001n - 9n

let sim: SimulatorHandle
let start: string

beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', seed: 12n })
  start = await sim.snapshot()
})
afterEach(() => sim.restore(start))
afterAll(() => sim.close())

type User = Awaited<ReturnType<typeof openUser>>

/** Owes a thousand USDC, holds half of it on base, and something on another network. */
async function debtor(way: Way, elsewhere: bigint): Promise<User> {
  const user = await openUser(sim)
  await user.fund('base', 'WETH', ether)
  const collateral_amount = ether.toString()
  await user.run('borrow', { ...ways[way].loan, amount: owed.toString(), collateral_amount })
  const half = { asset: 'USDC', network: 'base', recipient: friend }
  await user.run('transfer', { ...half, amount: (owed / 2n).toString() })
  await user.fund('optimism', 'USDC', elsewhere)
  return user
}

async function debtOf(way: Way, { wallet }: User): Promise<bigint> {
  const chain = positionsOn(sim, 'base')
  const position =
    way === 'compound' ? chain.comet('USDC', 'WETH', wallet) : chain.morpho(market, wallet)
  return (await position).debt
}

const typesOf = ({ details }: PlanBody) =>
  details.svc_operation_actions.map(({ action }) => action.action_context.action_type)

async function planned(user: User, [kind, body]: readonly [string, object]): Promise<PlanBody> {
  const reply = await user.plan(kind, body)
  expect(reply).toMatchObject({ status: 201 })
  return reply.body as PlanBody
}

/** Executes, and lets the bridges deliver. */
async function ended(user: User, plan: PlanBody) {
  const { status, body } = await user.execute(plan)
  expect(status).toBe(200)
  await sim.clock.advance(2)
  return (await user.api.get(`/activities/${body.activity_id}`)).body.activity_status
}

test.each(names)(
  'default: %s: a debt that grows while the plan lives is paid off with what was planned for it',
  async (way) => {
    const user = await debtor(way, 700_000_000n)
    const plan = await planned(user, ways[way].pay)
    expect(typesOf(plan)[0]).toBe('BRIDGE')
    const before = await debtOf(way, user)
    await sim.clock.advance(119)
    expect(await ended(user, plan)).toBe('confirmed')
    expect(await debtOf(way, user)).toBe(0n)
    const left = await positionsOn(sim, 'base').balance('USDC', user.wallet)
    // What was brought beyond the debt of then: a hundred-thousandth, less the interest of two minutes.
    expect(left).toBeLessThanOrEqual(before / 100_000n + 2n)
    // It is gone for good: there is nothing to pay off any more.
    const [kind, body] = ways[way].pay
    expect((await user.plan(kind, body)).body.message).toContain('owes no USDC')
  },
)

test.each(names)(
  'behavior: %s: where all there is hardly covers the debt, more that comes in does not make it stale',
  async (way) => {
    const hint = bridgeHint('optimism', 'base', 'USDC')!
    // Half of the hundred-thousandth that is wanted on top.
    const user = await debtor(way, bridgeInput(hint, owed / 2n + 5_000n))
    const plan = await planned(user, ways[way].pay)
    expect(typesOf(plan)[0]).toBe('BRIDGE')
    await user.fund('optimism', 'USDC', 3_000_000n)
    await sim.clock.advance(30)
    expect(await ended(user, plan)).toBe('confirmed')
    expect(await debtOf(way, user)).toBe(0n)
    expect(await positionsOn(sim, 'optimism').balance('USDC', user.wallet)).toBe(3_000_000n)
  },
)

test('behavior: a debt in ether is paid off out of native ether, a hundred seconds after it was planned', async () => {
  const chain = positionsOn(sim, 'base')
  const user = await openUser(sim)
  await user.fund('base', 'cbBTC', 100_000_000n)
  const loan = { asset: 'WETH', collateral_asset: 'cbBTC', network: 'base', protocol: 'compound' }
  const amount = (10_001n * 10n ** 14n * 100_000n) / 100_001n - 10n ** 9n
  await user.run('borrow', { ...loan, amount: `${amount}`, collateral_amount: '100000000' })
  const half = { asset: 'WETH', network: 'base', recipient: friend, amount: `${amount / 2n}` }
  await user.run('transfer', half)
  await user.fund('base', 'ETH', ether)
  const body = { ...loan, amount: 'max', collateral_amount: 'max' }
  const plan = await planned(user, ['repay', body])
  expect(typesOf(plan)).toEqual(['WRAP', 'COMET_REPAY'])
  await sim.clock.advance(100)
  expect(await ended(user, plan)).toBe('confirmed')
  expect((await chain.comet('WETH', 'cbBTC', user.wallet)).debt).toBe(0n)
})

test('error: what was planned with is gone: plan_stale, and a new plan takes what is left', async () => {
  const user = await debtor('morpho', 700_000_000n)
  const plan = await planned(user, ways.morpho.pay)
  await user.run('transfer', {
    ...{ asset: 'USDC', network: 'optimism', amount: '300000000', recipient: friend },
  })
  expect(await user.execute(plan)).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
  await user.fund('arbitrum', 'USDC', 300_000_000n)
  const again = await planned(user, ways.morpho.pay)
  expect(typesOf(again)).toEqual(['BRIDGE', 'BRIDGE', 'MORPHO_REPAY'])
  expect(await ended(user, again)).toBe('confirmed')
  expect(await debtOf('morpho', user)).toBe(0n)
})
