import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { type NetworkName, networkNames, networkOf } from '../../src/deployments/networks.js'
import { createSimulator, type SimulatorHandle, type SimulatorOptions } from '../../src/index.js'
import { ask, rpc, rpcRequest } from '../kit/http.js'
import { anvilOf, childrenOf, halt, waitUntilGone } from '../kit/processes.js'
import { type ActivityBody, openUser, type PlanBody, type User, userAt } from '../kit/user.js'

/** With a data folder, a node that dies comes back as it was, and nobody has lost anything. */

const friend = '0x00000000000000000000000000000000000f41e7'
const earn = { amount: '2000000', asset: 'USDC', network: 'base', protocol: 'compound' }
/** More than there is on base, so that some of it has to be bridged. */
const bridged = { asset: 'USDC', amount: '8000000', network: 'base', recipient: friend }

const dirs: string[] = []
const opened: SimulatorHandle[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((sim) => sim.close().catch(() => {})))
  await Promise.all(dirs.splice(0).map((dir) => rm(dir, { recursive: true, force: true })))
})

/** A simulator on a data folder, and what it has said so far. */
interface Kept {
  sim: SimulatorHandle
  dir: string
  said: string[]
}

async function start(options: SimulatorOptions = {}): Promise<Kept> {
  const dir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'svc-sim-revival-')))
  dirs.push(dir)
  const said: string[] = []
  const onProgress = (step: string) => void said.push(step)
  const sim = await createSimulator({ bridgeDelayMs: 20, ...options, dataDir: dir, onProgress })
  opened.push(sim)
  return { sim, dir, said }
}

const pidOf = (network: NetworkName): number => anvilOf(networkOf(network).chainId)

/** Kills the node; resolves when it is back. */
async function kill(kept: Kept, ...networks: NetworkName[]): Promise<void> {
  const pids = networks.map(pidOf)
  const before = kept.said.length
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  await untilBack(kept, before, networks)
}

function untilBack({ said }: Kept, since: number, networks: readonly NetworkName[]) {
  const check = () => {
    for (const network of networks)
      expect(said.slice(since).join('\n')).toContain(
        `the ${network} node ended (SIGKILL), and was started again`,
      )
  }
  return vi.waitFor(check, { timeout: 30_000, interval: 5 })
}

interface Block {
  hash: string
  number: string
  timestamp: string
}

/** The hashes of the blocks that a node has; not the very first, which each process makes anew under the world. */
async function blocksOf(sim: SimulatorHandle, network: NetworkName): Promise<string[]> {
  const latest = Number(await rpc<string>(sim.rpc(network), 'eth_blockNumber'))
  const messages = Array.from({ length: latest }, (_, i) => ({
    jsonrpc: '2.0',
    id: i,
    method: 'eth_getBlockByNumber',
    params: [`0x${(i + 1).toString(16)}`, false],
  }))
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(messages)
  const response = await fetch(sim.rpc(network), { method: 'POST', headers, body })
  const answers = (await response.json()) as { result: Block | null }[]
  return answers.flatMap(({ result }) => result?.hash ?? [])
}

const folio = async (user: User) =>
  (await user.api.get(`${user.path}/folio`)).body.folio.balances as Record<string, string>

async function expectOnChain(sim: SimulatorHandle, activity: ActivityBody): Promise<void> {
  expect(activity.activity_status).toBe('confirmed')
  for (const { transaction_hash: hash, chain_id } of activity.activity_metadata) {
    const network = networkNames.find((name) => networkOf(name).chainId === chain_id)!
    const receipt = await rpc(sim.rpc(network), 'eth_getTransactionReceipt', [hash])
    expect(receipt).toMatchObject({ status: '0x1' })
  }
}

