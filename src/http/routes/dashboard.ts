import express, { type RequestHandler, type Response, Router } from 'express'
import { ServiceError } from '../../lib/errors.js'
import { packageFile } from '../../lib/files/packageFile.js'
import { methodNotAllowed } from '../pipeline/problems.js'

const refuseMethod = methodNotAllowed(['GET'])

/** The page loads nothing from elsewhere, runs nothing that is written into it, and stands in nobody's frame. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The dashboard, as `npm run build` leaves it in `dist/ui`. Its files hold no secret, so they are served before the control token
 * is asked for: the page asks a person for it. They are read when a browser asks for them.
 */
export function dashboard(noUi: boolean): RequestHandler {
  if (noUi) return leftOut
  const files = express.static(packageFile('dist/ui'), {
    index: 'index.html',
    redirect: false,
    setHeaders: describe,
  })
  const router = Router()
  router.use((req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') refuseMethod(req, res, next)
    if (req.path === '/' && !req.originalUrl.split('?')[0]!.endsWith('/'))
      res.redirect(302, `${req.baseUrl}/`)
    else next()
  })
  router.use(files, notThere)
  return router
}

const leftOut: RequestHandler = () => {
  throw new ServiceError('not_found', 'The dashboard was left out of this simulator', {
    hint: 'Start it without --no-ui (SVC_SIM_NO_UI, "no-ui" in the config file).',
  })
}

const notThere: RequestHandler = (req) => {
  const hint =
    req.path === '/'
      ? 'It is not built: run "npm run build".'
      : 'The dashboard is at /_sim/ui/. A page that was opened before an update has to be loaded again.'
  throw new ServiceError('not_found', `The dashboard has no file ${req.path.slice(0, 80)}`, {
    hint,
  })
}

/** Assets have a hash of their content in their names, so they never change; the page names those that belong to it. */
function describe(res: Response, path: string): void {
  const isAsset = /[\\/]assets[\\/]/.test(path)
  res.setHeader('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache')
  res.setHeader('content-security-policy', policy)
  res.setHeader('x-content-type-options', 'nosniff')
  res.setHeader('referrer-policy', 'no-referrer')
}
