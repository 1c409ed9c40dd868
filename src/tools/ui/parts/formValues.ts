import type { FormSchema } from '../api/schemas.js'

/** What stands in the fields of a form, by name: text as it was typed. */
export type FormValues = Readonly<Record<string, string | boolean>>

export function fieldKind(schema: FormSchema): 'choice' | 'flag' | 'number' | 'list' | 'text' {
  if (schema.enum) return 'choice'
  if (schema.type === 'boolean') return 'flag'
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  return schema.type === 'array' ? 'list' : 'text'
}

export function fieldValuesOf(example: unknown): FormValues {
  return Object.fromEntries(
    Object.entries((example ?? {}) as Record<string, unknown>).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? value : Array.isArray(value) ? value.join(', ') : String(value),
    ]),
  )
}

/**
 * The body that is sent. Empty fields are left out. What was typed is not checked here: the service says what is wrong with it,
 * in the same words as to any client.
 */
export function bodyOf(schema: FormSchema, values: FormValues): Record<string, unknown> {
  const entries = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const value = values[name]
    if (value === undefined || value === '') return []
    return [[name, sent(field, value)] as const]
  })
  return Object.fromEntries(entries)
}

function sent(schema: FormSchema, value: string | boolean): unknown {
  if (typeof value === 'boolean') return value
  const kind = fieldKind(schema)
  if (kind === 'number') return Number.isNaN(Number(value)) ? value : Number(value)
  if (kind === 'list') return value.split(/[\s,]+/).filter((item) => item !== '')
  return value.trim()
}

/** The field that a refusal is about: its message begins with the name. */
export function fieldOf(message: string, schema: FormSchema): string | undefined {
  const name = /^(?:settings of \S+ do not fit: )?([A-Za-z_]+)/.exec(message)?.[1]
  return name !== undefined && Object.hasOwn(schema.properties ?? {}, name) ? name : undefined
}
