import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, vi } from 'vitest'
import { createSvcClient } from '../../src/clients/client/index.js'
import { createSimulator, leaseWorld, type SimulatorHandle } from '../../src/index.js'
import { type OpenTrace, openTrace } from '../../src/simulator/openTrace.js'
import { test } from '../../src/tools/vitest/index.js'
import { openAccount } from '../../src/tools/vitest/open.js'
import { emptyFolder } from '../kit/cli.js'
import { ask } from '../kit/http.js'
import { childrenOf } from '../kit/processes.js'

// The tests here are users of the fixtures themselves. The last one needs `npm run build` before.

const root = fileURLToPath(new URL('../..', import.meta.url))
const transfer = {
  asset: 'USDC',
  amount: '400000000',
  network: 'base',
  recipient: `0x${'5e'.repeat(20)}`,
} as const

const seen: { id: string; url: string }[] = []
for (const round of ['first', 'second'])
  test(`default: an account with funds and a client that spends them, the ${round} time`, async ({
    sim,
    account,
    client,
  }) => {
    const { execution } = await client.signAndExecute(
      account.id,
      'transfer',
      transfer,
      account.privateKey,
    )
    await client.waitForActivity(account.id, execution.activity_id)
    const { balances } = await client.folio(account.id)
    expect(balances[`token/base/USDC/${account.wallet}`]).toBe('600e6')
    // What the tests before did has been taken back.
    const { data } = await client.api.GET('/accounts')
    expect(data?.accounts.map(({ account_id }) => account_id)).toEqual([account.id])
    await sim.faults.add({ on: 'request', effect: { latency: { ms: 1 } } })
    seen.push({ id: account.id, url: sim.url })
  })

test('behavior: tests of a file share its simulator, and each begins where it stood before', async ({
  sim,
  client,
}) => {
  expect(seen.map(({ url }) => url)).toEqual([sim.url, sim.url])
  expect(seen[0]!.id).not.toBe(seen[1]!.id)
  for (const { id } of seen)
    await expect(client.folio(id)).rejects.toMatchObject({ code: 'account_not_found' })
  expect(await sim.faults.list()).toEqual([])
  // Only the one of this test: there is room for a hundred.
  const { snapshots } = (await (await fetch(`${sim.controlUrl}/snapshots`)).json()) as {
    snapshots: unknown[]
  }
  expect(snapshots).toHaveLength(1)
})

test('behavior: a test may reset its simulator, which takes the snapshot of the fixture away', async ({
  sim,
  account,
  client,
}) => {
  await sim.faults.add({ on: 'request', effect: { latency: { ms: 1 } } })
  await sim.reset()
  await expect(client.folio(account.id)).rejects.toMatchObject({ code: 'account_not_found' })
  await sim.faults.add({ on: 'request', effect: { latency: { ms: 1 } } })
})

test('behavior: and the next one begins where all begin', async ({ sim, account, client }) => {
  expect(await sim.faults.list()).toEqual([])
  expect(await sim.snapshots.list()).toHaveLength(1)
  expect((await client.folio(account.id)).balances).not.toEqual({})
})

describe('with a simulator of its own', () => {
  test.override({ world: 'fresh', funds: [] })
  test.override({ simulatorSettings: { clock: 'frozen', seed: 7n } })
  test.concurrent('behavior: nothing is shared, not even the clock', async ({ sim, account }) => {
    expect(seen.map(({ url }) => url)).not.toContain(sim.url)
    const before = await sim.clock.time()
    const after = await sim.clock.advance(3600)
    expect(after.ms - before.ms).toBe(3_600_000)
    await account.fund({ asset: 'USDC', amount: '1', network: 'base' })
  })
  test.concurrent('behavior: two at once do not see each other', async ({ client, account }) => {
    const { balances } = await client.folio(account.id)
    expect(balances).toEqual({})
    const { data } = await client.api.GET('/accounts')
    expect(data?.accounts).toHaveLength(1)
  })
})

