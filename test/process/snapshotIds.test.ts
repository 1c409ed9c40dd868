import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { parse } from 'yaml'
import { openChannel } from '../../src/chain/rpc/nodeSocket.js'
import { type NetworkName, networkNames } from '../../src/deployments/networks.js'
import { createSimulator, leaseWorld, type SimulatorHandle } from '../../src/index.js'
import { readsOf } from '../kit/chainReads.js'
import { createClient } from '../kit/client.js'
import { childrenOf } from '../kit/processes.js'
import { openUser, type PlanBody } from '../kit/user.js'

/**
 * Snapshots over JSON-RPC are snapshots of the world, whatever else is sent as their id. By itself a node ends all its snapshots for the
 * highest id there can be. Needs `npm run build:ts` before.
 */

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator()
})
afterAll(() => sim.close())

const highest = `0x${'f'.repeat(64)}`
/** Numbers that are nobody's snapshots: answered as such. */
const unknown = [
  highest,
  highest.toUpperCase().replace('X', 'x'),
  `${2n ** 256n - 1n}`,
  `0x${'f'.repeat(63)}e`,
  `0x${'0'.repeat(60)}ffff`,
  '0xffff',
  65_535,
  '65535',
  '9'.repeat(78),
  Number.MAX_SAFE_INTEGER,
  1e30,
]
/** No ids of snapshots at all. */
const odd = [
  `0x1${'0'.repeat(64)}`,
  `0x0${'f'.repeat(64)}`,
  '0x',
  '',
  '-1',
  -1,
  1.5,
  '0b11',
  'f',
  '0xfg',
  ' 0x1',
  true,
  null,
  {},
  ['0x1'],
]

interface Told {
  result?: unknown
  error?: { code: number; message: string }
}
type Send = (message: unknown) => Promise<unknown>

const request = (method: string, ...params: unknown[]) => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  params,
})
const overHttp =
  (url: string): Send =>
  async (message) =>
    (await fetch(url, { method: 'POST', body: JSON.stringify(message) })).json()

async function overSocket(url: string): Promise<Send & { end(): void }> {
  const socket = new WebSocket(url.replace('http', 'ws'))
  await once(socket, 'open')
  const send: Send = async (message) => {
    socket.send(JSON.stringify(message))
    const [data] = await once(socket, 'message')
    return JSON.parse(String(data))
  }
  return Object.assign(send, { end: () => socket.close() })
}

/** The highest id, by all names that a revert has, twice in one batch. */
async function tryHighest(send: Send): Promise<void> {
  const ways = ['evm_revert', 'anvil_revert', 'hardhat_revert']
  const all = [...ways, ...ways].map((method) => request(method, highest))
  expect(await send(all)).toMatchObject(all.map(() => ({ result: false })))
}

/** All of them, alone and together in a batch. */
async function tryAll(send: Send): Promise<void> {
  for (const [ids, expected] of [
    [unknown, { result: false }],
    [odd, { error: { code: -32602 } }],
  ] as const) {
    const all = ids.map((id) => request('evm_revert', id))
    for (const one of all) expect(await send(one), JSON.stringify(one)).toMatchObject(expected)
    expect(await send(all)).toMatchObject(all.map(() => expected))
  }
  for (const params of [[], undefined, {}, { id: highest }, highest])
    expect(await send({ ...request('evm_revert'), params })).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('the id of a snapshot must be') },
    })
}

/** The client's own snapshots work around all that, a restore and resets too. */
async function goOn(
  of: Pick<SimulatorHandle, 'rpc' | 'snapshot' | 'restore' | 'reset'>,
  way: (url: string) => Promise<Send> | Send,
): Promise<void> {
  const send = await way(of.rpc('base'))
  const ask = async (method: string, ...params: unknown[]) =>
    ((await send(request(method, ...params))) as Told).result
  const saved = await of.snapshot()
  const before = await ask('eth_blockNumber')
  const outer = await ask('evm_snapshot')
  await ask('evm_mine')
  const inner = await ask('evm_snapshot')
  const between = await ask('eth_blockNumber')
  await ask('evm_mine')
  await tryHighest(send)
  await tryAll(send)
  expect(await ask('evm_revert', inner)).toBe(true)
  expect(await ask('eth_blockNumber')).toBe(between)
  await tryHighest(send)
  expect(await ask('evm_revert', outer)).toBe(true)
  expect(await ask('eth_blockNumber')).toBe(before)
  await of.restore(saved)
  await tryHighest(send)
  await of.restore(saved)
  for (let round = 0; round < 2; round++) {
    await tryHighest(send)
    await of.reset()
  }
  expect(await ask('anvil_getAutomine')).toBe(true)
}

const earn = { asset: 'USDC', amount: '2000000', network: 'base', protocol: 'compound' }

/** The JSON-RPC of a network, as a suite for a bare node sends it. */
function chainOf(of: Pick<SimulatorHandle, 'rpc'>, network: NetworkName) {
  const send = overHttp(of.rpc(network))
  return async (method: string, ...params: unknown[]) => {
    const { result, error } = (await send(request(method, ...params))) as Told
    if (error) throw new Error(error.message)
    return result
  }
}

