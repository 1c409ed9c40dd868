import { Redis } from 'ioredis'
import { vi } from 'vitest'
import { type CliRun, startCli } from './cli.js'
import { startRedis, type TestRedis } from './redis.js'

/** What the fronts of a test know, and its workers. */
export const fleetToken = 'token-of-the-fleet'

/** A front or a worker in a process of its own. */
export interface FleetRole {
  run: CliRun
  url: string
  /** Of a worker. */
  id?: string
}

/** A Redis, and what shares it. */
export interface TestFleet {
  redis: TestRedis
  /** Resolves when it has announced itself; the others are as many as were started. */
  worker(...args: string[]): Promise<FleetRole>
  front(...args: string[]): Promise<FleetRole>
  /** The end of what each role has logged. */
  said(): string
  /** Kills everything. */
  end(): Promise<void>
}

/** A fleet on this machine, of which nothing runs yet but Redis. */
export async function startFleet(options?: { keeps?: boolean }): Promise<TestFleet> {
  const redis = await startRedis(options)
  const runs: CliRun[] = []
  const role = async (name: string, args: readonly string[]): Promise<FleetRole> => {
    const place = ['--directory', redis.url, '--fleet-token', fleetToken]
    const port = args.includes('--advertise') ? [] : ['--port', '0']
    const run = startCli([name, ...place, ...port, ...args])
    runs.push(run)
    const [line] = await run.saying('stdout', /^.*\n/)
    await run.saying('stderr', /the directory is reached/)
    return { run, ...(JSON.parse(line) as { url: string; id?: string }) }
  }
  return {
    redis,
    async worker(...args) {
      const worker = await role('worker', args)
      const client = new Redis(redis.url)
      await vi.waitFor(async () => {
        if (!(await client.exists(`{svc-sim}:worker:${worker.id}`)))
          throw new Error(`${worker.id} has not announced itself`)
      }, 20_000)
      client.disconnect()
      return worker
    },
    front: (...args) => role('front', args),
    said: () => runs.map(({ pid, stderr }) => `${pid}: ${stderr.slice(-2_000)}`).join('\n'),
    async end() {
      for (const run of runs) run.kill('SIGKILL')
      await Promise.all(runs.map(({ ended }) => ended))
      await redis.kill()
    },
  }
}

/** Where a world lives, as the directory has it. */
export async function workerOf({ redis }: TestFleet, { id }: { id: string }): Promise<string> {
  const client = new Redis(redis.url)
  const lease = await client.get(`{svc-sim}:world:${id}`)
  client.disconnect()
  return (JSON.parse(lease!) as { worker: { url: string } }).worker.url
}

/** An answer in JSON. */
export interface FleetAnswer {
  status: number
  retryAfter: string | null
  // biome-ignore lint/suspicious/noExplicitAny: the document's test checks the shapes.
  body: any
}

/** Asks for JSON, by a key or without one. */
export async function askJson(
  url: string,
  { method = 'GET', key, body, headers = {} }: AskOptions = {},
): Promise<FleetAnswer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const retryAfter = response.headers.get('retry-after')
  return { status: response.status, retryAfter, body: await response.json() }
}

interface AskOptions {
  method?: string
  key?: string
  body?: unknown
  headers?: Record<string, string>
}

/** Leases a world at a front; its key, and its id. */
export async function leaseAt(url: string, body: object = {}) {
  const answer = await askJson(`${url}/_sim/worlds`, { method: 'POST', body })
  if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body as { id: string; apiKey: string; url: string; controlUrl: string }
}

/** Resolves when the directory knows of so many worlds that are ready. */
export async function waitForWarm(redisUrl: string, count: number): Promise<void> {
  const client = new Redis(redisUrl)
  await vi.waitFor(
    async () => {
      const found = await client.zrangebyscore('{svc-sim}:warm', count, count)
      if (found.length !== 1) throw new Error(`no worker has ${count} warm worlds`)
    },
    { timeout: 60_000, interval: 50 },
  )
  client.disconnect()
}
