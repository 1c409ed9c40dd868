import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Express, type Request, type RequestHandler, Router } from 'express'
import { bareApp } from '../../http/core/bareApp.js'
import { hintHeader, requestIdHeader } from '../../http/core/headers.js'
import type { HttpLog } from '../../http/core/log.js'
import { reply } from '../../http/core/reply.js'
import { type ApiRequest, requestPath } from '../../http/core/request.js'
import type { Routes } from '../../http/core/route.js'
import type { Bind } from '../../http/core/types.js'
import { authenticate } from '../../http/pipeline/auth.js'
import { readJson } from '../../http/pipeline/body.js'
import { admission, asStep, controlToken, refuseForeign } from '../../http/pipeline/guard.js'
import { methodNotAllowed, problemHandler, routeNotFound } from '../../http/pipeline/problems.js'
import { worldOnWire } from '../../http/routes/control/worldSchemas.js'
import { controlDocsRoutes, docsRoutes } from '../../http/routes/docs.js'
import { swaggerUi } from '../../http/routes/swaggerUi.js'
import { hasLeft, ifUnheard } from '../../http/worlds/leasing.js'
import { ServiceError } from '../../lib/errors.js'
import { NoWorldError } from '../../worlds/queue.js'
import type { WorkerLine } from './askWorker.js'
import {
  DirectoryError,
  type FleetDirectory,
  type FoundLease,
  fleetUnavailable,
} from './directory.js'
import type { FrontRefusal } from './frontHandler.js'
import type { Placing } from './placing.js'
import { listWorlds, type WorldList } from './worldList.js'

/** What a front answers itself. */
export interface FrontAppOptions {
  directory: FleetDirectory
  placing: Placing
  line: WorkerLine
  bind: Bind
  log: HttpLog
  requestId(): string
  /** Every endpoint, for the documents. */
  routes(): Promise<Routes>
}

/** When a client that was refused may try again. Seconds. */
const retryAfter = 1

/** The leases of a fleet, its health and the documents; and all that is refused. */
export function createFrontApp(options: FrontAppOptions) {
  const { bind, log, requestId } = options
  const refusals = new WeakMap<IncomingMessage, FrontRefusal>()
  const app = bareApp()
  app.use((_req, res, next) => {
    res.setHeader(requestIdHeader, requestId())
    next()
  })
  const admit = admission(bind)
  app.use((req, res, next) => {
    if (admit(req, res)) next()
  })
  const isLookAtLost = (req: ApiRequest): boolean => {
    const isLook =
      /^\/_sim\/worlds\/[\w-]+$/.test(requestPath(req)) && /^(GET|DELETE)$/.test(req.method)
    return isLook && refusals.get(req)?.lease?.lost !== undefined
  }
  const noForeign = refuseForeign(bind)
  app.use(asStep((req, res) => isLookAtLost(req) && noForeign(req, res)))
  app.use(async (req, res, next) => {
    const refusal = refusals.get(req)
    if (!refusal) return next()
    const { problem, lease } = refusal
    // What has become of a world is told of one that is lost, too.
    if (lease && isLookAtLost(req)) {
      if (req.method === 'DELETE') await forgetLease(options, lease)
      return reply(res, worldOnWire(lease, req))
    }
    if (problem.code === 'fleet_unavailable') res.setHeader('retry-after', retryAfter)
    throw problem
  })
  app.use(['/_sim', '/metrics', '/rpc', '/worlds'], asStep(noForeign), asStep(controlToken(bind)))
  mountLeases(app, options)
  mountMetrics(app, options)
  mountDocuments(app, options)
  app.use(['/_sim', '/metrics', '/rpc', '/worlds'], () => {
    throw new ServiceError('not_found', 'A front has no default world', {
      hint: 'Lease one with POST /_sim/worlds; its key, or the paths /_sim/worlds/ID/... and /worlds/ID/rpc/..., select it.',
    })
  })
  mountRefusals(app, options)
  app.use(problemHandler(log))
  return (req: IncomingMessage, res: ServerResponse, refusal?: FrontRefusal): void => {
    if (refusal) refusals.set(req, refusal)
    app(req, res)
  }
}

/** A lost world has nobody else who could give its lease back. */
async function forgetLease({ directory }: FrontAppOptions, lease: FoundLease): Promise<void> {
  await directory.remove(lease).catch((error) => {
    throw asRefusal(error)
  })
}

