import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import {
  createSimulator,
  leaseWorld,
  type SimulatorHandle,
  type SimulatorOptions,
  watchJournal,
} from '../../src/index.js'
import { readExposition } from '../kit/exposition.js'
import { type Answer, askControl } from '../kit/http.js'
import { openUser } from '../kit/user.js'

// Who gets a world, for how long, and who has to wait. Needs `npm run build:ts` before.

let sim: SimulatorHandle

afterEach(async () => {
  await sim.close()
})

const start = async (options: SimulatorOptions): Promise<void> => {
  sim = await createSimulator(options)
}

const counts = async () => {
  const { body } = await askControl(sim, 'GET', '/worlds')
  return { leased: body.leased, warm: body.warm, starting: body.starting, waiting: body.waiting }
}
const accountsOf = async (apiKey: string) =>
  (await fetch(`${sim.url}/accounts`, { headers: { authorization: `Bearer ${apiKey}` } })).status

test('default: worlds are kept warm, each is leased to one, and given back they serve again', async () => {
  await start({ worlds: 2, maxWorlds: 3 })
  await vi.waitFor(async () => expect(await counts()).toMatchObject({ warm: 2, leased: 0 }), 30_000)
  const leases = await Promise.all([1, 2, 3].map(() => askControl(sim, 'POST', '/worlds')))
  expect(leases.map(({ status }) => status)).toEqual([201, 201, 201])
  for (const name of ['id', 'apiKey', 'controlUrl'])
    expect(new Set(leases.map(({ body }) => body[name])).size).toBe(3)
  expect(await counts()).toEqual({ leased: 3, warm: 0, starting: 0, waiting: 0 })
  const [first] = leases
  const { id, apiKey, ...lease } = first!.body
  expect(lease).toMatchObject({
    url: sim.url,
    controlUrl: `${sim.url}/_sim/worlds/${id}`,
    lease_seconds: 300,
    state: 'leased',
  })
  const listed = await askControl(sim, 'GET', '/worlds')
  expect(JSON.stringify(listed.body)).not.toContain(apiKey)
  expect(listed.body.worlds.map((world: { id: string }) => world.id)).toEqual(
    leases.map(({ body }) => body.id),
  )
  const { failed_activities, refused, cut, ...own } = listed.body.worlds[0]
  expect([failed_activities, refused, cut]).toEqual([0, 0, 0])
  expect((await askControl(sim, 'GET', `/worlds/${id}`)).body).toEqual(own)
  expect(await accountsOf(apiKey)).toBe(200)
  expect(await askControl(sim, 'DELETE', `/worlds/${id}`)).toMatchObject({
    status: 200,
    body: { id },
  })
  expect(await accountsOf(apiKey)).toBe(401)
  for (const [method, path] of [
    ['DELETE', ''],
    ['GET', ''],
    ['POST', '/renew'],
    ['GET', '/clock'],
  ] as const)
    expect((await askControl(sim, method, `/worlds/${id}${path}`)).status, path).toBe(404)
  const { series } = readExposition(await (await fetch(`${sim.url}/metrics`)).text())
  expect(series.get('svc_sim_worlds{state="leased"}')).toBe(2)
  expect(series.get('svc_sim_worlds_leased_total')).toBe(3)
})

