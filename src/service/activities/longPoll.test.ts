import { expect, test } from 'vitest'
import { anActivity, aPlan, wallet } from '../../../test/kit/records.js'
import { createClock } from '../../time/clock.js'
import { createStore } from '../store/createStore.js'
import type { Store } from '../store/store.js'
import { waitForEvents } from './longPoll.js'

const { wait } = createClock()
const long = { timeoutMs: 30_000, wait }

/** A store with one activity and so one event, which counts who listens. */
async function storeWithOneEvent() {
  const store = createStore()
  await store.savePlan(aPlan())
  await store.consumePlan('pln_one', wallet, anActivity(), '0x')
  let listening = 0
  const counting: Store = Object.create(store, {
    onEvent: {
      value: ((accountId, listener) => {
        listening += 1
        const unsubscribe = store.onEvent(accountId, listener)
        return () => {
          listening -= 1
          unsubscribe()
        }
      }) satisfies Store['onEvent'],
    },
  })
  const cursor = (await store.events('acc_one', 0))[0]!.cursor
  return { store: counting, cursor, listening: () => listening }
}

test('default', async () => {
  const { store, cursor, listening } = await storeWithOneEvent()
  const waiting = waitForEvents(store, 'acc_one', cursor, long)
  expect(listening()).toBe(1)
  await store.updateActivity(anActivity({ status: 'confirmed' }))
  expect(await waiting).toEqual(await store.events('acc_one', cursor))
  expect((await waiting)[0]!.data).toMatchObject({ activity_status: 'confirmed' })
  expect(listening()).toBe(0)
})

test('behavior: newer events that are there already come at once', async () => {
  const { store, cursor, listening } = await storeWithOneEvent()
  const events = await waitForEvents(store, 'acc_one', cursor - 1, long)
  expect(events.map((event) => event.cursor)).toEqual([cursor])
  expect(listening()).toBe(0)
})

test('behavior: an event right after the read is not missed', async () => {
  const { store, cursor } = await storeWithOneEvent()
  const late: Store = Object.create(store, {
    events: {
      value: (async (accountId, since) => {
        const events = await store.events(accountId, since)
        if (events.length === 0) await store.updateActivity(anActivity({ status: 'confirmed' }))
        return events
      }) satisfies Store['events'],
    },
  })
  expect(await waitForEvents(late, 'acc_one', cursor, long)).toHaveLength(1)
})

test('behavior: events up to the cursor, and those of other accounts, wake nobody', async () => {
  const { store, cursor } = await storeWithOneEvent()
  const other = { accountId: 'acc_two', activityId: 'act_two' }
  await store.savePlan(aPlan({ planId: 'pln_two', accountId: 'acc_two', nonceCounts: {} }))

  const waiting = waitForEvents(store, 'acc_one', cursor + 1, long)
  await store.consumePlan('pln_two', wallet, anActivity(other), '0x')
  await store.updateActivity(anActivity()) // cursor + 1
  await store.updateActivity(anActivity({ status: 'confirmed' })) // cursor + 2
  expect((await waiting).map((event) => event.cursor)).toEqual([cursor + 2])
})

test('behavior: nothing within the time gives an empty list', async () => {
  const { store, cursor, listening } = await storeWithOneEvent()
  expect(await waitForEvents(store, 'acc_one', cursor, { timeoutMs: 1, wait })).toEqual([])
  expect(listening()).toBe(0)
})

test('behavior: an abort ends the wait with an empty list', async () => {
  const { store, cursor, listening } = await storeWithOneEvent()
  const controller = new AbortController()
  const waiting = waitForEvents(store, 'acc_one', cursor, { ...long, signal: controller.signal })
  controller.abort()
  expect(await waiting).toEqual([])
  const aborted = { ...long, signal: AbortSignal.abort() }
  expect(await waitForEvents(store, 'acc_one', cursor, aborted)).toEqual([])
  expect(listening()).toBe(0)
})

test('behavior: many wait at once, and each gets the event', async () => {
  const { store, cursor, listening } = await storeWithOneEvent()
  const waiting = Array.from({ length: 50 }, () => waitForEvents(store, 'acc_one', cursor, long))
  await store.updateActivity(anActivity({ status: 'failed' }))
  for (const events of await Promise.all(waiting)) expect(events).toHaveLength(1)
  expect(listening()).toBe(0)
})

test('error: a store that cannot be read rejects the wait and leaves no listener', async () => {
  const { store, listening } = await storeWithOneEvent()
  const broken: Store = Object.create(store, {
    events: { value: () => Promise.reject(new Error('unreadable')) },
  })
  await expect(waitForEvents(broken, 'acc_one', 0, long)).rejects.toThrow('unreadable')
  expect(listening()).toBe(0)
})
