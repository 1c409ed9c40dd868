import {
  OpenAPIRegistry,
  OpenApiGeneratorV31,
  type ResponseConfig,
  type RouteConfig,
} from '@asteasolutions/zod-to-openapi'
import type { oas31 } from 'openapi3-ts'
import { stringify } from 'yaml'
import { type ZodObject, z } from 'zod'
import { type ProblemCode, problems } from '../../lib/errors.js'
import { faultHeader, hintHeader, requestIdHeader } from '../core/headers.js'
import { type ErrorCase, errorCases, type Route, type RouteAnswer } from '../core/route.js'
import { example } from './examples.js'
import { problemMessages } from './problemMessages.js'

/** The version of the wire surface, not of the package. */
const apiVersion = '1.0.0'

const headers = {
  [requestIdHeader]: { $ref: '#/components/headers/RequestId' },
  [hintHeader]: { $ref: '#/components/headers/Hint' },
  [faultHeader]: { $ref: '#/components/headers/Fault' },
}

/** What each group of routes is for. */
const tagDescriptions: Record<Route['tag'], string> = {
  Accounts: 'Sub-accounts of the API key: one signer each, and one smart wallet on every network.',
  Activities: 'What became of executed plans, and what happened to wallets from outside.',
  Control: 'Clock, funds, prices, faults, snapshots, journal: the levers of the simulated world.',
  Plans: 'Plans of every kind, and their execution with the signer’s signature.',
  Portfolio: 'The folio of a sub-account: balances, positions, prices and markets on all networks.',
  'Reference data': 'Networks, assets and markets.',
  Scenarios:
    'Scripted failures that are played in a running world, which is then as it was before.',
  Worlds:
    'Further simulators behind the same port, leased to one client each: for tests that run side by side.',
  Simulator: 'Health and documents of the simulator itself; no API key needed.',
}

/**
 * Emits the OpenAPI 3.1 document of the service, or with `control` of the control API, from the same route list that the
 * router serves. Two calls with the same routes give the same document, keys in the same order.
 */
export function emitOpenApi(
  routes: readonly Route[],
  options: { control?: boolean } = {},
): oas31.OpenAPIObject & { openapi: typeof openapiVersion } {
  const registry = new OpenAPIRegistry()
  registerComponents(registry, options.control ?? false)
  for (const route of routes) registry.registerPath(pathOf(route))
  const generator = new OpenApiGeneratorV31(registry.definitions, {
    sortComponents: 'alphabetically',
  })
  const info = options.control ? controlInfo : serviceInfo
  // Relative, so that "try it out" calls the server the document came from.
  const servers = [{ url: '/' }]
  const tags = [...new Set(routes.map(({ tag }) => tag))].map((name) => ({
    name,
    description: tagDescriptions[name],
  }))
  const { components, ...rest } = generator.generateDocument({
    openapi: openapiVersion,
    info,
    servers,
    tags,
  })
  return { ...rest, openapi: openapiVersion, ...(components && { components }) }
}

const openapiVersion = '3.1.0'

/** The document as JSON, as it is committed under `openapi/`. */
export function documentToJson(document: oas31.OpenAPIObject): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

/** The document as YAML for every reader: no anchors, and text that YAML 1.1 would take for a date is quoted. */
export function documentToYaml(document: oas31.OpenAPIObject): string {
  return stringify(document, {
    aliasDuplicateObjects: false,
    compat: 'yaml-1.1',
    lineWidth: 120,
  })
}

/** What is referred to by name; only what the document uses. */
function registerComponents(registry: OpenAPIRegistry, isControl: boolean): void {
  if (isControl)
    registry.registerComponent('securitySchemes', 'controlToken', {
      type: 'http',
      scheme: 'bearer',
      description: 'The value of `--control-token`; asked for only when bound beyond loopback.',
    })
  else registerServiceComponents(registry)
  registry.registerComponent('headers', 'RequestId', {
    required: true,
    schema: { type: 'string' },
    description: 'The id under which the simulator’s log knows the request.',
  })
  registry.registerComponent('headers', 'Fault', {
    required: false,
    schema: { type: 'string' },
    description: 'The ids of the fault rules that fired at this request, separated by commas.',
  })
  registry.registerComponent('headers', 'Hint', {
    required: false,
    schema: { type: 'string' },
    description: 'What was wrong and what to do next, when there is something to say. ASCII.',
  })
}

function registerServiceComponents(registry: OpenAPIRegistry): void {
  registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: `Authorization: Bearer <API_KEY>`.',
  })
  registry.registerComponent('parameters', 'Fault', {
    name: faultHeader,
    in: 'header',
    required: false,
    schema: { type: 'string', maxLength: 8192 },
    description:
      'A fault for this request alone: `seam.effect`, such as `quote.unavailable`, or a whole rule as JSON. A client of the real service never sends it.',
  })
}

/** Whether the route belongs to the service itself: it takes an API key, and faults reach it. */
function needsKey({ access }: Route): boolean {
  return access === 'prime' || access === 'account'
}

