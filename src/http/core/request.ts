import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request } from 'express'
import { maxMessageBytes } from '../../chain/proxy/rpcBody.js'
import type { SystemLock } from '../../control/systemLock.js'
import type { ApiKey } from './apiKeys.js'
import { viewerHeader } from './headers.js'
import type { Access } from './route.js'
import type { Bind } from './types.js'

/** What our steps have found out about a request, for those behind them. */
declare global {
  namespace Express {
    interface Request {
      /** Its path and query as this app knows them: without the path at which another app has mounted this one. */
      ownUrl?: string
      /** The endpoint that it has reached, or the part of the API. */
      endpoint?: EndpointFacts
      /** The holder of its API key, where one is needed. */
      prime?: ApiKey
      /** Its JSON body; the text stays in `body`. */
      sent?: unknown
    }
  }
}

/** Its path and query as this app knows them. */
export function requestUrl({
  ownUrl,
  originalUrl,
}: Pick<Request, 'ownUrl' | 'originalUrl'>): string {
  return ownUrl ?? originalUrl
}

/** Its path as this app knows it, without the query. */
export function requestPath(req: Pick<Request, 'ownUrl' | 'originalUrl'>): string {
  const url = requestUrl(req)
  const end = endOfPath(url)
  return end === -1 ? url : url.slice(0, end)
}

/** Where the query or, which clients should not send, the fragment begins; -1 when there is neither. */
function endOfPath(url: string): number {
  return url.search(/[?#]/)
}

type Head = Pick<IncomingMessage, 'method' | 'headers'>

/** Whether a request only watches, as the dashboard's reads do. Only a GET can: anything else counts as a client's, whoever sends it. */
export function isViewer({ method, headers }: Head): boolean {
  return method === 'GET' && headers[viewerHeader] !== undefined && !isClick({ headers })
}

/** Whether a person sent it from the dashboard. Faults meet it and the journal has it, but it is no response that a client has seen. */
export function isClick({ headers }: Pick<Head, 'headers'>): boolean {
  return headers[viewerHeader] === 'click'
}

/**
 * Rewrites a request target in absolute form, which clients send that use the simulator as a proxy (RFC 9112, 3.2.2): path and query stay in
 * `url`, and the authority replaces `Host`, so that later steps see one form only.
 */
export function toOriginForm(req: Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>): void {
  const [, authority, rest] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is.exec(req.url ?? '') ?? []
  if (authority === undefined || rest === undefined) return
  req.url = rest.startsWith('/') ? rest : `/${rest}`
  const host = authority.replace(/^.*@/, '')
  req.headers.host = host
  // A request that is passed on to a world is made of these.
  const others = req.rawHeaders.flatMap((name, i, all) =>
    i % 2 === 0 && name.toLowerCase() !== 'host' ? [name, all[i + 1]!] : [],
  )
  req.rawHeaders = ['Host', host, ...others]
}

/** The largest request body of the service and of the control API, in bytes as it is unpacked. */
export const bodyLimit = 1024 * 1024

/** The length that a request says its body has, in bytes; NaN when it says none. */
export function declaredBytes({ headers }: Pick<IncomingMessage, 'headers'>): number {
  return Number(headers['content-length'] ?? Number.NaN)
}

/** Whether the body that a request announces is going to be refused, whatever it is: JSON-RPC may be larger. */
export function isTooLarge(req: Pick<IncomingMessage, 'url' | 'headers'>): boolean {
  const isRpc = /^(\/worlds\/[^/]+)?\/rpc\//.test(req.url ?? '')
  return declaredBytes(req) > (isRpc ? maxMessageBytes : bodyLimit)
}

/** What the steps around the routes go by. A route has these as fields; until a route is reached, the beginning of the path decides. */
interface EndpointFacts {
  /** The template of its route, such as `/accounts/:account_id/folio`; undefined until it is reached, and for pages. */
  path?: string
  /** `control` and `rpc` have guards of their own, and ask for the control token where one is needed. */
  access?: Access | 'rpc'
  /** The journal leaves it out: it only watches, or is for another world. A route's requests are recorded where a guard refuses them first. */
  isUnjournaled?: boolean
  /** A static file: its `Date` is the machine's, because browsers cache it by their own clock. */
  isFile?: boolean
}

const control = { access: 'control' } as const
const unjournaled = { isUnjournaled: true }
const page = { ...unjournaled, isFile: true }

/** Parts of the API by the first segments of their paths; everything else is the service API. */
const areas: Readonly<Record<string, EndpointFacts>> = {
  '/_sim': control,
  '/metrics': control,
  '/rpc': { access: 'rpc', ...unjournaled },
  // Other worlds are reached below these.
  '/worlds': { access: 'rpc', ...unjournaled },
  '/_sim/worlds': { ...control, ...unjournaled },
  '/docs': page,
  '/_sim/docs': { ...control, ...page },
  '/_sim/ui': { ...control, ...page },
  '/_sim/openapi': { ...control, ...page },
  '/_sim/mcp': { ...control, ...unjournaled },
}
const serviceApi: EndpointFacts = {}

/** What is known of a request by its path alone; `url` may have a query. */
export function areaOf(url: string): EndpointFacts {
  const [first = '', second] = /^\/([^/?#]*)(?:\/([^/?#]*))?/.exec(url)?.slice(1) ?? []
  return areas[`/${first}/${second}`] ?? areas[`/${first}`] ?? serviceApi
}

/**
 * The URL by which callers reach us, without a slash at the end: the advertised one, or the one of this request. A proxy that ends TLS names
 * the scheme in `X-Forwarded-Proto`, the first of a chain of proxies first.
 */
export function callerUrl(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { advertise }: Pick<Bind, 'advertise'> = {},
): string {
  if (advertise !== undefined) return advertise
  const [scheme] = String(headers['x-forwarded-proto'] ?? '').split(',')
  return `${scheme!.trim().toLowerCase() === 'https' ? 'https' : 'http'}://${headers.host}`
}

/** Aborts when the client has gone or the server stops; with a lock, also when the world has been restored. */
export function requestSignal(
  res: ServerResponse,
  stopping: AbortSignal,
  lock?: Pick<SystemLock, 'onReplaced'>,
): { signal: AbortSignal; release(): void } {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  if (stopping.aborted || res.destroyed) abort()
  stopping.addEventListener('abort', abort, { once: true })
  res.once('close', abort)
  const unsubscribe = lock?.onReplaced(abort)
  return {
    signal: controller.signal,
    release() {
      stopping.removeEventListener('abort', abort)
      res.removeListener('close', abort)
      unsubscribe?.()
    },
  }
}
