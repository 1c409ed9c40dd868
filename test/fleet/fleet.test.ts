import { once } from 'node:events'
import { get, type IncomingMessage, request } from 'node:http'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createSimulator, leaseWorld, type WorldHandle } from '../../src/index.js'
import { killRuns, runCli } from '../kit/cli.js'
import {
  askJson,
  type FleetRole,
  fleetToken,
  leaseAt,
  startFleet,
  type TestFleet,
  waitForWarm,
  workerOf,
} from '../kit/fleet.js'
import { redisProgram } from '../kit/redis.js'
import { openUser } from '../kit/user.js'

// Worlds of two workers behind two fronts, as their callers see them. Needs `npm run build:ts` before.

afterAll(killRuns)

describe.skipIf(redisProgram === undefined)('with a Redis', () => {
  let fleet: TestFleet
  let fronts: FleetRole[]
  let workers: FleetRole[]
  let world: WorldHandle
  const urlOf = (front: 0 | 1): string => fronts[front]!.url

  beforeAll(async () => {
    fleet = await startFleet()
    workers = await Promise.all([
      fleet.worker('--worlds', '1', '--max-worlds', '2'),
      fleet.worker('--max-worlds', '2'),
    ])
    fronts = await Promise.all([fleet.front(), fleet.front()])
    await waitForWarm(fleet.redis.url, 1)
    world = await leaseWorld({ url: urlOf(0), leaseSeconds: 120 })
  }, 120_000)
  afterAll(() => fleet.end())

  test('default: a world that one front leases is reached by every front, by key and by id', async () => {
    // The one that was warm.
    expect(await workerOf(fleet, world)).toBe(workers[0]!.url)
    const user = await openUser(world)
    await user.fund('base', 'USDC', 5_000_000n)
    const at = (path: string) => `${urlOf(1)}${path}`
    const key = world.apiKey
    expect((await askJson(at(user.path), { key })).body).toMatchObject({ account_id: user.id })
    for (const path of ['/_sim/clock', `/_sim/worlds/${world.id}/clock`])
      expect((await askJson(at(path), { key })).body).toMatchObject({ mode: 'real' })
    const chainId = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
    for (const path of ['/rpc/base', `/worlds/${world.id}/rpc/base`]) {
      const answer = await askJson(at(path), { method: 'POST', body: chainId, key })
      expect(answer.body).toMatchObject({ result: '0x2105' })
    }
    const renewal = await askJson(at(`/_sim/worlds/${world.id}/renew`), { method: 'POST' })
    expect(renewal).toMatchObject({ status: 200, body: { url: urlOf(1) } })
    const { body } = await askJson(at('/_sim/worlds'))
    expect(body).toMatchObject({ leased: 1, most: 4, worlds: [{ id: world.id }] })
    expect(JSON.stringify(body)).not.toContain(key)
    const { exchanges } = (await askJson(at('/_sim/journal'), { key })).body
    expect(JSON.stringify(exchanges)).not.toContain(fleetToken)
    for (const path of [
      '/',
      '/health/live',
      '/health/ready',
      '/openapi.json',
      '/openapi-3.0.json',
      '/_sim/openapi.json',
    ])
      expect((await askJson(at(path))).status, path).toBe(200)
  })

  test('behavior: long polls, streams and WebSockets go through, and end where they are cut', async () => {
    const user = await openUser({ ...world, url: urlOf(1) })
    const poll = user.api.get(`${user.path}/events?poll=true`)
    const headers = { authorization: `Bearer ${world.apiKey}` }
    const opened = get(`${urlOf(1)}${user.path}/folio/stream`, { headers })
    const stream = ((await once(opened, 'response')) as [IncomingMessage])[0].setEncoding('utf8')
    expect(String((await once(stream, 'data'))[0])).toContain('event: snapshot')
    const url = `${urlOf(1).replace('http', 'ws')}/worlds/${world.id}/rpc/base`
    const socket = new WebSocket(url)
    await once(socket, 'open')
    const update = once(stream, 'data')
    await user.fund('base', 'USDC', 5_000_000n)
    const plan = { asset: 'USDC', amount: '5', network: 'base', recipient: `0x${'55'.repeat(20)}` }
    await user.run('transfer', plan)
    expect(String((await update)[0])).toContain('event: update')
    expect((await poll).body.events.length).toBeGreaterThan(0)
    stream.destroy()
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }))
    expect(String((await once(socket, 'message'))[0])).toContain('0x2105')
    socket.close()
    const unknown = new WebSocket(url.replace(world.id, 'wld_000000000000'))
    const [, refused] = await once(unknown, 'unexpected-response')
    expect((refused as IncomingMessage).statusCode).toBe(404)
  })

  test('behavior: a scenario is prepared in its world, and a bad wish is refused in the same words', async () => {
    const scenario = { name: 'x', given: { accounts: { alice: {} } } }
    const lease = await askJson(`${urlOf(0)}/_sim/worlds`, { method: 'POST', body: { scenario } })
    expect(lease).toMatchObject({
      status: 201,
      body: { accounts: { alice: { key: expect.stringMatching(/^0x/) } } },
    })
    await askJson(`${urlOf(1)}/_sim/worlds/${lease.body.id}`, { method: 'DELETE' })
    for (const [body, message] of [
      [{ seed: -1 }, 'seed must be a whole number'],
      [{ scenario: 7 }, 'scenario must be the content of a scenario file'],
    ] as const) {
      const answer = await askJson(`${urlOf(1)}/_sim/worlds`, { method: 'POST', body })
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_params' } })
      expect(answer.body.message).toContain(message)
    }
  })

  test('behavior: who finds no room waits for the next world that comes back; given back, a world is nobody’s', async () => {
    const others = await Promise.all([0, 1, 0].map((at) => leaseAt(urlOf(at as 0 | 1))))
    const homes = await Promise.all([world, ...others].map((each) => workerOf(fleet, each)))
    expect(homes.filter((home) => home === workers[0]!.url)).toHaveLength(2)
    const next = leaseAt(urlOf(1))
    const waiting = async () => (await askJson(`${urlOf(1)}/_sim/worlds`)).body.waiting
    await vi.waitFor(async () => expect(await waiting()).toBe(1), 20_000)
    const [first] = others
    const path = `/_sim/worlds/${first!.id}`
    expect((await askJson(`${urlOf(0)}${path}`, { method: 'DELETE' })).status).toBe(200)
    const { id, apiKey } = await next
    expect([world.id, ...others.map((other) => other.id)]).not.toContain(id)
    for (const front of [0, 1] as const) {
      expect((await askJson(`${urlOf(front)}/accounts`, { key: first!.apiKey })).status).toBe(401)
      expect((await askJson(`${urlOf(front)}${path}`)).status).toBe(404)
      expect((await askJson(`${urlOf(front)}${path}/clock`)).status).toBe(404)
      expect((await askJson(`${urlOf(front)}/accounts`, { key: apiKey })).status).toBe(200)
    }
    for (const other of [...others.slice(1), { id }])
      await askJson(`${urlOf(1)}/_sim/worlds/${other.id}`, { method: 'DELETE' })
  })

  test('behavior: who hangs up while a world is being started leaves none leased, and finds room again', async () => {
    const list = async () => (await askJson(`${urlOf(1)}/_sim/worlds`)).body
    const { leased } = await list()
    for (let round = 0; round < 2; round++) {
      const headers = { 'content-type': 'application/json' }
      const asking = request(`${urlOf(1)}/_sim/worlds`, { method: 'POST', headers, agent: false })
      const broken = once(asking, 'error')
      asking.end('{"seed":"7"}')
      const isStarting = async () => expect((await list()).starting).toBeGreaterThan(0)
      await vi.waitFor(isStarting, { timeout: 20_000, interval: 1 })
      asking.destroy(new Error('hung up'))
      await broken
      const isBack = async () => expect(await list()).toMatchObject({ leased, starting: 0 })
      await vi.waitFor(isBack, 20_000)
    }
    const others = await Promise.all([0, 1, 0].map((at) => leaseAt(urlOf(at as 0 | 1))))
    for (const { id } of others)
      await askJson(`${urlOf(1)}/_sim/worlds/${id}`, { method: 'DELETE' })
  })

  test('behavior: a front tells in the format of Prometheus what the fleet has', async () => {
    const response = await fetch(`${urlOf(1)}/metrics`)
    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4')
    const text = await response.text()
    for (const line of [
      'svc_sim_fleet_directory_up 1',
      'svc_sim_fleet_workers 2',
      'svc_sim_fleet_worlds_most 4',
      'svc_sim_fleet_worlds{state="leased"} 1',
      'svc_sim_fleet_leases_waiting 0',
    ])
      expect(text.split('\n')).toContain(line)
    expect(text).toMatch(/^svc_sim_fleet_worlds\{state="warm"\} \d$/m)
    // With the key of a world: those of that world.
    const headers = { authorization: `Bearer ${world.apiKey}` }
    const own = await (await fetch(`${urlOf(1)}/metrics`, { headers })).text()
    expect(own).toContain('svc_sim_accounts ')
    expect(own).not.toContain('svc_sim_fleet')
  })

  test('behavior: a lease that is not renewed ends, for all fronts', async () => {
    const left = await leaseAt(urlOf(0), { lease_seconds: 1 })
    const status = (front: 0 | 1) => askJson(`${urlOf(front)}/accounts`, { key: left.apiKey })
    for (const front of [0, 1] as const)
      await vi.waitFor(async () => expect((await status(front)).status).toBe(401), 20_000)
    expect((await askJson(`${urlOf(1)}/_sim/worlds/${left.id}/clock`)).status).toBe(404)
  })

  test('error: a worker answers its fronts alone, and the directory holds neither keys nor the token', async () => {
    const strangers: Record<string, string>[] = [{}, { 'x-svc-sim-fleet-token': 'wrong' }]
    for (const headers of strangers)
      for (const path of ['/accounts', '/_sim/worlds', `/_sim/worlds/${world.id}/clock`]) {
        const answer = await askJson(`${workers[0]!.url}${path}`, { key: world.apiKey, headers })
        expect(answer).toMatchObject({ status: 403, body: { error: 'forbidden' } })
      }
    const { host } = new URL(workers[0]!.url)
    const socket = new WebSocket(`ws://${host}/worlds/${world.id}/rpc/base`)
    const [, refused] = await once(socket, 'unexpected-response')
    expect((refused as IncomingMessage).statusCode).toBe(403)
    // A client that knows the token of the workers, or claims to be meant for another, gets nothing by it.
    const headers = { 'x-svc-sim-fleet-worker': 'wrk_other', 'x-svc-sim-fleet-token': 'wrong' }
    const through = await askJson(`${urlOf(0)}/accounts`, { key: world.apiKey, headers })
    expect(through.status).toBe(200)
    const client = new Redis(fleet.redis.url)
    const keys = await client.keys('*')
    const strings = await Promise.all(keys.map((key) => client.get(key).catch(() => '')))
    client.disconnect()
    expect(strings.join()).toContain(world.id)
    expect([...keys, ...strings].join()).not.toContain(world.apiKey)
    expect([...keys, ...strings].join()).not.toContain(fleetToken)
  })

  test('error: what names no world is refused as anywhere, and so are other pages and names', async () => {
    expect(await askJson(`${urlOf(0)}/accounts`)).toMatchObject({
      status: 401,
      body: { error: 'missing_auth_header' },
    })
    expect((await askJson(`${urlOf(0)}/accounts`, { key: 'wrong' })).status).toBe(401)
    // In the order of the simulator itself: is there such a route, does it take the method, and only then the key.
    const sim = await createSimulator()
    for (const [method, path] of [
      ['GET', '/atlantis'],
      ['POST', '/accounts/acc_000000000000/plan/gift'],
      ['GET', '/Networks'],
      ['DELETE', '/networks'],
      ['POST', '/health/ready'],
      ['PUT', '/accounts/acc_000000000000/plan/earn'],
      ['GET', '/accounts/acc_000000000000/folio'],
    ] as const)
      for (const key of [undefined, 'wrong']) {
        const headers: Record<string, string> =
          key === undefined ? {} : { authorization: `Bearer ${key}` }
        const [here, there] = await Promise.all(
          [urlOf(0), sim.url].map(async (url) => {
            const answer = await fetch(`${url}${path}`, { method, headers })
            const [allow, hint] = ['allow', 'x-svc-sim-hint'].map((name) =>
              answer.headers.get(name),
            )
            return { status: answer.status, body: await answer.json(), allow, hint }
          }),
        )
        expect(here, `${method} ${path}`).toEqual(there)
      }
    await sim.close()
    expect(await askJson(`${urlOf(0)}/_sim/clock`)).toMatchObject({
      status: 404,
      body: { message: 'A front has no default world' },
    })
    const clock = `${urlOf(0)}/_sim/worlds/${world.id}/clock`
    const page = { origin: 'https://evil.example' }
    for (const url of [clock, `${urlOf(0)}/_sim/worlds`])
      expect((await askJson(url, { headers: page })).status).toBe(403)
    for (const path of [`/_sim/worlds/${world.id}/clock`, '/accounts', '/_sim/worlds']) {
      const { port } = new URL(urlOf(0))
      const headers = { host: 'evil.example', authorization: `Bearer ${world.apiKey}` }
      const [answer] = await once(get({ port, path, headers }), 'response')
      expect((answer as IncomingMessage).statusCode, path).toBe(403)
    }
  })

  test('error: beyond loopback a front asks for the control token or for the key of the world', async () => {
    const open = await fleet.front('--host', '0.0.0.0', '--control-token', 'secret')
    const url = open.url.replace('0.0.0.0', '127.0.0.1')
    const status = async (path: string, key?: string) =>
      (await askJson(`${url}${path}`, key === undefined ? {} : { key })).status
    const clock = `/_sim/worlds/${world.id}/clock`
    for (const path of [clock, '/_sim/worlds', `/_sim/worlds/${world.id}`])
      expect([
        await status(path),
        await status(path, 'wrong'),
        await status(path, 'secret'),
      ]).toEqual([401, 401, 200])
    expect(await status(clock, world.apiKey)).toBe(200)
    expect(await status('/_sim/clock', world.apiKey)).toBe(200)
    expect(await status('/_sim/worlds', world.apiKey)).toBe(401)
    expect(await status('/accounts', world.apiKey)).toBe(200)
  })
})

test('error: what a worker and a front cannot do without', async () => {
  const redis = ['--directory', 'redis://127.0.0.1:1']
  const wide = ['--host', '0.0.0.0']
  const wrong: [args: string[], message: string][] = [
    [['worker'], 'svc-sim worker needs --directory'],
    [['front'], 'svc-sim front needs --directory'],
    [['front', '--directory', 'http://x'], 'it must be a redis:// or rediss:// address'],
    [['front', ...redis, ...wide], 'needs a token. Give one with --control-token'],
    [['worker', ...redis, ...wide], 'Give both the same --fleet-token'],
    [['worker', ...redis, ...wide, '--fleet-token', 'x'], 'Give --advertise'],
    [['worker', ...redis, '--advertise', 'https://x'], 'must be an http:// address'],
  ]
  for (const [args, message] of wrong) {
    const { code, stderr } = await runCli(args)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
  }
})
