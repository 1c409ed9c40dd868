import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createSimulator, leaseWorld, type SimulatorHandle } from '../../src/index.js'
import { contentOf, noNodeFacts, type TraceSources } from '../../src/observe/trace/content.js'
import { readTrace } from '../../src/observe/trace/traceFile.js'
import { createTraceWriter } from '../../src/observe/trace/traceWriter.js'
import { leaveTrace, tracesLeft } from '../../src/observe/trace/worldTraces.js'
import { applyChange, emptyState } from '../../src/service/store/state.js'
import { type OpenTrace, openTrace } from '../../src/simulator/openTrace.js'
import { emptyFolder, killRuns, runCli, startCli, startReady } from '../kit/cli.js'
import { ask } from '../kit/http.js'
import { executed, openUser, type PlanBody } from '../kit/user.js'

// What a run leaves behind with `--trace`, and `svc-sim ui` over it. The command line needs `npm run build` before.

const folder = emptyFolder()
const file = join(folder, 'run.trace')
const apiKey = 'qk_traced_0123456789abcdef0123'
const controlToken = 'a-control-token-nobody-may-see'
let trace: OpenTrace
/** What the simulator answered just before its end, by path. */
const answers = new Map<string, unknown>()
const paths: string[] = []

beforeAll(async () => {
  const sim = await createSimulator({
    clock: 'frozen',
    apiKeys: [apiKey],
    controlToken,
    trace: file,
    rpcUnsafe: true,
  })
  const ids = await live(sim)
  // First what comes into the journal, then what looks into it.
  paths.push(
    ...[
      '/_sim/accounts',
      `/_sim/accounts?q=${ids[0]}`,
      '/_sim/clock',
      '/_sim/faults',
      '/_sim/prices',
    ],
    ...['/_sim/snapshots', '/_sim/coverage', '/_sim/journal', '/_sim/journal?since=0&limit=2'],
    ...[`/_sim/journal?account_id=${ids[0]}`, ...ids.map((id) => `/_sim/why/${id}`)],
  )
  const headers = { authorization: `Bearer ${controlToken}` }
  for (const path of paths) answers.set(path, (await ask(sim.url + path, { headers })).body)
  await sim.close()
  trace = await openTrace(file)
})
afterAll(async () => {
  await trace.close()
  killRuns()
})

/** A life with a plan that goes stale, a refusal, one that is executed, and one that waits for a network that a client has switched off. Ids of all that there is to be explained. */
async function live(sim: SimulatorHandle): Promise<string[]> {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  await sim.faults.add({ id: 'moved', on: 'plan', effect: { stale: { by: 'nonce' } }, times: 1 })
  const earn = { asset: 'USDC', amount: '1000000', network: 'base', protocol: 'compound' }
  const stale = (await user.plan('earn', earn)).body as PlanBody
  expect((await user.execute(stale)).status).toBe(409)
  expect((await user.plan('earn', { ...earn, amount: '-1' })).status).toBe(400)
  const { activity } = await user.run('earn', earn)
  const waiting = (await user.plan('earn', earn)).body as PlanBody
  await sim.snapshot('before the end')
  const other = await openUser(sim)
  await other.fund('base', 'USDC', 9_000_000n)
  const off = { jsonrpc: '2.0', id: 1, method: 'evm_setAutomine', params: [false] }
  const headers = { authorization: `Bearer ${controlToken}` }
  expect((await ask(sim.rpc('base'), { body: off, headers })).status).toBe(200)
  const held = await executed(sim, other, 'earn', earn)
  return [user.id, stale.plan_id, activity.activity_id, waiting.plan_id, held]
}

test('default: a trace answers what the simulator answered', async () => {
  // What asked for the other answers came into the journal behind these.
  for (const path of paths)
    expect((await ask(trace.url + path)).body, path).toEqual(answers.get(path))
  const { now } = (await ask(trace.url + paths.at(-1)!)).body
  expect(now).toContain('because a client switched the mining of base off over /rpc')
  const { body } = await ask(`${trace.url}/_sim/trace`)
  expect(body.trace).toMatchObject({ file, accounts_left_out: 0 })
})

