import { expect, test } from 'vitest'
import type { OrderedMoment } from './foldReads.js'
import { deliveredEvents } from './moments.js'

const account_id = 'acc_1'

function moment(
  order: number,
  type: string,
  title: string,
  details: Record<string, unknown>,
): OrderedMoment {
  const at = new Date(order * 1_000).toISOString()
  return { order, at, request_id: 'req_1', type, title, details }
}

const happened = (order: number, cursor: number, status: string) =>
  moment(order, 'event', `event ${cursor}: activity act_1 is ${status}`, { account_id, cursor })
const delivered = (order: number, of: number, cursor: number) =>
  moment(order, 'delivery', '', { account_id, of, cursor })
const met = (order: number, cursor: number, effect: string) =>
  moment(order, 'fault', effect, { rule: 'r', effect, event: cursor, account_id })
const titles = (...moments: OrderedMoment[]) => deliveredEvents(moments).map(({ title }) => title)

test('default: events that nothing came between stay as they are', () => {
  const all = [happened(1, 1, 'pending'), happened(2, 2, 'confirmed')]
  expect(deliveredEvents(all)).toEqual(all)
})

test('behavior: an event that is delivered late stands behind the one that overtook it', () => {
  const all = [
    ...[happened(1, 1, 'pending'), met(1.1, 1, 'events.delay'), happened(2, 2, 'confirmed')],
    ...[delivered(2.1, 2, 2), delivered(4, 1, 3)],
  ]
  expect(titles(...all)).toEqual([
    'events.delay',
    'event 2: activity act_1 is confirmed',
    'event 3: activity act_1 is pending (created at 00:00:01.000, delivered after event 2)',
  ])
})

test('behavior: a doubled event is shown twice, a dropped one as not delivered', () => {
  const doubled = [happened(1, 1, 'pending'), met(1, 1, 'events.duplicate')]
  const late = { ...delivered(1.1, 1, 2), at: doubled[0]!.at }
  expect(titles(...doubled, { ...late, details: { account_id, of: 1, cursor: 1 } }, late)).toEqual([
    'events.duplicate',
    'event 1: activity act_1 is pending',
    'event 2: activity act_1 is pending (the same event again)',
  ])
  expect(titles(happened(1, 1, 'pending'), met(1.1, 1, 'events.drop'))).toEqual([
    'event 1: activity act_1 is pending (not delivered: r (events.drop))',
    'events.drop',
  ])
})
