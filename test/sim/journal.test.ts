import { sign } from 'viem/accounts'
import { getWebSocketRpcClient } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { journalBounds } from '../../src/observe/journal/journal.js'
import { defaultApiKey } from '../../src/simulator/options/simulatorOptions.js'
import { createClient } from '../kit/client.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', seed: 5n })
})
afterAll(() => sim.close())

const control = () => createClient({ url: sim.url, apiKey: sim.apiKey })
const earn = { asset: 'USDC', amount: '5000000', network: 'base', protocol: 'compound' }

interface Moment {
  at: string
  request_id: string
  cursor: number | null
  type: string
  title: string
  details: Record<string, unknown>
}
async function why(id: string): Promise<{ timeline: Moment[]; [field: string]: unknown }> {
  const reply = await control().get(`/_sim/why/${id}`)
  expect(reply.status).toBe(200)
  return reply.body
}
const typesOf = (timeline: readonly Moment[]) => timeline.map(({ type }) => type)

test('default: why tells a bridged plan from the request to the last event, on both networks', async () => {
  const user = await openUser(sim)
  await user.fund('arbitrum', 'USDC', 20_000_000n)
  const plan = (await user.plan('earn', earn)).body as PlanBody
  const executed = await user.execute(plan)
  await sim.clock.advance(10)
  const { activity_id, svc_intent_id } = executed.body
  const told = await why(plan.plan_id)
  expect(told).toMatchObject({
    id: plan.plan_id,
    related: { account_id: user.id, plan_id: plan.plan_id, activity_id, svc_intent_id },
    activity: { status: 'confirmed', reasons: [] },
    is_complete: true,
  })
  expect(typesOf(told.timeline)).toEqual([
    ...['request', 'plan', 'answer', 'request', 'signature', 'event'],
    ...['activity', 'answer', 'transaction', 'event', 'bridge', 'event', 'transaction', 'event'],
  ])
  const of = (type: string) => told.timeline.filter((moment) => moment.type === type)
  expect(of('plan')[0]!.details.operations).toMatchObject([
    { network: 'arbitrum', script: 'acrossDeposit', function: 'deposit' },
    { network: 'base', script: 'cometSupply', function: 'supply' },
  ])
  expect(of('transaction').map(({ details }) => details.network)).toEqual(['arbitrum', 'base'])
  const logs = of('transaction')[1]!.details.logs as { contract: string; event: string }[]
  expect(logs).toContainEqual(
    expect.objectContaining({ contract: 'Compound USDC', event: 'Supply' }),
  )
  expect(of('bridge')[0]!.title).toBe('bridge arbitrum -> base: filled')
  expect(of('event').at(-1)!.title).toContain('is confirmed')
  // By the one clock: the fill came two seconds after the deposit.
  const [first, last] = [of('transaction')[0]!.at, of('transaction')[1]!.at]
  expect(Date.parse(last) - Date.parse(first)).toBe(2000)
  const { id: number } = (await user.api.get(`/activities/${activity_id}`)).body
  const byNumber = await why(number)
  expect(byNumber).toMatchObject({ id: String(number), related: told.related })
  expect(byNumber.timeline.length).toBe((await why(activity_id)).timeline.length)
  for (const id of [activity_id, svc_intent_id])
    expect((await why(id)).timeline.length).toBeGreaterThanOrEqual(told.timeline.length - 3)
  expect((await why(user.id)).timeline.length).toBeGreaterThan(told.timeline.length)
})

test('behavior: why of a request names the account, the plan and the activity that it was about', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  const before = await sim.snapshot()
  const planned = await user.plan('earn', earn)
  const plan = planned.body as PlanBody
  const whyOf = ({ headers }: { headers: Headers }) => why(headers.get('x-svc-sim-request-id')!)
  const ofPlan = { account_id: user.id, plan_id: plan.plan_id }
  const none = { account_id: null, plan_id: null, activity_id: null, svc_intent_id: null }
  const made = await whyOf(planned)
  expect(made.related).toEqual({ ...none, ...ofPlan })
  expect(made.timeline[1]!.title).toBe(`plan ${plan.plan_id} of kind earn, 1 operation`)
  const executed = await user.execute(plan)
  const { activity_id, svc_intent_id } = executed.body
  await user.follow(activity_id)
  const related = { ...ofPlan, activity_id, svc_intent_id }
  expect(await whyOf(executed)).toMatchObject({ related, activity: { status: 'confirmed' } })
  // The plan is in an activity by now. What the request itself did has not become more.
  const later = await whyOf(planned)
  expect(later.related).toEqual(related)
  expect(typesOf(later.timeline)).toEqual(['request', 'plan', 'answer'])
  const read = await user.api.get(`${user.path}/folio?cached=true`)
  expect((await whyOf(read)).related).toEqual({ ...none, account_id: user.id })
  expect((await whyOf(await user.api.get('/networks'))).related).toEqual(none)
  // What a restore has undone is no more; whose it was stays.
  await sim.restore(before)
  expect((await whyOf(executed)).related).toEqual({ ...none, account_id: user.id })
})

