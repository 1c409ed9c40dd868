import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatePrivateKey, sign, signMessage } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { parseScenario } from '../../src/clients/scenarios/load.js'
import { play } from '../../src/clients/scenarios/run.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { openTrace } from '../../src/simulator/openTrace.js'
import { emptyFolder, installLibrary, killRuns, root, runCli } from '../kit/cli.js'
import { ask, askControl } from '../kit/http.js'
import { openUser, type PlanBody, type User, userAt } from '../kit/user.js'

// A journal that is saved as a test asks the same again elsewhere. The command line needs `npm run build` before.

let frozen: SimulatorHandle
let real: SimulatorHandle

beforeAll(async () => {
  frozen = await createSimulator({ clock: 'frozen', bridgeDelayMs: 2_000 })
  real = await createSimulator({ bridgeDelayMs: 100 })
})
afterAll(async () => {
  await Promise.all([frozen.close(), real.close()])
  killRuns()
})

/** What the control API answers to what it does. */
async function done(...request: Parameters<typeof askControl>) {
  const { status, body } = await askControl(...request)
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}

const earn = { asset: 'USDC', amount: '3000000', network: 'base', protocol: 'compound' }

/** A journey with a stale plan, refused requests, and a bridged plan that is confirmed. */
async function live(sim: SimulatorHandle, letPass: () => Promise<unknown>): Promise<User> {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 1_000_000n)
  await user.fund('optimism', 'USDC', 9_000_000n)
  const rule = { id: 'moved', on: 'plan', effect: { stale: { by: 'balance' } }, times: 1 }
  await done(sim, 'POST', '/faults', rule)
  const small = { ...earn, amount: '500000' }
  const stale = (await user.plan('earn', small)).body as PlanBody
  expect((await user.execute(stale)).body).toMatchObject({ error: 'plan_stale' })
  expect((await user.plan('earn', { ...earn, amount: '-1' })).status).toBe(400)
  expect((await user.plan('earn', { ...earn, amount: '99000000000' })).body).toMatchObject({
    error: 'plan_failed',
  })
  const bridged = (await user.plan('earn', earn)).body as PlanBody
  const sent = await user.execute(bridged)
  expect(sent.status).toBe(200)
  await letPass()
  const { activity_id } = sent.body as { activity_id: string }
  expect((await user.follow(activity_id)).activity_status).toBe('confirmed')
  expect((await user.execute(bridged)).body).toMatchObject({ error: 'plan_not_found' })
  expect((await user.api.get(`${user.path}/folio`)).status).toBe(200)
  return user
}

const save = (sim: SimulatorHandle, query = '') => done(sim, 'GET', `/journal/scenario${query}`)
const fresh = async (sim: SimulatorHandle): Promise<SimulatorHandle> => {
  await sim.reset()
  return sim
}
const played = async (sim: SimulatorHandle, yaml: string) =>
  play(sim, { file: 'saved', scenario: parseScenario(yaml, 'saved') }, 'any')

/** Runs vitest in a folder, as a user has it who has installed the package. */
async function runVitest(cwd: string, url: string): Promise<{ code: number | null; told: string }> {
  installLibrary(cwd)
  const program = join(root, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [program, 'run'], {
    cwd,
    env: { ...process.env, SVC_BASE_URL: url },
  })
  const told: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => told.push(`${chunk}`))
  const [code] = await once(child, 'close')
  return { code, told: told.join('') }
}