test('behavior: asking it leaves no mark in it', async () => {
  const before = (await ask(`${trace.url}/_sim/journal`)).body
  await ask(`${trace.url}/networks`)
  await ask(`${trace.url}/nowhere`)
  expect((await ask(`${trace.url}/_sim/journal`)).body).toEqual(before)
  expect((await ask(`${trace.url}/_sim/coverage`)).body).toEqual(answers.get('/_sim/coverage'))
})

test.each([
  ['POST', '/_sim/clock/advance', { seconds: 1 }],
  ['POST', '/_sim/reset', undefined],
  ['PUT', '/_sim/faults', []],
  ['DELETE', '/_sim/faults', undefined],
  ['POST', '/_sim/scenarios/stale-plan-loop/run', undefined],
  ['POST', '/accounts', {}],
  ['POST', '/rpc/base', {}],
])('error: %s %s is refused, and why', async (method, path, body) => {
  const answer = await ask(trace.url + path, { method, body })
  expect(answer).toMatchObject({ status: 409, body: { error: 'conflict' } })
  expect(answer.headers.get('x-svc-sim-hint')).toContain('svc-sim start')
})

test('error: what needs the chains is refused, and they are not ready', async () => {
  expect(await ask(`${trace.url}/rpc/base`)).toMatchObject({ status: 409 })
  expect((await ask(`${trace.url}/health/ready`)).status).toBe(503)
})

test('behavior: no key and no token is in it', () => {
  const text = gunzipSync(readFileSync(file)).toString()
  expect(text).toContain('qk_traced_***')
  for (const secret of [apiKey, controlToken]) expect(text).not.toContain(secret)
})

