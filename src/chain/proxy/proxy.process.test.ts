import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { createPublicClient, http, webSocket } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { halt } from '../../../test/kit/processes.js'
import { type Front, openSocket, post, startFront } from '../../../test/kit/rpcFront.js'
import { startNodes } from '../process/nodes.js'
import type { Nodes } from '../rpc/node.js'
import { networkOfRpcPath } from './proxy.js'

let nodes: Nodes
let front: Front

/** A socket that nobody listens on. */
const deadNodes = { get: () => ({ socket: '/nowhere/base' }) }

async function bodyOf(reply: Response): Promise<Record<string, unknown>> {
  return (await reply.json()) as Record<string, unknown>
}

const chainIdRequest = { jsonrpc: '2.0', id: 7, method: 'eth_chainId', params: [] }

beforeAll(async () => {
  nodes = await startNodes({ networks: ['base', 'polygon'] })
  front = await startFront(nodes)
})

afterAll(async () => {
  await front.close()
  await nodes.stop()
})

test('default', async () => {
  const replies = await Promise.all(
    ['base', 'polygon'].map(async (name) => {
      return (await post(`${front.url}/rpc/${name}`, chainIdRequest)).json()
    }),
  )
  expect(replies).toEqual([
    { jsonrpc: '2.0', id: 7, result: '0x2105' },
    { jsonrpc: '2.0', id: 7, result: '0x89' },
  ])
})

test('behavior: viem works over HTTP', async () => {
  const client = createPublicClient({ transport: http(`${front.url}/rpc/base`) })
  expect(await client.getChainId()).toBe(8453)
})

test('behavior: viem works over WebSocket, subscriptions too', async () => {
  const url = `${front.url.replace('http', 'ws')}/rpc/polygon`
  const client = createPublicClient({ transport: webSocket(url, { reconnect: false }) })
  expect(await client.getChainId()).toBe(137)
  let heard!: (number: string) => void
  const next = new Promise<string>((resolve) => {
    heard = resolve
  })
  await client.transport.subscribe({
    params: ['newHeads'],
    onData: ({ result }) => heard(result.number),
  })
  await nodes.get('polygon').rpc.request('evm_mine')
  expect(await next).toBe(await nodes.get('polygon').rpc.request('eth_blockNumber'))
  const socket = await client.transport.getSocket()
  socket.close()
})

test('behavior: bodies above the 2 MB that nodes usually take, and above the 1 MiB of the API', async () => {
  const call = { to: `0x${'11'.repeat(20)}`, data: `0x${'00'.repeat(2_000_000)}` }
  const request = { ...chainIdRequest, method: 'eth_call', params: [call, 'latest'] }
  const reply = await post(`${front.url}/rpc/base`, request)
  expect(reply.status).toBe(200)
  expect(await reply.json()).toMatchObject({ id: 7 })
})

test('behavior: close drops open WebSockets', async () => {
  const own = await startFront(nodes)
  const { closed } = await new Promise<{ closed: Promise<void> }>((resolve, reject) => {
    const request = httpRequest(`${own.url}/rpc/base`, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.alloc(16).toString('base64'),
      },
    })
    request.on('upgrade', (_response, socket) => {
      socket.on('error', () => {}) // a reset is one way to be dropped
      socket.resume()
      resolve({ closed: new Promise((gone) => socket.once('close', () => gone())) })
    })
    request.on('error', reject)
    request.end()
  })
  own.proxy.close()
  own.proxy.close()
  await closed
  await own.close()
})

test('behavior: paths of networks', () => {
  expect(networkOfRpcPath('/rpc/mainnet')).toBe('mainnet')
  for (const path of ['/rpc/base?x=1', '/rpc/base/', '/rpc/base/?x=1', '/rpc/base#x'])
    expect(networkOfRpcPath(path)).toBe('base')
  const others = [
    '/rpc/goerli',
    '/rpc/base/x',
    '/rpc/base//',
    '/rpc/',
    '/rpc',
    '/x/rpc/base',
    undefined,
  ]
  expect(others.map(networkOfRpcPath)).toEqual(others.map(() => undefined))
})

