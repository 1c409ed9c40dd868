import { readFileSync } from 'node:fs'
import type { oas31 } from 'openapi3-ts'
import { packageFile } from '../../lib/files/packageFile.js'

export type JsonSchema = Readonly<Record<string, unknown>>

/** An operation of either OpenAPI document. */
export interface Operation {
  id: string
  method: string
  /** In the document's spelling: `/accounts/{account_id}/folio`. */
  path: string
  summary: string
  description: string
  /** Part of the control API, not of the service. */
  isControl: boolean
  pathParameters: readonly string[]
  queryParameters: readonly string[]
  inputs: Readonly<Record<string, JsonSchema>>
  required: readonly string[]
}

/** Such as `amount`, `market?`. */
export const inputNames = ({
  inputs,
  required,
}: Pick<Operation, 'inputs' | 'required'>): string[] =>
  Object.keys(inputs).map((name) => (required.includes(name) ? name : `${name}?`))

/** A file of the installed package. */
export function packaged(path: string): string {
  return readFileSync(packageFile(path), 'utf8')
}

/** Every operation of both documents, by method and path: `POST /_sim/fund`. */
export function readOperations(): ReadonlyMap<string, Operation> {
  const service = JSON.parse(packaged('openapi/openapi.json')) as oas31.OpenAPIObject
  const control = JSON.parse(packaged('openapi/control.json')) as oas31.OpenAPIObject
  const all = [...operationsOf(service, false), ...operationsOf(control, true)]
  return new Map(all.map((operation) => [`${operation.method} ${operation.path}`, operation]))
}

const methods = ['get', 'post', 'put', 'delete'] as const

function operationsOf(document: oas31.OpenAPIObject, isControl: boolean): Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation ? [operationOf(document, path, method, operation, isControl)] : []
    }),
  )
}

function operationOf(
  { components }: oas31.OpenAPIObject,
  path: string,
  method: string,
  { operationId = '', summary = '', description = '', ...rest }: oas31.OperationObject,
  isControl: boolean,
): Operation {
  // The only reference is to the header that carries a fault; tools add rules instead.
  const parameters = (rest.parameters ?? []).filter(
    (each): each is oas31.ParameterObject => !('$ref' in each),
  )
  const body = bodyOf(rest.requestBody, components)
  const namesIn = (place: string) =>
    parameters.filter((each) => each.in === place).map(({ name }) => name)
  const inputs = parameters.map((parameter): [string, JsonSchema] => {
    const described =
      parameter.description === undefined ? {} : { description: parameter.description }
    return [parameter.name, { ...parameter.schema, ...described }]
  })
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    summary,
    description,
    isControl,
    pathParameters: namesIn('path'),
    queryParameters: namesIn('query'),
    inputs: { ...Object.fromEntries(inputs), ...body?.properties },
    required: [
      ...parameters.filter(({ required }) => required).map(({ name }) => name),
      ...(body?.required ?? []),
    ],
  }
}

/** Undefined for a body that is a list. */
function bodyOf(
  requestBody: oas31.OperationObject['requestBody'],
  components: oas31.OpenAPIObject['components'],
): BodySchema | undefined {
  if (requestBody === undefined || '$ref' in requestBody) return undefined
  const schema = requestBody.content['application/json']?.schema
  return schema && (resolved(schema, components) as BodySchema)
}

/** Inlines references: agents have no document to look them up in. */
function resolved(schema: unknown, components: oas31.OpenAPIObject['components']): unknown {
  if (Array.isArray(schema)) return schema.map((each) => resolved(each, components))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref, ...own } = schema as { $ref?: string }
  if ($ref !== undefined)
    return resolved({ ...components?.schemas?.[$ref.split('/').at(-1)!], ...own }, components)
  return Object.fromEntries(
    Object.entries(own).map(([name, value]) => [name, resolved(value, components)]),
  )
}

interface BodySchema {
  properties?: Record<string, JsonSchema>
  required?: string[]
}
