import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networkNames } from '../../src/deployments/networks.js'
import { frozenByDefault } from '../../src/time/clock.js'
import { readsOf } from '../kit/chainReads.js'
import { createClient } from '../kit/client.js'
import { positionsOn } from '../kit/positions.js'
import { halt } from '../kit/processes.js'
import { createSimulator, nodePid, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', seed: 1n, rpcUnsafe: true })
})
afterAll(() => sim.close())

const earn = { asset: 'USDC', amount: '1000000', network: 'base', protocol: 'compound' }
const post = (path: string, body: unknown = {}) =>
  createClient({ url: sim.url, apiKey: sim.apiKey }).post(`/_sim/clock/${path}`, body)

/** The second of the latest and of the pending block on every network. */
async function chainTimes(): Promise<number[]> {
  const reads = readsOf(sim)
  const times = networkNames.flatMap((network) =>
    ['latest', 'pending'].map(async (tag) => {
      const block = await reads.request(network, 'eth_getBlockByNumber', [tag, false])
      return Number((block as { timestamp: Hex }).timestamp)
    }),
  )
  return [...new Set(await Promise.all(times))]
}

const second = (): number => Math.floor(sim.clock.time().ms / 1000)

test('default: frozen at the start, on the API and on every chain, whoever mines', async () => {
  expect(sim.clock.time()).toMatchObject({ ms: frozenByDefault, mode: 'frozen' })
  expect(await chainTimes()).toEqual([second()])
  await readsOf(sim).request('base', 'evm_mine', [])
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  await user.run('earn', earn)
  expect(await chainTimes()).toEqual([second()])
  const { body } = await user.api.get(`${user.path}/events`)
  expect(body.events.map((event: { timestamp: number }) => event.timestamp)).toEqual([
    second(),
    second(),
  ])
})

test('behavior: advance moves API and chains alike, to the millisecond', async () => {
  const before = sim.clock.time().ms
  expect((await post('advance', { seconds: 61.5 })).body).toEqual({
    now: new Date(before + 61_000).toISOString().replace('.000', ''),
    unix_ms: before + 61_500,
    mode: 'frozen',
  })
  expect(await chainTimes()).toEqual([second()])
  await post('advance', { seconds: 0.5 })
  expect(await chainTimes()).toEqual([second()])
})

test('behavior: moved to where it stands, it leaves the chains as they are', async () => {
  const reads = readsOf(sim)
  const numbers = () =>
    Promise.all(networkNames.map((network) => reads.request(network, 'eth_blockNumber', [])))
  const before = await numbers()
  await post('advance', { seconds: 0 })
  await post('freeze')
  expect(await numbers()).toEqual(before)
  await post('advance', { seconds: 1 })
  expect(await numbers()).toEqual(before.map((each) => `0x${(Number(each) + 1).toString(16)}`))
})

test('behavior: when advance returns, plans have expired and interest has accrued', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  await user.run('earn', earn)
  const { body } = await user.plan('earn', earn)
  const supplied = async (): Promise<bigint> =>
    (await positionsOn(sim, 'base').comet('USDC', 'WETH', user.wallet)).supplied
  const before = await supplied()
  await post('advance', { seconds: 119 })
  await post('advance', { seconds: 1 })
  expect(await user.execute(body as PlanBody)).toMatchObject({
    status: 404,
    body: { error: 'plan_not_found' },
  })
  await post('advance', { seconds: 30 * 86_400 })
  expect(await supplied()).toBeGreaterThan(before)
})

test('behavior: a bridge delivers at its moment, not before; then everything that waited has happened', async () => {
  const user = await openUser(sim)
  await user.fund('arbitrum', 'USDC', 9_000_000n)
  const { body } = await user.plan('earn', earn)
  const executed = await user.execute(body as PlanBody)
  const activity = async () =>
    (await user.api.get(`/activities/${executed.body.activity_id}`)).body.activity_status
  await post('advance', { seconds: 1.999 })
  expect(await activity()).toBe('pending')
  await post('advance', { seconds: 100 })
  expect(await activity()).toBe('confirmed')
  const { events } = (await user.api.get(`${user.path}/events`)).body
  // The bridge took two seconds of the hundred: the events say when it was, not when we looked.
  expect(events.at(-1).timestamp - events[0].timestamp).toBe(2)
})

test('behavior: a deposit past the service is delivered too when advance returns', async () => {
  const user = await openUser(sim)
  await user.fund('optimism', 'USDC', 9_000_000n)
  const transfer = { asset: 'USDC', amount: '5000000', network: 'base', recipient: user.signer }
  const planned = await user.plan('transfer', transfer)
  await user.execute(planned.body as PlanBody)
  await post('advance', { seconds: 2 })
  expect(await positionsOn(sim, 'base').balance('USDC', user.signer)).toBe(5_000_000n)
})

