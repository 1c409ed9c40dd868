import type { ResponseConfig, RouteConfig } from '@asteasolutions/zod-to-openapi'
import { type ZodObject, z } from 'zod'
import { type ProblemCode, problems } from '../../lib/errors.js'
import { faultHeader, hintHeader, requestIdHeader } from '../core/headers.js'
import {
  type ErrorCase,
  errorCases,
  type Route,
  type RouteAnswer,
  unexpectedMessage,
} from '../core/route.js'
import { example } from './examples.js'

/** The operations of a document: one for each route, from the same data that the router serves. */

/** For whom a document is. */
export interface DocumentOptions {
  /** The control API instead of the service. */
  control?: boolean | undefined
  /** The version of OpenAPI; 3.1 when absent. */
  oas?: '3.0' | '3.1' | undefined
  /** Without what only the simulator has: its own headers, and its health and documents. */
  forClients?: boolean | undefined
  /** For those who check answers: fields and codes that the document does not name are differences. */
  closed?: boolean | undefined
  /** With the header that carries a fault, at every operation that takes it: for the page at `/docs`. */
  faultHeader?: boolean | undefined
}

const headers = {
  [requestIdHeader]: { $ref: '#/components/headers/RequestId' },
  [hintHeader]: { $ref: '#/components/headers/Hint' },
  [faultHeader]: { $ref: '#/components/headers/Fault' },
}

/** The operation of a route. */
export function operationOf(route: Route, options: DocumentOptions): RouteConfig {
  const parameters = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]!)
  const responses = { ...answersOf(route), ...problemsOf(route, options) }
  if (!options.forClients) for (const each of Object.values(responses)) each.headers = headers
  return {
    method: route.method,
    path: route.path.replace(/:(\w+)/g, '{$1}'),
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    security: securityOf(route),
    'x-svc-source': route.source,
    ...(options.faultHeader &&
      needsKey(route) && { parameters: [{ $ref: '#/components/parameters/Fault' }] }),
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
    responses,
  }
}

/** Whether the route belongs to the service itself: it takes an API key, and faults reach it. */
function needsKey({ access }: Route): boolean {
  return access === 'prime' || access === 'account'
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
function problemsOf(
  route: Route,
  { closed = false, forClients }: DocumentOptions,
): Record<string, ResponseConfig> {
  const cases = errorCases(route).filter(
    ({ message }) => !(forClients && message?.startsWith(faultHeader)),
  )
  const statuses = [...new Set(cases.map(({ code }) => problems[code].status))]
  return Object.fromEntries(
    statuses.map((status) => {
      const here = cases.filter(({ code }) => problems[code].status === status)
      return [status, problemOf(here, closed)]
    }),
  )
}

/** One schema for all errors, so that generated clients have one type; a later version may have further codes. */
const errorSchema = z
  .strictObject({
    error: z.string().meta({
      'x-extensible-enum': Object.keys(problems),
      description: 'The code: what kind of error it is. There may be further codes.',
    }),
    message: z.string().meta({ description: 'What was wrong, as readable text.' }),
  })
  .meta({ id: 'Error' })

function problemOf(cases: readonly ErrorCase[], closed: boolean): ResponseConfig {
  const codes = cases.map(({ code }) => code) as [ProblemCode, ...ProblemCode[]]
  const lines = cases.map(({ code, when }) => `\`${code}\`: ${when ?? problems[code].when}`)
  const examples = cases.map(({ code, message }) => [
    code,
    { value: { error: code, message: message ?? problemMessages[code] } },
  ])
  const schema = closed
    ? z.strictObject({ error: z.enum(codes), message: z.string() })
    : errorSchema
  return {
    description: lines.join('\n\n'),
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
  }
}

/** What answers of each code say, for routes that have no text of their own; test/sim/errorExamples.test.ts causes each. */
export const problemMessages: Record<ProblemCode, string> = {
  invalid_params: 'The path has a malformed percent escape',
  plan_failed: 'insufficient resources of USDC on base: target 1000000, max 0',
  no_wallet: 'Account has no wallets',
  missing_auth_header: 'Missing Authorization header',
  invalid_api_key: 'Invalid API key',
  api_key_revoked: 'API key has been revoked',
  forbidden: 'The Host header does not name this server: Host is evil.example',
  account_not_found: 'Account not found',
  plan_not_found: `Plan not found: ${example.planId}`,
  not_found: 'There is no route GET /x',
  method_not_allowed: 'PUT is not allowed on /accounts; allowed: POST, GET, HEAD',
  timeout: 'Folio computation timed out',
  account_already_exists: 'An account already exists with this configuration',
  plan_stale: 'The underlying data of the plan has changed; create a new plan',
  conflict: 'The system is busy',
  payload_too_large: 'The request body must be at most 1048576 bytes, but is 2000000 bytes',
  headers_too_large: 'The head of the request is over 16 KiB',
  rate_limited: 'Too many requests; try again in 1 s',
  swap_quote_failed: `No quote for ${example.usdc} -> 0x4200000000000000000000000000000000000006 on base`,
  world_lost: 'The world wld_5t0p9x2m4k1c is lost: the base node ended (SIGKILL)',
  no_room: 'No world can be leased now: all 32 are in use',
  internal_error: unexpectedMessage,
}