test('behavior: the list of worlds tells what failed in each, and the tests that were reported', async () => {
  await start({})
  const [calm, wrong] = [
    await leaseWorld({ url: sim.url, name: 'calm' }),
    await leaseWorld({ url: sim.url, name: 'wrong', clock: 'frozen' }),
  ]
  const user = await openUser(wrong)
  await user.fund('base', 'USDC', 9_000_000n)
  const earn = { asset: 'USDC', amount: '1000000', network: 'base', protocol: 'compound' }
  expect((await user.plan('earn', { ...earn, amount: '-1' })).status).toBe(400)
  await wrong.faults.add({ on: 'execute', effect: 'revert', times: 1 })
  await user.run('earn', earn)
  // What a restore undoes is no failure of the world any more.
  const before = await wrong.snapshot()
  expect((await user.plan('earn', { ...earn, amount: '-1' })).status).toBe(400)
  const refusals = async () => (await askControl(sim, 'GET', '/worlds')).body.worlds[1].refused
  expect(await refusals()).toBe(2)
  await wrong.restore(before)
  expect(await refusals()).toBe(1)
  await wrong.reportFailed('a.test.ts > pays', { error: 'not paid' })
  await wrong.reportFailed('a.test.ts > pays')
  const { worlds } = (await askControl(sim, 'GET', '/worlds')).body
  expect(worlds).toMatchObject([
    { id: calm.id, name: 'calm', failed_tests: [], failed_activities: 0, refused: 0 },
    { name: 'wrong', failed_tests: ['a.test.ts > pays'], failed_activities: 1, refused: 1 },
  ])
  expect(worlds[1].failures).toEqual({ 'a.test.ts > pays': 'not paid' })
  expect(Date.parse(worlds[1].leased_at)).toBeLessThanOrEqual(Date.now())
  expect(await askControl(sim, 'POST', `/worlds/${calm.id}/failures`, {})).toMatchObject({
    status: 400,
    body: { error: 'invalid_params' },
  })
  // An executed plan whose response was lost was not refused, and is counted apart, too.
  await wrong.faults.add({ on: 'execute', effect: 'response_lost', times: 1 })
  await user.run('earn', earn).catch(() => {})
  const counted = (await askControl(sim, 'GET', '/worlds')).body.worlds[1]
  expect([counted.refused, counted.cut]).toEqual([2, 1])
  // One that passes is told as such; one that fails, too, is not.
  await wrong.reportPassed('a.test.ts > goes through')
  await wrong.reportPassed('a.test.ts > pays')
  const passed = (await askControl(sim, 'GET', '/worlds')).body.worlds[1]
  expect(passed.passed_tests).toEqual(['a.test.ts > goes through'])
  // It passes when retried; another one does not, and the world is released in between.
  await wrong.reportFailed('a.test.ts > waits')
  await wrong.reportPassedOnRetry('a.test.ts > pays')
  const listed = (await askControl(sim, 'GET', '/worlds')).body.worlds[1]
  expect([listed.failed_tests, listed.flaky_tests, listed.failed_activities]).toEqual([
    ['a.test.ts > waits'],
    ['a.test.ts > pays'],
    0,
  ])
  // An activity that failed before a flaky test began, or after it, is none of its.
  await wrong.faults.add({ on: 'execute', effect: 'revert', times: 1 })
  await user.run('earn', earn)
  const { since } = await watchJournal(wrong)
  await wrong.reportFailed('a.test.ts > begins late', { since })
  await wrong.reportPassedOnRetry('a.test.ts > begins late')
  expect((await askControl(sim, 'GET', '/worlds')).body.worlds[1].failed_activities).toBe(1)
  const ended = async () => (await askControl(sim, 'GET', '/worlds')).body.ended_with_failures
  expect(await ended()).toBe(0)
  const over = async () => (await askControl(sim, 'GET', '/worlds')).body.ended_worlds
  expect(await over()).toEqual([])
  await wrong.close()
  expect(await ended()).toBe(1)
  const [row, ...others] = await over()
  expect(others).toEqual([])
  expect(row).toMatchObject({
    ...{ id: wrong.id, name: 'wrong', state: 'ended', lost: null },
    ...{ failed_tests: ['a.test.ts > waits'], failures: { 'a.test.ts > pays': 'not paid' } },
  })
  // Of the activities and requests of the test that still counts as failed; the flaky ones have passed.
  expect(row.verdicts).toEqual([
    { test: 'a.test.ts > waits', id: expect.stringMatching(/^req_/), now: expect.any(String) },
  ])
  expect(Date.parse(row.ended_at)).toBeGreaterThanOrEqual(Date.parse(row.leased_at))
  expect([row.url, row.controlUrl, row.rpc]).toEqual([undefined, undefined, undefined])
  await wrong.reportPassedOnRetry('a.test.ts > waits')
  expect(await ended()).toBe(0)
  expect(await over()).toEqual([])
  expect(
    (await askControl(sim, 'POST', `/worlds/${wrong.id}/failures`, { test: 'x' })).status,
  ).toBe(404)
  await calm.close()
})

test('behavior: a lease that is not renewed ends by the machine’s clock; a renewed one goes on', async () => {
  await start({})
  const [left, kept] = await Promise.all(
    [1, 2].map(() => askControl(sim, 'POST', '/worlds', { lease_seconds: 2, clock: 'frozen' })),
  )
  const renewals: Promise<unknown>[] = []
  const renew = () => askControl(sim, 'POST', `/worlds/${kept!.body.id}/renew`)
  const keep = setInterval(() => renewals.push(renew()), 300)
  // Its own clock has no say in it.
  await askControl(sim, 'POST', `/worlds/${kept!.body.id}/clock/advance`, { seconds: 3_600 })
  await vi.waitFor(async () => expect(await accountsOf(left!.body.apiKey)).toBe(401), 30_000)
  clearInterval(keep)
  await Promise.all(renewals)
  const { status, body } = await renew()
  expect(status).toBe(200)
  expect(Date.parse(body.lease_until)).toBeGreaterThan(Date.parse(kept!.body.lease_until))
  expect(await accountsOf(kept!.body.apiKey)).toBe(200)
})

