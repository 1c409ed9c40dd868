/** The bodies of activities, in the shape of both generations of the service at once (service-facts 12.2 and 12.3). */
import { z } from 'zod'
import { chainId, count, unixSecondsField } from '../../lib/scalars.js'
import { svcIntentSchema } from '../../service/plans/model/svcIntents.js'
import { actionContextSchema, executedActionSchema, semanticEventSchema } from './actionSchemas.js'
import {
  activityStatus,
  activityTypeField,
  address,
  decimalField,
  hash,
  id,
  timestamp,
} from './fields.js'

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
