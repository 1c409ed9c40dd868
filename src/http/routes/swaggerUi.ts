import { type RequestHandler, Router } from 'express'
import type { Route } from '../core/route.js'
import { methodNotAllowed } from '../pipeline/problems.js'

const refuseMethod = methodNotAllowed(['GET'])

/** The browsable documentation. Everything it needs is loaded by its first request, from this package and not from afar. */
export function swaggerUi(routes: readonly Route[]): RequestHandler {
  let ui: Promise<Router> | undefined
  return async (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') refuseMethod(req, res, next)
    ui ??= load(routes)
    const router = await ui
    router(req, res, next)
  }
}

async function load(routes: readonly Route[]): Promise<Router> {
  const [{ default: swagger }, { emitOpenApi }] = await Promise.all([
    import('swagger-ui-express'),
    import('../openapi/openapi.js'),
  ])
  const router = Router()
  const page = swagger.setup(emitOpenApi(routes, { faultHeader: true }), {
    customSiteTitle: 'svc-sim',
    // The interface would otherwise ask a public validator about the document.
    swaggerOptions: { validatorUrl: null },
  })
  router.get(['/', '/index.html'], beInFolder, page)
  router.get(parts, swagger.serve)
  return router
}

/** What the page names. The package has more, among it a page of its own that shows somebody else's service. */
const parts = [
  '/swagger-ui-init.js',
  '/swagger-ui.css',
  '/swagger-ui-bundle.js',
  '/swagger-ui-standalone-preset.js',
  '/favicon-32x32.png',
  '/favicon-16x16.png',
]

/** The page names its parts beside itself, so it has to be in `/docs/`. */
const beInFolder: RequestHandler = (req, res, next) => {
  if (req.path === '/' && !req.originalUrl.split('?')[0]!.endsWith('/'))
    res.redirect(301, `${req.baseUrl}/`)
  else next()
}
