import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { openChannel } from '../../src/chain/rpc/nodeSocket.js'
import { createSimulator, leaseWorld, type SimulatorHandle } from '../../src/index.js'
import { createClient } from '../kit/client.js'
import { childrenOf } from '../kit/processes.js'

/**
 * Ids of snapshots that a node has not given, over JSON-RPC. By itself a node ends all its snapshots for the highest id there can be.
 * Needs `npm run build:ts` before.
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
    await channel.request(JSON.stringify(request('evm_revert', highest)))
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
