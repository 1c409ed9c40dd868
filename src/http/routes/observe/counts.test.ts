import { afterEach, expect, test } from 'vitest'
import { type HttpWorld, keys, startHttpWorld } from '../../../../test/kit/httpWorld.js'

let world: HttpWorld
afterEach(() => world[Symbol.asyncDispose]())

test('default: text, of the type that Prometheus knows', async () => {
  world = await startHttpWorld()
  const { status, headers, body } = await world.client.get('/metrics', { apiKey: null })
  expect({ status, body }).toEqual({ status: 200, body: '# no figures\n' })
  expect(headers.get('content-type')?.split('; ').sort()).toEqual([
    'charset=utf-8',
    'text/plain',
    'version=0.0.4',
  ])
  expect((await world.client.send('HEAD', '/metrics', undefined, { apiKey: null })).status).toBe(
    200,
  )
  expect((await world.client.post('/metrics', {})).status).toBe(405)
})

test('behavior: it answers while a restore keeps everybody else out', async () => {
  world = await startHttpWorld()
  let end: () => void = () => {}
  const restoring = world.deps.timing.lock.exclusive(
    () =>
      new Promise<void>((resolve) => {
        end = resolve
      }),
  )
  const coverage = world.client.get('/_sim/coverage')
  expect((await world.client.get('/metrics')).status).toBe(200)
  end()
  await restoring
  expect((await coverage).status).toBe(200)
})

test('behavior: the journal does not fill up with it', async () => {
  world = await startHttpWorld()
  await world.client.get('/metrics')
  expect(world.deps.records.journal.all()).toEqual([])
})

test.each([
  ['/metrics', 'http://evil.example'],
  ['/metrics', 'http://127.0.0.1:1'],
  ['/metrics/', 'null'],
])('error: %s refuses pages, as the control API does: Origin %s', async (path, origin) => {
  world = await startHttpWorld()
  const url = world.client.url + path
  const answer = await fetch(url, { headers: { origin } })
  expect(answer.status).toBe(403)
  expect(await answer.json()).toMatchObject({ error: 'forbidden' })
  const preflight = { origin, 'access-control-request-method': 'GET' }
  const asked = await fetch(url, { method: 'OPTIONS', headers: preflight })
  for (const { headers } of [answer, asked])
    expect(headers.has('access-control-allow-origin')).toBe(false)
})

test('error: beyond loopback it asks for the control token', async () => {
  const bind = { host: '0.0.0.0', controlToken: 't0ken', allowedHosts: [], corsOrigins: [] }
  world = await startHttpWorld({ access: { bind } })
  const get = (apiKey: string | null) => world.client.get('/metrics', { apiKey })
  expect(await get(null)).toMatchObject({ status: 401, body: { error: 'missing_auth_header' } })
  expect(await get(keys.first.key)).toMatchObject({
    status: 401,
    body: { error: 'invalid_api_key' },
  })
  expect((await get('t0ken')).status).toBe(200)
})
