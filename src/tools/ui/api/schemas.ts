export interface FormSchema {
  type?: string | string[]
  enum?: string[]
  properties?: Record<string, FormSchema>
  required?: string[]
  items?: FormSchema
  anyOf?: FormSchema[]
  description?: string
  example?: unknown
  examples?: unknown[]
  default?: unknown
  pattern?: string
  $ref?: string
}

interface Operation {
  summary?: string
  description?: string
  responses?: Record<string, { description?: string }>
  requestBody?: { content: Record<string, { schema: FormSchema; example?: unknown }> }
}

export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, FormSchema> }
}

export function resolved({ components }: ApiDocument, schema: FormSchema): FormSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (components.schemas[name] ?? schema)
}
