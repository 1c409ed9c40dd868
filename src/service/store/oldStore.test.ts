import { expect, test } from 'vitest'
import { anAccount, anActivity, aPlan, wallet } from '../../../test/kit/records.js'
import { createStore } from './createStore.js'
import { parseOldStore } from './oldStore.js'

const path = '/data/store.json'
const event = {
  cursor: 1_735_689_601,
  accountId: 'acc_one',
  eventType: 'activity_updated',
  data: {
    activity_id: 'act_one',
    activity_type: 'svc_operation_executed',
    activity_status: 'pending',
  },
  timestamp: 1_735_689_601,
}
const old = {
  format: 'svc-sim-store',
  version: 2,
  accounts: [anAccount()],
  plans: [aPlan({ planId: 'pln_two' })],
  activities: [anActivity()],
  events: [event],
  signed: [{ activityId: 'act_one', plan: aPlan(), signature: '0x51' }],
  nonceCounts: { [wallet]: { base: 1 } },
  numbers: {
    last: { activity: 1, intent: 1, wallet: 1, operation: 1, execution: 1 },
    wallets: { [wallet]: 1 },
  },
  followed: { base: { number: 7, hash: '0x07' } },
}

test('default: the store goes on from it', async () => {
  const store = createStore({ recovered: parseOldStore(JSON.stringify(old), path) })
  expect(await store.accounts('svc_first')).toEqual([anAccount()])
  expect(await store.plan('acc_one', 'pln_two')).toEqual(aPlan({ planId: 'pln_two' }))
  expect(await store.activity('acc_one', 1)).toEqual(anActivity())
  expect(await store.events('acc_one', 0)).toEqual([event])
  expect(await store.executions()).toEqual([
    { account: anAccount(), plan: aPlan(), signature: '0x51', activity: anActivity() },
  ])
  expect(await store.nonceCounts(wallet)).toMatchObject({ base: 1, polygon: 0 })
  expect(await store.followed('base')).toEqual({ number: 7, hash: '0x07' })
  await store.recordActivity(anActivity({ activityId: 'act_two', planId: null }))
  expect(await store.activity('acc_one', 2)).toMatchObject({
    activityId: 'act_two',
    numbers: { wallet: 1, operation: 2 },
  })
})

test('behavior: one from before there were numbers gives them in its order', () => {
  const { numbers: _given, followed: _followed, ...older } = old
  const { numbers: _numbers, ...activity } = anActivity()
  const activities = ['act_a', 'act_b'].map((activityId) => ({ ...activity, activityId }))
  const text = JSON.stringify({ ...older, activities, signed: [] })
  const state = parseOldStore(text, path)
  expect([...state.activities.values()].map(({ numbers }) => numbers)).toEqual([
    { activity: 1, intent: 1, wallet: 1, operation: 1, execution: 1 },
    { activity: 2, intent: 2, wallet: 1, operation: 2, execution: 2 },
  ])
  expect(state.numbers).toEqual({
    last: { activity: 2, intent: 2, wallet: 1, operation: 2, execution: 2 },
    wallets: new Map([[wallet, 1]]),
  })
})

test.each([
  ['cut off', '{"format":"svc-sim-store","version":2,"acc', 'is not valid JSON'],
  ['empty', '', 'is not valid JSON'],
  ['of something else', '{"name":"left-pad"}', 'has the format undefined, not "svc-sim-store"'],
  ['not an object', 'null', 'has the format undefined'],
  ['of another version', '{"format":"svc-sim-store","version":3}', 'has version 3'],
  ['without its lists', '{"format":"svc-sim-store","version":2}', 'has no list of accounts'],
  ['without counts', JSON.stringify({ ...old, nonceCounts: null }), 'has no nonceCounts'],
])('error: a file that is %s', (_why, text, message) => {
  expect(() => parseOldStore(text, path)).toThrow(
    `The data folder /data cannot be used: store.json ${message}`,
  )
  expect(() => parseOldStore(text, path)).toThrow('Put back a copy of the folder')
})
