import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createRpc } from '../../../../test/kit/httpRpc.js'
import { startUpstream, type Upstream, upstreamKey } from '../../../../test/kit/upstream.js'
import { startNodes } from '../../process/nodes.js'
import { UpstreamError } from '../../rpc/rpc.js'
import { warm } from '../../state/networkState.js'
import { cacheInMemory } from '../upstream/answerCache.js'
import { startForkProxy } from '../upstream/proxy.js'
import { createSource } from '../upstream/source.js'
import { type ForkTargets, hostOf } from '../upstream/target.js'
import { createUpstream } from '../upstream/upstream.js'
import { openFork } from './open.js'
import { openForks } from './start.js'

let base: Upstream

beforeAll(async () => {
  base = await startUpstream('base')
})
afterEach(() => {
  base.mood = 'well'
  base.asked.length = 0
})
afterAll(() => base.stop())

const head = async () => Number(await base.rpc.request<string>('eth_blockNumber'))

async function sourceOf(upstream: ReturnType<typeof createUpstream>, own: string[] = []) {
  const block = await head()
  const cache = cacheInMemory()
  const notRecorded = { runsFrom: 'nothing', cure: '' }
  return createSource({ network: 'base', chainId: 8453, block, own, cache, upstream, notRecorded })
}

/** The message with which a fork is refused. */
async function refusal(...args: Parameters<typeof openFork>): Promise<string> {
  const open = await openFork(...args).catch((error: Error) => error.message)
  if (typeof open === 'string') return open
  await open.close()
  throw new Error('it was opened')
}

test('default: an open fork names host and block; the node is told neither URL nor key', async () => {
  const fork = await openFork('base', { url: base.url })
  expect(fork).toMatchObject({ network: 'base', host: hostOf(base.url), block: await head() })
  expect(fork.args.join(' ')).not.toContain(upstreamKey)
  await fork.close()
})

test('behavior: an older block is taken, also block 0 of a chain that has it', async () => {
  const fork = await openFork('base', { url: base.url, block: (await head()) - 1 })
  expect(fork.block).toBe((await head()) - 1)
  await fork.close()
})

test('behavior: the proxy passes reads on and refuses everything else itself', async () => {
  const own = `0x${'0'.repeat(38)}5c`
  const proxy = await startForkProxy(await sourceOf(createUpstream('base', [base.url]), [own]))
  const rpc = createRpc(proxy.url)
  expect(await rpc.request('eth_gasPrice')).toMatch(/^0x/)
  for (const method of ['eth_sendRawTransaction', 'anvil_setBalance', 'evm_mine'])
    await expect(rpc.request(method, [])).rejects.toThrow(`${method} is not asked`)
  expect(base.asked).toEqual(['eth_gasPrice'])
  // What the upstream cannot have is not asked for.
  const slot = (address: string) => rpc.request('eth_getStorageAt', [address, '0x0', 'latest'])
  expect(await slot(own.toUpperCase().replace('X', 'x'))).toBe(`0x${'0'.repeat(64)}`)
  expect(base.asked).toEqual(['eth_gasPrice'])
  const other = `0x${'0'.repeat(40)}`
  await slot(other)
  expect(base.asked).toEqual(['eth_gasPrice', 'eth_getStorageAt'])
  // Nothing was ever written where there is no code and never was.
  await rpc.request('eth_getCode', [`0x${'0'.repeat(39)}7`, 'latest'])
  base.asked.length = 0
  expect(await slot(`0x${'0'.repeat(39)}7`)).toBe(`0x${'0'.repeat(64)}`)
  expect(base.asked).toEqual([])
  rpc.close()
  await proxy.close()
})

test('behavior: an endpoint that is busy is asked again', async () => {
  base.mood = { busyFor: 2 }
  const upstream = createUpstream('base', [base.url])
  expect(await upstream.ask('eth_chainId', [])).toBe('0x2105')
  expect(base.asked).toHaveLength(3)
  upstream.close()
})

test('behavior: a connection that breaks is made again, once', async () => {
  const upstream = createUpstream('base', [base.url])
  base.mood = { cutFor: 1 }
  expect(await upstream.ask('eth_chainId', [])).toBe('0x2105')
  base.mood = { cutFor: 2 }
  await expect(upstream.ask('eth_chainId', [])).rejects.toThrow(
    'which does not answer: socket hang up',
  )
  upstream.close()
})

