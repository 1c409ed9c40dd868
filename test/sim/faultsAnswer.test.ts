import type { Hex } from 'viem'
import { sign } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { answerEffects } from '../../src/faults/effects/index.js'
import { type Answer, type Asking, askControl, askService } from '../kit/http.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type User } from '../kit/user.js'

/** Answers that the interface allows beside ours: what the client sees, and that it is understood when it goes on from there. */

const friend = '0x00000000000000000000000000000000000f41e7'
const nobody = 'acc_000000000000'
let sim: SimulatorHandle
let user: User

beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', seed: 1n })
  user = await openUser(sim)
  await user.fund('base', 'USDC', 50_000_000n)
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

const arm = (effect: string | object, more: object = {}) =>
  sim.faults.add({ on: 'answer', effect, ...more } as never)
const service = (path: string, asking?: Asking) => askService(sim, path, asking)
const transfer = (amount = '1000') => ({
  ...{ asset: 'USDC', network: 'base', recipient: friend, amount },
})
const plan = (path = user.path, body: object = transfer()) =>
  service(`${path}/plan/transfer`, { body })

async function execute(planned: Answer, { path, key }: { path: string; key: Hex } = user) {
  const hash = planned.body.details.eip712_data.digest as Hex
  const signature = await sign({ hash, privateKey: key, to: 'hex' })
  return service(`${path}/plan/execute`, { body: { plan_id: planned.body.plan_id, signature } })
}

/** Plans, executes, and lets everything that is due happen. */
async function move(who?: { path: string; key: Hex }) {
  const answer = await execute(await plan(who?.path), who)
  await sim.clock.advance(5)
  return answer
}

/** Somebody else, who signs for the account. */
const otherSigner = () => ({ path: user.path, key: `0x${'8'.repeat(64)}` as Hex })

const events = (since = 0, path = user.path) => service(`${path}/events?since=${since}`)

test('behavior: unknown_fields: every object has one more, tables of data and lists of texts have not', async () => {
  await arm('unknown_fields')
  const { body: list } = await service('/networks')
  expect(list).toHaveProperty('added_later')
  expect(list.networks).toHaveLength(5)
  for (const network of list.networks) expect(network).toHaveProperty('added_later')
  const { folio } = (await service(`${user.path}/folio`)).body
  expect(folio).toHaveProperty('added_later')
  for (const section of ['balances', 'prices', 'yield_markets', 'rewards'])
    expect(folio[section]).not.toHaveProperty('added_later')
  expect(Object.values(folio.yield_markets)[0]).toHaveProperty('added_later')
  const { assets } = (await service('/assets')).body
  expect(assets).not.toHaveProperty('added_later')
  expect(assets.USDC.networks.base).toHaveProperty('added_later')
  const refused = await service(`/accounts/${nobody}/folio`)
  expect(refused).toMatchObject({ status: 404, body: { error: 'account_not_found' } })
  expect(refused.body).toHaveProperty('added_later')
})

test('behavior: unknown_values: settling until it is confirmed, action types beyond those four', async () => {
  await arm('unknown_values')
  const planned = await plan()
  const [first] = planned.body.details.svc_operation_actions
  expect(first.action.action_context.action_type).toBe('TRANSFER_V2')
  const executed = await execute(planned)
  const path = `/activities/${executed.body.activity_id}`
  await sim.clock.advance(5)
  expect((await service(path)).body.activity_status).toBe('confirmed')
  const told = (await events()).body.events.filter(
    ({ data }: { data: { activity_id: string } }) => data.activity_id === executed.body.activity_id,
  )
  expect(
    told.map(({ data }: { data: { activity_status: string } }) => data.activity_status),
  ).toEqual(['settling', 'confirmed'])
})

test('behavior: pending_first: the first reads of an execution say pending, whichever they are, and then what is true', async () => {
  const { body } = await move()
  await arm({ pending_first: { reads: 2 } })
  const path = `/activities/${body.activity_id}`
  const first = (await service(path)).body
  expect(first).toMatchObject({ activity_status: 'pending', status: 'pending' })
  expect(first.activity_metadata).toMatchObject([
    { success: null, transaction_hash: null, activity_record_type: 'unexecuted' },
  ])
  expect(first.executions).toMatchObject([{ status: 'pending', transaction_hash: null }])
  const { activities } = (await service(`${user.path}/activities`)).body
  expect(activities[0].activity_status).toBe('pending')
  expect((await service(path)).body.activity_status).toBe('confirmed')
  await sim.faults.clear()
  await arm('pending_first')
  expect((await service(path)).body.activity_status).toBe('pending')
})

