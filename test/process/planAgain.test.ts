import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { svcAddresses } from '../../src/generated/svc.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { operationNonce } from '../../src/service/plans/assembly/planner.js'
import { readsOf } from '../kit/chainReads.js'
import { submitBehindItsBack } from '../kit/submit.js'
import { openUser, type PlanBody, userAt } from '../kit/user.js'

/** What a client does that gets `plan_stale`: it plans again. That must work, whatever used the old plan's nonces up. */

let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ bridgeDelayMs: 20 })
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

type User = Awaited<ReturnType<typeof openUser>>

const friend = '0x00000000000000000000000000000000000f41e7'
const transfer = { asset: 'USDC', amount: '1000000', network: 'base', recipient: friend }
const wrapping = { asset: 'WETH', amount: '1000', network: 'base', recipient: friend }

/** A wallet that is deployed and has funds. */
async function funded(on = sim): Promise<User> {
  const user = await openUser(on)
  await on.fund({ account_id: user.id, network: 'base', asset: 'USDC', amount: '50000000' })
  await on.fund({ account_id: user.id, network: 'base', asset: 'ETH', amount: '1000000' })
  await user.run('transfer', transfer)
  return user
}

async function planned(user: User, body: object = transfer): Promise<PlanBody> {
  const { status, body: plan } = await user.plan('transfer', body)
  expect([status, plan]).toEqual([201, expect.anything()])
  return plan as PlanBody
}

async function refused(user: User, plan: PlanBody, hint: string): Promise<void> {
  const answer = await user.execute(plan)
  expect(answer).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
  expect(answer.headers.get('x-svc-sim-hint')).toContain(hint)
}

async function confirmed(user: User, body: object = transfer): Promise<PlanBody> {
  const { plan, activity } = await user.run('transfer', body)
  expect(activity).toMatchObject({ activity_status: 'confirmed' })
  return plan
}

const nonceOf = (plan: PlanBody, index = 0) =>
  plan.details.svc_operation_actions[index]!.operation.nonce

async function cancel(on: SimulatorHandle, user: User, nonce: Hex): Promise<void> {
  const data = encodeFunctionData({
    abi: parseAbi(['function cancel(bytes32 nonce)']),
    args: [nonce],
  })
  await readsOf(on).sendAs('base', user.wallet, { to: svcAddresses.nonceManager, data })
}

async function secretOf(user: User): Promise<unknown> {
  const { body } = await user.api.get(`${user.path}/folio`)
  return body.folio.hex_data[`nonce_secret/base/${user.wallet}`]
}

const usedUp = 'a nonce of its operations was used up on base'

test('default: a cancelled nonce makes its plan stale; the next plan has the next, and the folio names it', async () => {
  const user = await funded()
  const plan = await planned(user)
  expect(await secretOf(user)).toBe(nonceOf(plan))
  await cancel(sim, user, nonceOf(plan))
  for (let i = 0; i < 2; i++) await refused(user, plan, usedUp)
  const secret = await secretOf(user)
  expect(secret).not.toBe(nonceOf(plan))
  expect(nonceOf(await confirmed(user))).toBe(secret)
  // The wallet goes on from there.
  await confirmed(user)
})

test('behavior: several cancelled in a row, the last of them before it was ever given out', async () => {
  const user = await funded()
  for (let i = 0; i < 3; i++) await cancel(sim, user, (await secretOf(user)) as Hex)
  await confirmed(user)
  await confirmed(user)
})

test('behavior: the nonce of a later operation used up alone is enough, also for a plan that needs only the first', async () => {
  const user = await funded()
  const plan = await planned(user, wrapping)
  expect(nonceOf(plan, 1)).toBe(operationNonce(nonceOf(plan), 1))
  await cancel(sim, user, nonceOf(plan, 1))
  await refused(user, plan, usedUp)
  const next = await confirmed(user, wrapping)
  expect(nonceOf(next)).not.toBe(nonceOf(plan))
  await confirmed(user)
})

test('behavior: a plan whose signed operations a third party has submitted is stale, and plans go on', async () => {
  const user = await funded()
  const before = await readsOf(sim).balance('base', 'USDC', friend)
  const plan = await planned(user)
  await submitBehindItsBack(sim, user, plan)
  await refused(user, plan, usedUp)
  await confirmed(user)
  expect(await readsOf(sim).balance('base', 'USDC', friend)).toBe(before + 2_000_000n)
})

test('behavior: one operation of several submitted by a third party', async () => {
  const user = await funded()
  const plan = await planned(user, wrapping)
  await submitBehindItsBack(sim, user, plan, [0])
  await refused(user, plan, usedUp)
  await confirmed(user, wrapping)
})

