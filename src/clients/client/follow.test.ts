import { expect, test } from 'vitest'
import { type EventsPage, type EventsQuery, untilEnded } from './follow.js'
import type { Schemas } from './types.js'

/** `test/process/client.test.ts` has the other tests of following. */

test('behavior: polls never go back behind a cursor that was given, also after one without events', async () => {
  const asked: number[] = []
  const event = { timestamp: 1 } as Schemas['Event']
  const pages: EventsPage[] = [
    { events: [event], cursor: 70 },
    { events: [], cursor: 70 },
    { events: [event], cursor: 75 },
  ]
  const read = async ({ since }: EventsQuery): Promise<EventsPage> => {
    asked.push(since)
    return pages.shift()!
  }
  const activity = async () => {
    // A status that nobody documented is no end.
    const activity_status = ['confirmed', 'paused', 'pending', 'pending'][pages.length]
    return { activity_status } as unknown as Schemas['Activity']
  }
  const ended = await untilEnded(activity, read, {}, { attempts: 1, delayMs: () => 0 })
  expect(ended.activity_status).toBe('confirmed')
  expect(asked).toEqual([0, 70, 70])
})
