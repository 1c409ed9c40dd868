import type { Express, RequestHandler } from 'express'
import { networkNames } from '../deployments/networks.js'
import { ServiceError } from '../lib/errors.js'
import { inScope } from '../service/context/requestContext.js'
import { routesOf } from './allRoutes.js'
import { ownSecrets } from './core/apiKeys.js'
import { bareApp } from './core/bareApp.js'
import { safeLog } from './core/log.js'
import { isLoopback } from './core/originPolicy.js'
import { dateAnswers } from './core/reply.js'
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
import { createRouteTable } from './pipeline/routeTable.js'
import { serve } from './pipeline/serve.js'
import { dashboard, documentation } from './routes/pages.js'
import { swaggerUi } from './routes/swaggerUi.js'
import { refuseOtherWorlds } from './worlds/worldRouter.js'

/**
 * The whole HTTP API: service API, control API, RPC pass-through, documents. Never listens; whoever calls it does.
 *
 * Every request takes the same steps, and most end at a route of ours. What is left of them goes on to the pages and to JSON-RPC, which
 * Express serves. A step that refuses a request throws, and the last one answers that.
 */
export function createApp(deps: AppDeps): Express {
  const { bind } = deps.access
  const log = safeLog(deps.records.log)
  const routes = routesOf(deps.service.planKinds)
  const app = bareApp()
  dateAnswers(app, deps.timing.clock)
  const record = recordRequests(deps, log)
  const steps = stepsOf(deps, routes)
  app.use((req, res, next) => inScope(record(req, res), () => steps(req, res, next)))
  // JSON-RPC goes to its node.
  app.use('/rpc', asStep(refuseForeignRpc(bind)), asStep(controlToken(bind)))
  app.all('/rpc/:network', passRpc(deps))
  // The page of the control API asks for the token itself.
  app.use('/_sim/ui', dashboard(deps.access.noUi ?? false))
  app.use('/_sim/docs', documentation())
  app.use('/_sim/openapi', swaggerUi({ routes: routes.control, control: true }))
  app.use(['/_sim', '/metrics'], asStep(controlToken(bind)))
  if (deps.agents) app.all('/_sim/mcp', deps.agents)
  app.use('/docs', swaggerUi({ routes: routes.service, apiKey: keyToFillIn(deps) }))
  // What is left has no route. Whatever was thrown is answered.
  app.use(routeNotFound(deps.service.planKinds.map(({ path }) => path)))
  app.use(problemHandler(log))
  return app
}

/** What every request passes, in this order, up to its route, which serves it: key, body, faults, fields, account, handler (serve.ts). */
function stepsOf(deps: AppDeps, routes: Routes): RequestHandler {
  const { bind, keys } = deps.access
  const admit = admission(bind)
  // What runs in other worlds has gone there; what is left of them is refused.
  const refuseOthers =
    deps.worlds && refuseOtherWorlds(deps.worlds, { bind, own: ownSecrets(keys, bind) })
  const refuseForeigners = refuseForeign(bind)
  const askForToken = controlToken(bind)
  const routeOf = createRouteTable([...routes.service, ...routes.control], (route) =>
    serve(route, routes, deps),
  )
  return (req, res, next) => {
    if (!admit(req, res)) return
    refuseOthers?.(req, res)
    if (deps.trace) refuseChanges(req, res)
    // The control API is for its own callers.
    const isOfControl = isControl(req.path)
    if (isOfControl) refuseForeigners(req, res)
    const served = routeOf(req)
    if (!served) return next()
    if (isOfControl) askForToken(req, res)
    return served(req, res)
  }
}

/** Where other machines can read the page, it names no key. */
function keyToFillIn({ access: { bind, keys } }: AppDeps): string | undefined {
  return isLoopback(bind.host) ? keys.find(({ revoked }) => !revoked)?.key : undefined
}

/** Hands JSON-RPC over to the network's node before anything reads the body. */
function passRpc(deps: AppDeps): RequestHandler {
  return (req, res) => {
    const network = networkNames.find((name) => name === req.params.network)
    if (network === undefined) throw unknownNetwork(String(req.params.network))
    deps.chains.rpc.handle(network, req, res)
  }
}

function unknownNetwork(name: string): ServiceError {
  return new ServiceError(
    'not_found',
    `There is no network ${name.slice(0, 80)}; networks are ${networkNames.join(', ')}`,
  )
}
