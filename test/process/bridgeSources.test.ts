import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle, type SimulatorOptions } from '../../src/index.js'
import { readsOf } from '../kit/chainReads.js'
import { type ActivityBody, openUser, type PlanBody, type User, userAt } from '../kit/user.js'

/** A plan fed from two networks, of which one lets it down: what the other has sent stays in view to its end. */

const friend: Address = '0x00000000000000000000000000000000000f41e7'
/** More than one other network can give. */
const transfer = { asset: 'USDC', amount: '9000000', network: 'base', recipient: friend }
const own = 4_000_000n
const options: SimulatorOptions = { clock: 'frozen', bridgeDelayMs: 60_000 }
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator(options)
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

async function funded(on: SimulatorHandle): Promise<User> {
  const user = await openUser(on)
  for (const network of ['base', 'arbitrum', 'optimism'] as const)
    await on.fund({ account_id: user.id, network, asset: 'USDC', amount: own.toString() })
  return user
}

/** Executes with optimism's transaction reverting; resolves when everything has come to rest. */
async function halfSent(on: SimulatorHandle, user: User): Promise<string> {
  await on.faults.add({
    on: 'execute',
    effect: { revert: { by: 'gas' } },
    match: { account_id: user.id, network: 'optimism' },
    times: 1,
  })
  const plan = (await user.plan('transfer', transfer)).body as PlanBody
  const { body } = await user.execute(plan)
  expect(body).toMatchObject({ status: 'executing' })
  await on.clock.advance(0)
  return body.activity_id
}

async function activityOf(user: User, id: string) {
  const { body } = await user.api.get(`/activities/${id}`)
  return body as ActivityBody & {
    status: string
    executions: { execution_type: string; status: string; chain_id: number }[]
  }
}

function itemsOf(activity: ActivityBody) {
  return activity.activity_metadata.map(({ action_type, chain_id, success }) => [
    action_type,
    chain_id,
    success,
  ])
}

const underWay = [
  ['BRIDGE', 10, false],
  ['BRIDGE', 42161, true],
  ['BRIDGE_MINT', 8453, null],
  ['TRANSFER', 8453, null],
]

async function events(user: User): Promise<string[]> {
  const { body } = await user.api.get(`${user.path}/events?since=0`)
  return body.events.map(
    (event: { data: { activity_status: string } }) => event.data.activity_status,
  )
}

test('default: one source reverts: the other’s bridge is followed to its fill, then the activity fails with nothing pending', async () => {
  const user = await funded(sim)
  const id = await halfSent(sim, user)
  const waiting = await activityOf(user, id)
  expect(waiting).toMatchObject({ activity_status: 'pending', status: 'pending' })
  expect(itemsOf(waiting)).toEqual(underWay)
  expect(waiting.executions.map((each) => [each.execution_type, each.status])).toEqual([
    ['transaction', 'failed'],
    ['transaction', 'executed'],
    ['external', 'pending'],
    ['transaction', 'pending'],
  ])
  await sim.clock.advance(61)
  const ended = await activityOf(user, id)
  expect(ended).toMatchObject({ activity_status: 'failed', status: 'failed' })
  expect(itemsOf(ended)).toEqual([
    ['BRIDGE', 10, false],
    ['BRIDGE', 42161, true],
    ['BRIDGE_MINT', 8453, true],
    ['TRANSFER', 8453, false],
  ])
  const [, , mint, transferred] = ended.activity_metadata
  expect(transferred).toMatchObject({
    activity_record_type: 'unexecuted',
    transaction_hash: null,
    reverted_at: null,
    revert_reason: 'not run: operation 1 of 3 (BRIDGE on optimism) failed',
  })
  expect(ended.executions.map(({ status }) => status)).not.toContain('pending')
  const { output_amount } = mint!.action_context as { output_amount: string }
  const chain = readsOf(sim)
  expect(await chain.balance('base', 'USDC', user.wallet)).toBe(own + BigInt(output_amount))
  expect(await chain.balance('optimism', 'USDC', user.wallet)).toBe(own)
  expect((await events(user)).at(-1)).toBe('failed')
})

test('behavior: afterwards the arrived funds are there for the plan that is made again', async () => {
  const user = await funded(sim)
  await halfSent(sim, user)
  await sim.clock.advance(61)
  const planned = await user.plan('transfer', transfer)
  expect(planned.status).toBe(201)
  const { body } = await user.execute(planned.body as PlanBody)
  await sim.clock.advance(61)
  const activity = await activityOf(user, body.activity_id)
  expect(activity.activity_status).toBe('confirmed')
  // Arbitrum's share is on base already: one bridge is enough.
  expect(itemsOf(activity)).toEqual([
    ['BRIDGE', 10, true],
    ['BRIDGE_MINT', 8453, true],
    ['TRANSFER', 8453, true],
  ])
})

test('behavior: and the bridge that goes on is refunded: both sources are whole again', async () => {
  const user = await funded(sim)
  await sim.faults.add({ on: 'bridge', effect: 'stuck', match: { account_id: user.id } })
  const id = await halfSent(sim, user)
  await sim.clock.advance(61)
  expect(itemsOf(await activityOf(user, id))).toEqual(underWay)
  await sim.clock.advance(700)
  const ended = await activityOf(user, id)
  expect(ended.activity_status).toBe('failed')
  expect(itemsOf(ended)).toEqual([
    ['BRIDGE', 10, false],
    ['BRIDGE', 42161, true],
    ['BRIDGE_MINT', 8453, false],
    ['BRIDGE_REFUND', 42161, true],
    ['TRANSFER', 8453, false],
  ])
  const chain = readsOf(sim)
  for (const network of ['base', 'arbitrum', 'optimism'] as const)
    expect(await chain.balance(network, 'USDC', user.wallet), network).toBe(own)
})

test('behavior: a restart in the middle sends the reverted source not again, and follows the other to its end', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-sim-sources-'))
  try {
    let id: string
    let user: User
    const first = await createSimulator({ ...options, dataDir })
    try {
      user = await funded(first)
      id = await halfSent(first, user)
      expect(itemsOf(await activityOf(user, id))).toEqual(underWay)
    } finally {
      await first.close()
    }
    await using second = await createSimulator({ ...options, dataDir })
    const again = userAt(second, user)
    // The rule is gone: sent again, optimism's transaction would succeed.
    await second.clock.advance(0)
    expect(itemsOf(await activityOf(again, id))).toEqual(underWay)
    const heard = await events(again)
    await second.clock.advance(61)
    const ended = await activityOf(again, id)
    expect(ended.activity_status).toBe('failed')
    expect(itemsOf(ended).map(([, , success]) => success)).toEqual([false, true, true, false])
    expect(await readsOf(second).balance('optimism', 'USDC', user.wallet)).toBe(own)
    // Nothing was told twice: the fill and the end are what is new.
    expect(await events(again)).toHaveLength(heard.length + 2)
  } finally {
    await rm(dataDir, { recursive: true })
  }
})