function pathOf(route: Route): RouteConfig {
  const parameters = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]!)
  return {
    method: route.method,
    path: route.path.replace(/:(\w+)/g, '{$1}'),
    operationId: operationIdOf(route),
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    security: securityOf(route),
    'x-svc-source': route.source,
    ...(needsKey(route) && { parameters: [{ $ref: '#/components/parameters/Fault' }] }),
    request: {
      ...(parameters.length > 0 && { params: parametersOf(route.path, parameters) }),
      ...(route.query && { query: route.query as ZodObject }),
      ...(route.body && {
        body: {
          required: route.body.absent === undefined,
          content: {
            'application/json': { schema: route.body.schema, example: route.body.example },
          },
        },
      }),
    },
    responses: { ...answersOf(route), ...problemsOf(route) },
  }
}

function operationIdOf(route: Route): string {
  const words = route.path.replace(/:\w+/g, 'one').split(/[^a-zA-Z0-9]+/)
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return route.method + name
}

function securityOf(route: Route): Record<string, string[]>[] {
  if (route.access === 'open') return []
  return route.access === 'control' ? [{}, { controlToken: [] }] : [{ apiKey: [] }]
}

const parameterDescriptions: Record<string, string> = {
  activity_id: 'The `act_` id of the activity, or the integer of its field `id`.',
}

const parameterExamples: Record<string, string> = {
  account_id: example.accountId,
  activity_id: example.activityId,
  asset: 'ETH',
}

/** What an `id` is of, by the word before it in the path. */
const idExamples: Record<string, string> = {
  accounts: example.accountId,
  faults: 'fault_1',
  snapshots: 'snp_1',
  why: example.activityId,
  worlds: 'wld_5t0p9x2m4k1c',
}

function parametersOf(path: string, names: readonly string[]): ZodObject {
  const ofWhat = /\/(\w+)\/:id\b/.exec(path)?.[1] ?? ''
  return z.object(
    Object.fromEntries(
      names.map((name) => [
        name,
        z.string().meta({
          example: name === 'id' ? idExamples[ofWhat] : parameterExamples[name],
          ...(parameterDescriptions[name] && { description: parameterDescriptions[name] }),
        }),
      ]),
    ),
  )
}

function answersOf(route: Route): Record<string, ResponseConfig> {
  return Object.fromEntries(route.answers.map((answer) => [answer.status, answerOf(answer)]))
}

function answerOf(answer: RouteAnswer): ResponseConfig {
  return {
    description: answer.description,
    headers,
    content: {
      // Without parameters, such as the character set.
      [(answer.contentType ?? 'application/json').split(';')[0]!]: {
        schema: answer.schema,
        example: answer.example,
      },
    },
  }
}

/** One response per status, with the codes it can carry and an example of each. */
function problemsOf(route: Route): Record<string, ResponseConfig> {
  const cases = errorCases(route)
  const statuses = [...new Set(cases.map(({ code }) => problems[code].status))]
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      problemOf(cases.filter(({ code }) => problems[code].status === status)),
    ]),
  )
}

function problemOf(cases: readonly ErrorCase[]): ResponseConfig {
  const codes = cases.map(({ code }) => code) as [ProblemCode, ...ProblemCode[]]
  const lines = cases.map(({ code, when }) => `\`${code}\`: ${when ?? problems[code].when}`)
  const examples = cases.map(({ code, message }) => [
    code,
    { value: { error: code, message: message ?? problemMessages[code] } },
  ])
  return {
    description: lines.join('\n\n'),
    headers,
    content: {
      'application/json': {
        schema: z.strictObject({ error: z.enum(codes), message: z.string() }),
        examples: Object.fromEntries(examples),
      },
    },
  }
}

const common = `Every answer carries the header \`${requestIdHeader}\`. Every error has the body \`{ "error": code, "message": text }\`; where there is more to say, the header \`${hintHeader}\` says it. A path that no route knows answers 404 \`not_found\`, a known path with another method 405 \`method_not_allowed\`. Unknown fields are ignored, and named in the hint.`

const serviceInfo: oas31.InfoObject = {
  title: 'svc-sim: sub-account plan service',
  version: apiVersion,
  license: { name: 'MIT', identifier: 'MIT' },
  contact: { name: 'The maintainers of svc-sim' },
  description: `A local simulator of a sub-account plan service. ${common}\n\nOperations marked \`x-svc-source: interface\` are the service's documented interface; those marked \`extension\` are not shown there.\n\nErrors are checked in this order: route, method, API key, body syntax, fields, account, then the operation itself.`,
}

const controlInfo: oas31.InfoObject = {
  title: 'svc-sim: control API',
  version: apiVersion,
  license: { name: 'MIT', identifier: 'MIT' },
  contact: { name: 'The maintainers of svc-sim' },
  description: `Steers the simulated world; the real service has nothing like it. For local callers only. ${common}`,
}
