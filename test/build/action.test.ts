import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { variableOf } from '../../src/tools/cli/options/optionTable.js'
import { createProgram } from '../../src/tools/cli/program.js'
import { has, newJob, useAction } from '../kit/ciSteps.js'
import { startProgram } from '../kit/cli.js'
import { markVariable, waitUntilNothingCarries } from '../kit/processes.js'

// The examples for other people's CI, run as a runner runs them. Needs `npm run build` before.

// Each starts npx and a simulator, some twice.
vi.setConfig({ testTimeout: 180_000 })

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A suite that creates an account, and then fails if it is told to. */
const suite = (code: number) => `node --input-type=module -e '
  const { SVC_BASE_URL: url, SVC_API_KEY: key } = process.env
  const response = await fetch(url + "/accounts", {
    method: "POST",
    headers: { authorization: "Bearer " + key, "content-type": "application/json" },
    body: JSON.stringify({ signer_type: "eoa", signer_address: "0x" + "1a".repeat(20) }),
  })
  console.log("created", response.status)
  process.exit(${code})
'`

function kept(temp: string, name: string): string {
  return readFileSync(join(temp, 'svc-sim', name), 'utf8')
}

async function isGone(url: string): Promise<boolean> {
  return fetch(url).then(
    () => false,
    () => true,
  )
}