test('behavior: who finds none waits for the next that comes back; too many are refused, and told when to ask again', async () => {
  await start({ maxWorlds: 1 })
  const first = await askControl(sim, 'POST', '/worlds')
  const gone = new AbortController()
  const left = askControl(sim, 'POST', '/worlds', {}, gone.signal).catch(() => 'gone')
  await vi.waitFor(async () => expect(await counts()).toMatchObject({ waiting: 1 }), 10_000)
  gone.abort()
  expect(await left).toBe('gone')
  await vi.waitFor(async () => expect(await counts()).toMatchObject({ waiting: 0 }), 10_000)
  // One waits in earnest, behind it as many as may, and one more.
  const next = askControl(sim, 'POST', '/worlds', { seed: 5, clock: 'frozen' })
  await vi.waitFor(async () => expect(await counts()).toMatchObject({ waiting: 1 }), 10_000)
  const others = new AbortController()
  const crowd = Array.from({ length: 256 }, () =>
    askControl(sim, 'POST', '/worlds', {}, others.signal).catch(() => undefined),
  )
  const refused = await Promise.race(crowd)
  const message = 'No world can be leased now: 256 requests wait for one already'
  expect(refused).toMatchObject({ status: 429, body: { error: 'rate_limited', message } })
  expect((refused as Answer).headers.get('retry-after')).toBe('1')
  others.abort()
  await Promise.all(crowd)
  await askControl(sim, 'DELETE', `/worlds/${first.body.id}`)
  const { status, body } = await next
  expect(status).toBe(201)
  expect(body.id).not.toBe(first.body.id)
  expect((await askControl(sim, 'GET', `/worlds/${body.id}/clock`)).body.mode).toBe('frozen')
})

test('behavior: a request that does not wait gets 503 when all worlds are taken, by its query or its preference', async () => {
  await start({ maxWorlds: 1 })
  const first = await askControl(sim, 'POST', '/worlds?wait=0', { name: 'file > test' })
  expect(first).toMatchObject({ status: 201, body: { name: 'file > test' } })
  const prefer = (value: string) =>
    fetch(`${sim.controlUrl}/worlds`, { method: 'POST', headers: { prefer: value } })
  const immediate = [fetch(`${sim.controlUrl}/worlds?wait=0`, { method: 'POST' })]
  for (const value of ['wait=0', 'respond-async, wait = 0', 'wait="0"; x'])
    immediate.push(prefer(value))
  for (const response of await Promise.all(immediate)) {
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await response.json()).toEqual({
      error: 'no_room',
      message: 'No world can be leased now: all 1 are in use',
    })
  }
  expect((await askControl(sim, 'POST', '/worlds?wait=1')).body.message).toContain('wait must be 0')
  const { worlds } = (await askControl(sim, 'GET', '/worlds')).body
  expect(worlds).toMatchObject([{ id: first.body.id, name: 'file > test' }])
  // Any other preference may be ignored: it waits.
  const waiting = prefer('wait=10')
  await vi.waitFor(async () => expect(await counts()).toMatchObject({ waiting: 1 }), 10_000)
  await askControl(sim, 'DELETE', `/worlds/${first.body.id}`)
  const last = (await (await waiting).json()) as { name: string | null }
  expect(last.name).toBeNull()
})