test('default: a node that is killed comes back with the same blocks and money; plan, execute, JSON-RPC and long polls go on', async () => {
  const kept = await start()
  const { sim } = kept
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  await user.run('earn', earn)
  const planned = (await user.plan('transfer', { ...bridged, amount: '5' })).body as PlanBody
  const [blocks, before] = [await blocksOf(sim, 'base'), await folio(user)]
  const { body } = await user.api.get(`${user.path}/events`)
  const poll = user.api.get(`${user.path}/events?since=${body.cursor}&poll=true`)

  expect(blocks.length).toBeGreaterThan(3)
  await kill(kept, 'base')
  expect((await blocksOf(sim, 'base')).slice(0, blocks.length)).toEqual(blocks)
  expect(await folio(user)).toEqual(before)
  const executed = await user.execute(planned)
  expect(executed.body).toMatchObject({ status: 'executing' })
  expect((await poll).body.events).not.toEqual([])
  await expectOnChain(sim, await user.follow(executed.body.activity_id))
  const { activity } = await user.run('earn', earn)
  await expectOnChain(sim, activity)
  // What others do on it is heard of.
  const sent = { from: friend, to: user.wallet, value: '0x1' }
  await rpc(sim.rpc('base'), 'anvil_setBalance', [friend, '0xde0b6b3a7640000'])
  await rpc(sim.rpc('base'), 'anvil_impersonateAccount', [friend])
  const { body: latest } = await user.api.get(`${user.path}/events`)
  const heard = user.api.get(`${user.path}/events?since=${latest.cursor}&poll=true`)
  await rpc(sim.rpc('base'), 'eth_sendTransaction', [sent])
  expect((await heard).body.events.length).toBeGreaterThan(0)
  const metrics = await (await fetch(`${sim.url}/metrics`)).text()
  expect(metrics).toContain('svc_sim_node_restarts_total{network="base"} 1')
})

/** Resolves to the process that comes after this one. */
function successorOf(network: NetworkName, pid: number): Promise<number> {
  return vi.waitFor(
    () => {
      const next = pidOf(network)
      if (next === pid) throw new Error(`${pid} still runs`)
      return next
    },
    { timeout: 20_000, interval: 1 },
  )
}

test('behavior: two nodes at once, then all five; an execution with a bridge goes on after each', async () => {
  const kept = await start()
  const { sim } = kept
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  await user.fund('arbitrum', 'USDC', 9_000_000n)
  for (const victims of [['base', 'arbitrum'] as const, networkNames]) {
    const before = await folio(user)
    await kill(kept, ...victims)
    expect(await folio(user)).toEqual(before)
    const { activity } = await user.run('transfer', { ...bridged, amount: '4000000' })
    await expectOnChain(sim, activity)
  }
})

test('behavior: killed under load, with executions and bridges under way: each ends well, and nothing is done twice', async () => {
  const kept = await start()
  const { sim } = kept
  const users = await Promise.all([1, 2].map(() => openUser(sim)))
  let isOver = false
  const done: string[] = []
  const work = async (user: User): Promise<void> => {
    while (!isOver) {
      await user.fund('arbitrum', 'USDC', 3_000_000n)
      await user.fund('base', 'USDC', 1_000_000n)
      const { activity } = await user.run('transfer', { ...bridged, amount: '2000000' })
      await expectOnChain(sim, activity)
      done.push(activity.activity_id)
    }
  }
  const working = Promise.all(users.map(work))
  const untilDone = (count: number) =>
    vi.waitFor(() => expect(done.length).toBeGreaterThanOrEqual(count), {
      timeout: 120_000,
      interval: 5,
    })
  await untilDone(1)
  await kill(kept, 'base')
  await untilDone(done.length + 1)
  await kill(kept, 'arbitrum', 'base')
  await untilDone(done.length + 1)
  isOver = true
  await working
  // Each transfer has arrived once.
  expect(BigInt(await balanceOf(sim, 'base', friend))).toBe(BigInt(done.length) * 2_000_000n)
}, 180_000)

const balanceOf = (sim: SimulatorHandle, network: NetworkName, owner: string): Promise<string> => {
  const to = loadAddressBook().token(network, 'USDC')!.address
  const data = `0x70a08231${owner.slice(2).padStart(64, '0')}`
  return rpc(sim.rpc(network), 'eth_call', [{ to, data }, 'latest'])
}

