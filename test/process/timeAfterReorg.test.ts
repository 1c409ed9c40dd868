import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address, Hex } from 'viem'
import { getWebSocketRpcClient, toHex } from 'viem/utils'
import { afterEach, expect, test, vi } from 'vitest'
import { networkOf } from '../../src/deployments/networks.js'
import { createSimulator, type SimulatorHandle, type SimulatorOptions } from '../../src/index.js'
import { readsOf } from '../kit/chainReads.js'
import { anvilOf } from '../kit/processes.js'
import { startUpstream } from '../kit/upstream.js'
import { type ActivityBody, openUser, type User } from '../kit/user.js'

/** Blocks that are taken back do not take the time of their network back: there is one clock. */

const friend: Address = '0x00000000000000000000000000000000000f41e7'
/** From optimism, where alone the users have something. */
const bridged = { asset: 'USDC', amount: '20000000', network: 'base', recipient: friend }

const ending: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

async function start(options: SimulatorOptions = {}): Promise<SimulatorHandle> {
  const sim = await createSimulator({ bridgeDelayMs: 20, ...options })
  ending.push(() => sim.close())
  return sim
}

async function dataDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'svc-sim-time-'))
  ending.push(() => rm(dir, { recursive: true, force: true }))
  return dir
}

async function funded(sim: SimulatorHandle): Promise<User> {
  const user = await openUser(sim)
  await user.fund('optimism', 'USDC', 100_000_000n)
  return user
}

const ask = <T = Hex>(sim: SimulatorHandle, method: string, ...params: unknown[]) =>
  readsOf(sim).request<T>('optimism', method, params)

interface Block {
  hash: Hex
  number: Hex
  timestamp: Hex
}
const secondOf = async (sim: SimulatorHandle, which: string): Promise<number> =>
  Number((await ask<Block>(sim, 'eth_getBlockByNumber', which, false)).timestamp)

/** On a busy machine two that tick apart differ by some seconds; time that was taken back is a hundred or more. */
const apart = 30

async function expectOnTime(sim: SimulatorHandle, which = 'pending'): Promise<void> {
  const clock = () => Math.floor(sim.clock.time().ms / 1000)
  const before = clock()
  const there = await secondOf(sim, which)
  expect(there).toBeGreaterThanOrEqual(before - apart)
  expect(there).toBeLessThanOrEqual(clock() + apart)
}

test.each([false, true])(
  'default: the fault reorg with keep %s: deposits succeed again, and the network keeps the time of the clock',
  async (keep) => {
    const sim = await start()
    const user = await funded(sim)
    await sim.clock.advance(100)
    const { number, hash } = await ask<Block>(sim, 'eth_getBlockByNumber', 'latest', false)
    // Down to the block of the faucet, which is 100 seconds old.
    const effect = { reorg: { keep, depth: 3 } }
    await sim.faults.add({ on: 'chain', effect, match: { network: 'optimism' }, times: 1 })
    const { activity } = await user.run('transfer', bridged)
    await vi.waitFor(
      async () => {
        const block = await ask<Block | null>(sim, 'eth_getBlockByNumber', number, false)
        expect(block?.hash).toMatch(/^0x/)
        expect(block?.hash).not.toBe(hash)
        const { events } = (await user.api.get(`${user.path}/events`)).body
        const told = events.map((event: { data: ActivityBody }) => event.data.activity_status)
        const ends = told.filter((status: string) => status !== 'pending')
        expect(ends).toEqual(keep ? ['confirmed'] : ['confirmed', 'confirmed'])
      },
      { timeout: 20_000, interval: 20 },
    )
    await expectOnTime(sim)
    const { body } = await user.api.get(`/activities/${activity.activity_id}`)
    expect(body.activity_status).toBe('confirmed')
    const [deposit] = (body as ActivityBody).activity_metadata
    expect(deposit).toMatchObject({ action_type: 'BRIDGE', success: true })
    const receipt = await ask<{ status: Hex; blockNumber: Hex }>(
      sim,
      'eth_getTransactionReceipt',
      deposit!.transaction_hash,
    )
    expect(receipt.status).toBe('0x1')
    const executedAt = Date.parse(deposit!.executed_at as string) / 1000
    const mined = await secondOf(sim, receipt.blockNumber)
    expect(Math.abs(mined - executedAt)).toBeLessThanOrEqual(apart)
    // And once more.
    expect((await user.run('transfer', bridged)).activity.activity_status).toBe('confirmed')
  },
)

