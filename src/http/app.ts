import express, { type Express, type RequestHandler } from 'express'
import { networkNames } from '../deployments/networks.js'
import { ServiceError } from '../lib/errors.js'
import { routeGroups } from './allRoutes.js'
import { ownSecrets } from './core/apiKeys.js'
import { safeLog } from './core/log.js'
import { isLoopback } from './core/originPolicy.js'
import { datedAnswers } from './core/reply.js'
import type { AppDeps } from './core/types.js'
import {
  controlToken,
  cors,
  refuseChanges,
  refuseForeign,
  refuseForeignRpc,
  requireHost,
  requireOwnHost,
} from './pipeline/guard.js'
import { problemHandler, routeNotFound } from './pipeline/problems.js'
import { recordRequests } from './pipeline/record.js'
import { mountRouters } from './pipeline/routers.js'
import { type FilledIn, ownExamples, swaggerUi } from './routes/docs.js'
import { dashboard, documentation } from './routes/pages.js'
import { refuseOtherWorlds } from './worlds/worldRouter.js'

/**
 * Service API, control API, RPC pass-through and pages as an Express app, which the caller serves or mounts in its own.
 *
 * A request takes these steps up to its route, which serves it: key, body, faults, fields, account, handler (pipeline/routers.ts). A step
 * refuses a request by throwing an error, which becomes the response.
 */
export function createApp(deps: AppDeps): Express {
  const { bind, keys, noUi = false } = deps.access
  const { planKinds } = deps.service
  const log = safeLog(deps.records.log)
  const { service, control } = routeGroups(planKinds)
  const routes = { service: service.flat(), control: control.flat() }
  const app = bareApp()

  app.use(recordRequests(deps, log))
  app.use(datedAnswers(deps.timing.clock))
  app.use(requireHost, requireOwnHost(bind), cors(bind))
  // Requests for other worlds were relayed before this step; the rest of them are refused.
  if (deps.worlds) app.use(refuseOtherWorlds(deps.worlds, { bind, own: ownSecrets(keys, bind) }))
  if (deps.trace) app.use(refuseChanges)

  // The control API is for its own callers. Its pages hold no secret: they ask a person for the token themselves.
  app.use(['/_sim', '/metrics'], refuseForeign(bind))
  app.use('/rpc', refuseForeignRpc(bind))
  app.use('/_sim/ui', dashboard(noUi))
  app.use('/_sim/docs', documentation())
  app.use('/_sim/openapi', swaggerUi({ routes: routes.control, control: true }))
  app.use(['/_sim', '/metrics', '/rpc'], controlToken(bind))

  app.route('/rpc/:network').all(passRpc(deps))
  if (deps.agents) app.route('/_sim/mcp').all(deps.agents)
  mountRouters(app, [...service, ...control], { routes, deps })
  app.use('/docs', swaggerUi({ routes: routes.service, filledIn: filledIn(deps) }))

  app.use(routeNotFound([...routes.service, ...routes.control]))
  app.use(problemHandler(log))
  return app
}

/** Where other machines can read the page, it names no key and no account. */
function filledIn(deps: AppDeps): FilledIn | undefined {
  const { bind, keys } = deps.access
  const key = isLoopback(bind.host) ? keys.find(({ revoked }) => !revoked) : undefined
  return key && { apiKey: key.key, examples: () => ownExamples(deps, key.primeId) }
}

/** Passes JSON-RPC on to the network's node before anything reads the body. */
function passRpc({ chains }: AppDeps): RequestHandler {
  return (req, res) => {
    req.endpoint = { ...req.endpoint, path: '/rpc/:network' }
    const given = String(req.params.network)
    const network = networkNames.find((name) => name === given)
    if (network === undefined) throw unknownNetwork(given)
    chains.rpc.handle(network, req, res)
  }
}

function unknownNetwork(name: string): ServiceError {
  return new ServiceError(
    'not_found',
    `There is no network ${name.slice(0, 80)}; networks are ${networkNames.join(', ')}`,
  )
}

/** An Express app that adds nothing to responses, and distinguishes `/A` and `/a`. */
export function bareApp(): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  return app
}
