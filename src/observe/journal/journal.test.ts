import { expect, test } from 'vitest'
import type { Note } from '../../service/context/requestContext.js'
import { createJournal, noteOf } from './journal.js'

const clock = { now: () => 1000 }
const bounds = { exchanges: 3, bytes: 104, reads: 3, readBytes: 104, body: 60, notes: 2 }
const request = { requestId: 'req_1', method: 'GET', url: '/x', headers: {} }
const plan = {
  type: 'plan',
  plan_id: 'pln_1',
  account_id: 'acc_1',
  kind: 'earn',
  digest: '0x',
  expires_at: '',
  operations: [],
} as const
const event: Note = {
  type: 'event',
  account_id: 'acc_1',
  cursor: 1,
  activity_id: 'act_1',
  activity_type: 'exogenous',
  activity_status: 'confirmed',
}
const fault = (rule = ''): Note => ({ type: 'fault', rule, effect: '' })
const answer = { status: 200, headers: {}, bytes: 0, cut: false }

test('default: exchanges in their order, with notes that come after the answer too', () => {
  const journal = createJournal(clock)
  const recording = journal.begin(request)
  recording.note(plan)
  recording.sent('{"a":1}')
  recording.answered({ ...answer, text: '{}' })
  recording.note(event)
  expect(journal.all()).toMatchObject([
    {
      order: 1,
      ms: 1000,
      body: '{"a":1}',
      notes: [{ order: 2 }, { order: 4 }],
      answer: { order: 3, text: '{}' },
    },
  ])
})

test('behavior: bounded in number', () => {
  const journal = createJournal(clock, bounds)
  for (let i = 0; i < 10; i++) journal.begin({ ...request, requestId: `req_${i}` })
  expect(journal.all().map(({ requestId }) => requestId)).toEqual(['req_7', 'req_8', 'req_9'])
  expect(journal.dropped).toBe(7)
})

test('behavior: bounded in bytes; a body that is too large is left out, the rest of it stays', () => {
  const journal = createJournal(clock, bounds)
  for (const length of [50, 50, 50])
    journal.begin(request).answered({ ...answer, text: 'x'.repeat(length) })
  expect(journal.all()).toHaveLength(2)
  journal.begin(request).answered({ ...answer, text: 'x'.repeat(61), bytes: 61 })
  expect(journal.all().at(-1)!.answer).toMatchObject({ text: undefined, bytes: 61 })
})

test('behavior: bodies of requests count as they are kept, whatever length was announced; one too large is left out', () => {
  const journal = createJournal(clock, bounds)
  const send = (body: string) => {
    const recording = journal.begin({ ...request, headers: { 'content-length': '1' } })
    recording.sent(body)
    recording.answered({ ...answer, text: undefined })
  }
  for (let i = 0; i < 3; i++) send('x'.repeat(46))
  expect(journal.all()).toHaveLength(2)
  send('x'.repeat(61))
  expect(journal.all().at(-1)!.body).toBeUndefined()
  expect(journal.all()).toHaveLength(3)
  // Beyond Latin-1, a character takes two bytes.
  send('€'.repeat(31))
  expect(journal.all().at(-1)!.body).toBeUndefined()
})

test('behavior: everything that is kept weighs: paths, headers, notes, hints; what comes to a dropped one does not', () => {
  const journal = createJournal(clock, {
    ...bounds,
    exchanges: 10,
    bytes: 200,
    reads: 10,
    readBytes: 200,
    notes: 10,
  })
  const post = { ...request, method: 'POST' }
  const first = journal.begin(post)
  journal.begin({ ...post, url: 'u'.repeat(90), headers: { 'user-agent': 'a'.repeat(20) } })
  expect(journal.bytes).toBe('/x'.length + 110)
  const noting = journal.begin(post)
  for (let i = 0; i < 3; i++) noting.note(fault('r'.repeat(13)))
  expect(journal.all()).toHaveLength(1)
  const before = journal.bytes
  first.sent('x'.repeat(60))
  first.note(fault())
  expect(journal.bytes).toBe(before)
  noting.answered({ ...answer, headers: { 'x-svc-sim-hint': 'h'.repeat(50) }, text: undefined })
  expect(journal.bytes).toBe(before + 50)
})

test('behavior: of a note that is too large the lists are left out; what is noted later does not change it', () => {
  const journal = createJournal(clock, bounds)
  const [nonce, scriptAddress, scriptCalldata] = ['0x1', '0x2', `0x${'3'.repeat(60)}`] as const
  const operation = { network: 'base', nonce, scriptAddress, scriptCalldata } as const
  const note = { ...plan, plan_id: 'pln_1', operations: [operation] }
  journal.begin(request).note(note)
  note.plan_id = 'pln_2'
  const { operations: _, ...scalars } = plan
  expect(noteOf(journal.all()[0]!.notes[0]!)).toEqual(scalars)
})

test('behavior: bounded in notes; a second answer changes nothing', () => {
  const journal = createJournal(clock, bounds)
  const recording = journal.begin(request)
  for (let i = 0; i < 5; i++) recording.note(fault())
  recording.answered({ ...answer, text: 'a' })
  recording.answered({ ...answer, status: 500, text: 'b' })
  expect(journal.all()[0]).toMatchObject({ notes: [{}, {}], answer: { status: 200, text: 'a' } })
})

test('behavior: 10,000 reads forget no write, no refusal and nothing that led to something', () => {
  const journal = createJournal(clock)
  const ask = (requestId: string, method: string, status: number, note?: Note): void => {
    const recording = journal.begin({ ...request, requestId, method })
    if (note) recording.note(note)
    recording.answered({ ...answer, status, text: '{}' })
  }
  ask('req_write', 'POST', 200)
  ask('req_refused', 'GET', 404)
  ask('req_noted', 'GET', 200, fault())
  journal.begin({ ...request, requestId: 'req_open', method: 'POST' })
  for (let i = 0; i < 10_000; i++) ask(`req_${i}`, 'GET', 200)
  const ids = journal.all().map(({ requestId }) => requestId)
  expect(ids.slice(0, 4)).toEqual(['req_write', 'req_refused', 'req_noted', 'req_open'])
  expect(ids).toHaveLength(1_004)
  expect(ids.at(-1)).toBe('req_9999')
  expect(journal.dropped).toBe(9_000)
})
