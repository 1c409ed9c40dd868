import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { networkNames } from '../../src/deployments/networks.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { defaultApiKey } from '../../src/simulator/options/simulatorOptions.js'
import { killRuns, startReady } from '../kit/cli.js'
import { freePorts, listeningOn, treeOf } from '../kit/ports.js'

/** Whom the simulator lets write to its chains: where other machines reach it, and where a web page does. */

const token = 'secret+token/1='
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ host: '0.0.0.0', controlToken: token })
})
afterAll(async () => {
  await sim.close()
  killRuns()
})

const local = (url: string) => url.replace('0.0.0.0', '127.0.0.1')
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const mine = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] })

async function post(url: string, headers: Record<string, string>) {
  const response = await fetch(local(url), { method: 'POST', headers, body: mine })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** Opens a WebSocket; resolves to the status when it is refused. */
async function open(query: string, protocols: string[], headers = {}): Promise<WebSocket | number> {
  const url = local(sim.rpc('base')).replace('http', 'ws') + query
  const socket = new WebSocket(url, protocols, { headers })
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket))
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode!))
    socket.once('error', reject)
  })
}

async function ask(socket: WebSocket, method: string): Promise<unknown> {
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }))
  const [data] = await once(socket, 'message')
  return (JSON.parse(String(data)) as { result: unknown }).result
}

test('default: without a key one is drawn, and the default one opens nothing', async () => {
  expect(sim.apiKey).toMatch(/^qk_[0-9a-f]{6}_[0-9a-f]{20}$/)
  expect(sim.apiKeys).toEqual([sim.apiKey])
  const with_ = (key: string) => fetch(local(`${sim.url}/accounts`), { headers: bearer(key) })
  expect((await with_(sim.apiKey)).status).toBe(200)
  expect((await with_(defaultApiKey)).status).toBe(401)
  await using other = await createSimulator({ host: '0.0.0.0', controlToken: token })
  expect(other.apiKey).not.toBe(sim.apiKey)
})

test('error: the default key by name', async () => {
  const apiKeys = ['mine', defaultApiKey]
  await expect(createSimulator({ host: '0.0.0.0', controlToken: token, apiKeys })).rejects.toThrow(
    'is known to everybody',
  )
})

test('behavior: JSON-RPC asks for the control token', async () => {
  const url = sim.rpc('base')
  expect(await post(url, {})).toMatchObject({ status: 401, body: { error: 'missing_auth_header' } })
  for (const key of ['wrong', sim.apiKey, ''])
    expect((await post(url, bearer(key))).status, key).toBe(401)
  expect(await post(`${url}?token=${encodeURIComponent(token)}`, {})).toMatchObject({ status: 401 })
  expect(await post(url, bearer(token))).toMatchObject({ status: 200, body: { result: '0x0' } })
})

test('behavior: a WebSocket brings it in any of three ways, and outlives a reset', async () => {
  const encoded = encodeURIComponent(token)
  const sockets = await Promise.all([open(`?token=${encoded}`, []), open('', [], bearer(token))])
  for (const socket of sockets) {
    if (typeof socket === 'number') throw new Error(`refused: ${socket}`)
    expect(await ask(socket, 'eth_chainId')).toBe('0x2105')
    await sim.reset()
    expect(await ask(socket, 'eth_chainId')).toBe('0x2105')
    socket.close()
  }
  expect(await open('', [])).toBe(401)
  expect(await open('?token=wrong', ['wrong'], bearer('wrong'))).toBe(401)
})

test('error: a WebSocket hears whether it brought no token or a wrong one', async () => {
  const { host, pathname } = new URL(local(sim.rpc('base')))
  const offer = async (query: string, protocol?: string) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
      ...(protocol ? { 'sec-websocket-protocol': protocol } : {}),
    }
    const asked = get(`http://${host}${pathname}${query}`, { headers })
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    return { status: answer.statusCode, ...((await json(answer)) as object) }
  }
  const wrong = { status: 401, error: 'invalid_api_key', message: 'Invalid control token' }
  expect(await offer('?token=wrong')).toEqual(wrong)
  expect(await offer('', 'json-rpc, wrong')).toEqual(wrong)
  expect(await offer('')).toMatchObject({ status: 401, error: 'missing_auth_header' })
  expect(await offer('?token=')).toMatchObject({ status: 401, error: 'missing_auth_header' })
})

