import { expect, test } from 'vitest'
import { type EventsPage, type EventsQuery, untilEnded } from './follow.js'
import type { Schemas } from './types.js'

/** Everything else about following: `test/process/client.test.ts`. */

test('behavior: a poll without events, whose cursor may be of a time that was taken back, begins the next at 0', async () => {
  const asked: number[] = []
  const event = { timestamp: 1 } as Schemas['Event']
  const pages: EventsPage[] = [
    { events: [event], cursor: 70 },
    { events: [], cursor: 70 },
    { events: [event], cursor: 5 },
  ]
  const read = async ({ since }: EventsQuery): Promise<EventsPage> => {
    asked.push(since)
    return pages.shift()!
  }
  const activity = async () => {
    const activity_status = pages.length > 0 ? 'pending' : 'confirmed'
    return { activity_status } as Schemas['Activity']
  }
  const ended = await untilEnded(activity, read, {}, { attempts: 1, delayMs: () => 0 })
  expect(ended.activity_status).toBe('confirmed')
  expect(asked).toEqual([0, 70, 0])
})
