import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { commandNames, commandsOf } from '../../simulator/options/optionSpec.js'
import { optionNames, optionSpecs } from './options/optionTable.js'
import { groupOf, run } from './program.js'

// What is wrong with a command line is found before any node is started, so this runs in the test's own process.

let output: { stdout: string; stderr: string }
let folder: string

beforeEach(() => {
  output = { stdout: '', stderr: '' }
  folder = mkdtempSync(join(tmpdir(), 'svc-sim-program-'))
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text, done?: unknown) => {
      output[name] += text
      if (typeof done === 'function') done()
      return true
    })
  }
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

// A program hears signals until it ends; this process goes on.
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const heard = new Set(signals.flatMap((signal) => process.listeners(signal)))
afterAll(() => {
  for (const signal of signals)
    for (const listener of process.listeners(signal))
      if (!heard.has(listener)) process.off(signal, listener)
})

async function fails(...args: string[]): Promise<string> {
  expect(await run(args)).toBe(2)
  expect(output.stdout).toBe('')
  return output.stderr
}

test('default: help and version are no errors', async () => {
  expect(await run(['--help'])).toBe(0)
  for (const command of ['start', 'exec', 'fund', 'openapi', 'data', 'doctor'])
    expect(output.stdout).toContain(`\n  ${command} `)
  output.stdout = ''
  expect(await run(['--version'])).toBe(0)
  expect(output.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('behavior: the help of a command names flag and default of each option, in groups, and two examples', async () => {
  expect(await run(['start', '--help'])).toBe(0)
  const help = output.stdout.replace(/\s+/g, ' ')
  expect(help).toContain('--host <HOST>')
  expect(help).toContain('(default: 127.0.0.1)')
  expect(help).toContain('a random one, printed at the start) (repeatable)')
  expect(help).not.toContain('--account')
  expect(help).not.toContain('SVC_SIM_')
  expect(help).toMatch(
    /Address and access: --port .* State and time: --data-dir .* Forks: --fork .* Faults and records: --scenario .* Output: --json /,
  )
  expect(help).toContain('Examples: svc-sim start svc-sim start --clock auto --data-dir sim-data')
  for (const name of commandNames) {
    output.stdout = ''
    expect(await run([name, '--help'])).toBe(0)
    expect(output.stdout.match(new RegExp(`^  svc-sim ${name}\\b`, 'gm')), name).toHaveLength(2)
  }
})

test('behavior: the options of start and exec each have a group', () => {
  for (const command of ['start', 'exec'] as const)
    for (const option of optionNames)
      if (commandsOf(optionSpecs[option]).includes(command))
        expect(groupOf(command, option), option).toBeDefined()
})

test('behavior: the help begins with the commands that most people need', async () => {
  await run(['--help'])
  expect(output.stdout.replace(/\s+/g, ' ')).toMatch(
    /Start here: start .* exec .* env .* why .* doctor .* More commands: fund /,
  )
})

test('behavior: the help of a command speaks of that command alone', async () => {
  const specs = Object.entries(optionSpecs)
  const names = [...new Set(specs.flatMap(([, spec]) => commandsOf(spec)))]
  for (const name of names) {
    output.stdout = ''
    expect(await run([name, '--help'])).toBe(0)
    const help = output.stdout.replace(/\s+/g, ' ')
    const others = names.filter((other) => other !== name).join('|')
    expect(help).not.toMatch(new RegExp(`\\b(${others}): |\\b(with|not) (${others})\\b`))
  }
  for (const [option, spec] of specs)
    expect([option, commandsOf(spec)]).toEqual([
      option,
      expect.arrayContaining([...(spec.once ?? [])]),
    ])
  output.stdout = ''
  await run(['fund', '--help'])
  const fund = output.stdout.replace(/\s+/g, ' ')
  expect(fund).toContain('sub-account whose wallet gets the funds (acc_...); required')
  expect(fund).not.toMatch(/bundle|repeatable|verify|agent/)
})

test('error: no command, an unknown one, an unknown option, a word too many', async () => {
  const hint = 'See "svc-sim --help"'
  expect(await fails()).toContain('Usage: svc-sim')
  expect(await fails('strat')).toContain(`unknown command 'strat'\n(Did you mean start?)\n${hint}`)
  for (const word of ['fault', 'faults', 'clock', 'snapshot', 'snapshots', 'reset', 'restore'])
    expect(await fails(word)).toMatch(
      new RegExp(
        `unknown command '${word}'\\. Use the control API for this, for example with curl: \\S*docs/guides/shell\\.md has the requests\\.\n${hint}`,
      ),
    )
  expect(await fails('start', '--prot', '1')).toContain(
    `unknown option '--prot'\n(Did you mean --port?)\n${hint}`,
  )
  expect(await fails('start', 'now')).toContain("too many arguments for 'start'")
  expect(await fails('start', '--port')).toContain("option '--port <N>' argument missing")
})

test('error: exec without a command to run', async () => {
  expect(await fails('exec', '--port', '0', '--')).toContain("missing required argument 'command'")
})

test('error: exec of a program that is not there: nothing is started', async () => {
  expect(await run(['exec', '--', 'no-such-program'])).toBe(127)
  expect(output.stderr).toContain(
    'svc-sim: cannot run no-such-program: not found; is it installed, and in the PATH?\n',
  )
  expect(output.stderr).not.toContain('ready at')
})

test('error: exec knows no --json, because its output is the output of the command', async () => {
  expect(await fails('exec', '--json', '--', 'true')).toContain("unknown option '--json'")
})

test('error: a bad value, from the command line and from the environment', async () => {
  expect(await fails('start', '--port', 'http')).toContain('--port is "http", but it must be')
  vi.stubEnv('SVC_SIM_SEED', 'lucky')
  expect(await fails('start')).toContain('the environment variable SVC_SIM_SEED is "lucky"')
})

test('error: a command with several scenarios, or on a running simulator', async () => {
  const two = await fails('scenario', 'run', 'a.yaml', 'b.yaml', '--', 'true')
  expect(two).toContain('a command runs with one scenario, but 2 are given.')
  const url = 'http://127.0.0.1:1'
  const there = await fails('scenario', 'run', 'a.yaml', '--base-url', url, '--', 'true')
  expect(there).toContain('--base-url cannot be used with a command')
})

test('error: a scenario that cannot be read, before anything starts', async () => {
  const said = await fails('exec', '--scenario', 'nowhere.yaml', '--', 'true')
  expect(said).toContain('nowhere.yaml: cannot be read')
})

test('error: fund without a network', async () => {
  expect(await fails('fund', '--account', 'acc_x', '--asset', 'USDC', '--amount', '1')).toContain(
    'fund needs --network (or SVC_SIM_NETWORK)',
  )
})
