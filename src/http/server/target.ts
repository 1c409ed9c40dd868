import type { IncomingMessage } from 'node:http'

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
