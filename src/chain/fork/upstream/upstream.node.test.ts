import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sentItself, startEndpoint, type TestEndpoint } from '../../../../test/kit/endpoint.js'
import { createBudget } from './pacedEndpoint.js'
import { createUpstream, type Upstream, type UpstreamOptions } from './upstream.js'

const hash = `0x${'ab'.repeat(32)}`
const block = { number: '0x10', hash, timestamp: '0x1', gasLimit: '0x1', transactions: [] }

/** An endpoint that goes with the test. */
async function endpoint(...args: Parameters<typeof startEndpoint>): Promise<TestEndpoint> {
  const started = await startEndpoint(...args)
  onTestFinished(() => started[Symbol.asyncDispose]())
  return started
}

/** A client of them that goes with the test. */
function upstreamOf(endpoints: readonly TestEndpoint[], options: UpstreamOptions = {}) {
  const urls = endpoints.map(({ url }, at) => `${url}?key=secret-of-${at}`)
  const upstream = createUpstream('base', urls, { patienceMs: 5_000, ...options })
  onTestFinished(() => upstream.close())
  return upstream
}

async function failureOf(upstream: Upstream): Promise<Error> {
  return upstream.ask('eth_gasPrice', []).then(
    () => new Error('it answered'),
    (error: Error) => error,
  )
}

const good = () => endpoint(({ method }) => (method === 'eth_getBlockByNumber' ? block : '0x5'))

test('default: the first endpoint is asked; the next one when it fails, and from then on', async () => {
  let isWell = true
  const first = await endpoint((_call, res) => {
    if (isWell) return '0x1'
    res.destroy()
    return sentItself
  })
  const second = await good()
  const upstream = upstreamOf([first, second])
  expect(await upstream.ask('eth_gasPrice', [])).toBe('0x1')
  expect(second.asked).toEqual([])
  isWell = false
  expect(await upstream.ask('eth_gasPrice', [])).toBe('0x5')
  const { length } = first.asked
  expect(await upstream.ask('eth_gasPrice', [])).toBe('0x5')
  expect(first.asked).toHaveLength(length)
})

test.each([
  ['no JSON', (res) => res.end('<html>sorry</html>')],
  ['half of an answer', (res) => res.end('{"jsonrpc":"2.0","id":1,"resu')],
  ['no result', (res) => res.end('{"jsonrpc":"2.0","id":1}')],
  ['another type', (res) => res.end('{"jsonrpc":"2.0","id":1,"result":{"a":1}}')],
  ['null for a figure', (res) => res.end('{"jsonrpc":"2.0","id":1,"result":null}')],
  ['an empty word', (res) => res.end('{"jsonrpc":"2.0","id":1,"result":"0x"}')],
] as [string, (res: import('node:http').ServerResponse) => void][])(
  'behavior: an endpoint that answers with %s is taken for one that fails',
  async (_what, lie) => {
    const liar = await endpoint((_call, res) => {
      lie(res)
      return sentItself
    })
    expect(await upstreamOf([liar, await good()]).ask('eth_getBalance', ['0x1', '0x10'])).toBe(
      '0x5',
    )
    const alone = upstreamOf([liar]).ask('eth_getBalance', ['0x1', '0x10'])
    await expect(alone).rejects.toThrow(
      /^base is forked from 127\.0\.0\.1:\d+, (which answers|whose response to) /,
    )
  },
)

test('behavior: an account or a block with a field missing is no answer', async () => {
  const { transactions: _, ...short } = block
  const liar = await endpoint(({ method }) =>
    method === 'eth_getAccountInfo' ? { balance: '0x1', code: '0x' } : short,
  )
  const upstream = upstreamOf([liar])
  for (const method of ['eth_getAccountInfo', 'eth_getBlockByNumber'])
    await expect(upstream.ask(method, ['0x1', '0x10'])).rejects.toThrow('is malformed')
})

test.each([
  ['another chain', { ...block, hash: `0x${'cd'.repeat(32)}` }, 'which has another block 16 than'],
  ['stale blocks', null, 'which has no block 16'],
])(
  'behavior: once the block is known, an endpoint of %s is not believed',
  async (_what, its, why) => {
    let isWell = true
    const first = await endpoint(({ method }, res) => {
      if (isWell) return method === 'eth_getBlockByNumber' ? block : '0x5'
      res.destroy()
      return sentItself
    })
    const other = await endpoint(({ method }) => (method === 'eth_getBlockByNumber' ? its : '0x0'))
    const upstream = upstreamOf([first, other])
    upstream.pin(block)
    expect(await upstream.ask('eth_getBalance', ['0x1', '0x10'])).toBe('0x5')
    isWell = false
    await expect(upstream.ask('eth_getBalance', ['0x1', '0x10'])).rejects.toThrow(why)
    expect(other.asked.map(({ method }) => method)).toEqual(['eth_getBlockByNumber'])
  },
)