const rollback = (blocks: number) => ({
  jsonrpc: '2.0' as const,
  id: 1,
  method: 'anvil_rollback',
  params: [blocks],
})
const heightOf = async (sim: SimulatorHandle) => Number(await ask(sim, 'eth_blockNumber'))

test.each<[string, (sim: SimulatorHandle, blocks: number) => Promise<unknown>]>([
  ['over HTTP', (sim, blocks) => ask(sim, 'anvil_rollback', blocks)],
  [
    'in a batch',
    async (sim, blocks) => {
      const next = {
        jsonrpc: '2.0',
        id: 2,
        method: 'eth_getBlockByNumber',
        params: ['pending', false],
      }
      const response = await fetch(sim.rpc('optimism'), {
        method: 'POST',
        body: JSON.stringify([rollback(blocks), next]),
      })
      const [, { result }] = (await response.json()) as [unknown, { result: Block }]
      // The next request of the batch finds the time already.
      expect(Number(result.timestamp)).toBeGreaterThanOrEqual(sim.clock.time().ms / 1000 - apart)
    },
  ],
  [
    'over a WebSocket',
    async (sim, blocks) => {
      const socket = await getWebSocketRpcClient(sim.rpc('optimism').replace('http', 'ws'))
      await socket.requestAsync({ body: rollback(blocks) })
      socket.close()
    },
  ],
])('behavior: anvil_rollback %s, and plans that bridge from there go on', async (_, takeBack) => {
  const sim = await start()
  const user = await funded(sim)
  for (const seconds of [100, 200]) {
    const before = await heightOf(sim)
    await sim.clock.advance(seconds)
    await takeBack(sim, (await heightOf(sim)) - before)
    await expectOnTime(sim)
    expect((await user.run('transfer', bridged)).activity.activity_status).toBe('confirmed')
    await expectOnTime(sim, 'latest')
  }
})

test('behavior: frozen, on a data folder: the same second after a rollback, when the node dies, and at the next start', async () => {
  const folder = await dataDir()
  const said: string[] = []
  const open = () =>
    start({
      clock: 'frozen',
      bridgeDelayMs: 0,
      dataDir: folder,
      onProgress: (step) => void said.push(step),
    })
  const sim = await open()
  const user = await funded(sim)
  const before = await heightOf(sim)
  await sim.clock.advance(100)
  await ask(sim, 'anvil_rollback', (await heightOf(sim)) - before)
  const now = sim.clock.time().ms / 1000
  expect(await secondOf(sim, 'pending')).toBe(now)
  process.kill(anvilOf(networkOf('optimism').chainId), 'SIGKILL')
  await vi.waitFor(() => expect(said.join()).toContain('the optimism node ended'), {
    timeout: 30_000,
    interval: 5,
  })
  expect(await secondOf(sim, 'pending')).toBe(now)
  expect((await user.run('transfer', bridged)).activity.activity_status).toBe('confirmed')
  expect(await secondOf(sim, 'latest')).toBe(now)
  for (const seconds of [10, 20]) await sim.clock.advance(seconds)
  await ask(sim, 'anvil_reorg', 2, [])
  expect(await secondOf(sim, 'latest')).toBe(now + 30)
  expect(await secondOf(sim, 'pending')).toBe(now + 30)
  const { number, hash } = await ask<Block>(sim, 'eth_getBlockByNumber', 'latest', false)
  await sim.close()
  const again = await open()
  expect(await ask(again, 'eth_getBlockByNumber', number, false)).toMatchObject({ hash })
  expect(await secondOf(again, 'pending')).toBe(now + 30)
})

test('behavior: on a forked network, with blocks of different times', async () => {
  await using upstream = await startUpstream('optimism')
  const sim = await start({ clock: 'frozen', fork: { optimism: { url: upstream.url } } })
  const base = Number(await ask(sim, 'eth_blockNumber'))
  for (const seconds of [10, 20, 30]) await sim.clock.advance(seconds)
  const now = sim.clock.time().ms / 1000
  const times = () => Promise.all([1, 2, 3].map((i) => secondOf(sim, toHex(base + i))))
  const before = await times()
  expect(before).toEqual([now - 50, now - 30, now])
  await ask(sim, 'anvil_reorg', 3, [])
  expect(await times()).toEqual(before)
  await ask(sim, 'anvil_rollback', 2)
  expect(await secondOf(sim, 'latest')).toBe(now - 50)
  expect(await secondOf(sim, 'pending')).toBe(now)
  await ask(sim, 'evm_mine')
  expect(await secondOf(sim, 'latest')).toBe(now)
})
