import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createAccount,
  type HttpWorld,
  keys,
  recordActivity,
  startHttpWorld,
} from '../../../test/kit/httpWorld.js'
import type { ActivityRecord, ActivityStatus } from '../../service/store/store.js'
import { activityExample, example } from '../openapi/examples.js'

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
