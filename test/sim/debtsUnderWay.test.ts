import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { loop, unloop } from '../kit/loops.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { type ActivityBody, openUser, type PlanBody, type User } from '../kit/user.js'

/** A debt is repaid once: what an execution under way is going to repay is no debt for any other plan. */

const ether = 10n ** 18n
const debt = 1_000_000_000n
const base = loadAddressBook().on('base')
const market = base.morpho.markets.find(({ label }) => label.startsWith('WETH/USDC'))!
const venues = [
  ['compound', { protocol: 'compound' }],
  ['morpho', { protocol: 'morpho', market: market.id }],
] as const

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', bridgeDelayMs: 60_000 })
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

async function started(user: User, plan: PlanBody): Promise<string> {
  const { body } = await user.execute(plan)
  expect(body).toMatchObject({ status: 'executing' })
  await sim.clock.advance(0)
  return body.activity_id
}

async function begun(user: User, kind: string, body: unknown): Promise<string> {
  const answer = await user.plan(kind, body)
  expect(answer.body).toMatchObject({ plan_id: expect.any(String) })
  return started(user, answer.body as PlanBody)
}

async function ended(user: User, id: string): Promise<ActivityBody> {
  return (await user.api.get(`/activities/${id}`)).body as ActivityBody
}

/** What the wallet owes and has supplied, of each market where it has anything. */
async function positions(user: User): Promise<string[]> {
  const { body } = await user.api.get(`${user.path}/folio`)
  const { balances } = (body as { folio: { balances: Record<string, string> } }).folio
  return Object.keys(balances).filter((key) => /^(yield|borrow)_market/.test(key))
}

const refusal = (id: string, amount: bigint | '\\d+') => ({
  status: 400,
  body: {
    error: 'plan_failed',
    message: expect.stringMatching(
      new RegExp(
        `reserved for what is under way: ${id} is going to repay ${amount} of the USDC owed to`,
      ),
    ),
  },
})

/** A user who owes 1,000 USDC on base, and has what repays it on arbitrum alone. */
async function indebted(venue: object): Promise<{ user: User; repay(amount: string): object }> {
  const user = await openUser(sim)
  await user.fund('base', 'WETH', ether)
  const body = { asset: 'USDC', collateral_asset: 'WETH', network: 'base', ...venue }
  const loan = { ...body, amount: debt.toString(), collateral_amount: ether.toString() }
  const away = { asset: 'USDC', amount: 'max', network: 'base', recipient: `0x${'44'.repeat(20)}` }
  for (const [kind, first] of [
    ['borrow', loan],
    ['transfer', away],
  ] as const)
    expect((await ended(user, await begun(user, kind, first))).activity_status).toBe('confirmed')
  await user.fund('arbitrum', 'USDC', 5n * debt)
  return { user, repay: (amount) => ({ ...body, amount, collateral_amount: '0' }) }
}

describe.each(venues)('%s', (_, venue) => {
  test('default: a part that is being repaid is not repaid again; the rest may be', async () => {
    const { user, repay } = await indebted(venue)
    const first = await begun(user, 'repay', repay('600000000'))
    for (const amount of ['600000000', 'max'])
      expect(await user.plan('repay', repay(amount))).toMatchObject(refusal(first, 600_000_000n))
    const second = await begun(user, 'repay', repay('400000000'))
    await sim.clock.advance(61)
    for (const id of [first, second])
      expect((await ended(user, id)).activity_status).toBe('confirmed')
    const rest = await begun(user, 'repay', repay('max'))
    await sim.clock.advance(61)
    expect((await ended(user, rest)).activity_status).toBe('confirmed')
    // No more than the debt was paid: the surplus would be supplied, or left in the wallet.
    expect((await positions(user)).filter((key) => key.startsWith('yield_market'))).toEqual([])
  })

  test('behavior: while all of it is being repaid there is none; it may be repaid again when that has failed', async () => {
    const { user, repay } = await indebted(venue)
    await sim.faults.add({ on: 'bridge', effect: 'stuck', match: { account_id: user.id } })
    const first = await begun(user, 'repay', repay('max'))
    for (const amount of ['max', '5000000'])
      expect(await user.plan('repay', repay(amount))).toMatchObject(refusal(first, '\\d+'))
    await sim.clock.advance(7_200)
    expect((await ended(user, first)).activity_status).toBe('failed')
    await sim.faults.clear()
    const again = await begun(user, 'repay', repay('max'))
    await sim.clock.advance(61)
    expect((await ended(user, again)).activity_status).toBe('confirmed')
    expect((await user.plan('repay', repay('max'))).body.message).toMatch(/owes no USDC/)
  })

  test('error: of two plans that were made before, the second is stale', async () => {
    const { user, repay } = await indebted(venue)
    const plans = [
      await user.plan('repay', repay('600000000')),
      await user.plan('repay', repay('600000000')),
    ]
    const id = await started(user, plans[0]!.body as PlanBody)
    expect(await user.execute(plans[1]!.body as PlanBody)).toMatchObject({
      status: 409,
      body: { error: 'plan_stale' },
    })
    await sim.clock.advance(61)
    expect((await ended(user, id)).activity_status).toBe('confirmed')
  })
})