describe('leased worlds', () => {
  test('default: what they did is answered as they did: one given back, one still leased at the end', async () => {
    const path = join(folder, 'worlds.trace')
    const sim = await createSimulator({ clock: 'frozen', trace: path, controlToken })
    const own = await openUser(sim)
    const told = new Map<string, unknown>()
    const keys: string[] = []
    const leases: object[] = []
    for (const isGivenBack of [true, false]) {
      const world = await leaseWorld({
        url: sim.url,
        clock: 'frozen',
        controlToken,
        name: isGivenBack ? 'released' : 'kept',
        // Not renewed meanwhile.
        leaseSeconds: isGivenBack ? 7_200 : 3_600,
      })
      if (isGivenBack) await world.reportFailed('a.test.ts > fails')
      const user = await openUser(world)
      await user.fund('base', 'USDC', 9_000_000n)
      const earn = { asset: 'USDC', amount: '1000000', network: 'base', protocol: 'compound' }
      const { plan } = await user.run('earn', earn)
      const prices = await fetch(`${world.controlUrl}/prices/ETH`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${world.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ usd: isGivenBack ? '1111' : '2222' }),
      })
      expect(prices.status).toBe(200)
      const headers = { authorization: `Bearer ${world.apiKey}` }
      const at = `/_sim/worlds/${world.id}`
      for (const what of ['prices', 'accounts', 'journal', `why/${plan.plan_id}`])
        told.set(`${at}/${what}`, (await ask(`${sim.url}${at}/${what}`, { headers })).body)
      const bearer = { authorization: `Bearer ${controlToken}` }
      const { lease_seconds, lease_until } = (await ask(sim.url + at, { headers: bearer })).body
      leases.push({ lease_seconds, lease_until })
      keys.push(world.apiKey)
      if (isGivenBack) await world.close()
    }
    const { trace: kept, ended_with_failures } = (
      await ask(`${sim.url}/_sim/worlds`, { headers: { authorization: `Bearer ${controlToken}` } })
    ).body
    expect({ kept, ended_with_failures }).toEqual({ kept: path, ended_with_failures: 1 })
    await sim.close()
    const text = gunzipSync(readFileSync(path)).toString()
    for (const secret of [...keys, controlToken]) expect(text).not.toContain(secret)
    const opened = await openTrace(path)
    try {
      const ids = [...new Set([...told.keys()].map((each) => each.split('/')[3]))]
      const { worlds, ...counts } = (await ask(`${opened.url}/_sim/worlds`)).body
      expect(counts).toMatchObject({ leased: 0, ended_with_failures: 1, trace: path })
      expect(worlds.map(({ state }: { state: string }) => state)).toEqual(['ended', 'ended'])
      // The key that a world shows opens its own answers, masked as it is.
      const { api_keys } = (await ask(`${opened.url}/_sim/worlds/${ids[0]}/overview`)).body
      const headers = { authorization: `Bearer ${api_keys[0]}` }
      expect((await ask(`${opened.url}/assets`, { headers })).status).toBe(200)
      const plans = async (query: string) => {
        const { body } = await ask(`${opened.url}/_sim/coverage${query}`)
        return body.cells.find(
          (cell: { status: number; path: string }) =>
            cell.status === 201 && cell.path.endsWith('/plan/earn'),
        ).hits
      }
      expect([await plans(''), await plans('?worlds=true')]).toEqual([0, 2])
      expect(worlds.map(({ id }: { id: string }) => id).sort()).toEqual(ids.toSorted())
      expect(worlds).toMatchObject([
        { name: 'released', failed_tests: ['a.test.ts > fails'], failed_activities: 0, refused: 0 },
        { name: 'kept', failed_tests: [] },
      ])
      // Each lease is what it was, also of a world that ended before.
      expect(worlds).toMatchObject(leases)
      for (const [each, body] of told)
        expect((await ask(opened.url + each)).body, each).toEqual(body)
      const accounts = (await ask(`${opened.url}/_sim/accounts`)).body.accounts
      expect(accounts).toMatchObject([{ account_id: own.id }])
      const at = `${opened.url}/_sim/worlds/${ids[0]}`
      expect((await ask(`${at}/reset`, { method: 'POST' })).status).toBe(409)
      expect((await ask(`${at}/trace`)).body.trace).toMatchObject({ file: path })
      const other = await ask(`${opened.url}/_sim/worlds/wld_000000000000/journal`)
      expect(other).toMatchObject({ status: 404, body: { error: 'not_found' } })
      expect((await ask(`${opened.url}/_sim/worlds`, { method: 'POST' })).status).toBe(409)
    } finally {
      await opened.close()
    }
    // Older traces know nothing of leases: when a world was leased is unknown, and which tests failed there.
    const [head, body = ''] = text.split('\n')
    const run = JSON.parse(body)
    delete run.worlds[0].lease
    writeFileSync(path, gzipSync(`${head}\n${JSON.stringify(run)}\n`))
    const older = await openTrace(path)
    try {
      const { worlds } = (await ask(`${older.url}/_sim/worlds`)).body
      expect(worlds[0]).toMatchObject({ name: null, leased_at: null, failed_tests: [] })
      expect(worlds[0].lease_until).not.toBe(worlds[1].lease_until)
      expect(Date.parse(worlds[1].leased_at)).toBeLessThanOrEqual(Date.now())
    } finally {
      await older.close()
    }
  }, 120_000)

  test('behavior: those that ended last are kept, as many as there is room for', async () => {
    const place = join(folder, 'left')
    expect(await tracesLeft(place)).toEqual({ worlds: [], worldsLeftOut: 0 })
    const { content } = await readTrace(file)
    const sources = (exchanges: typeof content.journal.exchanges) =>
      ({
        journal: { all: () => exchanges, marks: () => [], dropped: 0 },
        store: { save: emptyState },
        faults: () => [],
        switches: () => [],
        time: () => content.clock,
        prices: async () => ({ ETH: 1n }),
        values: () => [],
        watchValues() {},
        snapshots: () => [],
        coverage: new Map(),
        keys: [],
        secrets: [],
      }) as unknown as TraceSources
    await leaveTrace(place, 'wld_unused', sources([])).finish()
    expect(await tracesLeft(place)).toEqual({ worlds: [], worldsLeftOut: 0 })
    // One that was leased is listed, though nothing was asked there.
    const idle = { id: 'wld_unused', apiKey: 'qk_1', name: 'idle', failedTests: [], leasedMs: 1 }
    expect(await tracesLeft(place, { leaseOf: () => idle as never })).toMatchObject({
      worlds: [{ id: 'wld_unused', lease: { name: 'idle' } }],
      worldsLeftOut: 0,
    })
    rmSync(join(place, 'wld_unused.json'))
    for (const [i, id] of ['wld_a', 'wld_b', 'wld_c'].entries()) {
      await leaveTrace(place, id, sources(content.journal.exchanges.slice(0, 1))).finish()
      utimesSync(join(place, `${id}.json`), 100 + i, 100 + i)
    }
    const size = readFileSync(join(place, 'wld_a.json')).length
    const left = await tracesLeft(place, { bound: size * 2.5 })
    expect(left.worlds.map(({ id }) => id)).toEqual(['wld_b', 'wld_c'])
    expect(left.worldsLeftOut).toBe(1)
    // What a failed test did stays, though worlds have ended since.
    const leaseOf = (id: string) =>
      id === 'wld_a'
        ? ({ id, apiKey: 'qk_1', name: 'a > b', failedTests: ['a > b'], leasedMs: 1 } as never)
        : undefined
    const failed = await tracesLeft(place, { leaseOf, bound: size * 2.5 })
    expect(failed.worlds.map(({ id }) => id)).toEqual(['wld_a', 'wld_c'])
    expect(failed.worlds[0]!.lease).toEqual({ name: 'a > b', failedTests: ['a > b'], leasedMs: 1 })
  })
})