test('behavior: why shows the decoded reason of a revert, and the fault that caused it', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  const plan = (await user.plan('earn', earn)).body as PlanBody
  await sim.faults.add({ id: 'revert_once', on: 'execute', effect: 'revert', times: 1 })
  const executed = await user.execute(plan)
  await sim.clock.advance(0)
  const told = await why(executed.body.activity_id)
  expect(told.activity).toMatchObject({ status: 'failed' })
  const reverted = told.timeline.find(({ title }) => title.includes('reverted'))!
  expect(reverted.title).toContain('Nonce')
  expect(told.timeline.map(({ title }) => title)).toContain(
    'fault rule revert_once fired: execute.revert by nonce',
  )
  await sim.faults.clear()
})

test('behavior: why tells of a second transaction of the same operations like of the first, with its reason', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  const plan = (await user.plan('earn', earn)).body as PlanBody
  await sim.faults.add({ on: 'execute', effect: 'duplicate', times: 1 })
  const executed = await user.execute(plan)
  await sim.clock.advance(0)
  await sim.faults.clear()
  const { timeline } = await why(executed.body.activity_id)
  const [second, first] = timeline.filter(({ type }) => type === 'transaction')
  expect(first!.title).toMatch(/^transaction on base: mined 0x[0-9a-f]{64}$/)
  expect(second!.title).toMatch(
    /^transaction on base: reverted 0x[0-9a-f]{64} \(NonReplayableNonce\(.*\)\), because fault_1 \(execute\.duplicate\) sent the same operations twice$/,
  )
  const { activity_id } = executed.body
  expect(second!.details).toMatchObject({ activity_id, operations: first!.details.operations })
})

test('behavior: a refused request is told with code, message and hint, also by its own id', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  const { plan_id, details } = (await user.plan('earn', earn)).body as PlanBody
  const hash = details.eip712_data.digest
  const signature = await sign({ hash, privateKey: `0x${'11'.repeat(32)}`, to: 'hex' })
  const refused = await user.api.post(`${user.path}/plan/execute`, { plan_id, signature })
  const told = await why(refused.headers.get('x-svc-sim-request-id')!)
  expect(told.timeline.at(-1)).toMatchObject({
    type: 'answer',
    title: '500 internal_error',
    details: { hint: expect.stringContaining('recovered') },
  })
})

test('error: nothing is known of an id', async () => {
  expect(await control().get('/_sim/why/pln_000000000000')).toMatchObject({
    status: 404,
    body: { error: 'not_found' },
  })
})

test.each([
  ...[
    'a',
    'e',
    '%20',
    'req_',
    'acc_%25',
    '..%2f..',
    '%F0%9F%92%A5',
    '0',
    '-1',
    '1e3',
    'svc-sim',
    '__proto__',
  ],
  ...['9'.repeat(64), 'x'.repeat(64), 'PLN_000000000000'],
])('error: what is no id explains nothing: %s', async (text) => {
  await control().get('/networks')
  const { status, body } = await control().get(`/_sim/why/${text}`)
  expect({ status, error: body.error }).toEqual({ status: 404, error: 'not_found' })
  expect(body.message).toContain('Nothing is known of')
})

test('error: an id that is too long', async () => {
  const reply = await control().get(`/_sim/why/acc_${'0'.repeat(5_000)}`)
  expect(reply).toMatchObject({
    status: 400,
    body: { message: 'An id has at most 66 characters, but this one has 5004' },
  })
})

