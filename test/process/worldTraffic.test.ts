import { once } from 'node:events'
import { get, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import {
  createSimulator,
  leaseWorld,
  type SimulatorHandle,
  type WorldHandle,
} from '../../src/index.js'
import { createClient } from '../kit/client.js'
import { openUser } from '../kit/user.js'

// What goes through the front to a world: all of it, unchanged, and nothing else. Needs `npm run build:ts` before.

const token = 'secret-token'
let sim: SimulatorHandle
let world: WorldHandle
/** Reached from other machines, too. */
let open: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator()
  world = await leaseWorld({ url: sim.url })
  open = await createSimulator({ host: '0.0.0.0', controlToken: token })
})
afterAll(async () => {
  await Promise.all([sim.close(), open.close()])
})

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const local = (url: string) => url.replace('0.0.0.0', '127.0.0.1')
const chainId = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })

async function stream(path: string): Promise<IncomingMessage> {
  const [response] = await once(
    get(`${world.url}${path}`, { headers: bearer(world.apiKey) }),
    'response',
  )
  return response as IncomingMessage
}

/** Sends bytes as they are; resolves to all that came back until the connection ended. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(sim.url).port), '127.0.0.1')
  socket.write(bytes)
  return text(socket)
}

/** A WebSocket of a chain; the status when it is refused. */
function openSocket(
  url: string,
  headers = {},
  protocols: string[] = [],
): Promise<WebSocket | number> {
  const socket = new WebSocket(local(url).replace('http', 'ws'), protocols, { headers })
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket))
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode!))
    socket.once('error', reject)
  })
}

async function told(socket: WebSocket | number, sent: string): Promise<string> {
  if (typeof socket === 'number') throw new Error(`refused: ${socket}`)
  socket.send(sent)
  return String((await once(socket, 'message'))[0])
}

test('default: service, control and JSON-RPC, by key and by path', async () => {
  const client = createClient({ url: world.url, apiKey: world.apiKey })
  const user = await openUser(world)
  expect((await client.get(`/accounts/${user.id}`)).status).toBe(200)
  expect((await client.get('/_sim/journal')).body.exchanges.length).toBeGreaterThan(1)
  for (const url of [world.rpc('base'), `${sim.url}/rpc/base`]) {
    const mine = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] })
    expect(
      (await fetch(url, { method: 'POST', body: mine, headers: bearer(world.apiKey) })).status,
    ).toBe(200)
  }
  const journal = (await (await fetch(`${sim.controlUrl}/journal`)).json()) as {
    exchanges: unknown[]
  }
  expect(journal.exchanges).toEqual([])
  const heights = await Promise.all(
    [sim.rpc('base'), world.rpc('base')].map(async (url) => {
      const body = chainId.replace('eth_chainId', 'eth_blockNumber')
      return ((await (await fetch(url, { method: 'POST', body })).json()) as { result: string })
        .result
    }),
  )
  expect(Number(heights[1]) - Number(heights[0])).toBe(2)
})

test('behavior: a long poll waits and is woken; who goes away ends it in the world too', async () => {
  const user = await openUser(world)
  const poll = user.api.get(`${user.path}/events?poll=true`)
  const gone = new AbortController()
  const left = user.api
    .get(`${user.path}/events?poll=true`, { signal: gone.signal })
    .catch(() => 'gone')
  await user.fund('base', 'USDC', 5_000_000n)
  await world.faults.set([
    { id: 'held', on: 'request', effect: 'hang', match: { path: '*/folio' } },
  ])
  const held = user.api.get(`${user.path}/folio`, { signal: gone.signal }).catch(() => 'gone')
  await vi.waitFor(async () => expect((await world.faults.list())[0]!.hits).toBe(1), 10_000)
  gone.abort()
  expect(await Promise.all([left, held])).toEqual(['gone', 'gone'])
  const cut = async () => {
    const { exchanges } = (await user.api.get('/_sim/journal?limit=200')).body
    return exchanges.filter(
      (one: { url: string; answer?: { cut: boolean } }) =>
        one.url.endsWith('/folio') && one.answer?.cut,
    )
  }
  await vi.waitFor(async () => expect(await cut()).toHaveLength(1), 10_000)
  await world.faults.clear()
  await user.run('earn', {
    asset: 'USDC',
    amount: '5000000',
    network: 'base',
    protocol: 'compound',
  })
  expect((await poll).body.events.length).toBeGreaterThan(0)
})

test('behavior: a stream is told piece by piece, and ends when its client leaves or its world is given back', async () => {
  const mine = await leaseWorld({ url: sim.url })
  const user = await openUser(mine)
  const response = (
    await once(
      get(`${mine.url}${user.path}/folio/stream`, { headers: bearer(mine.apiKey) }),
      'response',
    )
  )[0] as IncomingMessage
  response.setEncoding('utf8')
  expect(response.headers['content-type']).toBe('text/event-stream')
  expect(String((await once(response, 'data'))[0])).toContain('event: snapshot')
  await user.fund('base', 'USDC', 5_000_000n)
  const update = once(response, 'data')
  await user.run('transfer', {
    asset: 'USDC',
    amount: '5',
    network: 'base',
    recipient: `0x${'55'.repeat(20)}`,
  })
  expect(String((await update)[0])).toContain('event: update')
  const ended = once(response, 'close')
  response.resume()
  await mine.close()
  await ended
  const other = await stream(`${(await openUser(world)).path}/folio/stream`)
  other.destroy()
})