describe('a file that is none', () => {
  const at = (name: string, bytes: Buffer | string): string => {
    writeFileSync(join(folder, name), bytes)
    return join(folder, name)
  }
  const head = (version: number): string =>
    `${JSON.stringify({ format: 'svc-sim-trace', version, madeBy: '9.9.9' })}\n{}\n`
  test.each<[string, () => string, string]>([
    ['cut off', () => at('cut', readFileSync(file).subarray(0, -100)), 'its end is missing'],
    [
      'damaged',
      () => {
        const bytes = Buffer.from(readFileSync(file))
        bytes[bytes.length >> 1]! ^= 0xff
        return at('damaged', bytes)
      },
      'it is damaged',
    ],
    ['something else', () => at('zip', 'PK'), 'it is no trace of svc-sim'],
    ['empty', () => at('empty', ''), 'it is no trace of svc-sim'],
    ['another gzip', () => at('other', gzipSync('{}')), 'it is no trace of svc-sim'],
    ['newer', () => at('newer', gzipSync(head(2))), 'svc-sim 9.9.9 wrote it with version 2'],
    ['made up', () => at('fake', gzipSync(head(1))), 'its content is malformed'],
    ['nowhere', () => join(folder, 'nowhere'), 'ENOENT'],
    ['a folder', () => folder, 'it is no file'],
  ])('error: %s', async (_what, path, why) => {
    await expect(readTrace(path())).rejects.toThrow(why)
    await expect(openTrace(path())).rejects.toMatchObject({ name: 'TraceFileError' })
  })
})

test('behavior: what is bounded keeps the accounts that were spoken of last', async () => {
  const { content } = await readTrace(file)
  const state = emptyState()
  const account = (id: string) => ({
    accountId: `acc_${id.padEnd(12, '0')}`,
    primeId: 'svc_1',
    signerType: 'eoa' as const,
    signerAddress: `0x${id}` as const,
    walletAddress: `0x${id}1` as const,
    createdAt: '2026-01-01T00:00:00Z',
  })
  const accounts = ['a', 'b', 'c'].map(account)
  applyChange(
    state,
    accounts.map((each) => ['account', each]),
  )
  const exchange = { ...content.journal.exchanges[0]!, notes: [], body: '' }
  const { answer: _, ...named } = { ...exchange, url: `/accounts/${accounts[1]!.accountId}` }
  const sources = {
    journal: { all: () => [named], marks: () => [], dropped: 0 },
    store: { save: () => state },
    faults: () => [],
    switches: () => [],
    time: () => content.clock,
    values: () => [],
    snapshots: () => [],
    coverage: new Map(),
    keys: [],
    secrets: [],
  } as unknown as TraceSources
  const size = JSON.stringify([['account', accounts[1]]]).length
  const kept = contentOf(sources, noNodeFacts, { bound: size * 1.5 })
  expect(kept.store).toEqual([['account', accounts[1]]])
  expect(kept.accountsLeftOut).toBe(2)
  expect(contentOf(sources, noNodeFacts).store).toHaveLength(3)
})