test('behavior: a leveraged position to which backing is being added is not closed meanwhile; afterwards it is', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 1_500_000_000n)
  expect((await ended(user, await begun(user, 'loop-long', loop))).activity_status).toBe(
    'confirmed',
  )
  await user.fund('arbitrum', 'USDC', 5n * debt)
  const { exposure_asset, backing_asset, market_id, network } = loop
  const position = { exposure_asset, backing_asset, market_id, network }
  const add = { ...position, amount: debt.toString(), is_short: false }
  const id = await begun(user, 'add-backing', add)
  const refused = refusal(id, debt)
  expect(await user.plan('unloop-long', unloop)).toMatchObject(refused)
  expect(await user.plan('add-backing', { ...add, amount: 'max' })).toMatchObject(refused)
  await sim.clock.advance(61)
  expect((await ended(user, id)).activity_status).toBe('confirmed')
  const close = await begun(user, 'unloop-long', unloop)
  expect((await ended(user, close)).activity_status).toBe('confirmed')
  expect(await positions(user)).toEqual([])
})

describe('behavior: what balances do not tell is run together before it is promised', () => {
  const loan = { asset: 'USDC', collateral_asset: 'WETH', network: 'base', protocol: 'compound' }
  const together = (id: string) => ({
    status: 400,
    body: {
      error: 'plan_failed',
      message: expect.stringContaining(`together with what is under way on base (${id})`),
    },
  })
  const confirmed = async (user: User, kind: string, body: unknown) =>
    expect((await ended(user, await begun(user, kind, body))).activity_status).toBe('confirmed')

  test('collateral that a loan under way is going to stand on stays; what it does not need may go', async () => {
    const user = await openUser(sim)
    await user.fund('base', 'WETH', ether)
    await user.fund('optimism', 'WETH', 2n * ether)
    const small = { ...loan, amount: '100000000', collateral_amount: ether.toString() }
    await confirmed(user, 'borrow', small)
    const takeOut = (amount: bigint) => ({
      ...loan,
      amount: '0',
      collateral_amount: amount.toString(),
    })
    const most = takeOut((ether * 8n) / 10n)
    const early = (await user.plan('repay', most)).body as PlanBody
    const large = { ...loan, amount: '3000000000', collateral_amount: ether.toString() }
    const id = await begun(user, 'borrow', large)
    expect(await user.plan('repay', most)).toMatchObject(together(id))
    expect(await user.execute(early)).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
    await confirmed(user, 'repay', takeOut(ether / 10n))
    await sim.clock.advance(61)
    expect((await ended(user, id)).activity_status).toBe('confirmed')
  })

  test('a leveraged position is not closed twice', async () => {
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 1_500_000_000n)
    await confirmed(user, 'loop-long', loop)
    await sim.faults.add({ on: 'execute', effect: 'stuck', match: { account_id: user.id } })
    const id = await begun(user, 'unloop-long', unloop)
    expect(await user.plan('unloop-long', unloop)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(`${id} is going to repay`) },
    })
    const half = { ...unloop, exposure_amount: ((ether * 6n) / 10n).toString() }
    const least = { min_swap_backing_amount: '1700000000' }
    expect(await user.plan('unloop-long', { ...half, ...least })).toMatchObject(together(id))
    await sim.faults.clear()
    await sim.clock.advance(0)
    expect((await ended(user, id)).activity_status).toBe('confirmed')
  })
})
