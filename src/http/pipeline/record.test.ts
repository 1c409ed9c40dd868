import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import {
  createAccount,
  type HttpWorld,
  keys,
  noFaults,
  startHttpWorld,
} from '../../../test/kit/httpWorld.js'
import { currentScope } from '../../service/context/requestContext.js'
import { jsonLog } from '../core/jsonLog.js'
import type { AppDeps } from '../core/types.js'

let world: HttpWorld
afterEach(() => world?.[Symbol.asyncDispose]())

/** A world whose log is written as JSON; `lines` is what was written, read again. */
async function loggingWorld(overrides: Parameters<typeof startHttpWorld>[0] = {}) {
  const written: string[] = []
  const log = jsonLog(
    Object.values(keys).map(({ key }) => key),
    (line) => void written.push(line),
  )
  world = await startHttpWorld({ ...overrides, records: { log } })
  const requests = () =>
    written.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  return { written, requests }
}

/** Faults of these rules fire at every request. */
function firing(...rules: string[]): AppDeps['faults'] {
  return {
    ...noFaults,
    seams: {
      hasRules: true,
      intercept(_seam, _call, proceed) {
        for (const rule of rules) currentScope()?.faulted?.(rule)
        return proceed()
      },
    },
  }
}

/** Sends bytes as they are, and resolves to all that comes back. */
async function send(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(world.client.url).port), '127.0.0.1')
  socket.end(bytes)
  return text(socket)
}

test('default: one line a request, with its route and not its URL', async () => {
  const { written, requests } = await loggingWorld()
  const { id } = await createAccount(world)
  const { headers } = await world.client.get(`/accounts/${id}/folio?cached=true`)
  await expect.poll(requests).toHaveLength(2)
  expect(requests()[1]).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    request_id: headers.get('x-svc-sim-request-id'),
    method: 'GET',
    route: '/accounts/:account_id/folio',
    status: 200,
    ms: expect.any(Number),
    account_id: id,
    msg: 'request',
  })
  for (const line of written) expect(line).toMatch(/^[^\n]+\n$/)
})

test('behavior: errors with their code, faults with the ids of their rules', async () => {
  const { requests } = await loggingWorld({ faults: firing('one', 'two.2') })
  await world.client.get('/accounts/acc_000000000000/folio')
  await world.client.get('/networks', { apiKey: null })
  await expect.poll(requests).toHaveLength(2)
  expect(requests()).toMatchObject([
    {
      status: 404,
      code: 'account_not_found',
      account_id: 'acc_000000000000',
      faults: ['one', 'two.2'],
    },
    { status: 401, code: 'missing_auth_header' },
  ])
  expect(requests()[1]).not.toHaveProperty('faults')
})

test('behavior: no key is in it, wherever a client puts one', async () => {
  const { key } = keys.first
  const { written, requests } = await loggingWorld({ faults: firing(key) })
  const spelled = key.replaceAll('_', '%5F')
  await world.client.get(`/accounts/${key}/folio?key=${key}`)
  await world.client.get(`/${spelled}`)
  await world.client.post('/accounts', { signer_type: key })
  await fetch(world.client.url, { method: 'GET', headers: { 'x-svc-sim-fault': key } })
  await expect.poll(requests).toHaveLength(4)
  expect(written.join('')).not.toMatch(/first0_0|%5F0/)
  expect(requests()[0]).not.toHaveProperty('account_id')
  expect(requests()[0]).toMatchObject({ faults: ['qk_first0_***'] })
})

test('behavior: a hostile URL is one line, and nothing of it is told', async () => {
  const { written, requests } = await loggingWorld()
  const urls = [
    '/%0a{"level":"fatal"}%0d%00',
    '/accounts/acc_%0a%22%7d/folio',
    '/%E2%80%A8%1b[31m',
    '/networks?x=%0aevil',
    '/%',
  ]
  for (const url of urls)
    await send(`GET ${url} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`)
  await expect.poll(requests).toHaveLength(urls.length)
  expect(written).toHaveLength(urls.length)
  for (const line of written) expect(line.slice(0, -1)).toMatch(/^[\x20-\x7e]+$/)
  expect(written.join('')).not.toMatch(/fatal|evil|31m/)
})

test('behavior: a connection that ends before its answer has a line too', async () => {
  let asked: () => void = () => {}
  const asking = new Promise<void>((resolve) => {
    asked = resolve
  })
  const read = () => {
    asked()
    return new Promise<never>(() => {})
  }
  const { requests } = await loggingWorld({ service: { folio: { read } } })
  const { id } = await createAccount(world)
  const leaving = new AbortController()
  const { signal } = leaving
  const answer = world.client.get(`/accounts/${id}/folio`, { signal })
  await asking
  leaving.abort()
  await expect(answer).rejects.toThrow()
  await expect.poll(requests).toHaveLength(2)
  expect(requests()[1]).toMatchObject({ status: 0, code: 'cut', account_id: id })
})

test('behavior: a refusal whose message a fault rule has taken away has a line, without one', async () => {
  const body = { error: 'account_not_found' }
  const intercept = ((seam, _call, proceed) =>
    seam === 'answer'
      ? Promise.resolve({ status: 404, body })
      : proceed()) as AppDeps['faults']['seams']['intercept']
  const { requests } = await loggingWorld({
    faults: { ...noFaults, seams: { hasRules: true, intercept } },
  })
  // The test client would refuse such an answer.
  const headers = { authorization: `Bearer ${keys.first.key}` }
  await fetch(`${world.client.url}/accounts/acc_000000000000/folio`, { headers })
  await expect.poll(requests).toHaveLength(1)
  expect(requests()[0]).toMatchObject({ status: 404, code: 'account_not_found' })
  expect(requests()[0]).not.toHaveProperty('message')
  expect(world.errors).toEqual([])
})

test('error: a log that throws harms no answer', async () => {
  const log = {
    debug() {},
    error() {},
    request() {
      throw new Error('the disk is full')
    },
  }
  world = await startHttpWorld({ records: { log } })
  expect((await world.client.get('/networks')).status).toBe(200)
})

const journaled = async (path: string, headers: Record<string, string> = {}) => {
  const { requests } = await loggingWorld()
  const { body } = await fetch(`${world.client.url}${path}`, { headers, redirect: 'manual' })
  await body?.cancel()
  await expect.poll(requests).toHaveLength(1)
  return world.deps.records.journal.all().map(({ url }) => url)
}

test.each(['/accounts', '/networks', '/_sim/clock', '/_sim/faults', '/nope', '/_sim/nope'])(
  'default: %s is journaled',
  async (path) => expect(await journaled(path)).toEqual([path]),
)

test.each([
  ...['/rpc/base', '/rpc/nope', '/docs/', '/health/live', '/metrics', '/worlds/wld_1/rpc/base'],
  ...['/_sim', '/_sim/', '/_sim/journal', '/_sim/ui/', '/_sim/docs/guides/tests', '/_sim/mcp'],
  ...['/_sim/why/acc_1', '/_sim/stream', '/_sim/accounts/acc_1', '/_sim/worlds/wld_1/clock'],
])('behavior: %s is not: it looks on, or is no request of a client', async (path) =>
  expect(await journaled(path)).toEqual([]),
)

test('behavior: a page from elsewhere that is refused is journaled, whatever it asks for', async () => {
  const headers = { origin: 'https://elsewhere.example' }
  expect(await journaled('/_sim/overview', headers)).toEqual(['/_sim/overview'])
})