describe('before the time of a test begins', () => {
  test.override({ world: 'fresh' })
  let nodes: Set<number>
  const started: [test: string, nodes: number][] = []
  beforeAll(() => {
    nodes = new Set(childrenOf(process.pid, 'anvil'))
  })
  const newNodes = () => childrenOf(process.pid, 'anvil').filter((pid) => !nodes.has(pid))
  test('behavior: the simulator of a test is started', async ({ sim }) => {
    expect((await fetch(`${sim.url}/health/ready`)).status).toBe(200)
    expect(started).toEqual([['behavior: the simulator of a test is started', 5]])
  })
  test.for([1, 2])('behavior: also for a test of a table: %i', (round, { account }) => {
    expect(account.id).toMatch(/^acc_/)
    expect(started.at(-1)).toEqual([`behavior: also for a test of a table: ${round}`, 5])
  })
  test('behavior: none for a test without fixtures', ({ task }) => {
    expect(started.at(-1)).toEqual([task.name, 0])
  })
  // Comes after the hook of the fixtures, and before the test's own time.
  beforeEach(({ task }) => void started.push([task.name, newNodes().length]))
})

describe('beside a simulator that runs already', () => {
  let running: SimulatorHandle
  beforeAll(async () => {
    running = await createSimulator()
    vi.stubEnv('SVC_BASE_URL', running.url)
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await running.close()
  })
  const used: { apiKey: string; at: string }[] = []
  test.override({ world: 'fresh', simulatorSettings: { clock: 'frozen', seed: 7n } })
  for (const round of ['first', 'second'])
    test(`behavior: each test has a world of it, the ${round} time`, async ({
      sim,
      account,
      client,
    }) => {
      expect([sim.url, sim.apiKey === running.apiKey]).toEqual([running.url, false])
      const { balances } = await client.folio(account.id)
      expect(balances[`token/base/USDC/${account.wallet}`]).toBe('1000e6')
      await sim.clock.advance(60)
      used.push({ apiKey: sim.apiKey, at: (await sim.clock.time()).now })
    })
  test('behavior: and gives it back', async () => {
    expect(new Set(used.map(({ apiKey }) => apiKey)).size).toBe(2)
    expect(used.map(({ at }) => at)).toEqual(['2026-01-01T00:01:00Z', '2026-01-01T00:01:00Z'])
    const { worlds } = (await (await fetch(`${running.controlUrl}/worlds`)).json()) as {
      worlds: unknown[]
    }
    expect(worlds).toEqual([])
  })
})

