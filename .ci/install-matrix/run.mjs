import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { cases, tools } from './cases.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    keep: { type: 'boolean', default: false },
  },
})
if (positionals.length !== 1 || !existsSync(positionals[0])) {
  console.error(
    'Which package? Usage: .ci/install-matrix/run TARBALL [--all] [--only NAME] [--keep]',
  )
  process.exit(2)
}
const tarball = resolve(positionals[0])
const template = fileURLToPath(new URL('project', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'svc-sim-matrix-'))
const toolsFolder = join(work, 'tools')
const tool = (name, path) => join(toolsFolder, 'node_modules', name, path)

/** Runs a program; resolves to its output, rejects with it when it fails. */
function run(words, { cwd, env }) {
  return new Promise((done, fail) => {
    const [file, ...args] = words
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    child.once('error', fail)
    child.once('close', (code) =>
      code === 0
        ? done(output)
        : fail(new Error(`${words.join(' ')} ended with ${code}:\n${output}`)),
    )
  })
}

/** What a program finds in its environment: the Node of the case, and caches that all cases share. Nothing of the npm around this script. */
function environment(node) {
  const clean = Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_|NODE_|SVC_|INIT_CWD|CI$|VITEST)/i.test(name) || name === 'NODE_EXTRA_CA_CERTS',
  )
  return {
    ...Object.fromEntries(clean),
    ...registry,
    PATH: [tool(`node${node}`, 'bin'), process.env.PATH].join(delimiter),
    NO_COLOR: '1',
    YARN_CACHE_FOLDER: join(work, 'yarn-cache'),
    YARN_GLOBAL_FOLDER: join(work, 'yarn'),
    YARN_ENABLE_TELEMETRY: '0',
    YARN_ENABLE_IMMUTABLE_INSTALLS: '0',
    BUN_INSTALL_CACHE_DIR: join(work, 'bun'),
    COREPACK_ENABLE_STRICT: '0',
  }
}

/** The registry that npm is configured for, for all of them. */
const registry = {}

/** How each package manager installs a project; `words` before `node` and programs of the project where it has no node_modules. */
const kinds = {
  npm: (name) => ({
    install: ['node', tool(name, 'bin/npm-cli.js'), 'install', '--no-audit', '--no-fund'],
  }),
  pnpm: (name) => {
    const program = name === 'pnpm12' ? [tool(name, 'pnpm')] : ['node', tool(name, 'bin/pnpm.cjs')]
    const store = ['--store-dir', join(work, 'pnpm-store')]
    return { install: [...program, 'install', '--no-frozen-lockfile', ...store] }
  },
  yarn: (name) =>
    name === 'yarn1'
      ? { install: ['node', tool(name, 'bin/yarn.js'), 'install', '--non-interactive'] }
      : {
          install: ['node', tool(name, 'bin/yarn.js'), 'install'],
          through: ['node', tool(name, 'bin/yarn.js')],
        },
  bun: (name) => ({ install: [tool(name, 'bin/bun'), 'install'] }),
}

