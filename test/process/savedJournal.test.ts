import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseScenario } from '../../src/clients/scenarios/load.js'
import { play } from '../../src/clients/scenarios/run.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { emptyFolder, installLibrary, killRuns, root, runCli } from '../kit/cli.js'
import { askControl } from '../kit/http.js'
import { openUser, type PlanBody, type User } from '../kit/user.js'

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
    const other = await fresh(frozen)
    await other.faults.add({ on: 'plan', effect: 'no_wallet' })
    expect((await played(other, yaml)).failure).toMatchObject({
      where: expect.stringContaining('(plan)'),
    })
    await other.faults.clear()
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
  const { cursor } = await done(frozen, 'GET', '/journal')
  expect((await save(frozen, `?since=${cursor}`)).yaml).toContain('when: []')
  const [first] = (await done(frozen, 'GET', '/journal?since=0&limit=1')).exchanges
  expect((await save(frozen, `?until=${first.cursor}`)).yaml).toContain('when: []')
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
    'GET /accounts: the journal keeps no keys, so it is not known which was sent',
    'POST /accounts: its body is no JSON, or was not kept',
  ])
  expect(yaml).not.toContain('qk_')
  expect((await played(await fresh(frozen), yaml)).failure).toBeUndefined()
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
