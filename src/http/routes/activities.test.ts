import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activityExample, example } from '../../../test/kit/examples.js'
import {
  createAccount,
  type HttpWorld,
  keys,
  recordActivity,
  startHttpWorld,
} from '../../../test/kit/httpWorld.js'
import { createStore } from '../../service/store/createStore.js'
import type { ActivityRecord, ActivityStatus, Store } from '../../service/store/store.js'
import { createClock } from '../../time/clock.js'

let world: HttpWorld
beforeAll(async () => {
  world = await startHttpWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const {
  svc_wallet_id: _wallet,
  svc_operation_id: _operation,
  svc_execution_id: _execution,
  ...item
} = activityExample.activity_metadata[0]!
const [expected] = activityExample.executions[0]!.actions

const record = (accountId: string, id: string, status: ActivityStatus, metadata: object[] = []) =>
  recordActivity(world, {
    activityId: `act_${id.padStart(12, '0')}`,
    accountId,
    status,
    planId: `pln_${id.padStart(12, '0')}`,
    updatedAtMs: 1767603605_999,
    metadata: metadata as ActivityRecord['metadata'],
  })

test('default', async () => {
  const { id } = await createAccount(world)
  const observed_context = { ...item.action_context, amount: '999999' }
  await record(id, 'one', 'confirmed', [{ ...item, observed_context }])
  const { status, body } = await world.client.get(`/accounts/${id}/activities/act_000000000one`)
  expect(status).toBe(200)
  expect(body).toEqual({
    id: 1,
    activity_id: 'act_000000000one',
    account_id: id,
    plan_id: 'pln_000000000one',
    svc_intent_id: example.intentId,
    activity_type: 'svc_operation_executed',
    activity_status: 'confirmed',
    status: 'completed',
    occurred_at: '2026-01-05T09:00:00Z',
    updated_at: '2026-01-05T09:00:05Z',
    activity_metadata: [{ ...item, svc_wallet_id: 1, svc_operation_id: 1, svc_execution_id: 1 }],
    executions: [
      {
        execution_type: 'transaction',
        chain_id: 8453,
        transaction_hash: example.word('e'),
        status: 'executed',
        executed_at: item.executed_at,
        reverted_at: null,
        actions: [
          {
            action_type: 'COMET_SUPPLY',
            expected_values: expected!.expected_values,
            observed_values: { ...expected!.expected_values, amount: '999999' },
          },
        ],
      },
    ],
  })
  expect((await world.client.get('/activities/act_000000000one')).body).toEqual(body)
  for (const path of ['/activities/1', `/accounts/${id}/activities/1`])
    expect((await world.client.get(path)).body, path).toEqual(body)
})

test('behavior: pending, failed and outside items in the words of newer clients', async () => {
  const { id } = await createAccount(world, `0x${'2'.repeat(40)}`)
  const waiting = {
    ...item,
    activity_record_type: 'unexecuted',
    success: null,
    transaction_hash: null,
    semantic_events: [],
    executed_at: null,
  }
  const reverted = { ...item, success: false, reverted_at: '2026-01-05T09:00:06Z' }
  const outside = {
    ...item,
    activity_record_type: 'exogenous',
    svc_operation_nonce: null,
    action_type: 'COMET_LIQUIDATION',
    action_context: { action_type: 'COMET_LIQUIDATION', chain_id: '8453' },
    semantic_events: [],
  }
  await record(id, 'p', 'pending', [waiting])
  await record(id, 'f', 'failed', [reverted, outside])
  const { activities } = (await world.client.get(`/accounts/${id}/activities`)).body
  const [failed, pending] = activities
  expect([failed.activity_status, failed.status]).toEqual(['failed', 'failed'])
  expect([pending.activity_status, pending.status]).toEqual(['pending', 'pending'])
  expect(pending.executions[0]).toMatchObject({
    status: 'pending',
    chain_id: 8453,
    transaction_hash: null,
    actions: [{ expected_values: expected!.expected_values, observed_values: {} }],
  })
  expect(failed.executions).toMatchObject([
    { status: 'failed', execution_type: 'transaction' },
    { status: 'executed', execution_type: 'external' },
  ])
})

test('error: not_found for a missing activity and for that of another account', async () => {
  const mine = await createAccount(world, `0x${'3'.repeat(40)}`)
  const other = await createAccount(world, `0x${'4'.repeat(40)}`)
  await record(mine.id, 'mine', 'confirmed')
  const get = (path: string, apiKey?: string) => world.client.get(path, apiKey ? { apiKey } : {})
  const found = await get(`/accounts/${mine.id}/activities/act_00000000mine`)
  expect(found.status).toBe(200)
  const number = found.body.id
  expect((await get(`/activities/${number}`)).body).toEqual(found.body)
  for (const reply of [
    await get(`/accounts/${other.id}/activities/${number}`),
    await get(`/activities/${number}`, keys.second.key),
    await get(`/activities/${number + 1}`),
    await get(`/activities/0${number}`),
    await get(`/activities/${number}.0`),
    await get(`/accounts/${mine.id}/activities/act_000000000000`),
    await get(`/accounts/${other.id}/activities/act_00000000mine`),
    await get('/activities/act_000000000000'),
    await get('/activities/act_00000000mine', keys.second.key),
  ]) {
    expect(reply).toMatchObject({ status: 404, body: { error: 'not_found' } })
    expect(reply.headers.get('x-svc-sim-hint')).toContain('the integer of its field id')
  }
})

test('error: account_not_found', async () => {
  for (const path of ['activities', 'activities/act_000000000000']) {
    const reply = await world.client.get(`/accounts/acc_000000000000/${path}`)
    expect(reply).toMatchObject({ status: 404, body: { error: 'account_not_found' } })
  }
})

const happen = (world: HttpWorld, accountId: string, id: string) =>
  recordActivity(world, {
    activityId: `act_${id.padStart(12, '0')}`,
    accountId,
    status: 'confirmed',
  })

/** A store that tells when somebody starts to wait for events, so that a test need not guess. */
async function watchedStore() {
  const store = createStore({})
  let waiting = 0
  let wake = (): void => {}
  const onEvent: Store['onEvent'] = (accountId, listener) => {
    const off = store.onEvent(accountId, listener)
    waiting++
    wake()
    return () => {
      waiting--
      wake()
      off()
    }
  }
  const watched: Store = Object.assign(Object.create(store), { onEvent })
  const until = (count: number): Promise<void> =>
    new Promise((resolve) => {
      wake = () => {
        if (waiting === count) resolve()
      }
      wake()
    })
  return { store: watched, until }
}

test('default: events', async () => {
  await using world = await startHttpWorld()
  const { id } = await createAccount(world)
  await happen(world, id, 'one')
  const { status, body } = await world.client.get(`/accounts/${id}/events`)
  expect(status).toBe(200)
  expect(body).toEqual({
    events: [
      {
        event_type: 'activity_updated',
        data: {
          activity_id: 'act_000000000one',
          activity_type: 'svc_operation_executed',
          activity_status: 'confirmed',
        },
        timestamp: example.unix,
      },
    ],
    cursor: example.unix,
  })
})

test('behavior: the cursor leads through all events, each once', async () => {
  await using world = await startHttpWorld()
  const { id } = await createAccount(world)
  for (const name of ['a', 'b', 'c']) await happen(world, id, name)
  const first = (await world.client.get(`/accounts/${id}/events?since=0`)).body
  expect(first.events).toHaveLength(3)
  const rest = (await world.client.get(`/accounts/${id}/events?since=${first.cursor - 1}`)).body
  expect(rest.events).toEqual(first.events.slice(2))
  const none = (await world.client.get(`/accounts/${id}/events?since=${first.cursor}`)).body
  expect(none).toEqual({ events: [], cursor: first.cursor })
})

test('behavior: without events the cursor is the one that was sent, or 0', async () => {
  await using world = await startHttpWorld()
  const { id } = await createAccount(world)
  expect((await world.client.get(`/accounts/${id}/events`)).body).toEqual({ events: [], cursor: 0 })
  const sent = await world.client.get(`/accounts/${id}/events?since=77&poll=false`)
  expect(sent.body).toEqual({ events: [], cursor: 77 })
})

test('behavior: a long poll is held for 25 seconds of the clock', async () => {
  const clock = createClock({ mode: 'frozen', atMs: 1767603600_000 })
  await using world = await startHttpWorld({ timing: { clock } })
  const { id } = await createAccount(world)
  const reply = world.client.get(`/accounts/${id}/events?poll=true`)
  await expect.poll(() => clock.nextWaited()).toBe(1767603625_000)
  clock.set({ mode: 'frozen', atMs: 1767603625_000 })
  expect((await reply).body).toEqual({ events: [], cursor: 0 })
})

describe('behavior: a long poll', () => {
  test('answers at once when there are events', async () => {
    await using world = await startHttpWorld()
    const { id } = await createAccount(world)
    await happen(world, id, 'early')
    const { body } = await world.client.get(`/accounts/${id}/events?poll=true`)
    expect(body.events).toHaveLength(1)
  })

  test('answers when an event of its account arrives, not one of another', async () => {
    const { store, until } = await watchedStore()
    await using world = await startHttpWorld({ service: { store } })
    const mine = await createAccount(world)
    const other = await createAccount(world, `0x${'2'.repeat(40)}`)
    const reply = world.client.get(`/accounts/${mine.id}/events?poll=true`)
    await until(1)
    await happen(world, other.id, 'other')
    await happen(world, mine.id, 'mine')
    const { body } = await reply
    expect(body.events.map((event: { data: object }) => event.data)).toMatchObject([
      { activity_id: 'act_00000000mine' },
    ])
    await until(0)
  })

  test('answers empty when the time is over', async () => {
    await using world = await startHttpWorld({ service: { longPollMs: 1 } })
    const { id } = await createAccount(world)
    const { status, body } = await world.client.get(`/accounts/${id}/events?poll=true&since=5`)
    expect({ status, body }).toEqual({ status: 200, body: { events: [], cursor: 5 } })
  })

  test('stops waiting when the client goes away', async () => {
    const { store, until } = await watchedStore()
    await using world = await startHttpWorld({ service: { store } })
    const { id } = await createAccount(world)
    const client = new AbortController()
    const reply = world.client.get(`/accounts/${id}/events?poll=true`, { signal: client.signal })
    await until(1)
    client.abort()
    await expect(reply).rejects.toThrow('abort')
    await until(0)
    expect(world.errors).toEqual([])
  })

  test('answers empty when the server stops', async () => {
    const { store, until } = await watchedStore()
    await using world = await startHttpWorld({ service: { store } })
    const { id } = await createAccount(world)
    const replies = [1, 2, 3].map(() => world.client.get(`/accounts/${id}/events?poll=true`))
    await until(3)
    world.stop()
    for (const { status, body } of await Promise.all(replies)) {
      expect({ status, body }).toEqual({ status: 200, body: { events: [], cursor: 0 } })
    }
    const late = await world.client.get(`/accounts/${id}/events?poll=true`)
    expect(late.body.events).toEqual([])
  })
})

describe('error: invalid_params', () => {
  test.each([
    'since=-1',
    'since=1.5',
    'since=',
    'since=abc',
    'since=0x10',
    'since=1e3',
    'since=9007199254740993',
    'since=1&since=2',
    'poll=1',
    'poll=',
  ])('%s', async (query) => {
    await using world = await startHttpWorld()
    const { id } = await createAccount(world)
    const { status, body } = await world.client.get(`/accounts/${id}/events?${query}`)
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_params' })
  })
})

test('error: account_not_found for events', async () => {
  await using world = await startHttpWorld()
  const reply = await world.client.get('/accounts/acc_000000000000/events?poll=true')
  expect(reply).toMatchObject({ status: 404, body: { error: 'account_not_found' } })
})
