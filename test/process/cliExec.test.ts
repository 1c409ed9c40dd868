import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type CliRun, cliFile, killRuns, runCli, startCli, startNpx } from '../kit/cli.js'
import { isAlive, markedBy, waitUntilNothingCarries } from '../kit/processes.js'

// What becomes of the command of `exec`, by what ends either of them. Needs `npm run build` before.

const isLinux = process.platform === 'linux'
const node = process.execPath

afterEach(killRuns)

/** A command that says what it is asked and does not go, nor does what it has started. */
const stubborn = `
  const { spawn } = require('node:child_process')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => console.log(signal))
  spawn('sh', ['-c', "trap '' INT TERM HUP; while :; do sleep 1000; done"], { stdio: 'ignore' })
  setInterval(() => {}, 1e6)
  console.log('runs ' + process.pid)`

test.each([
  ['SIGTERM', ['SIGTERM']],
  ['two signals at once, which are one request,', ['SIGINT', 'SIGTERM']],
] as const)('behavior: a command that ignores %s is killed at the next one', async (_, signals) => {
  const run = startCli(['exec', '--', node, '-e', stubborn])
  const [, pid] = await run.saying('stdout', /runs (\d+)/)
  for (const signal of signals) run.kill(signal)
  for (const signal of signals) await run.saying('stdout', new RegExp(`^${signal}$`, 'm'))
  expect(isAlive(Number(pid))).toBe(true)
  const impatient = setInterval(() => isAlive(Number(pid)) && run.kill('SIGTERM'), 50)
  const ended = await run.ended
  clearInterval(impatient)
  expect(ended).toEqual({ code: 137, signal: null })
  if (isLinux) await waitUntilNothingCarries(run.mark)
})

/** What a shell leaves in the background, in its session and in one of its own. */
const leaving = 'sleep 1001 & setsid sleep 1002 & echo left'

/** Of these, what still runs. */
const leftBy = (run: CliRun): string[] =>
  markedBy(run.mark, 'sleep')
    .map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[1]!)
    .sort()

/** A child that only SIGKILL ends, left by a command that ends at once when it is asked to. */
const leavingStubborn =
  'sh -c "trap \'\' INT TERM HUP; echo left; while :; do sleep 1000; done" & wait'

test.runIf(isLinux)(
  'behavior: what ignores every signal is killed after the command that left it',
  async () => {
    const run = startCli(['exec', '--', 'sh', '-c', leavingStubborn])
    await run.saying('stdout', /left/)
    run.kill('SIGTERM')
    expect(await run.ended).toEqual({ code: 143, signal: null })
    await waitUntilNothingCarries(run.mark)
  },
)

describe.runIf(isLinux)('behavior: what the command of exec leaves in the background', () => {
  const endAll = async (run: CliRun) => {
    for (const pid of markedBy(run.mark, 'sleep')) process.kill(pid, 'SIGKILL')
    await waitUntilNothingCarries(run.mark)
  }

  test('stays when the command ends by itself', async () => {
    const run = startCli(['exec', '--', 'sh', '-c', `(${leaving}) >/dev/null 2>&1`])
    expect(await run.ended).toEqual({ code: 0, signal: null })
    expect(leftBy(run)).toEqual(['1001', '1002'])
    await endAll(run)
  })

  // A shell's background ignores SIGINT, so that it outlives the shell.
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const)(
    'ends at %s of exec, but for what has a session of its own',
    async (signal) => {
      const run = startCli(['exec', '--', 'sh', '-c', `${leaving}; sleep 1003`])
      await run.saying('stdout', /left/)
      await vi.waitFor(() => expect(leftBy(run)).toEqual(['1001', '1002', '1003']))
      run.kill(signal)
      await vi.waitFor(() => expect(leftBy(run)).toEqual(['1002']), 10_000)
      await endAll(run)
    },
  )
})