test('behavior: long polls end by the clock', async () => {
  const user = await openUser(sim)
  let answered: unknown
  const polling = user.api.get(`${user.path}/events?since=0&poll=true`).then(({ body }) => {
    answered = body
  })
  await expect
    .poll(async () => {
      await post('advance', { seconds: 30 })
      return answered
    })
    .toEqual({ events: [], cursor: 0 })
  await polling
})

test('behavior: who looks again and again does not make the way of a year longer', async () => {
  const user = await openUser(sim)
  const reads = readsOf(sim)
  const height = async () => Number(await reads.request('base', 'eth_blockNumber'))
  const client = new AbortController()
  const headers = { authorization: `Bearer ${sim.apiKey}` }
  const stream = await fetch(`${sim.url}${user.path}/folio/stream`, {
    headers,
    signal: client.signal,
  })
  const before = await height()
  await sim.clock.advance(365 * 86_400)
  expect(await height()).toBe(before + 1)
  expect(stream.status).toBe(200)
  client.abort()
})

test('behavior: running again the chains tick from there; frozen again they stand', async () => {
  const before = sim.clock.time().ms
  expect((await post('resume')).body.mode).toBe('real')
  expect(sim.clock.time().ms).toBeGreaterThanOrEqual(before)
  await post('advance', { seconds: 1000 })
  expect(sim.clock.time().ms).toBeGreaterThanOrEqual(before + 1_000_000)
  for (const time of await chainTimes()) expect(time).toBeGreaterThanOrEqual(before / 1000 + 999)
  const at = new Date(sim.clock.time().ms + 3_600_000).toISOString()
  expect((await post('freeze', { at })).body).toMatchObject({
    mode: 'frozen',
    unix_ms: Date.parse(at),
  })
  expect(await chainTimes()).toEqual([second()])
})

test('behavior: frozen, a chain that was given a later block waits for the clock, and others are not held up', async () => {
  const reads = readsOf(sim)
  const snapshot = await sim.snapshot()
  const start = second()
  await reads.request('optimism', 'evm_increaseTime', [50])
  await reads.request('optimism', 'evm_mine')
  expect(await chainTimes()).toEqual([start])
  await reads.request('optimism', 'evm_setNextBlockTimestamp', [start + 500])
  await reads.request('optimism', 'evm_mine')
  await sim.clock.advance(100)
  expect(new Set(await chainTimes())).toEqual(new Set([start + 100, start + 500]))
  await sim.clock.advance(400)
  expect(await chainTimes()).toEqual([start + 500])
  await sim.restore(snapshot)
  expect(await chainTimes()).toEqual([start])
})

test('behavior: what is due on the way to the time of a freeze happens at its own time', async () => {
  const user = await openUser(sim)
  await user.fund('arbitrum', 'USDC', 9_000_000n)
  const planned = await user.plan('earn', earn)
  const { body } = await user.execute(planned.body as PlanBody)
  const at = new Date(sim.clock.now().getTime() + 3_600_000)
  expect((await post('freeze', { at: at.toISOString() })).body.unix_ms).toBe(at.getTime())
  const activity = (await user.api.get(`/activities/${body.activity_id}`)).body
  expect(activity.activity_status).toBe('confirmed')
  const { events } = (await user.api.get(`${user.path}/events`)).body
  expect(events.at(-1).timestamp - events[0].timestamp).toBe(2)
})

test('behavior: interest by the clock, on Comet, Aave and in vaults', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 30_000_000_000n)
  const at = positionsOn(sim, 'base')
  const vault = at.book.morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')!.address
  const amount = '10000000000'
  await user.run('earn', { ...earn, amount })
  await user.run('earn', { ...earn, amount, protocol: 'aave' })
  await user.run('earn', { ...earn, amount, protocol: 'morpho_vault', market: vault })
  const worth = async () => ({
    comet: (await at.comet('USDC', 'WETH', user.wallet)).supplied,
    aave: await at.aave('USDC', user.wallet),
    vault: (await at.vault(vault, user.wallet)).assets,
  })
  const before = await worth()
  await readsOf(sim).request('base', 'evm_mine')
  expect(await worth()).toEqual(before)
  await sim.clock.advance(30 * 86_400)
  const after = await worth()
  for (const market of ['comet', 'aave', 'vault'] as const) {
    expect(after[market], market).toBeGreaterThan(before[market])
    // More than 100 % a year would be a wrong unit.
    expect(after[market], market).toBeLessThan((before[market] * 110n) / 100n)
  }
})

test('error: when a node does not answer, nothing moves', async () => {
  const before = sim.clock.time()
  const goOn = await halt([nodePid(sim, 'mainnet')])
  try {
    expect(await post('advance', { seconds: 5 })).toMatchObject({
      status: 500,
      body: { message: expect.stringContaining('The clock was not moved') },
    })
  } finally {
    goOn()
  }
  expect(sim.clock.time()).toEqual(before)
  expect(await chainTimes()).toEqual([second()])
})

