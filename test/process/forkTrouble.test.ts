import { setTimeout } from 'node:timers/promises'
import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { genesisTimestamp } from '../../src/chain/genesis/anvil.js'
import type { NetworkName } from '../../src/deployments/networks.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { readsOf } from '../kit/chainReads.js'
import { positionsOn } from '../kit/positions.js'
import { childrenOf } from '../kit/processes.js'
import { startUpstream, type Upstream, upstreamKey } from '../kit/upstream.js'
import { openUser, type PlanBody } from '../kit/user.js'

/** A fork whose upstream fails: nothing is taken for zero, and every error names network, host and cure. */

const friend: Address = '0x00000000000000000000000000000000000f41e7'
/** A day after the offline world was built. */
const oldTime = genesisTimestamp + 86_400
let upstream: Upstream
let sim: SimulatorHandle

beforeAll(async () => {
  upstream = await startUpstream('base', { time: oldTime })
  sim = await createSimulator({ fork: { base: { url: upstream.url } } })
})
afterEach(() => {
  upstream.mood = 'well'
  upstream.lie = undefined
})
afterAll(async () => {
  await sim?.close()
  await upstream?.stop()
})

const named =
  /^base is forked from 127\.0\.0\.1:\d+, which .*\. Check that the endpoint runs, or start again with another --fork base=URL or without it$/

/** Every status here has a body with this message, which names the cure and not the key. */
function expectNamed(reply: { body: { message: string } }): void {
  expect(reply.body.message).toMatch(named)
  expect(reply.body.message).not.toContain(upstreamKey)
}

test('behavior: a fork of an old block goes on at the time of the clock, its interest accrued', async () => {
  const { client } = positionsOn(sim, 'base')
  const there = Number((await client.getBlock()).timestamp)
  const offline = Number((await positionsOn(sim, 'arbitrum').client.getBlock()).timestamp)
  expect(there).toBeGreaterThan(oldTime + 86_400)
  // Both go on by themselves from the same second.
  expect(Math.abs(there - offline)).toBeLessThan(60)
  expect(Math.abs(there - sim.clock.time().ms / 1000)).toBeLessThan(60)
})

test('behavior: a fork of an old block runs under the rules of today', async () => {
  const rules = async (network: NetworkName) =>
    (await readsOf(sim).request<{ hardFork: string }>(network, 'anvil_nodeInfo')).hardFork
  expect(await rules('base')).toBe(await rules('arbitrum'))
})

test('error: timeout for folios and plans that must read upstream; other networks go on', async () => {
  const user = await openUser(sim)
  await user.fund('optimism', 'USDC', 1_000_000n)
  upstream.mood = 'broken'
  const folio = await user.api.get(`${user.path}/folio`)
  expect(folio).toMatchObject({ status: 408, body: { error: 'timeout' } })
  expectNamed(folio)
  expect(folio.headers.get('x-svc-sim-hint')).toContain('start the simulator with another --fork')
  const earn = { asset: 'USDC', amount: '1', network: 'base', protocol: 'compound' }
  const plan = await user.plan('earn', earn)
  expect(plan).toMatchObject({ status: 408, body: { error: 'timeout' } })
  expectNamed(plan)
  const transfer = { asset: 'USDC', amount: '1000000', network: 'optimism', recipient: friend }
  const { activity } = await user.run('transfer', transfer)
  expect(activity.activity_status).toBe('confirmed')
})

test('behavior: what was read before needs no upstream; with it back, all goes on', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 1_000_000n)
  const path = `${user.path}/folio`
  const { folio } = (await user.api.get(path)).body
  upstream.mood = 'broken'
  const again = await user.api.get(path)
  expect(again.status).toBe(200)
  expect(again.body.folio.balances).toEqual(folio.balances)
  const stranger = await openUser(sim)
  expect((await stranger.api.get(`${stranger.path}/folio`)).status).toBe(408)
  upstream.mood = 'well'
  expect((await stranger.api.get(`${stranger.path}/folio`)).status).toBe(200)
})

test('behavior: an execution reads nothing that its plan has not read: it goes through while the endpoint is broken', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 1_000_000n)
  const transfer = { asset: 'USDC', amount: '1000000', network: 'base', recipient: friend }
  const plan = (await user.plan('transfer', transfer)).body as PlanBody
  upstream.mood = 'broken'
  const executed = await user.execute(plan)
  expect(executed.status).toBe(200)
  const activity = await user.follow(executed.body.activity_id)
  expect(activity, JSON.stringify(activity)).toMatchObject({ activity_status: 'confirmed' })
  upstream.mood = 'well'
})

