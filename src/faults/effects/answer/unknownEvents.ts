import { z } from 'zod'
import type { EventRecord } from '../../../service/store/store.js'
import { defineEffect } from '../../rules/effect.js'

/** interface.md shows one type of event and says of others: not shown. They are delivered like all others, each once, and resumed after. */
export const unknownEvents = defineEffect({
  on: 'answer.delivery',
  name: 'unknown_events',
  summary:
    'Before an event of the account another one is delivered, of a type that nobody has documented (`portfolio_revalued`) and with other data. It has a cursor of its own, and is there for all later reads.',
  settings: z.strictObject({}),
  async apply(_, { event, first }, proceed) {
    const other = { event_type: 'portfolio_revalued', data: { reason: 'scheduled', positions: 3 } }
    // The store knows one type; nothing but a reader of events looks into this one.
    await first({
      ...event,
      eventType: other.event_type,
      data: other.data,
    } as unknown as EventRecord)
    return proceed()
  },
})