test('behavior: killed again while it is brought back, and a third time within a minute: that ends it, and the folder has everything', async () => {
  const kept = await start()
  const { sim, dir } = kept
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  const { activity } = await user.run('earn', earn)
  const blocks = await blocksOf(sim, 'base')
  const first = pidOf('base')
  process.kill(first, 'SIGKILL')
  process.kill(await successorOf('base', first), 'SIGKILL')
  await untilBack(kept, 0, ['base'])
  expect((await blocksOf(sim, 'base')).slice(0, blocks.length)).toEqual(blocks)
  const nodes = childrenOf(process.pid)
  const heard: string[] = []
  const asking = Array.from({ length: 8 }, async () => {
    for (;;) {
      const funds = { account_id: user.id, network: 'base', asset: 'USDC', amount: '1' }
      const funded = await user.api.post('/_sim/fund', funds).catch(() => undefined)
      if (!funded) return // nobody listens any more
      if (funded.status === 500) heard.push((funded.body as { message: string }).message)
    }
  })
  process.kill(pidOf('base'), 'SIGKILL')
  expect(await sim.closed).toMatchObject({
    exitCode: 1,
    reason: expect.stringContaining(
      'the base node ended (SIGKILL) for the third time within a minute',
    ),
  })
  await waitUntilGone(nodes)
  await Promise.all(asking)
  for (const message of heard) expect(message).toContain('for the third time within a minute')
  await sim.close()

  const again = await start({ dataDir: dir })
  expect((await blocksOf(again.sim, 'base')).slice(0, blocks.length)).toEqual(blocks)
  const there = userAt(again.sim, user)
  expect((await there.api.get(`/activities/${activity.activity_id}`)).body).toEqual(activity)
  await expectOnChain(again.sim, (await there.run('earn', earn)).activity)
})

test('behavior: a request that ends the node is left out, as often as it comes; accounts, money and later starts stay', async () => {
  const kept = await start({ rpcUnsafe: true })
  const { sim, dir, said } = kept
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  await user.run('earn', earn)
  const deadly = (id: number) =>
    rpcRequest('anvil_setNextBlockBaseFeePerGas', ['0x100000000000000000'], id)
  const refusal = {
    jsonrpc: '2.0',
    error: {
      code: -32000,
      message:
        'anvil_setNextBlockBaseFeePerGas ended the base node, and again when it was done once more. It is left out; everything before it is there',
    },
  }
  for (let round = 0; round < 4; round++) {
    const [one, two] = await Promise.all([
      ask(sim.rpc('base'), { body: deadly(7) }),
      user.api.get(user.path),
      user.run('earn', { ...earn, amount: '1000000' }),
    ])
    expect(one.body).toEqual({ ...refusal, id: 7 })
    expect(two.status).toBe(200)
  }
  const batch = [rpcRequest('eth_chainId'), deadly(2), rpcRequest('evm_mine', [], 3)]
  expect((await ask(sim.rpc('base'), { body: batch })).body).toMatchObject([
    { id: 1, result: '0x2105' },
    { ...refusal, id: 2 },
    { id: 3, result: '0x0' },
  ])
  expect(said.filter((step) => step.endsWith(refusal.error.message))).toHaveLength(5)
  const activities = async (of: User) => (await of.api.get(`${of.path}/activities`)).body
  const [blocks, before] = [await blocksOf(sim, 'base'), await activities(user)]
  await sim.close()

  for (let round = 0; round < 2; round++) {
    const again = await start({ dataDir: dir })
    expect(again.said.join('\n')).not.toContain('left out')
    expect((await blocksOf(again.sim, 'base')).slice(0, blocks.length)).toEqual(blocks)
    expect(await activities(userAt(again.sim, user))).toEqual(before)
    await again.sim.close()
  }
  const { sim: last } = await start({ dataDir: dir })
  await userAt(last, user).run('earn', { ...earn, amount: '1000000' })
  await last.reset()
  expect((await blocksOf(last, 'base')).slice(0, blocks.length)).toEqual(blocks)
})

