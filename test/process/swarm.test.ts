import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { loadScenario } from '../../src/clients/scenarios/load.js'
import { swarm } from '../../src/index.js'
import { readTrace } from '../../src/observe/trace/traceFile.js'
import { swarmReporters } from '../../src/tools/swarm/reporters.js'
import { installLibrary, killRuns, startCli } from '../kit/cli.js'
import { childrenOf, waitUntilGone } from '../kit/processes.js'

const page = await readFile(fileURLToPath(new URL('../../docs/swarm.md', import.meta.url)), 'utf8')

/** A folder with the clients of docs/swarm.md, and a profile in which their one defect always shows. */
const cwd = await mkdtemp(join(tmpdir(), 'svc-sim-swarm-'))
installLibrary(cwd)
for (const [, name, text] of page.matchAll(/^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm))
  await writeFile(join(cwd, name!), text!)
await writeFile(
  join(cwd, 'lost.yaml'),
  'most_rules: 2\neffects:\n  execute.response_lost: {}\n  request.latency: { weight: 0.1 }\n',
)

await writeFile(join(cwd, 'slow.yaml'), 'effects:\n  request.latency: {}\n')

/** A client of one request. */
const asksOnce = `const { status } = await fetch(process.env.SVC_BASE_URL + '/networks', {
  headers: { authorization: 'Bearer ' + process.env.SVC_API_KEY },
})
if (status !== 200) process.exit(1)`

async function svcSim(...args: string[]) {
  // The vitest that runs this test is not that of the command.
  const env = { VITEST: undefined, TEST: undefined, NODE_ENV: undefined }
  const run = startCli(args, { cwd, env })
  const { code } = await run.ended
  return { code, stdout: run.stdout, stderr: run.stderr }
}

afterEach(killRuns)

const searching = ['swarm', '--seed', '1', '--jobs', '1', '--reporter', 'json'] as const

test('default: the defect of docs/swarm.md is found, shrunk to one rule, and its files fail until it is mended', async () => {
  const searched = await svcSim(
    ...searching,
    ...['--runs', '3', '--profile', 'lost.yaml', '--', 'node', 'pay.mjs'],
  )
  expect(searched).toMatchObject({ code: 1 })
  const { baseline, runs, findings } = JSON.parse(searched.stdout)
  expect({ baseline, runs }).toEqual({ baseline: { exit: 0, executions: 1 }, runs: 3 })
  const { single_faults, not_confirmed } = JSON.parse(searched.stdout)
  expect({ tried: single_faults.tried, not_confirmed }).toEqual({ tried: 3, not_confirmed: [] })
  expect(searched.stderr).toMatch(/found: moved_twice: a lost response to an execution \(after/)
  expect(findings).toEqual([
    expect.objectContaining({
      kind: 'moved_twice',
      rules: [{ on: 'execute', effect: 'response_lost', match: { kind: 'transfer' }, times: 1 }],
      scenario: join('swarm', 'moved_twice-execute.response_lost.yaml'),
      reproduced: '3 of 3',
      message: expect.stringContaining('2 times; without faults it did so once'),
      timeline: expect.stringContaining('POST /accounts/'),
    }),
  ])
  // It ends with the second payment, though the client goes on.
  expect(findings[0].timeline).toMatch(/event \d+: activity \S+ is confirmed\n( {30}.*\n)*\nnow: /)
  const [{ scenario, trace }] = findings
  const { content } = await readTrace(join(cwd, trace))
  expect(content.journal.exchanges.filter(({ url }) => url.endsWith('/execute'))).toHaveLength(2)

  // As the report says, which is the command that replays scenarios and failed probes as well.
  const report = swarmReporters.pretty(JSON.parse(searched.stdout), ['node', 'pay.mjs'])
  const [, first] = /Try it:\n +npx svc-sim (.*)\n/.exec(report) ?? []
  expect(first).toBe(`scenario run ${scenario} -- node pay.mjs`)
  const failing = await svcSim(...first!.split(' '))
  expect(failing).toMatchObject({ code: 1, stderr: expect.stringContaining('moved_twice: ') })
  const mended = await svcSim('exec', '--scenario', scenario, '--', 'node', 'pay-fixed.mjs')
  expect(mended).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('passed: the same outcome as without faults'),
  })
  const replayed = await svcSim(...searching, '--replay', scenario, '--', 'node', 'pay.mjs')
  expect(replayed).toMatchObject({ code: 1 })
  expect(JSON.parse(replayed.stdout).findings).toMatchObject([
    { kind: 'moved_twice', reproduced: '3 of 3' },
  ])
  const survived = await svcSim(...searching, '--replay', scenario, '--', 'node', 'pay-fixed.mjs')
  expect(survived).toMatchObject({ code: 0 })
  expect(JSON.parse(survived.stdout)).toMatchObject({ runs: 3, findings: [] })
}, 180_000)

