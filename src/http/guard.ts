import type { IncomingHttpHeaders } from 'node:http'
import type { RequestHandler } from 'express'
import { ServiceError } from '../errors.js'
import { isLoopback } from '../loopback.js'
import { bearerToken } from './auth.js'
import type { AppDeps } from './types.js'

/**
 * Lets only local callers in. A web page from elsewhere can make a browser on this machine send requests here (directly, or
 * after rebinding its own name to 127.0.0.1); its `Host` or `Origin` then gives it away.
 */
export function refuseForeign(bind: AppDeps['bind']): RequestHandler {
  return (req, _res, next) => {
    const foreign = foreignCaller(req.headers, bind.host)
    if (!foreign) return next()
    throw new ServiceError('forbidden', `This is for local callers only: ${foreign}`, {
      hint: `Call http://127.0.0.1:PORT or the host given with --host (now ${bind.host}).`,
    })
  }
}

/** Asks the control API's callers for the control token when the server can be reached from other machines. */
export function controlToken(bind: AppDeps['bind']): RequestHandler {
  return (req, _res, next) => {
    if (isLoopback(bind.host)) return next()
    if (bind.controlToken === undefined) {
      throw new ServiceError('forbidden', 'The control API is closed: no control token is set', {
        hint: 'Start with --control-token, or bind to 127.0.0.1.',
      })
    }
    if (bearerToken(req.headers.authorization) === bind.controlToken) return next()
    throw new ServiceError('invalid_api_key', 'Invalid control token', {
      hint: 'Send the value of --control-token as "Authorization: Bearer <token>".',
    })
  }
}

/** Says what makes the caller of a request foreign; undefined for a local one. Also for WebSocket upgrades. */
export function foreignCaller(headers: IncomingHttpHeaders, boundHost: string): string | undefined {
  const { host, origin } = headers
  if (!isLocalName(hostName(host), boundHost)) return `Host is ${(host ?? 'missing').slice(0, 80)}`
  if (origin === undefined) return undefined
  // A wallet extension is not a web page: its own scheme cannot be claimed by one.
  if (/^[a-z]+-extension:\/\//.test(origin)) return undefined
  return isLocalName(originName(origin), boundHost) ? undefined : `Origin is ${origin.slice(0, 80)}`
}

function isLocalName(name: string | undefined, boundHost: string): boolean {
  if (name === undefined) return false
  // Bound to every address, the server has names it cannot know; what guards it there is the control token.
  return isLoopback(name) || name === boundHost.toLowerCase() || isWildcard(boundHost)
}

function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** The name of a `Host` header without port and brackets. */
function hostName(host: string | undefined): string | undefined {
  return host === undefined ? undefined : originName(`http://${host}`)
}

function originName(origin: string): string | undefined {
  if (!URL.canParse(origin)) return undefined
  return new URL(origin).hostname.replace(/^\[|\]$/g, '').toLowerCase()
}
