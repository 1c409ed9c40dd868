import express, { type Express, type RequestHandler, type Router } from 'express'
import { networkNames } from '../chain/deployments/networks.js'
import { ServiceError } from '../lib/errors.js'
import { quietLog } from './bookkeeping.js'
import { cors } from './cors.js'
import { countAnswers } from './coverage.js'
import { envelope } from './envelope.js'
import { controlToken, refuseForeign, refuseForeignHost, refuseForeignRpc } from './guard.js'
import { methodNotAllowed, problemHandler, routeNotFound } from './problems.js'
import type { Routes } from './route.js'
import { routesOf } from './routes/index.js'
import { serve } from './serve.js'
import { swaggerUi } from './swaggerUi.js'
import type { AppDeps } from './types.js'

/** The whole HTTP face: service API, control API, RPC pass-through, documents. Never listens; whoever calls it does. */
export function createApp(deps: AppDeps): Express {
  const app = express()
  const log = quietLog(deps.log)
  const routes = routesOf(deps.planKinds)
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  app.use(envelope(deps.ids, deps.journal, log), requireHost)
  app.use(refuseForeignHost(deps.bind), cors(deps.bind))
  app.use('/rpc', refuseForeignRpc(deps.bind), controlToken(deps.bind))
  app.all('/rpc/:network', passRpc(deps))
  app.use('/_sim', refuseForeign(deps.bind), controlToken(deps.bind))
  app.use(countAnswers(deps.coverage, log))
  mount(app, routes, deps)
  app.use('/docs', swaggerUi(routes.service))
  app.use(routeNotFound(deps.planKinds.map((kind) => kind.path)))
  app.use(problemHandler(log))
  return app
}

/** RFC 9112, 3.2. Node would refuse it without a body. */
const requireHost: RequestHandler = (req, res, next) => {
  if (req.httpVersion !== '1.1' || req.headers.host !== undefined) return next()
  res.setHeader('connection', 'close')
  throw new ServiceError('invalid_params', 'An HTTP/1.1 request must have a Host header')
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

/** Hands JSON-RPC over to the network's node before anything reads the body. */
function passRpc(deps: AppDeps): RequestHandler {
  return (req, res) => {
    const network = networkNames.find((name) => name === req.params.network)
    if (network === undefined) throw unknownNetwork(String(req.params.network))
    deps.rpc.handle(network, req, res)
  }
}

function unknownNetwork(name: string): ServiceError {
  return new ServiceError(
    'not_found',
    `There is no network ${name.slice(0, 80)}; networks are ${networkNames.join(', ')}`,
  )
}
