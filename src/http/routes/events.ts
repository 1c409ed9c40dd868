import { z } from 'zod'
import { count } from '../../lib/scalars.js'
import { waitForEvents } from '../../service/activities/longPoll.js'
import type { EventRecord } from '../../service/store/store.js'
import { requestSignal } from '../core/requestSignal.js'
import { defineRoute, type Route } from '../core/route.js'
import { eventExample, example } from '../openapi/examples.js'
import { booleanParameter, integerParameter } from '../openapi/fields.js'
import { eventSchema } from '../openapi/schemas.js'
import { accountOf } from '../pipeline/auth.js'

/** interface.md, "Limits": about 30 seconds. */
const defaultLongPollMs = 25_000

const eventsQuery = z.object({
  since: integerParameter('Only events after this cursor; without it, all events.').optional(),
  poll: booleanParameter(
    'When true and there are no events yet, waits until some arrive, up to 25 seconds. Default false.',
  ).optional(),
})

export const eventRoutes: readonly Route[] = [
  defineRoute({
    operationId: 'listEvents',
    method: 'get',
    path: '/accounts/:account_id/events',
    tag: 'Activities',
    summary: 'Read or await events',
    description:
      'Events of the sub-account, oldest first. Pass the returned `cursor` as `since` in the next request. An empty response repeats the `since` of the request (0 without one).',
    access: 'account',
    locks: 'handler',
    source: 'interface',
    query: eventsQuery,
    answer: {
      description: 'The events after the cursor.',
      schema: z.strictObject({ events: z.array(eventSchema), cursor: count }),
      example: {
        events: [eventExample],
        cursor: example.unix,
      },
    },
    errors: [
      {
        code: 'invalid_params',
        when: '`since` is not a cursor, or `poll` is neither true nor false',
        message: 'since must be an integer from 0 to 2^53-1, given once, received "-1"',
      },
    ],
    async handler({ deps, account, query, res }) {
      const since = query.since ?? 0
      if (!query.poll)
        return eventsWire(await deps.service.store.events(account.accountId, since), since)
      // The restored state has other events; who waits for those of this one asks again.
      const wait = requestSignal(res, deps.timing.stopping, deps.timing.lock)
      try {
        const timeoutMs = deps.service.longPollMs ?? defaultLongPollMs
        const options = { timeoutMs, wait: deps.timing.clock.idle, signal: wait.signal }
        const events = await waitForEvents(deps.service.store, account.accountId, since, options)
        // The restored state may not have the account.
        await deps.timing.lock.shared('a long poll', () =>
          accountOf(deps, account.primeId, account.accountId),
        )
        return eventsWire(events, since)
      } finally {
        wait.release()
      }
    },
  }),
]

function eventsWire(events: readonly EventRecord[], since: number) {
  return {
    events: events.map(({ eventType, data, timestamp }) => ({
      event_type: eventType,
      data,
      timestamp,
    })),
    cursor: events.at(-1)?.cursor ?? since,
  }
}