describe('in a world that is shared', () => {
  const file = join(emptyFolder(), 'shared.trace')
  let running: SimulatorHandle
  beforeAll(async () => {
    running = await createSimulator({ clock: 'auto', trace: file })
    vi.stubEnv('SVC_BASE_URL', running.url)
    vi.stubEnv('SVC_API_KEY', running.apiKey)
    vi.stubEnv('SVC_WORLD', 'shared')
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await running.close()
  })
  test.override({ world: 'fresh' })
  const ids: string[] = []
  for (const round of ['first', 'second'])
    test(`behavior: tests meet the faults that are armed there, and nothing is undone, the ${round} time`, async ({
      sim,
      account,
      client,
    }) => {
      expect([sim.url, sim.apiKey]).toEqual([running.url, running.apiKey])
      ids.push(account.id)
      await running.faults.set([
        { on: 'request', effect: { respond: { error: 'internal_error' } } },
      ])
      await expect(client.folio(account.id)).rejects.toMatchObject({ code: 'internal_error' })
      await sim.faults.clear()
      for (const id of ids) expect((await client.folio(id)).balances).not.toEqual({})
    })
  test('behavior: a world that is leased there has an auto clock too, unless the lease names another', async () => {
    const modes = [{}, { clock: 'real' }].map(async (wish) => {
      await using world = await leaseWorld({ url: running.url, ...wish })
      return (await world.clock.time()).mode
    })
    expect(await Promise.all(modes)).toEqual(['auto', 'real'])
  })
  test('behavior: an account is opened though its first response is lost', async ({ sim }) => {
    await sim.faults.add({
      on: 'request',
      match: { method: 'POST', path: '/accounts' },
      effect: 'reset_after',
      times: 1,
    })
    const client = createSvcClient({ baseUrl: sim.url, apiKey: sim.apiKey })
    const { wallet } = await openAccount(sim, client, [])
    expect(wallet).toMatch(/^0x/)
    expect(await sim.faults.list()).toMatchObject([{ hits: 1 }])
    await sim.faults.clear()
  })
  test('behavior: leaseWorld gives the same world, which stays open when it is closed', async ({
    sim,
  }) => {
    const world = await leaseWorld()
    expect([world.id, world.apiKey]).toEqual(['shared', running.apiKey])
    await world.close()
    expect(await sim.faults.list()).toEqual([])
    const other = await leaseWorld({ url: running.url })
    expect(other.id).toMatch(/^wld_/)
    await other.close()
  })
  test('error: it cannot begin with a scenario of its own, and needs URL and key', async () => {
    await expect(leaseWorld({ scenario: 'name: x' })).rejects.toThrow(
      'which cannot begin with a scenario of its own. Unset SVC_WORLD to lease one',
    )
    vi.stubEnv('SVC_API_KEY', '')
    await expect(leaseWorld()).rejects.toThrow('SVC_API_KEY is not set')
    vi.stubEnv('SVC_API_KEY', running.apiKey)
  })
  test('behavior: each test that fails there is listed, and has an entry of its own in the trace', async () => {
    const { code, text } = await runFailing({}, '', sharing)
    expect(code, text).toBe(1)
    const [breaks, asserts, flaky] = ['breaks', 'asserts', 'is flaky'].map(
      (name) => `failing.test.js > ${name}`,
    )
    const tests = { failed_tests: [breaks, asserts], flaky_tests: [flaky], lease_seconds: 0 }
    const live = (await ask(`${running.controlUrl}/worlds`)).body
    expect(live).toMatchObject({ worlds: [], default_world: tests, ended_with_failures: 0 })
    expect(live.default_world.controlUrl).toBe(running.controlUrl)
    await running.close()
    const trace = await openTrace(file)
    try {
      const { worlds: all, ...run } = (await ask(`${trace.url}/_sim/worlds`)).body
      // Others were leased before.
      const worlds = all.filter((each: { test_of: string | null }) => each.test_of !== null)
      expect(run).toMatchObject({ default_world: tests, ended_with_failures: 1 })
      const entry = { test_of: 'default', leased_at: null, state: 'ended' }
      expect(worlds).toMatchObject([
        {
          ...{ ...entry, name: breaks, failed_tests: [breaks], failed_activities: 1, refused: 0 },
          failure: expect.stringContaining("expected 'failed' to be 'confirmed'"),
        },
        // Activities that failed before are none of it.
        { ...entry, name: asserts, failed_activities: 0, refused: 1 },
        { ...entry, name: flaky, failed_tests: [], flaky_tests: [flaky], failed_activities: 0 },
      ])
      const owners = worlds.map(async ({ id }: { id: string }) => {
        const { accounts } = (await ask(`${trace.url}/_sim/worlds/${id}/accounts`)).body
        return accounts.map(({ account_id }: { account_id: string }) => account_id)
      })
      // Each has its own account, and none of another test.
      const own = (await Promise.all(owners)).flat()
      expect([own.length, new Set(own).size]).toEqual([3, 3])
      const { exchanges } = (await ask(`${trace.url}/_sim/worlds/${worlds[1].id}/journal`)).body
      expect(JSON.stringify(exchanges)).not.toContain('plan/execute')
      const { total } = (await ask(`${trace.url}/_sim/accounts`)).body
      expect(total).toBeGreaterThan(3)
    } finally {
      await trace.close()
    }
  })
})

/** A suite that fails, as somebody else writes it. */
const failing = `
import { createSvcClient } from 'svc-sim/client'
import { expect, test } from 'svc-sim/vitest'
import { beforeEach, describe } from 'vitest'

test('goes through', async ({ client, account }) => {
  await client.folio(account.id)
})
test('expects too much', async ({ account, client, sim }) => {
  // Not with the client of the fixture: whoever asks is in the report.
  const own = createSvcClient({ baseUrl: sim.url, apiKey: sim.apiKey })
  const plan = await own.plan(account.id, 'transfer', {
    asset: 'USDC', amount: '1', network: 'base', recipient: '0x' + '5e'.repeat(20),
  })
  const { activity_id } = await own.execute(account.id, plan, account.privateKey)
  console.log('ids', account.id, plan.plan_id, activity_id)
  expect((await client.waitForActivity(account.id, activity_id)).activity_status).toBe('failed')
})
test('ends well', async ({ client, account, sim }) => {
  await client.folio(account.id)
  await sim.reset()
})
test.fails('is known to fail', async ({ client }) => { await client.folio('acc_000000000000') })
describe('with a hook', () => {
  beforeEach(async ({ client, account }) => { await client.plan(account.id, 'transfer', { asset: 'USDC' }) })
  test('does not begin', async ({ account }) => {})
})
test.concurrent('shares', ({ sim }) => { expect(sim).toBeDefined() })
`