test('behavior: the mended client survives, and the answer is 0', async () => {
  const searched = await svcSim(...searching, '--runs', '10', '--', 'node', 'pay-fixed.mjs')
  expect(searched).toMatchObject({ code: 0 })
  expect(JSON.parse(searched.stdout)).toMatchObject({ runs: 10, findings: [] })
}, 180_000)

/** Supplies to another market when the first one fails; with an argument, it does not look. */
const suppliesElsewhere = `import { createSvcClient, newSigner } from 'svc-sim/client'

const { SVC_BASE_URL: baseUrl, SVC_API_KEY: apiKey, SVC_CONTROL_URL } = process.env
const client = createSvcClient({ baseUrl, apiKey })
const { address, privateKey } = await newSigner()
const { account_id } = await client.openAccount(address)
await fetch(SVC_CONTROL_URL + '/fund', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ account_id, asset: 'USDC', amount: '9000000', network: 'base' }),
})
for (const protocol of ['compound', 'aave']) {
  const supply = { asset: 'USDC', amount: '6000000', network: 'base', protocol }
  const { execution } = await client.signAndExecute(account_id, 'earn', supply, privateKey)
  const { activity_status } = await client.waitForActivity(account_id, execution.activity_id)
  if (activity_status === 'confirmed' || process.argv[2] === 'blind') process.exit(0)
}
process.exit(1)`

test('behavior: the same value in another market is no finding, nor in the file of one that has left it out', async () => {
  await writeFile(join(cwd, 'elsewhere.mjs'), suppliesElsewhere)
  await writeFile(join(cwd, 'revert.yaml'), 'effects:\n  execute.revert: {}\n')
  const reverts = [...searching, '--runs', '2', '--profile', 'revert.yaml', '--out', 'elsewhere']
  const blind = await svcSim(...reverts, '--', 'node', 'elsewhere.mjs', 'blind')
  const { findings } = JSON.parse(blind.stdout)
  expect(findings).toMatchObject([{ kind: 'lost_track', reproduced: '3 of 3' }])
  const [{ scenario }] = findings
  expect(loadScenario(join(cwd, scenario)).outcome!.prices).toMatchObject({ USDC: '1' })

  const failing = ['exec', '--scenario', scenario, '--', 'node', 'elsewhere.mjs', 'blind']
  expect(await svcSim(...failing)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('lost_track: '),
  })
  expect(await svcSim(...failing.slice(0, -1))).toMatchObject({ code: 0 })
  const searched = await svcSim(...reverts, '--', 'node', 'elsewhere.mjs')
  expect(JSON.parse(searched.stdout)).toMatchObject({ runs: 2, findings: [] })
}, 180_000)

/** A suite as the fixtures are used; its client pays again when it gets no response. */
const suite = `import { expect, test } from 'svc-sim/vitest'

const payment = { asset: 'USDC', amount: '1000000', network: 'base', recipient: '0x' + 'de'.repeat(20) }
test('pays', async ({ account, client }) => {
  const pay = async (tries) => {
    const plan = await client.plan(account.id, 'transfer', payment)
    try {
      return await client.execute(account.id, plan, account.privateKey)
    } catch (error) {
      if (tries <= 1) throw error
      return pay(tries - 1)
    }
  }
  const { activity_id } = await pay(5)
  const activity = await client.waitForActivity(account.id, activity_id)
  expect(activity.activity_status).toBe('confirmed')
})`

