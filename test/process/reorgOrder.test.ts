import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { readsOf } from '../kit/chainReads.js'
import { imageOf } from '../kit/dataFolders.js'
import { type ActivityBody, openUser, type PlanBody, type User, userAt } from '../kit/user.js'

/** Plans that live on one another, and fall off the chain together: they are sent again in the order in which they were. */

const network = 'base'
const rounds = 12
let sim: SimulatorHandle
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-sim-order-'))
  sim = await createSimulator({ clock: 'frozen', seed: 5n, dataDir: dir })
})
afterAll(async () => {
  await sim.close()
  await rm(dir, { recursive: true, force: true })
})

const usd = (amount: number, more: object) => ({
  asset: 'USDC',
  network,
  amount: `${amount}000000`,
  ...more,
})
const height = async (on: SimulatorHandle) =>
  Number(await readsOf(on).request(network, 'eth_blockNumber'))

/** Executes, and does not wait for the end. */
async function sent(user: User, kind: string, body: unknown): Promise<[User, string]> {
  const plan = (await user.plan(kind, body)).body as PlanBody
  const { status, body: answer } = await user.execute(plan)
  expect(status, JSON.stringify(answer)).toBe(200)
  return [user, answer.activity_id]
}

async function look(user: User, id: string) {
  const activity = (await user.api.get(`/activities/${id}`)).body as ActivityBody
  const [item] = activity.activity_metadata
  return { status: activity.activity_status, block: item!.executed_at_block_number as number }
}

/** Each lives on the one before: A earns and withdraws, pays B, who earns and withdraws. */
async function chainOfPlans(on: SimulatorHandle) {
  const [a, b] = [await openUser(on), await openUser(on)]
  await a.fund(network, 'USDC', 1_000_000_000n)
  const begun = await height(on)
  const steps: [User, string, object][] = [
    [a, 'earn', usd(900, { protocol: 'aave' })],
    [a, 'withdraw', usd(800, { protocol: 'aave' })],
    [a, 'transfer', usd(850, { recipient: b.wallet })],
    [b, 'earn', usd(700, { protocol: 'compound' })],
    [b, 'withdraw', usd(600, { protocol: 'compound' })],
  ]
  const done: [User, string][] = []
  for (const [user, kind, body] of steps) {
    done.push(await sent(user, kind, body))
    await on.clock.advance(0)
  }
  await on.clock.advance(1)
  return { done, begun }
}

async function expectInOrder(done: readonly [User, string][]): Promise<void> {
  const seen = []
  for (const [user, id] of done) seen.push(await look(user, id))
  expect(seen.map(({ status }) => status)).toEqual(done.map(() => 'confirmed'))
  const blocks = seen.map(({ block }) => block)
  expect(blocks).toEqual(blocks.toSorted((one, other) => one - other))
}

test.each(['anvil_reorg', 'anvil_rollback'])(
  'behavior: by %s, again and again',
  async (method) => {
    for (let round = 0; round < rounds; round++) {
      const { done, begun } = await chainOfPlans(sim)
      const depth = (await height(sim)) - begun
      const params = method === 'anvil_reorg' ? [depth, []] : [depth]
      await readsOf(sim).request(network, method, params)
      await sim.clock.advance(10)
      await expectInOrder(done)
    }
  },
  120_000,
)

test('behavior: after a kill in the moment in which they are all pending again', async () => {
  const { done, begun } = await chainOfPlans(sim)
  const depth = (await height(sim)) - begun
  await sim.faults.set([{ on: 'chain', effect: 'halt', match: { network } }])
  await readsOf(sim).request(network, 'anvil_rollback', [depth])
  await sim.clock.advance(0)
  for (const [user, id] of done) expect(await look(user, id)).toMatchObject({ status: 'pending' })
  const image = await imageOf(dir)
  await sim.faults.clear()
  await sim.clock.advance(10)
  await expectInOrder(done)
  await using again = await createSimulator({ dataDir: image })
  await again.faults.clear()
  await again.clock.advance(10)
  await expectInOrder(done.map(([user, id]) => [userAt(again, user), id]))
})
