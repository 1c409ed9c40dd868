import { z } from 'zod'
import type { SentRequest } from '../../clients/scenarios/target.js'
import { routesOf } from '../../http/allRoutes.js'
import { emitOpenApi } from '../../http/openapi/openapi.js'
import { type Cell, cellsOf } from '../../http/pipeline/coverage.js'
import { planKinds } from '../../service/plans/kinds/index.js'
import { errorCodeOf } from './types.js'

/** The documented responses and their shapes. */
export type Documented = ReturnType<typeof documentOfRoutes>

/** `409:plan_stale@execute`, or `200@folio` for an answer that is no error. */
export function cellName({ status, code, endpoint }: Cell): string {
  return `${status}${code === null ? '' : `:${code}`}@${endpoint}`
}

type Media = Record<string, { schema?: object }>
type Operation = { responses?: Record<string, { content?: Media }> }

let read: Documented | undefined

export function readDocument(): Documented {
  read ??= documentOfRoutes()
  return read
}

function documentOfRoutes() {
  const { service } = routesOf(planKinds)
  const document = emitOpenApi(service, { closed: true })
  const cells = namedApart(cellsOf(new Map(), service).filter(isOfTheService))
  const endpoints = [
    ...new Map(cells.map((cell) => [`${cell.method} ${cell.path}`, cell])).values(),
  ]
  // Literal segments win over parameters.
  const patterns = endpoints
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length)
    .map(({ method, path }) => ({ method, path, pattern: patternOf(path) }))
  const find = (method: string, url: string) => {
    const path = url.split('?')[0]!
    // A HEAD is answered like a GET, without its body.
    const documentedMethod = method === 'HEAD' ? 'GET' : method
    return patterns.find((each) => each.method === documentedMethod && each.pattern.test(path))
  }
  const cellOf = (method: string, url: string, status: number, code: string | null) => {
    const endpoint = find(method, url)
    return cells.find(
      (cell) =>
        cell.method === endpoint?.method &&
        cell.path === endpoint.path &&
        cell.status === status &&
        cell.code === code,
    )
  }
  const validatorOf = validators(document.components?.schemas ?? {})
  return {
    /** Every documented response of the service, without those of the simulator alone. */
    cells: cells as readonly Cell[],
    cellOf,
    /** The path of the endpoint in the document; undefined when there is none. */
    templateOf: (method: string, path: string) => find(method, path)?.path,
    /** Where the body differs from the document. Empty for a response that is not documented. */
    problemsOf({ method, path, answer }: SentRequest): string[] {
      const cell = cellOf(method, path, answer.status, errorCodeOf(answer))
      if (!cell || method === 'HEAD') return []
      const operation = document.paths?.[cell.path]?.[cell.method.toLowerCase() as 'get']
      const content = (operation as Operation).responses?.[cell.status]?.content ?? {}
      const type = (answer.headers['content-type'] ?? 'none').split(';')[0]!
      const media = content[type]
      if (!media)
        return [`content-type: expected ${Object.keys(content).join(' or ')}, seen ${type}`]
      if (!media.schema || type !== 'application/json') return []
      const { error } = validatorOf(media.schema).safeParse(answer.body)
      return error ? describeIssues(error.issues, 'body') : []
    },
  }
}

/** Endpoints with the same name are named by method and path. */
function namedApart(cells: readonly Cell[]): Cell[] {
  return cells.map((cell) => {
    const isAlone = cells.every(
      ({ endpoint, path }) => endpoint !== cell.endpoint || path === cell.path,
    )
    return isAlone ? cell : { ...cell, endpoint: `${cell.method} ${cell.path}` }
  })
}

/** Leaves out a refused host name, which only a simulator has, and unexpected failures, unless `execute` documents them. */
function isOfTheService({ code, endpoint }: Cell): boolean {
  return code !== 'forbidden' && (code !== 'internal_error' || endpoint === 'execute')
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
}

