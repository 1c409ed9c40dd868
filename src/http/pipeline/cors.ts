import type { RequestHandler } from 'express'
import { ServiceError } from '../../lib/errors.js'
import { faultHeader, hintHeader, realDateHeader, requestIdHeader } from '../core/headers.js'
import { isAllowedOrigin } from '../core/originPolicy.js'
import type { Bind } from '../core/types.js'

/** Our own headers, and those that tell time; without this a page could not read them. */
const exposed = [
  ...[requestIdHeader, hintHeader, faultHeader, realDateHeader],
  ...['date', 'retry-after'],
].join(', ')

/** How long a browser may remember a preflight: so short that another start of the simulator is soon noticed. Seconds. */
const preflightMaxAge = 60

/** Lets the browser apps of `--cors-origin` read answers of the service API and of `/rpc`, and answers their preflights. */
export function cors(bind: Bind): RequestHandler {
  return (req, res, next) => {
    const { origin } = req.headers
    // The control API serves no page but its own, which needs no permission.
    if (isControl(req.path)) return next()
    // Also without one: a cache must not give this answer to a page.
    res.setHeader('vary', 'Origin')
    if (origin === undefined) return next()
    // Chromium sends a request again, POST included, when it is answered 408 on a connection that it has used before: each gets a new one.
    res.setHeader('connection', 'close')
    const asksFor = req.headers['access-control-request-method']
    const isPreflight = req.method === 'OPTIONS' && asksFor !== undefined
    if (!isAllowedOrigin(origin, bind)) {
      if (!isPreflight) return next()
      throw new ServiceError(
        'forbidden',
        `Web pages of this origin may not send requests: Origin is ${origin.slice(0, 80)}`,
        {
          hint: 'Start with --cors-origin and the origin of your app.',
        },
      )
    }
    res.setHeader('access-control-allow-origin', origin)
    if (!isPreflight) {
      res.setHeader('access-control-expose-headers', exposed)
      return next()
    }
    res.setHeader('access-control-allow-methods', 'GET, HEAD, POST')
    const headers = req.headers['access-control-request-headers']
    // The key must be named: "*" does not cover it.
    if (headers !== undefined) res.setHeader('access-control-allow-headers', headers)
    if (req.headers['access-control-request-private-network'] === 'true')
      res.setHeader('access-control-allow-private-network', 'true')
    res.setHeader('access-control-max-age', preflightMaxAge)
    res.status(204).end()
  }
}

function isControl(path: string): boolean {
  return /^\/(_sim|metrics)(\/|$)/.test(path)
}
