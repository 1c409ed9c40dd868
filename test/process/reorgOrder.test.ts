import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networkOf } from '../../src/deployments/networks.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { readsOf } from '../kit/chainReads.js'
import { imageOf } from '../kit/dataFolders.js'
import { type ActivityBody, openUser, type PlanBody, type User, userAt } from '../kit/user.js'

/**
 * Plans that live on one another, and fall off the chain together: they are sent again in the order in which they were. What waits for a
 * bridge has its place too.
 */

const network = 'base'
let sim: SimulatorHandle
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-sim-order-'))
  sim = await createSimulator({ clock: 'frozen', seed: 5n, bridgeDelayMs: 2_000, dataDir: dir })
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
const onAave = { protocol: 'aave' }
const onCompound = { protocol: 'compound' }
const height = async () => Number(await readsOf(sim).request(network, 'eth_blockNumber'))

/** An execution: whose it is, and its activity. */
type Sent = readonly [User, string]

/** Executes, and does not wait for the end. */
async function sent(user: User, kind: string, body: unknown): Promise<Sent> {
  const planned = await user.plan(kind, body)
  expect(planned.status, JSON.stringify(planned.body)).toBe(201)
  const { status, body: answer } = await user.execute(planned.body as PlanBody)
  expect(status, JSON.stringify(answer)).toBe(200)
  await sim.clock.advance(0)
  return [user, answer.activity_id]
}

const look = async ([user, id]: Sent): Promise<ActivityBody> =>
  (await user.api.get(`/activities/${id}`)).body as ActivityBody

/** All are confirmed, nothing of them has reverted, and their last blocks on the network are in the order in which they were sent. */
async function expectInOrder(all: readonly Sent[]): Promise<void> {
  const seen = []
  for (const each of all) seen.push(await look(each))
  expect(
    seen.map(({ activity_status, activity_metadata }) => [
      activity_status,
      ...activity_metadata.flatMap((item) => item.revert_reason ?? []),
    ]),
  ).toEqual(all.map(() => ['confirmed']))
  const blocks = seen
    .map(({ activity_metadata }) => activity_metadata.at(-1)!)
    .filter(({ chain_id }) => chain_id === networkOf(network).chainId)
    .map((item) => item.executed_at_block_number as number)
  expect(blocks).toEqual(blocks.toSorted((one, other) => one - other))
}

/** Executions that live on one another, and the height before the first of them, with the funds given. */
type Situation = () => Promise<{ all: Sent[]; begun: number }>

/** Each lives on the one before: A earns and withdraws, pays B, who earns and withdraws. */
async function direct(): ReturnType<Situation> {
  const [a, b] = [await openUser(sim), await openUser(sim)]
  await a.fund(network, 'USDC', 1_000_000_000n)
  const steps: [User, string, object][] = [
    [a, 'earn', usd(900, onAave)],
    [a, 'withdraw', usd(800, onAave)],
    [a, 'transfer', usd(850, { recipient: b.wallet })],
    [b, 'earn', usd(700, onCompound)],
    [b, 'withdraw', usd(600, onCompound)],
  ]
  const begun = await height()
  const all: Sent[] = []
  for (const step of steps) all.push(await sent(...step))
  await sim.clock.advance(1)
  return { all, begun }
}

/** Supplies what a bridge brings; withdraws it and supplies it elsewhere, both without a bridge. */
async function bridgedAndSpent(): ReturnType<Situation> {
  const user = await openUser(sim)
  await user.fund('arbitrum', 'USDC', 1_000_000_000n)
  const begun = await height()
  const all = [await sent(user, 'earn', usd(900, onAave))]
  await sim.clock.advance(5)
  all.push(await sent(user, 'withdraw', usd(800, onAave)))
  all.push(await sent(user, 'earn', usd(700, onCompound)))
  await sim.clock.advance(1)
  await expectInOrder(all)
  return { all, begun }
}

async function underWay(): ReturnType<Situation> {
  const user = await openUser(sim)
  await user.fund(network, 'USDC', 1_000_000_000n)
  const begun = await height()
  const all = [await sent(user, 'earn', usd(900, onAave))]
  all.push(await sent(user, 'withdraw', usd(800, onAave)))
  all.push(await sent(user, 'earn', { ...usd(850, onAave), network: 'arbitrum' }))
  expect((await look(all[2]!)).activity_status).toBe('pending')
  return { all, begun }
}

async function expectSentAgain(method: string, situation: Situation, rounds: number) {
  for (let round = 0; round < rounds; round++) {
    const { all, begun } = await situation()
    const depth = (await height()) - begun
    await readsOf(sim).request(network, method, method === 'anvil_reorg' ? [depth, []] : [depth])
    await sim.clock.advance(30)
    await expectInOrder(all)
  }
}

const byEach = test.each(['anvil_reorg', 'anvil_rollback'])
byEach('behavior: by %s, again and again', (method) => expectSentAgain(method, direct, 4))
byEach('behavior: by %s: supplied from a bridge, withdrawn, supplied elsewhere', (method) =>
  expectSentAgain(method, bridgedAndSpent, 2),
)
byEach('behavior: by %s: one that is under way spends what another had brought', (method) =>
  expectSentAgain(method, underWay, 2),
)

test('behavior: after a kill in the moment in which they are all pending again', async () => {
  const one = await direct()
  const other = await bridgedAndSpent()
  const all = [...one.all, ...other.all]
  await sim.faults.set([{ on: 'chain', effect: 'halt', match: { network } }])
  await readsOf(sim).request(network, 'anvil_rollback', [(await height()) - one.begun])
  await sim.clock.advance(0)
  for (const each of all) expect((await look(each)).activity_status).toBe('pending')
  const image = await imageOf(dir)
  await sim.faults.clear()
  await sim.clock.advance(30)
  for (const { all } of [one, other]) await expectInOrder(all)
  await using again = await createSimulator({ dataDir: image })
  await again.faults.clear()
  await again.clock.advance(30)
  for (const { all } of [one, other])
    await expectInOrder(all.map(([user, id]) => [userAt(again, user), id] as const))
})

test('behavior: what fell out and waits for a bridge that is stuck holds up nobody for longer than the bridge', async () => {
  const user = await openUser(sim)
  await user.fund(network, 'USDC', 1_000_000_000n)
  const { all, begun } = await bridgedAndSpent()
  const theirs = await sent(user, 'earn', usd(900, onAave))
  await sim.faults.set([{ on: 'bridge', effect: 'stuck' }])
  await readsOf(sim).request(network, 'anvil_rollback', [(await height()) - begun])
  await sim.clock.advance(660)
  await sim.faults.clear()
  await sim.clock.advance(30)
  expect((await look(all[0]!)).activity_status).toBe('failed')
  await expectInOrder([theirs])
})