test('behavior: a rule counts a hit, and uses up its times, only at a response that it changed', async () => {
  const { id } = await arm('other_texts', { times: 1 })
  const header = async (path: string) => (await service(path)).headers.get('x-svc-sim-fault')
  // A success has no message that could be another.
  expect([await header('/networks'), await header('/networks')]).toEqual([null, null])
  expect(sim.faults.list()).toMatchObject([{ seen: 2, hits: 0 }])
  const refused = `/accounts/${nobody}`
  expect([await header(refused), await header(refused)]).toEqual([id, null])
  expect(sim.faults.list()).toMatchObject([{ seen: 4, hits: 1 }])
})

test('behavior: other_order: networks and keys in reverse, operations and parts of lists as they were', async () => {
  const usual = await service('/networks')
  const part = await service('/accounts?limit=2')
  await arm('other_order')
  const { body } = await service('/networks')
  expect(body.networks).toEqual(usual.body.networks.toReversed())
  expect(Object.keys(body.networks[0])).toEqual(Object.keys(usual.body.networks[0]).reverse())
  expect((await service('/accounts?limit=2')).body).toEqual(part.body)
})

test('behavior: other_texts: another message, the same status and code, once with times', async () => {
  const usual = await service(`/accounts/${nobody}/folio`)
  await arm('other_texts', { times: 1 })
  const other = await service(`/accounts/${nobody}/folio`)
  expect(other.status).toBe(404)
  expect(other.body.error).toBe('account_not_found')
  expect(other.body.message).not.toBe(usual.body.message)
  expect(other.headers.get('x-svc-sim-hint')).toBe(usual.headers.get('x-svc-sim-hint'))
  expect(other.headers.get('x-svc-sim-fault')).toBe(sim.faults.list()[0]!.id)
  expect((await service(`/accounts/${nobody}/folio`)).body).toEqual(usual.body)
})

test.each([
  ['milliseconds', /\.\d{3}Z$/],
  ['offset', /\d\+02:00$/],
] as const)('behavior: other_times: %s, the same instant', async (form, pattern) => {
  const usual = await service(user.path)
  await arm({ other_times: { form } })
  const { body } = await service(user.path)
  expect(body.created_at).toMatch(pattern)
  expect(Date.parse(body.created_at)).toBe(Date.parse(usual.body.created_at))
  expect((await plan()).body.expires_at).toMatch(pattern)
})

test('behavior: other_ids: what was made under one keeps it, and is understood when the rule is gone', async () => {
  await arm('other_ids')
  const other = await openOther()
  const planned = await plan(other.path)
  const executed = await execute(planned, other)
  for (const [id, prefix] of [
    [other.id, 'acc'],
    [planned.body.plan_id, 'pln'],
    [executed.body.svc_intent_id, 'qi'],
    [executed.body.activity_id, 'act'],
  ])
    expect(id).toMatch(new RegExp(`^${prefix}_[0-9A-Z]{26}$`))
  expect(executed.body.plan_id).toBe(planned.body.plan_id)
  await sim.faults.clear()
  await sim.clock.advance(5)
  const activity = await service(`/activities/${executed.body.activity_id}`)
  expect(activity.body).toMatchObject({
    activity_id: executed.body.activity_id,
    account_id: other.id,
    activity_status: 'confirmed',
  })
  expect((await events(0, other.path)).body.events.at(-1).data.activity_id).toBe(
    executed.body.activity_id,
  )
  expect(await execute(planned, other)).toMatchObject({ body: { error: 'plan_not_found' } })
  const why = await askControl(sim, 'GET', `/why/${executed.body.activity_id}`)
  expect(why.status).toBe(200)
})

/** A funded account that is made while rules are there, past the documents. */
async function openOther() {
  const key = `0x${'7'.repeat(64)}` as Hex
  const { privateKeyToAddress } = await import('viem/accounts')
  const made = await service('/accounts', {
    body: { signer_type: 'eoa', signer_address: privateKeyToAddress(key) },
  })
  const id = made.body.account_id as string
  await sim.fund({ account_id: id, asset: 'USDC', amount: '5000000', network: 'base' })
  return { id, key, path: `/accounts/${id}` }
}