test('behavior: snapshots of before are gone, which is said; a reset still leads to the start, again and again', async () => {
  const kept = await start()
  const { sim } = kept
  const started = await blocksOf(sim, 'base')
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  const id = await sim.snapshot('before')
  await kill(kept, 'base')
  for (const name of [id, 'before'])
    await expect(sim.restore(name)).rejects.toThrow(
      `There is no snapshot ${name} any more: the base node died and was started again at 20`,
    )
  const next = await sim.snapshot('after')
  await user.run('earn', earn)
  await sim.restore(next)
  expect(await balanceOf(sim, 'base', user.wallet)).toBe(
    `0x${(9_000_000).toString(16).padStart(64, '0')}`,
  )
  for (let round = 0; round < 2; round++) {
    await sim.reset()
    expect((await user.api.get(user.path)).status).toBe(404)
    expect((await blocksOf(sim, 'base')).slice(0, started.length)).toEqual(started)
    expect(BigInt(await balanceOf(sim, 'base', user.wallet))).toBe(0n)
    const other = await openUser(sim)
    await other.fund('base', 'USDC', 9_000_000n)
    await expectOnChain(sim, (await other.run('earn', earn)).activity)
    if (round === 0) await kill(kept, 'base', 'polygon')
  }
})

test('behavior: a frozen clock stays frozen, at the same second on the chains too', async () => {
  const kept = await start({ clock: 'frozen' })
  const { sim } = kept
  await sim.clock.advance(1_000)
  const time = sim.clock.time()
  await kill(kept, 'base')
  expect(sim.clock.time()).toEqual(time)
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  const executed = await user.execute((await user.plan('earn', earn)).body as PlanBody)
  await expectOnChain(sim, await user.follow(executed.body.activity_id))
  const { timestamp } = await rpc<Block>(sim.rpc('base'), 'eth_getBlockByNumber', ['latest', false])
  expect(Number(timestamp) * 1000).toBe(time.ms)
  await sim.clock.advance(5)
  const next = await rpc<Block>(sim.rpc('base'), 'eth_getBlockByNumber', ['latest', false])
  expect(Number(next.timestamp) * 1000).toBe(time.ms + 5_000)
})

test('behavior: meanwhile the network is not ready, and who asks it waits or hears why; all is answered afterwards', async () => {
  const kept = await start()
  const { sim } = kept
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  const planned = (await user.plan('earn', earn)).body as PlanBody
  const pid = pidOf('base')
  process.kill(pid, 'SIGKILL')
  const goOn = await halt([await successorOf('base', pid)])
  const ready = await fetch(`${sim.url}/health/ready`)
  expect(ready.status).toBe(503)
  const { networks } = (await ready.json()) as { networks: Record<string, unknown> }
  expect(networks).toMatchObject({
    base: { ready: false, error: 'the node died, and is being started again' },
    polygon: { ready: true },
  })
  await expect(sim.snapshot()).rejects.toThrow('base: the node died, and is being started again')
  const asked = [user.execute(planned), rpc<string>(sim.rpc('base'), 'eth_blockNumber')] as const
  goOn()
  const [executed, height] = await Promise.all(asked)
  expect(Number(height)).toBeGreaterThan(0)
  await expectOnChain(sim, await user.follow(executed.body.activity_id))
  await untilBack(kept, 0, ['base'])
  expect((await fetch(`${sim.url}/health/ready`)).status).toBe(200)
})

test('behavior: a stop while a node is brought back leaves nothing, and the next start goes on', async () => {
  const kept = await start()
  const { sim, dir } = kept
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  const blocks = await blocksOf(sim, 'base')
  const pid = pidOf('base')
  process.kill(pid, 'SIGKILL')
  await halt([await successorOf('base', pid)])
  const processes = childrenOf(process.pid)
  await sim.close()
  await waitUntilGone(processes)
  const again = await start({ dataDir: dir })
  expect((await blocksOf(again.sim, 'base')).slice(0, blocks.length)).toEqual(blocks)
})