test('default: the journal pages by cursor, and by account', async () => {
  const user = await openUser(sim)
  const { body: before } = await control().get('/_sim/journal?limit=1')
  await user.api.get(`${user.path}/folio`)
  await user.api.post(`${user.path}/plan/earn`, { nonsense: true })
  await control().get('/_sim/clock')
  const { body } = await control().get(`/_sim/journal?since=${before.cursor}`)
  expect(
    body.exchanges.map(({ method, url }: Record<string, string>) => `${method} ${url}`),
  ).toEqual([`GET ${user.path}/folio`, `POST ${user.path}/plan/earn`, 'GET /_sim/clock'])
  expect(body.exchanges[1]).toMatchObject({
    body: { nonsense: true },
    answer: { status: 400, body: { error: 'invalid_params' }, cut: false },
  })
  const own = await control().get(`/_sim/journal?since=${before.cursor}&account_id=${user.id}`)
  expect(own.body.exchanges).toHaveLength(2)
  // Nothing is missed by who takes one at a time.
  const first = await control().get(`/_sim/journal?since=${before.cursor}&limit=1`)
  expect(first.body.exchanges).toEqual(body.exchanges.slice(0, 1))
  const second = await control().get(`/_sim/journal?since=${first.body.cursor}&limit=1`)
  expect(second.body.exchanges).toEqual(body.exchanges.slice(1, 2))
  const rest = await control().get(`/_sim/journal?since=${body.cursor}`)
  expect(rest.body).toMatchObject({ exchanges: [], cursor: body.cursor })
})

test('behavior: how long each took is told to who asks: it is never the same twice', async () => {
  await control().get('/_sim/clock')
  const usual = await control().get('/_sim/journal?limit=1')
  expect(usual.body.exchanges[0].answer).not.toHaveProperty('took_ms')
  const timed = await control().get('/_sim/journal?limit=1&durations=true')
  expect(timed.body.exchanges[0].answer.took_ms).toEqual(expect.any(Number))
})

test.each([
  ...[
    'since=-1',
    'since=x',
    'since=1e3',
    'since=%205',
    'since=%2B5',
    'since=0x10',
    'since=',
    'since=05',
  ],
  ...[
    'since=1&since=2',
    'since=9007199254740992',
    'limit=0',
    'limit=1001',
    'limit=1.5',
    'limit=1e1',
  ],
  ...[
    'limit=',
    'limit=1&limit=1',
    'account_id=',
    'account_id=a',
    'account_id=acc_1&account_id=acc_2',
  ],
])('error: journal?%s', async (query) => {
  const reply = await control().get(`/_sim/journal?${query}`)
  expect(reply).toMatchObject({ status: 400, body: { error: 'invalid_params' } })
})

test('behavior: no key is in the journal, wherever it was sent', async () => {
  await control().get('/accounts')
  await control().post('/accounts', { signer_type: 'eoa', signer_address: defaultApiKey })
  await control().get(`/accounts/${defaultApiKey}/folio`)
  const { body } = await control().get('/_sim/journal?limit=1000')
  const text = JSON.stringify(body)
  expect(text).not.toContain(defaultApiKey)
  expect(text).toContain('qk_local0_***')
  expect(text.toLowerCase()).not.toContain('bearer')
})

test('default: coverage counts what was answered, and survives a reset', async () => {
  await control().get('/networks', { apiKey: 'nobody' })
  const cell = async () => {
    const { body } = await control().get('/_sim/coverage')
    return body.cells.find(
      (each: { endpoint: string; code: string | null }) =>
        each.endpoint === 'networks' && each.code === 'invalid_api_key',
    )
  }
  const before = await cell()
  expect(before).toMatchObject({ method: 'GET', path: '/networks', status: 401 })
  expect(before.hits).toBeGreaterThan(0)
  await sim.reset()
  expect((await cell()).hits).toBe(before.hits)
})

test('behavior: what a person does in the dashboard is journaled and meets faults, and coverage leaves it out', async () => {
  const hits = async () => {
    const { cells } = (await control().get('/_sim/coverage')).body
    return cells.map((each: { hits: number }) => each.hits).reduce((a: number, b: number) => a + b)
  }
  const before = await hits()
  sim.faults.set([{ id: 'met', on: 'request', effect: { respond: { error: 'not_found' } } }])
  const headers = { authorization: `Bearer ${sim.apiKey}`, 'x-svc-sim-viewer': 'click' }
  const { status } = await fetch(`${sim.url}/networks?by=click`, { headers })
  expect(status).toBe(404)
  expect(await hits()).toBe(before)
  const { body } = await control().get('/_sim/journal?limit=1000')
  expect(body.exchanges.map(({ url }: { url: string }) => url)).toContain('/networks?by=click')
  sim.faults.clear()
})

