import { expect, test } from 'vitest'
import { type EventsPage, type EventsQuery, untilEnded } from './follow.js'
import type { Schemas } from './types.js'

/** `test/process/client.test.ts` has the other tests of following. */

const patience = { attempts: 1, delayMs: () => 0, pause: async () => {} }

test('behavior: after a poll without events the next one starts at 0, since a restore may have undone the cursor', async () => {
  const asked: number[] = []
  const read: string[] = []
  const event = { timestamp: 1 } as Schemas['Event']
  const pages: EventsPage[] = [
    { events: [event], cursor: 70 },
    { events: [], cursor: 70 },
    { events: [event], cursor: 5 },
  ]
  const poll = async ({ since }: EventsQuery): Promise<EventsPage> => {
    asked.push(since)
    return pages.shift()!
  }
  const activity = async () => {
    const activity_status = pages.length > 0 ? 'pending' : 'confirmed'
    return { activity_status } as Schemas['Activity']
  }
  const ended = await untilEnded(
    activity,
    poll,
    { onRead: ({ activity_status }) => read.push(activity_status) },
    patience,
  )
  expect(ended.activity_status).toBe('confirmed')
  expect(read).toEqual(['pending', 'pending', 'pending', 'confirmed'])
  expect(asked).toEqual([0, 70, 0])
})

test('behavior: an activity that arrives after the caller has stopped is not reported', async () => {
  const stopping = new AbortController()
  const read: string[] = []
  const look = async () => {
    stopping.abort()
    return { activity_status: 'confirmed' } as Schemas['Activity']
  }
  const waiting = untilEnded(
    look,
    async () => ({ events: [], cursor: 0 }),
    {
      signal: stopping.signal,
      onRead: ({ activity_status }) => read.push(activity_status),
    },
    patience,
  )
  await expect(waiting).rejects.toThrow('aborted')
  expect(read).toEqual([])
})
