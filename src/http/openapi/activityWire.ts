import { z } from 'zod'
import { address, chainId, count, hash, unixSecondsField } from '../../lib/scalars.js'
import type { ActivityItem } from '../../service/plans/model/activityItem.js'
import {
  type ContextOf,
  isFillOf,
  type ObservedContext,
  valuesOf,
} from '../../service/plans/model/contexts.js'
import { svcIntentSchema } from '../../service/plans/model/svcIntents.js'
import { observedContext } from '../../service/plans/observe/logs.js'
import {
  type ActivityNumbers,
  type ActivityRecord,
  type ActivityStatus,
  activityType,
} from '../../service/store/store.js'
import { isoSeconds } from '../../time/clock.js'
import { actionContextSchema, executedActionSchema, semanticEventSchema } from './actionSchemas.js'
import { activityStatus, activityTypeField, decimalField, id, timestamp } from './fields.js'

/** The bodies of activities, in the shape of both generations of the service at once (service-facts 12.2 and 12.3). */

const number = z.int().min(1).max(Number.MAX_SAFE_INTEGER)

const metadataItem = z
  .strictObject({
    activity_record_type: z.enum(['executed', 'unexecuted', 'exogenous']).meta({
      description:
        '`unexecuted`: signed and not mined; `exogenous`: from outside, such as a bridge’s fill.',
    }),
    success: z.boolean().nullable().meta({ description: 'Null while it is pending.' }),
    chain_id: chainId,
    transaction_hash: hash.nullable(),
    svc_wallet_address: address,
    svc_wallet_id: number,
    svc_operation_id: number.nullable().meta({ description: 'Null for outside events.' }),
    svc_execution_id: number
      .nullable()
      .meta({ description: 'The same for all operations of one transaction.' }),
    svc_operation_nonce: hash.nullable(),
    relay_hash: hash.optional().meta({ description: 'Relay hash of a bridge fill or refund.' }),
    from: address.nullable(),
    to: address.nullable(),
    action_type: z.string(),
    action_context: actionContextSchema,
    semantic_events: z.array(semanticEventSchema),
    payment_method: z.literal('sponsored').meta({ description: 'The relayer pays.' }),
    expiry: unixSecondsField.nullable().meta({ description: 'Unix seconds.' }),
    gas_used: decimalField.nullable(),
    gas_price: decimalField.nullable(),
    gas_overhead: decimalField,
    gas_estimate: z.string().meta({ description: 'Empty: the simulator estimates no gas.' }),
    executed_at: timestamp.nullable(),
    executed_at_block_number: count.nullable(),
    reverted_at: timestamp.nullable(),
    revert_reason: z.string().nullable(),
    revert_signature: z
      .string()
      .nullable()
      .meta({ pattern: '^0x[0-9a-f]{8}$', description: 'Selector of the error.' }),
    revert_values: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The arguments of the error.' }),
    updated_at: timestamp,
  })
  .meta({ id: 'ActivityItem' })

const execution = z
  .strictObject({
    execution_type: z.enum(['transaction', 'external']).meta({
      description: '`transaction`: of the plan; `external`: from outside, such as a bridge’s fill.',
    }),
    chain_id: chainId,
    transaction_hash: hash.nullable(),
    status: z.enum(['pending', 'executed', 'failed']),
    executed_at: timestamp.nullable(),
    reverted_at: timestamp.nullable(),
    actions: z.array(executedActionSchema),
  })
  .meta({ id: 'ActivityExecution' })

/** An activity. */
export const activitySchema = z
  .strictObject({
    id: number.meta({
      description: 'Increases over all activities. Paths accept it like `activity_id`.',
    }),
    activity_id: id('act'),
    account_id: id('acc'),
    plan_id: id('pln').nullable(),
    svc_intent_id: id('qi').nullable(),
    svc_intent: svcIntentSchema.optional(),
    activity_type: activityTypeField,
    activity_status: activityStatus,
    status: z
      .enum(['pending', 'completed', 'failed'])
      .meta({ description: 'The same as `activity_status`, with the values of newer clients.' }),
    occurred_at: timestamp,
    updated_at: timestamp,
    activity_metadata: z
      .array(metadataItem)
      .meta({ description: 'One item per operation or outside event; for older clients.' }),
    executions: z.array(execution).meta({
      description:
        'One element per transaction with all its actions, and one per outside event; for newer clients.',
    }),
  })
  .meta({ id: 'Activity' })

