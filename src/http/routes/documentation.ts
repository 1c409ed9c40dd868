import type { RequestHandler } from 'express'
import { ServiceError } from '../../lib/errors.js'
import { packageFile } from '../../lib/files/packageFile.js'
import { packagedPages } from './packagedPages.js'

/** Each page names the scripts that it runs in a policy of its own, since their hashes differ. */
const policy = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"].join('; ')

/**
 * The documentation of this version, as `npm run docs` leaves it in `dist/docs`: pages, the same as Markdown, and `llms.txt`. It holds no
 * secret, so it is served before the control token is asked for. `folder` is an absolute path.
 */
export function documentation(folder = packageFile('dist/docs')): RequestHandler {
  return packagedPages({ folder, policy, withoutExtension: true, notThere })
}

const notThere: RequestHandler = (req) => {
  const hint =
    req.path === '/'
      ? 'It is not built. Run "npm run docs" in the clone.'
      : 'See /_sim/docs/, or /_sim/docs/llms.txt for the list of pages.'
  throw new ServiceError(
    'not_found',
    `The documentation has no page ${req.path.replace(/\.html$/, '').slice(0, 80)}`,
    {
      hint,
    },
  )
}
