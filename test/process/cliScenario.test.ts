import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { emptyFolder, killRuns, runCli, startCli } from '../kit/cli.js'
import { waitUntilGone } from '../kit/processes.js'

// `scenario run`, and `--scenario` of start and exec, as people meet them: the built program. Needs `npm run build` before.

afterEach(killRuns)

const shipped = (name: string): string =>
  fileURLToPath(new URL(`../../scenarios/${name}.yaml`, import.meta.url))

function file(text: string): string {
  const path = join(emptyFolder(), 'own.yaml')
  writeFileSync(path, text)
  return path
}

const failing = `name: A <wrong> hope
given: { seed: 9, clock: frozen, accounts: { alice: {} } }
then:
  - activities: { account: alice, count: 1 }
`
const world = `name: Ours
given:
  seed: 7
  clock: frozen@2026-03-01T00:00:00Z
  accounts: { alice: { funds: { base: { USDC: "5" } } } }
faults:
  - { id: lost, on: execute, effect: response_lost, times: 1 }
  - { id: broken, on: request, effect: { respond: { error: internal_error } }, match: { path: /networks } }
`

test('default: scenario run plays files and exits with 0; a failing one is 1, with file, seed and place', async () => {
  const own = file(failing)
  const { code, stdout } = await runCli(['scenario', 'run', shipped('accounts'), own])
  expect(stdout).toContain('ok    Accounts, every refusal')
  expect(stdout).toContain(`${own}, seed 9`)
  expect(stdout).toContain(
    'then.0 (activities): expected the number of  activities of alice to be 1',
  )
  expect(stdout).toMatch(/1 passed, 1 failed\n$/)
  expect(code).toBe(1)
  expect((await runCli(['scenario', 'run', shipped('lost-answer')])).code).toBe(0)
})

test('behavior: what only prepares a world is listed as prepared, and does not fail the run', async () => {
  const files = [shipped('only-armed'), shipped('lost-answer')]
  const { code, stdout } = await runCli(['scenario', 'run', ...files])
  expect(stdout).toContain('ready A world for your own client')
  expect(stdout).toMatch(/1 passed, 0 failed, 1 prepared\n$/)
  expect(code).toBe(0)
})

test('behavior: TAP and JUnit on standard output, nothing else there', async () => {
  const own = file(failing)
  const tap = await runCli(['scenario', 'run', own, '--reporter', 'tap'])
  expect(tap.stdout).toMatch(/^TAP version 14\n1\.\.1\nnot ok 1 - A <wrong> hope\n {2}---\n/)
  const junit = await runCli(['scenario', 'run', own, '--reporter', 'junit'])
  expect(junit.stdout).toMatch(
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites tests="1" failures="1"/,
  )
  expect(junit.stdout).toContain('name="A &lt;wrong&gt; hope"')
})

test('error: no simulator there, or none that can be started: each file has failed, in every report', async () => {
  const files = [shipped('accounts'), file(failing)]
  const nowhere = ['--base-url', 'http://127.0.0.1:9']
  const tap = await runCli(['scenario', 'run', ...files, ...nowhere, '--reporter', 'tap'])
  expect(tap.stdout.match(/^not ok \d/gm)).toEqual(['not ok 1', 'not ok 2'])
  expect(tap.stdout).toContain('http://127.0.0.1:9 does not answer POST /_sim/snapshots')
  expect(tap.code).toBe(1)
  const junit = await runCli(['scenario', 'run', ...files, ...nowhere, '--reporter', 'junit'])
  expect(junit.stdout).toContain('<testsuites tests="2" failures="2"')
})

test('behavior: against a running simulator, whose world is afterwards what it was', async () => {
  const run = startCli(['start', '--port', '0', '--json'])
  const { url, apiKey } = JSON.parse((await run.saying('stdout', /^\{.*\}$/m))[0])
  const accounts = async () =>
    (await fetch(`${url}/accounts`, { headers: { authorization: `Bearer ${apiKey}` } })).text()
  const before = await accounts()
  const { code, stdout, stderr } = await runCli([
    'scenario',
    'run',
    shipped('lost-answer'),
    '--base-url',
    url,
  ])
  expect(code, stdout + stderr).toBe(0)
  expect(await accounts()).toBe(before)
  run.kill('SIGTERM')
  await run.ended
})