test('default: a suite of the vitest fixtures is searched as well, and meets the scenario that was found', async () => {
  await writeFile(join(cwd, 'pay.test.js'), suite)
  const vitest = ['node', 'node_modules/vitest/vitest.mjs', 'run', 'pay.test.js']
  const searched = await svcSim(
    ...searching,
    ...['--runs', '3', '--profile', 'lost.yaml', '--out', 'suite', '--', ...vitest],
  )
  expect(searched, searched.stderr).toMatchObject({ code: 1 })
  const { baseline, findings } = JSON.parse(searched.stdout)
  expect(baseline).toEqual({ exit: 0, executions: 1 })
  expect(findings).toEqual([expect.objectContaining({ kind: 'moved_twice' })])
  const again = await svcSim('exec', '--scenario', findings[0].scenario, '--', ...vitest)
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('moved_twice: ') })
}, 180_000)

test('error: 2 when the command fails without faults, asks nothing, or cannot be run', async () => {
  const [failing, silent, missing] = await Promise.all([
    svcSim('swarm', '--', 'node', '-e', 'console.error("no luck"); process.exit(3)'),
    svcSim('swarm', '--', 'node', '-e', ''),
    svcSim('swarm', '--', 'no-such-command'),
  ])
  expect(failing).toMatchObject({ code: 2, stderr: expect.stringContaining('ended with 3') })
  expect(failing.stderr).toContain('no luck')
  expect(silent).toMatchObject({ code: 2, stderr: expect.stringContaining('sent no request') })
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('not found') })
})

test('behavior: --bail ends the search at its first finding, and --finding leaves all others out; the folder may be there', async () => {
  await mkdir(join(cwd, 'there', 'moved_twice-execute.response_lost.yaml.old'), { recursive: true })
  await writeFile(
    join(cwd, 'there', 'moved_twice-execute.response_lost.yaml'),
    'of an earlier search',
  )
  const words = ['--jobs', '2', '--profile', 'lost.yaml', '--', 'node', 'pay.mjs']
  const [bailed, others] = await Promise.all([
    svcSim(
      ...searching,
      '--for',
      '10m',
      '--bail',
      '1',
      '--shrink-runs',
      '1',
      '--out',
      'there',
      ...words,
    ),
    svcSim(...searching, '--runs', '2', '--finding', 'hung', '--finding', 'gave_up', ...words),
  ])
  expect(bailed).toMatchObject({ code: 1 })
  expect(JSON.parse(bailed.stdout).findings).toMatchObject([{ kind: 'moved_twice' }])
  expect((await readdir(join(cwd, 'there'))).sort()).toEqual([
    'moved_twice-execute.response_lost.trace',
    'moved_twice-execute.response_lost.yaml',
    'moved_twice-execute.response_lost.yaml.old',
    'search.json',
  ])
  const written = await readFile(
    join(cwd, 'there', 'moved_twice-execute.response_lost.yaml'),
    'utf8',
  )
  expect(written).toContain('response_lost')
  expect(others).toMatchObject({ code: 0 })
  expect(JSON.parse(others.stdout)).toMatchObject({ runs: 2, findings: [] })
}, 180_000)

test('behavior: --resume goes on behind the last run of an earlier search, with its findings; the start is today', async () => {
  await writeFile(
    join(cwd, 'today.mjs'),
    `const headers = { authorization: 'Bearer ' + process.env.SVC_API_KEY }
const { headers: told } = await fetch(process.env.SVC_BASE_URL + '/networks', { headers })
if (Math.abs(Date.parse(told.get('date')) - Date.now()) > 600_000) process.exit(4)`,
  )
  const words = ['--jobs', '1', '--profile', 'slow.yaml', '--runs', '1', '--reporter', 'json']
  const first = await svcSim(
    'swarm',
    '--seed',
    '7',
    '--out',
    'begun',
    ...words,
    '--',
    'node',
    'today.mjs',
  )
  expect(first, first.stderr).toMatchObject({ code: 0 })
  const [again, none] = await Promise.all([
    svcSim('swarm', '--resume', 'begun', ...words, '--', 'node', 'today.mjs'),
    svcSim('swarm', '--resume', 'nowhere', ...words, '--', 'node', 'today.mjs'),
  ])
  expect(again).toMatchObject({ code: 0 })
  expect(JSON.parse(again.stdout)).toMatchObject({
    ...{ seed: 7, runs: 2, single_faults: { tried: 1, of: 1 } },
  })
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no such file') })
}, 120_000)

