import { type RequestHandler, Router } from 'express'
import type { Route } from '../core/route.js'
import { methodNotAllowed } from '../pipeline/problems.js'
import { beInFolder } from './pages.js'

const refuseMethod = methodNotAllowed(['GET'])

/** Which document a page shows, and the API key that it fills in. */
export interface SwaggerPage {
  routes: readonly Route[]
  control?: boolean
  apiKey?: string | undefined
}

/** A page that shows an API and tries it out. The first request loads everything it needs, from this package alone. */
export function swaggerUi(shown: SwaggerPage): RequestHandler {
  let ui: Promise<Router> | undefined
  return async (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') refuseMethod(req, res)
    ui ??= load(shown)
    const router = await ui
    router(req, res, next)
  }
}

async function load({ routes, control = false, apiKey }: SwaggerPage): Promise<Router> {
  const [{ default: swagger }, { emitOpenApi }] = await Promise.all([
    import('swagger-ui-express'),
    import('../openapi/openapi.js'),
  ])
  const router = Router()
  const document = emitOpenApi(routes, { control, faultHeader: !control })
  const title = { customSiteTitle: control ? 'svc-sim control API' : 'svc-sim' }
  // The interface would otherwise ask a public validator about the document.
  const plain = { ...title, swaggerOptions: { validatorUrl: null } }
  router.get(['/', '/index.html'], beInFolder(301), swagger.setup(document, plain))
  if (apiKey !== undefined) {
    const swaggerOptions = { ...plain.swaggerOptions, authAction: { apiKey: bearer(apiKey) } }
    const filledIn = swagger.serveFiles(document, { ...title, swaggerOptions })
    router.get('/swagger-ui-init.js', onlyOwnPage, ...filledIn)
  }
  router.get(parts, ...swagger.serveFiles(document, plain))
  return router
}

const bearer = (value: string) => ({
  name: 'apiKey',
  schema: { type: 'http', scheme: 'bearer' },
  value,
})

/** The key is in a script, which a page from anywhere could run: such a page gets the script without the key. */
const onlyOwnPage: RequestHandler = (req, _res, next) => {
  const from = req.headers['sec-fetch-site'] ?? 'none'
  next(from === 'same-origin' || from === 'none' ? undefined : 'route')
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