test('behavior: who waits by the clock waits until it is moved so far, or leaves', async () => {
  const before = sim.clock.time().ms
  const gone = new AbortController()
  const leaving = sim.clock.wait(600, gone.signal)
  gone.abort(new Error('no more'))
  await expect(leaving).rejects.toThrow('no more')
  let waited: number | undefined
  const waiting = post('wait', { seconds: 2 }).then(({ body }) => {
    waited = body.unix_ms
  })
  while (waited === undefined) await sim.clock.advance(1)
  await waiting
  expect(waited).toBeGreaterThanOrEqual(before + 2_000)
})

test('behavior: who waits by the clock over HTTP hears of a reset', async () => {
  await sim.clock.advance(600)
  let waited: number | undefined
  void post('wait', { seconds: 600 }).then(({ body }) => {
    waited = body.unix_ms
  })
  while (waited === undefined) await sim.reset()
  expect(waited).toBe(frozenByDefault)
})

test('behavior: changes at once are carried out in turn', async () => {
  const before = sim.clock.time().ms
  await Promise.all([1, 2, 3].map((seconds) => sim.clock.advance(seconds)))
  expect(sim.clock.time().ms).toBe(before + 6000)
  expect(await chainTimes()).toEqual([second()])
})

test.each([
  ['advance', {}],
  ['advance', { seconds: -1 }],
  ['advance', { seconds: '5' }],
  ['advance', { seconds: null }],
  ['advance', { seconds: 1e12 }],
  ['advance', { seconds: 0.0001 }],
  ['advance', { seconds: 2_400_000_000 }],
  ['freeze', { at: '2100-01-02T00:00:00Z' }],
  ['freeze', { at: 'tomorrow' }],
  ['freeze', { at: 1767225600 }],
  ['freeze', { at: '2026-01-01' }],
  ['freeze', { at: '2025-06-01T00:00:00Z' }],
])('error: %s %j is refused and nothing moves', async (path, body) => {
  const before = [sim.clock.time(), await chainTimes()]
  expect(await post(path, body)).toMatchObject({ status: 400, body: { error: 'invalid_params' } })
  expect([sim.clock.time(), await chainTimes()]).toEqual(before)
})

test('error: before the chains’ time a simulator does not start, and says why', async () => {
  await expect(createSimulator({ clock: 'frozen@2020-01-01T00:00:00Z' })).rejects.toThrow(
    'The clock cannot be frozen at 2020-01-01T00:00:00Z: the chains are at 2025-',
  )
})

test('behavior: a fill that comes due while an advance waits for what runs does not wait for it', async () => {
  await using sim = await createSimulator({ bridgeDelayMs: 300 })
  const transfer = (network: string, amount: string) => ({
    asset: 'USDC',
    amount,
    network,
    recipient: '0x00000000000000000000000000000000000f41e7',
  })
  const bridging = await openUser(sim)
  await bridging.fund('base', 'USDC', 6_000_000n)
  await bridging.fund('arbitrum', 'USDC', 6_000_000n)
  const bridged = (await bridging.plan('transfer', transfer('base', '8000000'))).body as PlanBody
  // Their executions follow each other on polygon, where each takes a second.
  const busy = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const user = await openUser(sim)
      await user.fund('polygon', 'USDC', 6_000_000n)
      const plan = (await user.plan('transfer', transfer('polygon', '1000000'))).body as PlanBody
      return { user, plan }
    }),
  )
  const slow = { slow: { ms: 1_000 } }
  await sim.faults.add({ on: 'chain', effect: slow, match: { network: 'polygon' } })
  const executed = await Promise.all(busy.map(({ user, plan }) => user.execute(plan)))
  const { activity_id } = (await bridging.execute(bridged)).body as { activity_id: string }
  const advancing = sim.clock.advance(1)
  expect((await bridging.follow(activity_id)).activity_status).toBe('confirmed')
  const statuses = await Promise.all(
    executed.map(async ({ body }) => {
      const { activity_id: id } = body as { activity_id: string }
      const seen = await bridging.api.get(`/activities/${id}`)
      return (seen.body as { activity_status: string }).activity_status
    }),
  )
  expect(statuses).toContain('pending')
  await sim.faults.set([])
  await advancing
})

test('behavior: whatever a node is slow at, the next request finds what was left behind at rest, and advance ends after all that was due', async () => {
  const snapshot = await sim.snapshot()
  const user = await openUser(sim)
  await user.fund('arbitrum', 'USDC', 9_000_000n)
  const planned = (await user.plan('earn', earn)).body as PlanBody
  await sim.faults.add({ on: 'chain', effect: { slow: { ms: 20 } } })
  const { body } = await user.execute(planned)
  const activity = async () => (await user.api.get(`/activities/${body.activity_id}`)).body
  const [sent] = (await activity()).activity_metadata
  expect(sent).toMatchObject({ success: true, transaction_hash: expect.any(String) })
  await sim.clock.resume()
  await sim.clock.advance(2)
  // With a running clock requests wait for nothing.
  expect((await activity()).activity_status).toBe('confirmed')
  await sim.restore(snapshot)
})