test('behavior: --for bounds a search without --runs', async () => {
  const words = ['--profile', 'lost.yaml', '--', 'node', 'pay-fixed.mjs']
  const searched = await svcSim(...searching, '--for', '1s', ...words)
  expect(searched).toMatchObject({ code: 0 })
  expect(JSON.parse(searched.stdout)).toMatchObject({ seed: 1, findings: [] })
  expect(JSON.parse(searched.stdout).runs).toBeGreaterThan(0)
}, 180_000)

test('error: 2 for options that make no sense, with the values that are allowed', async () => {
  const leavesMark = ['--', 'node', '-e', 'require("node:fs").writeFileSync("ran", "")']
  const [none, unknown, elsewhere, file, system] = await Promise.all([
    svcSim('swarm', '--bail', '0', '--', 'node', 'pay.mjs'),
    svcSim('swarm', '--finding', 'lost', '--', 'node', 'pay.mjs'),
    svcSim('swarm', '--out', 'pay.mjs/found', ...leavesMark),
    svcSim('swarm', '--out', 'pay.mjs', ...leavesMark),
    // Nobody may write there, root included.
    svcSim('swarm', '--out', process.platform === 'linux' ? '/proc' : 'pay.mjs', ...leavesMark),
  ])
  expect(none.stderr).toContain('--bail is 0')
  expect(unknown.stderr).toContain('moved_twice')
  for (const { stderr } of [elsewhere, file, system])
    expect(stderr).toMatch(/Cannot write to the folder \S+: .* Choose another one with --out\./)
  expect([none, unknown, elsewhere, file, system].map(({ code }) => code)).toEqual([2, 2, 2, 2, 2])
  expect(existsSync(join(cwd, 'ran'))).toBe(false)
})

test('error: 2 for a profile with a misspelled setting, and for one that never fires', async () => {
  await writeFile(
    join(cwd, 'misspelled.yaml'),
    'effects:\n  request.latency: {}\n  execute.stuck: { settings: { secs: [30, 120] } }\n',
  )
  await writeFile(join(cwd, 'unmet.yaml'), 'effects:\n  bridge.delay: {}\n')
  const client = ['--', 'node', '--input-type=module', '-e', asksOnce]
  const [misspelled, unmet] = await Promise.all(
    ['misspelled.yaml', 'unmet.yaml'].map((profile) =>
      svcSim('swarm', '--profile', profile, '--runs', '1', ...client),
    ),
  )
  expect(misspelled).toMatchObject({ code: 2, stdout: '' })
  expect(misspelled!.stderr).toContain(
    'The profile misspelled.yaml cannot be used: effects.execute.stuck.settings: "secs" does not exist; known fields: seconds;',
  )
  expect(unmet).toMatchObject({ code: 2, stdout: '' })
  expect(unmet!.stderr).toContain(
    'No effect of the profile unmet.yaml can fire at this client: bridge.delay.',
  )
}, 120_000)

test('behavior: --jobs is how many runs there are at once: two, and never three', async () => {
  let [asked, atOnce, most] = [0, 0, 0]
  const waiting: (() => void)[] = []
  // Answers the two runs without faults at once, and each later one when another has come.
  const meeting = createServer((_, response) => {
    asked++
    const go = (): void => {
      atOnce--
      response.end()
    }
    most = Math.max(most, ++atOnce)
    if (asked <= 2) go()
    else if (waiting.push(go) === 2) for (const each of waiting.splice(0)) each()
  })
  await new Promise<void>((resolve) => meeting.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = meeting.address() as AddressInfo
    const met = `await fetch('http://127.0.0.1:${port}')\n${asksOnce}`
    const client = ['--', 'node', '--input-type=module', '-e', met]
    const words = ['--seed', '1', '--jobs', '2', '--runs', '6', '--reporter', 'json', ...client]
    const searched = await svcSim('swarm', '--profile', 'slow.yaml', ...words)
    expect(searched).toMatchObject({ code: 0 })
    expect(JSON.parse(searched.stdout)).toMatchObject({ runs: 6, findings: [] })
    expect({ asked, most }).toEqual({ asked: 8, most: 2 })
  } finally {
    meeting.close()
  }
}, 120_000)