test('behavior: HEAD finds the network there, without a body', async () => {
  const reply = await fetch(`${front.url}/rpc/base`, { method: 'HEAD' })
  expect([reply.status, await reply.text()]).toEqual([200, ''])
})

test('error: only POST', async () => {
  const reply = await fetch(`${front.url}/rpc/base`)
  expect({
    status: reply.status,
    allow: reply.headers.get('allow'),
    ...(await bodyOf(reply)),
  }).toEqual({
    status: 405,
    allow: 'POST',
    error: 'method_not_allowed',
    message: 'JSON-RPC is sent with POST, not GET',
  })
})

test('error: the node is down', async () => {
  const own = await startFront(deadNodes)
  const reply = await post(`${own.url}/rpc/base`, chainIdRequest)
  expect({ status: reply.status, ...(await bodyOf(reply)) }).toEqual({
    status: 502,
    error: 'internal_error',
    message: 'The base node does not answer (ENOENT)',
  })
  await own.close()
})

test('error: the node is down when a WebSocket asks', async () => {
  const own = await startFront(deadNodes)
  const socket = await openSocket(own)
  expect(await socket.ask(chainIdRequest)).toEqual({
    jsonrpc: '2.0',
    id: 7,
    error: { code: -32603, message: 'The base node does not answer (ENOENT)' },
  })
  await own.close()
})

test('error: a message that is no JSON, no request, an empty batch, or nested too deep', async () => {
  const codes = []
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const odd = JSON.stringify({ ...chainIdRequest, method: 'eth_call', params: ['DEEP'] })
  for (const body of [
    '{',
    '5',
    'null',
    '{"id":1}',
    '[]',
    '[1]',
    odd.replace('"DEEP"', `{"x":${deep}}`),
  ]) {
    const reply = await fetch(`${front.url}/rpc/base`, { method: 'POST', body })
    const answers = [await reply.json()].flat() as { error: { code: number } }[]
    codes.push(...answers.map(({ error }) => error.code))
  }
  expect(codes).toEqual([-32700, -32600, -32600, -32600, -32600, -32600, -32600])
  expect(await (await post(`${front.url}/rpc/base`, chainIdRequest)).json()).toMatchObject({
    id: 7,
  })
})

test.each([
  ['digits', '0'],
  ['escapes', '\\u0030'],
])('behavior: a message of almost 16 MiB of %s reaches the node', async (_, digit) => {
  const hex = '00'.repeat(8) + digit.repeat(Math.floor((16 << 20) / digit.length / 2 - 100) * 2)
  const body = `{"jsonrpc":"2.0","id":7,"method":"web3_sha3","params":["0x${hex}"]}`
  expect(body.length).toBeGreaterThan(15.9 * 2 ** 20)
  const reply = await fetch(`${front.url}/rpc/base`, { method: 'POST', body })
  expect(await reply.json()).toMatchObject({
    id: 7,
    result: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  })
})

test('error: a message beyond 16 MiB', async () => {
  const reply = await fetch(`${front.url}/rpc/base`, { method: 'POST', body: ' '.repeat(17 << 20) })
    .then(({ status }) => status)
    // The connection is cut while the rest is still being sent.
    .catch(() => 413)
  expect(reply).toBe(413)
  expect(await (await post(`${front.url}/rpc/base`, chainIdRequest)).json()).toMatchObject({
    id: 7,
  })
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['GZIP', gzipSync],
])('behavior: a message that is packed with %s is unpacked', async (encoding, pack) => {
  const reply = await fetch(`${front.url}/rpc/base`, {
    method: 'POST',
    headers: { 'content-encoding': encoding },
    body: pack(JSON.stringify(chainIdRequest)),
  })
  expect(await reply.json()).toMatchObject({ id: 7, result: '0x2105' })
})

test('error: a message that is unpacked beyond 16 MiB', async () => {
  const body = gzipSync(' '.repeat(64 << 20))
  const headers = { 'content-encoding': 'gzip' }
  const reply = await fetch(`${front.url}/rpc/base`, { method: 'POST', headers, body })
  expect([reply.status, await bodyOf(reply)]).toMatchObject([413, { error: 'payload_too_large' }])
})

