import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import type { NetworkName } from '../../src/deployments/networks.js'
import { createSimulator, type SimulatorHandle, type SimulatorOptions } from '../../src/index.js'
import { readsOf } from '../kit/chainReads.js'
import { type ActivityBody, openUser, type PlanBody, type User, userAt } from '../kit/user.js'

/** What an execution under way still needs is not there for any other plan, until its activity has ended. */

const friend: Address = '0x00000000000000000000000000000000000f41e7'
const own = 5_000_000n
/** More than base has: 2 USDC must come from optimism, and all of base's 5 are waiting for them. */
const bridged = send('7000000')
const options: SimulatorOptions = { clock: 'frozen', bridgeDelayMs: 60_000 }
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator(options)
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

function send(amount: string, asset = 'USDC', network: NetworkName = 'base') {
  return { asset, amount, network, recipient: friend }
}

async function funded(on: SimulatorHandle = sim): Promise<User> {
  const user = await openUser(on)
  await user.fund('base', 'USDC', own)
  await user.fund('optimism', 'USDC', own)
  return user
}

async function planned(user: User, kind: string, body: unknown): Promise<PlanBody> {
  const answer = await user.plan(kind, body)
  expect(answer.body).toMatchObject({ plan_id: expect.any(String) })
  return answer.body as PlanBody
}

/** Executes; resolves to the activity's id when everything has come to rest. */
async function started(user: User, plan: PlanBody, on: SimulatorHandle = sim): Promise<string> {
  const { body } = await user.execute(plan)
  expect(body).toMatchObject({ status: 'executing' })
  await on.clock.advance(0)
  return body.activity_id
}

async function activityOf(user: User, id: string): Promise<ActivityBody> {
  return (await user.api.get(`/activities/${id}`)).body as ActivityBody
}

const refusal = (id: string, what: string) => ({
  status: 400,
  body: {
    error: 'plan_failed',
    message: expect.stringContaining(`reserved for what is under way: ${id} still needs ${what}`),
  },
})

describe('default: while a bridge is under way, the funds that wait for it are not there', () => {
  let user: User
  let id: string

  beforeAll(async () => {
    user = await funded()
    id = await started(user, await planned(user, 'transfer', bridged))
  })

  test.each<[string, unknown]>([
    ['transfer', send('5000000')],
    ['earn', { asset: 'USDC', amount: '5000000', network: 'base', protocol: 'compound' }],
    ['swap', { sell_asset: 'USDC', buy_asset: 'WETH', sell_amount: '5000000', network: 'base' }],
  ])('%s', async (kind, body) => {
    expect(await user.plan(kind, body)).toMatchObject(refusal(id, '5000000 of USDC on base'))
  })

  test('for another network neither', async () => {
    const rest = await readsOf(sim).balance('optimism', 'USDC', user.wallet)
    const asked = send((rest + 1_000_000n).toString(), 'USDC', 'optimism')
    expect(await user.plan('transfer', asked)).toMatchObject(refusal(id, '5000000 of USDC on base'))
  })

  test('what comes in meanwhile is, to the unit; and the first plan goes through', async () => {
    await user.fund('base', 'USDC', 3n)
    expect(await user.plan('transfer', send('4', 'USDC', 'base'))).toMatchObject({ status: 201 })
    const { activity } = await spend(user, send('3'))
    expect(activity.activity_status).toBe('confirmed')
    await sim.clock.advance(61)
    expect((await activityOf(user, id)).activity_status).toBe('confirmed')
    expect(await readsOf(sim).balance('base', 'USDC', user.wallet)).toBe(0n)
  })
})

async function spend(user: User, body: unknown) {
  const id = await started(user, await planned(user, 'transfer', body))
  return { id, activity: await activityOf(user, id) }
}

