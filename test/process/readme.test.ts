import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createSimulator } from '../../src/index.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const readme = await readFile(join(root, 'README.md'), 'utf8')

/** The fenced blocks of a language, in order; `info` is what follows the language on the fence. */
function blocks(language: string): { info: string; text: string }[] {
  const fences = readme.matchAll(/^```(\w+)([^\n]*)\n([\s\S]*?)^```$/gm)
  return [...fences]
    .filter(([, found]) => found === language)
    .map(([, , info, text]) => ({ info: info!.trim(), text: text! }))
}

test('default: the first two commands are all the set-up', () => {
  expect(
    blocks('sh')
      .map(({ text }) => text.trim())
      .slice(0, 2),
  ).toEqual(['npm ci && npx svc-sim start', 'npm ci && npm test'])
})

test('default: the fixture for Playwright is the one that the packed package is tried with', async () => {
  const script = blocks('js').find(({ info }) => info === 'file=world.mjs')!
  expect(script.text).toBe(await readFile(join(root, '.ci/consumer/world.mjs'), 'utf8'))
})

test('behavior: the first plan runs as it stands', async () => {
  const script = blocks('js').find(({ info }) => info === 'file=first-plan.mjs')!
  const folder = await mkdtemp(join(tmpdir(), 'svc-sim-readme-'))
  // Frozen: what the market rounds off depends on its index, and that on the time.
  await using sim = await createSimulator({ clock: 'frozen' })
  try {
    await writeFile(join(folder, 'first-plan.mjs'), script.text)
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
  const script = blocks('js').find(({ info }) => info === 'file=snapshots.mjs')!
  await using sim = await createSimulator()
  const args = ['--input-type=module', '--eval', script.text]
  const env = { ...process.env, SVC_BASE_URL: sim.url }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  expect(stdout).toBe('2000000\n')
})

test('behavior: the moves of the clock run as they stand', async () => {
  const script = blocks('js').find(({ info }) => info === 'file=time.mjs')!
  await using sim = await createSimulator()
  const args = ['--input-type=module', '--eval', script.text]
  const env = { ...process.env, SVC_BASE_URL: sim.url }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  expect(stdout).toBe('2592000000\n')
  expect(sim.clock.time().mode).toBe('real')
})

test('behavior: the faults come and go as they stand there', async () => {
  const script = blocks('js').find(({ info }) => info === 'file=faults.mjs')!
  const folder = await mkdtemp(join(tmpdir(), 'svc-sim-readme-'))
  await using sim = await createSimulator()
  try {
    await writeFile(join(folder, 'faults.mjs'), script.text)
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

test('behavior: the test with fixtures runs as it stands', async () => {
  const { text } = blocks('js').find(({ info }) => info === 'file=supply.test.js')!
  const cwd = await projectWith('supply.test.js', text)
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--testTimeout=60000']
  const env = { ...process.env, VITEST: undefined, TEST: undefined, NODE_ENV: undefined }
  const { stdout } = await promisify(execFile)(process.execPath, [...args, '--no-color'], {
    cwd,
    env,
  })
  expect(stdout).toContain('1 passed')
})

test('behavior: the test without a framework runs as it stands', async () => {
  const { text } = blocks('js').find(({ info }) => info === 'file=plain.test.mjs')!
  const cwd = await projectWith('plain.test.mjs', text)
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--test', '--test-reporter=tap', 'plain.test.mjs'],
    { cwd, env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
  )
  expect(stdout).toMatch(/^# pass 1$/m)
})

test('behavior: the client of docs/client.md runs as it stands', async () => {
  const text = await readFile(join(root, 'docs/client.md'), 'utf8')
  const [, script] = /^```js file=client.mjs\n([\s\S]*?)^```$/m.exec(text)!
  const cwd = await projectWith('client.mjs', script!)
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

test('behavior: the versions of the README are those of package and documents', async () => {
  const versionOf = async (path: string) => {
    const { version, info } = JSON.parse(await readFile(join(root, path), 'utf8'))
    return version ?? info.version
  }
  const row = (surface: string) =>
    readme
      .split('\n')
      .find((line) => line.startsWith(`| ${surface}`))
      ?.split(' | ')[1]
  expect(row('the package')).toBe(await versionOf('package.json'))
  expect(row('service API')).toBe(await versionOf('openapi/openapi.json'))
  expect(row('control API')).toBe(await versionOf('openapi/control.json'))
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8')
  expect(changelog).toContain(`\n## ${await versionOf('package.json')}\n`)
})

test('behavior: every file that the README links to exists', async () => {
  const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path]) => path!)
  expect(links.length).toBeGreaterThan(3)
  for (const path of links) await readFile(join(root, path))
})

test('behavior: every flag in the README is one that start knows', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(root, 'dist/cli/main.js'),
    'start',
    '--help',
  ])
  const row = readme.split('\n').find((line) => line.startsWith('| `svc-sim start`'))!
  for (const [flag] of row.matchAll(/--[a-z-]+/g)) expect(stdout).toContain(flag)
})
