import type { EventRecord } from '../../../service/store/store.js'
import { defineEffect } from '../../rules/effect.js'

/** interface.md shows one type of event and says of others: not shown. They are delivered like all others, each once, and resumed after. */
export const unknownEvents = defineEffect({
  on: 'answer.delivery',
  name: 'unknown_events',
  summary:
    'Before an event of the account, another one of an undocumented type (`portfolio_revalued`) with other data is delivered. It has its own cursor, and all later reads include it.',
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