test('behavior: everything is what the execution under way leaves', async () => {
  const user = await funded()
  const id = await started(user, await planned(user, 'transfer', bridged))
  await user.fund('base', 'USDC', 250n)
  const rest = await readsOf(sim).balance('optimism', 'USDC', user.wallet)
  const all = await planned(user, 'earn', {
    asset: 'USDC',
    amount: 'max',
    network: 'optimism',
    protocol: 'aave',
  })
  const contexts = all.details.svc_operation_actions.map(({ action }) => action.action_context)
  // 250 units on base are too few to be bridged.
  expect(contexts).toMatchObject([{ amount: rest.toString() }])
  const taken = await started(user, all)
  expect((await activityOf(user, taken)).activity_status).toBe('confirmed')
  await sim.clock.advance(61)
  expect((await activityOf(user, id)).activity_status).toBe('confirmed')
})

test('behavior: after the fill what arrived is the first plan’s as long as it is not spent', async () => {
  const user = await funded()
  await sim.faults.add({
    on: 'execute',
    effect: 'stuck',
    match: { network: 'base', account_id: user.id },
  })
  const id = await started(user, await planned(user, 'transfer', bridged))
  await sim.clock.advance(61)
  expect((await activityOf(user, id)).activity_metadata[1]).toMatchObject({ success: true })
  expect(await readsOf(sim).balance('base', 'USDC', user.wallet)).toBe(7_000_000n)
  expect(await user.plan('earn', { ...send('1'), protocol: 'aave' })).toMatchObject({ status: 201 })
  const rest = await readsOf(sim).balance('optimism', 'USDC', user.wallet)
  expect(await user.plan('transfer', send(rest.toString()))).toMatchObject(
    refusal(id, '7000000 of USDC on base'),
  )
  await sim.faults.clear()
  await sim.clock.advance(0)
  expect((await activityOf(user, id)).activity_status).toBe('confirmed')
})

test('behavior: native ether and its wrapped twin are one thing', async () => {
  const user = await openUser(sim)
  const ether = 10n ** 18n
  await user.fund('base', 'ETH', ether)
  await user.fund('base', 'WETH', ether)
  await user.fund('optimism', 'WETH', ether)
  const asked = (2n * ether + ether / 2n).toString()
  const id = await started(user, await planned(user, 'transfer', send(asked, 'WETH')))
  for (const asset of ['ETH', 'WETH'])
    expect(await user.plan('transfer', send(ether.toString(), asset))).toMatchObject(
      refusal(id, `${2n * ether} of WETH on base`),
    )
  await sim.clock.advance(61)
  expect((await activityOf(user, id)).activity_status).toBe('confirmed')
})

test('behavior: a transaction that waits to be mined has spent already', async () => {
  const user = await funded()
  await sim.faults.add({ on: 'execute', effect: 'stuck', match: { account_id: user.id }, times: 1 })
  const id = await started(user, await planned(user, 'transfer', send('4000000')))
  expect(await user.plan('transfer', send('6500000'))).toMatchObject(
    refusal(id, '4000000 of USDC on base'),
  )
  expect((await spend(user, send('1000000'))).activity.activity_status).toBe('confirmed')
  await sim.faults.clear()
  await sim.clock.advance(0)
  expect((await activityOf(user, id)).activity_status).toBe('confirmed')
})

test('behavior: wrapped ether that is promised is not taken in place of wrapping', async () => {
  const user = await openUser(sim)
  const ether = 10n ** 18n
  await user.fund('base', 'ETH', ether)
  await user.fund('base', 'WETH', ether)
  await sim.faults.add({ on: 'execute', effect: 'stuck', match: { account_id: user.id }, times: 1 })
  const body = send(ether.toString(), 'WETH')
  const id = await started(user, await planned(user, 'transfer', body))
  // The wallet would find the promised one, and wrap none.
  expect(await user.plan('transfer', body)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining(`what is under way on base (${id})`) },
  })
  await sim.faults.clear()
  await sim.clock.advance(0)
  expect((await activityOf(user, id)).activity_status).toBe('confirmed')
  expect((await spend(user, body)).activity.activity_status).toBe('confirmed')
})

