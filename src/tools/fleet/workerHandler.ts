import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Express, Request, Response } from 'express'
import { bareApp } from '../../http/core/bareApp.js'
import { requestIdHeader } from '../../http/core/headers.js'
import type { HttpLog } from '../../http/core/log.js'
import { reply } from '../../http/core/reply.js'
import type { Route } from '../../http/core/route.js'
import type { Bind, WorldLeases } from '../../http/core/types.js'
import { authenticate } from '../../http/pipeline/auth.js'
import { readJson } from '../../http/pipeline/body.js'
import { asStep, refuseForeign, requireHost } from '../../http/pipeline/guard.js'
import { methodNotAllowed, problemHandler } from '../../http/pipeline/problems.js'
import { parse } from '../../http/pipeline/validation.js'
import { worldRoutes } from '../../http/routes/control/worlds.js'
import type { HttpHandler } from '../../http/server/listen.js'
import { fleetHeaders } from '../../http/server/relay.js'
import { refuseLostWorlds, worldLost, worldNamed } from '../../http/worlds/worldRouter.js'
import { ServiceError } from '../../lib/errors.js'

/** What a worker answers with. */
export interface WorkerHandlerOptions {
  workerId: string
  /** What its fronts know; without it everybody is answered. */
  token: string | undefined
  leases: WorldLeases
  bind: Bind
  log: HttpLog
  requestId(): string
  /** Sends what is for a world there, and everything else to the handler. */
  wrap(handler: HttpHandler): HttpHandler
}

/** Answers fronts: their leases, and all that they pass on to worlds. */
export function workerHandler(options: WorkerHandlerOptions): HttpHandler {
  const { requestId } = options
  const refusal = admission(options)
  const app = workerApp(options, refusal)
  const handler = { handle: app, upgrade: () => false, requestId }
  const worlds = options.wrap(handler)
  return {
    requestId,
    handle: (req, res) => (refusal(req) ? app(req, res) : worlds.handle(req, res)),
    upgrade: (req, socket, head) => !refusal(req) && worlds.upgrade(req, socket, head),
  }
}

/** What is wrong with a caller: it is no front, or it means a worker that was here before. */
function admission({ token, workerId }: WorkerHandlerOptions) {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  const expected = token === undefined ? undefined : hash(token)
  return (req: IncomingMessage): ServiceError | undefined => {
    const { [fleetHeaders.token]: given, [fleetHeaders.worker]: meant } = req.headers
    if (expected && !timingSafeEqual(expected, hash(String(given))))
      return new ServiceError('forbidden', 'A worker serves only the fronts of its fleet', {
        hint: 'Send the request to a front. If this is a front, give it the --fleet-token of the workers.',
      })
    if (meant === undefined || meant === workerId) return undefined
    const lost = 'its worker has ended, and another one was started in its place'
    return worldLost({ id: worldNamed(req).id ?? 'of this key', lost })
  }
}

function workerApp(
  { leases, bind, log, requestId }: WorkerHandlerOptions,
  refusal: (req: IncomingMessage) => ServiceError | undefined,
): Express {
  const app = bareApp()
  app.use((_req, res, next) => {
    res.setHeader(requestIdHeader, requestId())
    next()
  })
  app.get(['/health/live', '/health/ready'], (_req, res) => reply(res, { status: 'live' }))
  app.use((req, _res, next) => {
    const problem = refusal(req)
    if (problem) throw problem
    next()
  })
  for (const check of [requireHost, refuseLostWorlds(leases), refuseForeign(bind)])
    app.use(asStep(check))
  for (const path of new Set(worldRoutes.map((route) => route.path))) {
    const ofPath = worldRoutes.filter((route) => route.path === path)
    const entry = app.route(path)
    for (const route of ofPath) entry[route.method](serveLease(route, leases))
    entry.all(methodNotAllowed(ofPath.map(({ method }) => method.toUpperCase())))
  }
  // A world that was given back, as seen by whoever still has its key.
  app.use((req) => void authenticate([], req.headers.authorization))
  app.use(problemHandler(log))
  return app
}

/** A route of the leases, which needs nothing else of a simulator. */
function serveLease(route: Route, worlds: WorldLeases) {
  const handler = route.handler as (context: unknown) => unknown
  return async (req: Request, res: Response): Promise<void> => {
    const sent = route.body && ((await readJson(req, res)) ?? route.body.absent)
    const body = route.body && parse(route.body.schema, sent, 'body')
    res.status(route.answers[0].status)
    reply(res, await handler({ deps: { worlds }, req, res, body }))
  }
}