test('behavior: other_casing: checksummed, whatever was sent', async () => {
  await arm('other_casing')
  const { body } = await service(user.path)
  expect(body.svc_wallet_address).toMatch(/[A-F]/)
  expect(body.svc_wallet_address.toLowerCase()).toBe(user.wallet.toLowerCase())
})

test('behavior: sparse_cursors: they jump and grow, each can be resumed from, also when the rule is gone', async () => {
  const start = (await events()).body.cursor as number
  await arm('sparse_cursors')
  const cursors = [start]
  for (let i = 0; i < 3; i++) {
    await move()
    cursors.push((await events(cursors.at(-1))).body.cursor)
  }
  await sim.faults.clear()
  await move()
  const all = (await events(start)).body
  cursors.push(all.cursor)
  const steps = cursors.slice(1).map((cursor, i) => cursor - cursors[i]!)
  expect(Math.min(...steps)).toBeGreaterThan(0)
  expect(Math.max(...steps)).toBeGreaterThan(1_000)
  const pages = await Promise.all(cursors.slice(0, -1).map((cursor) => events(cursor)))
  expect(pages.map(({ body }) => body.events.length)).toEqual([8, 6, 4, 2])
  for (const { body } of pages) expect(all.events.slice(-body.events.length)).toEqual(body.events)
  expect((await events(all.cursor)).body).toEqual({ events: [], cursor: all.cursor })
})

test('behavior: unknown_events: between the others, once each, and a long poll wakes for them', async () => {
  const start = (await events()).body.cursor as number
  await arm('unknown_events')
  const poll = service(`${user.path}/events?since=${start}&poll=true`)
  await move()
  expect((await poll).body.events[0].event_type).toBe('portfolio_revalued')
  const { body } = await events(start)
  expect(body.events.map(({ event_type }: { event_type: string }) => event_type)).toEqual([
    'portfolio_revalued',
    'activity_updated',
    'portfolio_revalued',
    'activity_updated',
  ])
  await sim.faults.clear()
  expect((await events(start)).body).toEqual(body)
  expect((await events(body.cursor)).body.events).toEqual([])
})

test('behavior: more_networks: listed, and a plan there is plan_failed', async () => {
  await arm('more_networks')
  const { networks } = (await service('/networks')).body
  expect(networks).toHaveLength(7)
  const refused = await plan(user.path, { ...transfer(), network: networks.at(-1).name })
  expect(refused).toMatchObject({ status: 400, body: { error: 'plan_failed' } })
  expect((await plan()).status).toBe(201)
})

test('behavior: absent_optionals: a plan of the fields of the interface, errors of a code, and it goes through', async () => {
  await arm('absent_optionals')
  const planned = await plan()
  expect(Object.keys(planned.body.details)).toEqual(['svc_operation_actions', 'eip712_data'])
  const [{ operation, action }] = planned.body.details.svc_operation_actions
  expect(Object.keys(operation)).toHaveLength(5)
  expect(Object.keys(action.action_context).sort()).toEqual(
    ['action_type', 'amount', 'asset_symbol', 'chain_id'].sort(),
  )
  expect((await execute(planned)).status).toBe(200)
  const refused = await service(`/accounts/${nobody}/folio`)
  expect(refused.body).toEqual({ error: 'account_not_found' })
})

test('behavior: the folio stream: another message before, objects with more, pairs in reverse', async () => {
  for (const effect of ['unknown_messages', 'unknown_fields', 'other_order']) await arm(effect)
  const end = new AbortController()
  const response = await fetch(`${sim.url}${user.path}/folio/stream`, {
    headers: { authorization: `Bearer ${sim.apiKey}` },
    signal: end.signal,
  })
  const text = await firstMessages(response, 2)
  end.abort()
  const [revision, snapshot] = text.split('\n\n')
  expect(revision).toContain('event: revision')
  expect(snapshot).toContain('event: snapshot')
  const pairs = JSON.parse(snapshot!.split('data: ')[1]!) as [string, object][]
  const keys = Object.keys((await service(`${user.path}/folio`)).body.folio)
  expect(keys).toContain(pairs[0]![0].split('/')[0])
  expect(pairs.at(-1)![0]).toMatch(/^balances\//)
  expect(pairs.find(([key]) => key.startsWith('yield_markets/'))![1]).toHaveProperty('added_later')
})

async function firstMessages(response: Response, count: number): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const part of response.body!) {
    text += decoder.decode(part as Uint8Array, { stream: true })
    if (text.split('\n\n').length > count) return text
  }
  return text
}