test('error: a defect in exec ends its command, and the code is 1, whatever the command says', async () => {
  const command = [
    node,
    '-e',
    `process.on('SIGTERM', () => { console.log('asked to end'); process.exit(0) })
     console.log('running'); setInterval(() => {}, 1e6)`,
  ]
  const defect = `process.on('SIGUSR2', () => setImmediate(() => { throw new Error('nobody thought of this') }))`
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(defect)}`]
  const run = startCli(['exec', '--', ...command], { nodeArgs })
  await run.saying('stdout', /running/)
  run.kill('SIGUSR2')
  expect(await run.ended).toEqual({ code: 1, signal: null })
  expect(run.stdout).toContain('asked to end')
  expect(run.stderr).toContain('nobody thought of this')
})

/** By this word the command is known. */
const word = 'the-command-of-exec'

/** Makes the program that starts the command kill itself by SIGKILL, at the moment that the variable MOMENT names. */
const killer = `
  import childProcess from 'node:child_process'
  import { writeSync } from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'

  const kill = () => process.kill(process.pid, 'SIGKILL')
  const moments = {
    'at once': kill,
    'after the promises': () => void Promise.resolve().then(() => queueMicrotask(kill)),
    'after a turn': () => void setImmediate(kill),
    'after two turns': () => void setImmediate(() => setImmediate(kill)),
    'a little later': () => void setTimeout(kill, 5),
  }
  const { spawn } = childProcess
  childProcess.spawn = (command, args, options) => {
    const child = spawn(command, args, options)
    if (!args.includes('${word}')) return child
    writeSync(2, 'spawned ' + child.pid)
    moments[process.env.MOMENT]()
    return child
  }
  syncBuiltinESMExports()`
const killAtBirth = `--import=data:text/javascript,${encodeURIComponent(killer)}`

/** A command that no stop signal ends, with a child of its own that none ends either. */
const stubbornShell = ['sh', '-c', "trap '' INT TERM HUP; sleep 100000 & sleep 100000; :", word]

/** Resolves when the program has killed itself and nothing of it is left. */
async function expectNothingLeft(run: CliRun): Promise<void> {
  await run.saying('stderr', /spawned \d+/)
  await waitUntilNothingCarries(run.mark)
  await run.ended
  expect(markedBy(run.mark)).toEqual([])
}

// Who is left behind is looked up in /proc.
test
  .runIf(process.platform === 'linux')
  .each(['at once', 'after the promises', 'after a turn', 'after two turns', 'a little later'])(
  'behavior: SIGKILL of exec at the birth of its command, %s, takes the command along',
  async (moment) => {
    const options = { nodeArgs: [killAtBirth], env: { MOMENT: moment } }
    const run = startCli(['exec', '--', ...stubbornShell], options)
    await expectNothingLeft(run)
    expect(await run.ended).toEqual({ code: null, signal: 'SIGKILL' })
  },
)

test.runIf(process.platform === 'linux')(
  'behavior: SIGKILL of exec at the birth of its command, started by npx',
  async () => {
    const env = { MOMENT: 'at once', NODE_OPTIONS: killAtBirth }
    await expectNothingLeft(startNpx(['exec', '--', ...stubbornShell], { env }))
  },
)

test('behavior: the command gets the whole environment and its words as they are', async () => {
  const odd = { 'npm_config_my-registry': 'a b=c', 'with.dot': '' }
  const look = `
    const { 'npm_config_my-registry': first, 'with.dot': second, SVC_BASE_URL } = process.env
    console.log(JSON.stringify({ first, second, url: typeof SVC_BASE_URL, args: process.argv.slice(1) }))`
  const args = ['plain', 'with space', '$HOME', "it's", '']
  const { code, stdout } = await runCli(['exec', '--', process.execPath, '-e', look, ...args], {
    env: odd,
  })
  expect(JSON.parse(stdout)).toEqual({ first: 'a b=c', second: '', url: 'string', args })
  expect(code).toBe(0)
})

test('behavior: svc-sim in the command of exec finds the URL and the control token', async () => {
  const coverage = [process.execPath, cliFile, 'coverage']
  const start = ['exec', '--control-token', 'sekret', '--', ...coverage]
  const { code, stdout, stderr } = await runCli(start)
  expect(stderr).toMatch(/seen \d+ of \d+ documented responses/)
  expect(stdout).toContain('409:plan_stale@execute')
  expect(code).toBe(0)
  // The option wins over the variable.
  const wrong = await runCli([...start, '--control-token', 'other'])
  expect(wrong.stderr).toContain('Invalid control token')
  expect(wrong.code).toBe(1)
})

/** A client whose plan is refused, and that ends with this code. */
const refusedClient = (code: number): string => `
  const { SVC_BASE_URL, SVC_API_KEY } = process.env
  const headers = { authorization: 'Bearer ' + SVC_API_KEY, 'content-type': 'application/json' }
  const post = async (path, body) =>
    (await fetch(SVC_BASE_URL + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  const signer_address = '0x00000000000000000000000000000000000f41e7'
  const { account_id } = await post('/accounts', { signer_type: 'eoa', signer_address })
  const body = { asset: 'USDC', amount: '1', network: 'base', recipient: signer_address }
  await post('/accounts/' + account_id + '/plan/transfer', body)
  process.exitCode = ${code}`

test('behavior: what became of the accounts of a command that failed is said before the simulator ends', async () => {
  const trace = join(mkdtempSync(join(tmpdir(), 'svc-sim-exec-')), 'run.trace')
  const client = (code: number) => ['--', node, '--input-type=module', '-e', refusedClient(code)]
  const [failed, traced, good, quiet] = await Promise.all([
    runCli(['exec', ...client(3)]),
    runCli(['exec', '--trace', trace, ...client(3)]),
    runCli(['exec', ...client(0)]),
    runCli(['exec', '--quiet', ...client(3)]),
  ])
  expect([failed, traced, good, quiet].map(({ code }) => code)).toEqual([3, 3, 0, 3])
  expect(failed.stderr).toMatch(
    /^svc-sim: (acc_\w{12}): no plan of this account has been executed; the last refusal was POST \/accounts\/\1\/plan\/transfer: returned 400 plan_failed, because the plan needs .+ USDC on base, but the account can bring only 0 USDC there$/m,
  )
  expect(failed.stderr).toMatch(
    /^svc-sim: the full timeline: run it again with --trace run\.trace, then npx svc-sim ui run\.trace$/m,
  )
  expect(traced.stderr).toContain(`svc-sim: the full timeline: npx svc-sim ui ${trace}\n`)
  for (const { stderr } of [good, quiet]) expect(stderr).not.toContain('acc_')
})

describe('exec --require', () => {
  /** Reads the networks and, without a key, the accounts; then exits with the code that it is given. */
  const client = `
    const { SVC_BASE_URL: url, SVC_API_KEY: key } = process.env
    const headers = { authorization: 'Bearer ' + key }
    if ((await fetch(url + '/networks', { headers })).status !== 200) process.exit(5)
    await fetch(url + '/accounts')
    process.exit(Number(process.argv[1] ?? 0))`
  const execClient = (required: string[], code = 0) =>
    runCli([
      'exec',
      ...required.flatMap((cell) => ['--require', cell]),
      ...['--', node, '--input-type=module', '-e', client, `${code}`],
    ])
  const met = '401:missing_auth_header@GET accounts'

  test('default: passes with every response, and names each that is missing', async () => {
    expect(await execClient(['200@networks', met])).toMatchObject({ code: 0 })
    const missing = await execClient(['409:plan_stale@execute', met, '408:timeout@folio'])
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('never seen: 409:plan_stale@execute, 408:timeout@folio\n'),
    })
  })

  test('behavior: a command that fails keeps its code', async () => {
    const { code, stderr } = await execClient(['409:plan_stale@execute'], 7)
    expect(code).toBe(7)
    expect(stderr).not.toContain('never seen')
  })

  test('error: what is no documented response is refused before anything starts', async () => {
    const { code, stdout, stderr } = await execClient(['418:teapot@execute'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(
      '--require 418:teapot@execute is not a documented response; execute has',
    )
    expect(stderr).not.toContain('ready')
  })
})
