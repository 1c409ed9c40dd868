import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { ServiceError } from '../../lib/errors.js'
import { ownSecrets } from '../core/apiKeys.js'
import { faultHeader, hintHeader, realDateHeader, requestIdHeader } from '../core/headers.js'
import { isAllowedOrigin, isLoopback, isOwnHost, isOwnPage } from '../core/originPolicy.js'
import { areaOf } from '../core/request.js'
import type { Bind } from '../core/types.js'
import { bearerToken } from './auth.js'

/** Refuses requests without a Host header (RFC 9112, 3.2). Node would refuse them without a body. */
export const requireHost: RequestHandler = (req, res, next) => {
  if (req.httpVersion === '1.1' && req.headers.host === undefined) {
    res.setHeader('connection', 'close')
    throw new ServiceError('invalid_params', 'An HTTP/1.1 request must have a Host header')
  }
  next()
}

/**
 * The host of a request must be this server: with DNS rebinding, a web page reaches it under the page's own name. Checked on loopback only;
 * elsewhere the server cannot know all of its names, and has no default keys.
 */
export function requireOwnHost(bind: Bind): RequestHandler {
  const isOwn = isLoopback(bind.host) ? ownHosts(bind) : () => true
  return (req, _res, next) => {
    const { host } = req.headers
    // Browsers always name it; HTTP/1.0 need not.
    if (host !== undefined && !isOwn(host)) throw foreignHost(host)
    next()
  }
}

/** Whether a request may name this server so. The latest name that was right is remembered: most requests have the same. */
function ownHosts(bind: Bind): (host: string | undefined) => boolean {
  let latest: string | undefined
  return (host) => {
    if (host !== undefined && host === latest) return true
    if (!isOwnHost(host, bind.host, bind)) return false
    latest = host
    return true
  }
}

/** The control API: only programs, and this server's own page. A page from elsewhere could send requests, though not read the answers. */
export function refuseForeign(bind: Bind): RequestHandler {
  const isOwn = ownHosts(bind)
  return (req, _res, next) => {
    const { host, origin } = req.headers
    if (!isOwn(host)) throw foreignHost(host)
    if (origin === undefined || isOwnPage(origin, host)) return next()
    throw new ServiceError(
      'forbidden',
      `The control API is for programs and for its own page: Origin is ${shown(origin)}`,
      { hint: 'Call it from your test or your own server; no option opens it to other web pages.' },
    )
  }
}

/** JSON-RPC: programs, wallets, and the browser apps that may read the service API. */
export function refuseForeignRpc(bind: Bind): RequestHandler {
  return (req, _res, next) => {
    const foreign = foreignRpc(req.headers, bind)
    if (foreign) throw foreign
    next()
  }
}

