import { Validator } from '@seriousme/openapi-schema-validator'
import type { oas31 } from 'openapi3-ts'
import { describe, expect, test } from 'vitest'
import { compileDocument } from '../../../test/kit/client.js'
import { claimKind, earnKind } from '../../../test/kit/httpWorld.js'
import { type ProblemCode, problems } from '../../lib/errors.js'
import { planKinds as allKinds } from '../../service/plans/kinds/index.js'
import { routesOf } from '../allRoutes.js'
import { errorCases } from '../core/route.js'
import { emitOpenApi } from './openapi.js'

const planKinds = [earnKind, claimKind]
const routes = routesOf(planKinds)
const documents = {
  service: emitOpenApi(routes.service),
  control: emitOpenApi(routes.control, { control: true }),
}

type Operation = oas31.OperationObject & { 'x-svc-source'?: string }

function operations(document: oas31.OpenAPIObject): [string, Operation][] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(
      ([method, operation]): [string, Operation] => [`${method} ${path}`, operation],
    ),
  )
}

/** Every object of the document that may be a schema, with its place; examples are none. */
function schemasIn(value: unknown, where = ''): [string, oas31.SchemaObject][] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([key, each]) =>
    /^examples?$/.test(key) ? [] : schemasIn(each, `${where}/${key}`),
  )
  return 'properties' in value ? inside : [[where, value as oas31.SchemaObject], ...inside]
}

describe.each(Object.entries(documents))('%s', (name, document) => {
  test('default: valid OpenAPI 3.1', async () => {
    const copy = JSON.parse(JSON.stringify(document))
    expect(await new Validator().validate(copy)).toEqual({ valid: true })
    expect(document.openapi).toBe('3.1.0')
  })

  test('behavior: the same bytes every time', () => {
    const again = emitOpenApi(routes[name as keyof typeof routes], { control: name === 'control' })
    expect(JSON.stringify(again)).toBe(JSON.stringify(document))
  })

  test('behavior: every example agrees with its schema', () => {
    const { validator } = compileDocument(document)
    for (const [where, operation] of operations(document)) {
      const request = (operation.requestBody as oas31.RequestBodyObject)?.content[
        'application/json'
      ]
      const medias = Object.values(operation.responses ?? {}).flatMap((response) =>
        Object.values((response as oas31.ResponseObject).content ?? {}),
      )
      for (const media of request ? [request, ...medias] : medias) {
        const validate = validator(media.schema as object)
        const named = Object.values(media.examples ?? {}) as oas31.ExampleObject[]
        const values = media.example === undefined ? [] : [media.example]
        const examples = [...values, ...named.map(({ value }) => value)]
        expect(examples.length, where).toBeGreaterThan(0)
        for (const example of examples) {
          expect(validate(example), `${where}: ${JSON.stringify(validate.errors)}`).toBe(true)
        }
      }
    }
  })

  test('behavior: every number has bounds, and every group of routes says what it is for', () => {
    const open = schemasIn(document).filter(
      ([, { type, minimum, exclusiveMinimum, maximum, enum: values }]) =>
        [type].flat().some((name) => name === 'integer' || name === 'number') &&
        values === undefined &&
        ((minimum ?? exclusiveMinimum) === undefined || maximum === undefined),
    )
    expect(open.map(([where]) => where)).toEqual([])
    for (const tag of document.tags ?? []) expect(tag.description, tag.name).toMatch(/\.$/)
  })

  test('behavior: operations have unique ids and say where they come from', () => {
    const all = operations(document).map(([, operation]) => operation)
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length)
    for (const operation of all) {
      expect(['interface', 'extension']).toContain(operation['x-svc-source'])
    }
  })
})

test('behavior: every route is in its document, with every code at its status', () => {
  const cases = [
    [documents.service, routes.service],
    [documents.control, routes.control],
  ] as const
  for (const [document, routes] of cases) {
    const documented = new Map(operations(document))
    expect(documented.size).toBe(routes.length)
    for (const route of routes) {
      const key = `${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}`
      const responses = documented.get(key)?.responses ?? {}
      for (const { code } of errorCases(route)) {
        const response = responses[problems[code].status] as oas31.ResponseObject
        expect(Object.keys(response.content!['application/json']!.examples!), key).toContain(code)
      }
    }
  }
})

test('behavior: what takes a fault in a header says what becomes of a wrong one', () => {
  const takers = operations(documents.service).filter(([, { parameters = [] }]) =>
    parameters.some((each) => '$ref' in each && each.$ref.endsWith('/Fault')),
  )
  expect(takers.map(([key]) => key)).toContain('get /networks')
  for (const [key, { responses = {} }] of takers) {
    const wrong = responses['400'] as oas31.ResponseObject | undefined
    expect(Object.keys(wrong?.content?.['application/json']?.examples ?? {}), key).toContain(
      'invalid_params',
    )
  }
})

// The cells of the error table of interface.md, "Errors", that do not depend on the list of plan kinds.
const cells: [string, ProblemCode[]][] = [
  ['post /accounts', ['invalid_params', 'account_already_exists']],
  ['get /accounts/{account_id}/folio', ['account_not_found', 'timeout']],
  ['get /accounts/{account_id}/events', ['account_not_found']],
  [
    'post /accounts/{account_id}/plan/execute',
    ['invalid_params', 'plan_not_found', 'plan_stale', 'internal_error'],
  ],
  [
    'post /accounts/{account_id}/plan/earn',
    ['invalid_params', 'plan_failed', 'no_wallet', 'timeout'],
  ],
]
test.each(cells)('behavior: %s documents the codes of interface.md', (key, codes) => {
  const operation = new Map(operations(documents.service)).get(key)!
  const documented = Object.values(operation.responses ?? {}).flatMap((response) =>
    Object.keys((response as oas31.ResponseObject).content?.['application/json']?.examples ?? {}),
  )
  for (const code of codes) expect(documented).toContain(code)
  expect(operation['x-svc-source']).toBe('interface')
})

test('behavior: what must be given exactly once is told to generated clients', () => {
  const { control } = documents
  const service = emitOpenApi(routesOf(allKinds).service)
  const choices = (document: oas31.OpenAPIObject, name: string) =>
    (document.components!.schemas![name] as oas31.SchemaObject).oneOf
  const having = (field: string) => ({
    type: 'object',
    properties: { [field]: { type: 'string' } },
    required: [field],
  })
  expect(choices(service, 'SwapIntent')).toEqual([having('sell_amount'), having('buy_amount')])
  expect(choices(control, 'Fund')).toEqual([having('account_id'), having('address')])
})

test('behavior: every section of the folio has values of a known shape', () => {
  const { properties } = documents.service.components!.schemas!.Folio as oas31.SchemaObject
  expect(Object.keys(properties!)).toHaveLength(10)
  for (const [name, map] of Object.entries(properties!)) {
    const values = (map as oas31.SchemaObject).additionalProperties
    expect(Object.keys(values as object), name).not.toEqual([])
  }
})

test('behavior: routes with an API key take a fault of their own in a header, and answers name those that fired', () => {
  for (const [where, operation] of operations(documents.service)) {
    const takesFault = operation.parameters?.some(
      (each) => '$ref' in each && each.$ref === '#/components/parameters/Fault',
    )
    expect(takesFault ?? false, where).toBe((operation.security ?? []).length > 0)
    for (const response of Object.values(operation.responses ?? {}))
      expect(Object.keys((response as oas31.ResponseObject).headers ?? {}), where).toContain(
        'x-svc-sim-fault',
      )
  }
})
