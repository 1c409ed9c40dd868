import type { IncomingMessage } from 'node:http'

/**
 * Brings a request in absolute form, as proxies get them (`GET http://sim.lan/networks HTTP/1.1`), to the usual form: the path in `url`,
 * and the name in `Host`, whatever that said before (RFC 9112, 3.2.2).
 */
export function toOriginForm(req: Pick<IncomingMessage, 'url' | 'headers'>): void {
  const [, authority, path] = /^https?:\/\/([^/?#]+)([^#]*)/i.exec(req.url ?? '') ?? []
  if (authority === undefined || path === undefined) return
  req.url = path.startsWith('/') ? path : `/${path}`
  req.headers.host = authority
}
