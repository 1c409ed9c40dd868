import { describe, expect, test } from 'vitest'
import { deliveredEvents, returnedEvents } from './eventMoments.js'
import type { OrderedMoment } from './foldReads.js'
import type { RecordedRequest } from './journal.js'

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

describe('reads of events', () => {
  const event = (order: number, cursor: number, activity_id: string, activity_status: string) =>
    moment(order, 'event', '', { account_id, cursor, activity_id, activity_status })
  /** A read with its answer, and the moment of that. */
  const read = (order: number, since: number, ...events: ReturnType<typeof event>[]) => {
    const requestId = `req_${order}`
    const text = JSON.stringify({
      events: events.map(({ details: { activity_id, activity_status } }) => ({
        data: { activity_id, activity_status },
      })),
      cursor: events.at(-1)?.details.cursor ?? since,
    })
    const url = `/accounts/${account_id}/events?since=${since}`
    const exchange = {
      ...{ method: 'GET', url, requestId, order, notes: [] },
      answer: { status: 200, cut: false, text, order: order + 0.5 },
    } as unknown as RecordedRequest
    return {
      exchange,
      answer: { ...moment(order + 0.5, 'answer', '200', {}), request_id: requestId, of: order },
    }
  }
  /** Moments with what they say of returns. */
  const told = (
    events: ReturnType<typeof event>[],
    reads: ReturnType<typeof read>[],
    own?: ReadonlySet<string>,
  ) => {
    const moments = [...events, ...reads.map(({ answer }) => answer)]
    const exchanges = reads.map(({ exchange }) => exchange)
    return returnedEvents(moments, exchanges, own).map(
      ({ order, details }) => [order, details.returned_by ?? details.events] as const,
    )
  }

  test('default: an event names the first read that returned it, which names it once', () => {
    const [one, two] = [event(1, 7, 'act_1', 'pending'), event(2, 8, 'act_1', 'confirmed')]
    const [first, again] = [read(1.1, 0, one), read(3, 0, one, two)]
    expect(told([one, two], [first, again, read(5, 0, one, two)])).toEqual([
      [1, 'req_1.1'],
      [2, 'req_3'],
      [1.6, ['act_1 is pending']],
      [3.5, ['act_1 is confirmed']],
      [5.5, undefined],
    ])
  })

  test('behavior: an activity has its own events alone, though a read returned those of another one', () => {
    const [own, other] = [event(1, 7, 'act_1', 'pending'), event(2, 8, 'act_2', 'pending')]
    const [both, rest] = [read(3, 0, own, other), read(4, 7, other)]
    expect(told([own, other], [both, rest], new Set(['act_1']))).toEqual([
      [1, 'req_3'],
      [3.5, ['act_1 is pending']],
      [4.5, undefined],
    ])
  })

  test('behavior: after a restore, another event may have the cursor of an earlier one', () => {
    const [before, after] = [event(1, 7, 'act_1', 'pending'), event(3, 7, 'act_1', 'pending')]
    expect(told([before, after], [read(2, 0, before), read(4, 0, after)])).toEqual([
      [1, 'req_2'],
      [3, 'req_4'],
      [2.5, ['act_1 is pending']],
      [4.5, ['act_1 is pending']],
    ])
  })

  test('behavior: an event that a fault doubled is returned twice, one from before the journal once', () => {
    const doubled = [event(1, 7, 'act_1', 'pending'), event(1, 8, 'act_1', 'pending')]
    expect(told(doubled, [read(2, 0, ...doubled)]).at(-1)).toEqual([
      2.5,
      ['act_1 is pending', 'act_1 is pending'],
    ])
    const [old] = doubled
    expect(told([], [read(2, 0, old!), read(3, 0, old!)])).toEqual([
      [2.5, ['act_1 is pending']],
      [3.5, undefined],
    ])
  })
})
