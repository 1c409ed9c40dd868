import type { RequestHandler } from 'express'
import { ServiceError } from '../../lib/errors.js'
import { packageFile } from '../../lib/files/packageFile.js'
import { packagedPages } from './packagedPages.js'

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
  return packagedPages({ folder: packageFile('dist/ui'), policy, notThere })
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
      : 'The dashboard is at /_sim/ui/. Reload a page that was opened before an update.'
  throw new ServiceError('not_found', `The dashboard has no file ${req.path.slice(0, 80)}`, {
    hint,
  })
}
