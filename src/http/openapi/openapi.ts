import {
  OpenAPIRegistry,
  OpenApiGeneratorV3,
  OpenApiGeneratorV31,
} from '@asteasolutions/zod-to-openapi'
import type { oas31 } from 'openapi3-ts'
import { stringify } from 'yaml'
import { faultHeader, hintHeader, requestIdHeader } from '../core/headers.js'
import type { Route } from '../core/route.js'
import { type DocumentOptions, operationOf } from './operations.js'

/** The version of the wire surface, not of the package. */
const apiVersion = '1.0.0'

const versions = { '3.0': '3.0.3', '3.1': '3.1.0' } as const

/** What each group of routes is for. */
const tagDescriptions: Record<Route['tag'], string> = {
  Accounts: 'Sub-accounts of the API key: one signer each, and one smart wallet on every network.',
  Activities: 'The outcome of executed plans, and outside events that affect the wallets.',
  Control: 'Control the simulated world: clock, funds, prices, faults, snapshots and journal.',
  Plans: 'Create plans of every kind, and execute them with the signer’s signature.',
  Portfolio: 'The folio of a sub-account: balances, positions, prices and markets on all networks.',
  'Reference data': 'Networks, assets and markets.',
  Scenarios: 'Scripted failures, played in a running world. The world is restored afterwards.',
  Worlds: 'Run tests in parallel: each client leases its own simulator behind the same port.',
  Simulator: 'Health and documents of the simulator itself; no API key needed.',
}

/** A document of either version; what the two have in common is written alike. */
type Document = oas31.OpenAPIObject & { openapi: (typeof versions)['3.0' | '3.1'] }

/**
 * The document of the service, or with `control` of the control API, from the route list that the router serves. Equal routes give an equal
 * document, with the keys in the same order.
 */
export function emitOpenApi(routes: readonly Route[], options: DocumentOptions = {}): Document {
  const registry = new OpenAPIRegistry()
  registerComponents(registry, options)
  const shown = options.forClients ? routes.filter(({ tag }) => tag !== 'Simulator') : routes
  for (const route of shown) registry.registerPath(operationOf(route, options))
  const oas = options.oas ?? '3.1'
  const Generator = oas === '3.0' ? OpenApiGeneratorV3 : OpenApiGeneratorV31
  const generator = new Generator(registry.definitions, { sortComponents: 'alphabetically' })
  const tags = [...new Set(shown.map(({ tag }) => tag))].map((name) => ({
    name,
    description: tagDescriptions[name],
  }))
  // There are no webhooks; the generator writes an empty table of them.
  const {
    components,
    webhooks: _,
    ...rest
  } = generator.generateDocument({
    openapi: versions[oas],
    info: infoOf(options, oas),
    // Relative, so that "try it out" calls the server the document came from.
    servers: [{ url: '/' }],
    tags,
  }) as oas31.OpenAPIObject
  const document = { ...rest, ...(components && { components }) } as Document
  sizeIntegers(document)
  plainDefaults(document)
  if (oas === '3.0') plainAnything(document)
  if (!options.closed) openAnswers(document)
  return document
}

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

/** The named components that the document uses. */
function registerComponents(registry: OpenAPIRegistry, options: DocumentOptions): void {
  if (options.control)
    registry.registerComponent('securitySchemes', 'controlToken', {
      type: 'http',
      scheme: 'bearer',
      description:
        'The value of `--control-token`; required when the simulator was started with one, as it must be beyond loopback.',
    })
  else
    registry.registerComponent('securitySchemes', 'apiKey', {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key: `Authorization: Bearer <API_KEY>`.',
    })
  if (options.faultHeader)
    registry.registerComponent('parameters', 'Fault', {
      name: faultHeader,
      in: 'header',
      required: false,
      schema: { type: 'string', maxLength: 8192 },
      description: 'A fault for this request alone: `seam.effect`, or a whole rule as JSON.',
    })
  if (!options.forClients) registerHeaders(registry)
}

function registerHeaders(registry: OpenAPIRegistry): void {
  registry.registerComponent('headers', 'RequestId', {
    required: true,
    schema: { type: 'string' },
    description: 'The id of the request in the simulator’s log.',
  })
  registry.registerComponent('headers', 'Fault', {
    required: false,
    schema: { type: 'string' },
    description: 'The ids of the fault rules that fired for this request, separated by commas.',
  })
  registry.registerComponent('headers', 'Hint', {
    required: false,
    schema: { type: 'string' },
    description: 'What was wrong and what to do next; absent when there is nothing to add. ASCII.',
  })
}