test('behavior: what a wallet’s snapshot needs is fetched side by side, not slot after slot', async () => {
  const fork = await openFork('base', { url: base.url })
  const nodes = await startNodes({ networks: ['base'], args: { base: fork.args } })
  try {
    // One slot after the other would never be so many; the endpoint would seem not to answer.
    base.mood = { together: 2 }
    await warm(nodes.get('base'), base.book, `0x${'7'.repeat(40)}`)
    expect(base.mood).toBe('well')
  } finally {
    await nodes.stop()
    await fork.close()
  }
})

test('behavior: the host is shown, a key in it is not', () => {
  expect(hostOf('https://user:pass@rpc.example:8545/v2/key?x=y')).toBe('rpc.example:8545')
  expect(hostOf('https://0a1b2c3d4e5f60718293.eth.rpc.example/')).toBe('….eth.rpc.example')
})

test('error: a network or a URL that cannot be meant, as a library may be given', async () => {
  await expect(openForks({ fork: { bose: { url: base.url } } as ForkTargets })).rejects.toThrow(
    'fork names "bose", which is no network. Networks: mainnet, base, arbitrum, optimism, polygon',
  )
  const odd = { base: { url: base.url, block: 1.5 } }
  await expect(openForks({ fork: odd })).rejects.toThrow(
    'base cannot be forked: the block must be a whole',
  )
  await expect(openForks({ fork: { base: {} } as unknown as ForkTargets })).rejects.toThrow(
    'the URL must be',
  )
})

test('error: another chain, a block that is not there yet, an endpoint that is not there', async () => {
  expect(await refusal('mainnet', { url: base.url })).toContain('is chain 8453, but mainnet is 1')
  const late = (await head()) + 1
  expect(await refusal('base', { url: base.url, block: late })).toContain(
    `cannot be forked at block ${late}: ${hostOf(base.url)} is at block ${await head()}`,
  )
  const nowhere = await refusal('base', { url: `http://127.0.0.1:1/${upstreamKey}` })
  expect(nowhere).toContain('base is forked from 127.0.0.1:1, which does not answer')
  expect(nowhere).toContain('start again with another --fork base=URL')
  expect(nowhere).not.toContain(upstreamKey)
})

test('error: an endpoint that no longer has the state of the block', async () => {
  // The upstream keeps 64 states.
  await base.rpc.request('anvil_mine', ['0x64'])
  const old = (await head()) - 90
  const message = await refusal('base', { url: base.url, block: old })
  expect(message).toContain(`base cannot be forked at block ${old}`)
  expect(message).toContain('archive endpoint')
})

test('error: what an endpoint answers instead of JSON-RPC is quoted without the key', async () => {
  base.mood = 'broken'
  const message = await refusal('base', { url: base.url })
  expect(message).toContain('which answers HTTP 500 without JSON-RPC: overloaded; your key …')
})

test('error: a silent endpoint is given up after its time, and the node’s error names it', async () => {
  base.mood = 'silent'
  const upstream = createUpstream('base', [base.url], { answerWithinMs: 50 })
  const proxy = await startForkProxy(await sourceOf(upstream))
  const rpc = createRpc(proxy.url)
  const asking = rpc.request('eth_getBalance', [`0x${'1'.repeat(40)}`, 'latest'])
  await expect(asking).rejects.toThrow(UpstreamError)
  await expect(asking).rejects.toThrow('which does not answer: no answer within 0.05 s')
  rpc.close()
  await proxy.close()
})

test('behavior: what is asked of a silent endpoint is broken off, by the signal of an opening and by close', async () => {
  base.mood = 'silent'
  const given = new AbortController()
  const opening = openFork('base', { url: base.url }, { signal: given.signal })
  const broken = expect(opening).rejects.toThrow('no more of it')
  given.abort(new Error('no more of it'))
  await broken
  const upstream = createUpstream('base', [base.url])
  const asking = expect(upstream.ask('eth_chainId', [])).rejects.toThrow('which does not answer')
  upstream.close()
  await asking
  await expect(upstream.ask('eth_chainId', [])).rejects.toThrow('which does not answer')
})
