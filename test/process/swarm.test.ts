import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { swarm } from '../../src/index.js'
import { readTrace } from '../../src/observe/trace/traceFile.js'
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

async function svcSim(...args: string[]) {
  const run = startCli(args, { cwd })
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
  expect(findings).toEqual([
    expect.objectContaining({
      kind: 'moved_twice',
      rules: [{ on: 'execute', effect: 'response_lost', match: { kind: 'transfer' }, times: 1 }],
      scenario: join('swarm', 'moved_twice-lost_answer.yaml'),
      reproduced: '3 of 3',
      message: expect.stringContaining('2 times; without faults it did so once'),
      timeline: expect.stringContaining('POST /accounts/'),
    }),
  ])
  const [{ scenario, trace }] = findings
  const { content } = await readTrace(join(cwd, trace))
  expect(content.journal.exchanges.filter(({ url }) => url.endsWith('/execute'))).toHaveLength(2)

  const failing = await svcSim('exec', '--scenario', scenario, '--', 'node', 'pay.mjs')
  expect(failing).toMatchObject({ code: 1, stderr: expect.stringContaining('moved_twice: ') })
  const mended = await svcSim('exec', '--scenario', scenario, '--', 'node', 'pay-fixed.mjs')
  expect(mended).toMatchObject({ code: 0 })
  const replayed = await svcSim(...searching, '--replay', scenario, '--', 'node', 'pay.mjs')
  expect(replayed).toMatchObject({ code: 1 })
  expect(JSON.parse(replayed.stdout).findings).toMatchObject([
    { kind: 'moved_twice', reproduced: '3 of 3' },
  ])
}, 180_000)

test('behavior: the mended client survives, and the answer is 0', async () => {
  const searched = await svcSim(...searching, '--runs', '10', '--', 'node', 'pay-fixed.mjs')
  expect(searched).toMatchObject({ code: 0 })
  expect(JSON.parse(searched.stdout)).toMatchObject({ runs: 10, findings: [] })
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

test('behavior: --bail ends the search at its first finding, and --finding leaves all others out', async () => {
  const words = ['--jobs', '2', '--profile', 'lost.yaml', '--', 'node', 'pay.mjs']
  const [bailed, others] = await Promise.all([
    svcSim(...searching, '--for', '10m', '--bail', '1', '--shrink-runs', '1', ...words),
    svcSim(...searching, '--runs', '2', '--finding', 'hung', '--finding', 'gave_up', ...words),
  ])
  expect(bailed).toMatchObject({ code: 1 })
  expect(JSON.parse(bailed.stdout).findings).toMatchObject([{ kind: 'moved_twice' }])
  expect(others).toMatchObject({ code: 0 })
  expect(JSON.parse(others.stdout)).toMatchObject({ runs: 2, findings: [] })
}, 180_000)

test('behavior: --for bounds a search without --runs', async () => {
  const words = ['--profile', 'lost.yaml', '--', 'node', 'pay-fixed.mjs']
  const searched = await svcSim(...searching, '--for', '1s', ...words)
  expect(searched).toMatchObject({ code: 0 })
  expect(JSON.parse(searched.stdout)).toMatchObject({ seed: 1, findings: [] })
  expect(JSON.parse(searched.stdout).runs).toBeGreaterThan(0)
}, 180_000)

test('error: 2 for options that make no sense, with the values that are allowed', async () => {
  const [none, unknown, elsewhere] = await Promise.all([
    svcSim('swarm', '--bail', '0', '--', 'node', 'pay.mjs'),
    svcSim('swarm', '--finding', 'lost', '--', 'node', 'pay.mjs'),
    svcSim('swarm', '--out', 'pay.mjs/found', '--runs', '1', '--', 'node', 'pay-fixed.mjs'),
  ])
  expect(none.stderr).toContain('--bail is 0')
  expect(unknown.stderr).toContain('moved_twice')
  expect(elsewhere.stderr).toContain('Cannot create the folder pay.mjs/found')
  expect([none.code, unknown.code, elsewhere.code]).toEqual([2, 2, 2])
})

/** A client that hangs in its first run with a fault, and says so in a file. */
const endless = `const hang = () => {
  require('node:fs').writeFileSync('hangs', '')
  setInterval(() => {}, 1_000)
}
fetch(process.env.SVC_BASE_URL + '/networks', {
  headers: { authorization: 'Bearer ' + process.env.SVC_API_KEY },
}).then(({ status }) => status === 200 || hang(), hang)`

/** A search whose client hangs, with the processes of its world and its client. */
async function endlessSearch() {
  await rm(join(cwd, 'hangs'), { force: true })
  await writeFile(
    join(cwd, 'refused.yaml'),
    'most_rules: 1\neffects:\n  request.respond: { settings: { error: internal_error } }\n',
  )
  const words = ['--runs', '5', '--profile', 'refused.yaml', '--timeout', '600']
  const run = startCli([...searching, ...words, '--', 'node', '-e', endless], { cwd })
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
  const { run, held } = await endlessSearch()
  run.kill('SIGKILL')
  await run.ended
  await waitUntilGone(held)
}, 120_000)

test('behavior: Ctrl-C ends the search, what was found so far is reported, and nothing is left', async () => {
  const { run, held } = await endlessSearch()
  run.kill('SIGINT')
  expect(await run.ended).toEqual({ code: 0, signal: null })
  expect(JSON.parse(run.stdout)).toMatchObject({ baseline: { exit: 0 }, findings: [] })
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
