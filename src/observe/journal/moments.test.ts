import { expect, test } from 'vitest'
import type { AddressBook } from '../../deployments/addressBook.js'
import type { Note } from '../../service/context/requestContext.js'
import { undoneCause } from '../../service/plans/execute/cause.js'
import { createJournal } from './journal.js'
import { momentsIn } from './moments.js'

/** A journal with a clock in seconds, which a restore takes back. */
function openJournal() {
  let seconds = 0
  let count = 0
  const journal = createJournal({ now: () => seconds * 1000 })
  const ask = (url: string, notes: readonly Note[] = [], status = 200) => {
    const requestId = `req_${++count}`
    const recording = journal.begin({ requestId, method: 'POST', url, headers: {} })
    for (const note of notes) recording.note(note)
    recording.answered({ status, headers: {}, text: '{}', bytes: 2, cut: false })
    return requestId
  }
  return {
    journal,
    ask,
    at(then: number, nextId = count) {
      seconds = then
      count = nextId
    },
    titles: async () =>
      (await momentsIn(journal.all(), { book: {} as AddressBook, journal }))
        .filter(({ type }) => type !== 'answer')
        .map(({ title }) => title),
  }
}

const stale = (reason: string, at: number): Note => ({
  ...{ type: 'stale', plan_id: 'pln_1', reason, cause: 'price' },
  ...{ changed: 'price of ETH in USD', before: '1', after: '2' },
  at: new Date(at * 1000).toISOString(),
})

test('behavior: a restore that made a plan go stands where it was, though it took the clock back to before earlier requests', async () => {
  const { journal, ask, at, titles } = openJournal()
  const snapshot = { id: 'snp_1', name: undefined }
  ask('/first')
  journal.taken('snp_1')
  at(60)
  ask('/second')
  at(0)
  journal.mark(snapshot)
  const cause = undoneCause({ ms: 0, snapshot, requestId: undefined }, 'pln_1')
  ask('/execute', [cause], 404)
  expect(await titles()).toEqual([
    ...['POST /first', 'POST /second', 'restored snapshot snp_1'],
    'snapshot snp_1 was restored at 00:00:00; the plan was made after that snapshot',
    'POST /execute',
  ])
})

test('behavior: at one frozen moment, a reset and what it caused keep the order of the journal', async () => {
  const { journal, ask, at, titles } = openJournal()
  at(5)
  ask('/first')
  journal.mark(undefined)
  ask('/second')
  journal.mark(undefined)
  const cause = undoneCause({ ms: 5_000, requestId: undefined, snapshot: undefined }, 'pln_1')
  ask('/execute', [cause], 404)
  const caused = 'the simulator was reset at 00:00:05; the plan was made before that'
  expect(await titles()).toEqual([
    ...['POST /first', 'reset to the start', 'POST /second', 'reset to the start', caused],
    'POST /execute',
  ])
})

test('behavior: another cause stands on the line of its refusal, though an undone request came later by the clock, and had its id', async () => {
  const { journal, ask, at, titles } = openJournal()
  ask('/first')
  journal.taken('snp_1')
  at(60)
  ask('/undone')
  at(10, 1)
  journal.mark({ id: 'snp_1', name: undefined })
  ask('/execute', [stale('so', 5)], 409)
  expect(await titles()).toEqual([
    ...['POST /first', 'POST /undone', 'restored snapshot snp_1'],
    'the price of ETH in USD moved from 1 to 2 at 00:00:05; so',
    'POST /execute',
  ])
})