type Activity = z.infer<typeof activitySchema>
type Execution = Activity['executions'][number]
type Item = Activity['activity_metadata'][number]

const newerStatus = {
  pending: 'pending',
  confirmed: 'completed',
  failed: 'failed',
} as const satisfies Record<ActivityStatus, Activity['status']>

/**
 * An activity with the fields of both generations of the service, as service-facts 12.4 proposes: `activity_status` and `activity_metadata` of
 * the older, `status` and `executions` of the newer.
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
    ...(svcIntent &&
      numbers.intent !== null && { svc_intent: { id: numbers.intent, ...svcIntent } }),
    activity_type: activityType(activity),
    activity_status: activity.status,
    status: newerStatus[activity.status],
    occurred_at: isoSeconds(activity.createdAtMs),
    updated_at: isoSeconds(activity.updatedAtMs),
    activity_metadata: items,
    executions: executionsOf(items, metadata),
  }
}

/** The items with their integers: operations count on by their place, transactions by their network. */
function itemsOf(metadata: ActivityRecord['metadata'], numbers: ActivityNumbers): Item[] {
  const own = metadata.filter(isOwn)
  const chains = [...new Set(own.map((item) => item.chain_id))]
  return metadata.map((item) => {
    const {
      observed_context: came,
      stopped_by: _,
      fill_deadline: __,
      ...shown
    } = { observed_context: undefined, stopped_by: undefined, fill_deadline: undefined, ...item }
    return {
      ...shown,
      // Nobody signs a fill: its item says what came, and its execution what was expected besides.
      ...(came?.action_type === 'BRIDGE_MINT' && { action_context: came }),
      svc_wallet_id: numbers.wallet,
      svc_operation_id: isOwn(item) ? numbers.operation + own.indexOf(item) : null,
      svc_execution_id: isOwn(item) ? numbers.execution + chains.indexOf(item.chain_id) : null,
    }
  })
}

/** Whether an item is an operation of the plan; the others came from outside. */
function isOwn(item: ActivityItem) {
  return item.svc_operation_nonce !== null
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
      actions: places.map((i) => actionOf(metadata[i]!, metadata)),
    }
  })
}

function executionStatus({ reverted_at, success }: Item): Execution['status'] {
  if (reverted_at !== null || success === false) return 'failed'
  return success === true ? 'executed' : 'pending'
}

/** What an item was expected to do, and what it was seen to do once it has: amounts stay decimal strings in both. */
function actionOf(
  item: ActivityItem,
  metadata: ActivityRecord['metadata'],
): Execution['actions'][number] {
  const observed = item.success === true ? observedOf(item, metadata) : undefined
  return {
    action_type: item.action_type,
    expected_values: valuesOf(item.action_context),
    observed_values: observed ? valuesOf(observed) : {},
  }
}

function observedOf(
  item: ActivityItem,
  metadata: ActivityRecord['metadata'],
): ObservedContext | undefined {
  const observed = 'observed_context' in item ? item.observed_context : undefined
  if (observed?.action_type === 'BRIDGE') return withArrival(observed, metadata)
  if (observed || item.svc_operation_nonce !== null) return observed
  const { action_context: context, semantic_events: events, svc_wallet_address: wallet } = item
  // The events describe outside transactions completely.
  return observedContext({ context, events, logs: [], wallet })
}

/** What a deposit's own logs cannot tell: in which form its fill has come, which is as planned until it has. */
function withArrival(
  sent: ContextOf<'BRIDGE'>,
  metadata: ActivityRecord['metadata'],
): ContextOf<'BRIDGE'> {
  const came = metadata
    .filter((item) => item.action_type === 'BRIDGE_MINT')
    .map((item) => item.observed_context)
    .find((fill) => fill && isFillOf(fill, sent))
  return { ...sent, destination_asset_symbol: came?.asset_symbol ?? sent.destination_asset_symbol }
}