/** More tests of it, which are retried. */
const retried = `
const retry = 1
const tries = [0, 0, 0]
test('is flaky', { retry }, async ({ client }) => {
  await client.folio('acc_000000000000').catch(() => {})
  expect(++tries[0]).toBe(2)
})
test('fails again', { retry }, ({ sim }) => { throw new Error('failed in try ' + ++tries[1]) })
describe('alone', () => {
  test.override({ world: 'fresh' })
  test('is flaky, too', { retry }, ({ sim }) => { expect(++tries[2]).toBe(2) })
})
`

/** Tests that share the default world. */
const sharing = `
import { expect, test } from 'svc-sim/vitest'
const transfer = ${JSON.stringify(transfer)}
test('breaks', async ({ sim, account, client }) => {
  await sim.faults.add({ on: 'execute', effect: 'revert', times: 1 })
  const { execution } = await client.signAndExecute(account.id, 'transfer', transfer, account.privateKey)
  const { activity_status } = await client.waitForActivity(account.id, execution.activity_id)
  expect(activity_status).toBe('confirmed')
})
test('asserts', async ({ account, client }) => {
  await client.folio('acc_000000000000').catch(() => {})
  expect(account.id).toBe('another')
})
let tries = 0
test('is flaky', { retry: 1 }, async ({ sim, account, client }) => {
  if (tries++ > 0) return
  await sim.faults.add({ on: 'execute', effect: 'revert', times: 1 })
  const { execution } = await client.signAndExecute(account.id, 'transfer', transfer, account.privateKey)
  const { activity_status } = await client.waitForActivity(account.id, execution.activity_id)
  expect(activity_status).toBe('confirmed')
})
`

/** Runs it to its end, in a folder of its own. */
async function runFailing(given: Record<string, string> = {}, more = '', suite = failing) {
  const folder = emptyFolder()
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/svc-sim'))
  symlinkSync(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'))
  writeFileSync(join(folder, 'failing.test.js'), suite + more)
  const args = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--no-color',
    '--testTimeout=60000',
  ]
  return new Promise<{ code: unknown; text: string }>((resolve) => {
    const outer = { VITEST: undefined, TEST: undefined, NODE_ENV: undefined }
    const env = { ...process.env, ...outer, ...given }
    execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error?.code, text: stdout + stderr }),
    )
  })
}

test('error: what failed has the timelines of all that it touched in its report', async () => {
  const { code, text } = await runFailing()
  expect(code, text).toBe(1)
  expect(text).toContain('2 passed | 1 expected fail')
  expect(text).toContain('Concurrent tests cannot share a simulator')
  const [, account, plan, activity] = /^ids (\S+) (\S+) (\S+)$/m.exec(text)!
  for (const id of [account, plan, activity]) expect(text).toContain(id)
  // Its story is told once, not again under its plan, its activity and its intent.
  const told = text.split('svc-sim why: ')[1]!
  expect(told.match(/-> POST \/accounts\/\w+\/plan\/execute/g), text).toHaveLength(1)
  expect(text).toMatch(/^svc-sim: ready at http:\/\/127\.0\.0\.1:\d+, seed \d+$/m)
})

