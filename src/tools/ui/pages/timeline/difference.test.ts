import { expect, test } from 'vitest'
import type { Moment } from '../../api/types.js'
import { partingOf } from './difference.js'

const moment = (type: string, title: string, request_id: string | null = null): Moment => ({
  at: '2026-01-01T00:00:00Z',
  request_id,
  cursor: request_id === null ? null : Number(request_id.slice(4)),
  type,
  title,
  details: type === 'request' ? { method: title.split(' ')[0] } : {},
})

const [a, b] = ['acc_000000000001', 'acc_000000000002']
const plan = (account: string, request: string) => [
  moment('request', `POST /accounts/${account}/plan/earn`, request),
  moment('answer', '201', request),
]

test('default: they part at the first moment that went otherwise; ids, hashes and reads do not count', () => {
  const here = [
    ...plan(a, 'req_1'),
    moment('reads', 'GET folio, 9 times, 00:00:00 to 00:00:09', 'req_2'),
    moment('transaction', 'transaction on base: mined 0x12', 'req_3'),
    moment('answer', '200', 'req_3'),
  ]
  const there = [
    moment('request', 'GET /networks', 'req_7'),
    moment('answer', '200', 'req_7'),
    ...plan(b, 'req_8'),
    moment('transaction', 'transaction on base: mined 0xab', 'req_9'),
    moment('answer', '409 plan_stale', 'req_9'),
  ]
  expect(partingOf(here, there)).toEqual([4, 5])
})

test('behavior: where one goes on and the other does not, they part at its end; the same ones do not part', () => {
  const short = plan(a, 'req_1')
  const long = [...plan(b, 'req_2'), moment('fault', 'fault stuck fired')]
  expect(partingOf(short, long)).toEqual([2, 2])
  expect(partingOf(long, short)).toEqual([2, 2])
  expect(partingOf(short, plan(b, 'req_3'))).toEqual([0, 0])
  expect(partingOf([], [])).toEqual([0, 0])
})

test('behavior: a read of an undone life is no reason to leave out a later request that has its id', () => {
  const read = [moment('request', 'GET /networks', 'req_1'), moment('answer', '200', 'req_1')]
  const here = [...read, ...plan(a, 'req_2').map((each) => ({ ...each, request_id: 'req_1' }))]
  expect(partingOf(here, plan(b, 'req_3'))).toEqual([0, 0])
})
