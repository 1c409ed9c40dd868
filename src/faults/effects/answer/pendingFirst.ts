import { z } from 'zod'
import { defineAnswer } from './defineAnswer.js'
import { type JsonObject, mapObjects } from './json.js'

/** How often each rule has shown an activity; a rule that is armed again, or restored, begins anew. */
const readsOf = new WeakMap<AbortSignal, Map<unknown, number>>()

function readAgain(rule: AbortSignal, activityId: unknown): number {
  const reads = readsOf.get(rule) ?? new Map<unknown, number>()
  readsOf.set(rule, reads)
  const count = (reads.get(activityId) ?? 0) + 1
  reads.set(activityId, count)
  return count
}

const nulls = (...names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, null]))

/** What is null in an operation that has not been mined. */
const notMined = nulls(
  ...['success', 'transaction_hash', 'gas_used', 'gas_price', 'executed_at'],
  ...['executed_at_block_number', 'reverted_at'],
  ...['revert_reason', 'revert_signature', 'revert_values'],
)

/** The activity as it was before anything of it was mined. */
function asPending(activity: JsonObject): JsonObject {
  const items = activity.activity_metadata as JsonObject[]
  const executions = activity.executions as (JsonObject & { actions: JsonObject[] })[]
  return {
    ...activity,
    activity_status: 'pending',
    status: 'pending',
    activity_metadata: items
      .filter((item) => item.svc_operation_nonce !== null)
      .map((item) => ({
        ...item,
        ...notMined,
        activity_record_type: 'unexecuted',
        semantic_events: [],
      })),
    executions: executions
      .filter((each) => each.execution_type === 'transaction')
      .map((each) => ({
        ...each,
        ...nulls('transaction_hash', 'executed_at', 'reverted_at'),
        status: 'pending',
        actions: each.actions.map((action) => ({ ...action, observed_values: {} })),
      })),
  }
}

/** How soon an execution is mined is the service's affair. */
export const pendingFirst = defineAnswer({
  name: 'pending_first',
  summary:
    'The first `reads` responses that show an execution say `pending`, as if nothing of it were mined, however fast it was. Events and balances are as usual.',
  settings: z.strictObject({ reads: z.int().min(1).max(1_000).default(1) }),
  at: ({ method, path }) => method === 'GET' && path.includes('/activities'),
  alter: (answer, _, { reads }, { rule }) => ({
    ...answer,
    body: mapObjects(answer.body, (object) => {
      const { plan_id, activity_id, activity_metadata } = object
      if (typeof plan_id !== 'string' || activity_metadata === undefined) return object
      return readAgain(rule.signal, activity_id) <= reads ? asPending(object) : object
    }),
  }),
})
