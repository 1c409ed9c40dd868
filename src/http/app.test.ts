import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { malformedJson } from '../../test/kit/arbitraries.js'
import { example } from '../../test/kit/examples.js'
import { createAccount, type HttpWorld, keys, startHttpWorld } from '../../test/kit/httpWorld.js'
import { NodeOverError } from '../chain/rpc/nodeLifecycle.js'
import { routesOf } from './allRoutes.js'

let world: HttpWorld
beforeAll(async () => {
  world = await startHttpWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const body = { signer_type: 'eoa', signer_address: example.signer }
const json = { 'content-type': 'application/json' }

test('default', async () => {
  const { status, body } = await world.client.get('/networks')
  expect(status).toBe(200)
  expect(body.networks).toHaveLength(5)
})

test('behavior: every answer has a request id of its own and nothing that names the framework', async () => {
  const first = await world.client.get('/networks')
  const second = await world.client.get('/nope')
  expect(first.headers.get('x-svc-sim-request-id')).toMatch(/^req_[0-9a-z]{12}$/)
  expect(second.headers.get('x-svc-sim-request-id')).not.toBe(
    first.headers.get('x-svc-sim-request-id'),
  )
  expect(first.headers.has('x-powered-by')).toBe(false)
  expect(first.headers.has('etag')).toBe(false)
})

test('behavior: Date has the time of the clock, and a header of its own the machine’s', async () => {
  for (const path of ['/networks', '/nope', '/_sim/clock']) {
    const { headers } = await world.client.get(path)
    expect(headers.get('date')).toBe('Mon, 05 Jan 2026 09:00:00 GMT')
    const real = Date.parse(headers.get('x-svc-sim-real-date')!)
    expect(Math.abs(real - Date.now())).toBeLessThan(60_000)
  }
})

test('behavior: HEAD answers like GET, without a body', async () => {
  const { status, body } = await world.client.send('HEAD', '/networks')
  expect({ status, body }).toEqual({ status: 200, body: '' })
})

test('behavior: a trailing slash changes nothing, casing does', async () => {
  expect((await world.client.get('/networks/')).status).toBe(200)
  expect((await world.client.get('/Networks')).status).toBe(404)
})

test('behavior: an ignored query parameter or field is named in the hint', async () => {
  const { client } = world
  const created = await client.post('/accounts', {
    ...body,
    signer_address: `0x${'9'.repeat(40)}`,
    key_storage: 'file',
  })
  expect(created.status).toBe(201)
  expect(created.headers.get('x-svc-sim-hint')).toContain(
    'Ignored in the body, because not known: key_storage.',
  )
  const account = `/accounts/${created.body.account_id}`
  const paths = ['/networks', account, `${account}/activities`, `${account}/events`, '/_sim/clock']
  for (const path of [...paths, '/health/ready', '/accounts']) {
    const known = await client.get(path)
    expect(known.headers.get('x-svc-sim-hint') ?? '', path).not.toContain('Ignored')
    const { status, headers } = await client.get(`${path}?x=1&y=`)
    expect(status, path).toBe(200)
    expect(headers.get('x-svc-sim-hint'), path).toContain(
      'Ignored in the query, because not known: x, y.',
    )
  }
  // Nor do routes keep silent that take no body.
  const cleared = await client.send('DELETE', '/_sim/faults', '{"id":"slow"}', {
    headers: { 'content-type': 'application/json' },
  })
  expect(cleared.headers.get('x-svc-sim-hint')).toBe('Ignored in the body, because not known: id.')
})

describe('error: not_found', () => {
  test.each(['/nope', '/accounts/', '/_sim/nope', '/accounts/x/y/z', '/rpc/nope', '/rpc'])(
    '%s',
    async (path) => {
      const { status, body } = await world.client.get(path, { apiKey: null })
      expect({ status, error: body.error }).toEqual(
        path === '/accounts/'
          ? { status: 401, error: 'missing_auth_header' }
          : { status: 404, error: 'not_found' },
      )
    },
  )

  test('a mistyped plan path gets the list of plan paths', async () => {
    const { headers } = await world.client.post('/accounts/acc_1/plan/claim_rewards', {})
    expect(headers.get('x-svc-sim-hint')).toBe('Plan endpoints are: earn, claim-rewards, execute.')
  })
})

describe('error: method_not_allowed, before anything is asked about the caller', () => {
  const paths = [...new Set(routesOf([]).service.map((route) => route.path))]
  test.each(paths)('%s', async (path) => {
    const url = path.replace(/:\w+/g, 'x')
    const { status, body, headers } = await world.client.send('DELETE', url, undefined, {
      apiKey: null,
    })
    expect({ status, error: body.error }).toEqual({ status: 405, error: 'method_not_allowed' })
    const allowed = routesOf([]).service.filter((route) => route.path === path)
    for (const route of allowed) {
      expect(headers.get('allow')).toContain(route.method.toUpperCase())
    }
  })

  test('OPTIONS too', async () => {
    expect((await world.client.send('OPTIONS', '/accounts')).status).toBe(405)
  })
})

describe('error: every route that takes a key refuses a missing, unknown and revoked one', () => {
  const routes = routesOf([]).service.filter(
    ({ access }) => access === 'prime' || access === 'account',
  )
  test.each(routes.map((route) => [route.method.toUpperCase(), route.path]))(
    '%s %s',
    async (method, path) => {
      const url = path.replace(/:\w+/g, 'x')
      const call = async (apiKey: string | null) => {
        const { status, body, headers } = await world.client.send(method, url, undefined, {
          apiKey,
        })
        expect(headers.get('www-authenticate')).toBe('Bearer')
        return { status, ...body }
      }
      expect(await call(null)).toEqual({
        status: 401,
        error: 'missing_auth_header',
        message: 'Missing Authorization header',
      })
      expect(await call('nobody')).toEqual({
        status: 401,
        error: 'invalid_api_key',
        message: 'Invalid API key',
      })
      expect(await call(keys.revoked.key)).toEqual({
        status: 401,
        error: 'api_key_revoked',
        message: 'API key has been revoked',
      })
    },
  )
})

describe('error: invalid_params for bodies that are no JSON object', () => {
  const post = (text: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = json) =>
    world.client.send('POST', '/accounts', text, { headers })

  test.each(['{', '[]', 'null', '1', '"text"', '[{}]', '{"a":1,}', '{}{}', ' '])(
    '%j',
    async (text) => {
      const { status, body } = await post(text)
      expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_params' })
    },
  )

  test('malformed JSON is called that', async () => {
    expect((await post('{"a":}')).body.message).toMatch(/^The request body is not valid JSON: /)
  })

  test('no body at all', async () => {
    const { status, body } = await world.client.send('POST', '/accounts')
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: 'the body must be of type JSON object, but there is none',
    })
  })

  test.each([
    ['text/plain', 'Content-Type must be application/json, but is text/plain'],
    ['application/x-www-form-urlencoded', 'Content-Type must be application/json, but is'],
    ['application/jsonp', 'Content-Type must be application/json, but is application/jsonp'],
    ['application/json; charset=latin1', 'The request body cannot be read: unsupported charset'],
  ])('content type %s', async (type, message) => {
    const reply = await post(JSON.stringify(body), { 'content-type': type })
    expect(reply.status).toBe(400)
    expect(reply.body.message).toContain(message)
  })

  test('an unknown or broken content encoding', async () => {
    for (const encoding of ['zstd', 'compress', 'gzip, gzip', 'GZIP;q=1']) {
      const unknown = await post('{}', { ...json, 'content-encoding': encoding })
      expect(unknown.status).toBe(400)
      expect(unknown.body.message).toBe(
        `Content-Encoding must be gzip, deflate, br or absent, but is ${encoding}`,
      )
    }
    const broken = await post('not gzip', { ...json, 'content-encoding': 'gzip' })
    expect(broken.body.message).toContain('The request body cannot be read')
  })

  test('behavior: other spellings of JSON are taken', async () => {
    const address = `0x${'8'.repeat(40)}`
    const text = JSON.stringify({ ...body, signer_address: address })
    const headers = {
      'content-type': 'Application/JSON ; charset=UTF-8',
      'content-encoding': 'gzip',
    }
    expect((await post(new Uint8Array(gzipSync(text)), headers)).status).toBe(201)
  })

  test('malformed texts of any kind', async () => {
    const { default: fc } = await import('fast-check')
    await fc.assert(
      fc.asyncProperty(malformedJson, async (text) => {
        expect((await post(text)).status).toBe(400)
      }),
      { numRuns: 30 },
    )
  })
})

