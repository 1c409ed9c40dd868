import type { ServerResponse } from 'node:http'
import { type ApiRequest, requestQuery } from '../core/request.js'
import type { Route } from '../core/route.js'
import { methodNotAllowed } from './problems.js'

/** Answers a request to a route. */
export type Served = (req: ApiRequest, res: ServerResponse) => unknown

/** The routes of one path. */
interface PathEntry {
  segments: readonly string[]
  /** Sets what the request has of its route, and serves it; another method is refused with 405. `path` is that of the request. */
  serve(path: string, req: ApiRequest, res: ServerResponse): unknown
}

/**
 * Finds the routes of a path: by the whole path, or by its segments where the route has parameters. The router of Express tries one route
 * after the other instead, and there are more than eighty. Undefined when no route has the path.
 */
export function createRouteTable(
  routes: readonly Route[],
  serve: (route: Route) => Served,
): (path: string) => PathEntry | undefined {
  const exact = new Map<string, PathEntry>()
  const bySize = new Map<number, PathEntry[]>()
  for (const path of new Set(routes.map((route) => route.path))) {
    const ofPath = routes.filter((route) => route.path === path)
    const entry = entryOf(
      path,
      new Map(ofPath.map((each) => [each.method.toUpperCase(), serve(each)])),
    )
    const { length } = entry.segments
    if (!path.includes(':')) exact.set(path, entry)
    else bySize.set(length, [...(bySize.get(length) ?? []), entry])
  }
  return (asked) => {
    const path = withoutSlash(asked)
    const whole = exact.get(path)
    if (whole) return whole
    const given = path.split('/')
    return bySize.get(given.length)?.find((each) => isOf(each, given))
  }
}

function entryOf(path: string, served: ReadonlyMap<string, Served>): PathEntry {
  const refuse = methodNotAllowed([...served.keys()])
  const segments = path.split('/')
  const names = segments.flatMap((segment, i) =>
    segment.startsWith(':') ? [[segment.slice(1), i] as const] : [],
  )
  return {
    segments,
    serve(asked, req, res) {
      req.route = { path }
      req.params = paramsOf(names, asked)
      req.query = requestQuery(req)
      const method = req.method === 'HEAD' ? 'GET' : req.method
      return (served.get(method) ?? refuse)(req, res)
    },
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

/** The segments at these places, decoded. Throws `URIError` for a broken percent escape. */
function paramsOf(
  names: readonly (readonly [name: string, place: number])[],
  path: string,
): Record<string, string> {
  const params: Record<string, string> = {}
  if (names.length === 0) return params
  const given = path.split('/')
  for (const [name, place] of names) params[name] = decodeURIComponent(given[place]!)
  return params
}
