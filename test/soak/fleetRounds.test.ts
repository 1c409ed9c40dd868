import { randomInt } from 'node:crypto'
import { Redis } from 'ioredis'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { killRuns } from '../kit/cli.js'
import {
  askJson,
  type FleetAnswer,
  type FleetRole,
  startFleet,
  type TestFleet,
} from '../kit/fleet.js'
import { type Gate, openGate } from '../kit/gate.js'
import { freePorts } from '../kit/ports.js'
import { redisProgram } from '../kit/redis.js'

/**
 * Clients lease worlds and work in them while something of the fleet ends, hangs or comes back, round after round. Here a few rounds;
 * `npm run soak` asks for two hundred. Needs `npm run build:ts` before.
 */
const rounds = Number(process.env.FLEET_ROUNDS ?? 3)

afterAll(killRuns)

/** What is asked of the fleet, by all clients. */
interface Load {
  /** Resolves when so many further worlds were leased, worked in and given back whole. */
  lived(count: number): Promise<void>
  /** Resolves when so many further requests have been answered somehow. */
  answered(count: number): Promise<void>
  end(): Promise<void>
}

/** What has happened to a world that is no fault of its client. */
class EndedError extends Error {}

/** Clients that check each answer: it is of their own world, or it says why there is none. */
function startLoad(url: string, clients: number): Load {
  const names = new Set<string>()
  const counts = { answered: 0, lived: 0 }
  let watchers: (() => void)[] = []
  let hasEnded = false
  const count = (what: keyof typeof counts): void => {
    counts[what]++
    for (const look of watchers) look()
  }
  /** Until it is answered by a world, or by the fleet that there is none for now. */
  const ask = async (
    path: string,
    options: Parameters<typeof askJson>[1],
  ): Promise<FleetAnswer> => {
    for (;;) {
      // A connection that breaks, for its front was killed.
      const answer = await askJson(`${url}${path}`, options).catch(() => undefined)
      count('answered')
      if (answer?.body.error === 'world_lost') throw new EndedError(answer.body.message)
      const isLater = !answer || ['fleet_unavailable', 'rate_limited'].includes(answer.body.error)
      if (!isLater) return answer
      if (hasEnded) throw new EndedError('the test is over')
    }
  }
  const live = async (): Promise<void> => {
    const body = { lease_seconds: 60 }
    const leased = await ask('/_sim/worlds', { method: 'POST', body })
    expect(leased.status, JSON.stringify(leased.body)).toBe(201)
    const { id, apiKey: key } = leased.body
    for (const name of [id, key]) {
      expect(names).not.toContain(name)
      names.add(name)
    }
    const mine = new Set<string>()
    for (let i = 0; i < 4; i++) {
      const signer = privateKeyToAddress(generatePrivateKey()).toLowerCase()
      mine.add(signer)
      const account = { signer_type: 'eoa', signer_address: signer }
      const created = await ask('/accounts', { method: 'POST', key, body: account })
      // A connection that broke may have done it before.
      expect([201, 409], JSON.stringify(created.body)).toContain(created.status)
      const { status, body: listed } = await ask('/accounts', { key })
      expect(status, JSON.stringify(listed)).toBe(200)
      const signers = listed.accounts.map((one: { signer_address: string }) => one.signer_address)
      expect(new Set(signers.map((each: string) => each.toLowerCase()))).toEqual(mine)
      const renewal = await ask(`/_sim/worlds/${id}/renew`, { method: 'POST' })
      expect(renewal.status, JSON.stringify(renewal.body)).toBe(200)
    }
    // Asked again after a break, it may be gone already.
    const { status } = await ask(`/_sim/worlds/${id}`, { method: 'DELETE' })
    expect([200, 404]).toContain(status)
    expect((await ask('/accounts', { key })).status).toBe(401)
    count('lived')
  }
  const client = async (): Promise<void> => {
    while (!hasEnded)
      await live().catch((error: unknown) => {
        if (!(error instanceof EndedError)) throw error
      })
  }
  const running = Promise.all(Array.from({ length: clients }, client))
  const further = (what: keyof typeof counts, more: number): Promise<void> => {
    const goal = counts[what] + more
    const reached = new Promise<void>((resolve) => {
      const look = (): void => {
        if (counts[what] >= goal) resolve()
      }
      watchers.push(look)
      look()
    })
    // What a client finds wrong ends the test.
    return Promise.race([reached, running.then(() => {})]).finally(() => {
      watchers = []
    })
  }
  return {
    lived: (more) => further('lived', more),
    answered: (more) => further('answered', more),
    async end() {
      hasEnded = true
      await running
    },
  }
}

