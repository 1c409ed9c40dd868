import type { ServerResponse } from 'node:http'
import type { ErrorRequestHandler, Request, RequestHandler } from 'express'
import { NodeOverError } from '../../chain/rpc/nodeLifecycle.js'
import { RpcTransportError, UpstreamError } from '../../chain/rpc/rpc.js'
import { ServiceError } from '../../lib/errors.js'
import { requestIdHeader } from '../core/headers.js'
import type { HttpLog } from '../core/log.js'
import { replyProblem } from '../core/reply.js'
import { requestPath } from '../core/request.js'
import { type Route, unexpectedMessage } from '../core/route.js'

/**
 * Answers every error with `{ error, message }` and the status of the problems table. Express recognises an error handler by its four
 * parameters.
 */
export function problemHandler(log: HttpLog): ErrorRequestHandler {
  return (error, req, res, _next) => {
    const problem = asServiceError(error)
    const id = res.getHeader(requestIdHeader)
    const what = `${id} ${req.method} ${req.originalUrl.slice(0, 200)}`
    if (problem === undefined) log.error(`${what}: unexpected failure`, error)
    else log.debug(`${what}: ${problem.status} ${problem.code}: ${problem.message}`)
    // The head is already sent: break the connection, so that no client takes half a response for a whole one.
    if (res.headersSent) {
      // Unless it is whole: it was refused because of the end.
      if (!res.writableEnded) res.destroy()
      return
    }
    const answer = problem ?? unexpected(id)
    // A fault has cut the connection, or the client has disconnected. A response that ends would count as one that arrived.
    if (res.destroyed) res.statusCode = answer.status
    else replyProblem(res, answer)
  }
}

/** The `ServiceError` for an error; undefined for an unexpected one. */
function asServiceError(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error
  // The router cannot decode the path (a broken percent escape).
  if (error instanceof URIError) {
    return new ServiceError('invalid_params', 'The path has a malformed percent escape', {
      cause: error,
    })
  }
  // No defect of the simulator, so the message may go out: it says what to do.
  if (error instanceof UpstreamError)
    return new ServiceError('internal_error', error.message, { cause: error })
  if (error instanceof NodeOverError)
    return new ServiceError('internal_error', error.message, {
      hint: 'The simulator stops when its node stops; see its log. Start it again.',
      cause: error,
    })
  if (error instanceof RpcTransportError)
    return new ServiceError('internal_error', error.message, {
      hint: 'GET /health/ready shows the state of the nodes.',
      cause: error,
    })
  return undefined
}

function unexpected(requestId: unknown): ServiceError {
  return new ServiceError('internal_error', unexpectedMessage, {
    hint: `This is a bug in the simulator; its log has the stack trace under ${requestId}.`,
  })
}

/** Refuses a method that a known path does not have. */
export function methodNotAllowed(
  methods: readonly string[],
): (req: Request, res: ServerResponse) => never {
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return (req, res) => {
    res.setHeader('allow', allow.join(', '))
    throw new ServiceError(
      'method_not_allowed',
      `${req.method} is not allowed on ${requestPath(req).slice(0, 200)}; allowed: ${allow.join(', ')}`,
    )
  }
}

/** Refuses a path that no route has. */
export function routeNotFound(routes: readonly Pick<Route, 'path' | 'planKind'>[]): RequestHandler {
  const kinds = routes.flatMap(({ planKind }) => planKind?.path ?? [])
  const planHint = `Plan endpoints are: ${[...kinds, 'execute'].join(', ')}.`
  const patterns = routes.map(({ path }) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`))
  const isRoute = (path: string): boolean => patterns.some((pattern) => pattern.test(path))
  const isBeginning = (segment: string): boolean =>
    routes.some(({ path }) => path.split('/')[1] === segment)
  return (req) => {
    const path = requestPath(req)
    const isPlanPath = /^\/accounts\/[^/]+\/plan\//.test(path)
    const hint = isPlanPath ? planHint : meant(path, isRoute, isBeginning)
    throw new ServiceError('not_found', `There is no route ${req.method} ${path.slice(0, 200)}`, {
      hint: hint ?? 'See /docs for the routes.',
    })
  }
}

/** What to tell about a path that is one of ours but for what clients put before it. */
function meant(
  path: string,
  isRoute: (path: string) => boolean,
  isBeginning: (segment: string) => boolean,
): string | undefined {
  const plain = path.replace(/\/{2,}/g, '/')
  if (plain !== path && isRoute(plain))
    return `The path has an empty segment (//), as when a base URL ends with a slash and a path begins with one. Ask for ${plain.slice(0, 200)}.`
  const segments = plain.split('/')
  // `/v1/networks`, `/api/v1/networks`
  for (const length of [2, 3]) {
    const [before, after] = [segments.slice(0, length), segments.slice(length)].map((part) =>
      part.join('/'),
    )
    if (after && !isBeginning(segments[1]!) && isRoute(`/${after}`))
      return `Paths begin without ${before!.slice(0, 80)}: no version or prefix stands before them. Ask for /${after.slice(0, 200)}.`
  }
  return undefined
}
