import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Client, createClient } from '../kit/client.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser } from '../kit/user.js'

/** Bodies that are meant to do harm. A long poll waits all the while, and goes on working. */

const logged: string[] = []
let sim: SimulatorHandle
let client: Client
let user: Awaited<ReturnType<typeof openUser>>

beforeAll(async () => {
  const log = { debug() {}, error: (message: string) => void logged.push(message) }
  sim = await createSimulator({ log, longPollMs: 600_000 })
  client = createClient(sim)
  user = await openUser(sim)
  await user.fund('base', 'USDC', 900_000_000n)
})
afterEach(() => expect(logged).toEqual([]))
afterAll(() => sim.close())

/** Posts bytes, in chunks unless told how long they are. */
async function post(path: string, bytes: string | Buffer, headers: Record<string, string> = {}) {
  const { status, body } = await new Promise<{ status: number; body: Problem }>(
    (resolve, reject) => {
      const req = request(`${sim.url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${sim.apiKey}`,
          'content-type': 'application/json',
          ...headers,
        },
      })
      req.on('response', async (res) =>
        resolve({ status: res.statusCode!, body: (await json(res)) as Problem }),
      )
      req.on('error', reject)
      // Two pieces, so that Node sends them in chunks.
      req.write(bytes.slice(0, 1))
      req.end(bytes.slice(1))
    },
  )
  return { status, ...body }
}

interface Problem {
  error: string
  message: string
}

/** What is done while a long poll waits, which then hears of the next execution. */
async function whileWaiting(work: () => Promise<void>): Promise<void> {
  const { body } = await user.api.get(`${user.path}/events`)
  const polling = user.api.get(`${user.path}/events?since=${body.cursor}&poll=true`)
  await work()
  const { activity } = await user.run('earn', {
    asset: 'USDC',
    amount: '1000000',
    network: 'base',
    protocol: 'compound',
  })
  expect(activity.activity_status).toBe('confirmed')
  expect((await polling).body.events.length).toBeGreaterThan(0)
}

const deep = '['.repeat(4_500) + ']'.repeat(4_500)
const paths = ['/accounts', '/_sim/faults', '/_sim/snapshots', '/_sim/fund']

test('error: 9 kB of nesting in chunks is refused by name of the limit; the journal has it as text', () =>
  whileWaiting(async () => {
    for (const path of paths) {
      const answers = await Promise.all([post(path, deep), post(path, deep)])
      for (const answer of answers)
        expect(answer).toMatchObject({
          status: 400,
          error: 'invalid_params',
          message: expect.stringContaining('up to a depth of 64'),
        })
    }
    const objects = `${'{"a":'.repeat(4_500)}1${'}'.repeat(4_500)}`
    expect(await post('/accounts', objects)).toMatchObject({ status: 400 })
    const { body } = await client.get('/_sim/journal?limit=1000')
    const kept = body.exchanges.filter((each: { body?: unknown }) => each.body === deep)
    expect(kept).toHaveLength(2 * paths.length)
    expect((await client.get(`/_sim/why/${kept[0].request_id}`)).body.timeline).toHaveLength(2)
  }))

test('error: nesting in the header of a fault rule', async () => {
  const headers = { 'x-svc-sim-fault': `{"on":"request","effect":{"latency":${deep}}}` }
  const reply = await client.get(`${user.path}/folio`, { headers })
  expect(reply.status).toBe(400)
  expect(reply.body.message).toContain('up to a depth of 64')
})

/** At its usual quality it takes seconds. */
const quickBrotli = (bytes: Buffer) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', quickBrotli],
] as const)(
  'error: %s of 200 MB in a small body is 413',
  async (encoding, pack) => {
    const bomb = pack(Buffer.alloc(200 * 1024 * 1024, ' '))
    expect(bomb.length).toBeLessThan(1024 * 1024)
    await whileWaiting(async () => {
      const before = process.memoryUsage().rss
      const answers = await Promise.all(
        [1, 2].map(() => post('/accounts', bomb, { 'content-encoding': encoding })),
      )
      for (const answer of answers)
        expect(answer).toMatchObject({ status: 413, error: 'payload_too_large' })
      expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
    })
  },
  120_000,
)

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes of the heap that are in use. */
function heap(): number {
  collect()
  return process.memoryUsage().heapUsed
}

test('behavior: hundreds of packed bodies weigh what they are unpacked', async () => {
  await whileWaiting(async () => {
    const before = heap()
    // 1 MB of small lists, of which parsing makes ten; 2 kB when packed.
    const body = gzipSync(`[${'[],'.repeat(340_000)}0]`)
    for (let i = 0; i < 40; i++) {
      const answer = await post('/accounts', body, { 'content-encoding': 'gzip' })
      expect(answer.status).toBe(400)
    }
    expect(heap() - before).toBeLessThan(40 * 1024 * 1024)
  })
}, 120_000)

test('error: a body of null was sent, also where none is needed', async () => {
  for (const path of ['/_sim/snapshots', '/_sim/clock/freeze', '/_sim/faults', '/accounts'])
    expect(await post(path, 'null')).toMatchObject({
      status: 400,
      error: 'invalid_params',
      message: expect.stringContaining('received null'),
    })
  expect((await client.get('/_sim/snapshots')).body.snapshots).toEqual([])
  expect((await client.get('/_sim/clock')).body.mode).toBe('real')
})
