import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { networkNames } from '../../src/deployments/networks.js'
import {
  createSimulator,
  leaseWorld,
  type SimulatorHandle,
  type WorldHandle,
} from '../../src/index.js'
import { askService, rpc } from '../kit/http.js'
import { openUser } from '../kit/user.js'

// Worlds side by side, and one after the other on the same chains. Needs `npm run build:ts` before: worlds run in processes of their own.

const earn = { asset: 'USDC', network: 'base', protocol: 'compound' }
const clients = 20
const atOnce = 4
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ maxWorlds: atOnce })
})
afterAll(() => sim.close())

const lease = (options: Parameters<typeof leaseWorld>[0] = {}): Promise<WorldHandle> =>
  leaseWorld({ url: sim.url, ...options })

/** All that a client can see of a world that nobody has used yet. One after the other, since the journal has the order. */
async function sight(world: WorldHandle) {
  const seen: unknown[] = [(await world.clock.time()).mode]
  for (const network of networkNames) {
    seen.push(await rpc(world.rpc(network), 'eth_blockNumber'))
    seen.push(await rpc(world.rpc(network), 'eth_getBlockByNumber', ['latest', false]))
  }
  for (const path of ['accounts', '_sim/journal', '_sim/faults', '_sim/snapshots', '_sim/prices'])
    seen.push((await askService(world, `/${path}`)).body)
  const { cells } = (await askService(world, '/_sim/coverage')).body as {
    cells: { hits: number }[]
  }
  seen.push(cells.filter(({ hits }) => hits > 0))
  return JSON.stringify(seen)
}

test('default: twenty clients at once each live a life of their own in four worlds', async () => {
  const lives = Array.from({ length: clients }, async (_, index) => {
    await using world = await lease({ clock: 'frozen', seed: index + 1 })
    const days = index + 1
    const funds = BigInt(index + 1) * 1_000_000n
    // One key for all: the wallet has the same address everywhere, and money in each world alone.
    const user = await openUser(world, `0x${'07'.repeat(32)}`)
    await user.fund('base', 'USDC', funds)
    await world.faults.add({
      id: `mine_${index}`,
      on: 'quote',
      effect: 'unavailable',
      match: { asset: 'WETH' },
    })
    await world.snapshot('funded')
    await world.clock.advance(days * 86_400)
    const { activity } = await user.run('earn', { ...earn, amount: String(funds) })
    expect(activity.activity_status).toBe('confirmed')
    const { events } = (await askService(world, `${user.path}/events?since=0`)).body as {
      events: unknown[]
    }
    const faults = (await world.faults.list()).map(({ id }) => id)
    const { now } = await world.clock.time()
    const { accounts } = (await askService(world, '/accounts')).body as { accounts: unknown[] }
    await world.restore('funded')
    const after = (await world.clock.time()).now
    await world.reset()
    const left = (await askService(world, '/accounts')).body as { accounts: unknown[] }
    return {
      id: user.id,
      world: world.id,
      key: world.apiKey,
      wallet: user.wallet,
      events: events.length,
      faults,
      now,
      accounts: accounts.length,
      after,
      left: left.accounts,
    }
  })
  const lived = await Promise.all(lives)
  for (const [index, life] of lived.entries()) {
    const now = new Date(Date.parse('2026-01-01T00:00:00Z') + (index + 1) * 86_400_000)
    expect(life).toMatchObject({
      wallet: lived[0]!.wallet,
      events: lived[0]!.events,
      faults: [`mine_${index}`],
      now: `${now.toISOString().slice(0, 19)}Z`,
      accounts: 1,
      after: '2026-01-01T00:00:00Z',
      left: [],
    })
  }
  for (const name of ['id', 'world', 'key'] as const)
    expect(new Set(lived.map((life) => life[name])).size, name).toBe(clients)
  // The first world has seen nothing of it.
  expect((await askService(sim, '/accounts')).body).toEqual({ accounts: [] })
  expect(sim.clock.time().mode).toBe('real')
}, 240_000)

test('behavior: a world that is used again is like a new one, and its former holder is shut out', async () => {
  const frozen = { clock: 'frozen', seed: 7 }
  const first = await lease(frozen)
  const fresh = await sight(first)
  const user = await openUser(first)
  await user.fund('mainnet', 'USDC', 5_000_000n)
  await first.clock.advance(1_000)
  await first.faults.add({ on: 'chain', effect: 'down', match: { network: 'polygon' } })
  await rpc(first.rpc('base'), 'anvil_mine', ['0x5'])
  const socket = new WebSocket(first.rpc('base').replace('http', 'ws'))
  await new Promise((resolve) => socket.once('open', resolve))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await first.close()
  await closed
  await first.close()
  expect((await askService(first, '/accounts')).body).toMatchObject({ error: 'invalid_api_key' })
  expect(await (await fetch(`${first.controlUrl}/clock`)).json()).toMatchObject({
    error: 'not_found',
  })
  for (let i = 0; i < 3; i++) {
    await using again = await lease(frozen)
    expect([again.id, again.apiKey]).not.toContain(first.id)
    expect(await sight(again), `${i}`).toBe(fresh)
    await rpc(again.rpc('optimism'), 'anvil_setBalance', [user.wallet, '0x1'])
  }
})

test('behavior: for whom a node acts outlives its return, so such a world is not used again', async () => {
  const stranger = `0x${'a7'.repeat(20)}`
  const send = (world: WorldHandle) =>
    rpc(world.rpc('base'), 'eth_sendTransaction', [{ from: stranger, to: stranger, value: '0x0' }])
  for (let i = 0; i < 2 * atOnce; i++) {
    await using world = await lease()
    await expect(send(world), `${i}`).rejects.toThrow(/eth_sendTransaction: /)
    await rpc(world.rpc('base'), 'anvil_setBalance', [stranger, '0xde0b6b3a7640000'])
    await rpc(world.rpc('base'), 'anvil_impersonateAccount', [stranger])
    expect(await send(world)).toMatch(/^0x/)
  }
}, 120_000)

test('behavior: a scenario is prepared in a world, with its seed, and a reset returns to it', async () => {
  const scenario = {
    name: 'one who has money',
    given: {
      seed: 11,
      clock: 'frozen',
      accounts: { alice: { funds: { base: { USDC: '5000000' } } } },
    },
    faults: [{ id: 'late', on: 'quote', effect: 'timeout' }],
  }
  await using world = await lease({ scenario })
  await using other = await lease({ scenario: JSON.stringify(scenario) })
  const { alice } = world.accounts
  expect(other.accounts).toEqual(world.accounts)
  await world.faults.clear()
  await world.reset()
  expect(await world.faults.list()).toMatchObject([{ id: 'late' }])
  expect((await askService(world, '/accounts')).body).toMatchObject({
    accounts: [{ account_id: alice!.id }],
  })
})
