import { once } from 'node:events'
import { Agent, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createAccount, keys, noFaults, startHttpWorld } from '../../../test/kit/httpWorld.js'
import type { Faults } from '../../faults/engine/engine.js'
import { ServiceError } from '../../lib/errors.js'
import { createJournal, type RecordedAnswer } from '../../observe/journal/journal.js'

type Written = Omit<RecordedAnswer, 'order' | 'ms'>

/** A world that says what its journal was told of answers, and which cells it counted. */
async function listeningWorld(overrides: Parameters<typeof startHttpWorld>[0] = {}) {
  const journal = createJournal({ now: () => 0 })
  const written: (Written & { url: string })[] = []
  const coverage = new Map<string, number>()
  const world = await startHttpWorld({
    records: {
      coverage,
      journal: {
        ...journal,
        begin(request) {
          const recording = journal.begin(request)
          return {
            ...recording,
            answered(answer) {
              written.push({ url: request.url, ...answer })
              recording.answered(answer)
            },
          }
        },
      },
    },
    ...overrides,
  })
  const { port } = world.server.address() as AddressInfo
  /** Asks on a connection of its own: when that has closed, everything has been written down. */
  const ask = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const before = { written: written.length, counted: new Map(coverage) }
    const asked = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { authorization: `Bearer ${keys.first.key}`, ...headers },
      agent: false,
    }).end()
    const closed = new Promise((resolve) => asked.once('close', resolve))
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    const body = await text(response).catch(() => 'broken off')
    await closed
    return {
      status: response.statusCode,
      body,
      written: written.slice(before.written),
      counted: [...coverage]
        .filter(([cell, hits]) => hits !== before.counted.get(cell))
        .map(([cell]) => cell),
    }
  }
  return { world, ask, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

const error = (code: string) => expect.stringContaining(`{"error":"${code}"`)
const preflight = { origin: 'http://localhost:1', 'access-control-request-method': 'GET' }

/** What each request is answered, what the journal has of the answer, and how it is counted. */
const answers: {
  [request: string]: {
    headers?: Record<string, string>
    status: number
    /** Null for one without a body; absent for what is not journaled. */
    text?: unknown
    counted: string
  }
} = {
  'GET /networks': {
    status: 200,
    text: expect.stringContaining('{"networks":'),
    counted: 'get /networks 200 ',
  },
  'HEAD /networks': {
    status: 200,
    text: expect.stringContaining('{"networks":'),
    counted: 'head /networks 200 ',
  },
  'GET /_sim/clock': {
    status: 200,
    text: expect.stringContaining('{"now":'),
    counted: 'get /_sim/clock 200 ',
  },
  'POST /accounts': {
    status: 400,
    text: error('invalid_params'),
    counted: 'post /accounts 400 invalid_params',
  },
  'GET /accounts': {
    headers: { authorization: '' },
    status: 401,
    text: error('missing_auth_header'),
    counted: 'get /accounts 401 missing_auth_header',
  },
  'DELETE /networks': {
    status: 405,
    text: error('method_not_allowed'),
    counted: 'delete /networks 405 method_not_allowed',
  },
  'GET /nope': {
    status: 404,
    text: error('not_found'),
    counted: 'get (none) 404 not_found',
  },
  'PROPFIND /nope': {
    status: 404,
    text: error('not_found'),
    counted: 'other (none) 404 not_found',
  },
  'OPTIONS /networks': {
    headers: preflight,
    status: 204,
    text: null,
    counted: 'options (none) 204 ',
  },
  'HEAD /accounts/ID/folio/stream': {
    status: 200,
    text: null,
    counted: 'head /accounts/:account_id/folio/stream 200 ',
  },
  'GET /_sim/journal': { status: 200, counted: 'get /_sim/journal 200 ' },
  'GET /health/ready': { status: 200, counted: 'get /health/ready 200 ' },
  'GET /openapi.yaml': { status: 200, counted: 'get /openapi.yaml 200 ' },
  'GET /docs/': { status: 200, counted: 'get (none) 200 ' },
  'GET /docs/nope': { status: 404, counted: 'get (none) 404 not_found' },
  'POST /rpc/base': { status: 200, counted: 'post /rpc/:network 200 ' },
  'GET /rpc/nope': { status: 404, counted: 'get /rpc/:network 404 not_found' },
}

test.each(Object.entries(answers))(
  'default: what the journal has of %s, and how it is counted',
  async (what, { headers, status, text: body, counted }) => {
    await using listening = await listeningWorld()
    const { id } = await createAccount(listening.world)
    const [method, path] = what.replace('ID', id).split(' ') as [string, string]
    const answer = await listening.ask(method, path, headers)
    expect(answer).toMatchObject({ status, counted: [counted] })
    const text = body === null ? undefined : body
    expect(answer.written).toEqual(
      body === undefined ? [] : [expect.objectContaining({ url: path, status, text, cut: false })],
    )
    if (typeof answer.written[0]?.text === 'string' && method !== 'HEAD')
      expect(answer.body).toBe(answer.written[0].text)
  },
)

test.each([
  ['/networks', 200, 'get /networks 200 cut'],
  ['/accounts/acc_000000000000', 404, 'get /accounts/:account_id 404 cut'],
])(
  'behavior: %s that breaks off is journaled without its text, and meets no cell',
  async (path, status, counted) => {
    const faults: Faults = {
      ...noFaults,
      seams: {
        hasRules: true,
        intercept(_seam, call, proceed) {
          if ('truncate' in call) call.truncate()
          return proceed()
        },
      },
    }
    await using listening = await listeningWorld({ faults })
    const answer = await listening.ask('GET', path)
    expect(answer).toMatchObject({ status, body: 'broken off', counted: [counted] })
    expect(answer.written).toMatchObject([{ status, text: undefined, cut: true }])
    expect(answer.written[0]!.bytes).toBeGreaterThan(50)
  },
)

describe('large answers', () => {
  const path = '/openapi.json'

  test.each([
    ['gzip, deflate, br', 'gzip', gunzipSync],
    ['gzip;q=0.1, br', 'br', brotliDecompressSync],
  ] as const)('default: a client that accepts %s gets %s', async (accepted, encoding, unpack) => {
    await using world = await startHttpWorld()
    const plain = await asked(world, path)
    const packed = await asked(world, path, { 'accept-encoding': accepted })
    expect(packed.headers).toMatchObject({ 'content-encoding': encoding })
    expect(packed.headers.vary).toContain('Accept-Encoding')
    expect(packed.bytes.length * 4).toBeLessThan(plain.bytes.length)
    expect(unpack(packed.bytes).equals(plain.bytes)).toBe(true)
  })

  test('behavior: nobody else gets them so, and no small answer is', async () => {
    await using world = await startHttpWorld()
    for (const accepted of ['', 'identity', 'gzip;q=0']) {
      const { headers } = await asked(world, path, { 'accept-encoding': accepted })
      expect(headers).not.toHaveProperty('content-encoding')
    }
    const small = await asked(world, '/networks', { 'accept-encoding': 'gzip' })
    expect(small.headers['content-encoding']).toBeUndefined()
  })
})

test('behavior: after a 408 the connection ends', async () => {
  const fault = async () => {
    throw new ServiceError('timeout', 'late')
  }
  const faults = { ...noFaults, seams: { hasRules: true, intercept: fault as never } }
  await using world = await startHttpWorld({ faults })
  const agent = new Agent({ keepAlive: true })
  const late = await asked(world, '/networks', {}, agent)
  expect([late.status, late.headers.connection]).toEqual([408, 'close'])
  agent.destroy()
})

async function asked(
  world: { server: Server },
  path: string,
  headers: Record<string, string> = {},
  agent?: Agent,
) {
  const { port } = world.server.address() as AddressInfo
  const authorization = `Bearer ${keys.first.key}`
  const options = { host: '127.0.0.1', port, path, headers: { authorization, ...headers } }
  const sent = request({ ...options, ...(agent && { agent }) }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const bytes = await buffer(response)
  return { status: response.statusCode, headers: response.headers, bytes }
}
