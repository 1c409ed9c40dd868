import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routesOf } from '../../src/http/allRoutes.js'
import { emitOpenApi } from '../../src/http/openapi/openapi.js'
import { planKinds } from '../../src/service/plans/kinds/index.js'
import { malformedJson, oddButValid, trials } from '../kit/arbitraries.js'
import { replyChecker } from '../kit/client.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser } from '../kit/user.js'

/** Longer than any answer to bad input may take; only a hang meets it. */
const hangMs = 20_000
const checkReply = replyChecker(planKinds)
const paths = Object.entries(emitOpenApi(routesOf(planKinds).service).paths ?? {})
const routes = paths.flatMap(([path, item]) =>
  (['get', 'post'] as const).filter((method) => item[method]).map((method) => ({ method, path })),
)
let sim: SimulatorHandle
let user: Awaited<ReturnType<typeof openUser>>

beforeAll(async () => {
  sim = await createSimulator({ longPollMs: 1 })
  user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  await user.run('earn', {
    asset: 'USDC',
    amount: '1000000',
    network: 'base',
    protocol: 'compound',
  })
})
afterAll(() => sim.close())

/** What must not change: everything but what interest moves. */
async function state() {
  const read = async (path: string) => (await user.api.get(path)).body
  const { folio } = (await read(`${user.path}/folio`)) as { folio: Record<string, object> }
  return {
    accounts: await read('/accounts'),
    activities: await read(`${user.path}/activities`),
    events: await read(`${user.path}/events`),
    tokens: Object.entries(folio.balances!).filter(([key]) => key.startsWith('token/')),
    nonces: folio.hex_data,
  }
}

/** Sends as it is. Every answer must be in the OpenAPI document; a status of 500 is allowed to execute alone. */
async function throwAt(method: string, path: string, body: string | Uint8Array | undefined) {
  const response = await fetch(`${sim.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${sim.apiKey}`, 'content-type': 'application/json' },
    body: method === 'GET' ? undefined : (body ?? null),
    signal: AbortSignal.timeout(hangMs),
  })
  const place = path.split('?')[0]!
  if (place.endsWith('/folio/stream') && response.ok) {
    await response.body?.cancel()
    return response.status
  }
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  const parsed = isJson ? JSON.parse(text) : text
  if (response.status >= 400) expect(Object.keys(parsed)).toEqual(['error', 'message'])
  const { status, headers } = response
  checkReply(method, new URL(response.url).pathname, { status, headers, body: parsed })
  if (!place.endsWith('/plan/execute')) expect(response.status).toBeLessThan(500)
  return response.status
}

/** Values for every field that any body of the service has, good and bad alike. */
const anyValue = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue() },
  fc.constantFrom<unknown>(
    ...[
      '',
      '0',
      '-1',
      '1.5',
      '0x10',
      '1e6',
      'max',
      '01',
      ' 1',
      `${2n ** 256n - 1n}`,
      `${2n ** 256n}`,
    ],
    ...[
      'USDC',
      'usdc',
      'WETH',
      'NOPE',
      'base',
      'Base',
      'solana',
      'compound',
      'aave',
      'eoa',
      '\u0000',
      '💥',
    ],
    ...[`0x${'11'.repeat(20)}`, `0x${'11'.repeat(32)}`, '0x', 'pln_000000000000', '1000000'],
    ...[1, 1e30, -0, true, null],
  ),
)
const fields = [
  ...['amount', 'asset', 'network', 'protocol', 'market', 'recipient', 'sell_asset', 'buy_asset'],
  ...['sell_amount', 'buy_amount', 'plan_id', 'signature', 'signer_type', 'account_id', 'address'],
  ...[
    'collateral_asset',
    'collateral_amount',
    'market_id',
    'reward_assets',
    '__proto__',
    'constructor',
  ],
]
const anyBody = fc.oneof(
  fc
    .dictionary(fc.constantFrom(...fields), anyValue, { maxKeys: 8 })
    .map((body) => JSON.stringify(body)),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  malformedJson,
  oddButValid({
    signer_type: 'nobody',
    signer_address: '0x',
    amount: '0',
    plan_id: 'x',
    signature: 'y',
  }),
  fc.uint8Array({ maxLength: 64 }),
)
const anyId = fc.oneof(
  fc.constant('OWN'),
  fc.constantFrom(
    'acc_000000000000',
    'act_000000000000',
    '%00',
    '..%2f..',
    'a'.repeat(500),
    '%F0%9F%92%A5',
  ),
)
const anyQuery = fc.constantFrom(
  ...['', '?cached=yes', '?since=-1', '?since=1e3', '?since=99999999999999999999', '?poll=maybe'],
  ...['?poll=true&since=9007199254740991', '?since=0&since=1', '?__proto__=1', '?cached[]=true'],
)