test('behavior: a WebSocket of a world, with subscriptions, and what is refused on the way', async () => {
  const socket = await openSocket(world.rpc('base'))
  expect(await told(socket, chainId)).toContain('0x2105')
  await told(socket, chainId.replace('eth_chainId', 'eth_subscribe').replace('[]', '["newHeads"]'))
  const head = once(socket as WebSocket, 'message')
  await fetch(world.rpc('base'), {
    method: 'POST',
    body: chainId.replace('eth_chainId', 'evm_mine'),
  })
  expect(String((await head)[0])).toContain('eth_subscription')
  ;(socket as WebSocket).close()
  const byKey = await openSocket(sim.rpc('optimism'), bearer(world.apiKey))
  expect(await told(byKey, chainId)).toContain('0xa')
  ;(byKey as WebSocket).close()
  expect(await openSocket(world.rpc('base'), { origin: 'https://evil.example' })).toBe(403)
  expect(await openSocket(`${world.rpc('base')}x`)).toBe(404)
  expect(await openSocket(world.rpc('base').replace(world.id, 'wld_000000000000'))).toBe(404)
})

test('behavior: what a world cuts is cut for the client, and what is too large is refused', async () => {
  const user = await openUser(world)
  for (const effect of ['reset_before', 'reset_after', 'truncate'] as const) {
    await world.faults.set([{ on: 'request', effect, times: 1, match: { path: '*/folio' } }])
    await expect(user.api.get(`${user.path}/folio`), effect).rejects.toThrow(
      /fetch failed|terminated/,
    )
  }
  await world.faults.clear()
  const large = await fetch(`${world.url}/accounts`, {
    method: 'POST',
    headers: { ...bearer(world.apiKey), 'content-type': 'application/json' },
    body: JSON.stringify({ x: 'x'.repeat(2_000_000) }),
  })
  expect(large.status).toBe(413)
  // What was left of that body is in nobody's way.
  for (let i = 0; i < 3; i++)
    expect((await fetch(`${world.url}/networks`, { headers: bearer(world.apiKey) })).status).toBe(
      200,
    )
  // A body in pieces, of which the end comes late.
  const slow = request(`${world.url}/accounts`, {
    method: 'POST',
    headers: { ...bearer(world.apiKey), 'content-type': 'application/json' },
  })
  slow.write('{"signer_type":"eoa",')
  await user.api.get('/networks')
  slow.end(`"signer_address":"0x${'77'.repeat(20)}"}`)
  expect(((await once(slow, 'response'))[0] as IncomingMessage).statusCode).toBe(201)
})

test('error: no path of a world leads out of it', async () => {
  const { pathname } = new URL(world.controlUrl)
  const paths = [
    `${pathname}/../../_sim/clock`,
    `${pathname}/../clock`,
    `${pathname}/..%2fclock`,
    `${pathname}//clock`,
    `/_sim/worlds/${world.id}%2fclock`,
    `/_sim/worlds/x/../${world.id}/clock`,
    `/worlds/${world.id}/rpc/../../_sim/clock`,
    `/worlds/${world.id}/_sim/clock`,
    `/worlds/${world.id}/accounts`,
    `http://127.0.0.1${pathname}/../clock`,
  ]
  for (const path of paths)
    for (const method of ['GET', 'POST']) {
      const answer = await raw(
        `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      )
      expect(answer, path).toMatch(/^HTTP\/1\.1 40[045] /)
    }
  const foreign = await raw(
    `GET ${pathname}/clock HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
  )
  expect(foreign).toMatch(/^HTTP\/1\.1 403 /)
  // A target in absolute form names the host itself.
  for (const [host, status] of [
    ['127.0.0.1', 200],
    ['evil.example', 403],
  ])
    expect(
      await raw(
        `GET http://${host}${pathname}/clock HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`,
      ),
    ).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  const page = await fetch(`${world.controlUrl}/clock`, {
    headers: { origin: 'https://evil.example' },
  })
  expect(page.status).toBe(403)
  const app = await fetch(`${world.url}/accounts`, {
    headers: { origin: 'http://localhost:5173', ...bearer(world.apiKey) },
  })
  expect(app.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
})

test('error: beyond loopback a world asks for the control token or for its own key', async () => {
  const url = local(open.url)
  expect((await fetch(`${url}/_sim/worlds`, { method: 'POST' })).status).toBe(401)
  const [one, other] = await Promise.all([1, 2].map(() => leaseWorld({ url, controlToken: token })))
  const status = async (place: string, headers = {}) =>
    (await fetch(local(place), { headers })).status
  const clock = `${one!.controlUrl}/clock`
  expect(await status(clock)).toBe(401)
  expect(await status(clock, bearer(other!.apiKey))).toBe(401)
  expect(await status(clock, bearer(open.apiKey))).toBe(401)
  expect(await status(clock, bearer(one!.apiKey))).toBe(200)
  expect(await status(clock, bearer(token))).toBe(200)
  expect(await status(`${url}/_sim/clock`, bearer(one!.apiKey))).toBe(200)
  // Its key opens its world, and not the leases.
  expect(await status(`${url}/_sim/worlds`, bearer(one!.apiKey))).toBe(401)
  for (const [key, expected] of [
    [other!.apiKey, 401],
    ['wrong', 401],
  ] as const)
    expect(await openSocket(one!.rpc('base'), bearer(key))).toBe(expected)
  for (const socket of [
    await openSocket(one!.rpc('base'), bearer(one!.apiKey)),
    await openSocket(`${one!.rpc('base')}?token=${token}`),
    await openSocket(one!.rpc('base'), {}, [one!.apiKey]),
  ]) {
    expect(await told(socket, chainId)).toContain('0x2105')
    ;(socket as WebSocket).close()
  }
  await one!.close()
  expect(await status(clock, bearer(token))).toBe(404)
})