test.each(['evm', 'anvil', 'hardhat'])(
  'default: %s_revert restores the whole world, and ends the snapshot and those after it',
  async (prefix) => {
    await sim.reset()
    const base = chainOf(sim, 'base')
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 9_000_000n)
    const plan = (await user.plan('earn', earn)).body as PlanBody
    const heads = () =>
      Promise.all(networkNames.map((network) => chainOf(sim, network)('eth_blockNumber')))
    const [before, time] = [await heads(), sim.clock.time().ms]
    const id = await base(`${prefix}_snapshot`)
    expect(id).toMatch(/^0x[1-9a-f][0-9a-f]*$/)

    const { activity_id } = (await user.execute(plan)).body as { activity_id: string }
    expect((await user.follow(activity_id)).activity_status).toBe('confirmed')
    await user.fund('polygon', 'USDC', 1_000_000n)
    await sim.clock.advance(300)
    const late = await openUser(sim)
    const later = await base(`${prefix}_snapshot`)
    expect(Number(later)).toBe(Number(id) + 1)

    // Asked of another network, it is the same world.
    expect(await chainOf(sim, 'polygon')(`${prefix}_revert`, id)).toBe(true)
    expect(await heads()).toEqual(before)
    expect(sim.clock.time().ms).toBeLessThan(time + 200_000)
    expect((await late.api.get(late.path)).body).toMatchObject({ error: 'account_not_found' })
    expect((await user.api.get(`/activities/${activity_id}`)).status).toBe(404)
    for (const gone of [id, later]) expect(await base(`${prefix}_revert`, gone)).toBe(false)
    expect((await createClient(sim).get('/_sim/snapshots')).body).toEqual({ snapshots: [] })
    // The plan has not run, and is not stale.
    const again = (await user.execute(plan)).body as { activity_id: string }
    expect((await user.follow(again.activity_id)).activity_status).toBe('confirmed')
    expect(await readsOf(sim).balance('base', 'USDC', user.wallet)).toBe(7_000_000n)
  },
)

test('behavior: in a batch, in its order; ids may be written as nodes read them', async () => {
  const send = overHttp(sim.rpc('base'))
  const numbered = (...asked: [string, ...unknown[]][]) =>
    asked.map((each, i) => ({ ...request(...each), id: `n${i}` }))
  const results = async (...asked: [string, ...unknown[]][]) => {
    const answers = (await send(numbered(...asked))) as (Told & { id: string })[]
    expect(answers.map(({ id }) => id)).toEqual(asked.map((_, i) => `n${i}`))
    return answers.map(({ result }) => result)
  }
  for (const write of [String, Number, (id: unknown) => String(Number(id))]) {
    const [before, id, , after] = await results(
      ['eth_blockNumber'],
      ['evm_snapshot'],
      ['evm_mine'],
      ['eth_blockNumber'],
    )
    expect(Number(after)).toBe(Number(before) + 1)
    expect(
      await results(
        ['evm_revert', write(id)],
        ['eth_blockNumber'],
        ['evm_revert', write(id)],
        ['eth_chainId'],
      ),
    ).toEqual([true, before, false, '0x2105'])
  }
  // A notification is done, and not answered.
  const { id: _, ...silent } = request('evm_snapshot')
  expect(
    (await fetch(sim.rpc('base'), { method: 'POST', body: JSON.stringify(silent) })).status,
  ).toBe(204)
  expect((await createClient(sim).get('/_sim/snapshots')).body.snapshots).toHaveLength(1)
  await sim.reset()
})

test('behavior: twice at once: each snapshot has its id, and one revert of two restores', async () => {
  const base = chainOf(sim, 'base')
  const ids = await Promise.all([base('evm_snapshot'), chainOf(sim, 'polygon')('evm_snapshot')])
  expect(new Set(ids).size).toBe(2)
  const [older] = ids.toSorted((one, other) => Number(one) - Number(other))
  const told = await Promise.all([base('evm_revert', older), base('evm_revert', older)])
  expect(told.toSorted()).toEqual([false, true])
})

test('behavior: meanwhile executions and requests see one world or the other, and are done once', async () => {
  await sim.reset()
  const base = chainOf(sim, 'base')
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  const plan = (await user.plan('earn', earn)).body as PlanBody
  for (let round = 0; round < 5; round++) {
    const id = await base('evm_snapshot')
    const executing = user.execute(plan)
    const reverted = await base('evm_revert', id)
    expect([reverted, (await executing).status]).toEqual([true, 200])
    const { activities } = (await user.api.get(`${user.path}/activities`)).body
    for (const { activity_id } of activities) await user.follow(activity_id)
    const left = await readsOf(sim).balance('base', 'USDC', user.wallet)
    expect(left).toBe(activities.length === 0 ? 9_000_000n : 7_000_000n)
    if (activities.length > 0) break
  }
})

