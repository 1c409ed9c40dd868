import { z } from 'zod'
import { ServiceError } from '../../lib/errors.js'
import { activityKey } from '../../service/store/numbers.js'
import type { ActivityRecord } from '../../service/store/store.js'
import { defineRoute, type ErrorCase, type Route } from '../core/route.js'
import { activitySchema, activityWire } from '../openapi/activityWire.js'
import { activityExample } from '../openapi/examples.js'

const oneActivity = {
  description: 'The activity.',
  schema: activitySchema,
  example: activityExample,
}
const notFound: ErrorCase = {
  code: 'not_found',
  when: 'the activity does not exist or belongs to another account',
  message: 'There is no activity act_000000000000',
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
      example: { activities: [activityExample] },
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
        found(id, await deps.service.store.activity(account.accountId, activityKey(id))),
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
      return activityWire(found(id, undefined))
    },
  }),
]

function found(id: string, activity: ActivityRecord | undefined): ActivityRecord {
  if (activity) return activity
  throw new ServiceError('not_found', `There is no activity ${id.slice(0, 80)}`, {
    hint: 'Use the act_ id that POST /accounts/:account_id/plan/execute returns, or the integer of its field id: digits without sign or leading zeros.',
  })
}