test('behavior: the timeline of an activity has the reads that brought its events, apart from those that brought none', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  const plan = (await user.plan('earn', earn)).body as PlanBody
  const { activity_id } = (await user.execute(plan)).body
  await user.follow(activity_id)
  for (let i = 0; i < 4; i++) await user.api.get(`${user.path}/events?since=0`)
  const { timeline } = await why(activity_id)
  const brought = timeline.filter(({ details }) => details.events)
  expect(brought.flatMap(({ details }) => details.events)).toEqual([
    `${activity_id} is pending`,
    `${activity_id} is confirmed`,
  ])
  expect(timeline.at(-1)).toMatchObject({ type: 'reads', details: { times: 4 } })
})

test('behavior: the timeline of an activity has its events alone, though a read returned those of another one', async () => {
  const [user, other] = [await openUser(sim), await openUser(sim)]
  const ids: string[] = []
  for (const each of [user, other, user]) {
    await each.fund('base', 'USDC', 5_000_000n)
    ids.push((await each.run('earn', earn)).activity.activity_id)
  }
  const { body } = await user.api.get(`${user.path}/events?since=0`)
  expect(body.events).toHaveLength(4)
  for (const id of [ids[0]!, ids[2]!]) {
    const { timeline } = await why(id)
    const events = timeline.filter(({ type }) => type === 'event')
    expect(events.map(({ details }) => [details.activity_id, details.activity_status])).toEqual([
      [id, 'pending'],
      [id, 'confirmed'],
    ])
    const brought = timeline.filter(({ details }) => details.events)
    expect(brought.flatMap(({ details }) => details.events)).toEqual([
      `${id} is pending`,
      `${id} is confirmed`,
    ])
    const reads = new Set(brought.map(({ request_id }) => request_id))
    for (const { details } of events) expect(reads).toContain(details.returned_by)
  }
  // The clock is frozen: all of them happened in the same second.
  const { events } = (await control().get('/_sim/overview')).body
  expect(
    events
      .slice(0, 6)
      .map((event: Record<string, string>) => [event.activity_id, event.activity_status]),
  ).toEqual(
    ids.toReversed().flatMap((id) => [
      [id, 'confirmed'],
      [id, 'pending'],
    ]),
  )
})

/** What one life leaves in the journal, from `cursor` on; counted from there, and without what no two requests share. */
async function lifeFrom(cursor: number): Promise<unknown> {
  const { body } = await control().get(`/_sim/journal?since=${cursor}&limit=1000`)
  return (body.exchanges as Exchange[]).map(
    ({ cursor: at, request_id, headers, answer, ...rest }) => {
      const { [requestIdHeader]: _, ...answered } = answer.headers
      return { at: at - cursor, ...rest, answer: { ...answer, headers: answered } }
    },
  )
}
const requestIdHeader = 'x-svc-sim-request-id'
interface Exchange {
  cursor: number
  request_id: string
  headers: Record<string, string>
  answer: { headers: Record<string, string> }
}

test('behavior: equal runs leave equal journals and timelines, also of plans that send on four networks', async () => {
  const runs: unknown[] = []
  for (let run = 0; run < 4; run++) {
    await sim.reset()
    const { cursor } = (await control().get('/_sim/journal?limit=1')).body
    const user = await openUser(sim, `0x${'5e'.repeat(32)}`)
    for (const network of ['arbitrum', 'optimism', 'polygon', 'base'] as const)
      await user.fund(network, 'USDC', 11_000_000n)
    const plan = (await user.plan('earn', { ...earn, amount: '40000000' })).body as PlanBody
    expect(plan.details.svc_operation_actions).toHaveLength(4)
    const { activity_id } = (await user.execute(plan)).body
    await user.api.get(`${user.path}/events`)
    await sim.clock.advance(10)
    await user.api.get(`${user.path}/events`)
    const { timeline } = await why(activity_id)
    // The ids are those of the run before, whose life ends with the reset.
    const begun = timeline.findLastIndex(({ type }) => type === 'reset') + 1
    const told = timeline
      .slice(begun)
      .map(({ request_id, cursor: of, details: { body: _, ...details }, ...rest }) => ({
        ...{ ...rest, details },
        of: of && of - cursor,
      }))
    const life = await lifeFrom(cursor)
    const { id: snapshot } = (await control().post('/_sim/snapshots', {})).body
    expect(snapshot).toBe('snp_1')
    runs.push({ life, told })
  }
  for (const run of runs.slice(1)) expect(run).toEqual(runs[0])
})