describe.runIf(has('bash'))('action.yml', () => {
  test('default: start, suite, coverage, stop; and once more in the same job', async () => {
    const job = newJob()
    const mark = `action-${process.pid}`
    job.env[markVariable] = mark
    for (const _ of ['first', 'second']) {
      const { outcome, ran, output, outputs, uploaded } = await useAction(job, { run: suite(0) })
      expect({ outcome, ran }).toEqual({
        outcome: 'success',
        ran: ['Start svc-sim', 'Run the suite', 'Tell the coverage', 'Stop svc-sim'],
      })
      expect(output).toContain('created 201')
      expect(output).toMatch(/seen {3} +1 {2}201@POST accounts\n/)
      expect(uploaded).toBeUndefined()
      expect(outputs.url).toBe(job.env.SVC_BASE_URL)
      expect(Object.keys(job.env).sort()).toEqual([
        'SVC_API_KEY',
        'SVC_BASE_URL',
        'SVC_CONTROL_URL',
        'SVC_RPC_ARBITRUM',
        'SVC_RPC_BASE',
        'SVC_RPC_MAINNET',
        'SVC_RPC_OPTIMISM',
        'SVC_RPC_POLYGON',
        markVariable,
      ])
      expect(await isGone(outputs.url!)).toBe(true)
      if (process.platform === 'linux') await waitUntilNothingCarries(mark)
    }
  })

  test('behavior: a red suite leaves journal, coverage and log, and no simulator', async () => {
    const job = newJob()
    const { outcome, ran, outputs, uploaded } = await useAction(job, { run: suite(3) })
    expect({ outcome, ran }).toEqual({
      outcome: 'failure',
      ran: [
        'Start svc-sim',
        'Run the suite!',
        'Keep journal and coverage',
        'Upload them',
        'Stop svc-sim',
      ],
    })
    for (const path of uploaded!.filter((each) => !each.endsWith('swarm')))
      expect([path, existsSync(path)]).toEqual([path, true])
    expect(kept(job.temp, 'journal.json')).toContain('"url":"/accounts"')
    expect(JSON.parse(kept(job.temp, 'coverage.json')).met).toBe(1)
    expect(kept(job.temp, 'start.log')).toContain('svc-sim: stopped')
    expect(await isGone(outputs.url!)).toBe(true)
  })

  test('behavior: with search the suite is searched, in a simulator for each run, and what was found is kept', async () => {
    const job = newJob()
    const search = '--runs=1\n--seed=1\n--jobs=1\n--profile=cut.yaml\n--shrink-runs=0'
    writeFileSync(join(job.project, 'cut.yaml'), 'effects:\n  request.reset_before: {}\n')
    const { outcome, ran, output, uploaded } = await useAction(job, { run: suite(0), search })
    expect({ outcome, ran }).toEqual({
      outcome: 'failure',
      ran: ['Search the suite!', 'Keep journal and coverage', 'Upload them'],
    })
    expect(output).toContain('gave_up: a request that has to be sent again')
    const [swarm] = uploaded!.filter((path) => path.endsWith('swarm'))
    expect(existsSync(join(swarm!, 'gave_up-request.reset_before.yaml'))).toBe(true)
    const never = { run: suite(0), search: `${search}\n--finding=hung` }
    expect(await useAction(job, never)).toMatchObject({ ran: ['Search the suite'] })
  })

  test('behavior: without run it stays for later steps, until it is stopped; a second start is refused', async () => {
    const job = newJob()
    const args = '--clock=frozen\n\n--seed=7\n--control-token=token-of-this-job'
    const { ran, outputs } = await useAction(job, { args })
    expect(ran).toEqual(['Start svc-sim'])
    // The steps that follow, and the suite, have the token.
    const headers = { authorization: `Bearer ${job.env.SVC_CONTROL_TOKEN}` }
    const clock = await (await fetch(`${job.env.SVC_CONTROL_URL}/clock`, { headers })).json()
    expect(clock).toMatchObject({ mode: 'frozen' })
    const again = await useAction(job, { run: 'true' })
    expect(again.outcome).toBe('failure')
    expect(again.output).toContain('::error::svc-sim runs already in this job')
    // The job is red by now, so that its end keeps what there is.
    const end = await useAction(job, { stop: 'true' })
    expect(end.ran).toEqual([
      'Tell the coverage',
      'Keep journal and coverage',
      'Upload them',
      'Stop svc-sim',
    ])
    expect(JSON.parse(kept(job.temp, 'coverage.json'))).toHaveProperty('documented')
    expect(await isGone(outputs.url!)).toBe(true)
    // Stopped twice, and stopped without a start: nothing to do.
    expect((await useAction(job, { stop: 'true' })).outcome).toBe('success')
  })

  test.each([
    ['on one line', '--seed=7\n--control-token=token-of-this-job'],
    ['on the line after the option', '--control-token\ntoken-of-this-job\n--seed=7'],
  ])('behavior: a control token %s is known to suite, coverage and journal', async (_, args) => {
    const job = newJob()
    const look = `node --input-type=module -e '
      const { SVC_CONTROL_URL: url, SVC_CONTROL_TOKEN: token } = process.env
      const asked = await fetch(url + "/clock", { headers: { authorization: "Bearer " + token } })
      console.log("clock", asked.status)
    '`
    const green = await useAction(job, { run: look, args })
    expect(green.outcome).toBe('success')
    expect(green.output).toContain('::add-mask::token-of-this-job\n')
    expect(green.output).toContain('clock 200')
    expect((await useAction(job, { run: 'exit 3', args })).ran).toEqual([
      'Start svc-sim',
      'Run the suite!',
      'Keep journal and coverage',
      'Upload them',
      'Stop svc-sim',
    ])
    expect(JSON.parse(kept(job.temp, 'coverage.json'))).toHaveProperty('documented')
  })

  test('behavior: a required answer that was not met makes it red', async () => {
    const job = newJob()
    const inputs = { run: suite(0), require: '201@POST accounts\n409:plan_stale@execute' }
    const { outcome, ran, output } = await useAction(job, inputs)
    expect(outcome).toBe('failure')
    expect(ran).toContain('Tell the coverage!')
    expect(output).toContain('never seen: 409:plan_stale@execute')
  })

  test('behavior: a simulator that dies under the suite is told, and hides nothing', async () => {
    const job = newJob()
    const kill = `kill -9 "$(cat ${join(job.temp, 'svc-sim/pid')})"; exit 4`
    const { outcome, ran, output } = await useAction(job, { run: kill })
    expect(outcome).toBe('failure')
    expect(ran.at(-1)).toBe('Stop svc-sim')
    expect(output).toContain('::warning::svc-sim tells no more: ')
  })

  test('error: a start that fails says why, and leaves nothing', async () => {
    const job = newJob()
    const { outcome, ran, output } = await useAction(job, { run: suite(0), args: '--clock=never' })
    expect({ outcome, ran }).toEqual({
      outcome: 'failure',
      ran: ['Start svc-sim!', 'Keep journal and coverage', 'Upload them', 'Stop svc-sim'],
    })
    expect(output).toMatch(/::error::svc-sim is not ready: svc-sim: --clock is "never", but/)
    expect(output).not.toContain('created')
    expect(existsSync(join(job.temp, 'svc-sim/pid'))).toBe(false)
  })

  test('error: one that is not ready in time is stopped', async () => {
    const job = newJob()
    const mark = `late-${process.pid}`
    job.env[markVariable] = mark
    const { outcome, output } = await useAction(job, { run: suite(0), wait: '0' })
    expect(outcome).toBe('failure')
    expect(output).toContain('::error::svc-sim is not ready')
    if (process.platform === 'linux') await waitUntilNothingCarries(mark)
  })
})

