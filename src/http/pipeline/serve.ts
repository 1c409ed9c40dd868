import type { ServerResponse } from 'node:http'
import { currentScope } from '../../service/context/requestContext.js'
import type { ApiKey } from '../core/apiKeys.js'
import { addHint, faultHeader } from '../core/headers.js'
import { reply, replyOther } from '../core/reply.js'
import { type ApiRequest, isViewer, requestPath } from '../core/request.js'
import type { Context, Route, Routes } from '../core/route.js'
import type { AppDeps } from '../core/types.js'
import { accountOf, authenticate } from './auth.js'
import { hasJson, readJson } from './body.js'
import { type Answered, withFaults } from './faults.js'
import type { Served } from './routeTable.js'
import { hintsOn, parse } from './validation.js'

/**
 * Serves a route. The order of the checks, and so of the errors: route and method (the router), key, body syntax, query and
 * body fields, account, handler. interface.md leaves it open; service-facts section 11 suggests parameters before the account.
 */
export function serve(route: Route, routes: Routes, deps: AppDeps): Served {
  const needsKey = route.access === 'prime' || route.access === 'account'
  // Not for what must get through although something hangs: lifting a fault, restoring.
  const changes = route.access === 'control' && route.method !== 'get' && route.locks !== 'handler'
  const isSettled = needsKey || changes
  const isBrief = !isSettled && route.settles === 'briefly'
  const isLockFree = route.access === 'open' || route.locks === 'none'
  const handler = route.handler as (context: Context<'account'>) => unknown
  const { timing, faults, access } = deps

  const answer = async (asked: Asked): Promise<void> => {
    const { req, res, prime } = asked
    const inTurn = (): Promise<unknown> => {
      if (route.settles !== 'handler') currentScope()?.begun?.()
      if (isLockFree) return withContext({ route, routes, deps }, asked, handler)
      const isWhole = route.locks !== 'handler'
      const inside = timing.lock.shared(`${req.method} ${requestPath(req)}`, () =>
        withContext({ route, routes, deps }, asked, isWhole ? handler : (context) => context),
      )
      return isWhole ? inside : inside.then((context) => handler(context as Context<'account'>))
    }
    const work = (): Promise<unknown> => {
      const rest =
        isSettled || isBrief ? timing.settled(isBrief ? 'briefly' : undefined) : undefined
      return rest ? rest.then(inTurn) : inTurn()
    }
    // Most requests meet no fault, and carry none.
    const answered: Answered =
      prime && (faults.seams.hasRules || req.headers[faultHeader] !== undefined) && !isViewer(req)
        ? await withFaults(route, deps, { ...asked, primeId: prime.primeId }, work)
        : { body: await work() }
    // A stream has been written by its handler; a fault may have cut the connection.
    if (res.writableEnded || res.destroyed) return
    if (answered.status === undefined) reply(res, answered.body, route.answers[0].contentType)
    else replyOther(res, answered.status, answered.body)
  }
  // Reads of the control API look on and hold nothing up; a scenario makes requests of its own.
  const isCounted = (isSettled && route.locks !== 'none') || route.settles === 'briefly'
  return async (req, res) => {
    const prime = needsKey ? authenticate(access.keys, req.headers.authorization) : undefined
    // A request counts once its body has come: a client that sends it slowly, or stops halfway, delays nobody else.
    const sent = mayHaveBody(route, req) ? await bodyOf(route, req, res) : undefined
    const asked = { req, res, sent, prime }
    await (isCounted ? timing.counted(() => answer(asked)) : answer(asked))
  }
}

/** A request whose key and body have been read. */
interface Asked {
  req: ApiRequest
  res: ServerResponse
  sent: unknown
  prime: ApiKey | undefined
}

/**
 * Calls `next` with what the handler gets: query, body and account, in this order of their errors, with hints for the caller in the
 * answer's head.
 */
async function withContext(
  { route, routes, deps }: { route: Route; routes: Routes; deps: AppDeps },
  { req, res, sent, prime }: Asked,
  next: (context: Context<'account'>) => unknown,
): Promise<unknown> {
  const query = route.query && parse(route.query, req.query, 'query')
  const body = route.body && parse(route.body.schema, sent, 'body')
  const account =
    route.access === 'account'
      ? await accountOf(deps, prime!.primeId, String(req.params.account_id))
      : undefined
  if (sent !== undefined || req.originalUrl.includes('?'))
    for (const hint of hintsOn(route, { query: req.query, body: sent }, deps.service.book.symbols))
      addHint(res, hint)
  res.statusCode = route.answers[0].status
  // What a route's access does not promise its handler is undefined here, and absent from the handler's type.
  return next({ deps, routes, req, res, query, body, prime: prime!, account: account! })
}

/** A body that nobody asked for is read where the request says that it is JSON. */
function mayHaveBody({ body, method }: Route, req: ApiRequest): boolean {
  return body !== undefined || (method !== 'get' && hasJson(req))
}

/** A body of `null` is one that was sent. One that is not asked for must be what it says it is all the same: whoever sends it meant something by it. */
async function bodyOf({ body }: Route, req: ApiRequest, res: ServerResponse): Promise<unknown> {
  const sent = await readJson(req, res)
  return sent === undefined ? body?.absent : sent
}