test('error: an endpoint that dies for good between two reads of a plan: the reason, and nothing half-done', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 3_000_000n)
  const earn = { asset: 'USDC', amount: '1000000', network: 'base', protocol: 'compound' }
  const before = await positionsOn(sim, 'base').client.getBlockNumber()
  upstream.mood = { wellFor: 1 }
  const refused = await user.plan('earn', earn)
  expect(refused).toMatchObject({ status: 408, body: { error: 'timeout' } })
  expectNamed(refused)
  expect(upstream.mood).toBe('broken')
  expect(await positionsOn(sim, 'base').client.getBlockNumber()).toBe(before)
  const { activities } = (await user.api.get(`${user.path}/activities`)).body
  expect(activities).toEqual([])
  upstream.mood = 'well'
  const { activity } = await user.run('earn', earn)
  expect(activity.activity_status).toBe('confirmed')
  expect(await positionsOn(sim, 'base').balance('USDC', user.wallet)).toBe(2_000_000n)
})

test('error: a bridge into a fork whose endpoint dies before the fill: sent back at once with the reason; with it back, the same goes', async () => {
  const user = await openUser(sim)
  await user.fund('optimism', 'USDC', 5_000_000n)
  await user.api.get(`${user.path}/folio`)
  const transfer = { asset: 'USDC', amount: '2000000', network: 'base', recipient: friend }
  const plan = (await user.plan('transfer', transfer)).body as PlanBody
  const held = await sim.faults.add({ on: 'bridge', effect: 'stuck' })
  const executed = await user.execute(plan)
  expect(executed.status).toBe(200)
  upstream.mood = 'broken'
  await sim.faults.remove(held.id)
  // What the relayer has there nobody has read yet.
  const { activity_status, activity_metadata } = await user.follow(executed.body.activity_id)
  expect(activity_status).toBe('failed')
  const [, fill] = activity_metadata
  expect(fill!.revert_reason).toMatch(
    /^the fill failed: base is forked from .* refunded on optimism at once$/,
  )
  expect(await positionsOn(sim, 'optimism').balance('USDC', user.wallet)).toBe(5_000_000n)
  upstream.mood = 'well'
  expect((await user.run('transfer', transfer)).activity.activity_status).toBe('confirmed')
})

test('behavior: over a slow endpoint, advance returns after everything that was due', async () => {
  await sim.clock.freeze()
  upstream.lie = async (answer) => {
    await setTimeout(20)
    return answer
  }
  const user = await openUser(sim)
  await user.fund('optimism', 'USDC', 5_000_000n)
  const transfer = { asset: 'USDC', amount: '2000000', network: 'base', recipient: friend }
  const plan = (await user.plan('transfer', transfer)).body as PlanBody
  const { body } = await user.execute(plan)
  const asked = upstream.asked.length
  await sim.clock.advance(2)
  expect(upstream.asked.length).toBeGreaterThan(asked)
  await sim.clock.resume()
  // With a running clock requests wait for nothing.
  const activity = (await user.api.get(`/activities/${body.activity_id}`)).body
  expect(activity.activity_status).toBe('confirmed')
})

test('error: internal_error for a faucet that cannot read what it adds to', async () => {
  upstream.mood = 'broken'
  const { api } = await openUser(sim)
  const funds = { asset: 'ETH', amount: '1', network: 'base', address: `0x${'ab'.repeat(20)}` }
  const reply = await api.post('/_sim/fund', funds)
  expect(reply).toMatchObject({ status: 500, body: { error: 'internal_error' } })
  expectNamed(reply)
})

test('error: a start that fails leaves nothing behind', async () => {
  const before = childrenOf(process.pid)
  const fork = { base: { url: upstream.url }, mainnet: { url: upstream.url } }
  await expect(createSimulator({ fork })).rejects.toThrow('is chain 8453, but mainnet is 1')
  upstream.mood = 'broken'
  await expect(createSimulator({ fork: { base: { url: upstream.url } } })).rejects.toThrow(named)
  expect(childrenOf(process.pid).sort()).toEqual(before.sort())
})