describe('error: payload_too_large', () => {
  const limit = 1024 * 1024
  const bodyOf = (size: number): string => `{"a":"${'x'.repeat(size - 8)}"}`

  test('one byte more than 1 MiB; 1 MiB itself is read', async () => {
    const post = (size: number) =>
      world.client.send('POST', '/accounts', bodyOf(size), { headers: json })
    expect(await post(limit + 1)).toMatchObject({
      status: 413,
      body: { error: 'payload_too_large', message: expect.stringContaining('1048577 bytes') },
    })
    expect((await post(limit)).status).toBe(400)
  })

  test('sent in chunks, without a length', async () => {
    const status = await new Promise((resolve, reject) => {
      const { port } = world.server.address() as { port: number }
      const headers = { ...json, authorization: `Bearer ${keys.first.key}` }
      const req = request({ port, method: 'POST', path: '/accounts', headers }, (res) => {
        res.resume()
        resolve(res.statusCode)
      })
      req.on('error', reject)
      req.write(bodyOf(limit))
      req.end(bodyOf(limit))
    })
    expect(status).toBe(413)
  })

  test('a small body that unpacks to a large one', async () => {
    const packed = new Uint8Array(gzipSync(bodyOf(limit * 2)))
    const headers = { ...json, 'content-encoding': 'gzip' }
    expect((await world.client.send('POST', '/accounts', packed, { headers })).status).toBe(413)
  })
})