describe('behavior: a reservation ends with its activity', () => {
  const whole = send('5000000')

  test('confirmed: what is left is there', async () => {
    const user = await funded()
    const id = await started(user, await planned(user, 'transfer', bridged))
    await user.fund('base', 'USDC', own)
    await sim.clock.advance(61)
    expect((await activityOf(user, id)).activity_status).toBe('confirmed')
    expect((await spend(user, whole)).activity.activity_status).toBe('confirmed')
  })

  test.each<[string, unknown, number]>([
    ['refunded at once', { on: 'bridge', effect: 'refund' }, 0],
    ['stuck and refunded after the deadline', { on: 'bridge', effect: 'stuck' }, 700],
    [
      'a source that reverts',
      { on: 'execute', effect: { revert: { by: 'gas' } }, match: { network: 'optimism' } },
      0,
    ],
    ['less delivered than promised', { on: 'bridge', effect: 'partial' }, 61],
  ])('%s', async (_, rule, seconds) => {
    const user = await funded()
    await sim.faults.add(rule as Parameters<typeof sim.faults.add>[0])
    const id = await started(user, await planned(user, 'transfer', bridged))
    await sim.clock.advance(seconds)
    expect((await activityOf(user, id)).activity_status).toBe('failed')
    await sim.faults.clear()
    expect((await spend(user, whole)).activity.activity_status).toBe('confirmed')
  })
})

test('error: plan_stale for a plan whose funds were promised since', async () => {
  const user = await funded()
  const first = await planned(user, 'transfer', bridged)
  const second = await planned(user, 'transfer', send('5000000'))
  const id = await started(user, first)
  expect(await user.execute(second)).toMatchObject({
    status: 409,
    body: { error: 'plan_stale' },
  })
  await sim.clock.advance(61)
  expect((await activityOf(user, id)).activity_status).toBe('confirmed')
})

test('behavior: several plans at once: what is executed is confirmed, the others are refused', async () => {
  const user = await funded()
  await user.fund('arbitrum', 'USDC', own)
  const plans = await Promise.all([
    planned(user, 'transfer', bridged),
    planned(user, 'transfer', send('7000000', 'USDC', 'optimism')),
    planned(user, 'transfer', send('7000000', 'USDC', 'arbitrum')),
    planned(user, 'earn', { ...send('5000000', 'USDC', 'optimism'), protocol: 'aave' }),
  ])
  const answers = await Promise.all(plans.map((plan) => user.execute(plan)))
  const executed = answers.filter(({ status }) => status === 200)
  expect(executed.length).toBeGreaterThanOrEqual(1)
  for (const { status } of answers) expect([200, 409]).toContain(status)
  await sim.clock.advance(61)
  for (const { body } of executed)
    expect((await activityOf(user, body.activity_id)).activity_status).toBe('confirmed')
})

test('behavior: a client that plans and executes again and again, all at once, breaks no promise', async () => {
  const user = await funded()
  await user.fund('arbitrum', 'USDC', own)
  const asks = [bridged, send('4000000', 'USDC', 'optimism'), send('6000000', 'USDC', 'arbitrum')]
  const ids: string[] = []
  const client = async (body: unknown): Promise<void> => {
    for (let i = 0; i < 4; i++) {
      const plan = await user.plan('transfer', body)
      if (plan.status !== 201) continue
      const { status, body: answer } = await user.execute(plan.body as PlanBody)
      expect([200, 409]).toContain(status)
      if (status === 200) ids.push(answer.activity_id)
    }
  }
  await Promise.all(asks.map(client))
  await sim.clock.advance(61)
  expect(ids.length).toBeGreaterThanOrEqual(1)
  for (const id of ids) expect((await activityOf(user, id)).activity_status).toBe('confirmed')
})