test('behavior: URLs begin with the advertised one, whose path may be in requests or not', async () => {
  const advertise = 'https://sim.example/pod-3/'
  await start({ maxWorlds: 1, advertise })
  const { body: world } = await askControl(sim, 'POST', '/worlds')
  expect(world).toMatchObject({
    url: 'https://sim.example/pod-3',
    controlUrl: `https://sim.example/pod-3/_sim/worlds/${world.id}`,
    rpc: { base: `https://sim.example/pod-3/worlds/${world.id}/rpc/base` },
  })
  const headers = { authorization: `Bearer ${world.apiKey}` }
  const connectAt = async (path: string, given = {}) =>
    ((await (await fetch(`${sim.url}${path}`, { headers: given })).json()) as { url: string }).url
  for (const path of [
    '/_sim/connect',
    '/pod-3/_sim/connect',
    `/pod-3/_sim/worlds/${world.id}/connect`,
  ])
    expect(await connectAt(path), path).toBe('https://sim.example/pod-3')
  expect(await connectAt('/pod-3/_sim/connect', headers)).toBe('https://sim.example/pod-3')
  expect((await fetch(`${sim.url}/pod-3/accounts`, { headers })).status).toBe(200)
  expect((await fetch(`${sim.url}/pod-31/accounts`, { headers })).status).toBe(404)
  const socket = new WebSocket(
    `${sim.url.replace('http', 'ws')}/pod-3/worlds/${world.id}/rpc/base`,
    { headers },
  )
  await once(socket, 'open')
  socket.close()
  await once(socket, 'close')
  const { port } = new URL(sim.url)
  const host = { host: 'sim.example' }
  const named = request({ port, path: '/_sim', headers: host })
  named.end()
  const [response] = (await once(named, 'response')) as [IncomingMessage]
  expect(response.resume().statusCode).toBe(200)
})

test('error: what cannot be advertised', async () => {
  await start({})
  for (const advertise of ['sim.example', 'ftp://x', 'http://x?y', 'http://x#y', 'http://a:b@x'])
    await expect(createSimulator({ advertise }), advertise).rejects.toThrow(
      'must be an http:// or https:// address, with a path or without',
    )
})

test('behavior: leaseWorld renews by itself, waits where all are taken, and gives back when it is closed', async () => {
  await start({ maxWorlds: 1 })
  vi.stubEnv('SVC_CONTROL_URL', sim.controlUrl)
  const first = await leaseWorld({ leaseSeconds: 1 })
  const until = async () => (await askControl(sim, 'GET', `/worlds/${first.id}`)).body.lease_until
  const begin = await until()
  await vi.waitFor(
    async () => expect(Date.parse(await until())).toBeGreaterThan(Date.parse(begin) + 2_000),
    30_000,
  )
  const second = leaseWorld()
  await vi.waitFor(async () => expect(await counts()).toMatchObject({ waiting: 1 }), 10_000)
  await first.close()
  expect((await second).id).not.toBe(first.id)
  await expect((await second).restore('snp_99')).rejects.toMatchObject({
    ...{ name: 'RefusedError', status: 404, code: 'not_found' },
    hint: expect.stringMatching(/^Existing snapshots: none\. /),
  })
  await (await second).close()
  await expect(
    first.fund({ address: `0x${'11'.repeat(20)}`, asset: 'USDC', amount: 1n, network: 'base' }),
  ).rejects.toThrow(`There is no world ${first.id}`)
  vi.unstubAllEnvs()
})

test('error: what a world cannot begin with is refused, by the name of the field', async () => {
  await start({ maxWorlds: 2 })
  const bad: [body: unknown, message: string | RegExp][] = [
    [{ name: '' }, 'name must be a text of 1 to 200 characters'],
    [{ name: 'x'.repeat(201) }, 'name must be a text of 1 to 200 characters'],
    [{ seed: -1 }, 'seed must be a whole number'],
    [{ seed: '1x' }, 'seed must be a whole number'],
    [{ seed: 2 ** 53 }, /^seed must be a whole number[^;]*$/],
    [{ fork: 'x' }, 'fork must be an object that gives networks their endpoints, such as'],
    [{ fork: { nowhere: 'x' } }, 'there is no network nowhere, networks are mainnet, base'],
    [{ clock: 'stopped' }, 'clock must be real, auto, frozen, or frozen@'],
    [{ clock: 'frozen@2001-01-01T00:00:00Z' }, 'clock: The clock cannot be frozen at'],
    [{ fork: { base: 'ftp://x' } }, 'fork.base'],
    [{ fork: { moon: 'http://x' } }, 'fork'],
    [{ fork: { base: 'http://127.0.0.1:1' } }, 'fork: '],
    [{ bundle: 7 }, 'bundle must be the path of a folder'],
    [{ bundle: '/nowhere' }, 'bundle: /nowhere is no bundle'],
    [{ scenario: 7 }, 'scenario must be the content of a scenario file'],
    [{ scenario: { name: 'x', given: { moons: 1 } } }, 'given.moons: "moons" is unknown here'],
    [{ scenario: { name: 'x', given: { prices: { GOLD: 1 } } } }, 'scenario cannot be armed'],
    [
      { lease_seconds: 0 },
      'lease_seconds must be a whole number of seconds from 1 to 86400, received 0',
    ],
  ]
  for (const [body, message] of bad) {
    const answer = await askControl(sim, 'POST', '/worlds', body)
    expect(answer, JSON.stringify(body)).toMatchObject({
      status: 400,
      body: { error: 'invalid_params' },
    })
    expect(answer.body.message).toMatch(message)
  }
  // None of them has taken anything away.
  await vi.waitFor(async () => expect((await counts()).starting).toBe(0), 30_000)
  const both = await Promise.all([1, 2].map(() => askControl(sim, 'POST', '/worlds')))
  expect(both.map(({ status }) => status)).toEqual([201, 201])
  const [world] = both
  expect(await askControl(sim, 'POST', `/worlds/${world!.body.id}/worlds`)).toMatchObject({
    status: 404,
    body: { message: 'A leased world cannot lease worlds' },
  })
})

