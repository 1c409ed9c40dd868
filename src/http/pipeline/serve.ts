import type { Request, Response } from 'express'
import { currentScope } from '../../service/context/requestContext.js'
import type { ApiKey } from '../core/apiKeys.js'
import { addHint, faultHeader, isViewer } from '../core/headers.js'
import { reply, replyOther } from '../core/reply.js'
import type { Context, Route, Routes } from '../core/route.js'
import type { AppDeps } from '../core/types.js'
import { accountOf, authenticate } from './auth.js'
import { readJson } from './body.js'
import { type Answered, withFaults } from './faults.js'
import type { Served } from './routeTable.js'
import { acceptedSlips } from './slips.js'
import { parse, strangersIn } from './validation.js'

/**
 * Serves a route. The order of the checks, and so of the errors: route and method (the router), key, body syntax, query and
 * body fields, account, handler. interface.md leaves it open; service-facts section 11 suggests parameters before the account.
 */
export function serve(route: Route, routes: Routes, deps: AppDeps): Served {
  const needsKey = route.access === 'prime' || route.access === 'account'
  // Not for what must get through although something hangs: lifting a fault, restoring.
  const changes = route.access === 'control' && route.method !== 'get' && route.locks !== 'handler'
  const isSettled = needsKey || changes
  const isLockFree = route.access === 'open' || route.locks === 'none'
  const handler = route.handler as (context: Context<'account'>) => unknown
  const { timing, faults } = deps
  const answer = async (req: Request, res: Response): Promise<void> => {
    const prime = needsKey ? authenticate(deps.access.keys, req.headers.authorization) : undefined
    const sent = mayHaveBody(route, req) ? await bodyOf(route, req, res) : undefined
    const prepare = (): Promise<Context<'account'>> =>
      contextOf({ route, routes, deps }, req, res, { sent, prime })
    const inTurn = async (): Promise<unknown> => {
      if (route.settles !== 'handler') currentScope()?.begun?.()
      const what = `${req.method} ${req.path}`
      if (isLockFree) return handler(await prepare())
      if (route.locks === 'handler') return handler(await timing.lock.shared(what, prepare))
      return timing.lock.shared(what, async () => handler(await prepare()))
    }
    const work = (): Promise<unknown> => {
      const rest =
        isSettled || route.settles === 'briefly'
          ? timing.settled(isSettled ? undefined : 'briefly')
          : undefined
      return rest ? rest.then(inTurn) : inTurn()
    }
    // Most requests meet no fault, and carry none.
    const isFaulted =
      prime && (faults.seams.hasRules || req.headers[faultHeader] !== undefined) && !isViewer(req)
    const answered: Answered = isFaulted
      ? await withFaults(route, deps, { req, res, sent, primeId: prime.primeId }, work)
      : { body: await work() }
    // A stream has been written by its handler; a fault may have cut the connection.
    if (res.writableEnded || res.destroyed) return
    if (answered.status === undefined) reply(res, answered.body, route.answers[0].contentType)
    else replyOther(res, answered.status, answered.body)
  }
  // Reads of the control API look on and hold nothing up; a scenario makes requests of its own.
  const isCounted = (isSettled && route.locks !== 'none') || route.settles === 'briefly'
  return (req, res) => (isCounted ? timing.counted(() => answer(req, res)) : answer(req, res))
}

/** What the handler gets: query, body and account, in this order of their errors, with hints for the caller in the answer's head. */
async function contextOf(
  { route, routes, deps }: { route: Route; routes: Routes; deps: AppDeps },
  req: Request,
  res: Response,
  { sent, prime }: { sent: unknown; prime: ApiKey | undefined },
): Promise<Context<'account'>> {
  // Express reads the query again each time it is asked for.
  const given = req.url.includes('?') ? req.query : noQuery
  const query = route.query && parse(route.query, given, 'query')
  const body = route.body && parse(route.body.schema, sent, 'body')
  const account =
    route.access === 'account'
      ? await accountOf(deps, prime!.primeId, String(req.params.account_id))
      : undefined
  if (given !== noQuery || sent !== undefined) {
    for (const hint of strangersIn(route, given, sent)) addHint(res, hint)
    const symbols = () => deps.service.book.symbols()
    const asked = { query: given, body: sent }
    for (const hint of acceptedSlips(asked, route.body?.schema, symbols)) addHint(res, hint)
  }
  res.statusCode = route.answers[0].status
  // What a route's access does not promise its handler is undefined here, and absent from the handler's type.
  return { deps, routes, req, res, query, body, prime: prime!, account: account! }
}

const noQuery: Request['query'] = {}

/** A body that nobody asked for is read where the request says that it is JSON. */
function mayHaveBody({ body, method }: Route, req: Request): boolean {
  return body !== undefined || (method !== 'get' && req.is('json') !== false)
}

/** A body of `null` is one that was sent. One that is not asked for must be what it says it is all the same: whoever sends it meant something by it. */
async function bodyOf({ body }: Route, req: Request, res: Response): Promise<unknown> {
  const sent = await readJson(req, res)
  return sent === undefined ? body?.absent : sent
}