describe('behavior: parts of a position are promised too', () => {
  const supplied = '4000000'
  const at = { asset: 'USDC', network: 'base', protocol: 'compound' }

  test.each(['compound', 'aave'])('%s: the same withdrawal twice', async (protocol) => {
    const user = await funded()
    await spendAs(user, 'earn', { ...at, protocol, amount: supplied })
    await sim.faults.add({
      on: 'execute',
      effect: 'stuck',
      match: { account_id: user.id },
      times: 1,
    })
    const half = { ...at, protocol, amount: '2500000' }
    const id = await started(user, await planned(user, 'withdraw', half))
    expect(await user.plan('withdraw', half)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(`${id} still needs 2500000 of USDC`) },
    })
    await spendAs(user, 'withdraw', { ...half, amount: '1000000' })
    await sim.faults.clear()
    await sim.clock.advance(0)
    expect((await activityOf(user, id)).activity_status).toBe('confirmed')
  })

  test('two at once: one is stale', async () => {
    const user = await funded()
    await spendAs(user, 'earn', { ...at, amount: supplied })
    const all = { ...at, amount: 'max' }
    const plans = [await planned(user, 'withdraw', all), await planned(user, 'withdraw', all)]
    const answers = await Promise.all(plans.map((plan) => user.execute(plan)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    await sim.clock.advance(0)
    const { body } = answers.find(({ status }) => status === 200)!
    expect((await activityOf(user, body.activity_id)).activity_status).toBe('confirmed')
  })
})

test('behavior: an execution that fails anyway holds up nobody', async () => {
  const user = await funded()
  await user.fund('base', 'USDC', 1n)
  await spendAs(user, 'transfer', send('1')) // deploys the wallet, which cannot be done once it has sent something itself
  await sim.faults.add({
    on: 'execute',
    effect: 'stuck',
    match: { account_id: user.id },
    times: 1,
  })
  const id = await started(user, await planned(user, 'transfer', send('4000000')))
  // Behind the service's back the wallet loses what it had promised.
  const { address } = loadAddressBook().token('base', 'USDC')!
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [friend, 4_000_000n],
  })
  await readsOf(sim).sendAs('base', user.wallet, { to: address, data })
  await user.fund('base', 'DAI', 5n)
  const { activity } = await spend(user, send('5', 'DAI'))
  expect(activity.activity_status).toBe('confirmed')
  await sim.faults.clear()
  await sim.clock.advance(0)
  expect((await activityOf(user, id)).activity_status).toBe('failed')
  expect((await spend(user, send('1000000'))).activity.activity_status).toBe('confirmed')
})

async function spendAs(user: User, kind: string, body: unknown): Promise<void> {
  const id = await started(user, await planned(user, kind, body))
  expect((await activityOf(user, id)).activity_status).toBe('confirmed')
}

test('behavior: another account of the same wallet sees the reservation too', async () => {
  await using shared = await createSimulator({ ...options, apiKeys: ['key-one', 'key-two'] })
  const first = await openUser(shared, undefined, 'key-one')
  const second = await openUser(shared, first.key, 'key-two')
  expect(second.wallet).toBe(first.wallet)
  await first.fund('base', 'USDC', own)
  await first.fund('optimism', 'USDC', own)
  await started(first, await planned(first, 'transfer', bridged), shared)
  // Whose activity it is stays the other's business.
  expect(await second.plan('transfer', send('5000000'))).toMatchObject(
    refusal('an activity of another prime account', '5000000 of USDC on base'),
  )
})

test('behavior: it outlives a restart', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-sim-reserved-'))
  try {
    const first = await createSimulator({ ...options, dataDir })
    const user = await funded(first)
    const id = await started(user, await planned(user, 'transfer', bridged), first)
    await first.close()
    await using second = await createSimulator({ ...options, dataDir })
    const again = userAt(second, user)
    await second.clock.advance(0)
    expect(await again.plan('transfer', send('5000000'))).toMatchObject(
      refusal(id, '5000000 of USDC on base'),
    )
    await second.clock.advance(61)
    expect((await activityOf(again, id)).activity_status).toBe('confirmed')
  } finally {
    await rm(dataDir, { recursive: true })
  }
})

test('behavior: a snapshot that is taken in flight brings it back', async () => {
  const user = await funded()
  const id = await started(user, await planned(user, 'transfer', bridged))
  const snapshot = await sim.snapshot()
  await sim.clock.advance(61)
  expect((await activityOf(user, id)).activity_status).toBe('confirmed')
  await sim.restore(snapshot)
  await sim.clock.advance(0)
  expect(await user.plan('transfer', send('5000000'))).toMatchObject(
    refusal(id, '5000000 of USDC on base'),
  )
  await sim.clock.advance(61)
  expect((await activityOf(user, id)).activity_status).toBe('confirmed')
})