test('error: the key of a world that is over changes nothing in the first world, by HTTP or WebSocket, and every route says why', async () => {
  await start({ worlds: 1, maxWorlds: 2 })
  const user = await openUser(sim)
  const { apiKey, id } = (await askControl(sim, 'POST', '/worlds')).body
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const call = (path: string, body?: unknown) =>
    fetch(`${sim.url}${path}`, {
      method: 'POST',
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const read = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
  expect((await call('/rpc/base', read)).status).toBe(200)
  await askControl(sim, 'DELETE', `/worlds/${id}`)
  for (const [path, body] of [
    ['/_sim/reset', undefined],
    ['/_sim/clock/freeze', {}],
    ['/rpc/base', read],
    ['/accounts', { signer_type: 'eoa', signer_address: user.signer }],
  ] as const) {
    const answer = await call(path, body)
    expect([path, answer.status]).toEqual([path, 401])
    expect(await answer.json()).toMatchObject({ error: 'invalid_api_key' })
    expect(answer.headers.get('x-svc-sim-hint')).toContain('a leased world that is over')
  }
  const socket = new WebSocket(`${sim.url.replace('http', 'ws')}/rpc/base`, { headers })
  const [, refused] = await once(socket, 'unexpected-response')
  expect((refused as IncomingMessage).statusCode).toBe(401)
  expect(sim.clock.time().mode).toBe('real')
  expect((await user.api.get(user.path)).status).toBe(200)
  // Whoever has it leases another, and does what everybody may.
  expect((await call('/_sim/worlds')).status).toBe(201)
})

test('error: where there can be no worlds, who asks for one is told at once', async () => {
  await start({ maxWorlds: 0 })
  expect(await askControl(sim, 'POST', '/worlds')).toMatchObject({
    status: 429,
    body: {
      error: 'rate_limited',
      message: expect.stringContaining('it was started with --max-worlds 0'),
    },
  })
  expect((await counts()).waiting).toBe(0)
})

test('error: more worlds kept warm than there may be', async () => {
  await start({})
  await expect(createSimulator({ worlds: 3, maxWorlds: 2 })).rejects.toThrow(
    'worlds 3 are to be kept ready, and there may be 2 at most',
  )
})

test('error: nobody listens there', async () => {
  await expect(leaseWorld({ url: 'http://127.0.0.1:9' })).rejects.toThrow(
    /^No simulator answers at http:\/\/127\.0\.0\.1:9\/_sim \(.+\)\. Start one with "npx svc-sim start"/,
  )
})

test('error: a lease for which there is no world says so first: while it waits, and when it gives up', async () => {
  await start({ maxWorlds: 1 })
  const only = await leaseWorld({ url: sim.url })
  const url = sim.controlUrl
  const said = new Promise<string>((resolve) => {
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      resolve(String(text))
      return true
    })
  })
  try {
    const waiting = leaseWorld({ url: sim.url, waitSeconds: 60 })
    expect(await said).toBe(
      `svc-sim: no world is free at ${url}: waiting up to 60 s for one. Release worlds as soon as you no longer need them, or start the simulator with a higher --max-worlds.\n`,
    )
    await expect(leaseWorld({ url: sim.url, waitSeconds: 0.2 })).rejects.toThrow(
      `no world is free at ${url}: none could be leased within 0.2 s. Release worlds`,
    )
    await only.close()
    const next = await waiting
    expect(await accountsOf(next.apiKey)).toBe(200)
    await next.close()
  } finally {
    vi.restoreAllMocks()
  }
})
