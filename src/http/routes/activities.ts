import { z } from 'zod'
import { ServiceError } from '../../lib/errors.js'
import { count } from '../../lib/scalars.js'
import { waitForEvents } from '../../service/activities/longPoll.js'
import { type ActivityRecord, activityKey, type EventRecord } from '../../service/store/store.js'
import { requestSignal } from '../core/request.js'
import { defineRoute, type ErrorCase, type Route } from '../core/route.js'
import { activitySchema, activityWire } from '../openapi/activityWire.js'
import { booleanParameter, integerParameter } from '../openapi/fields.js'
import { eventSchema } from '../openapi/schemas.js'
import { accountOf } from '../pipeline/auth.js'

const oneActivity = {
  description: 'The activity.',
  schema: activitySchema,
}
const notFound: ErrorCase = {
  code: 'not_found',
  when: 'the activity does not exist or belongs to another account',
}

export const accountActivityRoutes: readonly Route[] = [
  defineRoute({
    operationId: 'listActivities',
    method: 'get',
    path: '/accounts/:account_id/activities',
    tag: 'Activities',
    summary: 'List the activities of a sub-account',
    description: 'All activities, newest first. An activity is created by executing a plan.',
    access: 'account',
    answer: {
      description: 'The activities.',
      schema: z.strictObject({ activities: z.array(activitySchema) }),
    },
    async handler({ deps, account }) {
      const activities = await deps.service.store.activities(account.accountId)
      return { activities: activities.map(activityWire) }
    },
  }),
  defineRoute({
    operationId: 'getAccountActivity',
    method: 'get',
    path: '/accounts/:account_id/activities/:activity_id',
    tag: 'Activities',
    summary: 'Read an activity of a sub-account',
    description: 'One activity of the sub-account.',
    access: 'account',
    answer: oneActivity,
    errors: [notFound],
    async handler({ deps, account, req }) {
      const id = String(req.params.activity_id)
      return activityWire(
        existing(id, await deps.service.store.activity(account.accountId, activityKey(id))),
      )
    },
  }),
]

export const activityRoutes: readonly Route[] = [
  defineRoute({
    operationId: 'getActivity',
    method: 'get',
    path: '/activities/:activity_id',
    tag: 'Activities',
    summary: 'Read an activity',
    description: 'One activity of any sub-account of the prime account.',
    access: 'prime',
    answer: oneActivity,
    errors: [notFound],
    async handler({ deps, prime, req }) {
      const id = String(req.params.activity_id)
      for (const { accountId } of await deps.service.store.accounts(prime.primeId)) {
        const activity = await deps.service.store.activity(accountId, activityKey(id))
        if (activity) return activityWire(activity)
      }
      return activityWire(existing(id, undefined))
    },
  }),
]

function existing(id: string, activity: ActivityRecord | undefined): ActivityRecord {
  if (activity) return activity
  throw new ServiceError('not_found', `There is no activity ${id.slice(0, 80)}`, {
    hint: 'Use the act_ id that POST /accounts/:account_id/plan/execute returns, or the integer of its field id: digits without sign or leading zeros.',
  })
}

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
    },
    errors: [
      {
        code: 'invalid_params',
        when: '`since` is not a cursor, or `poll` is neither true nor false',
      },
    ],
    async handler({ deps, account, query, res }) {
      const since = query.since ?? 0
      if (!query.poll)
        return eventsWire(await deps.service.store.events(account.accountId, since), since)
      // The restored state has other events; waiting clients must ask again.
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