/** Two workers and two fronts, each at a place of its own. */
async function startParts(fleet: TestFleet) {
  const base = await freePorts(4)
  const ports = [base, base + 1]
  const places = [base + 2, base + 3].map((port) => `http://127.0.0.1:${port}`)
  const worker = (at: number) =>
    fleet.worker('--advertise', places[at]!, '--max-worlds', '6', '--drain-seconds', '2')
  const front = (at: number) => fleet.front('--port', `${ports[at]}`)
  const workers = [await worker(0), await worker(1)]
  const fronts = [await front(0), await front(1)]
  const gate = await openGate(ports)
  return { workers, fronts, worker, front, gate }
}

/** What can happen. When it is over, everything runs again. */
function troubles(
  fleet: TestFleet,
  load: Load,
  parts: Awaited<ReturnType<typeof startParts>>,
): Record<string, (at: number) => Promise<void>> {
  const { workers, fronts, worker, front } = parts
  const again = async (
    roles: FleetRole[],
    at: number,
    start: (at: number) => Promise<FleetRole>,
  ) => {
    await roles[at]!.run.ended
    await load.answered(randomInt(20))
    roles[at] = await start(at)
  }
  const restart = async (): Promise<void> => {
    await fleet.redis.kill()
    await load.answered(randomInt(20))
    await fleet.redis.again()
  }
  return {
    async 'a worker is killed'(at) {
      workers[at]!.run.kill('SIGKILL')
      await again(workers, at, worker)
    },
    async 'a worker is told to stop'(at) {
      workers[at]!.run.kill('SIGTERM')
      await again(workers, at, worker)
    },
    async 'a worker hangs'(at) {
      const { run } = workers[at]!
      process.kill(run.pid, 'SIGSTOP')
      await load.answered(randomInt(20))
      process.kill(run.pid, 'SIGCONT')
      // Whether it was given up depends on how long that was; and so does when it hears of it.
      run.kill('SIGKILL')
      await again(workers, at, worker)
    },
    async 'a front is killed'(at) {
      fronts[at]!.run.kill('SIGKILL')
      await again(fronts, at, front)
    },
    'Redis is killed and comes back with its data': restart,
    async 'Redis is killed and comes back empty'() {
      const admin = new Redis(fleet.redis.url)
      await admin.flushall()
      admin.disconnect()
      await restart()
    },
    async 'Redis hangs'() {
      process.kill(fleet.redis.pid(), 'SIGSTOP')
      await load.answered(randomInt(20))
      process.kill(fleet.redis.pid(), 'SIGCONT')
    },
  }
}

test.skipIf(redisProgram === undefined)(
  `behavior: ${rounds} times something of the fleet ends under load: no lease is held by two, and each answer is of the own world`,
  async () => {
    const fleet = await startFleet({ keeps: true })
    let gate: Gate | undefined
    try {
      const parts = await startParts(fleet)
      gate = parts.gate
      const load = startLoad(gate.url, 4)
      await load.lived(1)
      const all = Object.entries(troubles(fleet, load, parts))
      for (let round = 0; round < rounds; round++) {
        const [name, happen] = all[randomInt(all.length)]!
        if (process.env.FLEET_ROUNDS) console.log(`round ${round + 1}: ${name}`)
        await happen(randomInt(2))
        await load.lived(2)
      }
      await load.end()
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${fleet.said()}`, { cause: error })
    } finally {
      gate?.close()
      await fleet.end()
    }
  },
  120_000 + rounds * 60_000,
)
