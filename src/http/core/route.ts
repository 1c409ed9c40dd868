import type { ServerResponse } from 'node:http'
import type { Request } from 'express'
import type { ZodType } from 'zod'
import type { ProblemCode } from '../../lib/errors.js'
import type { AccountRecord } from '../../service/store/store.js'
import type { ApiKey } from './apiKeys.js'
import type { AppDeps, PlanKindInfo } from './types.js'

/**
 * Who may call a route: anybody (`open`), a prime account (`prime`), the prime account that owns the path's `:account_id` (`account`), or the
 * caller of the control API (`control`, checked before routing).
 */
export type Access = 'open' | 'prime' | 'account' | 'control'

/** Every endpoint of the service and of the control API, in the order of their documents. */
export interface Routes {
  service: readonly Route[]
  control: readonly Route[]
}

/** What a handler gets: everything parsed and looked up, nothing left to check. */
export type Context<A extends Access = Access, Query = unknown, Body = unknown> = {
  deps: AppDeps
  /** For routes that describe all routes, such as `/openapi.json`. */
  routes: Routes
  req: Request
  /** For a status other than the route's first; the body is what the handler returns. */
  res: ServerResponse
  query: Query
  body: Body
} & (A extends 'prime' | 'account' ? { prime: ApiKey } : unknown) &
  (A extends 'account' ? { account: AccountRecord } : unknown)

export interface RouteAnswer<Answer = unknown> {
  status: number
  description: string
  /** Default `application/json`. */
  contentType?: string
  schema: ZodType<Answer>
}

/** An error answer of a route: one cell of the error table. */
export interface ErrorCase {
  code: ProblemCode
  /** When this route answers it; default is the text of the problems table. */
  when?: string
}

/** An endpoint: what the router serves and the OpenAPI document describes, from the same data. */
export interface Route {
  /** The name of the operation in the documents, and so of the method in generated clients: a verb first. */
  operationId: string
  method: 'get' | 'post' | 'put' | 'delete'
  /** In Express' spelling: `/accounts/:account_id/folio`. */
  path: string
  tag: string
  summary: string
  description: string
  access: Access
  /** Whether interface.md shows it, or it is ours. */
  source: 'interface' | 'extension'
  /** Whether the journal leaves it out, as for reads that only watch. */
  isUnjournaled?: boolean
  /** The kind of plan that the route makes. */
  planKind?: PlanKindInfo
  query?: ZodType
  /** `absent` stands for a body that was not sent; without it there must be one. */
  body?: { schema: ZodType; absent?: unknown }
  /**
   * What runs inside the system lock, so that no restore comes in between. The default is the whole request; `handler` leaves out the handler,
   * which may wait for long or replace the state itself; `none` suits routes for which a response from between two states is better than none.
   */
  locks?: 'handler' | 'none'
  /**
   * How the request waits, with a frozen clock, for what earlier requests left behind: `briefly`, because it may be the cure for what hangs;
   * in the `handler`, which says when it begins; or `wholly`, for everything that is due.
   */
  settles?: 'briefly' | 'handler' | 'wholly'
  /** The first is the status of a normal answer. */
  answers: readonly [RouteAnswer, ...RouteAnswer[]]
  /** Besides those that follow from `access`, `query` and `body` (see `errorCases`). */
  errors: readonly ErrorCase[]
  handler(context: never): unknown
}

/** The one success answer of most routes; its status is 200 when absent. */
type OnlyAnswer<Answer> = Omit<RouteAnswer<Answer>, 'status'> & { status?: number }

/** An endpoint as its file writes it: what it leaves out is as most routes have it. */
type RouteParts<A extends Access, Answer, Query, Body> = Omit<
  Route,
  'access' | 'source' | 'answers' | 'errors' | 'query' | 'body' | 'handler'
> & {
  access: A
  /** `extension` when absent. */
  source?: Route['source']
  answer: OnlyAnswer<Answer>
  moreAnswers?: readonly RouteAnswer[]
  errors?: Route['errors']
  query?: ZodType<Query>
  body?: { schema: ZodType<Body>; absent?: unknown }
  /** Undefined for a stream, which it has written itself. */
  handler(context: Context<A, Query, Body>): NoInfer<Answer> | Promise<NoInfer<Answer> | undefined>
}

/** Types the handler's context after the route's access and schemas, and what it returns after the schema of its answer. */
export function defineRoute<A extends Access, Answer, Query = undefined, Body = undefined>({
  answer,
  moreAnswers = [],
  ...route
}: RouteParts<A, Answer, Query, Body>): Route {
  const answers = [{ status: 200, ...answer }, ...moreAnswers] as const
  return { source: 'extension', errors: [], ...route, answers }
}

/** A route of the control API, under the tag `Control` unless it names another. */
export function controlRoute<Answer, Query = undefined, Body = undefined>(
  route: Omit<RouteParts<'control', Answer, Query, Body>, 'access' | 'tag'> & { tag?: string },
): Route {
  return defineRoute({ tag: 'Control', ...route, access: 'control' })
}

/** All error answers of a route: its own, and those that its access, query and body bring with them. */
export function errorCases(route: Route): ErrorCase[] {
  const own = [...route.errors]
  const add = (code: ProblemCode, more: Omit<ErrorCase, 'code'> = {}): void => {
    if (!own.some((known) => known.code === code)) own.push({ code, ...more })
  }
  const hasPathParameter = route.path.includes(':')
  const mayHaveBody = route.body !== undefined || route.method !== 'get'
  if (route.query || mayHaveBody || hasPathParameter) add('invalid_params')
  if (route.access === 'prime' || route.access === 'account') {
    add('invalid_params')
    for (const code of ['missing_auth_header', 'invalid_api_key', 'api_key_revoked'] as const) {
      add(code)
    }
  }
  if (route.access === 'account') add('account_not_found')
  add('forbidden')
  if (route.access === 'control') {
    add('missing_auth_header', {
      when: 'the simulator requires a control token and none was sent',
    })
    add('invalid_api_key', {
      when: 'the simulator requires a control token and the one that was sent is wrong',
    })
  }
  if (mayHaveBody) add('payload_too_large')
  add('internal_error', { when: 'an unexpected failure' })
  return own
}

/** All that a caller learns about an unforeseen failure; the log has the rest. */
export const unexpectedMessage = 'An unexpected error occurred'