test('behavior: it is kept up while the simulator runs, for a sudden end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { content } = await readTrace(file)
    const { exchanges } = content.journal
    const known = { count: 1 }
    const sources = {
      journal: {
        all: () => exchanges.slice(0, known.count),
        marks: () => [],
        dropped: 0,
        bytes: 0,
      },
      store: { save: emptyState },
      faults: () => [],
      switches: () => [],
      time: () => content.clock,
      prices: async () => ({ ETH: BigInt(known.count) }),
      heads: async () => [],
      folio: async () => undefined,
      values: () => [],
      watchValues() {},
      snapshots: () => [],
      coverage: new Map(),
      keys: [],
      secrets: [],
    } as unknown as TraceSources
    const path = join(folder, 'kept.trace')
    const onError = vi.fn()
    const { finish } = await createTraceWriter(
      { file: path, folder: join(folder, 'none') },
      sources,
      onError,
    )
    const count = async () => (await readTrace(path)).content.journal.exchanges.length
    expect(await count()).toBe(1)
    known.count = 3
    await vi.waitFor(async () => expect(await count()).toBe(3), {
      timeout: 60_000,
      interval: 1_000,
    })
    known.count = 4
    await finish()
    expect(await count()).toBe(4)
    expect(onError).not.toHaveBeenCalled()
  } finally {
    vi.useRealTimers()
  }
})

test('error: a place where none can be written is named at the start', async () => {
  await expect(createSimulator({ trace: join(folder, 'no/such/run.trace') })).rejects.toThrow(
    /^The trace cannot be written to .*run\.trace: ENOENT.*Name another file with --trace\.$/,
  )
})

describe('on the command line', () => {
  test('default: exec leaves one, whatever the command’s code; ui shows it', async () => {
    const cwd = emptyFolder()
    const program = `fetch(process.env.SVC_BASE_URL + '/accounts', {
      method: 'POST',
      headers: { authorization: 'Bearer ' + process.env.SVC_API_KEY, 'content-type': 'application/json' },
      body: '{}',
    }).then(() => process.exit(3))`
    const args = ['exec', '--trace', 'red.trace', '--', process.execPath, '-e', program]
    expect((await runCli(args, { cwd })).code).toBe(3)
    const shown = startCli(['ui', 'red.trace', '--json'], { cwd })
    const [line] = await shown.saying('stdout', /^.*\n/)
    const { url, ui } = JSON.parse(line)
    expect(ui).toBe(`${url}/_sim/ui/`)
    const { exchanges } = (await ask(`${url}/_sim/journal`)).body
    expect(exchanges).toMatchObject([{ url: '/accounts', answer: { status: 400 } }])
    shown.kill('SIGTERM')
    expect((await shown.ended).code).toBe(0)
    const none = await runCli(['ui', 'nowhere.trace'], { cwd })
    expect(none).toMatchObject({ code: 2 })
    expect(none.stderr).toContain('The trace nowhere.trace cannot be used: ENOENT')
  }, 60_000)

  test('behavior: a stop by SIGTERM writes it, too', async () => {
    const path = join(emptyFolder(), 'stopped.trace')
    const { run, ready } = await startReady('--trace', path)
    await ask(`${ready.url}/assets`, { headers: { authorization: `Bearer ${ready.apiKey}` } })
    run.kill('SIGTERM')
    expect((await run.ended).code).toBe(0)
    const { content } = await readTrace(path)
    expect(content.journal.exchanges).toMatchObject([{ url: '/assets', answer: { status: 200 } }])
  }, 60_000)
})