/** The refusal of a JSON-RPC caller, for WebSocket upgrades too; undefined when it may call. */
export function foreignRpc(
  { host, origin }: IncomingHttpHeaders,
  bind: Bind,
): ServiceError | undefined {
  if (!isOwnHost(host, bind.host, bind)) return foreignHost(host)
  // A wallet extension is not a web page: its own scheme cannot be claimed by one.
  if (origin === undefined || /^[a-z]+-extension:\/\//.test(origin)) return undefined
  if (isOwnPage(origin, host) || isAllowedOrigin(origin, bind)) return undefined
  return foreignOrigin(origin)
}

const howToBearToken = 'Send the value of --control-token as "Authorization: Bearer <token>".'

/** Whether the control API and JSON-RPC are open to callers with a token alone: where other machines reach them, or somebody has set one. */
function asksForToken({ host, controlToken }: Bind): boolean {
  return !isLoopback(host) || controlToken !== undefined
}

/** Asks the callers of the control API and of JSON-RPC for the control token. */
export function controlToken(bind: Bind): RequestHandler {
  if (!asksForToken(bind)) return (_req, _res, next) => next()
  return (req, _res, next) => {
    const tokens = ownSecrets([], bind)
    if (tokens.length === 0) {
      throw new ServiceError('forbidden', 'Closed: no control token is set', {
        hint: 'Start with --control-token, or bind to 127.0.0.1.',
      })
    }
    // A WebSocket that is refused comes here as a plain request, with its token wherever it had it.
    const isSocket = req.headers['sec-websocket-key'] !== undefined
    const ofSocket = isSocket ? tokensSent(req) : []
    const sent =
      ofSocket.length > 0 ? ofSocket : [bearerToken(req.headers.authorization, howToBearToken)]
    if (sent.some((token) => tokens.includes(token))) return next()
    throw new ServiceError('invalid_api_key', 'Invalid control token', {
      hint: howToBearToken,
    })
  }
}

/**
 * Whether a WebSocket brings the control token where one is required: as bearer, as `?token=` or as a subprotocol, for browsers, which can
 * send no header.
 */
export function socketHasToken(
  { url = '', headers }: { url?: string | undefined; headers: IncomingHttpHeaders },
  bind: Bind,
): boolean {
  if (!asksForToken(bind)) return true
  const sent = tokensSent({ url, headers })
  return ownSecrets([], bind).some((token) => sent.includes(token))
}

/** The tokens that a WebSocket brings. */
function tokensSent({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string[] {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
  const inQuery = new URL(url, 'ws://localhost').searchParams.get('token')
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim())
  return [bearer ?? [], inQuery ?? [], protocols].flat().filter((token) => token !== '')
}

/**
 * What the front refuses in a request for a world elsewhere: its host and its token. The world itself checks the page's origin. `isKey` says
 * whether a token is the key of that world.
 */
export function refusedAtFront(
  req: Pick<IncomingMessage, 'url' | 'headers'>,
  bind: Bind,
  isKey: (token: string) => boolean,
): ServiceError | undefined {
  const { host, authorization, upgrade } = req.headers
  const isClosed = areaOf(req.url ?? '').access !== undefined
  const isNamed = isClosed || (isLoopback(bind.host) && host !== undefined)
  if (isNamed && !isOwnHost(host, bind.host, bind)) return foreignHost(host)
  if (!isClosed || !asksForToken(bind)) return undefined
  const sent = upgrade === undefined ? [authorization?.replace(/^Bearer +/i, '')] : tokensSent(req)
  const opens = (token: string | undefined): boolean =>
    token !== undefined && (token === bind.controlToken || isKey(token))
  if (sent.some(opens)) return undefined
  return new ServiceError('invalid_api_key', 'Invalid control token', {
    hint: 'Send the value of --control-token, or the key of the world, as "Authorization: Bearer <token>".',
  })
}

function foreignOrigin(origin: string): ServiceError {
  return new ServiceError(
    'forbidden',
    `Web pages of this origin may not send requests: Origin is ${shown(origin)}`,
    { hint: 'Start with --cors-origin and the origin of your app.' },
  )
}

function foreignHost(host: string | undefined): ServiceError {
  return new ServiceError(
    'forbidden',
    `The Host header does not name this server: Host is ${shown(host ?? 'missing')}`,
    {
      hint: 'Use localhost, an address 127.x.x.x or the host given with --host, or start with --allowed-host and this name.',
    },
  )
}

function shown(value: string): string {
  return value.slice(0, 80)
}

/** A trace is only read. */
export const refuseChanges: RequestHandler = (req, _res, next) => {
  if (['GET', 'HEAD', 'OPTIONS'].includes(req.method)) return next()
  throw new ServiceError(
    'conflict',
    'This is a trace of a run that has ended: nothing can be changed in it',
    { hint: 'Start a simulator with "svc-sim start" and send the request there.' },
  )
}

/** Our own headers, and those that tell time; without this a page could not read them. */
const exposed = [
  ...[requestIdHeader, hintHeader, faultHeader, realDateHeader],
  ...['date', 'retry-after'],
].join(', ')

/** How long a browser may remember a preflight: so short that another start of the simulator is soon noticed. Seconds. */
const preflightMaxAge = 60

/**
 * Lets browser apps of `--cors-origin` read responses of the service API and of `/rpc`, and answers their preflight requests. The control API
 * serves no page but its own, which needs no permission.
 */
export function cors(bind: Bind): RequestHandler {
  return (req, res, next) => {
    const { origin } = req.headers
    if (req.endpoint?.access === 'control') return next()
    // Also without one: a cache must not give this answer to a page.
    res.setHeader('vary', 'Origin')
    if (origin === undefined) return next()
    // Chromium sends a request again, POST included, when it is answered 408 on a connection that it has used before: each gets a new one.
    res.setHeader('connection', 'close')
    const asksFor = req.headers['access-control-request-method']
    const isPreflight = req.method === 'OPTIONS' && asksFor !== undefined
    if (!isAllowedOrigin(origin, bind)) {
      if (!isPreflight) return next()
      throw foreignOrigin(origin)
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
    res.statusCode = 204
    res.end()
  }
}