describe('with a clock that stands', () => {
  let yaml: string
  let vitest: string
  test('default: what was saved is green elsewhere, and red when the simulator behaves otherwise', async () => {
    await live(frozen, () => done(frozen, 'POST', '/clock/advance', { seconds: 10 }))
    const saved = await save(frozen, '?name=a%20stale%20one')
    yaml = saved.yaml
    vitest = saved.vitest
    expect(saved.left_out).toEqual([])
    expect(yaml).toContain('error: plan_stale')
    expect(yaml).toContain('status: confirmed')
    expect((await played(await fresh(frozen), yaml)).failure).toBeUndefined()
    // Twice: it has accounts of its own, which are there already now.
    expect((await played(await fresh(frozen), yaml)).failure).toBeUndefined()
    const { faults, ...others } = parse(yaml)
    expect(faults).toHaveLength(1)
    expect((await played(await fresh(frozen), stringify(others))).failure).toMatchObject({
      where: expect.stringContaining('(execute)'),
    })
  })

  test('behavior: the shell plays it, and vitest runs its file at a simulator that is there', async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'saved.yaml'), yaml)
    const run = await runCli(['scenario', 'run', 'saved.yaml'], { cwd })
    expect(run.code, run.stdout).toBe(0)
    expect(vitest).toContain('a stale one')
    writeFileSync(join(cwd, 'saved.test.ts'), vitest)
    await fresh(frozen)
    const good = await runVitest(cwd, frozen.url)
    expect(good.code, good.told).toBe(0)
    // The text of the file in it is the same text, and a simulator that behaves otherwise is found out.
    const broken = yaml.replace('error: plan_stale', 'error: plan_failed')
    expect(broken).not.toBe(yaml)
    writeFileSync(
      join(cwd, 'saved.test.ts'),
      vitest.replace('error: plan_stale', 'error: plan_failed'),
    )
    const bad = await runVitest(cwd, frozen.url)
    expect(bad.code).toBe(1)
    expect(bad.told).toContain('plan_stale')
  }, 120_000)
})

test('behavior: with a clock that runs, what happened by itself is waited for', async () => {
  await live(real, async () => {})
  const { yaml } = await save(real)
  expect(yaml).not.toContain('frozen')
  expect((await played(await fresh(real), yaml)).failure).toBeUndefined()
})

test('behavior: only one account, with what was done to the world; only a part of the journal', async () => {
  await fresh(frozen)
  const [one, other] = [await openUser(frozen), await openUser(frozen)]
  await done(frozen, 'PUT', '/prices/ETH', { usd: '1234' })
  await other.plan('earn', earn)
  await one.plan('earn', { ...earn, amount: 'x' })
  const { yaml } = await save(frozen, `?account_id=${one.id}`)
  expect(yaml).toContain('ETH: "1234"')
  expect(yaml).toContain('amount: x')
  expect(yaml.match(/- plan:/g)).toHaveLength(1)
  const { exchanges } = await done(frozen, 'GET', '/journal')
  const opening = exchanges.findLast(({ url }: { url: string }) => url === '/accounts')
  const opened = await save(frozen, `?until=${opening.cursor}`)
  expect(opened.yaml).toContain('when: []')
  expect(opened.repeats).toBe('the request and 1 other: the run up to there, of all accounts')
})

/** The refusal of a test, with its hint. */
async function refusal(sim: SimulatorHandle, query: string) {
  const { status, body, headers } = await askControl(sim, 'GET', `/journal/scenario${query}`)
  return [status, body.message, decodeURIComponent(headers.get('x-svc-sim-hint') ?? '')]
}

test('error: a filter that is none, and one that leaves nothing, makes no test that would pass', async () => {
  await fresh(frozen)
  expect(await refusal(frozen, '')).toEqual([
    409,
    'There is nothing to save: the journal has no request since the last reset',
    expect.stringContaining('GET /_sim/journal'),
  ])
  const user = await openUser(frozen)
  await rule({ id: 'late', on: 'folio', effect: 'timeout', times: 1 })
  const headers = { authorization: `Bearer ${frozen.apiKey}` }
  for (let time = 0; time < 2; time++) await fetch(`${frozen.url}${user.path}/folio`, { headers })
  const nothing = (what: string) =>
    `There is nothing to save: the journal has no request with ${what}`
  // The tests before have left refusals, which the reset has undone.
  expect(await refusal(frozen, '?status=409')).toEqual([
    409,
    expect.stringMatching(
      /^There is nothing to save: all \d+ requests with status=409 came before the reset at \d\d:\d\d:\d\d, which undid everything before it$/,
    ),
    expect.stringContaining('after that reset'),
  ])
  const { cursor } = await done(frozen, 'GET', '/journal')
  for (const [query, what] of [
    [`since=${cursor}`, `since=${cursor}`],
    ['status=418', 'status=418'],
    ['path=nowhere&api=service', 'path=nowhere, api=service'],
  ])
    expect(await refusal(frozen, `?${query}`)).toEqual([409, nothing(what!), expect.anything()])
  const [, message, hint] = await refusal(frozen, '?fault=nope')
  expect(message).toBe(nothing('fault=nope'))
  expect(hint).toContain('Rules that hit a request: late')
  for (const query of ['status=zzz', 'status=40', 'status=999', 'api=bogus', 'status=', 'api='])
    expect([query, await refusal(frozen, `?${query}`)]).toEqual([
      query,
      [
        400,
        expect.stringMatching(/must be (2, 3, 4 or 5, a status such as 409|service or control)/),
        expect.anything(),
      ],
    ])
  const { yaml } = await save(frozen, '?status=408')
  expect(stepsOf(yaml)).toHaveLength(1)
  expect((await save(frozen, '?fault=late')).yaml).toBe(yaml)
  await fetch(`${frozen.url}${user.path}/folio`, { headers: { authorization: 'Bearer qk_other' } })
  const { exchanges } = await done(frozen, 'GET', '/journal')
  expect(await refusal(frozen, `?since=${exchanges.at(-1).cursor - 1}`)).toEqual([
    409,
    expect.stringContaining('the journal keeps no keys'),
    expect.anything(),
  ])
})

