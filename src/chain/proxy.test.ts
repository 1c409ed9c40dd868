import { createServer, request as httpRequest, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { createPublicClient, http, webSocket } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Nodes } from './node.js'
import { startNodes } from './nodes.js'
import { networkOfRpcPath, type RpcProxy, rpcProxy } from './proxy.js'

let nodes: Nodes
let front: Front

/** A server that routes `/rpc/<network>` through the proxy, as the simulator's does. */
interface Front {
  url: string
  proxy: RpcProxy
  close(): Promise<void>
}

async function startFront(behind: Pick<Nodes, 'get'>): Promise<Front> {
  const proxy = rpcProxy(behind)
  const server: Server = createServer((request, response) => {
    proxy.handle(networkOfRpcPath(request.url)!, request, response)
  })
  server.on('upgrade', (request, socket, head) => {
    proxy.handleUpgrade(networkOfRpcPath(request.url)!, request, socket, head)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    proxy,
    async close() {
      proxy.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A node address where nobody listens: the port was free a moment ago and is closed again. */
async function deadNodes(): Promise<Pick<Nodes, 'get'>> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const node = { ...nodes.get('base'), url: `http://127.0.0.1:${port}` }
  return { get: () => node }
}

async function bodyOf(reply: Response): Promise<Record<string, unknown>> {
  return (await reply.json()) as Record<string, unknown>
}

function post(url: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin: 'http://127.0.0.1:1' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
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

test('behavior: no CORS permission is given, not to preflights either', async () => {
  const answered = await post(`${front.url}/rpc/base`, chainIdRequest)
  expect(answered.headers.get('access-control-allow-origin')).toBeNull()
  const preflight = await fetch(`${front.url}/rpc/base`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  })
  expect(preflight.status).toBe(405)
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
  const direct = await post(nodes.get('base').url, chainIdRequest)
  expect(direct.headers.get('access-control-allow-origin')).toBeNull()
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
  expect(networkOfRpcPath('/rpc/base?x=1')).toBe('base')
  const others = ['/rpc/goerli', '/rpc/base/x', '/rpc/', '/rpc', '/x/rpc/base', undefined]
  expect(others.map(networkOfRpcPath)).toEqual(others.map(() => undefined))
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
  const own = await startFront(await deadNodes())
  const reply = await post(`${own.url}/rpc/base`, chainIdRequest)
  expect({ status: reply.status, ...(await bodyOf(reply)) }).toEqual({
    status: 502,
    error: 'internal_error',
    message: expect.stringMatching(/^The network's node does not answer: connect ECONNREFUSED/),
  })
  await own.close()
})

test('error: the node is down when a WebSocket is asked for', async () => {
  const own = await startFront(await deadNodes())
  const { port, hostname } = new URL(own.url)
  const text = await new Promise<string>((resolve, reject) => {
    let seen = ''
    const socket = connect(Number(port), hostname)
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      seen += chunk
    })
    socket.on('end', () => resolve(seen))
    socket.on('error', reject)
    socket.write(
      'GET /rpc/base HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n' +
        'sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    )
  })
  expect(text).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/)
  expect(JSON.parse(text.split('\r\n\r\n')[1]!).error).toBe('internal_error')
  await own.close()
})
