import type { ServerResponse } from 'node:http'
import { type ApiRequest, queryOf } from '../core/request.js'
import type { Route } from '../core/route.js'
import { methodNotAllowed } from './problems.js'

/** Answers a request to a route. */
export type Served = (req: ApiRequest, res: ServerResponse) => unknown

/** The routes of one path. */
interface PathEntry {
  path: string
  segments: readonly string[]
  /** By their methods in capitals. */
  served: ReadonlyMap<string, Served>
  refuse: Served
}

/**
 * Finds what serves a request to our own routes: by its whole path, or by its segments where the path of the route has parameters. The
 * router of Express tries one route after the other instead, and there are more than eighty.
 *
 * Sets what the request has of its route. Undefined when no route has the path. A path that has other methods
 * is refused with 405.
 */
export function createRouteTable(
  routes: readonly Route[],
  serve: (route: Route) => Served,
): (req: ApiRequest, path: string) => Served | undefined {
  const exact = new Map<string, PathEntry>()
  const bySize = new Map<number, PathEntry[]>()
  for (const path of new Set(routes.map((route) => route.path))) {
    const ofPath = routes.filter((route) => route.path === path)
    const methods = ofPath.map((route) => route.method.toUpperCase())
    const served = new Map(ofPath.map((route, i) => [methods[i]!, serve(route)]))
    const segments = path.split('/')
    const entry = { path, segments, served, refuse: methodNotAllowed(methods) }
    if (!path.includes(':')) exact.set(path, entry)
    else bySize.set(segments.length, [...(bySize.get(segments.length) ?? []), entry])
  }
  return (req, asked) => {
    const path = withoutSlash(asked)
    const given = path.split('/')
    const entry = exact.get(path) ?? bySize.get(given.length)?.find((each) => isOf(each, given))
    if (!entry) return undefined
    req.route = entry
    req.params = paramsOf(entry, given)
    req.query = queryOf(req)
    return entry.served.get(req.method === 'HEAD' ? 'GET' : req.method) ?? entry.refuse
  }
}

/** A path may end with a slash, which means nothing. */
function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

function isOf({ segments }: PathEntry, given: readonly string[]): boolean {
  return segments.every((segment, i) =>
    segment.startsWith(':') ? given[i] !== '' : segment === given[i],
  )
}

/** Throws `URIError` for a broken percent escape. */
function paramsOf({ segments }: PathEntry, given: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [i, segment] of segments.entries())
    if (segment.startsWith(':')) params[segment.slice(1)] = decodeURIComponent(given[i]!)
  return params
}