test('behavior: what only a fault answers is played: another code, an unknown account, an execution that is pending at first', async () => {
  const stranger = '/accounts/acc_zzzzzzzzzzzz/plan/transfer'
  for (const [effect, live, ends] of [
    ['activity_not_found', () => tell('GET', '/activities/act_zzzzzzzzzzzz'), 'call'],
    ['unknown_account', () => tell('POST', stranger, pay), 'call'],
    ['account_first', () => tell('POST', stranger, {}), 'call'],
    [
      { pending_first: { reads: 2 } },
      readThrice,
      'wait confirmed, fault answer, call, fault answer, call, call',
    ],
  ] as const) {
    await fresh(frozen)
    const user = await openUser(frozen)
    await user.fund('base', 'USDC', 5_000_000n)
    await rule({ id: 'other', on: 'answer', effect })
    await live(user)
    const { yaml, left_out } = await save(frozen)
    expect(left_out).toEqual([])
    const all = stepsOf(yaml).filter((step) => step !== 'advance 0')
    const steps = all.map((step) => step.replace(/^call .*/, 'call'))
    expect(steps.slice(-ends.split(', ').length).join(', ')).toBe(ends)
    await playsTwice(frozen, yaml)
  }
})

/** Beside the client that checks each answer against the OpenAPI document. */
async function tell(method: string, path: string, body?: object, more = {}) {
  const response = await fetch(`${frozen.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${frozen.apiKey}`,
      'content-type': 'application/json',
      ...more,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

async function readThrice(user: User): Promise<void> {
  const sent = await user.execute((await user.plan('transfer', pay)).body as PlanBody)
  await done(frozen, 'POST', '/clock/advance', { seconds: 0 })
  const { activity_id } = sent.body as { activity_id: string }
  const statuses = []
  for (let read = 0; read < 3; read++)
    statuses.push((await user.api.get(`/activities/${activity_id}`)).body.activity_status)
  expect(statuses).toEqual(['pending', 'pending', 'confirmed'])
}

test('behavior: a signature is saved as it arrived, so that the test depends on the fault that changed it', async () => {
  await fresh(frozen)
  const user = await openUser(frozen)
  await user.fund('base', 'USDC', 5_000_000n)
  const plan = (await user.plan('transfer', pay)).body as PlanBody
  const { digest } = plan.details.eip712_data
  const right = await sign({ hash: digest, privateKey: user.key, to: 'hex' })
  const execute = async (signature: string, more = {}) => {
    const body = { plan_id: plan.plan_id, signature }
    const { status } = await tell('POST', `${user.path}/plan/execute`, body, more)
    expect(status).toBe(500)
  }
  await execute(right, { 'x-svc-sim-fault': 'execute.reject_signature' })
  await rule({ id: 'bit', on: 'execute', effect: 'reject_signature', times: 1 })
  await execute(right)
  for (const message of [{ raw: digest }, digest] as const)
    await execute(await signMessage({ message, privateKey: user.key }))
  await execute(await sign({ hash: digest, privateKey: generatePrivateKey(), to: 'hex' }))
  // The right key, in a form that wallets refuse: v is 0 or 1.
  await execute(right.replace(/..$/, (v) => (v === '1b' ? '00' : '01')))
  const { yaml } = await save(frozen)
  const { when, faults, ...others } = parse(yaml)
  const executions = when.flatMap(({ execute: each }: { execute?: object }) => each ?? [])
  expect(executions.map(({ signature }: { signature?: string }) => signature)).toEqual([
    undefined,
    undefined,
    'personal_sign',
    'personal_sign',
    'other_key',
    'other_key',
  ])
  await playsTwice(frozen, yaml)
  const withoutRule = stringify({
    ...others,
    faults,
    when: when.filter((step: object) => !('fault' in step)),
  })
  const withoutHeader = stringify({
    ...others,
    faults,
    when: when.map((step: object) => without(step)),
  })
  expect([withoutRule, withoutHeader]).not.toContain(stringify({ ...others, faults, when }))
  for (const healed of [withoutRule, withoutHeader])
    expect(await done(frozen, 'POST', '/scenarios', { yaml: healed })).toMatchObject({
      passed: false,
      failure: { message: expect.stringContaining('expected status 500, got 200') },
    })
})

/** The step without the fault that its request carries. */
function without(step: { execute?: { fault?: unknown } }): object {
  const { fault: _, ...execute } = step.execute ?? {}
  return step.execute ? { execute } : step
}

test('behavior: a play that begins before the time of the simulator is refused at once, with a way out that works', async () => {
  await fresh(frozen)
  const user = await openUser(frozen)
  await user.plan('earn', earn)
  const { yaml } = await save(frozen)
  await done(frozen, 'POST', '/clock/advance', { seconds: 60 })
  const { cursor } = await done(frozen, 'GET', '/journal')
  const { status, body } = await askControl(frozen, 'POST', '/scenarios', { yaml })
  expect(status).toBe(409)
  expect(body.message).toMatch(
    /its clock begins at \S+, this simulator is at \S+, and chains cannot go back/,
  )
  // Resetting helps only where the simulator began with a frozen clock.
  expect(body.message).not.toContain('reset')
  const [, lease] = /POST \/_sim\/worlds and (\{\S+\}),/.exec(body.message) ?? []
  const { id } = await done(frozen, 'POST', '/worlds', JSON.parse(lease!))
  expect(await done(frozen, 'POST', `/worlds/${id}/scenarios`, { yaml })).toMatchObject({
    passed: true,
  })
  await done(frozen, 'DELETE', `/worlds/${id}`)
  const { exchanges } = await done(frozen, 'GET', `/journal?since=${cursor}`)
  expect(exchanges.map(({ url }: { url: string }) => url)).not.toContain('/_sim/snapshots')
  await done(frozen, 'POST', '/reset')
  expect(await done(frozen, 'POST', '/scenarios', { yaml })).toMatchObject({ passed: true })
})

test('behavior: snapshots, headers that carry a fault, other keys, bodies that are no JSON', async () => {
  await fresh(frozen)
  const user = await openUser(frozen)
  await user.fund('base', 'USDC', 5_000_000n)
  await done(frozen, 'POST', '/snapshots', { name: 'before' })
  await done(frozen, 'POST', '/snapshots/before/restore')
  const headers = { authorization: `Bearer ${frozen.apiKey}`, 'x-svc-sim-fault': 'folio.timeout' }
  const late = await fetch(`${frozen.url}${user.path}/folio`, { headers })
  expect(late.status).toBe(408)
  await fetch(`${frozen.url}/accounts`, { headers: { authorization: 'Bearer qk_other' } })
  await fetch(`${frozen.url}/accounts`, { method: 'POST', headers, body: '{' })
  await done(frozen, 'POST', '/faults', { id: 'idle', on: 'quote', effect: 'timeout' })
  const { yaml, left_out } = await save(frozen)
  expect(left_out).toEqual([
    'POST /_sim/snapshots: a test has no snapshots, restores and resets',
    'POST /_sim/snapshots/before/restore: a test has no snapshots, restores and resets',
    'GET /accounts: the journal keeps no keys, so it is not known which was sent',
    'POST /accounts: its body is no JSON, or was not kept',
    'POST /_sim/faults: its rules hit no request of the test',
  ])
  expect(yaml).not.toContain('qk_')
  expect((await played(await fresh(frozen), yaml)).failure).toBeUndefined()
})

test('behavior: after a reset, a test has only what follows it, and names the rest; requests from before are refused with the reset as the cause', async () => {
  await fresh(frozen)
  const user = await openUser(frozen)
  await user.fund('base', 'USDC', 5_000_000n)
  await user.plan('transfer', pay)
  const { cursor: last } = await done(frozen, 'GET', '/journal')
  const { cursor } = (await done(frozen, 'GET', '/journal')).exchanges.at(-1)
  await done(frozen, 'POST', '/reset')
  const { cursor: reset } = (await done(frozen, 'GET', '/journal')).exchanges.at(-1)
  const [mark] = (await done(frozen, 'GET', `/journal?since=${last}`)).marks
  const time = mark.at.slice(11, 19)
  const why = `the reset at ${time}`
  expect((await done(frozen, 'GET', '/overview')).last_reset).toEqual(mark)
  const all = (await done(frozen, 'GET', '/journal?limit=1000')).exchanges
  const mine = all.filter((each: object) => JSON.stringify(each).includes(user.id))
  for (const [query, what] of [
    [`?until=${cursor}`, `request ${cursor} (POST ${user.path}/plan/transfer) came before`],
    [`?until=${reset}`, `request ${reset} (POST /_sim/reset) is`],
    [
      `?account_id=${user.id}`,
      `all ${mine.length} requests with account_id=${user.id} came before`,
    ],
  ])
    expect([query, await refusal(frozen, query!)]).toEqual([
      query,
      [
        409,
        `There is nothing to save: ${what} ${why}, which undid everything before it`,
        expect.not.stringMatching(/start|oldest/),
      ],
    ])
  expect((await tell('GET', `${user.path}/folio`)).status).toBe(404)
  await askControl(frozen, 'GET', `/snapshots?of=${user.id}`)
  await askControl(frozen, 'GET', `/prices?of=${user.id}`)
  const { yaml, repeats, left_out } = await save(frozen, `?account_id=${user.id}`)
  expect(stepsOf(yaml)).toHaveLength(1)
  expect(repeats).toBe('1 request of the selected, and 0 that led to the outcome')
  expect(left_out).toEqual([
    `POST /accounts: undone by ${why}`,
    `POST /_sim/fund: undone by ${why}`,
    `POST ${user.path}/plan/transfer: undone by ${why}`,
    `GET /_sim/snapshots?of=${user.id}: a read of the control API changes nothing`,
    `GET /_sim/prices?of=${user.id}: a read of the control API changes nothing`,
  ])
  // Nobody asked for the reads of the control API: the run lacks nothing.
  expect(await save(frozen)).toMatchObject({
    repeats: '1 request since the last reset',
    left_out: [],
  })
})

test('error: a scenario text that is none', async () => {
  const response = await fetch(`${frozen.controlUrl}/scenarios`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ yaml: 'what: 1' }),
  })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('\\"what\\" is unknown here')
})

