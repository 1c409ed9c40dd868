import type { z } from 'zod'
import { isoSeconds } from '../clock.js'
import { type ActivityRecord, type ActivityStatus, activityType } from '../store/store.js'
import type { activitySchema } from './schemas.js'

type Activity = z.infer<typeof activitySchema>
type Execution = Activity['executions'][number]
type Item = Record<string, unknown>

const newerStatus = {
  pending: 'pending',
  confirmed: 'completed',
  failed: 'failed',
} as const satisfies Record<ActivityStatus, Activity['status']>

/**
 * An activity as it is answered. It carries the fields of both generations of the service at once: `activity_status` and
 * `activity_metadata` of the older, `status` and `executions` of the newer (service-facts 12.4 proposes just that).
 */
export function activityWire(activity: ActivityRecord): Activity {
  return {
    id: activity.numbers.activity,
    activity_id: activity.activityId,
    account_id: activity.accountId,
    plan_id: activity.planId,
    svc_intent_id: activity.intentId,
    activity_type: activityType(activity),
    activity_status: activity.status,
    status: newerStatus[activity.status],
    occurred_at: isoSeconds(activity.createdAtMs),
    updated_at: isoSeconds(activity.updatedAtMs),
    activity_metadata: activity.metadata,
    executions: activity.metadata.map(executionOf),
  }
}

/** The newer form of one metadata item. Amounts stay decimal strings: JSON numbers could not carry them. */
function executionOf(item: Item): Execution {
  const revertedAt = textOrNull(item.reverted_at)
  const context = isItem(item.action_context) ? item.action_context : {}
  return {
    execution_type: item.activity_record_type === 'exogenous' ? 'external' : 'transaction',
    chain_id: typeof item.chain_id === 'number' ? item.chain_id : null,
    transaction_hash: textOrNull(item.transaction_hash),
    status: executionStatus(item, revertedAt),
    executed_at: textOrNull(item.executed_at),
    reverted_at: revertedAt,
    actions: [
      {
        action_type: String(item.action_type ?? context.action_type ?? 'UNKNOWN'),
        expected_values: context,
        observed_values: observedValues(item.semantic_events),
      },
    ],
  }
}

function executionStatus(item: Item, revertedAt: string | null): Execution['status'] {
  if (revertedAt !== null || item.success === false) return 'failed'
  return item.success === true ? 'executed' : 'pending'
}

/** What the logs showed: the fields of the action's first event; nothing before it has run. */
function observedValues(events: unknown): Item {
  const first: unknown = Array.isArray(events) ? events[0] : undefined
  return isItem(first) && isItem(first.event_metadata) ? first.event_metadata : {}
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