test('behavior: no input makes a 500, a hang, or a changed state', async () => {
  const before = await state()
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...routes),
      anyId,
      anyQuery,
      anyBody,
      async (route, id, query, body) => {
        const own = route.path.includes('/activities/{') ? 'act_000000000000' : user.id
        const path = route.path.replace(/\{\w+\}/g, id === 'OWN' ? own : id)
        const status = await throwAt(route.method.toUpperCase(), path + query, body)
        // A plan may come out of a body that happens to be good; plans change nothing. Nothing else may be created.
        if (route.method === 'post' && status < 300) expect(path).toMatch(/\/plan\//)
      },
    ),
    trials(250),
  )
  expect(await state()).toEqual(before)
}, 300_000)

/** The example body of a plan kind, which is good, with some of its fields replaced. */
const nearlyGood = fc.constantFrom(...planKinds).chain((kind) => {
  const example = kind.example as Record<string, unknown>
  const odd = fc.dictionary(fc.constantFrom(...Object.keys(example)), anyValue, { maxKeys: 2 })
  return odd.map((replaced) => ({ kind, body: { ...example, ...replaced } }))
})

test('behavior: odd values in good bodies reach the planner and do no harm', async () => {
  const before = await state()
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(nearlyGood, async ({ kind, body }) => {
      const path = `${user.path}/plan/${kind.path}`
      statuses.add(await throwAt('POST', path, JSON.stringify(body)))
    }),
    trials(120),
  )
  expect([...statuses].filter((status) => ![201, 400, 422].includes(status))).toEqual([])
  expect(statuses).toContain(201)
  expect(await state()).toEqual(before)
}, 120_000)

test('behavior: unknown routes and methods answer in the error body', async () => {
  const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...methods),
      fc.webPath().filter((path) => !path.startsWith('/docs') && !path.startsWith('/rpc')),
      async (method, path) => {
        const status = await throwAt(method, path === '' ? '/nowhere' : path, undefined)
        expect([200, 400, 404, 405]).toContain(status)
      },
    ),
    trials(60),
  )
}, 120_000)

test('error: a body over 1 MiB is 413 everywhere, and the connection stays usable', async () => {
  for (const { path } of routes.filter(({ method }) => method === 'post')) {
    const body = JSON.stringify({ amount: '1'.repeat(1024 * 1024) })
    expect(await throwAt('POST', path.replace(/\{\w+\}/g, user.id), body)).toBe(413)
  }
})

test('behavior: good amounts at the edges are read to the unit', async () => {
  const request = { asset: 'USDC', network: 'base', recipient: `0x${'22'.repeat(20)}` }
  const largest = `${2n ** 256n - 2n}`
  const reply = await user.plan('transfer', { ...request, amount: largest })
  expect(reply).toMatchObject({
    status: 400,
    body: { error: 'plan_failed', message: expect.stringContaining(largest) },
  })
  expect((await user.plan('transfer', { ...request, amount: `${2n ** 256n - 1n}` })).status).toBe(
    201,
  )
  expect((await user.plan('transfer', { ...request, amount: `${2n ** 256n}` })).body).toMatchObject(
    {
      error: 'invalid_params',
      message: expect.stringContaining('amount'),
    },
  )
})