test('error: a path with a broken percent escape is refused', async () => {
  const { status, body } = await world.client.get('/accounts/%E0%A4%A/folio')
  expect({ status, ...body }).toEqual({
    status: 400,
    error: 'invalid_params',
    message: 'The path has a malformed percent escape',
  })
})

test('error: a route that takes no body does nothing when one comes that is no JSON, or too large', async () => {
  const user = { signer_type: 'eoa', signer_address: `0x${'5a'.repeat(20)}` }
  const { account_id } = (await world.client.post('/accounts', user)).body
  for (const [text, code] of [
    ['{bad', 'invalid_params'],
    [JSON.stringify('x'.repeat(2 ** 20)), 'payload_too_large'],
  ] as const)
    for (const [method, path] of [
      ['POST', '/_sim/reset'],
      ['DELETE', '/_sim/faults'],
    ] as const)
      expect(await world.client.send(method, path, text, { headers: json })).toMatchObject({
        status: code === 'invalid_params' ? 400 : 413,
        body: { error: code },
      })
  expect((await world.client.get(`/accounts/${account_id}`)).status).toBe(200)
  const text = '{"ignored":1}'
  expect((await world.client.send('DELETE', '/_sim/faults', text, { headers: json })).status).toBe(
    200,
  )
})

test('error: order: the key, the JSON, the fields, the account', async () => {
  const post = (text: string, apiKey: string | null) =>
    world.client.send('POST', '/accounts/acc_none/plan/earn', text, { headers: json, apiKey })
  const code = async (text: string, apiKey: string | null) => (await post(text, apiKey)).body.error
  expect(await code('{', null)).toBe('missing_auth_header')
  expect((await post('{', keys.first.key)).body.message).toContain('not valid JSON')
  expect(await code('{}', keys.first.key)).toBe('invalid_params')
  const valid = JSON.stringify({ amount: '1', asset: 'x', network: 'base', protocol: 'aave' })
  expect(await code(valid, keys.first.key)).toBe('account_not_found')
})

test('error: an unforeseen failure is a generic 500; only the log has the cause', async () => {
  const cause = new Error('the secret of the stack')
  await using broken = await startHttpWorld({
    chains: {
      readiness: async () => {
        throw cause
      },
    },
  })
  const { status, body, headers } = await broken.client.get('/health/ready')
  expect({ status, ...body }).toEqual({
    status: 500,
    error: 'internal_error',
    message: 'An unexpected error occurred',
  })
  expect(headers.get('x-svc-sim-hint')).not.toContain('secret')
  expect(broken.errors).toEqual([{ message: expect.stringContaining('GET /health/ready'), cause }])
})

test('error: a node that will not run any more is named with the reason: no defect', async () => {
  const cause = new NodeOverError('the base node ended and could not be brought back')
  await using ended = await startHttpWorld({
    chains: { readiness: () => Promise.reject(cause) },
  })
  const { status, body, headers } = await ended.client.get('/health/ready')
  expect({ status, ...body }).toEqual({
    status: 500,
    error: 'internal_error',
    message: cause.message,
  })
  expect(headers.get('x-svc-sim-hint')).toContain('Start it again')
  expect(ended.errors).toEqual([])
})

test('behavior: RPC requests go to their network with the body unread', async () => {
  await using own = await startHttpWorld({
    chains: {
      rpc: {
        async handle(network, req, res) {
          res.end(`${network} ${req.method} ${await text(req)}`)
        },
      },
    },
  })
  const reply = await fetch(`${own.client.url}/rpc/optimism`, { method: 'POST', body: '{"id":1}' })
  expect(await reply.text()).toBe('optimism POST {"id":1}')
})

test('error: a web page from elsewhere cannot drive the chains', async () => {
  const reply = await fetch(`${world.client.url}/rpc/base`, {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
  })
  expect(reply.status).toBe(403)
})

test('behavior: a byte order mark before the JSON of a body is no part of it', async () => {
  const text = `\uFEFF${JSON.stringify({ ...body, signer_address: `0x${'7'.repeat(40)}` })}`
  const { status } = await world.client.send('POST', '/accounts', text, { headers: json })
  expect(status).toBe(201)
})

test('behavior: slips are named beside the answer: what was refused, and what was taken', async () => {
  const { id } = await createAccount(world, `0x${'6'.repeat(40)}`)
  const events = await world.client.get(`/accounts/${id}/events?since=1767603600000`)
  expect(events.headers.get('x-svc-sim-hint')).toContain('since looks like milliseconds')
  const poll = await world.client.get(`/accounts/${id}/events?poll=True`)
  expect(poll.headers.get('x-svc-sim-hint')).toContain('Write poll in lower case: true.')
  const path = `/accounts/${id}/plan/earn`
  const intent = { amount: '4e6', asset: 'usdc', network: 'Base', protocol: 'compound' }
  const plan = await world.client.post(path, intent)
  expect(plan.status).toBe(400)
  expect(plan.headers.get('x-svc-sim-hint')).toContain('Did you mean "base"?')
})
