import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createClient } from '../kit/client.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser } from '../kit/user.js'

/** Rules and their counting, the control routes, the request header, and what goes wrong with requests as such. */

let sim: SimulatorHandle
let user: Awaited<ReturnType<typeof openUser>>
let control: ReturnType<typeof createClient>

beforeAll(async () => {
  sim = await createSimulator({ seed: 7n })
  control = createClient({ url: sim.url, apiKey: sim.apiKey })
  user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

const put = (rules: unknown) =>
  control.send('PUT', '/_sim/faults', JSON.stringify(rules), {
    headers: { 'content-type': 'application/json' },
  })
const networks = () => user.api.get('/networks').then(({ status }) => status)

/** As a client without the document's checks sees it. */
const raw = (path: string, init: RequestInit = {}) =>
  fetch(sim.url + path, {
    ...init,
    headers: { authorization: `Bearer ${sim.apiKey}`, ...init.headers },
  })

const transfer = {
  asset: 'USDC',
  amount: '1000000',
  network: 'base',
  recipient: '0x00000000000000000000000000000000000f41e7',
}
const failing = { on: 'request', effect: { respond: { error: 'internal_error' } } }

test('default: a rule is added, counted, listed and removed by the control API', async () => {
  const rule = { ...failing, id: 'mine', after: 1, times: 2, match: { path: '/networks' } }
  const added = await control.post('/_sim/faults', rule)
  expect(added).toMatchObject({ status: 201, body: { ...rule, seen: 0, hits: 0 } })
  expect([await networks(), await networks(), await networks(), await networks()]).toEqual([
    200, 500, 500, 200,
  ])
  const { body } = await control.get('/_sim/faults')
  expect(body.faults).toMatchObject([{ id: 'mine', seen: 4, hits: 2 }])
  expect(sim.faults.list()).toEqual(body.faults)
  expect(await control.send('DELETE', '/_sim/faults/mine')).toMatchObject({ status: 200 })
  const gone = await control.send('DELETE', '/_sim/faults/mine')
  expect(gone).toMatchObject({ status: 404, body: { error: 'not_found' } })
})

test('behavior: a sequence says call by call what happens', async () => {
  const { respond } = { respond: { error: 'internal_error' } }
  await sim.faults.add({
    on: 'request',
    match: { path: '/networks' },
    sequence: ['ok', { respond }, { respond: { error: 'invalid_api_key' } }, 'ok x2', { respond }],
  })
  const met: number[] = []
  for (let call = 0; call < 7; call++) met.push(await networks())
  expect(met).toEqual([200, 500, 401, 200, 200, 500, 200])
})

test('behavior: probability draws from the seed: another simulator of the seed draws the same', async () => {
  const draw = async (of: SimulatorHandle): Promise<number[]> => {
    await of.faults.add({ ...failing, id: 'dice', probability: 0.5 })
    const api = createClient({ url: of.url, apiKey: of.apiKey })
    const met: number[] = []
    for (let call = 0; call < 24; call++) met.push((await api.get('/networks')).status)
    return met
  }
  await using other = await createSimulator({ seed: 7n })
  const drawn = await draw(sim)
  expect(drawn).toEqual(await draw(other))
  expect(new Set(drawn)).toEqual(new Set([200, 500]))
})

test('behavior: answers name the rules that fired, in order; hits of rules behind are counted too', async () => {
  await put([
    { id: 'first', on: 'request', effect: { latency: { ms: 1 } } },
    { ...failing, id: 'second' },
    { ...failing, id: 'other', match: { method: 'POST' } },
  ])
  const { headers, status } = await user.api.get('/networks')
  expect([status, headers.get('x-svc-sim-fault')]).toEqual([500, 'first, second'])
  await sim.faults.clear()
  expect((await user.api.get('/networks')).headers.get('x-svc-sim-fault')).toBe(null)
})

test('behavior: a request carries its own rule, as JSON or in short, for itself alone', async () => {
  const json = JSON.stringify({ ...failing, id: 'own' })
  const own = await user.api.get('/networks', { headers: { 'x-svc-sim-fault': json } })
  expect([own.status, own.headers.get('x-svc-sim-fault')]).toEqual([500, 'own'])
  expect([await networks(), sim.faults.list()]).toEqual([200, []])
  const plan = await user.api.post(`${user.path}/plan/transfer`, transfer, {
    headers: { 'x-svc-sim-fault': 'request.latency' },
  })
  expect(plan).toMatchObject({ status: 400, body: { message: expect.stringContaining('ms') } })
  await expect(
    user.api.get('/networks', { headers: { 'x-svc-sim-fault': 'request.reset_before' } }),
  ).rejects.toThrow()
})

test('error: a malformed header: 400, and nothing has happened', async () => {
  const body = { signer_type: 'eoa', signer_address: privateKeyToAddress(generatePrivateKey()) }
  for (const header of ['{', 'request', 'request.sulk', 'nowhere.latency', '{"on":"request"}']) {
    const options = { headers: { 'x-svc-sim-fault': header } }
    const answer = await user.api.post('/accounts', body, options)
    expect(answer, header).toMatchObject({ status: 400, body: { error: 'invalid_params' } })
  }
  expect((await user.api.post('/accounts', body)).status).toBe(201)
})

test('behavior: latency waits before anything is done, and ends with its rule', async () => {
  await sim.faults.add({ id: 'slow', on: 'request', effect: { latency: { ms: 600_000 } } })
  const waiting = networks()
  while (sim.faults.list()[0]!.hits === 0) await control.get('/_sim/faults')
  await sim.faults.remove('slow')
  expect(await waiting).toBe(200)
})

test('behavior: hang: no answer until the client gives up; a snapshot is not held up by it', async () => {
  await sim.faults.add({ id: 'dead', on: 'request', effect: 'hang', match: { method: 'GET' } })
  const patience = new AbortController()
  const hanging = raw('/networks', { signal: patience.signal })
  const left = expect(hanging).rejects.toThrow('abort')
  while (sim.faults.list()[0]!.hits === 0) await control.get('/_sim/faults')
  await sim.snapshot()
  patience.abort()
  await left
})

test('behavior: crash: no response, and with done the request was carried out', async () => {
  const accountOf = () => ({
    signer_type: 'eoa',
    signer_address: privateKeyToAddress(generatePrivateKey()),
  })
  for (const [effect, then] of [
    ['crash', 201],
    [{ crash: { done: true } }, 409],
  ] as const) {
    await sim.faults.set([{ on: 'request', effect, match: { path: '/accounts' }, times: 1 }])
    const patience = new AbortController()
    const [body, signal] = [accountOf(), patience.signal]
    const dying = raw('/accounts', {
      ...{ method: 'POST', body: JSON.stringify(body), signal },
      headers: { 'content-type': 'application/json' },
    })
    const died = expect(dying).rejects.toThrow('abort')
    await vi.waitFor(() => expect(sim.faults.list()).toMatchObject([{ hits: 1 }]))
    patience.abort()
    await died
    await vi.waitFor(async () => expect((await user.api.post('/accounts', body)).status).toBe(then))
  }
})

test('behavior: outage: 503 until its time is over, by the clock where that is ahead; what comes later is no hit', async () => {
  await sim.faults.add({ on: 'request', effect: { outage: { ms: 600_000 } } })
  const away = await raw('/networks')
  expect(away.status).toBe(503)
  expect(await away.json()).toEqual({
    error: 'internal_error',
    message: 'The service is unavailable',
  })
  expect(away.headers.get('x-svc-sim-hint')).toContain('Send it again with pauses that grow')
  expect((await raw('/markets')).status).toBe(503)
  const { id, ends, over } = sim.faults.list()[0]!
  expect([typeof ends, over]).toEqual(['string', undefined])
  await sim.clock.advance(600)
  // Before anything is sent: the end is recorded when it comes.
  expect(sim.faults.list()).toMatchObject([{ seen: 2, hits: 2, over: true }])
  expect(Date.parse(sim.faults.list()[0]!.ends!)).toBeLessThan(Date.parse(ends!))
  expect(await networks()).toBe(200)
  expect(sim.faults.list()).toMatchObject([{ seen: 3, hits: 2, over: true }])
  const { body } = await control.get(`/_sim/why/${id}`)
  expect(body).toMatchObject({
    now: expect.stringMatching(
      /^fault rule request\.outage {"ms":600000} is over: its 600000 ms have passed, and it holds nothing; it fired at GET \/networks \(req_\w+\), GET \/markets /,
    ),
    verdict: { outcome: 'ended', next: null },
  })
})

test('behavior: an outage begins with its first request, ends by the machine’s time as well, and begins again after a restore', async () => {
  await sim.faults.add({ on: 'request', effect: { outage: { ms: 1 } } })
  const saved = await sim.snapshot()
  const listed = () => sim.faults.list()[0]!
  for (const round of [1, 2]) {
    expect(listed().ends).toBeUndefined()
    expect((await raw('/networks')).status).toBe(503)
    await expect.poll(() => listed().over).toBe(true)
    expect(await networks()).toBe(200)
    expect(listed()).toMatchObject({ seen: 2, hits: 1, over: true })
    if (round === 1) await sim.restore(saved)
  }
  // A sequence is over when none of its steps can fire any more.
  await sim.faults.set([
    { on: 'request', sequence: [{ outage: { ms: 1 } }, 'ok', { outage: { ms: 600_000 } }] },
  ])
  expect([(await raw('/networks')).status, await networks()]).toEqual([503, 200])
  expect(listed().over).toBeUndefined()
  await sim.clock.advance(600)
  expect(listed()).toMatchObject({ seen: 2, hits: 1, over: true })
  expect(await networks()).toBe(200)
})

test('behavior: reset_before has done nothing, reset_after has done all', async () => {
  const [before, after] = [generatePrivateKey(), generatePrivateKey()].map((key) => ({
    signer_type: 'eoa',
    signer_address: privateKeyToAddress(key),
  }))
  const carrying = (effect: string) => ({ headers: { 'x-svc-sim-fault': `request.${effect}` } })
  await expect(user.api.post('/accounts', before, carrying('reset_before'))).rejects.toThrow()
  expect((await user.api.post('/accounts', before)).status).toBe(201)
  await expect(user.api.post('/accounts', after, carrying('reset_after'))).rejects.toThrow()
  expect((await user.api.post('/accounts', after)).status).toBe(409)
})

test('behavior: a refusal whose connection a second rule cuts is recorded as cut: the client has no answer', async () => {
  await sim.faults.add({ on: 'request', effect: 'reset_after', times: 1 })
  await sim.faults.add({ on: 'request', effect: { rate_limit: { retry_after: 1 } }, times: 1 })
  const since = (await control.get('/_sim/journal?limit=1')).body.cursor
  await expect(raw('/networks')).rejects.toThrow()
  expect(await networks()).toBe(200)
  const { exchanges } = (await control.get(`/_sim/journal?since=${since}`)).body
  const asked = exchanges.filter(({ url }: { url: string }) => url === '/networks')
  expect(asked.map(({ answer }: { answer: object }) => answer)).toMatchObject([
    { status: 429, cut: true },
    { status: 200, cut: false },
  ])
})

test('behavior: coverage does not count a refusal whose connection was cut', async () => {
  const met = async (): Promise<number[]> => {
    const { cells } = (await control.get('/_sim/coverage')).body
    return cells
      .filter(
        ({ method, path, code }: Record<string, unknown>) =>
          method === 'POST' && path === '/accounts' && code === 'invalid_params',
      )
      .map(({ hits }: { hits: number }) => hits)
  }
  const [before] = await met()
  const body = JSON.stringify({ signer_type: 'eoa', signer_address: 'none' })
  const wrong = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
  const headers = { ...wrong.headers, 'x-svc-sim-fault': 'request.reset_after' }
  await expect(raw('/accounts', { ...wrong, headers })).rejects.toThrow()
  expect(await met()).toEqual([before])
  expect((await raw('/accounts', wrong)).status).toBe(400)
  expect(await met()).toEqual([before! + 1])
})

test('behavior: truncate: head and half of the body, then the end', async () => {
  const whole = await raw('/networks').then((answer) => answer.text())
  const answer = await raw('/networks', { headers: { 'x-svc-sim-fault': 'request.truncate' } })
  expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(whole.length)])
  await expect(answer.text()).rejects.toThrow()
})