const friend = '0x00000000000000000000000000000000000f41e7'
const pay = { asset: 'USDC', amount: '1000000', network: 'base', recipient: friend }
const rule = (body: object) => done(frozen, 'POST', '/faults', body)

/** What its steps and checks are, in order: `fund account_1`, `plan earn`, `advance 5`. */
function stepsOf(yaml: string): string[] {
  const { when } = parse(yaml) as { when: Record<string, never>[] }
  return when.map((step) => {
    const [name, value] = Object.entries(step)[0]! as [string, Record<string, unknown>]
    return `${name} ${value.kind ?? value.plan ?? value.on ?? value.status ?? value.account ?? value}`
  })
}

/** Plays it twice in a simulator where other rules are in force, and expects the same outcome. */
async function playsTwice(sim: SimulatorHandle, yaml: string): Promise<void> {
  await fresh(sim)
  for (let time = 0; time < 2; time++) {
    const answer = await done(sim, 'POST', '/scenarios', { yaml })
    expect(answer, yaml).toMatchObject({ passed: true, failure: null })
  }
}

/** Two accounts with money, of which one is busy; with a rule that never fires, calls that fail, and moves of time. */
async function twoUsers(): Promise<[User, User]> {
  await fresh(frozen)
  await rule({ id: 'idle', on: 'quote', effect: 'timeout' })
  const [one, busy] = [await openUser(frozen), await openUser(frozen)]
  await rule({ on: 'bridge', effect: 'stuck', match: { account_id: busy.id } })
  await done(frozen, 'POST', '/clock/advance', { seconds: 60 })
  expect((await askControl(frozen, 'POST', '/clock/advance', { seconds: -1 })).status).toBe(400)
  for (const user of [one, busy]) await user.fund('base', 'USDC', 9_000_000n)
  await busy.plan('earn', earn)
  return [one, busy]
}

