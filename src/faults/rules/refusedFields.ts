import { z } from 'zod'

interface Field {
  type?: string
  enum?: readonly unknown[]
  anyOf?: readonly Field[]
  example?: unknown
  default?: unknown
  pattern?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Field
  properties?: Record<string, Field>
  additionalProperties?: Field | boolean
  required?: readonly string[]
}

const maxShown = 200

/**
 * What is wrong with each field of an input: what the schema allows there, and at the end what was received. For example `ms: must be an
 * integer from 1 to 600000, such as 200; received {"ms":0}`.
 */
export function refusedFields(
  schema: z.ZodType,
  issues: z.ZodError['issues'],
  input: unknown,
): string {
  return `${problemsOf(schema, issues)}; received ${shown(input)}`
}

/** What is wrong with an input, field by field, without the input itself. */
export function problemsOf(schema: z.ZodType, issues: z.ZodError['issues']): string {
  const whole = jsonSchemaOf(schema)
  const problems = issues.map((issue) => {
    const field = fieldAt(whole, issue.path)
    const where = issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''
    if (issue.code === 'custom') return `${where}${issue.message}`
    if (issue.code !== 'unrecognized_keys') return `${where}must be ${allowed(field)}`
    const unknown = issue.keys.map((key) => JSON.stringify(key)).join(', ')
    const known = Object.keys(field.properties ?? {}).join(', ')
    return `${where}${unknown} does not exist; known fields: ${known || 'none'}`
  })
  return [...new Set(problems)].join('; ')
}

/** The least that an object schema takes: its required fields, each with its example. */
export function leastOf(schema: z.ZodType): Record<string, unknown> {
  const { required = [], properties = {} } = jsonSchemaOf(schema)
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name]!)]))
}

function jsonSchemaOf(schema: z.ZodType): Field {
  const whole = z.toJSONSchema(schema, { io: 'input' })
  // A named schema is among the definitions.
  const name = whole.$ref?.slice('#/$defs/'.length)
  return (name === undefined ? whole : whole.$defs![name]) as Field
}

function fieldAt(schema: Field, path: readonly PropertyKey[]): Field {
  return path.reduce<Field>(
    (at, key) => at.properties?.[String(key)] ?? valuesOf(at) ?? at.items ?? {},
    schema,
  )
}

function valuesOf({ additionalProperties: values }: Field): Field | undefined {
  return typeof values === 'object' ? values : undefined
}

function exampleOf({ example, default: usual, enum: words }: Field): unknown {
  return example ?? usual ?? words?.[0]
}

/** In words, after "must be". */
function allowed(field: Field): string {
  if (field.enum) return `one of ${field.enum.join(', ')}`
  if (field.anyOf) return field.anyOf.map(allowed).join(' or ')
  const example = exampleOf(field)
  const such = example === undefined ? '' : `, such as ${JSON.stringify(example)}`
  switch (field.type) {
    case 'integer':
    case 'number':
      return `${field.type === 'integer' ? 'an integer' : 'a number'}${range(field)}${such}`
    case 'string':
      if (field.pattern) return `text that fits ${field.pattern}${such}`
      return `text${between(field.minLength, field.maxLength, 'characters')}${such}`
    case 'array':
      return `a list${between(field.minItems, field.maxItems, 'items')}${such}`
    case 'boolean':
      return 'true or false'
    default:
      return 'a JSON object'
  }
}

function range({ minimum, exclusiveMinimum, maximum }: Field): string {
  const to = maximum === undefined ? '' : ` ${minimum === undefined ? 'up to' : 'to'} ${maximum}`
  if (exclusiveMinimum !== undefined)
    return ` above ${exclusiveMinimum}${maximum === undefined ? '' : ` and up to ${maximum}`}`
  return `${minimum === undefined ? '' : ` from ${minimum}`}${to}`
}

function between(least: number | undefined, most: number | undefined, what: string): string {
  if (least === most) return least === undefined ? '' : ` of ${least} ${what}`
  if (least === undefined) return most === undefined ? '' : ` of at most ${most} ${what}`
  return most === undefined ? ` of at least ${least} ${what}` : ` of ${least} to ${most} ${what}`
}

function shown(input: unknown): string {
  const text = JSON.stringify(input) ?? String(input)
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
}
