import type { ServerResponse } from 'node:http'
import type { ErrorRequestHandler, Request, RequestHandler } from 'express'
import { NodeOverError } from '../../chain/rpc/nodeLifecycle.js'
import { RpcTransportError, UpstreamError } from '../../chain/rpc/rpc.js'
import { ServiceError } from '../../lib/errors.js'
import { requestIdHeader } from '../core/headers.js'
import type { HttpLog } from '../core/log.js'
import { replyProblem } from '../core/reply.js'
import { requestPath } from '../core/request.js'
import { unexpectedMessage } from '../core/route.js'

/**
 * Answers every error with the body `{ error, message }` and the status of the problems table. Express tells that it is a step for errors
 * by its four parameters.
 */
export function problemHandler(log: HttpLog): ErrorRequestHandler {
  return (error, req, res, _next) => {
    const problem = asServiceError(error)
    const id = res.getHeader(requestIdHeader)
    const what = `${id} ${req.method} ${req.originalUrl.slice(0, 200)}`
    if (problem === undefined) log.error(`${what}: unexpected failure`, error)
    else log.debug(`${what}: ${problem.status} ${problem.code}: ${problem.message}`)
    // The head of the answer is on its way: all that is left is to break the connection, so that nobody takes a half answer for a whole one.
    if (res.headersSent) {
      // Unless it is whole: it was refused because of the end.
      if (!res.writableEnded) res.destroy()
      return
    }
    const answer = problem ?? unexpected(id)
    // Nobody gets it: a fault has cut the connection, or the client has hung up. An answer that ends would pass for one that arrived.
    if (res.destroyed) res.statusCode = answer.status
    else replyProblem(res, answer)
  }
}

/** The problem an error stands for; undefined when nobody foresaw it. */
function asServiceError(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error
  // The router cannot decode the path (a broken percent escape).
  if (error instanceof URIError) {
    return new ServiceError('invalid_params', 'The path has a malformed percent escape', {
      cause: error,
    })
  }
  // Nobody's defect, so the message may go out: it says what to do.
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

/** Ends a known path that was called with another method. */
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

/** Ends a path that no route knows. */
export function routeNotFound(planPaths: readonly string[]): RequestHandler {
  return (req) => {
    const isPlanPath = /^\/accounts\/[^/]+\/plan\//.test(requestPath(req))
    throw new ServiceError(
      'not_found',
      `There is no route ${req.method} ${requestPath(req).slice(0, 200)}`,
      {
        hint: isPlanPath
          ? `Plan endpoints are: ${[...planPaths, 'execute'].join(', ')}.`
          : 'See /docs for the routes.',
      },
    )
  }
}
