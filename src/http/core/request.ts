import type { IncomingMessage } from 'node:http'
import { parse } from 'node:querystring'

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