/** Builds the validator of each schema once. */
function validators(components: object): (schema: object) => z.ZodType {
  const made = new Map<string, z.ZodType>()
  return (schema) => {
    const key = JSON.stringify(schema)
    const known = made.get(key)
    if (known) return known
    const standalone = JSON.stringify({ ...schema, $defs: components })
    const parsed = JSON.parse(standalone.replaceAll('#/components/schemas/', '#/$defs/'))
    const validator = z.fromJSONSchema(parsed)
    made.set(key, validator)
    return validator
  }
}

/** Reports the variant that fits best. */
function describeIssues(issues: readonly z.core.$ZodIssue[], at: string): string[] {
  return issues.flatMap((issue) => {
    const place = [at, ...issue.path.map(String)].join('.')
    if (issue.code !== 'invalid_union') return [`${place}: ${issue.message}`]
    const [best] = [...issue.errors].sort((a, b) => misfit(a) - misfit(b))
    return best ? describeIssues(best, place) : [`${place}: ${issue.message}`]
  })
}

/** A variant of another type fits worse than any with wrong fields. */
function misfit(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((sum, { code }) => sum + (code === 'invalid_value' ? 1_000 : 1), 0)
}

/**
 * Only the promises of interface.md on responses: the fields that it lists, in the form that it gives them. More fields, other values where
 * it says "values seen", and other forms of ids and times conform too.
 */

const hex = z.string().regex(/^0x[0-9a-fA-F]*$/)
const hexAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const amount = z.string().regex(/^[0-9]+$/)
const time = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'must be ISO 8601')
const prefixed = (prefix: string) => z.string().startsWith(`${prefix}_`)

const account = z.looseObject({
  account_id: prefixed('acc'),
  signer_type: z.string(),
  signer_address: hexAddress,
  svc_wallet_address: hexAddress,
  created_at: time,
})

const plan = z.looseObject({
  plan_id: prefixed('pln'),
  expires_at: time,
  details: z.looseObject({
    svc_operation_actions: z.array(
      z.looseObject({
        operation: z.looseObject({
          expiry: z.string(),
          is_replayable: z.boolean(),
          nonce: hex,
          script_address: hexAddress,
          script_calldata: hex,
        }),
        action: z.looseObject({
          action_context: z.looseObject({
            action_type: z.string(),
            amount,
            asset_symbol: z.string(),
            chain_id: z.string(),
          }),
        }),
      }),
    ),
    eip712_data: z.looseObject({
      digest: hex,
      domain_separator: hex.optional(),
      hash_struct: hex.optional(),
    }),
  }),
})

const execution = z.looseObject({
  plan_id: prefixed('pln'),
  svc_intent_id: prefixed('qi'),
  activity_id: prefixed('act'),
  status: z.literal('executing'),
})

const networks = z.looseObject({
  networks: z.array(
    z.looseObject({ name: z.string(), chain_id: z.int(), display_name: z.string() }),
  ),
})

const events = z.looseObject({
  events: z.array(
    z.looseObject({
      event_type: z.string(),
      data: z.looseObject({}),
      timestamp: z.int(),
    }),
  ),
  cursor: z.int(),
})

/** By the end of their paths; for plans by the folder. */
const bodies: readonly [method: string, path: RegExp, body: z.ZodType][] = [
  ['POST', /^\/accounts$/, account],
  ['GET', /\/folio$/, z.looseObject({ folio: z.looseObject({}) })],
  ['GET', /\/events$/, events],
  ['GET', /^\/networks$/, networks],
  ['POST', /\/plan\/execute$/, execution],
  ['POST', /\/plan\/[^/]+$/, plan],
]

/** Where the body of a response breaks a promise of the interface; undefined when it does not, or when there is no promise. */
export function brokenPromiseOf({ method, path, answer }: SentRequest): string | undefined {
  const route = path.split('?')[0]!
  const isCreation = method === 'POST' && route === '/accounts'
  const body =
    answer.status >= 400
      ? z.looseObject({ error: z.string(), ...(isCreation && { message: z.string() }) })
      : bodies.find(([bodyMethod, pattern]) => bodyMethod === method && pattern.test(route))?.[2]
  if (!body || errorCodeOf(answer) === '') return undefined
  const { error } = body.safeParse(answer.body)
  const [issue] = error?.issues ?? []
  return issue && `${['body', ...issue.path.map(String)].join('.')}: ${issue.message}`
}