test('error: in a world that is leased for the file, the simulator hears which test failed', async () => {
  const file = join(emptyFolder(), 'run.trace')
  const running = await createSimulator({ trace: file })
  const leaving = new AbortController()
  let trace: OpenTrace | undefined
  try {
    const { signal } = leaving
    const stream = await fetch(`${running.controlUrl}/stream`, { signal })
    const { code, text } = await runFailing({ SVC_BASE_URL: running.url }, retried)
    expect(code, text).toBe(1)
    let heard = ''
    const decoder = new TextDecoder()
    for await (const bytes of stream.body!) {
      heard += decoder.decode(bytes, { stream: true })
      const ended = heard.split('"change":"ended"').length
      // The world of the file is leased first and released last.
      if (ended > 1 && ended === heard.split('"change":"leased"').length) break
    }
    const reported = [...heard.matchAll(/"change":"(failed|passed)".*"reason":"([^"]*)"/g)]
    expect(reported.map(([, change, reason]) => `${change} ${reason}`)).toEqual([
      'failed failing.test.js > expects too much',
      'failed failing.test.js > with a hook > does not begin',
      'failed failing.test.js > is flaky',
      'passed failing.test.js > is flaky',
      'failed failing.test.js > fails again',
      'failed failing.test.js > fails again',
      'failed failing.test.js > alone > is flaky, too',
      // Its world has ended.
      'passed failing.test.js > alone > is flaky, too',
    ])
    await running.close()
    trace = await openTrace(file)
    let { url } = trace
    const { worlds } = (await ask(`${url}/_sim/worlds`)).body
    const [, account, plan, activity] = /^ids (\S+) (\S+) (\S+)$/m.exec(text)!
    // Each failed test is listed with what it did, before the file that the tests share.
    const flaky = 'failing.test.js > is flaky'
    const again = 'failing.test.js > fails again'
    const alone = 'failing.test.js > alone > is flaky, too'
    const isAlone = (each: { name: string }) => each.name === alone
    const ofFile = worlds.filter((each: { name: string }) => !isAlone(each))
    expect(ofFile).toMatchObject([
      {
        ...{ name: 'failing.test.js > expects too much', failed_activities: 0, refused: 0 },
        failure: expect.stringContaining("expected 'confirmed' to be 'failed'"),
      },
      { name: 'failing.test.js > with a hook > does not begin', refused: 1 },
      // It failed first, and passed when it was retried.
      {
        ...{ name: flaky, failed_tests: [], flaky_tests: [flaky], refused: 1 },
        test_of: ofFile.at(-1).id,
        failure: expect.stringContaining('expected 1 to be 2'),
      },
      // Each try has its own entry and error.
      { name: again, failed_tests: [again], failure: 'failed in try 1' },
      { name: again, failed_tests: [again], failure: 'failed in try 2' },
      { name: 'failing.test.js', failed_tests: { length: 3 }, flaky_tests: [flaky], refused: 0 },
    ])
    // The world of each try is its own.
    const tries = worlds.filter(isAlone).map((each: { flaky_tests: string[] }) => each.flaky_tests)
    expect(tries.flat()).toEqual([alone])
    const passes = worlds
      .filter(isAlone)
      .map((each: { passed_tests: string[] }) => each.passed_tests)
    expect(passes).toEqual([[], [alone]])
    expect(tries).toHaveLength(2)
    for (const time of ['first', 'second']) {
      const at = `${url}/_sim/worlds/${ofFile[0].id}`
      const { accounts } = (await ask(`${at}/accounts`)).body
      expect(
        accounts.map((each: { account_id: string }) => each.account_id),
        time,
      ).toEqual([account])
      expect((await ask(`${at}/why/${activity}`)).body).toMatchObject({
        now: 'confirmed',
        related: { account_id: account, plan_id: plan },
      })
      const { exchanges } = (await ask(`${at}/journal`)).body
      const urls: string[] = exchanges.map((each: { url: string }) => each.url)
      expect(urls.filter((each) => each === '/accounts')).toHaveLength(1)
      expect(urls).toContain(`/accounts/${account}/plan/execute`)
      // In the world of the file, the fixtures have undone it.
      const undone = await ask(`${url}/_sim/worlds/${ofFile.at(-1).id}/why/${activity}`)
      expect(undone.body.now).toMatch(
        /: snapshot \S+ was restored at .+\. Before that, its activity was confirmed$/,
      )
      await trace.close()
      trace = await openTrace(file)
      url = trace.url
    }
    // Older traces do not name the world of a test.
    const recorded = gunzipSync(readFileSync(file)).toString()
    const older = recorded.replaceAll(/"testOf":"\w+"/g, '"was":0')
    expect(older).not.toBe(recorded)
    writeFileSync(file, gzipSync(older))
    await trace.close()
    trace = await openTrace(file)
    const { body } = await ask(`${trace.url}/_sim/worlds`)
    const testsOf = (all: { test_of: string }[]) => all.map(({ test_of }) => test_of)
    expect(testsOf(body.worlds)).toEqual(testsOf(worlds))
  } finally {
    await trace?.close()
    leaving.abort()
    await running.close()
  }
})
