import { once } from 'node:events'
import { get } from 'node:http'
import type { Router } from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpWorld, keys, startHttpWorld } from '../../../test/kit/httpWorld.js'
import { planKinds } from '../../service/plans/kinds/index.js'
import { routesOf } from '../allRoutes.js'
import { createApp } from '../app.js'
import { emitOpenApi } from '../openapi/openapi.js'

const { service, control } = routesOf(planKinds)

let world: HttpWorld
beforeAll(async () => {
  world = await startHttpWorld({ service: { planKinds } })
})
afterAll(() => world[Symbol.asyncDispose]())

/** `GET /networks` and so on: what a router of Express serves, and those that are mounted in it. */
function servedBy({ stack }: Pick<Router, 'stack'>, at = ''): string[] {
  return (stack as unknown as LayerOfExpress[]).flatMap(({ rawPath, route, handle }) => {
    const path = `${at}${rawPath === '/' ? '' : rawPath}`
    if (route) {
      const methods = Object.keys(route.methods).filter((method) => method !== '_all')
      return methods.map((method) => `${method} ${path || '/'}`)
    }
    return handle.stack ? servedBy({ stack: handle.stack }, path) : []
  })
}

interface LayerOfExpress {
  rawPath: unknown
  route?: { methods: Record<string, boolean> }
  handle: { stack?: Router['stack'] }
}

test('default: the Express app serves every path and method of both documents', () => {
  const served = new Set(servedBy(createApp(world.deps).router))
  const documents = [emitOpenApi(service), emitOpenApi(control, { control: true })]
  const documented = documents.flatMap(({ paths = {} }) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    ),
  )
  expect(documented.length).toBeGreaterThan(70)
  expect(documented.filter((each) => !served.has(each))).toEqual([])
})

test('behavior: a document names every route but the pages, JSON-RPC and coding agents', () => {
  const isPage = (each: string): boolean => each.includes(' /_sim/docs/')
  const served = servedBy(createApp(world.deps).router).filter((each) => !isPage(each))
  const routes = [...service, ...control].map(({ method, path }) => `${method} ${path}`)
  expect(served.sort()).toEqual(routes.sort())
})

test.each([
  ['/networks/', 200],
  ['/networks//', 404],
  ['//networks', 404],
  ['/Networks', 404],
  ['/%6Eetworks', 404],
  ['/networks/x', 404],
  ['/networks?a=/b', 200],
  ['/accounts//folio', 404],
  ['/accounts//', 404],
  ['/accounts/:account_id', 404],
  ['/accounts/x%00y', 404],
  ['/accounts/a%2Fb', 404],
  ['/accounts/%', 400],
  ['/accounts/%E2%80/folio', 400],
  ['/', 200],
  ['/_sim/', 200],
  ['/_sim/nope', 404],
  ['/metrics/', 200],
])('behavior: GET %s is %i', async (path, status) => {
  // As it stands: `fetch` takes `//networks` for a host.
  const { port } = new URL(world.client.url)
  const headers = { authorization: `Bearer ${keys.first.key}` }
  const [answer] = await once(get({ port, path, headers }), 'response')
  answer.resume()
  expect(answer.statusCode).toBe(status)
})

test.each([
  ['//networks', 'The path has an empty segment (//)', '/networks'],
  ['/networks//', 'The path has an empty segment (//)', '/networks/'],
  ['/accounts//acc_1//folio', 'The path has an empty segment (//)', '/accounts/acc_1/folio'],
  ['/v1/networks', 'Paths begin without /v1:', '/networks'],
  ['/api/v1/accounts/acc_1/plan/earn', 'Paths begin without /api/v1:', '/accounts/acc_1/plan/earn'],
])('error: the hint for %s names the cause', async (path, cause, instead) => {
  const { port } = new URL(world.client.url)
  const [answer] = await once(get({ port, path }), 'response')
  answer.resume()
  expect(answer.statusCode).toBe(404)
  expect(answer.headers['x-svc-sim-hint']).toContain(cause)
  expect(answer.headers['x-svc-sim-hint']).toMatch(new RegExp(`Ask for ${instead}\\.$`))
})

test.each(['/nope', '/accounts/x/networks', '/v1/nope', '/v1', '//'])(
  'error: the hint for %s guesses nothing',
  async (path) => {
    const { port } = new URL(world.client.url)
    const [answer] = await once(get({ port, path }), 'response')
    answer.resume()
    expect(answer.headers['x-svc-sim-hint'] ?? '').not.toContain('Ask for')
  },
)

test('behavior: a parameter of the path is decoded', async () => {
  const { headers } = await world.client.get('/accounts/a%2Fb%20c')
  expect(headers.get('x-svc-sim-hint')).toContain('There is no account a/b c under')
})
