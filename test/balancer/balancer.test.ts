import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { leaseWorld, type WorldHandle } from '../../src/index.js'
import { type CliRun, killRuns, root, startCli } from '../kit/cli.js'
import { freePorts } from '../kit/ports.js'

// Three simulators behind HAProxy with the configuration of deploy. Needs `npm run build` before.

const hasHaproxy = isInstalled('haproxy')
if (!hasHaproxy)
  process.stderr.write('The tests of the load balancer are skipped: haproxy is not installed\n')

const controlToken = 'token-of-the-simulators'
const maxWorlds = 2

interface TestSimulator {
  run: CliRun
  /** Where it listens. */
  url: string
  /** With which the URLs of its worlds begin. */
  advertised: string
}

describe.skipIf(!hasHaproxy)('behind HAProxy', () => {
  let balancer: string
  let haproxy: RunningHaproxy
  let sims: TestSimulator[]
  const held: WorldHandle[] = []

  beforeAll(async () => {
    const base = await freePorts(4)
    balancer = `http://127.0.0.1:${base}`
    sims = await Promise.all(
      [1, 2, 3].map(async (number) => {
        const url = `http://127.0.0.1:${base + number}`
        // Two behind paths of the balancer, one that clients reach by themselves.
        const advertised = number === 3 ? url : `${balancer}/sim-${number}`
        const run = startCli([
          ...['start', '--json', '--port', `${base + number}`, '--advertise', advertised],
          ...['--worlds', '1', '--max-worlds', `${maxWorlds}`, '--drain-seconds', '300'],
          ...['--control-token', controlToken, '--api-key', `key-of-sim-${number}`],
        ])
        await run.saying('stdout', /^.*\n/)
        return { run, url, advertised }
      }),
    )
    haproxy = await startHaproxy(base)
  }, 120_000)

  afterAll(() => {
    haproxy?.child.kill('SIGKILL')
    killRuns()
  })

  const lease = async (url = balancer): Promise<WorldHandle> => {
    const world = await leaseWorld({ url, controlToken, leaseSeconds: 60 })
    held.push(world)
    return world
  }
  const release = async (...worlds: WorldHandle[]): Promise<void> => {
    for (const world of worlds) held.splice(held.indexOf(world), 1)
    await Promise.all(worlds.map((world) => world.close()))
  }
  /** As a client whose body follows its head: a balancer that passes the head on at once has nothing to try again with. */
  const leaseInTwoWrites = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' }
    // A connection of its own: one that is reused connects no more.
    const init = { method: 'POST', headers, agent: false as const }
    const lease = request(`${balancer}/_sim/worlds`, init)
    lease.flushHeaders()
    const [socket] = await once(lease, 'socket')
    await once(socket, 'connect')
    lease.end('{}')
    const [response] = await once(lease, 'response')
    expect(response.statusCode).toBe(201)
    const { id, url } = (await json(response)) as { id: string; url: string }
    const release = await fetch(`${url}/_sim/worlds/${id}`, { method: 'DELETE', headers })
    expect(release.ok).toBe(true)
  }
  const homesOf = (worlds: WorldHandle[]) => worlds.map(({ url }) => url)
  const ask = (url: string, bearer?: string, init: RequestInit = {}) =>
    fetch(url, { ...init, headers: bearer ? { authorization: `Bearer ${bearer}` } : {} })
  /** That the world answers by its own key, over HTTP and JSON-RPC. */
  const expectAlive = async (world: WorldHandle): Promise<void> => {
    expect((await ask(`${world.url}/accounts`, world.apiKey)).status).toBe(200)
    expect((await world.clock.time()).mode).toBe('real')
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
    const init = { method: 'POST', body: JSON.stringify(call) }
    const chain = await ask(world.rpc('base'), world.apiKey, init)
    expect(await chain.json()).toMatchObject({ result: '0x2105' })
  }

  test('default: 60 leases are spread over all three, and each world is reached by its own URL', async () => {
    const counts = new Map(sims.map(({ advertised }) => [advertised, 0]))
    const client = async (): Promise<void> => {
      for (let i = 0; i < 15; i++) {
        const world = await lease()
        counts.set(world.url, counts.get(world.url)! + 1)
        if (i % 5 === 0) await expectAlive(world)
        await release(world)
      }
    }
    await Promise.all([client(), client(), client(), client()])
    expect([...counts.keys()].sort()).toEqual(sims.map(({ advertised }) => advertised).sort())
    for (const [url, count] of counts) expect(count, url).toBeGreaterThan(9)
  }, 400_000)

  test('behavior: a path prefix is in all URLs of a world, and of the simulator itself', async () => {
    const [sim] = sims
    const world = await lease(sim!.url)
    expect(world.url).toBe(`${balancer}/sim-1`)
    expect(world.controlUrl).toBe(`${balancer}/sim-1/_sim/worlds/${world.id}`)
    expect(world.rpc('base')).toBe(`${balancer}/sim-1/worlds/${world.id}/rpc/base`)
    await expectAlive(world)
    for (const [url, key] of [
      [sim!.advertised, controlToken],
      [sim!.url, controlToken],
      [world.url, world.apiKey],
    ] as const) {
      const connect = (await (await ask(`${url}/_sim/connect`, key)).json()) as { url: string }
      expect(connect.url).toBe(sim!.advertised)
    }
    await release(world)
  }, 120_000)

  test('behavior: control token and API keys are asked for as without a balancer', async () => {
    const post = { method: 'POST' }
    expect((await ask(`${balancer}/_sim/worlds`, undefined, post)).status).toBe(401)
    expect((await ask(`${balancer}/_sim/worlds`, 'wrong', post)).status).toBe(401)
    await expect(leaseWorld({ url: balancer, controlToken: 'wrong' })).rejects.toMatchObject({
      status: 401,
    })
    const [sim] = sims
    for (const [key, status] of [
      ['key-of-sim-1', 200],
      ['key-of-sim-2', 401],
    ] as const)
      expect((await ask(`${sim!.advertised}/accounts`, key)).status, key).toBe(status)
    expect((await ask(`${balancer}/accounts`, 'key-of-sim-1')).status).toBe(404)
  })

  test('behavior: a full simulator is passed over; when all are full, the client is told when to try again', async () => {
    const [full, ...others] = sims
    const own = [await lease(full!.url), await lease(full!.url)]
    const direct = await ask(`${full!.url}/_sim/worlds?wait=0`, controlToken, { method: 'POST' })
    expect(direct.status).toBe(503)
    // As many as there are simulators, so that one goes to the full one first.
    for (const _ of sims) await leaseInTwoWrites()
    const rest = await Promise.all(Array.from({ length: 2 * maxWorlds }, () => lease()))
    const expected = others.flatMap(({ advertised }) => Array(maxWorlds).fill(advertised))
    expect(homesOf(rest).sort()).toEqual(expected.sort())
    const refused = await ask(`${balancer}/_sim/worlds`, controlToken, { method: 'POST' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await refused.json()).toEqual({
      error: 'no_room',
      message: `No world can be leased now: all ${maxWorlds} are in use`,
    })
    const waiting = lease()
    await release(rest[0]!)
    expect((await waiting).url).toBe(rest[0]!.url)
    await release(await waiting, ...own, ...rest.slice(1))
  }, 300_000)

  test('error: a simulator is killed: worlds of others do not notice, new leases go on, its clients are told', async () => {
    const killed = sims[2]!
    const [lost, other] = [await lease(killed.url), await lease(sims[0]!.url)]
    killed.run.kill('SIGKILL')
    await killed.run.ended
    const next = [await lease(), await lease()]
    expect(homesOf(next)).not.toContain(killed.advertised)
    await Promise.all([other, ...next].map(expectAlive))
    const reason = `and with it the leased world ${lost.id}. Lease another one`
    await expect(lost.clock.time()).rejects.toThrow(reason)
    await expect(lost.close()).rejects.toThrow(`No simulator answers at ${killed.url}/_sim (`)
    await release(other, ...next)
  }, 200_000)

  test('behavior: a simulator drains while worlds are in use, and ends with the last or at a second signal', async () => {
    const [last, draining] = sims
    const [one, left] = [await lease(draining!.url), await lease(draining!.url)]
    draining!.run.kill('SIGTERM')
    await draining!.run.saying('stderr', /no new leases/)
    const ready = await fetch(`${draining!.url}/health/ready`)
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({ status: 'not_ready', draining: true })
    const refused = await ask(`${draining!.url}/_sim/worlds`, controlToken, { method: 'POST' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    const next = await lease()
    expect(next.url).toBe(last!.advertised)
    await Promise.all([one, left].map(expectAlive))
    await release(one)
    await haproxy.saying('Server leases/sim-2 is DOWN')
    await expectAlive(left)
    draining!.run.kill('SIGTERM')
    expect((await draining!.run.ended).code).toBe(0)
    await expect(left.clock.time()).rejects.toMatchObject({ status: 503, code: 'world_lost' })
    last!.run.kill('SIGTERM')
    await last!.run.saying('stderr', /no new leases/)
    await expectAlive(next)
    await release(next)
    expect((await last!.run.ended).code).toBe(0)
    // Nobody is left.
    const nobody = await ask(`${balancer}/_sim/worlds`, controlToken, { method: 'POST' })
    expect([nobody.status, nobody.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await nobody.json()).toMatchObject({ error: 'no_room' })
  }, 200_000)
})

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

interface RunningHaproxy {
  child: ChildProcess
  /** Resolves when it has written the text to its log. */
  saying(text: string): Promise<void>
}

/** With the shipped configuration, on loopback: `base` is its port, the simulators have the next three. */
async function startHaproxy(base: number): Promise<RunningHaproxy> {
  const shipped = readFileSync(join(root, 'deploy/haproxy.cfg'), 'utf8')
  const text = shipped
    .replace('bind :4477', `bind 127.0.0.1:${base}`)
    .replaceAll(/sim-(\d):4477/g, (_, number) => `127.0.0.1:${base + Number(number)}`)
  const file = join(mkdtempSync(join(tmpdir(), 'svc-sim-haproxy-')), 'haproxy.cfg')
  writeFileSync(file, text)
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  await vi.waitFor(
    async () => expect((await fetch(`http://127.0.0.1:${base}/health/ready`)).status).toBe(200),
    20_000,
  )
  return {
    child,
    saying: (text) => vi.waitFor(() => expect(said).toContain(text), { timeout: 20_000 }),
  }
}