test('behavior: rate_limit: 429 and when to come again', async () => {
  const limited = { on: 'request', effect: { rate_limit: { retry_after: 7 } } }
  await sim.faults.add({ ...limited, times: 1 })
  const answer = await raw('/networks')
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7'])
  expect(await answer.json()).toMatchObject({ error: 'rate_limited' })
  expect(await networks()).toBe(200)
})

test('behavior: PUT takes all rules or none', async () => {
  await sim.faults.add({ ...failing, id: 'before', match: { path: '/assets' } })
  const bad = await put([
    { ...failing, id: 'new' },
    { on: 'request', effect: 'sulk' },
  ])
  expect(bad).toMatchObject({ status: 400, body: { error: 'invalid_params' } })
  expect(sim.faults.list()).toMatchObject([{ id: 'before' }])
  expect(
    await put([
      { ...failing, id: 'x' },
      { ...failing, id: 'x' },
    ]),
  ).toMatchObject({ status: 400 })
  expect(await put({})).toMatchObject({ status: 400 })
  expect(sim.faults.list()).toMatchObject([{ id: 'before' }])
  expect(await put([{ ...failing, id: 'new' }])).toMatchObject({
    status: 200,
    body: { faults: [{ id: 'new', seen: 0 }] },
  })
  expect((await control.send('DELETE', '/_sim/faults')).body.faults).toMatchObject([{ id: 'new' }])
  expect(sim.faults.list()).toEqual([])
})