test('behavior: exec with a scenario hands its accounts to the command, and tells which faults were never hit; so does scenario run with a command', async () => {
  const inside = `(async () => {
    const { SVC_BASE_URL, SVC_API_KEY, SVC_CONTROL_URL, SVC_ACCOUNT_ALICE_ID, SVC_ACCOUNT_ALICE_KEY } = process.env
    const headers = { authorization: 'Bearer ' + SVC_API_KEY }
    const account = await (await fetch(SVC_BASE_URL + '/accounts/' + SVC_ACCOUNT_ALICE_ID, { headers })).json()
    await fetch(SVC_BASE_URL + '/networks', { headers })
    const clock = await (await fetch(SVC_CONTROL_URL + '/clock')).json()
    console.log(JSON.stringify({ id: account.account_id === SVC_ACCOUNT_ALICE_ID, key: SVC_ACCOUNT_ALICE_KEY.length, now: clock.now }))
    process.exitCode = 3
  })()`
  const own = file(world)
  for (const start of [
    ['exec', '--scenario', own],
    ['scenario', 'run', own],
  ]) {
    const run = await runCli([...start, '--', process.execPath, '-e', inside])
    expect(JSON.parse(run.stdout)).toEqual({ id: true, key: 66, now: '2026-03-01T00:00:00Z' })
    expect(run.stderr).toContain('scenario "Ours" is armed with 2 fault rules')
    expect(run.stderr).toContain('faults that were armed and never hit: lost')
    expect(run.code).toBe(3)
  }
})

test('behavior: start with a scenario keeps one line of JSON; a reset returns to the armed world', async () => {
  const run = startCli(['start', '--port', '0', '--json', '--scenario', file(world)])
  const { url, apiKey, controlUrl } = JSON.parse((await run.saying('stdout', /^\{.*\}$/m))[0])
  expect(run.stderr).toMatch(/alice: account acc_\w{12}, wallet 0x/)
  expect((await fetch(`${controlUrl}/reset`, { method: 'POST' })).status).toBe(200)
  const headers = { authorization: `Bearer ${apiKey}` }
  const { accounts } = (await (await fetch(`${url}/accounts`, { headers })).json()) as {
    accounts: unknown[]
  }
  expect(accounts).toHaveLength(1)
  const { faults } = (await (await fetch(`${controlUrl}/faults`)).json()) as { faults: unknown[] }
  expect(faults).toHaveLength(2)
  run.kill('SIGTERM')
  expect((await run.ended).code).toBe(0)
  expect(run.stdout.trim().split('\n')).toHaveLength(1)
  expect(run.stderr).toContain('faults that were armed and never hit: lost, broken')
  await waitUntilGone([run.pid])
})

test('error: files that are wrong are named with line and path before anything starts', async () => {
  const own = file('name: x\nwhen:\n  - plann: {}\n')
  for (const args of [
    ['scenario', 'run', shipped('accounts'), own],
    ['start', '--scenario', own],
    ['exec', '--scenario', own, '--', 'true'],
  ]) {
    const { code, stdout, stderr } = await runCli(args)
    expect(stderr).toContain(`${own}:3:12 when.0.plann: "plann" is unknown here; allowed: call,`)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  }
  const unknown = file('name: x\nfaults:\n  - { on: quote, effect: nope }\n')
  for (const args of [
    ['scenario', 'run', unknown],
    ['start', '--scenario', unknown],
  ])
    expect((await runCli(args)).stderr).toContain(
      `${unknown}:3:5 faults.0: seam quote has no effect "nope"; it has unavailable, `,
    )
  // A running simulator may be of another version: it is asked.
  const asked = await runCli(['scenario', 'run', unknown, '--base-url', 'http://127.0.0.1:9'])
  expect(asked.stdout).toContain('http://127.0.0.1:9 does not answer')
  const { code, stderr } = await runCli(['scenario', 'walk', own])
  expect(stderr).toContain('use it as "svc-sim scenario run FILE..."')
  expect(code).toBe(2)
  // A finding of a search is about a client: without one, it would pass and check nothing.
  const finding = file('name: x\noutcome: { accounts: [] }\n')
  const unnamed = await runCli(['scenario', 'run', shipped('accounts'), finding])
  expect(unnamed.stderr).toContain(`"svc-sim scenario run ${finding} -- COMMAND"`)
  expect(unnamed).toMatchObject({ code: 2, stdout: '' })
})

test('behavior: scenario schema prints what is shipped for editors', async () => {
  const { stdout } = await runCli(['scenario', 'schema'])
  expect(stdout).toBe(
    readFileSync(new URL('../../scenarios/scenario.schema.json', import.meta.url), 'utf8'),
  )
})
