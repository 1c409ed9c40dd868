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

test('behavior: at /docs every route with an API key takes a fault, and says what becomes of a wrong one', () => {
  const document = emitOpenApi(routes.service, { faultHeader: true })
  const takers = operations(document).filter(([, { parameters = [] }]) =>
    parameters.some((each) => '$ref' in each && each.$ref.endsWith('/Fault')),
  )
  const withKey = operations(document).filter(([, { security = [] }]) => security.length > 0)
  expect(takers.map(([key]) => key)).toEqual(withKey.map(([key]) => key))
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

test('behavior: what must be given exactly once stands whole in one schema, with the rule in words', () => {
  const service = emitOpenApi(routesOf(allKinds).service)
  const choices: [oas31.OpenAPIObject, string, string[]][] = [
    [service, 'SwapIntent', ['sell_amount', 'buy_amount']],
    [documents.control, 'Fund', ['account_id', 'address']],
  ]
  for (const [document, name, fields] of choices) {
    const schema = document.components!.schemas![name] as oas31.SchemaObject
    expect(Object.keys(schema.properties!)).toEqual(expect.arrayContaining(fields))
    expect(schema.description).toContain(`Exactly one of \`${fields.join('` and `')}\``)
    expect(schema).not.toHaveProperty('oneOf')
  }
})

// What generators cannot read, or read into clients that do not work.
const all = emitOpenApi(routesOf(allKinds).service)
const nodes = (document: oas31.OpenAPIObject) => schemasIn(document).map(([, schema]) => schema)

test('behavior: every variant is a named schema, and a field tells the variants apart', () => {
  const unions = nodes(all).filter(({ oneOf, anyOf }) => oneOf ?? anyOf)
  expect(unions).toHaveLength(8)
  for (const { oneOf, anyOf, discriminator } of unions) {
    expect(anyOf).toBeUndefined()
    const named = oneOf!.map((variant) => ('$ref' in variant ? variant.$ref : ''))
    expect(Object.values(discriminator!.mapping!)).toEqual(named)
  }
})

test('behavior: all errors are of one schema, whose codes are not closed', () => {
  for (const [where, { responses = {} }] of operations(all))
    for (const [status, response] of Object.entries(responses)) {
      // Not ready is an answer of its own.
      if (Number(status) < 400 || where === 'get /health/ready') continue
      const media = (response as oas31.ResponseObject).content!['application/json']!
      expect(media.schema, `${where} ${status}`).toEqual({ $ref: '#/components/schemas/Error' })
    }
  const { error } = (all.components!.schemas!.Error as oas31.SchemaObject).properties!
  expect(error).not.toHaveProperty('enum')
})

test('behavior: integers that can pass 2^31 have 64 bits', () => {
  for (const document of [all, documents.control])
    for (const { type, maximum, format } of nodes(document))
      if ([type].flat().includes('integer') && maximum! >= 2 ** 31) expect(format).toBe('int64')
})

test('behavior: answers are open, requests and the copy for checkers stay closed', () => {
  const isClosed = (document: oas31.OpenAPIObject, name: string) =>
    (document.components!.schemas![name] as oas31.SchemaObject).additionalProperties === false
  expect(nodes(all).filter((schema) => schema.additionalProperties === false)).toEqual([])
  expect(isClosed(documents.control, 'FaultRule')).toBe(true)
  const closed = emitOpenApi(routesOf(allKinds).service, { closed: true })
  for (const name of ['Account', 'Plan', 'Activity', 'Folio'])
    expect(isClosed(closed, name), name).toBe(true)
})

test('behavior: no default is an object or a list', () => {
  for (const { default: fallback } of nodes(documents.control))
    expect(typeof fallback).not.toBe('object')
})

test('behavior: OpenAPI 3.0 has the same operations, and nothing that only 3.1 has', async () => {
  for (const [routes, control] of [
    [routesOf(allKinds).service, false],
    [routesOf(allKinds).control, true],
  ] as const) {
    const older = emitOpenApi(routes, { control, oas: '3.0' })
    expect(await new Validator().validate(JSON.parse(JSON.stringify(older)))).toEqual({
      valid: true,
    })
    const newer = emitOpenApi(routes, { control })
    expect(operations(older).map(([key]) => key)).toEqual(operations(newer).map(([key]) => key))
    expect(older).not.toHaveProperty('webhooks')
    for (const [where, schema] of schemasIn(older)) {
      if (where.endsWith('/properties')) continue
      if ('type' in schema) expect(schema.type).toBeTypeOf('string')
      if ('exclusiveMinimum' in schema) expect(schema.exclusiveMinimum).toBeTypeOf('boolean')
      expect(schema).not.toHaveProperty('const')
    }
  }
})

test('behavior: the document for clients names nothing that only the simulator has', () => {
  const document = emitOpenApi(routesOf(allKinds).service, { forClients: true })
  const paths = Object.keys(document.paths!)
  expect(paths).toContain('/accounts/{account_id}/plan/swap')
  expect(paths).not.toContain('/health/live')
  expect(JSON.stringify(document)).not.toContain('x-svc-sim-')
})

test('behavior: every section of the folio has values of a known shape', () => {
  const { properties } = documents.service.components!.schemas!.Folio as oas31.SchemaObject
  expect(Object.keys(properties!)).toHaveLength(10)
  for (const [name, map] of Object.entries(properties!)) {
    const values = (map as oas31.SchemaObject).additionalProperties
    expect(Object.keys(values as object), name).not.toEqual([])
  }
})

test('behavior: no operation names the header of a fault, answers name the faults that fired', () => {
  for (const [where, operation] of operations(documents.service)) {
    expect(JSON.stringify(operation.parameters ?? []), where).not.toContain('Fault')
    for (const response of Object.values(operation.responses ?? {}))
      expect(Object.keys((response as oas31.ResponseObject).headers ?? {}), where).toContain(
        'x-svc-sim-fault',
      )
  }
})