/** A client that hangs once it has met so many refusals, in all of its runs together, and says so in a file; before, it fails at them. */
const hangsAt = (
  refusals: number,
) => `const { appendFileSync, readFileSync, writeFileSync } = require('node:fs')
const refused = () => {
  appendFileSync('refused', '.')
  if (readFileSync('refused').length < ${refusals}) process.exit(3)
  writeFileSync('hangs', '')
  setInterval(() => {}, 1_000)
}
fetch(process.env.SVC_BASE_URL + '/networks', {
  headers: { authorization: 'Bearer ' + process.env.SVC_API_KEY },
}).then(({ status }) => status === 200 || refused(), refused)`

/** A search whose client hangs at one of its refusals, with the processes of its world and its client. */
async function endlessSearch(refusals: number) {
  for (const file of ['hangs', 'refused']) await rm(join(cwd, file), { force: true })
  await writeFile(
    join(cwd, 'refused.yaml'),
    'most_rules: 1\neffects:\n  request.respond: { settings: { error: internal_error } }\n',
  )
  const words = ['--runs', '5', '--profile', 'refused.yaml', '--timeout', '600']
  const run = startCli([...searching, ...words, '--', 'node', '-e', hangsAt(refusals)], { cwd })
  const held = await vi.waitFor(
    () => {
      expect(existsSync(join(cwd, 'hangs'))).toBe(true)
      const children = childrenOf(run.pid, 'node')
      const nodes = children.flatMap((pid) => childrenOf(pid, 'anvil'))
      expect(nodes).toHaveLength(5)
      expect(children).toHaveLength(2)
      return [...children, ...nodes]
    },
    { timeout: 60_000, interval: 20 },
  )
  return { run, held }
}

test('behavior: killed in the middle, a search leaves neither a world nor the client behind', async () => {
  const { run, held } = await endlessSearch(1)
  run.kill('SIGKILL')
  await run.ended
  await waitUntilGone(held)
}, 120_000)

test('behavior: Ctrl-C ends the search, what was found so far is reported, and nothing is left', async () => {
  const { run, held } = await endlessSearch(1)
  run.kill('SIGINT')
  expect(await run.ended).toEqual({ code: 3, signal: null })
  expect(JSON.parse(run.stdout)).toMatchObject({ baseline: { exit: 0 }, findings: [] })
  await waitUntilGone(held)
}, 120_000)

test('behavior: Ctrl-C while a finding is run again: it is reported as it was found, with its scenario', async () => {
  const { run, held } = await endlessSearch(2)
  run.kill('SIGINT')
  expect(await run.ended).toEqual({ code: 1, signal: null })
  const { findings } = JSON.parse(run.stdout)
  expect(findings).toMatchObject([{ kind: 'gave_up', reproduced: '0 of 0', trace: '' }])
  const { faults } = loadScenario(join(cwd, findings[0].scenario))
  expect(faults).toEqual(findings[0].rules)
  await waitUntilGone(held)
}, 120_000)

test('behavior: a function is searched as a command is', async () => {
  const out = join(cwd, 'library')
  const profile = join(cwd, 'lost.yaml')
  let runs = 0
  const report = await swarm({ runs: 2, seed: 1, jobs: 1, profile, out }, async (world) => {
    runs++
    const response = await fetch(`${world.url}/accounts`, {
      headers: { authorization: `Bearer ${world.apiKey}` },
    })
    // A latency of any length is no failure.
    if (!response.ok) throw new Error(`${response.status}`)
  })
  expect(report).toMatchObject({ runs: 2, findings: [], baseline: { exit: 0, executions: 0 } })
  expect(runs).toBe(4)
})