test('behavior: what /rpc changed is in the journal, over HTTP and WebSocket; what it only read is not', async () => {
  const { cursor } = (await control().get('/_sim/journal?limit=1')).body
  const base = sim.rpc('base')
  const wallet = '0x00000000000000000000000000000000000f41e7'
  const request = (id: number, method: string, params: unknown[]) => ({
    ...{ jsonrpc: '2.0', id, method, params },
  })
  const headers = { 'content-type': 'application/json' }
  const post = (body: unknown) =>
    fetch(base, { method: 'POST', headers, body: JSON.stringify(body) })
  await post(request(1, 'eth_blockNumber', []))
  const batch = await post([
    request(1, 'eth_blockNumber', []),
    request(2, 'anvil_setBalance', [wallet, '0x7']),
    request(3, 'evm_mine', []),
    request(4, 'anvil_setBalance', ['nobody', '0x7']),
  ])
  expect(await batch.json()).toHaveLength(4)
  const socket = await getWebSocketRpcClient(base.replace(/^http/, 'ws'))
  await socket.requestAsync({ body: { method: 'eth_chainId' } })
  await socket.requestAsync({ body: { method: 'hardhat_setNonce', params: [wallet, '0x1'] } })
  socket.close()
  const { body } = await control().get(`/_sim/journal?since=${cursor}`)
  const shown = body.exchanges.map(
    ({ url, body: sent, notes }: { url: string; body: unknown; notes: unknown[] }) => ({
      ...{ url, notes },
      methods: [sent].flat().map((each) => (each as { method: string }).method),
    }),
  )
  const noteOf = (method: string) => ({ type: 'rpc', network: 'base', method })
  expect(shown).toMatchObject([
    {
      url: '/rpc/base',
      methods: ['anvil_setBalance', 'evm_mine', 'anvil_setBalance'],
      notes: [noteOf('anvil_setBalance'), noteOf('evm_mine')],
    },
    { url: '/rpc/base', methods: ['hardhat_setNonce'], notes: [noteOf('hardhat_setNonce')] },
  ])
  expect(body.exchanges[0].request_id).toBe(batch.headers.get('x-svc-sim-request-id'))
  // An earlier test may have had a request of this id.
  expect((await why(body.exchanges[0].request_id)).now).toMatch(
    /^returned 200(\. The same id was used before|$)/,
  )
})

test('behavior: a refusal belongs to the plan that was refused, and not to the one that was executed', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 20_000_000n)
  const first = (await user.plan('earn', earn)).body as PlanBody
  const second = (await user.plan('earn', earn)).body as PlanBody
  await user.execute(first)
  await sim.clock.advance(0)
  expect((await user.execute(second)).status).toBe(409)
  expect(typesOf((await why(first.plan_id)).timeline)).not.toContain('cause')
  expect(typesOf((await why(second.plan_id)).timeline)).toContain('cause')
})

test('behavior: more reads than the journal keeps leave a refusal and the timeline of its plan', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 20_000_000n)
  const second = await user.plan('earn', earn)
  await user.execute((await user.plan('earn', earn)).body as PlanBody)
  const refused = await user.execute(second.body as PlanBody)
  const { timeline } = await why(second.body.plan_id)
  for (let read = 0; read < journalBounds.reads + 300; read += 100)
    await Promise.all(Array.from({ length: 100 }, () => control().get('/networks')))
  expect((await why(second.body.plan_id)).timeline).toEqual(timeline)
  const { body } = await control().get(`/_sim/journal?account_id=${user.id}`)
  expect([refused.status, body.dropped > 0]).toEqual([409, true])
  const request_id = refused.headers.get(requestIdHeader)
  expect(body.exchanges).toContainEqual(expect.objectContaining({ request_id }))
})
