import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { readsOf } from '../kit/chainReads.js'
import { imageOf } from '../kit/dataFolders.js'
import { type ActivityBody, openUser, type PlanBody, type User, userAt } from '../kit/user.js'

/** What waits for a bridge has its place too when plans that live on one another fall off the chain together. */

const network = 'base'
let sim: SimulatorHandle
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-sim-bridged-'))
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
const height = async () => Number(await readsOf(sim).request(network, 'eth_blockNumber'))
const latest = async (user: User, id: string): Promise<ActivityBody> =>
  (await user.api.get(`/activities/${id}`)).body as ActivityBody

async function sent(user: User, kind: string, body: unknown): Promise<string> {
  const planned = await user.plan(kind, body)
  expect(planned.status, JSON.stringify(planned.body)).toBe(201)
  const { status, body: answer } = await user.execute(planned.body as PlanBody)
  expect(status, JSON.stringify(answer)).toBe(200)
  await sim.clock.advance(0)
  return answer.activity_id
}

async function expectConfirmed(user: User, ids: readonly string[]): Promise<void> {
  const seen = await Promise.all(ids.map((id) => latest(user, id)))
  expect(
    seen.map(({ activity_status, activity_metadata }) => [
      activity_status,
      ...activity_metadata.flatMap((item) => item.revert_reason ?? []),
    ]),
  ).toEqual(ids.map(() => ['confirmed']))
}

/** Supplies what a bridge brings; withdraws it and supplies it elsewhere, both without a bridge. */
async function bridgedAndSpent() {
  const user = await openUser(sim)
  await user.fund('arbitrum', 'USDC', 1_000_000_000n)
  const begun = await height()
  const ids = [await sent(user, 'earn', usd(900, { protocol: 'aave' }))]
  await sim.clock.advance(5)
  ids.push(await sent(user, 'withdraw', usd(800, { protocol: 'aave' })))
  ids.push(await sent(user, 'earn', usd(700, { protocol: 'compound' })))
  await sim.clock.advance(1)
  await expectConfirmed(user, ids)
  return { user, begun, ids }
}

test.each(['anvil_reorg', 'anvil_rollback'])(
  'behavior: by %s: supplied from a bridge, withdrawn, supplied elsewhere',
  async (method) => {
    for (let round = 0; round < 2; round++) {
      const { user, begun, ids } = await bridgedAndSpent()
      const depth = (await height()) - begun
      const params = method === 'anvil_reorg' ? [depth, []] : [depth]
      await readsOf(sim).request(network, method, params)
      await sim.clock.advance(30)
      await expectConfirmed(user, ids)
    }
  },
)

test.each(['anvil_reorg', 'anvil_rollback'])(
  'behavior: by %s: one that is under way spends what another had brought',
  async (method) => {
    for (let round = 0; round < 2; round++) {
      const user = await openUser(sim)
      await user.fund(network, 'USDC', 1_000_000_000n)
      const begun = await height()
      const ids = [await sent(user, 'earn', usd(900, { protocol: 'aave' }))]
      ids.push(await sent(user, 'withdraw', usd(800, { protocol: 'aave' })))
      const there = { ...usd(850, { protocol: 'aave' }), network: 'arbitrum' }
      ids.push(await sent(user, 'earn', there))
      expect((await latest(user, ids[2]!)).activity_status).toBe('pending')
      const depth = (await height()) - begun
      const params = method === 'anvil_reorg' ? [depth, []] : [depth]
      await readsOf(sim).request(network, method, params)
      await sim.clock.advance(30)
      await expectConfirmed(user, ids)
    }
  },
)

test('behavior: after a kill in the moment in which they are all pending again', async () => {
  const { user, begun, ids } = await bridgedAndSpent()
  const depth = (await height()) - begun
  await sim.faults.set([{ on: 'chain', effect: 'halt', match: { network } }])
  await readsOf(sim).request(network, 'anvil_rollback', [depth])
  await sim.clock.advance(0)
  for (const id of ids) expect((await latest(user, id)).activity_status).toBe('pending')
  const image = await imageOf(dir)
  await sim.faults.clear()
  await sim.clock.advance(30)
  await expectConfirmed(user, ids)
  await using again = await createSimulator({ dataDir: image })
  await again.faults.clear()
  await again.clock.advance(30)
  await expectConfirmed(userAt(again, user), ids)
})

test('behavior: what fell out and waits for a bridge that is stuck holds up nobody for longer than the bridge', async () => {
  const other = await openUser(sim)
  await other.fund(network, 'USDC', 1_000_000_000n)
  const { user, begun, ids } = await bridgedAndSpent()
  const theirs = [await sent(other, 'earn', usd(900, { protocol: 'aave' }))]
  await sim.faults.set([{ on: 'bridge', effect: 'stuck' }])
  await readsOf(sim).request(network, 'anvil_rollback', [(await height()) - begun])
  await sim.clock.advance(660)
  await sim.faults.clear()
  await sim.clock.advance(30)
  expect((await latest(user, ids[0]!)).activity_status).toBe('failed')
  await expectConfirmed(other, theirs)
})