describe.runIf(has('curl'))('docs/ci/gitlab-ci.yml', () => {
  const { 'contract-tests': job } = parse(
    readFileSync(join(root, 'docs/ci/gitlab-ci.yml'), 'utf8'),
  ) as {
    'contract-tests': { script: string[]; variables: Record<string, string> }
  }
  const [first, script] = job.script

  test.each([
    ['green', 0, ['svc-sim-coverage.xml']],
    ['red', 3, ['svc-sim-coverage.xml', 'svc-sim-journal.json']],
  ])('%s', async (_, code, files) => {
    expect(first).toBe('npm ci')
    const { project } = newJob()
    writeFileSync(join(project, 'suite.sh'), suite(code))
    const env = { ...job.variables, SUITE: 'sh suite.sh' }
    const run = startProgram('sh', ['-e', '-c', script!], { cwd: project, env })
    expect((await run.ended).code).toBe(code)
    expect(run.stdout).toContain('created 201')
    const made = ['svc-sim-coverage.xml', 'svc-sim-journal.json'].filter((name) =>
      existsSync(join(project, name)),
    )
    expect(made).toEqual(files)
    expect(readFileSync(join(project, 'svc-sim-coverage.xml'), 'utf8')).toContain(
      '201@POST accounts',
    )
  })
})

test('behavior: the reusable workflow gives the action inputs that it has', () => {
  const read = (file: string) => parse(readFileSync(join(root, file), 'utf8'))
  const { inputs } = read('action.yml') as { inputs: object }
  const { jobs } = read('docs/ci/svc-sim.yml') as {
    jobs: Record<string, { steps: { uses?: string; with?: object }[] }>
  }
  const step = jobs['contract-tests']!.steps.find(({ uses }) => uses?.endsWith('/actions/svc-sim'))!
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step.with!)))
})

/** The variables of the options of `svc-sim start`. */
function variablesOfStart(): string[] {
  const start = createProgram(() => {}).commands.find((command) => command.name() === 'start')!
  return start.options.map(({ long }) => variableOf(long!.slice(2)))
}

test('behavior: every setting in the image and in compose is an option of start', () => {
  const files = [
    'Dockerfile',
    'docker/start.sh',
    'docker/healthy.mjs',
    'docs/ci/compose.yml',
    'docs/ci.md',
  ]
  const text = files.map((file) => readFileSync(join(root, file), 'utf8')).join('')
  const variables = new Set([...text.matchAll(/SVC_SIM_[A-Z_]+/g)].map(([name]) => name))
  expect(variables.size).toBeGreaterThan(4)
  for (const name of variables) expect(variablesOfStart()).toContain(name)
})

test('behavior: every setting in deploy is an option of start', () => {
  const files = ['compose.yml', 'simulators.yaml']
  const text = files.map((file) => readFileSync(join(root, 'deploy', file), 'utf8')).join('')
  const variables = new Set([...text.matchAll(/SVC_SIM_[A-Z_]+/g)].map(([name]) => name))
  expect(variables.size).toBe(5)
  for (const name of variables) expect(variablesOfStart()).toContain(name)
})

test('behavior: the documentation of the action has its inputs, and no others', () => {
  const { inputs } = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as { inputs: object }
  const rows = readFileSync(join(root, 'docs/ci.md'), 'utf8').matchAll(/^\| `(\w+)` \|/gm)
  expect([...rows].map(([, name]) => name).sort()).toEqual(Object.keys(inputs).sort())
})
