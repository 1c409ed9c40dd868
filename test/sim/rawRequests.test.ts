import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../kit/client.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'

/** What no HTTP client would send: bytes on a socket. The service must answer or hang up, log nothing, and go on. */

const logged: string[] = []
const opened: Socket[] = []
let sim: SimulatorHandle

beforeAll(async () => {
  const log = { debug() {}, error: (message: string) => void logged.push(message) }
  sim = await createSimulator({ log })
})
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy()
  expect(logged).toEqual([])
  // Whatever was sent, the next client is served.
  expect((await createClient(sim).get('/accounts')).body).toEqual({ accounts: [] })
})
afterAll(() => sim.close())

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(sim.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  opened.push(socket)
  await once(socket, 'connect')
  return socket
}

/** Reads until that many answers have begun, or the other side hangs up. */
async function statusesOf(socket: Socket, count = 1): Promise<number[]> {
  let text = ''
  const found = () => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  return new Promise((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (found().length >= count) resolve(found())
    })
    socket.on('close', () => resolve(found()))
  })
}

const auth = () => `host: localhost\r\nauthorization: Bearer ${sim.apiKey}\r\n`
const get = (path: string) => `GET ${path} HTTP/1.1\r\n${auth()}\r\n`

function post(path: string, body: string | Buffer, headers = ''): Buffer {
  const data = Buffer.from(body)
  const head = `POST ${path} HTTP/1.1\r\n${auth()}content-type: application/json\r\n${headers}content-length: ${data.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), data])
}

/** Sends bytes and resolves to the status of the answer; undefined when the connection is closed without one. */
async function exchange(bytes: string | Buffer): Promise<number | undefined> {
  const socket = await open()
  socket.write(bytes)
  const [status] = await statusesOf(socket)
  return status
}

test.each<[string, number]>([
  ['GARBAGE\r\n\r\n', 400],
  ['GET / HTTP/9.9\r\nhost: x\r\n\r\n', 400],
  ['GET /networks HTTP/1.1\r\n\r\n', 400],
  ['GET /networks HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n', 400],
  ['POST /accounts HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx', 400],
  ['POST /accounts HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n', 400],
  [
    'POST /accounts HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\nabc',
    400,
  ],
  [`GET /networks HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(100_000)}\r\n\r\n`, 431],
])('error: %j is refused with %i, in the error body', async (bytes, status) => {
  const socket = await open()
  socket.write(bytes)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  expect(Number(head.split(' ')[1])).toBe(status)
  expect(head.toLowerCase()).toMatch(/^x-svc-sim-request-id: req_[0-9a-z]{12}\r?$/m)
  expect(JSON.parse(body)).toEqual({ error: expect.any(String), message: expect.any(String) })
})

test('behavior: an expectation that nobody knows is ignored', async () => {
  const bytes = `GET /networks HTTP/1.1\r\n${auth()}expect: miracles\r\n\r\n`
  expect(await exchange(bytes)).toBe(200)
})

test.each<[string, number]>([
  ['//networks', 404],
  ['/networks/../accounts', 404],
  ['/networks%2f', 404],
  ['/networks%00', 404],
  ['/networks;a=b', 404],
  ['/accounts/%ff', 400],
  ['*', 404],
  ['http://localhost:1/networks', 200],
  ['http://localhost/_sim/clock', 200],
  ['http://localhost', 200],
  // Its authority takes the place of Host (RFC 9112, 3.2.2).
  ['http://elsewhere.example/networks', 403],
])('error: the target %s is read as it stands (%i)', async (target, status) => {
  expect(await exchange(get(target))).toBe(status)
})

test('behavior: a target in absolute form reaches a network too, and HEAD finds it there', async () => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
  expect(await exchange(post('http://localhost/rpc/base', body))).toBe(200)
  expect(await exchange(`HEAD /rpc/base HTTP/1.1\r\n${auth()}\r\n`)).toBe(200)
})

const upgrade = [
  ...['connection: upgrade', 'upgrade: websocket', 'sec-websocket-version: 13'],
  'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
].join('\r\n')

test.each(['/rpc/base', '/rpc/base/', '/rpc/base/?x=1', 'ws://localhost/rpc/base'])(
  'behavior: a WebSocket opens at %s',
  async (target) => {
    expect(await exchange(`GET ${target} HTTP/1.1\r\n${auth()}${upgrade}\r\n`)).toBe(101)
  },
)

describe('a client that asks before it sends its body', () => {
  const asking = (path: string, length: number) =>
    `POST ${path} HTTP/1.1\r\n${auth()}content-type: application/json\r\nexpect: 100-continue\r\ncontent-length: ${length}\r\n\r\n`

  test.each([
    ['/accounts', 2 ** 20 + 1],
    ['/_sim/faults', 2 ** 20 + 1],
    ['/rpc/base', 16 * 2 ** 20 + 1],
  ])('error: %s, %i bytes: 413 at once, and the connection ends', async (path, length) => {
    const socket = await open()
    socket.write(asking(path, length))
    const [head = ''] = (await text(socket)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 413 /)
    expect(head.toLowerCase()).toContain('connection: close')
  })

  test('behavior: one that is not too large is asked for it', async () => {
    const socket = await open()
    socket.write(asking('/accounts', 2))
    const answers = statusesOf(socket, 2)
    await once(socket, 'data')
    socket.write('{}')
    expect(await answers).toEqual([100, 400])
  })

  test('error: a body that is announced as too large is refused before it comes', async () => {
    const socket = await open()
    socket.write(asking('/accounts', 2 ** 21).replace('expect: 100-continue\r\n', ''))
    expect(await statusesOf(socket)).toEqual([413])
  })
})

test('behavior: of two credentials the first counts, as Node reads them', async () => {
  const second = 'authorization: Bearer qk_wrong0_22222222222222222222\r\n'
  expect(await exchange(`GET /networks HTTP/1.1\r\n${auth()}${second}\r\n`)).toBe(200)
  expect(await exchange(`GET /networks HTTP/1.1\r\n${second}${auth()}\r\n`)).toBe(401)
})

test('error: bytes that are no UTF-8, inside and outside of strings', async () => {
  const bad = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])
  expect(await exchange(post('/accounts', bad))).toBe(400)
  expect(await exchange(post('/accounts', Buffer.from([0xc3, 0x28, 0x00])))).toBe(400)
})

test('behavior: a body that comes in pieces is waited for, while others are served', async () => {
  const bytes = post('/accounts', '{"signer_type":"nobody"}')
  const socket = await open()
  socket.write(bytes.subarray(0, bytes.length - 5))
  expect((await createClient(sim).get('/networks')).status).toBe(200)
  socket.write(bytes.subarray(bytes.length - 5))
  expect(await statusesOf(socket)).toEqual([400])
})

test('behavior: an upload that is broken off changes nothing', async () => {
  const body = JSON.stringify({ signer_type: 'eoa', signer_address: `0x${'11'.repeat(20)}` })
  for (const cut of [1, body.length - 1]) {
    const socket = await open()
    socket.write(post('/accounts', body).subarray(0, -cut))
    socket.end()
    // Half a request and then the end of it: Node hangs up.
    await statusesOf(socket)
  }
  const socket = await open()
  socket.write(post('/accounts', body).subarray(0, -1))
  socket.resetAndDestroy()
})

test('error: a body that never ends is cut at 1 MiB', async () => {
  const socket = await open()
  socket.write(
    `POST /accounts HTTP/1.1\r\n${auth()}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
  )
  const answer = statusesOf(socket)
  const chunk = `10000\r\n${'1'.repeat(0x10000)}\r\n`
  const more = () => {
    if (!socket.destroyed) socket.write(chunk, (error) => void (error ?? setImmediate(more)))
  }
  more()
  expect(await answer).toEqual([413])
})

test('behavior: requests in one packet are answered in their order', async () => {
  const socket = await open()
  socket.write(
    Buffer.concat([
      Buffer.from(get('/networks')),
      post('/accounts', '{'),
      Buffer.from(get('/nope')),
      Buffer.from(get('/prime_account')),
    ]),
  )
  expect(await statusesOf(socket, 4)).toEqual([200, 400, 404, 200])
})

test('behavior: a client that asks first is told to continue', async () => {
  const socket = await open()
  const bytes = post('/accounts', '{"signer_type":"nobody"}', 'expect: 100-continue\r\n')
  const head = bytes.indexOf('\r\n\r\n') + 4
  socket.write(bytes.subarray(0, head))
  expect(await statusesOf(socket)).toEqual([100])
  socket.write(bytes.subarray(head))
  expect(await statusesOf(socket)).toEqual([400])
})

test('behavior: a body on GET is not looked at', async () => {
  const body = '{{{{'
  const bytes = `GET /networks HTTP/1.1\r\n${auth()}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}${get('/networks')}`
  const socket = await open()
  socket.write(bytes)
  expect(await statusesOf(socket, 2)).toEqual([200, 200])
})