test('error: which worlds there are is told to nobody without a token', async () => {
  for (const path of ['/worlds/x/rpc/base', '/_sim/worlds/x/clock']) {
    const url = `${sim.url}${path}`
    for (const headers of [{}, bearer('wrong'), bearer(sim.apiKey)])
      expect(await post(url, headers)).toMatchObject({ status: 401 })
    expect(await post(url, bearer(token))).toMatchObject({
      status: 404,
      body: { message: 'There is no world x' },
    })
  }
})

test('behavior: as a subprotocol, which is chosen unless another is offered before it', async () => {
  await using other = await createSimulator({ host: '0.0.0.0', controlToken: 'plain-token' })
  const url = local(other.rpc('base')).replace('http', 'ws')
  for (const protocols of [['plain-token'], ['json-rpc', 'plain-token']]) {
    const socket = new WebSocket(url, protocols)
    await once(socket, 'open')
    expect(socket.protocol).toBe(protocols[0])
    expect(await ask(socket, 'eth_chainId')).toBe('0x2105')
    socket.close()
  }
})

test.runIf(process.platform === 'linux')(
  'error: no port of the whole process tree lets a page from elsewhere drive a chain',
  async () => {
    const rpcPortBase = await freePorts(5)
    const { run, ready } = await startReady('--rpc-port-base', String(rpcPortBase))
    const heights = () =>
      Promise.all(
        networkNames.map(async (network) => {
          const body = mine.replace('evm_mine', 'eth_blockNumber')
          const response = await fetch(ready.rpc[network]!, { method: 'POST', body })
          return ((await response.json()) as { result: string }).result
        }),
      )
    const before = await heights()
    const ports = listeningOn(treeOf(run.pid))
    // The API, five ports of JSON-RPC, five nodes, the exchange's quotes.
    expect(ports.length).toBeGreaterThanOrEqual(11)
    const foreign = [
      { host: '127.0.0.1', origin: 'https://evil.example' },
      { host: 'evil.example', origin: 'http://evil.example' },
      { host: 'evil.example', origin: undefined },
      { host: '127.0.0.1', origin: 'null' },
    ]
    const attempts = ports.flatMap(({ host, port }) =>
      [...new Set([host, '127.0.0.1'])].flatMap((address) =>
        ['/', '/rpc/base', '/rpc/mainnet'].flatMap((path) =>
          foreign.flatMap((caller) => [
            attempt(port, address, httpRequest(path, caller)),
            attempt(port, address, socketRequest(path, caller)),
          ]),
        ),
      ),
    )
    await Promise.all(attempts)
    expect(await heights()).toEqual(before)

    // The same bytes from a page of this machine do drive it: the attempts above were real ones.
    const own = { host: '127.0.0.1', origin: 'http://localhost:3000' }
    const { port } = new URL(ready.url)
    await attempt(Number(port), '127.0.0.1', httpRequest('/rpc/base', own))
    await attempt(Number(port), '127.0.0.1', socketRequest('/rpc/base', own))
    await attempt(rpcPortBase, '127.0.0.1', socketRequest('/', own))
    const expected = networkNames.map(
      (name, index) => (name === 'base' ? 2 : 0) + (index === 0 ? 1 : 0),
    )
    await vi.waitFor(async () => {
      const moved = (await heights()).map((height, index) => Number(height) - Number(before[index]))
      expect(moved).toEqual(expected)
    }, 10_000)
    run.kill('SIGTERM')
    await run.ended
  },
)

interface Caller {
  host: string
  origin: string | undefined
}

/** What a page can send without asking first. */
function httpRequest(path: string, { host, origin }: Caller): Buffer {
  const from = origin === undefined ? '' : `origin: ${origin}\r\n`
  const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\n${from}content-type: text/plain\r\nconnection: close\r\ncontent-length: ${mine.length}\r\n\r\n`
  return Buffer.from(head + mine)
}

/** The opening of a WebSocket with one message behind it. */
function socketRequest(path: string, { host, origin }: Caller): Buffer {
  const from = origin === undefined ? '' : `origin: ${origin}\r\n`
  const head = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n${from}connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`
  // A final text frame, masked with zeros.
  const text = Buffer.from(mine)
  const frame = Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text])
  return Buffer.concat([Buffer.from(head), frame])
}

/** Sends the bytes and resolves when they were refused or answered, or when nobody is there. */
function attempt(port: number, host: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, host)
    let answer = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      // Who is let in is heard to the end: a node forgets what it was asked when the connection goes.
      const isLetIn = /^HTTP\/1\.1 (101|200) /.test(answer)
      if (!isLetIn || answer.includes('"jsonrpc"')) socket.destroy()
    })
    socket.on('end', () => socket.end())
    socket.on('close', () => resolve())
    socket.write(bytes)
  })
}
