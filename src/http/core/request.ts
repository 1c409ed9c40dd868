import type { IncomingMessage } from 'node:http'
import { parse } from 'node:querystring'
import { maxMessageBytes } from '../../chain/proxy/rpcBody.js'
import { viewerHeader } from './headers.js'

/** A request with what has been found out about it. Those of Express have all of it, too. */
export interface ApiRequest extends IncomingMessage {
  method: string
  url: string
  /** `url` as it came: Express takes off what it has matched. */
  originalUrl: string
  /** The parameters in the path of its route, decoded. */
  params: Readonly<Record<string, unknown>>
  query: Readonly<Record<string, unknown>>
  /** The text of its body, once that has been read. */
  body?: unknown
  /** The route that it has reached. */
  route?: { path: unknown }
}

const noQuery: ApiRequest['query'] = {}

/** A request as the server has it, which nobody has looked at yet. Its fields are filled in; it stays the same object. */
export function asApiRequest(given: IncomingMessage): ApiRequest {
  const req = given as ApiRequest
  req.originalUrl ??= req.url
  return req
}

/** Its path as it came, without the query. */
export function requestPath({ originalUrl }: Pick<ApiRequest, 'originalUrl'>): string {
  const end = endOfPath(originalUrl)
  return end === -1 ? originalUrl : originalUrl.slice(0, end)
}

/** The parameters in its query: texts, or lists of them for those that it has more than once. */
export function requestQuery({
  originalUrl,
}: Pick<ApiRequest, 'originalUrl'>): ApiRequest['query'] {
  const end = endOfPath(originalUrl)
  if (end === -1 || originalUrl[end] !== '?') return noQuery
  return parse(originalUrl.slice(end + 1).replace(/#.*$/s, ''))
}

/** Where the query or, which clients should not send, the fragment begins; -1 when there is neither. */
function endOfPath(url: string): number {
  return url.search(/[?#]/)
}

/** Whether a request only watches, as the dashboard's reads do. Only a GET can: anything else counts as a client's, whoever sends it. */
export function isViewer({
  method,
  headers,
}: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return method === 'GET' && headers[viewerHeader] !== undefined
}

/**
 * Rewrites a request target in absolute form, as clients send it that take the simulator for a proxy (RFC 9112, 3.2.2): the path and
 * query stay in `url`, and the authority takes the place of `Host`, so that everything behind sees one form only.
 */
export function toOriginForm(req: Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>): void {
  const [, authority, rest] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is.exec(req.url ?? '') ?? []
  if (authority === undefined || rest === undefined) return
  req.url = rest.startsWith('/') ? rest : `/${rest}`
  const host = authority.replace(/^.*@/, '')
  req.headers.host = host
  // What is passed on to a world is made of these.
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
