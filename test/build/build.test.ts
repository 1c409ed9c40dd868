import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cliFile, killRuns, startProgram } from '../kit/cli.js'

// The build and what npx makes of it, in a copy of this checkout as `npm ci` left it.

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
let copy: string
let builds: ChildProcess[]

beforeEach(() => {
  builds = []
  copy = mkdtempSync(join(tmpdir(), 'svc-sim-build-'))
  const parts = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']
  for (const part of [...parts, 'scripts', 'contracts', 'src', 'dist'])
    cpSync(join(root, part), join(copy, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
})

afterEach(async () => {
  await killRuns()
  for (const child of builds) child.kill('SIGKILL')
  rmSync(copy, { recursive: true, force: true, maxRetries: 5 })
})

/** Name, size and time of every file in `dist`: equal when nothing was written. */
function distFiles(): string[] {
  const files = readdirSync(join(copy, 'dist'), { recursive: true, encoding: 'utf8' }).sort()
  return files.map((file) => {
    const { size, mtimeMs, ino } = statSync(join(copy, 'dist', file))
    return `${file} ${size} ${mtimeMs} ${ino}`
  })
}

async function help(): Promise<string> {
  const { stdout } = await run(process.execPath, [join(copy, 'dist/cli/main.js'), '--help'])
  return stdout
}

/** Changes a text that `--help` shows. */
function changeSource(): void {
  const file = join(copy, 'src/tools/cli/program.ts')
  const before = 'print the OpenAPI document'
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(before)
  writeFileSync(file, text.replace(before, 'print the changed document'))
}

function startBuild(): ChildProcess {
  const child = spawn(process.execPath, ['scripts/build.mjs'], { cwd: copy, stdio: 'ignore' })
  builds.push(child)
  return child
}

const build = () => run(process.execPath, ['scripts/build.mjs'], { cwd: copy })

/** Folders beside `dist` in which something is being built. */
const stagings = () => readdirSync(copy).filter((name) => /^dist-\d+\./.test(name))

test('default: nothing is done when nothing changed, and what is missing is made again', async () => {
  await build() // whoever runs this may have changed sources since the last build
  const before = distFiles()
  const again = 'contracts: unchanged\ncode: unchanged\nui: unchanged\nworld: unchanged\n'
  expect((await build()).stdout).toBe(again)
  expect(distFiles()).toEqual(before)
  // What npx finds before the first build.
  cpSync(join(copy, 'scripts/not-built.mjs'), join(copy, 'dist/cli/main.js'))
  // Parts are made side by side.
  expect((await build()).stdout.split('\n')).toEqual(
    expect.arrayContaining([
      'contracts: unchanged',
      'code: built',
      'ui: unchanged',
      'world: unchanged',
    ]),
  )
  expect(readFileSync(join(copy, 'dist/cli/main.js'))).toEqual(readFileSync(cliFile))
  const { stdout } = await run(join(copy, 'dist/cli/main.js'), ['--version'])
  expect(stdout, 'the file can be run itself, as an earlier link by npm does').toBe('0.1.0\n')
  expect((await build()).stdout).toBe(again)
}, 300_000)

test('behavior: the first npx in a clone links the package and builds nothing, and then starts as the README says', async () => {
  await build()
  const before = distFiles()
  const env = { ...process.env, npm_config_cache: join(copy, 'npm-cache') }
  for (const _ of ['first', 'again']) {
    const { stdout } = await run('npx', ['--offline', 'svc-sim', '--version'], { cwd: copy, env })
    expect(stdout).toBe('0.1.0\n')
    expect(distFiles()).toEqual(before)
  }
  const [, line] = /^npm ci && (npx svc-sim start)$/m.exec(
    readFileSync(join(root, 'README.md'), 'utf8'),
  )!
  const started = startProgram('sh', ['-c', `exec ${line}`], {
    cwd: copy,
    env: { ...env, SVC_SIM_PORT: '0', npm_config_offline: 'true' },
  })
  const [, url] = await started.saying('stdout', / API {8}(http:\S+)/)
  expect((await fetch(`${url}/health/ready`)).status).toBe(200)
  started.kill('SIGTERM')
  await started.saying('stderr', /^svc-sim: stopped$/m)
}, 300_000)

test('behavior: npx and npm start before npm ci say what to do, and work after it', async () => {
  await build()
  // What a clone lacks: npm ci and its build make it.
  const parts = ['dist', 'contracts/out', 'src/generated', 'node_modules']
  const aside = (part: string) => join(copy, `aside-${part.replace('/', '-')}`)
  for (const part of parts) renameSync(join(copy, part), aside(part))
  const env = { ...process.env, npm_config_cache: join(copy, 'npm-cache') }
  const npx = (...args: string[]) =>
    run('npx', ['--offline', 'svc-sim', ...args], { cwd: copy, env })
  const whatToDo = expect.stringMatching(/^svc-sim is not built yet\. Run "npm ci" in \S+ first/m)
  for (const _ of ['first', 'again'])
    await expect(npx('start')).rejects.toMatchObject({ code: 1, stderr: whatToDo })
  expect((await build()).stdout).toBe('svc-sim: nothing to build yet: run npm ci\n')
  await expect(run('npm', ['start'], { cwd: copy, env })).rejects.toMatchObject({
    code: 1,
    stderr: whatToDo,
  })
  await expect(run('npm', ['pack'], { cwd: copy, env })).rejects.toMatchObject({ code: 1 })
  expect(readdirSync(copy).filter((name) => name.endsWith('.tgz'))).toEqual([])
  rmSync(join(copy, 'dist'), { recursive: true })
  for (const part of parts) renameSync(aside(part), join(copy, part))
  expect((await build()).stdout).toMatch(/^(\w+: unchanged\n)+$/)
  expect((await npx('--version')).stdout).toBe('0.1.0\n')
}, 300_000)

test('behavior: SIGTERM and SIGKILL in the middle leave what was built, and the next build makes the rest', async () => {
  const before = distFiles()
  changeSource()
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const interrupted = startBuild()
    const ended = once(interrupted, 'exit')
    await vi.waitFor(() => expect(stagings()).toHaveLength(1), { timeout: 60_000, interval: 5 })
    interrupted.kill(signal)
    expect(await ended).toEqual(signal === 'SIGTERM' ? [143, null] : [null, signal])
    expect(distFiles()).toEqual(before)
    expect(await help()).toContain('print the OpenAPI document')
    if (signal === 'SIGTERM') expect(stagings()).toEqual([])
  }
  await build()
  expect(await help()).toContain('print the changed document')
  expect(existsSync(join(copy, 'dist/world/manifest.json'))).toBe(true)
  expect(stagings()).toEqual([])
}, 300_000)

test('error: code that does not compile leaves what was built', async () => {
  const before = distFiles()
  writeFileSync(join(copy, 'src/wrong.ts'), "export const wrong: number = 'text'\n")
  await expect(build()).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('TS2322'),
  })
  expect(distFiles()).toEqual(before)
  expect(stagings()).toEqual([])
}, 300_000)