test('behavior: more rounds than there is room for snapshots: a revert frees it', {
  timeout: 180_000,
}, async () => {
  await sim.reset()
  const base = chainOf(sim, 'base')
  const before = await base('eth_blockNumber')
  for (let round = 0; round < 105; round++) {
    const id = await base('evm_snapshot')
    await base('evm_mine')
    expect(await base('evm_revert', id)).toBe(true)
  }
  expect(await base('eth_blockNumber')).toBe(before)
  // The nodes hold no more either than the start, and what they still list of before.
  const { snapshots } = (await base('anvil_metadata')) as { snapshots: object }
  expect(Object.keys(snapshots).length).toBeLessThan(20)
})

test('behavior: the journal has them, and the saved test takes and restores them', async () => {
  await sim.reset()
  const base = chainOf(sim, 'base')
  const id = await base('evm_snapshot')
  await base('evm_mine')
  await base('evm_revert', '0xffff')
  await base('evm_revert', id)
  const saved = (await createClient(sim).get('/_sim/journal/scenario')).body
  expect(saved.left_out).toEqual(['POST /rpc/base: it changed nothing'])
  const { when } = parse(saved.yaml) as { when: object[] }
  expect(when).toMatchObject([
    { snapshot: 'snapshot_1' },
    { rpc: { network: 'base', method: 'evm_mine' } },
    { restore: 'snapshot_1' },
  ])
})

test('behavior: a revert is written to the data folder, and after a restart no id is known', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'svc-sim-ids-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  let own = await createSimulator({ dataDir: dir })
  const base = () => chainOf(own, 'base')
  const user = await openUser(own)
  const id = await base()('evm_snapshot')
  await user.fund('base', 'USDC', 1_000_000n)
  expect(await base()('evm_revert', id)).toBe(true)
  const other = await base()('evm_snapshot')
  await own.close()
  own = await createSimulator({ dataDir: dir })
  onTestFinished(() => own.close())
  expect(await readsOf(own).balance('base', 'USDC', user.wallet)).toBe(0n)
  for (const each of [id, other]) expect(await base()('evm_revert', each)).toBe(false)
  expect(await base()('evm_revert', await base()('evm_snapshot'))).toBe(true)
})

test('error: a revert to what is no snapshot changes nothing, over HTTP', () => goOn(sim, overHttp))

test('error: so it is over a WebSocket', async () => {
  let socket: Awaited<ReturnType<typeof overSocket>> | undefined
  await goOn(sim, async (url) => {
    socket = await overSocket(url)
    return socket
  })
  socket?.end()
})

test('error: so it is in a leased world', async () => {
  await using world = await leaseWorld({ url: sim.url })
  await goOn(world, overHttp)
})

test('error: so it is for two who try at once, while a third mines', async () => {
  const send = overHttp(sim.rpc('base'))
  const { result: own } = (await send(request('evm_snapshot'))) as Told
  await Promise.all([
    tryAll(send),
    tryAll(send),
    ...Array.from({ length: 20 }, () => send(request('evm_mine'))),
  ])
  expect(await send(request('evm_revert', own))).toMatchObject({ result: true })
  await sim.reset()
})

/** The sockets of this process's nodes, past everything that stands in front of them. */
async function nodeSockets(): Promise<string[]> {
  const lines = childrenOf(process.pid, 'anvil').map((pid) =>
    readFile(`/proc/${pid}/cmdline`, 'utf8'),
  )
  const args = (await Promise.all(lines)).map((line) => line.split('\0'))
  return args.map((each) => each[each.indexOf('--ipc') + 1]!)
}

/** Has the nodes lose all snapshots as they do by themselves. */
async function loseAll(): Promise<void> {
  for (const path of await nodeSockets()) {
    const channel = openChannel(path)
    await channel.request('evm_revert', [highest])
    channel.close()
  }
}

const address = `0x${'ab'.repeat(20)}`
async function expectMining(of: SimulatorHandle): Promise<void> {
  for (const network of ['base', 'polygon'] as const) {
    const send = overHttp(of.rpc(network))
    expect(await send(request('anvil_getAutomine'))).toMatchObject({ result: true })
    await of.fund({ address, asset: 'USDC', amount: '1', network })
  }
}

test.skipIf(process.platform !== 'linux')(
  'error: nodes of a data folder that have lost their snapshots are started over by a reset, a restore is refused, and all mine on, after the next start too',
  async () => {
    await sim.close()
    const dir = await mkdtemp(join(tmpdir(), 'svc-sim-ids-'))
    onTestFinished(async () => {
      await sim.close()
      await rm(dir, { recursive: true })
    })
    sim = await createSimulator({ dataDir: dir })
    await tryHighest(overHttp(sim.rpc('base')))
    for (let round = 0; round < 2; round++) {
      await loseAll()
      await sim.reset()
      await expectMining(sim)
    }
    const snapshot = await sim.snapshot()
    await loseAll()
    const restore = await createClient(sim).post(`/_sim/snapshots/${snapshot}/restore`)
    expect(restore).toMatchObject({ status: 409, body: { error: 'conflict' } })
    await expectMining(sim)
    await sim.close()
    sim = await createSimulator({ dataDir: dir })
    await expectMining(sim)
    await sim.reset()
    await expectMining(sim)
  },
)
