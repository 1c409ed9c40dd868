import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePorts } from '../kit/ports.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'

/** Which web pages may read what, and under which names the server answers. */

const app = 'https://app.example'
let sim: SimulatorHandle
let choosy: SimulatorHandle
let rpcPortBase: number

beforeAll(async () => {
  rpcPortBase = (await freePorts(8)) + 3
  ;[sim, choosy] = await Promise.all([
    createSimulator({ allowedHosts: ['sim.lan', 'proxy.lan:8080'] }),
    createSimulator({ corsOrigins: [app, 'http://two.example:5173'], rpcPortBase }),
  ])
})
afterAll(() => Promise.all([sim.close(), choosy.close()]))

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: { error?: string; message?: string; result?: unknown; accounts?: unknown[] }
}

/** A request with any `Host`, which `fetch` would not send. */
function send(
  url: string,
  headers: Record<string, string> = {},
  { method = 'GET', body = '' }: { method?: string; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          body: text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : {},
        }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const auth = (of: SimulatorHandle) => ({ authorization: `Bearer ${of.apiKey}` })
const chainId = {
  method: 'POST',
  body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
}

function preflight(
  url: string,
  origin: string,
  more: Record<string, string> = {},
): Promise<Answer> {
  const asked = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,x-svc-sim-fault',
  }
  return send(url, { origin, ...asked, ...more }, { method: 'OPTIONS' })
}

test('default: an app of this machine asks first, then reads the answer with our headers', async () => {
  const origin = 'http://localhost:5173'
  const asked = await preflight(`${sim.url}/accounts`, origin, {
    'access-control-request-private-network': 'true',
  })
  expect(asked).toMatchObject({
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': 'authorization,content-type,x-svc-sim-fault',
      'access-control-allow-private-network': 'true',
      vary: 'Origin',
    },
  })
  const answered = await send(`${sim.url}/accounts`, { origin, ...auth(sim) })
  expect(answered).toMatchObject({
    status: 200,
    body: { accounts: [] },
    headers: {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': expect.stringContaining('x-svc-sim-hint'),
      vary: 'Origin',
    },
  })
  const rpc = await send(sim.rpc('base'), { origin }, chainId)
  expect(rpc).toMatchObject({
    body: { result: '0x2105' },
    headers: { 'access-control-allow-origin': origin },
  })
})

test('behavior: errors can be read too: no key, no route', async () => {
  const origin = 'http://127.0.0.1:3000'
  for (const path of ['/accounts', '/nope']) {
    const reply = await send(`${sim.url}${path}`, { origin, authorization: 'Bearer wrong' })
    expect(reply.headers['access-control-allow-origin'], path).toBe(origin)
    expect(reply.status).toBeGreaterThanOrEqual(401)
  }
})

test('behavior: two apps, each under its own name; then no other, of this machine neither', async () => {
  for (const origin of [app, 'http://two.example:5173', app]) {
    expect((await preflight(`${choosy.url}/accounts`, origin)).status).toBe(204)
    const { headers } = await send(`${choosy.url}/accounts`, { origin, ...auth(choosy) })
    expect(headers['access-control-allow-origin']).toBe(origin)
    expect((await send(choosy.rpc('base'), { origin }, chainId)).body.result).toBe('0x2105')
  }
  for (const origin of [
    'http://localhost:5173',
    'https://evil.example',
    'http://two.example',
    'null',
  ]) {
    const asked = await preflight(`${choosy.url}/accounts`, origin)
    expect(asked).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    expect(asked.headers['x-svc-sim-hint']).toContain('--cors-origin')
    const { status, headers } = await send(`${choosy.url}/accounts`, { origin, ...auth(choosy) })
    expect([status, headers['access-control-allow-origin']]).toEqual([200, undefined])
    // A plain POST needs no permission to be sent, so here the origin is refused.
    expect((await send(choosy.rpc('base'), { origin }, chainId)).status).toBe(403)
  }
})

test('behavior: the control API serves no page but its own', async () => {
  for (const origin of ['http://localhost:5173', app]) {
    const asked = await preflight(`${sim.url}/_sim/reset`, origin)
    expect(asked.status).toBe(403)
    expect(asked.headers['access-control-allow-origin']).toBeUndefined()
    expect((await send(`${sim.url}/_sim/reset`, { origin }, { method: 'POST' })).status).toBe(403)
  }
  const own = await send(`${sim.url}/_sim/clock`, { origin: sim.url })
  expect(own.status).toBe(200)
  expect(own.headers['access-control-allow-origin']).toBeUndefined()
})

test('behavior: none switches apps off, and programs go on', async () => {
  await using closed = await createSimulator({ corsOrigins: ['none'] })
  const origin = 'http://localhost:5173'
  expect((await preflight(`${closed.url}/accounts`, origin)).status).toBe(403)
  expect((await send(closed.rpc('base'), { origin }, chainId)).status).toBe(403)
  expect((await send(closed.rpc('base'), {}, chainId)).body.result).toBe('0x2105')
  expect((await send(`${closed.url}/accounts`, auth(closed))).status).toBe(200)
})

test.each(['/accounts', '/health/live', '/openapi.json', '/_sim/clock', '/rpc/base'])(
  'error: %s under a foreign name is refused, and says how to add it',
  async (path) => {
    const body = path.startsWith('/rpc') ? chainId : {}
    const under = (host: string) => send(`${sim.url}${path}`, { host, ...auth(sim) }, body)
    for (const host of [
      'evil.example',
      'evil.example:4477',
      'sim.lan.evil.example',
      'proxy.lan',
      'proxy.lan:81',
    ]) {
      const reply = await under(host)
      expect(reply, host).toMatchObject({ status: 403, body: { error: 'forbidden' } })
      expect(reply.body.message).toContain(host)
      expect(reply.headers['x-svc-sim-hint']).toContain('--allowed-host')
    }
    for (const host of [
      'sim.lan',
      'sim.lan:9',
      'proxy.lan:8080',
      'localhost:1',
      '127.1.2.3',
      '[::1]:5',
    ])
      expect((await under(host)).status, host).toBe(200)
  },
)

test('behavior: each port of rpcPortBase is one network, with the same checks', async () => {
  const at = (index: number, headers = {}, body = chainId) =>
    send(`http://127.0.0.1:${rpcPortBase + index}/`, headers, body)
  const ids = await Promise.all([0, 1, 2, 3, 4].map((index) => at(index)))
  expect(ids.map(({ body }) => Number(body.result)).sort()).toEqual(
    [1, 10, 137, 8453, 42161].sort(),
  )
  expect((await at(1, { host: 'evil.example' })).status).toBe(403)
  expect((await at(1, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await at(1, { origin: app })).headers['access-control-allow-origin']).toBe(app)
  const reset = { ...chainId, body: '{"jsonrpc":"2.0","id":1,"method":"anvil_reset","params":[]}' }
  expect((await at(1, {}, reset)).body.error).toMatchObject({ code: -32601 })
  await expect(createSimulator({ rpcPortBase: rpcPortBase - 3 })).rejects.toThrow(
    `port ${rpcPortBase} on 127.0.0.1 is in use; stop what listens there, or choose another with --rpc-port-base`,
  )
})

test('error: names and origins that are none', async () => {
  await expect(createSimulator({ allowedHosts: ['http://sim.lan'] })).rejects.toThrow(
    'The option allowedHosts of createSimulator must be a host name',
  )
  await expect(createSimulator({ corsOrigins: ['app.example'] })).rejects.toThrow(
    'The option corsOrigins of createSimulator must be an origin',
  )
})
