import { type IRouter, type Request, type RequestHandler, type Response, Router } from 'express'
import { currentScope } from '../../service/context/requestContext.js'
import { afterLostExecution } from '../../service/plans/execute/causeSentence.js'
import type { ApiKey } from '../core/apiKeys.js'
import { addHint, faultHeader } from '../core/headers.js'
import { reply, replyOther } from '../core/reply.js'
import { isViewer, requestPath, requestUrl } from '../core/request.js'
import type { Context, Route, Routes } from '../core/route.js'
import type { AppDeps } from '../core/types.js'
import { accountOf, authenticate } from './auth.js'
import { hasJson, readJson } from './body.js'
import { type Answered, withFaults } from './faults.js'
import { methodNotAllowed } from './problems.js'
import { hintsOn, parse } from './validation.js'

/** Routes whose paths begin alike: one router serves them. */
export type RouteGroup = readonly Route[]

/**
 * Mounts a router for each group, at the path with which its routes begin. Groups with the same first segment share a router, so that fewer
 * layers are tried for a request.
 */
export function mountRouters(
  app: IRouter,
  groups: readonly RouteGroup[],
  { routes, deps }: { routes: Routes; deps: AppDeps },
): void {
  const routers = groups.map((group) => {
    const path = sharedPath(group)
    return { path, top: path.split('/', 2).join('/'), router: routerOf(group, path, routes, deps) }
  })
  // Routes without a first segment of their own are tried last: every request would enter them.
  for (const top of [...new Set(routers.map((each) => each.top))].sort(emptyLast)) {
    const ofTop = routers.filter((each) => each.top === top).sort(longestFirst)
    const parent = ofTop.length === 1 ? app : bareRouter()
    for (const { path, router } of ofTop)
      parent.use((parent === app ? path : path.slice(top.length)) || '/', router)
    if (parent !== app) app.use(top, parent)
  }
}

const emptyLast = (a: string, b: string): number => Number(a === '') - Number(b === '')

/** Express leaves a router in which it finds nothing in a later turn, so the one that knows a path comes first. */
const longestFirst = (a: { path: string }, b: { path: string }): number =>
  b.path.split('/').length - a.path.split('/').length

/** Case-sensitive: `/A` is not `/a`. */
function bareRouter(): Router {
  return Router({ caseSensitive: true, mergeParams: true })
}

function routerOf(group: RouteGroup, path: string, routes: Routes, deps: AppDeps): Router {
  const router = bareRouter()
  for (const whole of new Set(group.map((route) => route.path))) {
    const ofPath = group.filter((route) => route.path === whole)
    const entry = router.route(whole.slice(path.length))
    entry.all((req, _res, next) => {
      req.endpoint = ofPath[0]!
      next()
    })
    for (const route of ofPath) entry[route.method](...handlersOf(route, routes, deps))
    entry.all(methodNotAllowed(ofPath.map(({ method }) => method.toUpperCase())))
  }
  return router
}

/** The segments with which the paths of all routes begin; empty when they share none. */
function sharedPath(group: RouteGroup): string {
  const [first = [], ...others] = group.map(({ path }) => path.replace(/\/$/, '').split('/'))
  const end = first.findIndex((segment, i) => others.some((other) => other[i] !== segment))
  return first.slice(0, end === -1 ? first.length : end).join('/')
}

/**
 * The order of the checks is that of the errors: route and method (the router), key, body syntax, query and body fields, account, handler.
 * interface.md leaves it open; service-facts section 11 suggests parameters before the account.
 */
function handlersOf(route: Route, routes: Routes, deps: AppDeps): RequestHandler[] {
  return [
    ...(needsKey(route) ? [requireKey(deps.access.keys)] : []),
    ...(route.body !== undefined || route.method !== 'get' ? [requireJson(route)] : []),
    serve(route, routes, deps),
  ]
}

function needsKey({ access }: Route): boolean {
  return access === 'prime' || access === 'account'
}

function requireKey(keys: readonly ApiKey[]): RequestHandler {
  return (req, _res, next) => {
    req.prime = authenticate(keys, req.headers.authorization)
    next()
  }
}

/**
 * Reads the body where the route takes one; `null` counts as a body. Other routes read a body that the request calls JSON, and it must be
 * valid: a client that sends one expects it to count.
 */
function requireJson({ body }: Route): RequestHandler {
  return async (req, res, next) => {
    if (body || hasJson(req)) {
      const sent = await readJson(req, res)
      req.sent = sent === undefined ? body?.absent : sent
    }
    next()
  }
}

