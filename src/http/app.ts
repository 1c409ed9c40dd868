import type { Express, RequestHandler, Router } from 'express'
import { networkNames } from '../deployments/networks.js'
import { ServiceError } from '../lib/errors.js'
import { routesOf } from './allRoutes.js'
import { ownSecrets } from './core/apiKeys.js'
import { bareApp } from './core/bareApp.js'
import { safeLog } from './core/log.js'
import { isLoopback } from './core/originPolicy.js'
import type { Routes } from './core/route.js'
import type { AppDeps } from './core/types.js'
import { countAnswers } from './pipeline/coverage.js'
import { dates, envelope } from './pipeline/envelope.js'
import {
  controlToken,
  cors,
  refuseChanges,
  refuseForeign,
  refuseForeignHost,
  refuseForeignRpc,
  requireHost,
} from './pipeline/guard.js'
import { methodNotAllowed, problemHandler, routeNotFound } from './pipeline/problems.js'
import { logRequests } from './pipeline/requestLog.js'
import { serve } from './pipeline/serve.js'
import { dashboard, documentation } from './routes/pages.js'
import { swaggerUi } from './routes/swaggerUi.js'
import { refuseKeysOfOver, refuseLostWorlds, refuseStrangers } from './worlds/worldRouter.js'

/**
 * The whole HTTP API: service API, control API, RPC pass-through, documents. Never listens; whoever calls it does.
 *
 * A request takes these steps in this order. A step that refuses it throws, and the last one answers that.
 */
export function createApp(deps: AppDeps): Express {
  const { bind } = deps.access
  const { ids, planKinds } = deps.service
  const { journal, coverage } = deps.records
  const log = safeLog(deps.records.log)
  const routes = routesOf(planKinds)
  const app = bareApp()

  // It gets its id and scope, and the journal writes it down; its answer is counted, and told to the log.
  app.use(envelope(ids, journal, log), dates(deps.timing.clock), countAnswers(coverage, log))
  if (log.request) app.use(logRequests(deps, log.request))
  // It names this server, and a page from which it comes may read the answer.
  app.use(requireHost, refuseForeignHost(bind), cors(bind))
  // What runs in other worlds has gone there; what is left of them is refused.
  if (deps.worlds) {
    app.use(refuseStrangers(deps.worlds, bind), refuseLostWorlds(deps.worlds))
    const { keys } = deps.access
    app.use(['/rpc', '/_sim', '/metrics'], refuseKeysOfOver(deps.worlds, ownSecrets(keys, bind)))
  }
  if (deps.trace) app.use(refuseChanges)
  // JSON-RPC goes to its node.
  app.use('/rpc', refuseForeignRpc(bind), controlToken(bind))
  app.all('/rpc/:network', passRpc(deps))
  // The control API is for its own callers. Its page asks for the token itself.
  app.use(['/_sim', '/metrics'], refuseForeign(bind))
  app.use('/_sim/ui', dashboard(deps.access.noUi ?? false))
  app.use('/_sim/docs', documentation())
  app.use('/_sim/openapi', swaggerUi({ routes: routes.control, control: true }))
  app.use(['/_sim', '/metrics'], controlToken(bind))
  if (deps.agents) app.all('/_sim/mcp', deps.agents)
  // Its route serves it: key, body, faults, query and body fields, account, handler, answer (serve.ts).
  mount(app, routes, deps)
  app.use('/docs', swaggerUi({ routes: routes.service, apiKey: keyToFillIn(deps) }))
  // What is left has no route. Whatever was thrown is answered.
  app.use(routeNotFound(planKinds.map(({ path }) => path)))
  app.use(problemHandler(log))
  return app
}

/** One router entry per path: its methods, then 405 for all others. */
function mount(router: Router, routes: Routes, deps: AppDeps): void {
  const all = [...routes.service, ...routes.control]
  const paths = new Set(all.map((route) => route.path))
  for (const path of paths) {
    const ofPath = all.filter((route) => route.path === path)
    const entry = router.route(path)
    for (const route of ofPath) entry[route.method](serve(route, routes, deps))
    entry.all(methodNotAllowed(ofPath.map((route) => route.method.toUpperCase())))
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
