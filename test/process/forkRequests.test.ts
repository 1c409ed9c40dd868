import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { positionsOn } from '../kit/positions.js'
import { startUpstream, type Upstream, upstreamKey } from '../kit/upstream.js'
import { openUser, type User } from '../kit/user.js'

/** How much a fork asks of its endpoint: little at first, and at the next start nearly nothing. */

const key: Hex = `0x${'17'.repeat(32)}`
let upstream: Upstream
let forkCache: string
let block: number
const steps: string[] = []

beforeAll(async () => {
  upstream = await startUpstream('mainnet')
  forkCache = await mkdtemp(join(tmpdir(), 'forks-'))
  block = Number(await upstream.rpc.request<Hex>('eth_blockNumber'))
})
afterAll(() => upstream.stop())

async function started(options: object = {}): Promise<SimulatorHandle> {
  upstream.asked.length = 0
  steps.length = 0
  const mainnet = { url: upstream.url, block }
  const onProgress = (step: string): void => void steps.push(step)
  return createSimulator({ fork: { mainnet }, forkCache, onProgress, ...options })
}

async function folioOf(sim: SimulatorHandle): Promise<unknown> {
  return folio(await openUser(sim, key))
}

async function folio(user: User): Promise<unknown> {
  const { status, body } = await user.api.get(`${user.path}/folio`)
  expect(status).toBe(200)
  const { balances, prices, yield_markets, borrow_markets } = body.folio
  return { balances, prices, markets: [yield_markets, borrow_markets].map(Object.keys) }
}

let first: unknown

// It was 726 and 132 when every slot was a request of its own, and nothing was left out.
test('default: a start is at most 363 requests, a first folio 66, the same again none', async () => {
  await using sim = await started()
  const { length } = upstream.asked
  expect(length).toBeLessThanOrEqual(363)
  expect(steps.join('\n')).toContain(`mainnet: ready, after ${length} requests to 127.0.0.1`)
  upstream.asked.length = 0
  const user = await openUser(sim, key)
  first = await folio(user)
  expect(upstream.asked.length).toBeLessThanOrEqual(66)
  upstream.asked.length = 0
  expect(await folio(user)).toEqual(first)
  expect(upstream.asked).toEqual([])
})

test('behavior: from a warm cache a start asks for the block alone, and a folio nothing; all is as before', async () => {
  await using sim = await started()
  expect(upstream.asked).toEqual(['eth_getBlockByNumber'])
  expect(await folioOf(sim)).toEqual(first)
  expect(upstream.asked).toEqual(['eth_getBlockByNumber'])
})

test('behavior: the first start at a block and a later one give the same bytes, with the same seed and a frozen clock', async () => {
  const cold = await mkdtemp(join(tmpdir(), 'forks-'))
  const lives: unknown[] = []
  for (const stage of ['cold', 'warm']) {
    await using sim = await started({ forkCache: cold, seed: 7n, clock: 'frozen' })
    expect([stage, upstream.asked.length > 100]).toEqual([stage, stage === 'cold'])
    const user = await openUser(sim, key)
    await user.fund('mainnet', 'USDC', 9_000_000n)
    const earn = { asset: 'USDC', amount: '1000000', network: 'mainnet', protocol: 'compound' }
    const { plan, activity } = await user.run('earn', earn)
    const { body } = await user.api.get(`${user.path}/folio`)
    const block = await positionsOn(sim, 'mainnet').client.getBlock()
    lives.push({ id: user.id, plan, activity, body, block })
  }
  expect(lives[1]).toEqual(lives[0])
}, 200_000)

test('behavior: two that start at once share the cache; it has no key and no URL', async () => {
  const both = await Promise.all([started(), started()])
  expect(await Promise.all(both.map(folioOf))).toEqual([first, first])
  await Promise.all(both.map((sim) => sim.close()))
  for (const name of await readdir(forkCache)) {
    const text = name + (await readFile(join(forkCache, name), 'utf8'))
    expect(text).not.toContain(upstreamKey)
    expect(text).not.toContain('127.0.0.1')
  }
})

test('error: a budget that is used up is the reason, at the start and later; other answers go on', async () => {
  await expect(started({ forkMaxRequests: 0 })).rejects.toThrow(
    'which gets no more requests: the limit of --fork-max-requests (0) is reached',
  )
  // One for the block; all else is kept.
  await using sim = await started({ forkMaxRequests: 1 })
  expect(await folioOf(sim)).toEqual(first)
  const stranger = await openUser(sim)
  const { status, body } = await stranger.api.get(`${stranger.path}/folio`)
  expect({ status, error: body.error }).toEqual({ status: 408, error: 'timeout' })
  expect(body.message).toContain('the limit of --fork-max-requests (1) is reached')
})

test('behavior: an endpoint that knows the common methods alone is asked more, and all is the same', async () => {
  upstream.unknown = ['eth_getAccountInfo']
  try {
    await using sim = await started({ forkCache: 'none' })
    expect(upstream.asked.filter((method) => method === 'eth_getAccountInfo').length).toBeLessThan(
      40,
    )
    // Three for each account instead of one.
    expect(upstream.asked.length).toBeLessThanOrEqual(600)
    expect(await folioOf(sim)).toEqual(first)
  } finally {
    upstream.unknown = []
  }
})

test('behavior: without a cache everything is asked again', async () => {
  await using sim = await started({ forkCache: 'none' })
  expect(upstream.asked.length).toBeGreaterThan(100)
  expect(await folioOf(sim)).toEqual(first)
})
