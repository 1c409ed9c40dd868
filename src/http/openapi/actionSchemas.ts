/** The shapes of actions and of what they leave behind, one variant for each type, out of the tables of the planner. */
import { z } from 'zod'
import { pascalCase } from '../../lib/pascalCase.js'
import { address, chainId, count, hash } from '../../lib/scalars.js'
import {
  type ActionType,
  type ContextField,
  contextFields,
  type Fields,
  observedFields,
} from '../../service/plans/model/contexts.js'
import { eventFields } from '../../service/plans/model/semanticEvents.js'

const amount = z
  .string()
  .meta({ id: 'Amount', pattern: '^[0-9]+$', description: 'In the smallest unit.' })

const common = {
  address,
  addresses: z.array(address),
  amount,
  amounts: z.array(amount),
  flag: z.boolean(),
  hash,
  text: z.string(),
  texts: z.array(z.string()),
}

const price8 = z
  .string()
  .meta({ id: 'UsdE8', pattern: '^[0-9]+$', description: 'USD with 8 decimals.' })
/** Fields of contexts: all numbers are decimal strings. */
const older: Record<ContextField, z.ZodType> = {
  ...common,
  chain: z.string().meta({ pattern: '^[0-9]+$' }),
  price: price8,
  prices: z.array(price8),
}

const price = z.string().meta({ id: 'Usd', pattern: '^[0-9]+([.][0-9]+)?$', description: 'USD.' })
/** Fields of values, as newer clients read them. */
const newer: Record<ContextField, z.ZodType> = {
  ...common,
  chain: chainId,
  price,
  prices: z.array(price),
}

function shapeOf(fields: Fields, as: Record<ContextField, z.ZodType>) {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, as[field]]))
}

const actionTypes = Object.keys(contextFields) as ActionType[]

/** One of the variants by the value of a field. Zod wants to know that there is at least one. */
function oneOf<Variant extends z.ZodObject>(field: string, variants: Variant[]) {
  return z.discriminatedUnion(field, variants as [Variant, ...Variant[]])
}

/** What an operation does (service-facts 9.5). */
export const actionContextSchema = oneOf(
  'action_type',
  actionTypes.map((type) =>
    z
      .strictObject({ action_type: z.literal(type), ...shapeOf(contextFields[type], older) })
      .meta({ id: `${pascalCase(type)}Context` }),
  ),
).meta({
  id: 'ActionContext',
  description: 'What an operation does. All numbers are decimal strings.',
})

/** An action that a step of a plan is expected to lead to: the context does not repeat its type. */
export const expectedActionSchema = oneOf(
  'action_type',
  actionTypes.map((type) =>
    z
      .strictObject({
        action_type: z.literal(type),
        action_context: z.strictObject(shapeOf(contextFields[type], older)),
      })
      .meta({ id: `${pascalCase(type)}Step` }),
  ),
).meta({ id: 'ExpectedAction' })

/** An action of an execution: what it was to do, and once it has run what the logs say that it did. */
export const executedActionSchema = oneOf(
  'action_type',
  actionTypes.map((type) => {
    const expected = shapeOf(contextFields[type], newer)
    const unplanned: Partial<Record<ActionType, Fields>> = observedFields
    const observed = { ...expected, ...shapeOf(unplanned[type] ?? {}, newer) }
    return z
      .strictObject({
        action_type: z.literal(type),
        expected_values: z.strictObject(expected),
        observed_values: z.strictObject(observed).partial(),
      })
      .meta({ id: `${pascalCase(type)}Action` })
  }),
).meta({
  id: 'ExecutedAction',
  description:
    '`observed_values` has the fields of `expected_values`, with amounts from the logs. It is empty until the action has run, and when it failed. Amounts are decimal strings because JSON numbers beyond 2^53 lose precision.',
})

/** What the logs of an action tell (service-facts 12.2). */
export const semanticEventSchema = oneOf(
  'event_type',
  Object.entries(eventFields).map(([type, fields]) =>
    z
      .strictObject({
        event_type: z.literal(type),
        log_indices: z.array(count).meta({ description: 'Log indices within the block.' }),
        event_metadata: z.strictObject(shapeOf(fields, older)),
      })
      .meta({ id: `${pascalCase(type)}Event` }),
  ),
).meta({ id: 'SemanticEvent' })
