import { expect, test } from 'vitest'
import { type EventsPage, type EventsQuery, untilEnded } from './follow.js'
import type { Schemas } from './types.js'

/** `test/process/client.test.ts` has the other tests of following. */

test('behavior: after a poll without events the next one starts at 0, since a restore may have undone the cursor', async () => {
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
  const ended = await untilEnded(
    activity,
    read,
    {},
    { attempts: 1, delayMs: () => 0, pause: async () => {} },
  )
  expect(ended.activity_status).toBe('confirmed')
  expect(asked).toEqual([0, 70, 0])
})
