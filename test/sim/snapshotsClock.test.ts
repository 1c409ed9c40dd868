import { afterAll, beforeAll, expect, test } from 'vitest'
import { networkNames } from '../../src/deployments/networks.js'
import { readsOf } from '../kit/chainReads.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen@2026-03-01T12:00:00Z', seed: 5n })
})
afterAll(() => sim.close())

const key = `0x${'51'.repeat(32)}` as const
const friend = '0x00000000000000000000000000000000000f41e7'
const earn = { amount: '2000000', asset: 'USDC', network: 'base', protocol: 'compound' }
const transfer = { asset: 'USDC', amount: '7000000', network: 'base', recipient: friend }

/** Number, hash and time of the latest block and time of the next one, of all chains. */
async function blocks() {
  const { request } = readsOf(sim)
  type Block = { number: string; hash: string; timestamp: string }
  const entries = networkNames.map(async (network) => {
    const latest = await request<Block>(network, 'eth_getBlockByNumber', ['latest', false])
    const next = await request<Block>(network, 'eth_getBlockByNumber', ['pending', false])
    return [network, latest.number, latest.hash, latest.timestamp, next.timestamp]
  })
  return Promise.all(entries)
}

test('default: a plan that has expired is alive again, and expires again', async () => {
  await sim.reset()
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  const plan = (await user.plan('earn', earn)).body as PlanBody
  await sim.snapshot('planned')
  await sim.clock.advance(119)
  await sim.snapshot('just alive')
  await sim.clock.advance(1)
  expect(await user.execute(plan)).toMatchObject({ status: 404, body: { error: 'plan_not_found' } })
  await sim.restore('just alive')
  expect(sim.clock.time()).toMatchObject({ now: '2026-03-01T12:01:59Z', mode: 'frozen' })
  expect((await user.execute(plan)).status).toBe(200)
  await sim.restore('planned')
  expect(sim.clock.time().now).toBe('2026-03-01T12:00:00Z')
  await sim.clock.advance(120)
  expect((await user.execute(plan)).status).toBe(404)
})

test('behavior: a bridge that is under way is due at the same moment after each restore', async () => {
  await sim.reset()
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  await user.fund('arbitrum', 'USDC', 5_000_000n)
  const plan = (await user.plan('transfer', transfer)).body as PlanBody
  const { activity_id } = (await user.execute(plan)).body as { activity_id: string }
  await sim.clock.advance(1)
  await sim.snapshot('half way')
  const activity = async () => (await user.api.get(`/activities/${activity_id}`)).body
  const pending = await activity()
  expect(pending.activity_status).toBe('pending')
  const ends: unknown[] = []
  for (let round = 0; round < 3; round++) {
    await sim.clock.advance(0.999)
    expect(await activity()).toEqual(pending)
    await sim.clock.advance(0.001)
    ends.push([await activity(), await blocks()])
    expect(ends.at(-1)).toMatchObject([{ activity_status: 'confirmed' }, {}])
    await sim.restore('half way')
    expect(await activity()).toEqual(pending)
  }
  expect(ends[1]).toEqual(ends[0])
  expect(ends[2]).toEqual(ends[0])
})

test('behavior: after a reset the same requests give the same answers and the same blocks, byte for byte', async () => {
  const transcripts: string[] = []
  for (let round = 0; round < 3; round++) {
    await sim.reset()
    const said: unknown[] = [await blocks()]
    const user = await openUser(sim, key)
    const say = async (method: string, path: string, body?: unknown) => {
      const headers = {
        authorization: `Bearer ${sim.apiKey}`,
        'content-type': 'application/json',
      }
      const answer = await fetch(`${sim.url}${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const ours = [...answer.headers].filter(
        ([name]) =>
          name === 'date' || (name.startsWith('x-svc-sim-') && name !== 'x-svc-sim-real-date'),
      )
      said.push([method, path, answer.status, ours, await answer.text()])
    }
    for (const network of ['base', 'arbitrum', 'optimism'])
      await say('POST', '/_sim/fund', {
        account_id: user.id,
        asset: 'USDC',
        amount: '5000000',
        network,
      })
    // Followed by moving the clock: how many long polls it would take is a matter of luck, and each has a request id.
    const first = (await user.plan('earn', earn)).body as PlanBody
    expect((await user.execute(first)).status).toBe(200)
    await sim.clock.advance(1)
    await say('POST', `${user.path}/plan/swap`, {
      sell_asset: 'USDC',
      buy_asset: 'WETH',
      network: 'base',
      sell_amount: '1000000',
    })
    const plan = (await user.plan('transfer', transfer)).body as PlanBody
    expect((await user.execute(plan)).status).toBe(200)
    await sim.clock.advance(60)
    for (const path of ['', '/folio', '/activities', '/events']) await say('GET', user.path + path)
    said.push(await blocks())
    transcripts.push(JSON.stringify(said))
  }
  expect(transcripts[1]).toBe(transcripts[0])
  expect(transcripts[2]).toBe(transcripts[0])
})

test('behavior: the clock comes back as it ran: frozen or real', async () => {
  await sim.reset()
  expect(sim.clock.time()).toMatchObject({ now: '2026-03-01T12:00:00Z', mode: 'frozen' })
  await sim.clock.resume()
  await sim.snapshot('running')
  await sim.clock.advance(86_400)
  const late = sim.clock.time().ms
  await sim.clock.freeze()
  await sim.restore('running')
  expect(sim.clock.time().mode).toBe('real')
  expect(sim.clock.time().ms).toBeLessThan(late)
  // The chains run with it: a block now has its second, give or take the one that ticks meanwhile.
  const { request } = readsOf(sim)
  await request('base', 'evm_mine')
  const { timestamp } = await request<{ timestamp: string }>('base', 'eth_getBlockByNumber', [
    'latest',
    false,
  ])
  expect(Math.abs(Number(timestamp) - sim.clock.time().ms / 1000)).toBeLessThan(60)
  await sim.reset()
  expect(sim.clock.time()).toMatchObject({ now: '2026-03-01T12:00:00Z', mode: 'frozen' })
  for (const [, , , latest, next] of await blocks()) expect(next).toBe(latest)
})

test('behavior: taking a snapshot does not disturb what a fault holds', async () => {
  await sim.reset()
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  const rule = await sim.faults.add({ on: 'execute', effect: 'stuck' })
  const plan = (await user.plan('earn', earn)).body as PlanBody
  const { activity_id } = (await user.execute(plan)).body as { activity_id: string }
  // The second event tells the hash under which it waits.
  for (let events: unknown[] = []; events.length < 2; )
    events = (await user.api.get(`${user.path}/events`)).body.events
  await sim.snapshot('stuck')
  const held = (await user.api.get(`/activities/${activity_id}`)).body
  expect(held.activity_status).toBe('pending')
  await sim.faults.remove(rule.id)
  expect((await user.follow(activity_id)).activity_status).toBe('confirmed')
})
