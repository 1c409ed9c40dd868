import type { Address } from 'viem'
import type { z } from 'zod'
import type { ActionContext } from '../plans/model/contexts.js'
import { valuesOf } from '../plans/model/contexts.js'
import type { SemanticEvent } from '../plans/model/semanticEvents.js'
import { outsideContext } from '../plans/observe/observedContext.js'
import type { ActivityNumbers } from '../store/store.js'
import { type ActivityRecord, type ActivityStatus, activityType } from '../store/store.js'
import { isoSeconds } from '../time/clock.js'
import type { activitySchema } from './activitySchemas.js'

type Activity = z.infer<typeof activitySchema>
type Execution = Activity['executions'][number]
type Item = Activity['activity_metadata'][number]

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
  const { numbers, metadata, svcIntent } = activity
  const items = itemsOf(metadata, numbers)
  return {
    id: numbers.activity,
    activity_id: activity.activityId,
    account_id: activity.accountId,
    plan_id: activity.planId,
    svc_intent_id: activity.intentId,
    ...(svcIntent && {
      svc_intent: { id: numbers.intent, ...svcIntent } as Activity['svc_intent'],
    }),
    activity_type: activityType(activity),
    activity_status: activity.status,
    status: newerStatus[activity.status],
    occurred_at: isoSeconds(activity.createdAtMs),
    updated_at: isoSeconds(activity.updatedAtMs),
    activity_metadata: items,
    executions: executionsOf(items, metadata),
  }
}

/** What every item has, where it does not say otherwise. */
const blank = {
  from: null,
  to: null,
  payment_method: 'sponsored',
  expiry: null,
  gas_used: null,
  gas_price: null,
  // As the published sample has them; the relayer pays, and nothing is estimated.
  gas_overhead: '0',
  gas_estimate: '',
  executed_at: null,
  executed_at_block_number: null,
  reverted_at: null,
  revert_reason: null,
  revert_signature: null,
  revert_values: null,
} as const

/** The items with their integers: operations count on by their place, transactions by their network. */
function itemsOf(metadata: ActivityRecord['metadata'], numbers: ActivityNumbers): Item[] {
  const own = metadata.filter(isOwn)
  const chains = [...new Set(own.map((item) => item.chain_id))]
  return metadata.map((item) => {
    const { observed_context: _, ...shown } = item
    return {
      ...blank,
      ...shown,
      svc_wallet_id: numbers.wallet,
      svc_operation_id: isOwn(item) ? numbers.operation + own.indexOf(item) : null,
      svc_execution_id: isOwn(item) ? numbers.execution + chains.indexOf(item.chain_id) : null,
    } as unknown as Item
  })
}

/** Whether an item is an operation of the plan; the others came from outside. */
function isOwn(item: ActivityRecord['metadata'][number]): boolean {
  return typeof item.svc_operation_nonce === 'string'
}

/** The newer form: one execution for each transaction of the plan, and one for each thing that came from outside. */
function executionsOf(items: readonly Item[], metadata: ActivityRecord['metadata']): Execution[] {
  const groups = new Map<unknown, number[]>()
  items.forEach((item, i) => {
    const key = item.svc_execution_id ?? `${item.transaction_hash ?? i}/${item.action_type}`
    groups.set(key, [...(groups.get(key) ?? []), i])
  })
  return [...groups.values()].map((places) => {
    const item = items[places[0]!]!
    return {
      execution_type: item.svc_execution_id === null ? 'external' : 'transaction',
      chain_id: item.chain_id,
      transaction_hash: item.transaction_hash,
      status: executionStatus(item),
      executed_at: item.executed_at,
      reverted_at: item.reverted_at,
      actions: places.map((i) => actionOf(items[i]!, metadata[i]!)),
    }
  })
}

function executionStatus({ reverted_at, success }: Item): Execution['status'] {
  if (reverted_at !== null || success === false) return 'failed'
  return success === true ? 'executed' : 'pending'
}

/** What an item was expected to do, and what it was seen to do once it has: amounts stay decimal strings in both. */
function actionOf(
  item: Item,
  { observed_context }: ActivityRecord['metadata'][number],
): Execution['actions'][number] {
  const context = item.action_context as ActionContext
  const observed = item.success === true ? observedOf(item, observed_context) : undefined
  return {
    action_type: item.action_type,
    expected_values: valuesOf(context),
    observed_values: observed ? valuesOf(observed) : {},
  } as Execution['actions'][number]
}

function observedOf(item: Item, kept: unknown): ActionContext | undefined {
  if (item.activity_record_type !== 'exogenous') return kept as ActionContext | undefined
  const events = item.semantic_events as SemanticEvent[]
  const wallet = item.svc_wallet_address as Address
  return outsideContext(item.action_context as ActionContext, events, wallet)
}