test('behavior: rules and their counters are part of snapshots; a reset leaves none', async () => {
  await sim.faults.add({ ...failing, id: 'kept', times: 2, match: { path: '/networks' } })
  expect(await networks()).toBe(500)
  const id = await sim.snapshot()
  expect([await networks(), await networks()]).toEqual([500, 200])
  await sim.faults.clear()
  await sim.faults.add({ ...failing, id: 'late' })
  await sim.restore(id)
  expect(sim.faults.list()).toMatchObject([{ id: 'kept', seen: 1, hits: 1 }])
  expect([await networks(), await networks()]).toEqual([500, 200])
  await sim.reset()
  expect(sim.faults.list()).toEqual([])
  user = await openUser(sim)
})

test('error: rules that can never fire, or name what is not there', async () => {
  const stale = { respond: { error: 'plan_stale' } }
  const refused: [Record<string, unknown>, string][] = [
    [{ ...failing, times: 0 }, 'times'],
    [{ ...failing, probability: 0 }, 'probability'],
    [{ ...failing, match: { path: '/acounts' } }, 'no request at this seam is /acounts'],
    [{ ...failing, match: { path: '/networks', method: 'POST' } }, 'POST /networks'],
    [{ ...failing, match: { kind: 'earning' } }, 'there is no plan kind "earning"; kinds: earn'],
    [{ ...failing, match: { kind: 'swap-*' } }, 'there is no plan kind "swap-*"'],
    [{ ...failing, match: { path: '/networks', network: 'base' } }, 'and names its network'],
    [{ ...failing, match: { path: '/accounts/*/plan/execute', asset: 'USDC' } }, 'names its asset'],
    [
      { on: 'quote', effect: 'drain', match: { path: '*/earn' } },
      'no request at this seam is */earn',
    ],
    [{ ...failing, match: { asset: 'DOGE' } }, 'there is no asset "DOGE"'],
    [{ ...failing, match: { asset: 'POL', network: 'base' } }, 'no asset "POL" on base'],
    [{ ...failing, match: { account_id: 'acc_nobody00000' } }, 'there is no account'],
    [{ ...failing, match: { network: 'gnosis' } }, 'match.network'],
    [{ ...failing, match: { signer: 'x' } }, 'signer'],
    [{ on: 'request', effect: stale, match: { kind: 'earn' } }, 'they return invalid_params'],
    [
      { on: 'plan', sequence: ['stale', { stale: { by: 'price' } }], match: { kind: 'earn' } },
      'no request at this seam is of kind earn; its requests: POST /accounts/:account_id/plan/swap',
    ],
    [{ on: 'request', effect: { respond: { error: 'teapot' } } }, 'request.respond do not fit'],
    [{ on: 'request', effect: 'latency' }, 'request.latency do not fit: ms'],
    [{ on: 'request', effect: { hang: { ms: 1 } } }, 'request.hang do not fit'],
    [{ on: 'request' }, 'exactly one of "effect" and "sequence"'],
    [{ on: 'request', sequence: ['ok', 'ok x2'] }, 'this sequence never fires'],
    [{ on: 'request', sequence: ['hang x0'] }, 'never comes'],
    [{ on: 'request', sequence: ['hang'], times: 2 }, '"times" does not apply'],
  ]
  for (const [rule, message] of refused) {
    const { status, body } = await control.post('/_sim/faults', rule)
    expect([status, body.error], message).toEqual([400, 'invalid_params'])
    expect(body.message).toContain(message)
  }
  expect(sim.faults.list()).toEqual([])
  const fitting = { on: 'request', effect: stale, match: { path: '/accounts/*/plan/execute' } }
  expect((await control.post('/_sim/faults', fitting)).status).toBe(201)
})