describe('a part of the journal', () => {
  test('default: a filter keeps the fault that hit its requests, bound to their account, and nothing of the others', async () => {
    const [one, busy] = await twoUsers()
    await rule({
      id: 'moved',
      on: 'plan',
      effect: { stale: { by: 'balance' } },
      after: 1,
      times: 1,
    })
    await busy.plan('earn', earn)
    const plan = (await one.plan('transfer', pay)).body as PlanBody
    await done(frozen, 'POST', '/clock/advance', { seconds: 5 })
    await done(frozen, 'POST', '/clock/advance', { seconds: 7.5 })
    expect((await one.execute(plan)).body).toMatchObject({ error: 'plan_stale' })
    await busy.plan('earn', earn)
    const { yaml, file, name, left_out } = await save(frozen, '?path=plan_stale')
    expect([name, file]).toEqual(['transfer: plan_stale', 'transfer-plan_stale'])
    for (const what of left_out) expect(what).toMatch(/execute: undone by the reset at [\d:]{8}$/)
    expect(stepsOf(yaml)).toEqual(['plan transfer', 'advance 12.5', 'execute transfer_1'])
    const match = { account_id: '{{account_1.id}}', kind: 'transfer' }
    expect(parse(yaml)).toMatchObject({
      given: { accounts: { account_1: { funds: { base: { USDC: '9000000' } } } } },
      faults: [{ id: 'moved', effect: { stale: { by: 'balance' } }, match, times: 1 }],
    })
    expect(yaml).not.toMatch(/acc_|idle|after/)
    for (const query of [`?account_id=${one.id}`, '?status=4', '?fault=moved'])
      expect(stepsOf((await save(frozen, query)).yaml)).toEqual(stepsOf(yaml))
    await playsTwice(frozen, yaml)
  })

  test('behavior: an execution that a fault reverted while another account was busy', async () => {
    const [one, busy] = await twoUsers()
    const plan = (await one.plan('transfer', pay)).body as PlanBody
    const others = (await busy.plan('transfer', pay)).body as PlanBody
    await rule({ on: 'execute', sequence: ['ok', 'revert'] })
    expect((await busy.execute(others)).status).toBe(200)
    const { activity_id } = (await one.execute(plan)).body as { activity_id: string }
    await done(frozen, 'POST', '/clock/advance', { seconds: 10 })
    expect((await one.follow(activity_id)).activity_status).toBe('failed')
    const queries = [`?account_id=${one.id}`, '?path=plan/execute&fault=any']
    const files = await Promise.all(queries.map((query) => save(frozen, query)))
    for (const { yaml, file } of files) {
      expect(file).toBe('transfer-failed')
      expect(yaml).toContain('status: failed')
      expect([...yaml.match(/- execute:/g)!, ...parse(yaml).faults]).toHaveLength(2)
      await playsTwice(frozen, yaml)
    }
  })

  test('behavior: a bridge that is filled in part, up to the execution: its end and the time until then belong to it', async () => {
    const [one] = await twoUsers()
    await one.fund('optimism', 'USDC', 9_000_000n)
    await rule({ on: 'bridge', effect: { partial: { percent: 33 } }, times: 1 })
    const plan = (await one.plan('transfer', { ...pay, amount: '10000000' })).body as PlanBody
    expect((await one.execute(plan)).status).toBe(200)
    const { cursor } = (await done(frozen, 'GET', '/journal')).exchanges.at(-1)
    await done(frozen, 'POST', '/clock/advance', { seconds: 10 })
    await one.plan('transfer', pay)
    const queries = [`?until=${cursor}`, '?fault=any']
    const files = await Promise.all(queries.map((query) => save(frozen, query)))
    for (const { yaml, file } of files) {
      expect(file).toBe('transfer-failed')
      expect(stepsOf(yaml).slice(-3)).toEqual(['execute transfer_1', 'advance 10', 'wait failed'])
      await playsTwice(frozen, yaml)
    }
  })

  test('behavior: an execution that made another plan stale is part of it', async () => {
    const [one] = await twoUsers()
    const plans: PlanBody[] = []
    for (let made = 0; made < 2; made++)
      plans.push((await one.plan('transfer', pay)).body as PlanBody)
    expect((await one.execute(plans[0]!)).status).toBe(200)
    expect((await one.execute(plans[1]!)).body).toMatchObject({ error: 'plan_stale' })
    const { yaml } = await save(frozen, '?path=plan_stale')
    expect(yaml.match(/- (plan|execute):/g)).toHaveLength(4)
    await playsTwice(frozen, yaml)
  })

  test('behavior: of runs that restores separate, one is saved, from a trace as well; several are refused', async () => {
    const folder = emptyFolder()
    const file = join(folder, 'run.trace')
    const sim = await createSimulator({ clock: 'auto', seed: 7n, trace: file })
    onTestFinished(() => sim.close())
    const shared = await openUser(sim)
    await shared.fund('base', 'USDC', 9_000_000n)
    for (let run = 0; run < 3; run++) {
      // As the fixtures of vitest do: a snapshot before each test, which ends with it.
      const before = await sim.snapshot()
      const own = await openUser(sim)
      await own.fund('base', 'USDC', 4_000_000n)
      if (run === 1) await sim.faults.add({ on: 'execute', effect: 'revert', times: 1 })
      for (const user of [shared, own]) await user.run('transfer', pay)
      await sim.restore(before)
      await sim.snapshots.delete(before)
    }
    const { exchanges } = await done(sim, 'GET', '/journal?limit=1000')
    const refused = await askControl(sim, 'GET', '/journal/scenario')
    expect(refused.status).toBe(409)
    expect(refused.body.message).toBe(
      'The requests belong to several runs, because a snapshot was restored between them',
    )
    const [, cursor] =
      /\(until=CURSOR\)\. \d+: [^;]+; (\d+): POST \S+execute failed; \d+: [^;]+\.$/.exec(
        refused.headers.get('x-svc-sim-hint')!,
      )!
    expect(exchanges.find((each: { cursor: number }) => `${each.cursor}` === cursor).url).toContain(
      shared.id,
    )
    const { yaml } = await save(sim, `?until=${cursor}`)
    expect(yaml.match(/account_\d:/g)).toHaveLength(2)
    expect(yaml).not.toMatch(/snapshot|restore|snp_/)
    await sim.close()
    const trace = await openTrace(file)
    onTestFinished(() => trace.close())
    const strange = await ask(`${trace.url}/_sim/journal/scenario?account_id=acc_zzzzzzzzzzzz`)
    expect([strange.status, strange.body.message]).toEqual([
      409,
      expect.stringMatching('acc_zzzzzzzzzzzz was not created in the saved part of the trace'),
    ])
    const saved = (await ask(`${trace.url}/_sim/journal/scenario?until=${cursor}`)).body
    expect(saved).toMatchObject({ yaml, file: 'transfer-failed' })
    expect((await played(await fresh(real), yaml)).failure).toBeUndefined()
  })
})

