import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type RunningFront, startFleetFront } from '../../src/tools/fleet/fleetFront.js'
import { killRuns } from '../kit/cli.js'
import {
  askJson,
  type FleetRole,
  fleetToken,
  leaseAt,
  startFleet,
  type TestFleet,
  workerOf,
} from '../kit/fleet.js'
import { openGate } from '../kit/gate.js'
import { freePorts } from '../kit/ports.js'
import { halt } from '../kit/processes.js'
import { redisProgram } from '../kit/redis.js'

// Workers, fronts and Redis end, hang and come back; real processes. Needs `npm run build:ts` before.

afterAll(killRuns)

type Lease = Awaited<ReturnType<typeof leaseAt>>

describe.skipIf(redisProgram === undefined)('with a Redis that keeps its data', () => {
  let fleet: TestFleet
  let admin: Redis
  let fronts: FleetRole[]
  /** One that does not wait long for room. */
  let hasty: RunningFront
  /** Lives through everything, and so does its world. */
  let steady: FleetRole
  let kept: Lease
  /** With those that others hold now. */
  const leased: Lease[] = []
  const names = new Set<string>()
  /** The workers of one test. */
  const others: FleetRole[] = []

  beforeAll(async () => {
    fleet = await startFleet({ keeps: true })
    admin = new Redis(fleet.redis.url)
    admin.on('error', () => {}) // it comes back
    steady = await fleet.worker('--max-worlds', '3')
    fronts = await Promise.all([fleet.front(), fleet.front()])
    let onReached = (): void => {}
    const reached = new Promise<void>((resolve) => {
      onReached = resolve
    })
    hasty = await startFleetFront({
      directoryUrl: fleet.redis.url,
      port: 0,
      bind: { host: '127.0.0.1', allowedHosts: [], corsOrigins: [] },
      token: fleetToken,
      waitMs: 2_000,
      log: { debug() {}, error() {} },
      say: (line) => void (/is reached/.test(line) && onReached()),
    })
    await reached
    kept = await lease()
  }, 120_000)
  afterAll(async () => {
    admin?.disconnect()
    await fleet?.end()
    await hasty?.close()
  })

  afterEach(async () => {
    process.kill(fleet.redis.pid(), 'SIGCONT')
    for (const { run } of others.splice(0)) run.kill('SIGKILL')
    for (const world of leased.splice(1)) await giveBack(world, hasty.url)
  })

  /** A new one, whose id and key nobody had before. */
  async function lease(url = fronts[0]!.url, body: object = { lease_seconds: 600 }) {
    const one = await leaseAt(url, body)
    for (const name of [one.id, one.apiKey]) {
      expect(names).not.toContain(name)
      names.add(name)
    }
    leased.push(one)
    return one
  }
  const giveBack = ({ id }: Lease, url = fronts[0]!.url) =>
    askJson(`${url}/_sim/worlds/${id}`, { method: 'DELETE' })
  const look = ({ apiKey }: Lease, url = fronts[0]!.url) =>
    askJson(`${url}/accounts`, { key: apiKey })
  const startWorker = async (...args: string[]): Promise<FleetRole> => {
    const worker = await fleet.worker(...args)
    others.push(worker)
    return worker
  }
  /** One of this worker; those of others, which may have some ready, are given back. */
  async function leaseOn(worker: FleetRole): Promise<Lease> {
    const spare: Lease[] = []
    for (;;) {
      const one = await lease()
      if ((await workerOf(fleet, one)) === worker.url) {
        for (const world of spare) await giveBack(world)
        return one
      }
      spare.push(one)
    }
  }
  const lost = (reason: string) => ({
    status: 503,
    body: { error: 'world_lost', message: expect.stringContaining(reason) },
  })

  test('default: the worlds of a worker that is killed are lost, and the next lease is elsewhere', async () => {
    const worker = await startWorker()
    const world = await leaseOn(worker)
    expect((await look(world, fronts[0]!.url)).status).toBe(200)
    worker.run.kill('SIGKILL')
    await worker.run.ended
    // The first that hears of its end is a request for a lease; it is answered all the same.
    const next = await lease(fronts[1]!.url)
    expect(await workerOf(fleet, next)).toBe(steady.url)
    for (const { url } of [...fronts, hasty]) {
      const reason = `its worker takes no connections at ${worker.url} any more`
      expect(await look(world, url)).toMatchObject(lost(reason))
      expect(await askJson(`${url}/_sim/worlds/${world.id}/clock`)).toMatchObject(lost(reason))
      const renewal = await askJson(`${url}/_sim/worlds/${world.id}/renew`, { method: 'POST' })
      expect(renewal).toMatchObject(lost(reason))
      expect(await askJson(`${url}/_sim/worlds/${world.id}`)).toMatchObject({
        status: 200,
        body: { state: 'lost', lost: reason },
      })
      const socket = new WebSocket(`${url.replace('http', 'ws')}/worlds/${world.id}/rpc/base`)
      const [, refused] = await once(socket, 'unexpected-response')
      expect((refused as IncomingMessage).statusCode).toBe(503)
      expect((await look(kept, url)).status).toBe(200)
    }
    // No page of somebody else's gives it back.
    const place = `${fronts[0]!.url}/_sim/worlds/${world.id}`
    const foreign = { method: 'DELETE', headers: { origin: 'https://evil.example' } }
    expect((await fetch(place, foreign)).status).toBe(403)
    // Given back, it is nobody's, at every front.
    expect(await giveBack(world)).toMatchObject({ status: 200, body: { state: 'lost' } })
    for (const { url } of [...fronts, hasty]) {
      expect((await giveBack(world, url)).status).toBe(404)
      expect((await askJson(`${url}/_sim/worlds/${world.id}`)).status).toBe(404)
      expect((await look(world, url)).status).toBe(401)
    }
  })

  test('behavior: a front learns of the end by a WebSocket; a worker at the same place is another one', async () => {
    const port = await freePorts(1)
    const args = ['--advertise', `http://127.0.0.1:${port}`]
    const first = await startWorker(...args)
    const [seen, unseen] = [await leaseOn(first), await leaseOn(first)]
    expect((await look(seen)).status).toBe(200)
    first.run.kill('SIGKILL')
    await first.run.ended
    const second = await startWorker(...args)
    expect(second.id).not.toBe(first.id)
    for (const world of [seen, unseen])
      for (const { url } of fronts)
        expect(await look(world, url)).toMatchObject(
          lost('its worker has ended, and another one was started in its place'),
        )
    const next = await leaseOn(second)
    expect((await look(next)).status).toBe(200)
    second.run.kill('SIGKILL')
    await second.run.ended
    const socket = new WebSocket(
      `${fronts[0]!.url.replace('http', 'ws')}/worlds/${next.id}/rpc/base`,
    )
    const [, refused] = await once(socket, 'unexpected-response')
    expect((refused as IncomingMessage).statusCode).toBe(503)
    expect(await look(next)).toMatchObject(lost('takes no connections'))
  })

  test('behavior: a front that is killed under load: clients go on by the next', async () => {
    const victim = await fleet.front()
    const portOf = ({ url }: FleetRole) => Number(new URL(url).port)
    const gate = await openGate([portOf(victim), portOf(fronts[0]!)])
    let hasEnded = false
    // A connection of its own for each request: one that was kept would break later than the front does.
    const headers = { connection: 'close' }
    const client = async (): Promise<void> => {
      for (let after = 0; after < 10; ) {
        const isAfter = hasEnded
        const asked = askJson(`${gate.url}/accounts`, { key: kept.apiKey, headers })
        // What was under way when the front ended may break.
        const answer = isAfter ? await asked : await asked.catch(() => undefined)
        if (answer) expect(answer.status).toBe(200)
        if (isAfter) after++
      }
    }
    const clients = Array.from({ length: 4 }, client)
    // Straight at the front that dies: a connection through the gate would be kept, and a client would take it.
    const world = await lease(victim.url)
    victim.run.kill('SIGKILL')
    await victim.run.ended
    hasEnded = true
    await Promise.all(clients)
    await vi.waitFor(async () => expect((await giveBack(world, gate.url)).status).toBe(200), 10_000)
    gate.close()
  })

  test.each([
    ['with its data', false],
    ['empty', true],
  ])(
    'behavior: Redis is killed and comes back %s: worlds go on, and leases that wait are given',
    async (_, isEmpty) => {
      const [seen, unseen] = [await lease(), await lease()]
      for (const world of [seen, kept]) expect((await look(world)).status).toBe(200)
      if (isEmpty) await admin.flushall()
      await fleet.redis.kill()
      for (const world of [seen, kept]) expect((await look(world)).status).toBe(200)
      await vi.waitFor(async () => {
        const answer = await look(unseen)
        expect(answer).toMatchObject({ status: 503, body: { error: 'fleet_unavailable' } })
        expect(answer.body.message).toMatch(
          /^The directory of worlds cannot be asked: connect ECONNREFUSED 127\.0\.0\.1:\d+$/,
        )
        expect(answer.retryAfter).toBe('1')
      }, 10_000)
      // What is given back meanwhile is nobody's, whatever the directory remembers.
      expect((await giveBack(seen)).status).toBe(200)
      let isGiven = false
      const waiting = lease().finally(() => {
        isGiven = true
      })
      expect((await look(kept)).status).toBe(200)
      expect(isGiven).toBe(false)
      await fleet.redis.again()
      const given = await waiting
      for (const { url } of fronts)
        for (const world of [unseen, kept, given])
          await vi.waitFor(async () => {
            const { status } = await look(world, url)
            // Never unknown, for somebody has it.
            expect([200, 503]).toContain(status)
            expect(status).toBe(200)
          }, 20_000)
      await vi.waitFor(
        async () => expect((await look(seen, fronts[1]!.url)).status).toBe(401),
        20_000,
      )
      const { worlds } = (await askJson(`${fronts[1]!.url}/_sim/worlds`)).body
      const ids = worlds.map(({ id }: { id: string }) => id).sort()
      expect(ids).toEqual([unseen.id, kept.id, given.id].sort())
    },
  )

  test('behavior: Redis loses everything and can be reached all the time: no front notices, and a wrong key is told', async () => {
    const [seen, unseen] = [await lease(), await lease()]
    expect((await look(seen)).status).toBe(200)
    await admin.flushall()
    const wrong = { ...seen, apiKey: 'wrong' }
    const answers = [look(seen), look(unseen), look(unseen, fronts[1]!.url), look(wrong)]
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 200, 401])
  })

  test('error: Redis hangs: worlds go on, and leases wait and are refused until it is back', async () => {
    expect((await look(kept, hasty.url)).status).toBe(200)
    const goOn = await halt([fleet.redis.pid()])
    const [refused, bad] = await Promise.all([
      askJson(`${hasty.url}/_sim/worlds`, { method: 'POST' }),
      askJson(`${hasty.url}/accounts`, { key: 'unseen' }),
    ])
    for (const answer of [refused, bad])
      expect(answer).toMatchObject({ status: 503, body: { error: 'fleet_unavailable' } })
    expect(refused.retryAfter).toBe('1')
    expect((await look(kept, hasty.url)).status).toBe(200)
    goOn()
    await vi.waitFor(
      async () => expect((await look({ ...kept, apiKey: 'wrong' }, hasty.url)).status).toBe(401),
      20_000,
    )
    await lease(hasty.url)
  })

  test('error: nobody has room for two seconds: 429, and when to ask again', async () => {
    const all = [await lease(), await lease()]
    const answer = await askJson(`${hasty.url}/_sim/worlds`, { method: 'POST' })
    expect(answer).toMatchObject({
      status: 429,
      retryAfter: '1',
      body: { error: 'rate_limited', message: expect.stringContaining('none was released') },
    })
    await giveBack(all[0]!)
    await lease(hasty.url)
  })

  test('error: a worker that cannot be heard is unavailable, not lost; one that hangs is given up, and ends when it wakes', async () => {
    const port = await freePorts(1)
    const gate = await openGate([port])
    gate.delayMs = 20 // slow, all the time
    const worker = await startWorker('--advertise', gate.url, '--port', `${port}`)
    const world = await leaseOn(worker)
    for (const { url } of fronts) expect((await look(world, url)).status).toBe(200)
    // It hears, and nobody hears it; or the other way round.
    for (const way of ['back', 'there'] as const) {
      gate.arrives[way] = false
      const answers = await Promise.all([look(world), look(world, fronts[1]!.url), lease()])
      for (const answer of answers.slice(0, 2))
        expect(answer).toMatchObject({
          status: 503,
          retryAfter: '1',
          body: { error: 'fleet_unavailable', message: expect.stringContaining(world.id) },
        })
      expect(await workerOf(fleet, answers[2])).toBe(steady.url)
      gate.arrives[way] = true
      await giveBack(answers[2])
      for (const { url } of fronts) expect((await look(world, url)).status).toBe(200)
    }
    process.kill(worker.run.pid, 'SIGSTOP')
    await vi.waitFor(
      async () => expect(await look(world)).toMatchObject(lost('nothing is heard of its worker')),
      30_000,
    )
    process.kill(worker.run.pid, 'SIGCONT')
    expect(await worker.run.ended).toEqual({ code: 1, signal: null })
    expect(worker.run.stderr).toContain('the fleet has given this worker up')
    for (const { url } of fronts) expect((await look(world, url)).status).toBe(503)
    gate.close()
  }, 120_000)

  test('behavior: a worker that is told to stop takes no more, and leaves with its last lease or after the time it is given', async () => {
    const [patient, hurried] = [await startWorker(), await startWorker('--drain-seconds', '1')]
    const [slow, left] = [await leaseOn(patient), await leaseOn(hurried)]
    for (const { run } of [patient, hurried]) run.kill('SIGTERM')
    await Promise.all([patient, hurried].map(({ run }) => run.saying('stderr', /leaving within/)))
    const next = await lease()
    expect(await workerOf(fleet, next)).toBe(steady.url)
    await giveBack(next)
    expect(await hurried.run.ended).toEqual({ code: 0, signal: null })
    // By a front that has not heard of it before.
    expect(await look(left, hasty.url)).toMatchObject(lost('its worker has left the fleet'))
    const renewal = await askJson(`${fronts[1]!.url}/_sim/worlds/${slow.id}/renew`, {
      method: 'POST',
    })
    expect(renewal.status).toBe(200)
    expect((await look(slow)).status).toBe(200)
    expect((await giveBack(slow)).status).toBe(200)
    expect(await patient.run.ended).toEqual({ code: 0, signal: null })
  })

  test('behavior: who waits for a lease at a worker that is told to stop gets one elsewhere', async () => {
    const hurried = await startWorker('--drain-seconds', '0', '--max-worlds', '8')
    const leases = [lease(), lease()]
    hurried.run.kill('SIGTERM')
    const worlds = await Promise.all(leases)
    expect(await hurried.run.ended).toEqual({ code: 0, signal: null })
    for (const world of worlds) {
      const seen = await look(world)
      // One that was leased there before it ended.
      if (seen.status !== 200) expect(seen).toMatchObject(lost('its worker has left the fleet'))
      await giveBack(world)
    }
    expect((await look(kept)).status).toBe(200)
  })
})