describe('the other way of a choice', () => {
  test.each([
    ['forbidden', 403],
    ['invalid_params', 400],
    ['not_found', 404],
  ])('behavior: unknown_account as %s on plans and execute, not elsewhere', async (as, status) => {
    await arm({ unknown_account: { as } })
    const missing = `/accounts/${nobody}`
    expect(await plan(missing)).toMatchObject({ status, body: { error: as } })
    expect((await service(`${missing}/folio`)).status).toBe(404)
  })

  test('behavior: account_first: a bad field of an unknown account is account_not_found', async () => {
    await arm('account_first')
    const bad = { ...transfer(), amount: 'many' }
    expect((await plan(`/accounts/${nobody}`, bad)).body.error).toBe('account_not_found')
    expect((await plan(user.path, bad)).body.error).toBe('invalid_params')
  })

  test('behavior: strict_requests: a field that is not known makes no plan', async () => {
    await arm('strict_requests')
    expect(await plan(user.path, { ...transfer(), colour: 'red' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_params' },
    })
    expect((await service('/networks?colour=red')).status).toBe(400)
    expect((await plan()).status).toBe(201)
  })

  test('behavior: zero_signer_refused makes no account', async () => {
    await arm('zero_signer_refused')
    const body = { signer_type: 'eoa', signer_address: `0x${'0'.repeat(40)}` }
    expect((await service('/accounts', { body })).body.error).toBe('invalid_params')
    await sim.faults.clear()
    expect((await service('/accounts', { body })).status).toBe(201)
  })

  test('behavior: max_refused, zero_amount_fails', async () => {
    await arm('max_refused')
    await arm('zero_amount_fails')
    expect((await plan(user.path, transfer('max'))).body.error).toBe('invalid_params')
    expect((await plan(user.path, transfer('0'))).body.error).toBe('plan_failed')
  })

  test('behavior: unknown_asset_fails, and nothing else that is malformed', async () => {
    await arm('unknown_asset_fails')
    const send = async (more: object) =>
      (await plan(user.path, { ...transfer(), ...more })).body.error
    expect(await send({ asset: 'NOPE' })).toBe('plan_failed')
    expect(await send({ asset: 'POL' })).toBe('plan_failed')
    expect(await send({ amount: '-1' })).toBe('invalid_params')
  })

  test('behavior: same_market_invalid', async () => {
    await arm('same_market_invalid')
    const body = {
      ...{ amount: '1000', asset: 'USDC', network: 'base' },
      ...{ from_protocol: 'compound', to_protocol: 'compound' },
    }
    const answer = await service(`${user.path}/plan/migrate`, { body })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_params' } })
  })

  test('behavior: missing_market_invalid, and no other failure', async () => {
    await arm('missing_market_invalid')
    const loop = { exposure_asset: 'WETH', backing_asset: 'USDC', network: 'base' }
    const send = async (kind: string, body: object) =>
      (await service(`${user.path}/plan/${kind}`, { body })).body
    const earn = { amount: '1000', network: 'base', protocol: 'compound' }
    expect(await send('earn', { ...earn, asset: 'cbBTC' })).toMatchObject({
      error: 'invalid_params',
      message: expect.stringContaining('market not found'),
    })
    expect(await send('earn', { ...earn, asset: 'USDC', amount: '99000000000' })).toMatchObject({
      error: 'plan_failed',
    })
    const backing = { ...loop, is_short: false, amount: '1000', market_id: `0x${'11'.repeat(32)}` }
    expect(await send('add-backing', backing)).toMatchObject({ error: 'invalid_params' })
  })

  test('behavior: fills_listed_late: the fill of a bridge is listed when it has arrived, in both generations of fields', async () => {
    await arm('fills_listed_late')
    await user.fund('optimism', 'USDC', 100_000_000n)
    const executed = await execute(await plan(user.path, transfer('90000000')))
    const read = async () => (await service(`/activities/${executed.body.activity_id}`)).body
    const typesOf = (items: { action_type: string }[]) =>
      items.map(({ action_type }) => action_type)
    const typesIn = (executions: { actions: { action_type: string }[] }[]) =>
      executions.flatMap(({ actions }) => typesOf(actions))
    const before = await read()
    expect(before.activity_status).toBe('pending')
    expect(typesOf(before.activity_metadata)).toContain('BRIDGE')
    expect(typesOf(before.activity_metadata)).not.toContain('BRIDGE_MINT')
    expect(typesIn(before.executions)).not.toContain('BRIDGE_MINT')
    await sim.clock.advance(5)
    const after = await read()
    expect(after.activity_status).toBe('confirmed')
    expect(typesOf(after.activity_metadata)).toContain('BRIDGE_MINT')
    expect(typesIn(after.executions)).toContain('BRIDGE_MINT')
  })

  test('behavior: execute_accepted, then consumed_plan_stale: the money has moved once', async () => {
    await arm('execute_accepted')
    await arm('consumed_plan_stale')
    const planned = await plan()
    expect((await execute(planned)).status).toBe(202)
    await sim.clock.advance(5)
    expect(await execute(planned)).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
    const { activities } = (await service(`${user.path}/activities`)).body
    const own = activities.filter(
      ({ plan_id }: { plan_id: string }) => plan_id === planned.body.plan_id,
    )
    expect(own).toHaveLength(1)
    const absent = { ...planned, body: { ...planned.body, plan_id: 'pln_000000000000' } }
    expect((await execute(absent)).body.error).toBe('plan_not_found')
  })

  test('behavior: failure_uses_plan_up: after a wrong signature the right one comes too late', async () => {
    await arm('failure_uses_plan_up')
    const planned = await plan()
    const wrong = { path: user.path, key: `0x${'8'.repeat(64)}` as Hex }
    const failed = await execute(planned, wrong)
    expect(failed.status).toBe(500)
    // What the refusal advises is true: only a new plan can be executed.
    const asked = failed.headers.get('x-svc-sim-request-id')
    const { body: why } = await askControl(sim, 'GET', `/why/${asked}`)
    expect(why.now).toMatch(
      /^returned 500 .+; \S+ \(answer\.failure_uses_plan_up\) used the plan up/,
    )
    expect(why.verdict.fault.effect).toBe('answer.failure_uses_plan_up')
    expect(why.verdict.next).toContain('then make a new plan; this one cannot be executed any more')
    const { body: ofPlan } = await askControl(sim, 'GET', `/why/${planned.body.plan_id}`)
    expect(ofPlan.now).toMatch(
      /^never executed; it expired at .+, because \S+ \(answer\.failure_uses_plan_up\) used the plan up/,
    )
    expect(ofPlan.verdict).toMatchObject({ fault: why.verdict.fault, next: why.verdict.next })
    expect((await execute(planned)).body.error).toBe('plan_not_found')
    // One that had already been used up does not count again.
    expect(sim.faults.list()).toMatchObject([{ hits: 1 }])
    expect((await execute(await plan())).status).toBe(200)
  })

  test('behavior: signature_first: stale and wrongly signed is internal_error, stale alone plan_stale', async () => {
    await arm('signature_first')
    const late = await plan()
    await move()
    const wrong = { path: user.path, key: `0x${'8'.repeat(64)}` as Hex }
    expect((await execute(late, wrong)).body.error).toBe('internal_error')
    expect((await execute(late)).body.error).toBe('plan_stale')
  })

  test('behavior: activity_id_text, activity_not_found', async () => {
    await arm('activity_id_text')
    await arm('activity_not_found')
    const { activity_id } = (await move()).body
    expect((await service(`/activities/${activity_id}`)).body.id).toBe(activity_id)
    expect((await service('/activities/act_000000000000')).body.error).toBe('activity_not_found')
  })
})

/** A request whose answer the effect of this name makes otherwise; `arm` comes after what must be there before. */
const met: Record<string, (arm: () => Promise<unknown>) => Promise<Answer>> = {
  unknown_fields: (on) => on().then(() => service('/networks')),
  unknown_events: (on) => on().then(() => move()),
  unknown_messages: (on) => on().then(firstOfFolio),
  unknown_values: (on) => on().then(() => plan()),
  other_order: (on) => on().then(() => service('/networks')),
  other_texts: (on) => on().then(() => plan(user.path, transfer('0'))),
  other_times: (on) => on().then(() => plan()),
  other_ids: (on) => on().then(() => plan()),
  other_casing: (on) => on().then(() => plan()),
  sparse_cursors: (on) => on().then(() => move()),
  more_networks: (on) => on().then(() => service('/networks')),
  absent_optionals: (on) => on().then(() => plan()),
  async pending_first(on) {
    const { body } = await move()
    await on()
    return service(`/activities/${body.activity_id}`)
  },
  unknown_account: (on) => on().then(() => plan(`/accounts/${nobody}`)),
  account_first: (on) => on().then(() => plan(`/accounts/${nobody}`, transfer('many'))),
  strict_requests: (on) => on().then(() => plan(user.path, { ...transfer(), colour: 'red' })),
  zero_signer_refused: (on) =>
    on().then(() =>
      service('/accounts', {
        body: { signer_type: 'eoa', signer_address: `0x${'0'.repeat(40)}` },
      }),
    ),
  max_refused: (on) => on().then(() => plan(user.path, transfer('max'))),
  zero_amount_fails: (on) => on().then(() => plan(user.path, transfer('0'))),
  unknown_asset_fails: (on) => on().then(() => plan(user.path, { ...transfer(), asset: 'NOPE' })),
  same_market_invalid: (on) => on().then(() => service(`${user.path}/plan/migrate`, sameMarket)),
  missing_market_invalid: (on) => on().then(() => service(`${user.path}/plan/earn`, noMarket)),
  execute_accepted: (on) => on().then(() => move()),
  async consumed_plan_stale(on) {
    const planned = await plan()
    await execute(planned)
    await on()
    return execute(planned)
  },
  failure_uses_plan_up: (on) => on().then(async () => execute(await plan(), otherSigner())),
  async signature_first(on) {
    const late = await plan()
    await move()
    await on()
    return execute(late, otherSigner())
  },
  async activity_id_text(on) {
    const { body } = await move()
    await on()
    return service(`/activities/${body.activity_id}`)
  },
  activity_not_found: (on) => on().then(() => service('/activities/act_000000000000')),
  async fills_listed_late(on) {
    await user.fund('optimism', 'USDC', 100_000_000n)
    const { body } = await execute(await plan(user.path, transfer('90000000')))
    await on()
    return service(`/activities/${body.activity_id}`)
  },
}
const market = { amount: '1000', asset: 'USDC', network: 'base', from_protocol: 'compound' }
const sameMarket = { body: { ...market, to_protocol: 'compound' } }
const noMarket = {
  body: { amount: '1000', asset: 'cbBTC', network: 'base', protocol: 'compound' },
}

async function firstOfFolio(): Promise<Answer> {
  const end = new AbortController()
  const response = await fetch(`${sim.url}${user.path}/folio/stream`, {
    headers: { authorization: `Bearer ${sim.apiKey}` },
    signal: end.signal,
  })
  const body = await firstMessages(response, 1)
  end.abort()
  return { status: response.status, headers: response.headers, body }
}

test.each(answerEffects.map(({ name }) => name))(
  'behavior: a response that %s changed counts a hit, names the rule, is explained by it, and keeps it when saved',
  async (effect) => {
    const id = `only-${effect}`
    const { headers } = await met[effect]!(() => arm(effect, { id }))
    expect(sim.faults.list()[0]!.hits).toBeGreaterThan(0)
    // The head of a stream has left before its messages are made.
    const header = effect === 'unknown_messages' ? null : id
    expect(headers.get('x-svc-sim-fault')).toBe(header)
    const asked = headers.get('x-svc-sim-request-id')
    const { body: why } = await askControl(sim, 'GET', `/why/${asked}`)
    const fired = why.timeline.filter(({ type }: { type: string }) => type === 'fault')
    expect(fired[0].details).toMatchObject({ rule: id, effect: `answer.${effect}` })
    const { body: saved } = await askControl(sim, 'GET', '/journal/scenario')
    // Scenarios have no streams, and no plans of accounts that never were: that is said instead.
    if (effect === 'unknown_messages' || effect === 'unknown_account')
      expect(saved.left_out).toContainEqual(expect.stringMatching(/stream: |was not created in/))
    else expect(saved.yaml).toContain(id)
  },
)

test('error: a rule for a path whose answers cannot be otherwise is refused', async () => {
  const refused = await askControl(sim, 'POST', '/faults', {
    ...{ on: 'answer', effect: 'more_networks', match: { path: '/accounts/*/events' } },
  })
  expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_params' } })
  expect(refused.body.message).toContain('the rule can never fire')
})

test('behavior: in the header of a request, for that one alone; without a rule the answer is the usual one', async () => {
  const usual = await service('/networks')
  const headers = { 'x-svc-sim-fault': 'answer.other_order' }
  const other = await service('/networks', { headers })
  expect(other.body.networks).toEqual(usual.body.networks.toReversed())
  expect((await service('/networks')).body).toEqual(usual.body)
})
