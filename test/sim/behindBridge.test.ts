import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { readsOf } from '../kit/chainReads.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody, type User } from '../kit/user.js'

/** What waits for a bridge is tried before anything is sent on its way, with what will have arrived. */

const ether = 10n ** 18n
const book = loadAddressBook()
let sim: SimulatorHandle
let user: User

beforeEach(async () => {
  sim = await createSimulator({ bridgeDelayMs: 20 })
  user = await openUser(sim)
})
afterEach(() => sim.close())

const swap = {
  ...{ sell_asset: 'USDC', buy_asset: 'COMP', network: 'base' },
  sell_amount: '40000000',
}

async function planned(kind: string, body: object): Promise<PlanBody> {
  const { status, body: plan } = await user.plan(kind, body)
  expect([status, plan]).toEqual([201, expect.anything()])
  const { svc_operation_actions } = plan.details
  expect(svc_operation_actions[0].action.action_context.action_type).toMatch(/BRIDGE|WRAP/)
  expect(svc_operation_actions.at(-1).action.execution_type).toBe('CONTINGENT')
  return plan as PlanBody
}

/** Refused with 409, and nothing has left the network where the funds are. */
async function refused(plan: PlanBody, network: 'arbitrum' | 'optimism', symbol: string) {
  const reads = readsOf(sim)
  const before = await reads.balance(network, symbol, user.wallet)
  const answer = await user.execute(plan)
  expect(answer).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
  expect(await reads.balance(network, symbol, user.wallet)).toBe(before)
  const { body } = await user.api.get(`${user.path}/activities`)
  expect(body.activities).toEqual([])
  return answer.headers.get('x-svc-sim-hint')
}

async function confirmed(kind: string, body: object): Promise<void> {
  const { activity } = await user.run(kind, body)
  expect(activity).toMatchObject({ activity_status: 'confirmed' })
}

test('default: a bridged swap whose price has moved is stale before its funds move; a new plan goes through', async () => {
  await user.fund('arbitrum', 'USDC', 100_000_000n)
  await sim.faults.add({ on: 'plan', effect: { stale: { by: 'price' } }, times: 2 })
  for (let i = 0; i < 2; i++) {
    const plan = await planned('swap', swap)
    expect(await refused(plan, 'arbitrum', 'USDC')).toContain('InsufficientOutput')
  }
  await confirmed('swap', swap)
  expect(await readsOf(sim).balance('base', 'COMP', user.wallet)).toBeGreaterThan(0n)
})

test('behavior: a bridged swap that would settle worse than its tolerance; when it no longer would, the same plan runs', async () => {
  await user.fund('arbitrum', 'USDC', 100_000_000n)
  const plan = await planned('swap', swap)
  await sim.faults.add({
    ...{ id: 'slips', on: 'quote', effect: { slippage: { bps: 500 } } },
    match: { network: 'base' },
  })
  expect((await user.plan('swap', swap)).body).toMatchObject({ error: 'plan_failed' })
  expect(await refused(plan, 'arbitrum', 'USDC')).toContain('InsufficientOutput')
  await sim.faults.remove('slips')
  const executed = await user.execute(plan)
  expect(executed).toMatchObject({ status: 200 })
  expect(await user.follow(executed.body.activity_id)).toMatchObject({
    activity_status: 'confirmed',
  })
})

test.each(['compound', 'morpho'])(
  'behavior: a bridged borrow on %s whose collateral has lost its price',
  async (protocol) => {
    const market = book
      .on('base')
      .morpho.markets.find(({ label }) => label.startsWith('WETH/USDC'))!.id
    await user.fund('optimism', 'WETH', 2n * ether)
    const borrow = {
      ...{ asset: 'USDC', amount: '2000000000', collateral_asset: 'WETH', network: 'base' },
      ...{ collateral_amount: ether.toString(), protocol },
      ...(protocol === 'morpho' ? { market } : {}),
    }
    const plan = await planned('borrow', borrow)
    const price = (usd: string) =>
      user.api.send('PUT', '/_sim/prices/ETH', JSON.stringify({ usd }), {
        headers: { 'content-type': 'application/json' },
      })
    expect((await price('1500')).status).toBe(200)
    await refused(plan, 'optimism', 'WETH')
    expect((await user.plan('borrow', borrow)).body).toMatchObject({ error: 'plan_failed' })
    await confirmed('borrow', { ...borrow, amount: '500000000' })
  },
)

test('behavior: a wrong signature on a bridged plan is told from staleness behind the bridge', async () => {
  await user.fund('arbitrum', 'USDC', 100_000_000n)
  const plan = await planned('swap', swap)
  const forged = { plan_id: plan.plan_id, signature: `0x${'11'.repeat(64)}1b` }
  const execute = () => user.api.post(`${user.path}/plan/execute`, forged)
  expect(await execute()).toMatchObject({ status: 500, body: { error: 'internal_error' } })
  await sim.faults.add({ on: 'quote', effect: { slippage: { bps: 500 } } })
  await user.plan('swap', swap)
  expect(await execute()).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
})

test.each([
  ['USDC', 'USDC', 40_000_000n],
  ['ETH', 'WETH', ether / 2n],
  ['WETH', 'WETH', ether / 2n],
])(
  'behavior: %s is bridged and supplied while the exchange holds none of it',
  async (asset, drained, amount) => {
    const { exchange } = book.on('base')
    await user.fund('arbitrum', asset, 2n * amount)
    await user.fund('base', 'COMP', ether)
    await sim.faults.add({ on: 'quote', effect: 'drain', match: { network: 'base' } })
    const sale = { sell_asset: 'COMP', network: 'base', sell_amount: '1000000' }
    expect((await user.plan('swap', { ...sale, buy_asset: drained })).status).toBe(422)
    expect(await readsOf(sim).balance('base', drained, exchange)).toBe(0n)
    const earn = { asset: drained, network: 'base', protocol: 'aave', amount: amount.toString() }
    for (let i = 0; i < 2; i++) {
      await planned('earn', earn)
      await confirmed('earn', { ...earn, amount: (amount / 2n).toString() })
    }
  },
)

test('behavior: the funds of two networks are one arrival', async () => {
  for (const network of ['arbitrum', 'optimism'] as const)
    await user.fund(network, 'USDC', 30_000_000n)
  const earn = { asset: 'USDC', network: 'base', protocol: 'compound', amount: '50000000' }
  const plan = await planned('earn', earn)
  const types = plan.details.svc_operation_actions.map(
    ({ action }) => action.action_context.action_type,
  )
  expect(types).toEqual(['BRIDGE', 'BRIDGE', 'COMET_SUPPLY'])
  await confirmed('earn', earn)
})
