import { asViewer } from './ownReads.js'
import { askControl } from './session.js'

/** A JSON schema, as far as forms need it. */
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

/** An OpenAPI document, as far as forms need it. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, FormSchema> }
}

/** What stands behind a reference to a component. */
export function resolved({ components }: ApiDocument, schema: FormSchema): FormSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (components.schemas[name] ?? schema)
}

const loaded = new Map<string, Promise<ApiDocument>>()

/** The document of the service or of the control API; asked for once. */
export function documentOf(path: '/openapi.json' | '/_sim/openapi.json'): Promise<ApiDocument> {
  const known = loaded.get(path)
  if (known) return known
  const asked = load(path)
  loaded.set(path, asked)
  asked.catch(() => loaded.delete(path))
  return asked
}

async function load(path: string): Promise<ApiDocument> {
  const request = new Request(path)
  const answer = await (path.startsWith('/_sim') ? askControl(request) : asViewer(request))
  if (!answer.ok) throw new Error(`${path} responded with ${answer.status}`)
  return answer.json()
}
