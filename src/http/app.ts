import type { RequestListener, ServerResponse } from 'node:http'
import { networkNames } from '../deployments/networks.js'
import { ServiceError } from '../lib/errors.js'
import { inScope } from '../service/context/requestContext.js'
import { routesOf } from './allRoutes.js'
import { ownSecrets } from './core/apiKeys.js'
import { bareApp } from './core/bareApp.js'
import { type HttpLog, safeLog } from './core/log.js'
import { isLoopback } from './core/originPolicy.js'
import { datedHead } from './core/reply.js'
import { type ApiRequest, asApiRequest, requestPath } from './core/request.js'
import type { Routes } from './core/route.js'
import type { AppDeps } from './core/types.js'
import {
  admission,
  asStep,
  controlToken,
  isControl,
  refuseChanges,
  refuseForeign,
  refuseForeignRpc,
} from './pipeline/guard.js'
import { problemHandler, routeNotFound } from './pipeline/problems.js'
import { recordRequests } from './pipeline/record.js'
import { createRouteTable, type Served } from './pipeline/routeTable.js'
import { serve } from './pipeline/serve.js'
import { dashboard, documentation } from './routes/pages.js'
import { swaggerUi } from './routes/swaggerUi.js'
import { refuseOtherWorlds } from './worlds/worldRouter.js'

/**
 * The whole HTTP API: service API, control API, RPC pass-through, documents. Never listens; whoever calls it does.
 *
 * Every request takes the same steps, and most end at one of our routes. Express serves the rest, which is pages. Our routes do without
 * it because it changes the prototype of each request and response, which costs more time than all of our steps together. A step refuses
 * a request by throwing an error, which becomes the response.
 */
export function createApp(deps: AppDeps): RequestListener {
  const log = safeLog(deps.records.log)
  const routes = routesOf(deps.service.planKinds)
  const writeHead = datedHead(deps.timing.clock)
  const record = recordRequests(deps, log)
  const answer = stepsOf(deps, routes, pagesOf(deps, routes, log))
  const fail = problemHandler(log)
  return (given, res) => {
    const req = asApiRequest(given)
    res.writeHead = writeHead
    inScope(record(req, res), async () => {
      try {
        await answer(req, res)
      } catch (error) {
        fail(error, req, res)
      }
    })
  }
}

/** What every request passes, in this order, up to its route, which serves it: key, body, faults, fields, account, handler (serve.ts). */
function stepsOf(deps: AppDeps, routes: Routes, pages: RequestListener): Served {
  const { bind, keys } = deps.access
  const admit = admission(bind)
  // What runs in other worlds has gone there; what is left of them is refused.
  const refuseOthers =
    deps.worlds && refuseOtherWorlds(deps.worlds, { bind, own: ownSecrets(keys, bind) })
  const refuseForeigners = refuseForeign(bind)
  const askForToken = controlToken(bind)
  const passRpc = rpcStep(deps)
  const routesAt = createRouteTable([...routes.service, ...routes.control], (route) =>
    serve(route, routes, deps),
  )
  return (req, res) => {
    const path = requestPath(req)
    if (!admit(req, res)) return
    refuseOthers?.(req, res)
    if (deps.trace) refuseChanges(req, res)
    // The control API is for its own callers.
    const isOfControl = isControl(path)
    if (isOfControl) refuseForeigners(req, res)
    if (passRpc(path, req, res)) return
    const found = routesAt(path)
    if (!found) return pages(req, res)
    if (isOfControl) askForToken(req, res)
    return found.serve(path, req, res)
  }
}

/** What is no route of ours: pages, which Express serves, and paths that nobody knows. */
function pagesOf(deps: AppDeps, routes: Routes, log: HttpLog): RequestListener {
  const { bind, noUi = false } = deps.access
  const app = bareApp()
  // The page of the control API asks for the token itself.
  app.use('/_sim/ui', dashboard(noUi))
  app.use('/_sim/docs', documentation())
  app.use('/_sim/openapi', swaggerUi({ routes: routes.control, control: true }))
  app.use(['/_sim', '/metrics'], asStep(controlToken(bind)))
  if (deps.agents) app.all('/_sim/mcp', deps.agents)
  app.use('/docs', swaggerUi({ routes: routes.service, apiKey: keyToFillIn(deps) }))
  app.use(routeNotFound(deps.service.planKinds.map(({ path }) => path)))
  app.use(problemHandler(log))
  return app
}

/** Where other machines can read the page, it names no key. */
function keyToFillIn({ access: { bind, keys } }: AppDeps): string | undefined {
  return isLoopback(bind.host) ? keys.find(({ revoked }) => !revoked)?.key : undefined
}

/** Passes JSON-RPC on to the network's node before anything reads the body. Returns false for other requests. */
function rpcStep({ access: { bind }, chains }: AppDeps) {
  const refuseForeigners = refuseForeignRpc(bind)
  const askForToken = controlToken(bind)
  return (path: string, req: ApiRequest, res: ServerResponse): boolean => {
    if (!/^\/rpc(\/|$)/.test(path)) return false
    refuseForeigners(req, res)
    askForToken(req, res)
    const [, segment] = /^\/rpc\/([^/]+)\/?$/.exec(path) ?? []
    if (segment === undefined) return false
    req.route = { path: '/rpc/:network' }
    const given = decodeURIComponent(segment)
    const network = networkNames.find((name) => name === given)
    if (network === undefined) throw unknownNetwork(given)
    chains.rpc.handle(network, req, res)
    return true
  }
}

function unknownNetwork(name: string): ServiceError {
  return new ServiceError(
    'not_found',
    `There is no network ${name.slice(0, 80)}; networks are ${networkNames.join(', ')}`,
  )
}