const errors =
  'Every error has the body `{ "error": code, "message": text }`. An unknown path returns 404 `not_found`; a known path with another method returns 405 `method_not_allowed`. Responses may have fields that this document does not list.'
const ownHeaders = `Every response has the header \`${requestIdHeader}\`. The header \`${hintHeader}\` explains a problem and what to do next. Unknown request fields are ignored, and the hint lists them.`
const faults = `A request with an API key can carry a fault that affects only itself, in the header \`${faultHeader}\`. The value is \`seam.effect\`, such as \`quote.unavailable\`, or a whole rule as JSON. Clients of the real service never send it.`
const order =
  'Errors are checked in this order: route, method, API key, body syntax, fields, account, then the operation itself.'
const sources =
  'Operations marked `x-svc-source: interface` are the service’s documented interface; those marked `extension` are not shown there.'

function infoOf({ control, forClients }: DocumentOptions, oas: '3.0' | '3.1'): oas31.InfoObject {
  const parts = control
    ? [
        `Controls the simulated world. The real service has no such API. For local callers only. ${errors}`,
        ownHeaders,
      ]
    : [
        `A ${forClients ? '' : 'local simulator of a '}sub-account plan service. ${errors}`,
        ...(forClients ? [] : [ownHeaders, faults]),
        sources,
        order,
      ]
  return {
    title: control ? 'svc-sim: control API' : 'svc-sim: sub-account plan service',
    version: apiVersion,
    license:
      oas === '3.0'
        ? { name: 'MIT', url: 'https://opensource.org/license/mit' }
        : { name: 'MIT', identifier: 'MIT' },
    contact: { name: 'The maintainers of svc-sim' },
    description: parts.join('\n\n'),
  }
}

/** Changes that a whole document undergoes after the generator has written it, because no schema can say them. */

/** An object of a document; some are schemas. */
type Part = Record<string, unknown>

/** Where a document keeps data of its readers, which is not to be taken for schemas. */
const isData = (key: string): boolean => /^(examples?|default|enum)$/.test(key)

/** Calls `visit` for every object of a document that may be a schema, outermost first. */
function eachNode(value: unknown, visit: (node: Part) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) visit(value as Part)
  for (const [key, inside] of Object.entries(value)) if (!isData(key)) eachNode(inside, visit)
}

/** Integers beyond 2^31 say so: generators take an integer without a format for one of 32 bits. */
function sizeIntegers(document: object): void {
  eachNode(document, (node) => {
    const isInteger = [node.type].flat().includes('integer')
    if (isInteger && node.format === undefined && !(Number(node.maximum) < 2 ** 31))
      node.format = 'int64'
  })
}

/** Most generators ignore an object or a list as a default, and some fail; the description says it. */
function plainDefaults(document: object): void {
  eachNode(document, (node) => {
    // A schema says its type beside; a field that is called `default` has a schema in its place.
    const isSchema = typeof node.type === 'string' || Array.isArray(node.type)
    if (isSchema && typeof node.default === 'object') delete node.default
  })
}

/** In OpenAPI 3.0 only a type can be nullable: what may be anything is written without. */
function plainAnything(document: object): void {
  eachNode(document, (node) => {
    if (node.type === undefined) delete node.nullable
  })
}

/**
 * Lets answers have fields that the document does not name, so that a generated client accepts those of a later version. Requests stay closed:
 * a wrong name there is refused, or named in the hint.
 */
function openAnswers(document: { components?: { schemas?: object }; paths?: object }): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Part>
  const sent = new Set<unknown>()
  const send = (value: unknown): void =>
    eachNode(value, (node) => {
      if (sent.has(node)) return
      sent.add(node)
      const name = typeof node.$ref === 'string' ? node.$ref.split('/').at(-1)! : undefined
      if (name !== undefined) send(schemas[name])
    })
  eachNode(document.paths, (node) => send(node.requestBody))
  eachNode(document, (node) => {
    if (node.additionalProperties === false && !sent.has(node)) delete node.additionalProperties
  })
}