/** Awaited around a handler, in this order: counting, faults of `answer` and `request`, settling, the lock, fields and account. */
function serve(route: Route, routes: Routes, deps: AppDeps): RequestHandler {
  // Not for what must get through although something hangs: lifting a fault, restoring.
  const changes = route.access === 'control' && route.method !== 'get' && route.locks !== 'handler'
  const isSettled = needsKey(route) || changes
  const isBrief = !isSettled && route.settles === 'briefly'
  const isWhole = route.settles === 'wholly'
  const isLockFree = route.access === 'open' || route.locks === 'none'
  const isClients = needsKey(route)
  const how = isClients ? 'asClient' : isBrief ? 'briefly' : isWhole ? 'wholly' : undefined
  const handler = route.handler as (context: Context<'account'>) => unknown
  const { timing, faults } = deps

  const answer = async (req: Request, res: Response): Promise<void> => {
    const inTurn = (): Promise<unknown> => {
      if (route.settles !== 'handler') currentScope()?.begun?.()
      if (isLockFree) return withContext({ route, routes, deps }, req, res, handler)
      const isAllLocked = route.locks !== 'handler'
      const inside = timing.lock.shared(`${req.method} ${requestPath(req)}`, () =>
        withContext(
          { route, routes, deps },
          req,
          res,
          isAllLocked ? handler : (context) => context,
        ),
      )
      return isAllLocked ? inside : inside.then((context) => handler(context as Context<'account'>))
    }
    const work = (): Promise<unknown> => {
      const rest = isSettled || isBrief ? timing.settled(how) : undefined
      return rest ? rest.then(inTurn) : inTurn()
    }
    const { prime } = req
    // Most requests meet no fault, and carry none.
    const answered: Answered =
      prime && (faults.seams.hasRules || req.headers[faultHeader] !== undefined) && !isViewer(req)
        ? await withFaults(route, deps, { req, res, sent: req.sent, primeId: prime.primeId }, work)
        : { body: await work() }
    // A stream has been written by its handler; a fault may have cut the connection.
    if (res.writableEnded || res.destroyed) return
    if (answered.status === undefined) reply(res, answered.body, route.answers[0].contentType)
    else replyOther(res, answered.status, answered.body)
    if (isClients && route.method === 'get') look(req)
  }
  /** Notes that the client has read this account or activity: an `auto` clock may now skip what waited for that. */
  const look = (req: Request): void => {
    const { account_id, activity_id } = req.params as Record<string, string | undefined>
    if ((account_id ?? activity_id) && !isViewer(req))
      timing.clientRead({ accountId: account_id, activityId: activity_id })
  }
  // Reads of the control API delay nothing; a scenario makes requests of its own. A request counts once its body has come: a
  // client that sends it slowly, or stops halfway, delays nobody else.
  const isCounted = (isSettled && route.locks !== 'none') || route.settles === 'briefly'
  return isCounted ? (req, res) => timing.counted(() => answer(req, res)) : answer
}

/** For clients that expect the service to honour `Idempotency-Key`. */
const idempotencyHint = `Idempotency-Key is ignored: the service has no such header. A plan is executed at most once. After a lost response, ${afterLostExecution}.`

/** Passes query, body and account, which fail in this order, to the handler, and writes hints for the caller into the response's head. */
async function withContext(
  { route, routes, deps }: { route: Route; routes: Routes; deps: AppDeps },
  req: Request,
  res: Response,
  next: (context: Context<'account'>) => unknown,
): Promise<unknown> {
  const { prime, sent } = req
  const hasQuery = requestUrl(req).includes('?')
  // Express parses it anew each time.
  const sentQuery = hasQuery ? req.query : {}
  const query = route.query && parse(route.query, sentQuery, 'query')
  const body = route.body && parse(route.body.schema, sent, 'body')
  const account =
    route.access === 'account'
      ? await accountOf(deps, prime!.primeId, String(req.params.account_id))
      : undefined
  if (sent !== undefined || hasQuery)
    for (const hint of hintsOn(route, { query: sentQuery, body: sent }, deps.service.book.symbols))
      addHint(res, hint)
  if (route.method === 'post' && prime && req.headers['idempotency-key'] !== undefined)
    addHint(res, idempotencyHint)
  res.statusCode = route.answers[0].status
  // What a route's access does not promise its handler is undefined here, and absent from the handler's type.
  return next({ deps, routes, req, res, query, body, prime: prime!, account: account! })
}
