import { afterEach, expect, test } from 'vitest'
import { killRuns, runCli, startCli } from '../kit/cli.js'

// `why` and `coverage` as people meet them: the built program. Needs `npm run build` before.

afterEach(killRuns)

/** A simulator that has refused one plan; the id of that request, and how the commands reach it. */
async function afterARefusal() {
  const run = startCli(['start', '--port', '0', '--json', '--clock', 'frozen', '--seed', '7'])
  const { url, apiKey } = JSON.parse((await run.saying('stdout', /^\{.*\}$/m))[0])
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { id: answer.headers.get('x-svc-sim-request-id')!, body: await answer.json() }
  }
  const signer_address = '0x00000000000000000000000000000000000f41e7'
  const open = async () => (await post('/accounts', { signer_type: 'eoa', signer_address })).body
  const { account_id } = (await open()) as { account_id: string }
  const earn = { amount: '1', asset: 'USDC', network: 'base', protocol: 'compound' }
  const refused = await post(`/accounts/${account_id}/plan/earn`, earn)
  const again = async () => {
    await post('/_sim/reset', {})
    await open()
  }
  return { at: ['--base-url', url], account_id, request: refused.id, again }
}

test('default: why prints a timeline; --json the same for programs', async () => {
  const { at, account_id, request } = await afterARefusal()
  const { code, stdout } = await runCli(['why', request, ...at])
  expect(code).toBe(0)
  const lines = stdout.split('\n')
  expect(lines[0]).toBe(`${request}, account_id ${account_id}`)
  expect(stdout).toContain(`2026-01-01T00:00:00.000Z  -> POST /accounts/${account_id}/plan/earn`)
  expect(stdout).toContain('2026-01-01T00:00:00.000Z  <- 400 plan_failed')
  expect(stdout).toContain('message: insufficient resources of USDC on base')
  expect(lines.at(-2)).toMatch(/^next: /)
  const json = await runCli(['why', account_id, '--json', ...at])
  expect(JSON.parse(json.stdout)).toMatchObject({ id: account_id, is_complete: true })
})

test('behavior: of an id that a seed draws again after a reset, why names the command that shows its first life', async () => {
  const { at, account_id, again } = await afterARefusal()
  await again()
  const { stdout: now } = await runCli(['why', account_id, ...at])
  expect(now).not.toContain('plan_failed')
  const [, named = ''] =
    /used before, until the simulator was reset at .* \(svc-sim (why .*)\)\n/.exec(now) ?? []
  expect(named).toMatch(new RegExp(`^why ${account_id} --cursor \\d+$`))
  const { stdout: then } = await runCli([...named.split(' '), ...at])
  expect(then).toContain('<- 400 plan_failed')
  expect(then).toContain(`the simulator no longer has ${account_id}: the simulator was reset at`)
  const wrong = await runCli(['why', account_id, '--cursor', 'first', ...at])
  expect(wrong.stderr).toContain('--cursor is "first"')
  expect(wrong.code).toBe(2)
})

test('error: why of an unknown id, of none, and without a simulator', async () => {
  const { at } = await afterARefusal()
  const unknown = await runCli(['why', 'pln_000000000000', ...at])
  expect(unknown.stderr).toContain('not_found: Nothing is known of pln_000000000000')
  expect(unknown.stderr).toContain('Ids are acc_, pln_')
  expect(unknown.code).toBe(1)
  expect((await runCli(['why', ...at])).code).toBe(2)
  const nobody = await runCli(['why', 'x', '--base-url', 'http://127.0.0.1:9'])
  expect(nobody.stderr).toContain('No simulator answers at http://127.0.0.1:9/_sim')
  expect(nobody.code).toBe(1)
})

test('default: coverage lists what was met; --require fails for what was not', async () => {
  const { at } = await afterARefusal()
  const all = await runCli(['coverage', ...at])
  expect(all.code).toBe(0)
  expect(all.stdout).toMatch(/^seen +1 {2}400:plan_failed@earn$/m)
  expect(all.stdout).toMatch(/^ +0 {2}409:plan_stale@execute$/m)
  expect(all.stderr).toMatch(/seen 2 of \d+ documented responses/)
  const asJson = JSON.parse((await runCli(['coverage', '--json', ...at])).stdout)
  expect(asJson).toMatchObject({ met: 2, documented: asJson.cells.length })
  const met = await runCli(['coverage', '--require', '400:plan_failed@earn', ...at])
  expect(met.code).toBe(0)
  const required = ['--require', '409:plan_stale@execute', '--require', '201@POST /accounts']
  const missed = await runCli(['coverage', '--reporter', 'junit', ...required, ...at])
  expect(missed.code).toBe(1)
  expect(missed.stderr).toContain('never seen: 409:plan_stale@execute')
  expect(missed.stdout).toContain(
    '<testsuite name="svc-sim coverage" tests="2" failures="1" skipped="0">',
  )
  expect(missed.stdout).toContain(
    '<testcase name="409:plan_stale@execute" classname="svc-sim coverage">\n      <failure message="never seen">',
  )
  const tap = await runCli(['coverage', '--reporter', 'tap', ...required, ...at])
  expect(tap.stdout).toContain('not ok 1 - 409:plan_stale@execute')
})

test('behavior: coverage without --require fails nothing: what was not met is skipped', async () => {
  const { at } = await afterARefusal()
  const junit = await runCli(['coverage', '--reporter', 'junit', ...at])
  expect(junit.code).toBe(0)
  expect(junit.stdout).toMatch(
    /^ {2}<testsuite name="svc-sim coverage" tests="\d+" failures="0" skipped="\d+">$/m,
  )
  expect(junit.stdout).toContain(
    '<testcase name="409:plan_stale@execute" classname="svc-sim coverage">\n      <skipped message="never seen"/>',
  )
  const tap = await runCli(['coverage', '--reporter', 'tap', ...at])
  expect(tap.stdout).toMatch(/^ok \d+ - 409:plan_stale@execute # SKIP never seen$/m)
  expect(tap.stdout).not.toContain('not ok')
})

test('error: a required answer that is not documented is refused with what is', async () => {
  const { at } = await afterARefusal()
  const wrong = await runCli(['coverage', '--require', '404:plan_stale@execute', ...at])
  expect(wrong.stderr).toContain('--require 404:plan_stale@execute is not a documented response')
  expect(wrong.stderr).toContain('409:plan_stale@execute')
  expect(wrong.code).toBe(2)
  const nowhere = await runCli(['coverage', '--require', '200@nowhere', ...at])
  expect(nowhere.stderr).toContain('endpoints: ')
})
