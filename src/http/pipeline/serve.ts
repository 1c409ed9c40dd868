import type { Request, RequestHandler, Response } from 'express'
import { currentScope } from '../../service/context/requestContext.js'
import { addHint, isViewer } from '../core/headers.js'
import { reply, replyOther } from '../core/reply.js'
import type { Context, Route, Routes } from '../core/route.js'
import type { AppDeps } from '../core/types.js'
import { accountOf, authenticate } from './auth.js'
import { readJson } from './body.js'
import { withFaults } from './faults.js'
import { acceptedSlips } from './slips.js'
import { parse, strangersIn } from './validation.js'

/**
 * Serves a route. The order of the checks, and so of the errors: route and method (the router), key, body syntax, query and
 * body fields, account, handler. interface.md leaves it open; service-facts section 11 suggests parameters before the account.
 */
export function serve(route: Route, routes: Routes, deps: AppDeps): RequestHandler {
  const needsKey = route.access === 'prime' || route.access === 'account'
  // Not for what must get through although something hangs: lifting a fault, restoring.
  const changes = route.access === 'control' && route.method !== 'get' && route.locks !== 'handler'
  const isSettled = needsKey || changes
  const isLockFree = route.access === 'open' || route.locks === 'none'
  const handler = route.handler as (context: Context<'account'>) => unknown
  const answer = async (req: Request, res: Response): Promise<void> => {
    const prime = needsKey ? authenticate(deps.access.keys, req.headers.authorization) : undefined
    const sent = await bodyOf(route, req, res)
    const prepare = async (): Promise<Context<'account'>> => {
      const query = route.query && parse(route.query, req.query, 'query')
      const body = route.body && parse(route.body.schema, sent, 'body')
      const account =
        route.access === 'account'
          ? await accountOf(deps, prime!.primeId, String(req.params.account_id))
          : undefined
      for (const hint of strangersIn(route, req.query, sent)) addHint(res, hint)
      const symbols = () => deps.service.book.symbols()
      for (const hint of acceptedSlips(
        { query: req.query, body: sent },
        route.body?.schema,
        symbols,
      ))
        addHint(res, hint)
      res.status(route.answers[0].status)
      // What a route's access does not promise its handler is undefined here, and absent from the handler's type.
      return { deps, routes, req, res, query, body, prime: prime!, account: account! }
    }
    const inside = <T>(work: () => Promise<T>): Promise<T> =>
      isLockFree ? work() : deps.timing.lock.shared(`${req.method} ${req.path}`, work)
    const work = async (): Promise<unknown> => {
      if (isSettled) await deps.timing.settled()
      else if (route.settles === 'briefly') await deps.timing.settled(route.settles)
      if (route.settles !== 'handler') currentScope()?.begun?.()
      return route.locks === 'handler'
        ? handler(await inside(prepare))
        : inside(async () => handler(await prepare()))
    }
    const answered =
      prime && !isViewer(req)
        ? await withFaults(route, deps, { req, res, sent, primeId: prime.primeId }, work)
        : { body: await work() }
    // A stream has been written by its handler; a fault may have cut the connection.
    if (res.writableEnded || res.destroyed) return
    if (answered.status === undefined) reply(res, answered.body, route.answers[0].contentType)
    else replyOther(res, answered.status, answered.body)
  }
  // Reads of the control API look on and hold nothing up; a scenario makes requests of its own.
  const isCounted = (isSettled && route.locks !== 'none') || route.settles === 'briefly'
  return (req, res) => (isCounted ? deps.timing.counted(() => answer(req, res)) : answer(req, res))
}

/** A body of `null` is one that was sent. One that is not asked for must be what it says it is all the same: whoever sends it meant something by it. */
async function bodyOf(
  { body, method }: Pick<Route, 'body' | 'method'>,
  req: Request,
  res: Response,
): Promise<unknown> {
  if (!body && (method === 'get' || !req.is('json'))) return undefined
  const sent = await readJson(req, res)
  return sent === undefined ? body?.absent : sent
}