async function tryCase(
  { node, tool: name, files = {}, manifest: more = {}, devDependencies, compilers = [5, 6] },
  folder,
) {
  cpSync(template, folder, { recursive: true })
  const manifest = {
    name: 'consumer',
    private: true,
    type: 'module',
    devDependencies: { 'svc-sim': `file:${tarball}`, ...devDependencies },
    ...more,
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
  const { install, through = [] } = kinds[name.replace(/\d+$/, '')](name)
  const at = { cwd: folder, env: environment(node) }
  const inProject = (...words) => run([...through, ...words], at)
  const program = (bin, ...args) =>
    existsSync(join(folder, 'node_modules/.bin', bin))
      ? run([join(folder, 'node_modules/.bin', bin), ...args], at)
      : inProject('run', bin, ...args)

  const said = await run(install, at)
  const scripts = said.match(
    /^.*(ignored build scripts|install script|postinstall).*(svc-sim|anvil|scarf).*$/im,
  )
  if (scripts) throw new Error(`the installation speaks of install scripts: ${scripts[0]}`)
  await program('svc-sim', 'exec', '--', 'node', '-e', '0')
  await inProject('node', 'common.cjs')
  if ('vitest' in devDependencies)
    await program('vitest', 'run', 'suite', '--testTimeout=60000', '--hookTimeout=60000')
  else if (!('jest' in devDependencies)) await inProject('node', 'withoutVitest.mjs')
  if ('jest' in devDependencies)
    await run(
      [
        'node',
        '--experimental-vm-modules',
        'node_modules/jest/bin/jest.js',
        '--testMatch',
        '**/jest.test.mjs',
      ],
      at,
    )
  if (existsSync(join(folder, 'node_modules/svc-sim')))
    await checkTypes(folder, devDependencies, at, values.all ? [5, 6] : compilers)
}

/** Ours without `skipLibCheck`, with nothing but the language and the web; those of the fixtures need what vitest's need. */
async function checkTypes(folder, devDependencies, at, versions) {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    strict: true,
    noEmit: true,
  }
  const projects = [{ compilerOptions, files: ['types.ts'] }]
  if ('vitest' in devDependencies)
    projects.push({
      compilerOptions: { ...compilerOptions, skipLibCheck: true },
      files: ['fixtures.ts'],
    })
  for (const project of projects) {
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
    for (const version of versions)
      await run(['node', tool(`typescript${version}`, 'bin/tsc'), '-p', folder], at)
  }
}

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(0)} s`

async function prepareTools(chosen) {
  const started = performance.now()
  const wanted = new Set(chosen.flatMap((each) => [`node${each.node}`, each.tool]))
  const packages = Object.entries(tools)
    .filter(([name]) => wanted.has(name) || name.startsWith('typescript'))
    .map(([name, spec]) => `${name}@npm:${spec}`)
  mkdirSync(toolsFolder)
  writeFileSync(join(toolsFolder, 'package.json'), '{"private":true}')
  const options = { cwd: toolsFolder, env: process.env }
  const url = (await run(['npm', 'config', 'get', 'registry'], options)).trim()
  registry.npm_config_registry = url
  registry.YARN_REGISTRY = url
  registry.YARN_NPM_REGISTRY_SERVER = url.replace(/\/$/, '')
  await run(
    ['npm', 'install', '--no-audit', '--no-fund', '--no-save', '--force', ...packages],
    options,
  )
  const names = packages.map((each) => {
    const name = each.split('@')[0]
    return `${name} ${JSON.parse(readFileSync(tool(name, 'package.json'), 'utf8')).version}`
  })
  registry.npm_config_prefer_offline = 'true'
  console.log(`tools in ${seconds(started)}: ${names.join(', ')}`)
}

async function reportOn(index, each) {
  const started = performance.now()
  const folder = join(work, `case-${index}`)
  mkdirSync(folder)
  try {
    await tryCase(each, folder)
    console.log(`ok      ${each.name} (${seconds(started)})`)
  } catch (error) {
    failed++
    console.log(`FAILED  ${each.name} (${seconds(started)})\n${error.message}`)
  }
  if (!values.keep) rmSync(folder, { recursive: true, force: true })
}

const chosen = cases.filter(({ name, isCore }) =>
  values.only ? name.includes(values.only) : values.all || isCore,
)
if (chosen.length === 0)
  throw new Error(`no case is named ${values.only}: ${cases.map(({ name }) => name).join('; ')}`)
let failed = 0
try {
  await prepareTools(chosen)
  // Two at a time: each waits for the registry and the disk as often as it computes.
  const waiting = [...chosen.entries()]
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await reportOn(...next)
  }
  await Promise.all([lane(), lane()])
} finally {
  if (values.keep) console.log(`kept in ${work}`)
  else rmSync(work, { recursive: true, force: true })
}
const left = cases.length - chosen.length
console.log(
  `${chosen.length - failed} of ${chosen.length} cases passed${left > 0 ? `; ${left} more with --all` : ''}`,
)
process.exitCode = failed === 0 ? 0 : 1