test.each([
  ['HTTP 429', undefined],
  ['its own code', Object.assign(new Error('no'), { code: -32005 })],
  ['its own words', new Error('Your app has exceeded its compute units per second capacity')],
  ['other words', new Error('50/second request limit reached')],
])(
  'behavior: an endpoint that is asked too often, as it says by %s, gets time',
  async (_by, how) => {
    let refusals = 3
    const busy = await endpoint((_call, res) => {
      if (refusals-- <= 0) return '0x5'
      if (how) return how
      res.writeHead(429, { 'retry-after': '0' }).end()
      return sentItself
    })
    const remarks: string[] = []
    const upstream = upstreamOf([busy], { say: (remark) => remarks.push(remark) })
    const all = await Promise.all([1, 2, 3].map(() => upstream.ask('eth_gasPrice', [])))
    expect(all).toEqual(['0x5', '0x5', '0x5'])
    expect(remarks).toEqual([expect.stringContaining('limits the rate of requests')])
  },
)

test('behavior: while one rests, another is asked at once', async () => {
  const busy = await endpoint((_call, res) => {
    res.writeHead(429, { 'retry-after': '3600' }).end()
    return sentItself
  })
  const upstream = upstreamOf([busy, await good()])
  for (let n = 0; n < 3; n++) expect(await upstream.ask('eth_gasPrice', [])).toBe('0x5')
  expect(busy.asked).toHaveLength(1)
})

test('error: one that wants more time than there is, and one that never has enough', async () => {
  const busy = await endpoint((_call, res) => {
    res.writeHead(429, { 'retry-after': '3600' }).end('{"error":{"message":"plan of secret-of-0"}}')
    return sentItself
  })
  const asking = upstreamOf([busy]).ask('eth_gasPrice', [])
  await expect(asking).rejects.toThrow('limits the rate of requests (HTTP 429: plan of …)')
  expect(busy.asked).toHaveLength(1)
})

test('error: an endpoint without the state of old blocks is told from one that fails', async () => {
  const pruned = await endpoint(
    () => new Error('missing trie node 12ab (path ) state 0x is not available'),
  )
  const asking = upstreamOf([pruned]).ask('eth_getBalance', ['0x1', '0x10'])
  await expect(asking).rejects.toThrow('has not the state of that block any more (missing trie')
  expect(await upstreamOf([pruned, await good()]).ask('eth_getBalance', ['0x1', '0x10'])).toBe(
    '0x5',
  )
})

test('error: all endpoints fail: each is named with its reason, none with its key', async () => {
  const refusing = await endpoint(() => new Error('no entry for secret-of-0'))
  const silent = await endpoint(() => new Promise(() => {}))
  const upstream = upstreamOf([refusing, silent], { answerWithinMs: 50 })
  const { message } = await failureOf(upstream)
  expect(message).toMatch(
    /^base is forked from \S+, which refuses eth_gasPrice: no entry for …; from \S+, which does not answer: no answer within 0.05 s\. Check that/,
  )
})

test('error: a budget bounds all requests, retries too, and its end is told', async () => {
  const one = await good()
  const upstream = upstreamOf([one], { budget: createBudget(2) })
  await upstream.ask('eth_gasPrice', [])
  await upstream.ask('eth_gasPrice', [])
  for (let n = 0; n < 2; n++)
    await expect(upstream.ask('eth_gasPrice', [])).rejects.toThrow(
      'the limit of --fork-max-requests (2) is reached',
    )
  expect(one.asked).toHaveLength(2)
  expect(upstream.sent).toBe(2)
})

test('behavior: past the proxy of the environment, but not where that says so', async () => {
  const paths: string[] = []
  const proxy = createServer((req, res) => {
    paths.push(`${req.method} ${req.url}`)
    res.end('{"jsonrpc":"2.0","id":1,"result":"0x7"}')
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)
  vi.stubEnv('NO_PROXY', '127.0.0.1')
  const far = createUpstream('base', ['http://rpc.example/v2/secret'])
  expect(await far.ask('eth_gasPrice', [])).toBe('0x7')
  far.close()
  expect(paths).toEqual(['POST http://rpc.example/v2/secret'])
  expect(await upstreamOf([await good()]).ask('eth_gasPrice', [])).toBe('0x5')
  expect(paths).toHaveLength(1)
})

test('behavior: https goes past a proxy as a tunnel', async () => {
  const proxy = createServer()
  const tunnels: (string | undefined)[] = []
  proxy.on('connect', (req, socket) => {
    tunnels.push(req.url)
    socket.on('error', () => {}) // who is refused may hang up first
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  onTestFinished(() => void vi.unstubAllEnvs())
  const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  vi.stubEnv('HTTPS_PROXY', `http://user:pass-word@${address}`)
  const far = createUpstream('base', ['https://rpc.example/v2/secret'])
  const { message } = await failureOf(far)
  far.close()
  expect(tunnels[0]).toBe('rpc.example:443')
  expect(message).toMatch(/^base is forked from rpc\.example, which /)
  expect(message).not.toMatch(/pass-word|secret/)
})
