import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type express from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { earnKind } from '../../../test/kit/httpWorld.js'
import { routesOf } from '../allRoutes.js'
import { bareApp } from '../core/bareApp.js'
import { asApiRequest, requestPath } from '../core/request.js'
import type { Route } from '../core/route.js'
import { createRouteTable } from './routeTable.js'

const { service, control } = routesOf([earnKind])
const routes = [...service, ...control]

/** What serves a request, as text: by our table, and by Express, to which all routes are given. */
let servers: Server[]
let urls: { ours: string; theirs: string }
const found = (route: Route, params: unknown) => JSON.stringify([route.path, route.method, params])

beforeAll(async () => {
  const routesAt = createRouteTable(
    routes,
    (route) => (req, res) => res.end(found(route, req.params)),
  )
  const ours = createServer((given, res) => {
    const req = asApiRequest(given)
    try {
      const found = routesAt(requestPath(req))
      if (found) found.serve(requestPath(req), req, res)
      else res.end('none')
    } catch (error) {
      res.end((error as Error).name === 'URIError' ? 'URIError' : 'refused')
    }
  })
  const app = bareApp()
  for (const path of new Set(routes.map((route) => route.path))) {
    const entry = app.route(path)
    for (const route of routes.filter((each) => each.path === path))
      entry[route.method]((req, res) => void res.end(found(route, req.params)))
    entry.all((_req, res) => void res.end('refused'))
  }
  app.use((_req, res) => void res.end('none'))
  app.use(((error, _req, res, _next) => {
    res.end(error instanceof URIError ? 'URIError' : String(error))
  }) satisfies express.ErrorRequestHandler)
  servers = [ours, createServer(app)]
  for (const server of servers)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const [first, second] = servers.map(
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  )
  urls = { ours: first!, theirs: second! }
})

afterAll(() => {
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
})

async function bothFind(method: string, path: string): Promise<[string, string]> {
  const ask = async (url: string) => (await fetch(`${url}${path}`, { method })).text()
  return [await ask(urls.ours), await ask(urls.theirs)]
}

test('default: every method of every route is found as Express finds it', async () => {
  for (const path of new Set(routes.map((route) => route.path)))
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const [ours, theirs] = await bothFind(method, path.replaceAll(/:\w+/g, 'a%20b'))
      expect([method, path, ours]).toEqual([method, path, theirs])
    }
  expect((await bothFind('GET', '/accounts/a%2Fb'))[0]).toBe(
    '["/accounts/:account_id","get",{"account_id":"a/b"}]',
  )
})

test.each([
  ...['/', '//', '/networks/', '/networks//', '//networks', '/Networks', '/networks/x', '/nope'],
  ...['/accounts//folio', '/accounts/', '/accounts/x/', '/accounts/:account_id', '/accounts/x/y'],
  ...['/accounts/x/folio/', '/accounts/x/plan/earn', '/accounts/x/plan/other', '/%6Eetworks'],
  ...['/accounts/%', '/accounts/%E2%80', '/accounts/x%00y', '/networks?a=/b', '/networks?'],
  ...['/_sim', '/_sim/', '/_sim/snapshots/x/restore', '/_sim/scenarios/x/run', '/accounts/x?y=/z'],
])('behavior: %s is found as Express finds it', async (path) => {
  const [ours, theirs] = await bothFind('GET', path)
  expect(ours).toBe(theirs)
})