const stuckBridge = { ...earn, amount: '4000000' }

/** An account whose bridged plan waits for a fill that a rule keeps away. */
async function stuckOn(sim: SimulatorHandle): Promise<User> {
  const user = await openUser(sim)
  await user.fund('arbitrum', 'USDC', 10_000_000n)
  const match = { account_id: user.id }
  await done(sim, 'POST', '/faults', { id: 'held', on: 'bridge', effect: 'stuck', match })
  const { status } = await user.execute((await user.plan('earn', stuckBridge)).body as PlanBody)
  expect(status).toBe(200)
  await done(sim, 'POST', '/clock/advance', { seconds: 0 })
  return user
}

/** While it plays, no other rule is in force, and time passes for all accounts. */
const payment = `name: a payment
given: { accounts: { alice: { funds: { base: { USDC: 5000000 } } } } }
when:
  - plan: { as: paid, account: alice, kind: transfer, body: ${JSON.stringify(pay)} }
  - execute: { as: sent, plan: paid }
  - advance: 30
  - wait: { account: alice, activity: sent }
`

test.each([
  ['stands', () => frozen],
  ['runs', () => real],
])(
  'behavior: with a clock that %s, a stuck bridge is saved as pending, with its rule hit, also after a scenario that a restore has undone',
  async (_how, simulator) => {
    const sim = await fresh(simulator())
    const user = await stuckOn(sim)
    const before = await save(sim, `?account_id=${user.id}`)
    const held = [{ hits: { held: 1 } }, { activity: { of: 'execute_earn_1', status: 'pending' } }]
    expect(parse(before.yaml).then).toEqual(held)
    expect(before.name).toBe('earn: pending')
    expect(await done(sim, 'POST', '/scenarios', { yaml: payment })).toMatchObject({
      passed: true,
    })
    // The scenario has removed the rule, until it was restored.
    const removal = /^DELETE \/_sim\/faults: undone when snapshot snp_\w+ was restored at /
    const left_out = [expect.stringMatching(removal)]
    expect(await save(sim, `?account_id=${user.id}`)).toEqual({ ...before, left_out })
    const [{ activity_id }] = (await user.api.get(`${user.path}/activities`)).body.activities
    const { timeline, now } = await done(sim, 'GET', `/why/${activity_id}`)
    expect(now).toContain('held')
    const ends = timeline.filter(({ title }: { title: string }) => /filled|confirmed/.test(title))
    expect(ends.map(({ type }: { type: string }) => type)).toEqual(['bridge', 'event'])
    for (const { title, details } of ends)
      expect([title, details]).toEqual([
        expect.stringMatching(/ \(undone: snapshot snp_\w+ was restored\)$/),
        expect.objectContaining({ undone_by: expect.stringMatching(/^snp_/) }),
      ])
    const { faults, when, ...others } = parse(before.yaml)
    // The check itself waits until the bridge has met the rule.
    const steps = when.filter((step: object) => !('advance' in step))
    await playsTwice(sim, stringify({ ...others, faults, when: steps }))
    const late = { ...others, faults: [{ ...faults[0], after: 9 }], when: steps }
    expect(await done(sim, 'POST', '/scenarios', { yaml: stringify(late) })).toMatchObject({
      passed: false,
      failure: { where: expect.stringContaining('(hits)') },
    })
  },
)

