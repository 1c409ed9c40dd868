import { expect, test } from 'vitest'
import { createJournal, redact, redactJson } from './journal.js'

const clock = { now: () => 1000 }
const bounds = { exchanges: 3, bytes: 100, body: 60, notes: 2 }
const request = { requestId: 'req_1', method: 'GET', url: '/x', headers: {} }
const answer = { status: 200, headers: {}, bytes: 0, cut: false }

test('default: exchanges in their order, with notes that come after the answer too', () => {
  const journal = createJournal(clock)
  const recording = journal.begin(request)
  recording.note({ type: 'plan', plan_id: 'pln_1' })
  recording.sent({ a: 1 })
  recording.answered({ ...answer, text: '{}' })
  recording.note({ type: 'event', cursor: 1 })
  expect(journal.all()).toMatchObject([
    {
      order: 1,
      ms: 1000,
      body: { a: 1 },
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

test('behavior: bodies of requests count too, also without a length; one too large is left out', () => {
  const journal = createJournal(clock, bounds)
  const send = (length: number, headers: Record<string, string> = {}) => {
    const recording = journal.begin({ ...request, headers })
    recording.sent('x'.repeat(length))
    recording.answered({ ...answer, text: undefined })
  }
  for (let i = 0; i < 3; i++) send(48)
  expect(journal.all()).toHaveLength(2)
  send(61, { 'content-length': '61' })
  expect(journal.all().at(-1)!.body).toBeUndefined()
  expect(journal.all()).toHaveLength(3)
})

test('behavior: bounded in notes; a second answer changes nothing', () => {
  const journal = createJournal(clock, bounds)
  const recording = journal.begin(request)
  for (let i = 0; i < 5; i++) recording.note({ type: 'fault' })
  recording.answered({ ...answer, text: 'a' })
  recording.answered({ ...answer, status: 500, text: 'b' })
  expect(journal.all()[0]).toMatchObject({ notes: [{}, {}], answer: { status: 200, text: 'a' } })
})

test('default: keys keep their public part, tokens nothing', () => {
  const secrets = ['qk_abc123_00112233445566778899', 't0ken']
  expect(redact('{"a":"qk_abc123_00112233445566778899 t0ken t0ken"}', secrets)).toBe(
    '{"a":"qk_abc123_*** *** ***"}',
  )
})

test('behavior: only texts and names of fields are masked, whatever the secret looks like', () => {
  const value = { count: 10, none: null, 'is 10': ['a10', true], text: 'say "x" ' }
  expect(redactJson(value, ['10', '"x"'])).toEqual({
    count: 10,
    none: null,
    'is ***': ['a***', true],
    text: 'say *** ',
  })
})
