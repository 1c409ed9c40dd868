import type { ResponseConfig, RouteConfig } from '@asteasolutions/zod-to-openapi'
import { type ZodObject, z } from 'zod'
import { type ProblemCode, problems } from '../../lib/errors.js'
import { faultHeader, hintHeader, requestIdHeader } from '../core/headers.js'
import { type ErrorCase, errorCases, type Route, type RouteAnswer } from '../core/route.js'
import { commonErrors, recorded } from './recorded.js'

/** The operations of a document: one for each route, from the same data that the router serves. */

/** For whom a document is. */
export interface DocumentOptions {
  /** The control API instead of the service. */
  control?: boolean | undefined
  /** The version of OpenAPI; 3.1 when absent. */
  oas?: '3.0' | '3.1' | undefined
  /** Without what only the simulator has: its own headers, and its health and documents. */
  forClients?: boolean | undefined
  /** For checks of responses: fields and codes that the document does not name are differences. */
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
  if (!options.forClients)
    for (const response of Object.values(responses)) response.headers = headers
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
      ...(parameters.length > 0 && { params: parametersOf(route, parameters) }),
      ...(route.query && { query: route.query as ZodObject }),
      ...(route.body && {
        body: {
          required: route.body.absent === undefined,
          content: {
            'application/json': {
              schema: route.body.schema,
              example: recorded[route.operationId]?.body,
            },
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

function parametersOf({ operationId }: Route, names: readonly string[]): ZodObject {
  return z.object(
    Object.fromEntries(
      names.map((name) => [
        name,
        z.string().meta({
          example: recorded[operationId]?.path?.[name],
          ...(parameterDescriptions[name] && { description: parameterDescriptions[name] }),
        }),
      ]),
    ),
  )
}

function answersOf(route: Route): Record<string, ResponseConfig> {
  const examples = recorded[route.operationId]?.answers
  return Object.fromEntries(
    route.answers.map((answer) => [answer.status, answerOf(answer, examples?.[answer.status])]),
  )
}

function answerOf(answer: RouteAnswer, example: unknown): ResponseConfig {
  return {
    description: answer.description,
    content: {
      // Without parameters, such as the character set.
      [(answer.contentType ?? 'application/json').split(';')[0]!]: {
        schema: answer.schema,
        example,
      },
    },
  }
}

/** One response per status, with the codes it can carry and an example of each. */
function problemsOf(
  route: Route,
  { closed = false, forClients }: DocumentOptions,
): Record<string, ResponseConfig> {
  const texts: Record<string, string> = {
    ...commonErrors,
    ...recorded[route.operationId]?.errors,
  }
  const cases = errorCases(route).filter(
    ({ code }) => !(forClients && texts[code]?.startsWith(faultHeader)),
  )
  const statuses = [...new Set(cases.map(({ code }) => problems[code].status))]
  return Object.fromEntries(
    statuses.map((status) => {
      const here = cases.filter(({ code }) => problems[code].status === status)
      return [status, problemOf(here, texts, closed)]
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

function problemOf(
  cases: readonly ErrorCase[],
  texts: Record<string, string>,
  closed: boolean,
): ResponseConfig {
  const codes = cases.map(({ code }) => code) as [ProblemCode, ...ProblemCode[]]
  const lines = cases.map(({ code, when }) => `\`${code}\`: ${when ?? problems[code].when}`)
  const examples = cases.map(({ code }) => [code, { value: { error: code, message: texts[code] } }])
  const schema = closed
    ? z.strictObject({ error: z.enum(codes), message: z.string() })
    : errorSchema
  return {
    description: lines.join('\n\n'),
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
  }
}