test('behavior: a WebSocket goes on; one that has subscribed is closed, to subscribe again', async () => {
  const kept = await start()
  const { sim } = kept
  const url = sim.rpc('base').replace('http', 'ws')
  const [plain, subscribed] = [new WebSocket(url), new WebSocket(url)]
  const closed = once(subscribed, 'close')
  await Promise.all([once(plain, 'open'), once(subscribed, 'open')])
  const send = async (socket: WebSocket, method: string, params: unknown[]) => {
    const told = once(socket, 'message')
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    return JSON.parse(String((await told)[0])) as { result?: unknown }
  }
  expect(await send(subscribed, 'eth_subscribe', ['newHeads'])).toHaveProperty('result')
  await kill(kept, 'base')
  const [code, why] = await closed
  expect([code, String(why)]).toEqual([1012, 'the base node is started again: subscribe again'])
  expect(await send(plain, 'eth_blockNumber', [])).toHaveProperty('result')
  plain.close()
})

test('behavior: filters and snapshots of clients end with the process, which is said; those that are made afterwards work', async () => {
  const kept = await start()
  const { sim } = kept
  const filter = await rpc<string>(sim.rpc('base'), 'eth_newBlockFilter')
  const other = await rpc<string>(sim.rpc('polygon'), 'eth_newBlockFilter')
  const batch = [
    rpcRequest('eth_newFilter', [{}]),
    rpcRequest('eth_chainId'),
    rpcRequest('evm_snapshot'),
  ]
  const { body: made } = await ask(sim.rpc('base'), { body: batch })
  const [logs, , snapshot] = made.map(({ result }: { result: string }) => result)
  await kill(kept, 'base')
  const blocks = await blocksOf(sim, 'base')

  const noFilter = {
    code: -32000,
    message:
      'filter not found: the base node was started again after it was made. Make it again; eth_getLogs has the logs since',
  }
  for (const message of [
    rpcRequest('eth_getFilterChanges', [filter]),
    rpcRequest('eth_getFilterLogs', [logs]),
    rpcRequest('eth_uninstallFilter', [filter]),
  ])
    expect((await ask(sim.rpc('base'), { body: message })).body).toMatchObject({
      id: message.id,
      error: noFilter,
    })
  const mixed = [rpcRequest('eth_getFilterChanges', [logs]), rpcRequest('eth_chainId')]
  expect((await ask(sim.rpc('base'), { body: mixed })).body).toMatchObject([
    { error: noFilter },
    { result: '0x2105' },
  ])
  await rpc(sim.rpc('base'), 'evm_mine')
  const gone = {
    code: -32000,
    message: expect.stringMatching(
      `^There is no snapshot snp_${Number(snapshot)} any more: the base node died`,
    ),
  }
  expect(
    (await ask(sim.rpc('base'), { body: rpcRequest('evm_revert', [snapshot]) })).body,
  ).toMatchObject({ error: gone })
  expect(await blocksOf(sim, 'base')).toHaveLength(blocks.length + 1)

  // On the other networks nothing has ended.
  await rpc(sim.rpc('polygon'), 'evm_mine')
  expect(await rpc(sim.rpc('polygon'), 'eth_getFilterChanges', [other])).toHaveLength(1)
  const [filterNow, snapshotNow] = [
    await rpc<string>(sim.rpc('base'), 'eth_newBlockFilter'),
    await rpc<string>(sim.rpc('base'), 'evm_snapshot'),
  ]
  await rpc(sim.rpc('base'), 'evm_mine')
  expect(await rpc(sim.rpc('base'), 'eth_getFilterChanges', [filterNow])).toHaveLength(1)
  expect(await rpc(sim.rpc('base'), 'evm_revert', [snapshotNow])).toBe(true)
  expect(await blocksOf(sim, 'base')).toHaveLength(blocks.length + 1)
})

test('behavior: a node that is held down by a fault is down again when it has come back', async () => {
  const kept = await start({ readTimeoutMs: 2_000 })
  const { sim } = kept
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  const isAnswered = async () => (await user.api.get(`${user.path}/folio`)).status
  for (const time of ['once', 'again']) {
    const { id } = await sim.faults.add({ on: 'chain', effect: 'down', match: { network: 'base' } })
    await kill(kept, 'base')
    await vi.waitFor(async () => expect(await isAnswered(), time).toBe(408), 10_000)
    await sim.faults.remove(id)
    await vi.waitFor(async () => expect(await isAnswered(), time).toBe(200), 10_000)
  }
  const { activity } = await user.run('earn', earn)
  await expectOnChain(sim, activity)
})
