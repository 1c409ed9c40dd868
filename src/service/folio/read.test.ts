import { expect, test } from 'vitest'
import type { AccountRecord, EventRecord } from '../store/store.js'
import { watchValues } from './read.js'

const accounts = ['acc_a', 'acc_b'].map((accountId) => ({ accountId })) as AccountRecord[]
const eventOf = (accountId: string) => ({ accountId }) as EventRecord

/** A watch, and which accounts it has looked at. */
function watched(look = async (_: AccountRecord) => {}) {
  const looked: string[] = []
  const state = { isWatched: true, looked }
  const watch = watchValues({
    store: { allAccounts: async () => accounts },
    isWatched: () => state.isWatched,
    viewer: {
      async look(account) {
        looked.push(account.accountId)
        await look(account)
        return { folio: null, missing: [] }
      },
    },
  })
  return { ...watch, state }
}

test('default: accounts of events are looked at, each once for events that come meanwhile', async () => {
  const { hear, settled, state } = watched()
  for (const id of ['acc_a', 'acc_b', 'acc_b', 'acc_gone']) hear(eventOf(id))
  await settled()
  expect(state.looked).toEqual(['acc_a', 'acc_b'])
  hear(eventOf('acc_a'))
  await settled()
  expect(state.looked).toEqual(['acc_a', 'acc_b', 'acc_a'])
})

test('behavior: nothing is read while nobody watches; a trace that is kept watches until the end', async () => {
  const { hear, settled, watch, state } = watched()
  state.isWatched = false
  hear(eventOf('acc_a'))
  await settled()
  expect(state.looked).toEqual([])
  watch()
  hear(eventOf('acc_a'))
  await settled()
  expect(state.looked).toEqual(['acc_a'])
})

test('error: an account that cannot be read keeps no other one waiting', async () => {
  const { hear, settled, state } = watched(() => Promise.reject(new Error('no answer')))
  hear(eventOf('acc_a'))
  hear(eventOf('acc_b'))
  await settled()
  expect(state.looked).toEqual(['acc_a', 'acc_b'])
})
