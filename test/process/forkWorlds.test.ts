import { generatePrivateKey } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createSimulator, type SimulatorHandle, type SimulatorOptions } from '../../src/index.js'
import { askControl, askService } from '../kit/http.js'
import { openUser } from '../kit/user.js'

// Worlds with forks, and the worlds before and after them: chains of other places are for one lease. Needs `npm run build:ts` before.

let upstream: SimulatorHandle
let sim: SimulatorHandle
beforeAll(async () => {
  upstream = await createSimulator()
})
afterAll(() => upstream.close())
afterEach(() => sim.close())

const start = async (options: SimulatorOptions): Promise<void> => {
  sim = await createSimulator(options)
}
const fork = () => ({ fork: { base: `${upstream.url}/rpc/base` } })

async function lease(body: unknown = {}) {
  const { status, body: world } = await askControl(sim, 'POST', '/worlds', body)
  expect(world, JSON.stringify(body)).toMatchObject({ id: expect.any(String) })
  expect(status).toBe(201)
  return world as { id: string; apiKey: string }
}

/** Where base comes from, and how the clock runs. */
async function lookAt({ apiKey }: { apiKey: string }) {
  const { body } = await askService({ url: sim.url, apiKey }, '/_sim/overview')
  const base = body.networks.find((each: { network: string }) => each.network === 'base')
  return { from: base.forked_from, eth: body.prices.ETH, mode: body.clock.mode }
}

/** What opens accounts there; money comes by the control API. */
const placeOf = (apiKey: string) => ({ url: sim.url, apiKey, fund: sim.fund })
const giveBack = ({ id }: { id: string }) => askControl(sim, 'DELETE', `/worlds/${id}`)
const plain = { from: null, eth: '3000', mode: 'real' }

test('default: what comes after a forked world has nothing of it: no fork, no money, no prices', async () => {
  await start({ worlds: 1, maxWorlds: 2 })
  const forked = await lease(fork())
  expect((await lookAt(forked)).from).toMatch(/^127\.0\.0\.1/)
  const key = generatePrivateKey()
  const user = await openUser(placeOf(forked.apiKey), key)
  const funds = { account_id: user.id, asset: 'USDC', amount: '777', network: 'base' }
  const atForked = placeOf(forked.apiKey)
  expect((await askService(atForked, '/_sim/fund', { method: 'POST', body: funds })).status).toBe(
    200,
  )
  await askService(atForked, '/_sim/prices/ETH', { method: 'PUT', body: { usd: '1111' } })
  await giveBack(forked)
  // Both that there may be: one of them is in the place of the forked one.
  const both = [await lease(), await lease({ seed: 7, clock: 'frozen' })]
  expect(await lookAt(both[0]!)).toEqual(plain)
  expect(await lookAt(both[1]!)).toEqual({ ...plain, mode: 'frozen' })
  for (const { apiKey } of both) {
    const again = await openUser(placeOf(apiKey), key)
    const { body } = await again.api.get(`${again.path}/folio`)
    expect(body.folio.balances).toEqual({})
  }
})

test('behavior: who asks for a fork gets it where there is no room besides, and one that waited does; a plain one comes after it', async () => {
  await start({ worlds: 1, maxWorlds: 1 })
  await vi.waitFor(
    async () => expect((await askControl(sim, 'GET', '/worlds')).body.warm).toBe(1),
    30_000,
  )
  const first = await lease(fork())
  expect((await lookAt(first)).from).toMatch(/^127\.0\.0\.1/)
  const waiting = lease()
  await vi.waitFor(
    async () => expect((await askControl(sim, 'GET', '/worlds')).body.waiting).toBe(1),
    10_000,
  )
  await giveBack(first)
  const second = await waiting
  expect(await lookAt(second)).toEqual(plain)
  const next = lease(fork())
  await vi.waitFor(
    async () => expect((await askControl(sim, 'GET', '/worlds')).body.waiting).toBe(1),
    10_000,
  )
  await giveBack(second)
  expect((await lookAt(await next)).from).toMatch(/^127\.0\.0\.1/)
})

test('error: a fork or bundle that cannot be is refused where there is no room besides, too, and the world is there for the next', async () => {
  await start({ worlds: 1, maxWorlds: 1 })
  for (const wish of [{ fork: { base: 'http://127.0.0.1:1' } }, { bundle: '/nowhere' }]) {
    await vi.waitFor(
      async () => expect((await askControl(sim, 'GET', '/worlds')).body.warm).toBe(1),
      30_000,
    )
    expect(await askControl(sim, 'POST', '/worlds', wish)).toMatchObject({
      status: 400,
      body: { error: 'invalid_params' },
    })
  }
  expect(await lookAt(await lease())).toEqual(plain)
})
