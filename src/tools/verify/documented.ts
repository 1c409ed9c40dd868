import { z } from 'zod'
import type { SentRequest } from '../../clients/scenarios/target.js'
import { routesOf } from '../../http/allRoutes.js'
import { emitOpenApi } from '../../http/openapi/openapi.js'
import { type Cell, cellsOf } from '../../http/pipeline/coverage.js'
import { planKinds } from '../../service/plans/kinds/index.js'
import { errorCodeOf } from './types.js'

/** What the OpenAPI document says about answers: which there are, and of which shape. */
export type Documented = ReturnType<typeof documentOfRoutes>

/** `409:plan_stale@execute`, or `200@folio` for an answer that is no error. */
export function cellName({ status, code, endpoint }: Cell): string {
  return `${status}${code === null ? '' : `:${code}`}@${endpoint}`
}

type Media = Record<string, { schema?: object }>
type Operation = { responses?: Record<string, { content?: Media }> }

let read: Documented | undefined

/** Reads the document that the routes give; once. */
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
    const asked = method === 'HEAD' ? 'GET' : method
    return patterns.find((each) => each.method === asked && each.pattern.test(path))
  }
  const cellOf = (method: string, url: string, status: number, code: string | null) => {
    const found = find(method, url)
    return cells.find(
      (cell) =>
        cell.method === found?.method &&
        cell.path === found.path &&
        cell.status === status &&
        cell.code === code,
    )
  }
  const validatorOf = validators(document.components?.schemas ?? {})
  return {
    /** Every documented answer of the service; none of those that only a simulator has. */
    cells: cells as readonly Cell[],
    /** The cell of an answer; undefined when it is none. */
    cellOf,
    /** The path of the endpoint as the document spells it; undefined when it has none. */
    templateOf: (method: string, path: string) => find(method, path)?.path,
    /** In what the body differs from the document: places and reasons. Nothing for an answer that is no cell. */
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

/** Endpoints that are called alike have their paths as names. */
function namedApart(cells: readonly Cell[]): Cell[] {
  return cells.map((cell) => {
    const isAlone = cells.every(
      ({ endpoint, path }) => endpoint !== cell.endpoint || path === cell.path,
    )
    return isAlone ? cell : { ...cell, endpoint: `${cell.method} ${cell.path}` }
  })
}

/** A refused host name is the simulator's own affair, and an unexpected failure nobody's, except where execute documents it. */
function isOfTheService({ code, endpoint }: Cell): boolean {
  return code !== 'forbidden' && (code !== 'internal_error' || endpoint === 'execute')
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
}

/** Turns a schema of the document into a validator, each once. */
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

/** The places of a schema's complaints. Of variants, the one that fits best is spoken of. */
function describeIssues(issues: readonly z.core.$ZodIssue[], at: string): string[] {
  return issues.flatMap((issue) => {
    const place = [at, ...issue.path.map(String)].join('.')
    if (issue.code !== 'invalid_union') return [`${place}: ${issue.message}`]
    const [best] = [...issue.errors].sort((a, b) => misfit(a) - misfit(b))
    return best ? describeIssues(best, place) : [`${place}: ${issue.message}`]
  })
}

/** A variant of another type is further off than any with a wrong field. */
function misfit(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((sum, { code }) => sum + (code === 'invalid_value' ? 1_000 : 1), 0)
}