test('error: a message that is not packed as it says', async () => {
  const text = JSON.stringify(chainIdRequest)
  const cut = gzipSync(text).subarray(0, -4)
  const heard = []
  for (const [encoding, body] of [
    ['gzip', text],
    ['gzip', cut],
    ['zstd', text],
    ['gzip, gzip', gzipSync(gzipSync(text))],
    ['constructor', text],
  ] as const) {
    const headers = { 'content-encoding': encoding }
    const reply = await fetch(`${front.url}/rpc/base`, { method: 'POST', headers, body })
    heard.push([reply.status, await reply.json()])
  }
  const refusal = (message: string) => [
    200,
    {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: expect.stringContaining(message) },
    },
  ]
  expect(heard).toEqual([
    refusal('not gzip, as Content-Encoding says: incorrect header check'),
    refusal('not gzip, as Content-Encoding says: unexpected end of file'),
    refusal('must be gzip, deflate, br or absent, but is zstd'),
    refusal('but is gzip, gzip'),
    refusal('but is constructor'),
  ])
})

test.each([
  ['a version that nobody knows', { 'sec-websocket-version': '99' }, 'Sec-WebSocket-Version'],
  ['no key', { 'sec-websocket-key': '' }, 'Sec-WebSocket-Key'],
])('error: a WebSocket with %s', async (_, odd, why) => {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    ...odd,
  }
  const asked = httpRequest(`${front.url}/rpc/base`, { headers }).end()
  const [reply] = (await once(asked, 'response')) as [IncomingMessage]
  expect([reply.statusCode, await json(reply)]).toEqual([
    400,
    {
      error: 'invalid_params',
      message: `No WebSocket can be opened: Missing or invalid ${why} header`,
    },
  ])
  const socket = await openSocket(front)
  expect(await socket.ask(chainIdRequest)).toMatchObject({ result: '0x2105' })
  socket.close()
})

test('behavior: refused in batches and on WebSockets alike, each by itself, with the ids kept', async () => {
  const call = (id: unknown, method: string, ...params: unknown[]) => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  })
  const batch = [
    call('a', 'anvil_reset'),
    call(2, 'eth_chainId'),
    { jsonrpc: '2.0', method: 'evm_setAutomine', params: [false] },
    { jsonrpc: '2.0', method: 'eth_blockNumber' },
    call(null, 'evm_increaseTime', 5),
    7,
    call(3, 'net_version'),
  ]
  const refusal = (id: unknown, text: string) => ({
    jsonrpc: '2.0',
    id,
    error: { code: -32601, message: expect.stringContaining(text) },
  })
  const expected = [
    refusal('a', 'POST /_sim/reset'),
    { jsonrpc: '2.0', id: 2, result: '0x2105' },
    refusal(null, '/_sim/clock/advance'),
    { jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.any(String) } },
    { jsonrpc: '2.0', id: 3, result: '8453' },
  ]
  expect(await (await post(`${front.url}/rpc/base`, batch)).json()).toEqual(expected)
  const socket = await openSocket(front)
  expect(await socket.ask(batch)).toEqual(expected)
  expect(await socket.ask(call(9, 'hardhat_reset'))).toEqual(refusal(9, 'POST /_sim/reset'))
  expect(await nodes.get('base').rpc.request('anvil_getAutomine')).toBe(true)
  socket.close()
})

test('behavior: what wants no answer gets none', async () => {
  const { rpc } = nodes.get('base')
  const before = Number(await rpc.request('eth_blockNumber'))
  const note = { jsonrpc: '2.0', method: 'evm_mine', params: [] }
  expect((await post(`${front.url}/rpc/base`, note)).status).toBe(204)
  expect((await post(`${front.url}/rpc/base`, [note, note])).status).toBe(204)
  expect(Number(await rpc.request('eth_blockNumber'))).toBe(before + 3)
  expect(await (await post(`${front.url}/rpc/base`, chainIdRequest)).json()).toMatchObject({
    id: 7,
  })
})

