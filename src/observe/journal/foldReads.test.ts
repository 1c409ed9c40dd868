import { expect, test } from 'vitest'
import { foldReads, type OrderedMoment } from './foldReads.js'
import type { RecordedRequest } from './journal.js'

const start = Date.UTC(2026, 0, 1, 19, 32)

/** A request at its order, in minutes from 19:32. */
function recorded(order: number, url: string, method = 'GET', status = 200): RecordedRequest {
  const ms = start + order * 60_000
  const stamp = { order, ms, receivedMs: ms }
  const answer = { ...stamp, status, headers: {}, text: '', bytes: 0, cut: false, tookMs: 1 }
  return { ...stamp, requestId: `req_${order}`, method, url, headers: {}, notes: [], answer }
}

const momentsOf = (exchanges: readonly RecordedRequest[]): OrderedMoment[] =>
  exchanges.flatMap(({ order, ms, requestId, method, url }) => {
    const common = {
      ...{ at: new Date(ms).toISOString(), request_id: requestId, of: order, details: {} },
    }
    return [
      { ...common, order, type: 'request', title: `${method} ${url}` },
      { ...common, order: order + 0.1, type: 'answer', title: '200' },
    ]
  })
const titlesOf = (exchanges: readonly RecordedRequest[]) =>
  foldReads(momentsOf(exchanges), exchanges).map(({ title }) => title)

const events = '/accounts/acc_000000000000/events'

test('default: the same read many times is one line, also between reads of another path', () => {
  const polls = Array.from({ length: 50 }, (_, i) =>
    recorded(i, i % 2 === 0 ? `${events}?since=${i}` : '/activities/act_1'),
  )
  expect(titlesOf(polls)).toEqual([
    'GET events, 25 times, 19:32:00 to 20:20:00',
    'GET /activities/act_1, 25 times, 19:33:00 to 20:21:00',
  ])
})

test('behavior: what happens between reads parts them; two are not folded', () => {
  const all = [
    ...[0, 1, 2].map((i) => recorded(i, events)),
    recorded(3, '/accounts', 'POST'),
    ...[4, 5].map((i) => recorded(i, events)),
  ]
  expect(titlesOf(all)).toEqual([
    'GET events, 3 times, 19:32:00 to 19:34:00',
    ...['POST /accounts', '200', `GET ${events}`, '200', `GET ${events}`, '200'],
  ])
})

test('behavior: a read that failed stays as it is', () => {
  const all = [0, 1, 2, 3].map((i) => recorded(i, events, 'GET', i === 3 ? 500 : 200))
  expect(titlesOf(all)).toEqual([
    'GET events, 3 times, 19:32:00 to 19:34:00',
    ...[`GET ${events}`, '200'],
  ])
})

test('behavior: a read that brought events stays by itself', () => {
  const polls = Array.from({ length: 7 }, (_, i) => recorded(i, `${events}?since=0`))
  const moments = momentsOf(polls).map((moment) =>
    moment.type === 'answer' && moment.request_id === 'req_3'
      ? { ...moment, details: { events: ['act_1 is confirmed'] } }
      : moment,
  )
  expect(foldReads(moments, polls).map(({ title }) => title)).toEqual([
    'GET events, 3 times, 19:32:00 to 19:34:00',
    `GET ${events}?since=0`,
    '200',
    'GET events, 3 times, 19:36:00 to 19:38:00',
  ])
})

test('behavior: a write stays, though a read of another life has the same id', () => {
  const reads = [0, 1, 2].map((i) => recorded(i, events))
  const write = { ...recorded(3, '/accounts', 'POST'), requestId: 'req_1' }
  expect(titlesOf([...reads, write])).toEqual([
    ...['GET events, 3 times, 19:32:00 to 19:34:00', 'POST /accounts', '200'],
  ])
})
