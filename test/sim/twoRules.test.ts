import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { readsOf } from '../kit/chainReads.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

/** Two rules with the same effect: what they do together, and what is left when one of them goes, then the other. */

const { exchange } = loadAddressBook().on('base')
const usual = 5n
const swap = { sell_asset: 'USDC', buy_asset: 'WETH', network: 'base', sell_amount: '1000000' }
const slippages = [
  { id: 'one', on: 'quote', effect: { slippage: { bps: 20 } } },
  { id: 'two', on: 'quote', effect: { slippage: { bps: 30 } } },
]
const drains = ['one', 'two'].map((id) => ({ id, on: 'quote', effect: 'drain' }))
const orders = [
  ['one', 'two'],
  ['two', 'one'],
] as const
let sim: SimulatorHandle
let chain: ReturnType<typeof readsOf>

beforeAll(async () => {
  sim = await createSimulator()
  chain = readsOf(sim)
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

async function funded() {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  return user
}

/** Of the exchange on chain, in basis points: its first storage variable. */
async function spread(): Promise<bigint> {
  return BigInt(await chain.request<Hex>('base', 'eth_getStorageAt', [exchange, '0x0', 'latest']))
}

const inventory = () => chain.balance('base', 'WETH', exchange)
const spreadWithout = { one: usual + 30n, two: usual + 20n }

/** What a plan promises, in the bought asset's smallest unit. */
const promised = ({ details }: PlanBody) =>
  details.svc_operation_actions.map(({ action }) => action.action_context.output_amount)

test.each(orders)(
  'behavior: slippage twice: both together, quoted as ever; without %s there is the other, without %s none',
  async (first, last) => {
    const user = await funded()
    const fair = (await user.plan('swap', swap)).body as PlanBody
    await sim.faults.set(slippages)
    for (let again = 0; again < 2; again++) {
      const { plan, activity } = await user.run('swap', swap)
      expect(promised(plan)).toEqual(promised(fair))
      expect(activity.activity_status).toBe('confirmed')
      expect(await spread()).toBe(usual + 50n)
    }
    await sim.faults.remove(first)
    expect(await spread()).toBe(spreadWithout[first])
    const { body } = await user.plan('swap', swap)
    expect(promised(body as PlanBody)).toEqual(promised(fair))
    await sim.faults.remove(last)
    expect(await spread()).toBe(usual)
  },
)

test('behavior: slippage twice, met by many quotes at once, removed at once', async () => {
  const user = await funded()
  const fair = (await user.plan('swap', swap)).body as PlanBody
  await sim.faults.set(slippages)
  const plans = await Promise.all(Array.from({ length: 6 }, () => user.plan('swap', swap)))
  for (const { body } of plans) expect(promised(body as PlanBody)).toEqual(promised(fair))
  expect(await spread()).toBe(usual + 50n)
  await sim.faults.clear()
  expect(await spread()).toBe(usual)
})

test.each(orders)(
  'behavior: slippage twice, over a snapshot and its restores: without %s there is the other, without %s none',
  async (first, last) => {
    const user = await funded()
    await sim.faults.set(slippages)
    expect((await user.plan('swap', swap)).status).toBe(201)
    const id = await sim.snapshot()
    for (let life = 0; life < 2; life++) {
      await sim.faults.remove(first)
      expect(await spread()).toBe(spreadWithout[first])
      await sim.faults.remove(last)
      expect(await spread()).toBe(usual)
      await sim.restore(id)
      expect(await spread()).toBe(usual + 50n)
    }
    await sim.faults.clear()
    expect(await spread()).toBe(usual)
  },
)

test('behavior: slippage that went with blocks which were taken back leaves no trace', async () => {
  const user = await funded()
  const fair = (await user.plan('swap', swap)).body as PlanBody
  await sim.faults.set(slippages)
  expect((await user.plan('swap', swap)).status).toBe(201)
  await chain.request('base', 'anvil_rollback', [2])
  expect(await spread()).toBe(usual)
  const { body } = await user.plan('swap', swap)
  expect(promised(body as PlanBody)).toEqual(promised(fair))
  for (const id of ['one', 'two']) {
    expect(await sim.faults.remove(id)).toBe(true)
    expect(await spread()).toBe(usual)
  }
})

test('behavior: slippage of a request adds to that of a rule, and goes with the answer', async () => {
  const user = await funded()
  await sim.faults.set(slippages.slice(0, 1))
  const headers = { 'x-svc-sim-fault': '{"on":"quote","effect":{"slippage":{"bps":200}}}' }
  const refused = await user.api.post(`${user.path}/plan/swap`, swap, { headers })
  expect(refused).toMatchObject({ status: 400, body: { error: 'plan_failed' } })
  await expect.poll(spread).toBe(usual + 20n)
  await sim.faults.clear()
  expect(await spread()).toBe(usual)
})

test.each(orders)(
  'behavior: drain twice: nothing comes back without %s, and everything without %s too',
  async (first, last) => {
    const user = await funded()
    const before = await inventory()
    await sim.faults.set(drains)
    expect((await user.plan('swap', swap)).status).toBe(422)
    const id = await sim.snapshot()
    for (let life = 0; life < 2; life++) {
      await sim.faults.remove(first)
      expect(await inventory()).toBe(0n)
      expect((await user.plan('swap', swap)).status).toBe(422)
      await sim.faults.remove(last)
      expect(await inventory()).toBe(before)
      expect((await user.plan('swap', swap)).status).toBe(201)
      await sim.restore(id)
      expect(await inventory()).toBe(0n)
    }
    await sim.faults.clear()
    expect(await inventory()).toBe(before)
  },
)

test('behavior: drain of a request in front of a rule: the answer does not put back what the rule keeps out', async () => {
  const user = await funded()
  const before = await inventory()
  await sim.faults.set(drains.slice(0, 1))
  const headers = { 'x-svc-sim-fault': 'quote.drain' }
  const refused = await user.api.post(`${user.path}/plan/swap`, swap, { headers })
  expect(refused.status).toBe(422)
  const next = await user.plan('swap', swap)
  expect(next.status).toBe(422)
  expect(await inventory()).toBe(0n)
  await sim.faults.clear()
  expect(await inventory()).toBe(before)
})

test('behavior: reject_signature twice is no signature restored', async () => {
  const user = await funded()
  const plan = (await user.plan('swap', swap)).body as PlanBody
  const rule = { on: 'execute', effect: 'reject_signature', times: 1 }
  await sim.faults.set([rule, rule])
  expect(await user.execute(plan)).toMatchObject({ status: 500, body: { error: 'internal_error' } })
  expect((await user.execute(plan)).status).toBe(200)
})

/** A request of the control API about rules. */
async function rules(method: string, path = '', body?: unknown) {
  const response = await fetch(`${sim.url}/_sim/faults${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const hint = response.headers.get('x-svc-sim-hint')
  return { status: response.status, hint, body: await response.json() }
}

const ids = () => sim.faults.list().map(({ id }) => id)
const match = { network: 'base' }
const down = { id: 'dead', on: 'chain', effect: 'down', match }
const halt = { id: 'still', on: 'chain', effect: 'halt', match }
const keptFromAnswering = (so: string) => ({
  status: 409,
  hint: 'Remove that rule first, or all of them: DELETE /_sim/faults.',
  body: {
    error: 'conflict',
    message: `A rule with chain.down keeps base from answering; ${so}`,
  },
})

test('behavior: slippage that waits for a block of a halted network, and a fill behind it: the clock goes on', async () => {
  const user = await openUser(sim)
  await user.fund('arbitrum', 'USDC', 5_000_000n)
  await sim.faults.set([{ ...slippages[0], times: 1 }, halt])
  expect((await user.plan('swap', swap)).status).toBe(422)
  const plan = (await user.plan('swap', swap)).body as PlanBody
  const executed = await user.execute(plan)
  await sim.clock.advance(10)
  const { activity_id: id } = executed.body
  const pending = await user.api.get(`/activities/${id}`)
  expect(pending.body.activity_status).toBe('pending')
  await sim.faults.clear()
  expect((await user.follow(id)).activity_status).toBe('confirmed')
  expect(await spread()).toBe(usual)
})

test('error: halt where a node is down: refused at once, with the reason; everything goes on when the rule is gone', async () => {
  await rules('PUT', '', [slippages[0]])
  expect(await rules('PUT', '', [down, halt])).toMatchObject(
    keptFromAnswering('the rule was not added'),
  )
  expect(ids()).toEqual(['one'])
  expect((await rules('POST', '', down)).status).toBe(201)
  for (const refused of [halt, { ...halt, match: {} }])
    expect(await rules('POST', '', refused)).toMatchObject(
      keptFromAnswering('the rule was not added'),
    )
  expect(ids()).toEqual(['one', 'dead'])
  expect((await rules('DELETE', '/dead')).status).toBe(200)
  expect((await rules('POST', '', halt)).status).toBe(201)
  expect((await rules('DELETE')).status).toBe(200)
  await (await funded()).run('swap', swap)
})

test('error: halt cannot be removed while its node is down; after that it can, and both at once can', async () => {
  expect((await rules('PUT', '', [halt, down])).status).toBe(200)
  expect(await rules('DELETE', '/still')).toMatchObject(keptFromAnswering('rule still stays'))
  expect(ids()).toEqual(['still', 'dead'])
  expect((await rules('DELETE', '/dead')).status).toBe(200)
  expect((await rules('DELETE', '/still')).status).toBe(200)
  expect((await rules('PUT', '', [halt, down])).status).toBe(200)
  expect((await rules('DELETE')).status).toBe(200)
  await (await funded()).run('swap', swap)
})

test.each([
  [down, keptFromAnswering('rule one stays')],
  [halt, { status: 409, body: { error: 'conflict' } }],
])('error: what a rule has changed on a chain stays while $id is there', async (other, refusal) => {
  const user = await funded()
  for (const together of [false, true]) {
    await rules('PUT', '', [slippages[0]])
    expect((await user.plan('swap', swap)).status).toBe(201)
    expect((await rules('POST', '', other)).status).toBe(201)
    expect(await rules('DELETE', '/one')).toMatchObject(refusal)
    expect(ids()).toEqual(['one', other.id])
    if (together) expect((await rules('DELETE')).status).toBe(200)
    else
      for (const id of [other.id, 'one']) expect((await rules('DELETE', `/${id}`)).status).toBe(200)
    expect(await spread()).toBe(usual)
  }
})