function mountLeases(app: Express, { directory, placing, line }: FrontAppOptions): void {
  const leases = app.route('/_sim/worlds')
  leases.post(async (req, res) => {
    await readJson(req, res)
    const body = typeof req.body === 'string' ? req.body : ''
    const question = { method: 'POST', path: req.url, headers: passedOn(req), body }
    const answer = await placing.lease({ ...question, signal: hasLeft(res) }).catch((error) => {
      res.setHeader('retry-after', retryAfter)
      throw asRefusal(error)
    })
    ifUnheard(res, () => void answer.release())
    res.status(answer.status)
    for (const name of [hintHeader, 'retry-after']) {
      const value = answer.headers[name]
      if (value !== undefined) res.setHeader(name, value)
    }
    reply(res, answer.text, 'application/json')
  })
  leases.get(async (req, res) => {
    const { workers: _, ...list } = await listWorlds({ directory, line }, passedOn(req)).catch(
      (error) => {
        throw asRefusal(error)
      },
    )
    reply(res, { ...list, waiting: placing.waiting() } satisfies WorldList)
  })
  leases.all(methodNotAllowed(['POST', 'GET']))
}

function mountMetrics(app: Express, { directory, line, placing }: FrontAppOptions): void {
  app.get('/metrics', async (req, res) => {
    const [{ asText, gauge }, fleet] = await Promise.all([
      import('../../observe/metrics/exposition.js'),
      listWorlds({ directory, line }, passedOn(req)).catch(() => undefined),
    ])
    const waiting = placing.waiting()
    const figures = [
      gauge('fleet_directory_up', 'Whether the directory of worlds answered.', fleet ? 1 : 0),
      gauge('fleet_leases_waiting', 'Requests for a lease that wait at this front.', waiting),
    ]
    if (fleet) {
      const { workers, most, leased, warm, starting } = fleet
      figures.push(
        gauge('fleet_workers', 'Workers that the directory knows.', workers),
        gauge('fleet_worlds_most', 'How many worlds they may have.', most),
        gauge('fleet_worlds', 'Worlds of all workers.', [
          [{ state: 'leased' }, leased],
          [{ state: 'warm' }, warm],
          [{ state: 'starting' }, starting],
        ]),
      )
    }
    reply(res, await asText(figures), 'text/plain; version=0.0.4; charset=utf-8')
  })
}

/** Of a request's headers, what the worker has to know. */
function passedOn(req: Request): Record<string, string> {
  const type = req.headers['content-type']
  return { host: req.headers.host ?? '', ...(type === undefined ? {} : { 'content-type': type }) }
}

function asRefusal(error: unknown): unknown {
  if (error instanceof DirectoryError) return fleetUnavailable(error)
  if (!(error instanceof NoWorldError)) return error
  return new ServiceError('rate_limited', `No world can be leased now: ${error.message}`, {
    hint: 'Release worlds as soon as you no longer need them, or start more workers.',
    cause: error,
  })
}

/** What names no world is refused as by a simulator: where there is no route, for the method, and else for its key. */
function mountRefusals(app: Express, { routes }: FrontAppOptions): void {
  let refuse: Router | undefined
  app.use(async (req, res, next) => {
    refuse ??= refusals(await routes())
    refuse(req, res, next)
  })
}

function refusals({ service }: Routes): Router {
  const router = Router({ caseSensitive: true })
  for (const path of new Set(service.map((route) => route.path))) {
    const methods = service.filter((route) => route.path === path).map(({ method }) => method)
    const entry = router.route(path)
    for (const method of methods)
      entry[method]((req) => void authenticate([], req.headers.authorization))
    entry.all(methodNotAllowed(methods.map((method) => method.toUpperCase())))
  }
  const kinds = service.flatMap(({ path }) => /\/plan\/(.+)$/.exec(path)?.[1] ?? [])
  return router.use(routeNotFound(kinds.filter((kind) => kind !== 'execute')))
}

function mountDocuments(app: Express, { directory, routes }: FrontAppOptions): void {
  app.get('/health/live', (_req, res) => reply(res, { status: 'live' }))
  // Ready even without the directory: worlds that are in use go on.
  app.get('/health/ready', async (_req, res) => {
    const workers = await directory.workers().catch(() => undefined)
    const state = workers ? 'reached' : 'unreached'
    reply(res, { status: 'ready', directory: state, workers: workers?.length ?? null })
  })
  for (const { path, handler, answers } of [...docsRoutes, ...controlDocsRoutes])
    app.get(path, async (_req, res) => {
      // They describe the routes, and need nothing else.
      const body = await handler({ routes: await routes() } as never)
      reply(res, body, answers[0].contentType)
    })
  let ui: RequestHandler | undefined
  app.use('/docs', async (req, res, next) => {
    ui ??= swaggerUi({ routes: (await routes()).service })
    ui(req, res, next)
  })
}