test('behavior: an endless loop ends by the gas that a call may have, whatever it asks for', async () => {
  const { rpc } = nodes.get('polygon')
  const loop = `0x${'33'.repeat(20)}`
  await rpc.request('anvil_setCode', [loop, '0x5b600056'])
  // Answers how much gas it was given.
  const meter = `0x${'44'.repeat(20)}`
  await rpc.request('anvil_setCode', [meter, '0x5a60005260206000f3'])
  const ask = async (method: string, ...params: unknown[]) =>
    (await (
      await post(`${front.url}/rpc/polygon`, { jsonrpc: '2.0', id: 1, method, params })
    ).json()) as {
      result?: string
      error?: { message: string }
    }
  for (const gas of [{}, { gas: '0xffffffffffffffff' }, { gas: 10 ** 15 }]) {
    expect((await ask('eth_call', { to: loop, ...gas }, 'latest')).error?.message).toMatch(
      /OutOfGas/,
    )
    const { result } = await ask('eth_call', { to: meter, ...gas }, 'latest')
    expect(Number(result)).toBeGreaterThan(49_000_000)
    expect(Number(result)).toBeLessThan(50_000_000)
  }
  expect(
    Number((await ask('eth_call', { to: meter, gas: '0x186a0' }, 'latest')).result),
  ).toBeLessThan(100_000)
  expect(
    (await ask('eth_estimateGas', { to: loop, gas: '0xffffffffffffffff' })).error,
  ).toBeDefined()
})

test('error: a node that does not answer in time, and after it', async () => {
  const own = await startFront(nodes, { timeoutMs: 300 })
  const goOn = await halt([nodes.get('base').lifecycle.pid])
  const socket = await openSocket(own)
  const late = {
    jsonrpc: '2.0',
    id: 7,
    error: {
      code: -32603,
      message: expect.stringMatching(/^The base node did not answer within 0.3 s/),
    },
  }
  try {
    const [single, batch, onSocket] = await Promise.all([
      post(`${own.url}/rpc/base`, chainIdRequest).then((reply) => reply.json()),
      post(`${own.url}/rpc/base`, [chainIdRequest]).then((reply) => reply.json()),
      socket.ask(chainIdRequest),
    ])
    expect([single, batch, onSocket]).toEqual([late, [late], late])
  } finally {
    goOn()
  }
  expect(await (await post(`${front.url}/rpc/base`, chainIdRequest)).json()).toMatchObject({
    result: '0x2105',
  })
  await own.close()
})

test('behavior: drain answers what WebSockets have sent, then ends them', async () => {
  let enter: () => void = () => {}
  let goOn: () => void = () => {}
  const entered = new Promise<void>((resolve) => {
    enter = resolve
  })
  const gate = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const own = await startFront(nodes, {
    async intercept(_, proceed) {
      enter()
      await gate
      return proceed()
    },
  })
  const socket = new WebSocket(`${own.url.replace('http', 'ws')}/rpc/base`)
  await once(socket, 'open')
  const heard: string[] = []
  socket.on('message', (data) => heard.push(String(data)))
  const closed = once(socket, 'close')
  socket.send(JSON.stringify(chainIdRequest))
  await entered
  const drained = own.proxy.drain()
  goOn()
  await drained
  const [code] = await closed
  expect([code, heard.map((text) => JSON.parse(text))]).toEqual([
    1001,
    [{ jsonrpc: '2.0', id: 7, result: '0x2105' }],
  ])
  await own.close()
})

test('behavior: unsafe lets everything through', async () => {
  const own = await startFront(nodes, { isUnsafe: true })
  const off = { jsonrpc: '2.0', id: 1, method: 'evm_setAutomine', params: [false] }
  expect(await (await post(`${own.url}/rpc/polygon`, off)).json()).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: null,
  })
  expect(await nodes.get('polygon').rpc.request('anvil_getAutomine')).toBe(false)
  await nodes.get('polygon').rpc.request('evm_setAutomine', [true])
  await own.close()
})
