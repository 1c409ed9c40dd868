import { afterAll, beforeAll, expect, test } from 'vitest'
import { networkNames } from '../../src/deployments/networks.js'
import { readsOf } from '../kit/chainReads.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', bridgeDelayMs: 2_000 })
})
afterAll(() => sim.close())

const earn = { amount: '2000000', asset: 'USDC', network: 'base', protocol: 'compound' }

async function latest(): Promise<unknown[]> {
  const { request } = readsOf(sim)
  return Promise.all(
    networkNames.map(async (network) => {
      const block = await request<{ hash: string }>(network, 'eth_getBlockByNumber', [
        'latest',
        false,
      ])
      return block.hash
    }),
  )
}

test('default: a reset heals nodes that are down or halted, and drops what waited', async () => {
  await sim.reset()
  const before = await latest()
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  await sim.faults.add({ on: 'chain', effect: 'halt', match: { network: 'base' } })
  const plan = (await user.plan('earn', earn)).body as PlanBody
  expect((await user.execute(plan)).status).toBe(200)
  await sim.faults.add({ on: 'chain', effect: 'down', match: { network: 'polygon' } })
  // This one hangs until the node goes on.
  const hanging = user.api.get(`${user.path}/folio`)
  await sim.reset()
  expect(sim.faults.list()).toEqual([])
  // What stands is lifted before the chains go back: lifting mines blocks.
  expect(await latest()).toEqual(before)
  expect([200, 404, 408]).toContain((await hanging).status)
  const next = await openUser(sim)
  await next.fund('base', 'USDC', 9_000_000n)
  expect((await next.run('earn', earn)).activity.activity_status).toBe('confirmed')
})

test('behavior: what stood when the snapshot was taken stands again after the restore, and can be lifted', async () => {
  await sim.reset()
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  const { id } = await sim.faults.add({ on: 'chain', effect: 'halt', match: { network: 'base' } })
  await sim.snapshot('halted')
  await sim.faults.remove(id)
  expect((await user.run('earn', earn)).activity.activity_status).toBe('confirmed')
  await sim.restore('halted')
  expect(sim.faults.list()).toMatchObject([{ id, hits: 1 }])
  const { request } = readsOf(sim)
  expect(await request('base', 'anvil_getAutomine')).toBe(false)
  const plan = (await user.plan('earn', earn)).body as PlanBody
  const { activity_id } = (await user.execute(plan)).body as { activity_id: string }
  expect((await user.api.get(`/activities/${activity_id}`)).body.activity_status).toBe('pending')
  await sim.faults.remove(id)
  expect((await user.follow(activity_id)).activity_status).toBe('confirmed')
})

test('behavior: an execution that waits on a halted network is sent again after the restore, and lands once', async () => {
  await sim.reset()
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  const { id } = await sim.faults.add({ on: 'chain', effect: 'halt', match: { network: 'base' } })
  const plan = (await user.plan('earn', earn)).body as PlanBody
  const { activity_id } = (await user.execute(plan)).body as { activity_id: string }
  await sim.snapshot('waiting')
  for (let round = 0; round < 2; round++) {
    await sim.faults.remove(id)
    expect((await user.follow(activity_id)).activity_status).toBe('confirmed')
    expect(await readsOf(sim).balance('base', 'USDC', user.wallet)).toBe(7_000_000n)
    await sim.restore('waiting')
    expect((await user.api.get(`/activities/${activity_id}`)).body.activity_status).toBe('pending')
    expect(await readsOf(sim).balance('base', 'USDC', user.wallet)).toBe(9_000_000n)
  }
})

test('error: a restore that is refused leaves the rules as they were', async () => {
  await sim.reset()
  const reads = readsOf(sim)
  await reads.request('polygon', 'evm_mine')
  await sim.snapshot('lost')
  await reads.request('polygon', 'anvil_rollback', [1])
  await sim.faults.add({ on: 'chain', effect: 'halt', match: { network: 'base' } })
  const rules = sim.faults.list()
  await expect(sim.restore('lost')).rejects.toThrow('the polygon node has no snapshot')
  expect(sim.faults.list()).toEqual(rules)
  expect(await reads.request('base', 'anvil_getAutomine')).toBe(false)
})

test('behavior: a deposit that a fault holds is held again after the restore, and counted once', async () => {
  await sim.reset()
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  await user.fund('arbitrum', 'USDC', 5_000_000n)
  await sim.faults.add({ on: 'bridge', effect: 'stuck', times: 1 })
  const recipient = '0x00000000000000000000000000000000000f41e7'
  const transfer = { asset: 'USDC', amount: '7000000', network: 'base', recipient }
  const plan = (await user.plan('transfer', transfer)).body as PlanBody
  const { activity_id } = (await user.execute(plan)).body as { activity_id: string }
  await sim.clock.advance(1)
  await sim.snapshot('stuck')
  const activity = async () => (await user.api.get(`/activities/${activity_id}`)).body
  const ends: unknown[] = []
  for (let round = 0; round < 2; round++) {
    await sim.clock.advance(10)
    expect((await activity()).activity_status).toBe('pending')
    // Past its deadline of ten minutes it goes back to its depositor.
    await sim.clock.advance(620)
    ends.push(await activity())
    expect(ends.at(-1)).toMatchObject({ activity_status: 'failed' })
    expect(await readsOf(sim).balance('arbitrum', 'USDC', user.wallet)).toBe(5_000_000n)
    expect(sim.faults.list()).toMatchObject([{ hits: 1 }])
    await sim.restore('stuck')
  }
  expect(ends[1]).toEqual(ends[0])
})