test('behavior: after a restart with a data folder, a test of an account from before is refused with the way out, which works', async () => {
  const dataDir = emptyFolder()
  const before = await createSimulator({ clock: 'frozen', dataDir })
  const old = await openUser(before)
  const silent = await openUser(before).finally(() => before.close())
  const sim = await createSimulator({ clock: 'frozen', dataDir })
  try {
    const again = userAt(sim, old)
    expect((await again.plan('earn', earn)).body).toMatchObject({ error: 'plan_failed' })
    for (const query of ['', '?status=4', `?account_id=${old.id}`]) {
      const refused = await askControl(sim, 'GET', `/journal/scenario${query}`)
      expect([query, refused.status, refused.body]).toEqual([
        query,
        409,
        { error: 'conflict', message: expect.stringContaining(`depend on ${old.id}, not created`) },
      ])
      expect(refused.headers.get('x-svc-sim-hint')).toContain('POST /accounts')
    }
    expect(await refusal(sim, `?account_id=${silent.id}`)).toEqual([
      409,
      `There is nothing to save: ${silent.id} was not created in the saved part of the journal, which has no request of it`,
      expect.stringContaining('POST /accounts'),
    ])
    const user = await openUser(sim)
    // The last failure is of the account from before.
    await user.plan('earn', { ...earn, amount: '-1' })
    await again.plan('earn', earn)
    expect(await refusal(sim, '')).toEqual([
      409,
      expect.stringContaining(`depend on ${old.id}, not created`),
      expect.stringContaining('POST /accounts'),
    ])
    await done(sim, 'POST', '/fund', {
      ...{ account_id: user.id, network: 'base', asset: 'USDC', amount: '1000' },
    })
    expect((await user.plan('earn', earn)).body).toMatchObject({ error: 'plan_failed' })
    const { yaml } = await save(sim, `?account_id=${user.id}`)
    expect(yaml).not.toMatch(/acc_/)
    expect((await played(await fresh(frozen), yaml)).failure).toBeUndefined()
  } finally {
    await sim.close()
  }
})
