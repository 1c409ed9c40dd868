import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createSimulator } from '../../src/index.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (page: string) => readFile(join(root, page), 'utf8')
const readme = await read('README.md')

/** The script that a page shows under this file name. */
async function scriptOf(page: string, file: string): Promise<string> {
  const fences = (await read(page)).matchAll(/^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm)
  const [, , text] = [...fences].find(([, name]) => name === file)!
  return text!
}

test('default: one line starts a clone, one tests it, and two commands are all the set-up of a project', () => {
  const commands = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => text)
  expect(commands[0]).toBe('npm ci && npx svc-sim start\nnpm ci && npm test\n')
  expect(commands[1]).toBe('npm i -D svc-sim\nnpx svc-sim start\n')
})

test('default: the README is short, and its test is that of the guide', async () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(161)
  const test = await scriptOf('README.md', 'supply.test.js')
  expect(test).toBe(await scriptOf('docs/guides/tests.md', 'supply.test.js'))
})

test('default: the fixture for Playwright is the one that the packed package is tried with', async () => {
  const script = await scriptOf('docs/guides/parallel-tests.md', 'world.mjs')
  expect(script).toBe(await readFile(join(root, '.ci/consumer/world.mjs'), 'utf8'))
})

test('behavior: the first plan runs as it stands', async () => {
  const script = await scriptOf('docs/start/first-plan.md', 'first-plan.mjs')
  const folder = await mkdtemp(join(tmpdir(), 'svc-sim-readme-'))
  // Frozen: what the market rounds off depends on its index, and that on the time.
  await using sim = await createSimulator({ clock: 'frozen' })
  try {
    await writeFile(join(folder, 'first-plan.mjs'), script)
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    const { stdout } = await promisify(execFile)(process.execPath, ['first-plan.mjs'], {
      cwd: folder,
      env: { ...process.env, SVC_BASE_URL: sim.url, SVC_API_KEY: sim.apiKey },
    })
    // The market rounds a unit off.
    expect(stdout).toMatch(/^confirmed: 3999999 units of USDC supplied\n/)
    expect(stdout).toContain('yield_market/comet/base/')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('behavior: the snapshots run as they stand', async () => {
  await using sim = await createSimulator()
  for (const [file, printed] of [
    ['snapshots.mjs', '2000000\n'],
    ['evm-snapshot.mjs', 'true\nfalse\n'],
  ] as const) {
    const script = await scriptOf('docs/guides/snapshots.md', file)
    const args = ['--input-type=module', '--eval', script]
    const env = { ...process.env, SVC_BASE_URL: sim.url }
    const { stdout } = await promisify(execFile)(process.execPath, args, { env })
    expect(stdout).toBe(printed)
  }
})

test('behavior: the commands for the shell run as they stand, and none is refused', async () => {
  const script = await scriptOf('docs/guides/shell.md', 'control.sh')
  await using sim = await createSimulator()
  const env = { ...process.env, SVC_CONTROL_URL: sim.controlUrl }
  const failing = script.replaceAll('curl -sS', 'curl -sS --fail-with-body --write-out "\\n"')
  const { stdout } = await promisify(execFile)('sh', ['-e', '-c', failing], { env })
  const answers = stdout.trim().split(/\n+/)
  expect(answers).toHaveLength(script.match(/^curl/gm)!.length)
  expect(answers.map((line) => JSON.parse(line))).toMatchObject([
    { id: 'late', on: 'bridge', effect: 'stuck' },
    { faults: [{ id: 'late', hits: 0 }] },
    {},
    { mode: 'frozen' },
    { mode: 'frozen' },
    { mode: 'real' },
    { balance: '1000000' },
    { name: 'funded' },
    { name: 'funded' },
    {},
  ])
  expect(await sim.faults.list()).toEqual([])
})

test.runIf(spawnSync('python3', ['-m', 'pytest', '--version']).status === 0)(
  'behavior: the fixture for pytest resets before each test',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-sim-readme-'))
    await using sim = await createSimulator()
    const funding = `import json, os, urllib.request
def fund():
    body = {"address": "0x00000000000000000000000000000000000f41e7", "asset": "USDC", "amount": "1", "network": "base"}
    headers = {"content-type": "application/json"}
    url = os.environ["SVC_CONTROL_URL"] + "/fund"
    with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers)) as answer:
        return json.load(answer)["balance"]
def test_one(): assert fund() == "1"
def test_two(): assert fund() == "1"
`
    try {
      await writeFile(
        join(folder, 'conftest.py'),
        await scriptOf('docs/guides/snapshots.md', 'conftest.py'),
      )
      await writeFile(join(folder, 'test_funds.py'), funding)
      const env = { ...process.env, SVC_CONTROL_URL: sim.controlUrl, SVC_CONTROL_TOKEN: undefined }
      const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider']
      const { stdout } = await promisify(execFile)('python3', args, { cwd: folder, env })
      expect(stdout).toContain('2 passed')
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)

test('behavior: the moves of the clock run as they stand', async () => {
  const script = await scriptOf('docs/guides/time.md', 'time.mjs')
  await using sim = await createSimulator()
  const args = ['--input-type=module', '--eval', script]
  const env = { ...process.env, SVC_BASE_URL: sim.url }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  expect(stdout).toBe('2592000000\n')
  expect(sim.clock.time().mode).toBe('real')
})

test('behavior: the faults come and go as they stand there', async () => {
  const script = await scriptOf('docs/guides/break-it.md', 'faults.mjs')
  const folder = await mkdtemp(join(tmpdir(), 'svc-sim-readme-'))
  await using sim = await createSimulator()
  try {
    await writeFile(join(folder, 'faults.mjs'), script)
    const { stdout } = await promisify(execFile)(process.execPath, ['faults.mjs'], {
      cwd: folder,
      env: { ...process.env, SVC_BASE_URL: sim.url, SVC_API_KEY: sim.apiKey },
    })
    expect(stdout).toBe('200 500 500 200\n2 hits\n401 200\n')
  } finally {
    await rm(folder, { recursive: true })
  }
})

/** Puts a file into a folder where svc-sim and vitest are installed. */
async function projectWith(file: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sim-readme-'))
  await mkdir(join(folder, 'node_modules'))
  await symlink(root, join(folder, 'node_modules/svc-sim'))
  await symlink(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'))
  await writeFile(join(folder, file), text)
  return folder
}

test('behavior: the guides to plan_stale and to a lost response run as they stand', async () => {
  await using sim = await createSimulator({ clock: 'auto' })
  const stale = await scriptOf('docs/guides/plan-stale.md', 'plan-stale.mjs')
  const lost = await scriptOf('docs/guides/lost-answer.md', 'lost-answer.mjs')
  const armed = "{ on: 'execute', effect: 'response_lost', times: 1 }"
  const [, unarrived] = /the rule `(\{.*\})`/.exec(await read('docs/guides/lost-answer.md'))!
  expect(lost).toContain(armed)
  const file = 'guide.mjs'
  for (const [script, printed] of [
    [stale, 'attempt 1: 409 plan_stale\nattempt 2: confirmed\n'],
    [lost, 'no response\nit ran: confirmed\n'],
    [lost.replace(armed, unarrived!), 'no response\nit runs now: confirmed\n'],
  ] as const) {
    const cwd = await projectWith(file, script)
    const env = { ...process.env, SVC_BASE_URL: sim.url, SVC_API_KEY: sim.apiKey }
    const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd, env })
    expect(stdout).toBe(printed)
  }
})

test('behavior: the test with fixtures runs as it stands', async () => {
  const text = await scriptOf('README.md', 'supply.test.js')
  const cwd = await projectWith('supply.test.js', text)
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--testTimeout=60000']
  const env = { ...process.env, VITEST: undefined, TEST: undefined, NODE_ENV: undefined }
  const { stdout } = await promisify(execFile)(process.execPath, [...args, '--no-color'], {
    cwd,
    env,
  })
  expect(stdout).toContain('1 passed')
})

test('behavior: the test with fixtures passes under fake timers, and leaves its run to end', async () => {
  const text = await scriptOf('README.md', 'supply.test.js')
  const faked = `import { beforeAll, vi } from 'vitest'\n${text}\nbeforeAll(() => {\n  vi.useFakeTimers({ now: 0 })\n})\n`
  const cwd = await projectWith('supply.test.js', faked)
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--testTimeout=60000']
  const env = { ...process.env, VITEST: undefined, TEST: undefined, NODE_ENV: undefined }
  const { stdout } = await promisify(execFile)(process.execPath, [...args, '--no-color'], {
    cwd,
    env,
  })
  expect(stdout).toContain('1 passed')
})

test('behavior: the client is a CommonJS module, too, for runners that load nothing else', async () => {
  const program = `
    const { createSvcClient, newSigner } = require('svc-sim/client')
    const { SVC_BASE_URL: baseUrl, SVC_API_KEY: apiKey } = process.env
    const client = createSvcClient({ baseUrl, apiKey })
    newSigner().then(({ address }) => client.createAccount(address)).then(({ account_id }) => console.log(account_id))`
  const cwd = await projectWith('client.cjs', program)
  await using sim = await createSimulator()
  const args = ['--no-experimental-require-module', 'client.cjs']
  const env = { ...process.env, SVC_BASE_URL: sim.url, SVC_API_KEY: sim.apiKey }
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, env })
  expect(stdout).toMatch(/^acc_\w+\n$/)
})

test('behavior: the test without a framework runs as it stands', async () => {
  const text = await scriptOf('docs/guides/tests.md', 'plain.test.mjs')
  const cwd = await projectWith('plain.test.mjs', text)
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--test', '--test-reporter=tap', 'plain.test.mjs'],
    { cwd, env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
  )
  expect(stdout).toMatch(/^# pass 1$/m)
})

test('behavior: the client of docs/client.md runs as it stands', async () => {
  const cwd = await projectWith('client.mjs', await scriptOf('docs/client.md', 'client.mjs'))
  await using sim = await createSimulator()
  const { stdout } = await promisify(execFile)(process.execPath, ['client.mjs'], {
    cwd,
    env: { ...process.env, SVC_BASE_URL: sim.url, SVC_API_KEY: sim.apiKey },
  })
  expect(stdout.split('\n')).toEqual([
    'confirmed',
    '400 plan_failed',
    'mainnet base arbitrum optimism polygon',
    'pending',
    'confirmed',
    '',
  ])
})

test('behavior: the versions in the documentation are those of package and documents', async () => {
  const versionOf = async (path: string) => {
    const { version, info } = JSON.parse(await read(path))
    return version ?? info.version
  }
  const page = await read('docs/simulated.md')
  const row = (surface: string) =>
    page
      .split('\n')
      .find((line) => line.startsWith(`| ${surface}`))
      ?.split(' | ')[1]
  expect(row('the package')).toBe(await versionOf('package.json'))
  expect(row('service API')).toBe(await versionOf('openapi/openapi.json'))
  expect(row('control API')).toBe(await versionOf('openapi/control.json'))
  const changelog = await read('CHANGELOG.md')
  expect(changelog).toContain(`\n## ${await versionOf('package.json')}\n`)
})

test('behavior: the fault that the README adds makes its test fail, with the story of the account', async () => {
  const text = await scriptOf('README.md', 'supply.test.js')
  const [, rule] = /`(await sim\.faults\.add\([^`]+\))`/.exec(readme)!
  const cwd = await projectWith(
    'supply.test.js',
    text.replace('{ account, client }) => {', `{ account, client, sim }) => {\n  ${rule}`),
  )
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--testTimeout=60000']
  const env = { ...process.env, VITEST: undefined, TEST: undefined, NODE_ENV: undefined }
  const run = promisify(execFile)(process.execPath, [...args, '--no-color'], { cwd, env })
  const { stderr } = await run.then(
    () => expect.fail('the test passed'),
    (error: { stderr: string }) => error,
  )
  const [, shown] = /^```text\n( FAIL[\s\S]*?)^```$/m.exec(readme)!
  const withoutIds = (line: string) => line.replace(/(acc|pln|act)_\w+|0x\w+…?|\(…\)/g, '*')
  // What differs from run to run or is cut off: ids, hashes, arguments of the reason.
  for (const line of shown!.split('\n').map(withoutIds))
    expect(withoutIds(stderr)).toContain(line.split('*')[0])
})