test('behavior: an operation on another network, of which a bridge was to come', async () => {
  const user = await funded()
  await user.fund('arbitrum', 'USDC', 100_000_000n)
  const bridged = { ...transfer, amount: '60000000' }
  const plan = await planned(user, bridged)
  await submitBehindItsBack(sim, user, plan, [0])
  await refused(user, plan, 'a nonce of its operations was used up on arbitrum')
  // What the third party has sent on its way is not ours to wait for: it comes or is on the way.
  await confirmed(user)
})

test('behavior: of two plans from one state only one runs, also after a nonce was used up', async () => {
  const user = await funded()
  await cancel(sim, user, (await secretOf(user)) as Hex)
  const [first, second] = [await planned(user), await planned(user)]
  expect(nonceOf(second)).toBe(nonceOf(first))
  const answers = await Promise.all([user.execute(first), user.execute(second)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const done = answers.find(({ status }) => status === 200)!.body.activity_id
  expect(await user.follow(done)).toMatchObject({ activity_status: 'confirmed' })
  await confirmed(user)
})

test('behavior: a consumed plan whose transaction is not mined yet keeps its nonce', async () => {
  const user = await funded()
  await cancel(sim, user, (await secretOf(user)) as Hex)
  const first = await planned(user)
  await sim.faults.add({ id: 'halt', on: 'chain', effect: 'halt', match: { network: 'base' } })
  const executed = await user.execute(first)
  expect(executed.status).toBe(200)
  const next = await planned(user)
  expect(nonceOf(next)).not.toBe(nonceOf(first))
  expect(await secretOf(user)).toBe(nonceOf(next))
  await sim.faults.remove('halt')
  expect(await user.follow(executed.body.activity_id)).toMatchObject({
    activity_status: 'confirmed',
  })
  await confirmed(user)
})

test('behavior: a restored snapshot knows what was used up before it, and nothing that was after it', async () => {
  const user = await funded()
  await cancel(sim, user, (await secretOf(user)) as Hex)
  const plan = await planned(user)
  const id = await sim.snapshot()
  await cancel(sim, user, nonceOf(plan))
  await refused(user, plan, usedUp)
  await confirmed(user)
  await sim.restore(id)
  expect(await secretOf(user)).toBe(nonceOf(plan))
  const again = await user.execute(plan)
  expect(again).toMatchObject({ status: 200 })
  expect(await user.follow(again.body.activity_id)).toMatchObject({ activity_status: 'confirmed' })
  await confirmed(user)
})

test('behavior: a restart on the same data folder goes on where the chain stands', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'svc-sim-nonce-'))
  try {
    const first = await createSimulator({ dataDir: dir })
    const before = await funded(first)
    const open = await planned(before)
    await cancel(first, before, nonceOf(open))
    await first.close()
    const second = await createSimulator({ dataDir: dir })
    const user = userAt(second, before)
    await refused(user, open, usedUp)
    await confirmed(user)
    await confirmed(user)
    await second.close()
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
})

test('behavior: a client that retries gets through the shipped only-armed scenario', async () => {
  const { faults } = parse(readFileSync('scenarios/only-armed.yaml', 'utf8'))
  const user = await funded()
  await sim.faults.set(faults)
  const swap = { sell_asset: 'USDC', buy_asset: 'WETH', sell_amount: '1000000', network: 'base' }
  const earn = { asset: 'USDC', amount: '1000000', network: 'base', protocol: 'compound' }
  for (const [kind, body] of Object.entries({ transfer, earn, swap }))
    await persist(user, kind, body)
  for (let i = 0; i < 3; i++) await persist(user, 'swap', swap)
  expect(sim.faults.list().map(({ id, hits }) => [id, hits])).toEqual([
    ['second_execute_stale', 1],
    ['third_quote_fails', 1],
    ['first_answer_lost', 1],
  ])
  const { body } = await user.api.get(`${user.path}/activities`)
  expect(body.activities.map((one: { activity_status: string }) => one.activity_status)).toEqual(
    Array(7).fill('confirmed'),
  )
})

/** Plans until there is a plan and executes until one goes through; a lost answer is looked up among the activities. */
async function persist(user: User, kind: string, body: object): Promise<void> {
  for (;;) {
    const plan = await user.plan(kind, body)
    if (plan.status === 422) continue
    expect(plan.status).toBe(201)
    const executed = await user.execute(plan.body as PlanBody).catch(() => undefined)
    if (executed?.status === 409) continue
    const { plan_id } = plan.body as PlanBody
    const { body: list } = await user.api.get(`${user.path}/activities`)
    const { activity_id } = list.activities.find(
      (one: { plan_id: string }) => one.plan_id === plan_id,
    )
    expect(await user.follow(activity_id)).toMatchObject({ activity_status: 'confirmed' })
    return
  }
}
