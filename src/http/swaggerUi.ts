import { type RequestHandler, Router } from 'express'
import { methodNotAllowed } from './problems.js'
import type { PlanKindInfo } from './types.js'

const refuseMethod = methodNotAllowed(['GET'])

/** The browsable documentation. Everything it needs is loaded by its first request, from this package and not from afar. */
export function swaggerUi(planKinds: readonly PlanKindInfo[]): RequestHandler {
  let ui: Promise<Router> | undefined
  return async (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') refuseMethod(req, res, next)
    ui ??= load(planKinds)
    const router = await ui
    router(req, res, next)
  }
}

async function load(planKinds: readonly PlanKindInfo[]): Promise<Router> {
  const [{ default: swagger }, { emitOpenApi }] = await Promise.all([
    import('swagger-ui-express'),
    import('./openapi.js'),
  ])
  const router = Router()
  const page = swagger.setup(emitOpenApi({ planKinds }), {
    customSiteTitle: 'svc-sim',
    // The interface would otherwise ask a public validator about the document.
    swaggerOptions: { validatorUrl: null },
  })
  router.use(swagger.serve, page)
  return router
}
