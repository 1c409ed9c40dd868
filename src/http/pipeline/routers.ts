import { type IRouter, Router } from 'express'
import type { Route, Routes } from '../core/route.js'
import type { AppDeps } from '../core/types.js'
import { methodNotAllowed } from './problems.js'
import { handlersOf } from './serve.js'

/** The routes of a file, which begin alike: one router serves them. */
export type RouteGroup = readonly Route[]

/**
 * Mounts a router for each group, at the path with which all of its routes begin. Groups of one first segment stand in a router together:
 * so few layers are tried for a request.
 */
export function mountRouters(
  app: IRouter,
  groups: readonly RouteGroup[],
  { routes, deps }: { routes: Routes; deps: AppDeps },
): void {
  const routers = groups.map((group) => {
    const path = sharedPath(group)
    return { path, top: path.split('/', 2).join('/'), router: routerOf(group, path, routes, deps) }
  })
  // Whatever has no first segment of its own is asked last: every request would enter it.
  for (const top of [...new Set(routers.map((each) => each.top))].sort(emptyLast)) {
    const ofTop = routers.filter((each) => each.top === top).sort(longestFirst)
    const parent = ofTop.length === 1 ? app : bareRouter()
    for (const { path, router } of ofTop)
      parent.use((parent === app ? path : path.slice(top.length)) || '/', router)
    if (parent !== app) app.use(top, parent)
  }
}

const emptyLast = (a: string, b: string): number => Number(a === '') - Number(b === '')

/** Express leaves a router in which it finds nothing in a later turn, so the one that knows a path comes first. */
const longestFirst = (a: { path: string }, b: { path: string }): number =>
  b.path.split('/').length - a.path.split('/').length

/** It adds nothing of its own, and tells `/A` from `/a`. */
function bareRouter(): Router {
  return Router({ caseSensitive: true, mergeParams: true })
}

function routerOf(group: RouteGroup, path: string, routes: Routes, deps: AppDeps): Router {
  const router = bareRouter()
  for (const whole of new Set(group.map((route) => route.path))) {
    const ofPath = group.filter((route) => route.path === whole)
    const entry = router.route(whole.slice(path.length))
    entry.all((req, _res, next) => {
      req.endpoint = ofPath[0]!
      next()
    })
    for (const route of ofPath) entry[route.method](...handlersOf(route, routes, deps))
    entry.all(methodNotAllowed(ofPath.map(({ method }) => method.toUpperCase())))
  }
  return router
}

/** The segments with which the paths of all routes begin; empty when they share none. */
function sharedPath(group: RouteGroup): string {
  const [first = [], ...others] = group.map(({ path }) => path.replace(/\/$/, '').split('/'))
  const end = first.findIndex((segment, i) => others.some((other) => other[i] !== segment))
  return first.slice(0, end === -1 ? first.length : end).join('/')
}
