// The build: contracts, code (TypeScript and the bundles), the dashboard, the offline world. `node scripts/build.mjs
// [contracts|code|ui|world|docs]...`, all but the documentation site when nothing is named: only `npm run docs` and `npm pack` need the site,
// and it installs a generator. A part whose inputs did not change and whose outputs are there is skipped, before anything heavy is loaded: npm
// runs this whenever it links the package (`prepare`), the first `npx svc-sim` in a clone among them. Before `npm ci` it builds nothing and
// succeeds: npx would keep a link that failed, and fail in this folder for ever.
//
// Whoever interrupts it finds `dist` as it was: code, dashboard and world are made in a folder beside it, which takes its place at the end.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesIn, hashOfContents, hashOfSizes } from './hashes.mjs'
import { reportProgress } from './progress.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const staging = join(root, `dist-${process.pid}.new`)
const previous = join(root, `dist-${process.pid}.old`)

/** Versions of everything that is compiled, bundled or run. */
const packages = ['package.json', 'package-lock.json'].filter((file) =>
  existsSync(join(root, file)),
)
const script = (name) => `scripts/${name}.mjs`
/** Where the compiled modules are in `dist`: for the bundles, the offline world and tests, not for users. */
const modules = 'modules'
/** What `npx svc-sim` runs. */
const program = join(dist, 'cli/main.js')
/** The one that builds the offline world. */
const worldModule = 'chain/genesis/build.js'

const contracts = {
  inputs: () => [
    ...packages,
    ...['build-contracts', 'deployments', 'vendor-contracts'].map(script),
    ...filesIn(root, 'contracts').filter((file) => file.endsWith('.sol')),
  ],
  outputs: () => [...filesIn(root, 'contracts/out'), ...filesIn(root, 'src/generated')],
}
const code = {
  inputs: () => [
    ...packages,
    'tsconfig.json',
    'tsconfig.build.json',
    ...['build', 'bundle'].map(script),
    ...filesIn(root, 'src').filter((file) => /(?<!\.test)\.ts$/.test(file) && !isOfUi(file)),
  ],
  outputs: () => filesIn(root, 'dist').filter((file) => !/^dist\/(world|ui|docs)\//.test(file)),
}
const isOfUi = (file) => file.startsWith('src/tools/ui/')
const ui = {
  inputs: () => [
    ...packages,
    ...['build', 'build-ui'].map(script),
    ...filesIn(root, 'src/tools/ui').filter((file) => !file.endsWith('.test.ts')),
  ],
  outputs: () => filesIn(root, 'dist/ui'),
}
const docs = {
  inputs: () => [
    // Python leaves its caches beside the programs of the documentation.
    ...filesIn(root, 'docs').filter((file) => !file.includes('/__pycache__/')),
    ...filesIn(root, 'scenarios'),
    'CHANGELOG.md',
    ...filesIn(root, 'tools/docs').filter(
      (file) => !/\/(node_modules|pages|cache|\.temp)\//.test(file),
    ),
  ],
  outputs: () => filesIn(root, 'dist/docs'),
}
const stamps = {
  contracts: join(root, 'contracts/out/.built'),
  code: join(dist, '.built'),
  ui: join(dist, 'ui/.built'),
  docs: join(dist, 'docs/.built'),
}

/** What a stamp says of a part that has just been made. Stamps themselves are no outputs: a part can be checked with or without. */
function markOf(part) {
  const outputs = part.outputs().filter((file) => !file.endsWith('/.built'))
  return `${hashOfContents(root, part.inputs())} ${hashOfSizes(root, outputs)}\n`
}

function isFresh(part, stamp) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === markOf(part)
}

async function buildContracts() {
  if (isFresh(contracts, stamps.contracts)) return say('contracts', 'unchanged')
  // The two take about as long as each other.
  await together([
    run('our contracts', join(root, script('build-contracts'))),
    run('contracts of others', join(root, script('vendor-contracts'))),
  ])
  writeFileSync(stamps.contracts, markOf(contracts))
}

/** Over all that the offline world in a `dist` is built from: the code that does it, with its packages, and what it reads. */
async function worldHash(folder) {
  const compiled = join(folder, modules)
  const { closureOf } = await import('./closure.mjs') // needs a package
  const closure = await closureOf(compiled, worldModule)
  const hash = createHash('sha256').update(hashOfContents(compiled, closure.modules))
  const versionOf = (name) => readJson(`node_modules/${name}/package.json`).version
  for (const name of closure.packages) hash.update(`${name} ${versionOf(name)}\n`)
  hash.update(JSON.stringify(readJson('package.json').optionalDependencies)) // anvil
  const contracts = filesIn(root, 'contracts/out').filter((file) => file.endsWith('.json'))
  hash.update(hashOfContents(root, ['contracts/addresses.json', ...contracts]))
  return hash.digest('hex').slice(0, 16)
}

function readJson(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'))
}

/** Whether the world in a `dist` was built from what is there, and is whole. */
function isWorldFresh(folder, hash) {
  const manifest = join(folder, 'world/manifest.json')
  if (!existsSync(manifest)) return false
  const built = JSON.parse(readFileSync(manifest, 'utf8'))
  return (
    built.hash === hash &&
    Object.values(built.files).every((file) => existsSync(join(folder, 'world', file)))
  )
}

/** Code, dashboard, world: those that are asked for. */
async function buildDist({ withCode, withUi, withWorld }) {
  const makesCode = withCode && !isFresh(code, stamps.code)
  const makesUi = withUi && !isFresh(ui, stamps.ui)
  if (!makesCode) {
    if (withWorld && !existsSync(stamps.code))
      throw new Error('the code is not built; run "npm run build"')
    const makesWorld = withWorld && !isWorldFresh(dist, await worldHash(dist))
    if (!makesUi && !makesWorld)
      return sayUnchanged({ code: withCode, ui: withUi, world: withWorld })
  }
  mkdirSync(staging)
  const compiled = join(staging, modules)
  if (makesCode) {
    await run('types', typescript(), '-p', 'tsconfig.build.json', '--outDir', compiled)
    for (const part of ['world', 'ui', 'docs'])
      if (existsSync(join(dist, part)))
        cpSync(join(dist, part), join(staging, part), { recursive: true })
  } else {
    if (existsSync(dist)) cpSync(dist, staging, { recursive: true })
    if (withCode) say('code', 'unchanged')
  }
  const hash = withWorld ? await worldHash(staging) : undefined
  const makesWorld = withWorld && !isWorldFresh(staging, hash)
  if (withUi && !makesUi) say('ui', 'unchanged')
  if (withWorld && !makesWorld) say('world', 'unchanged')
  await together([
    makesCode &&
      run('code', join(root, script('bundle')), staging).then(() => say('code', 'built')),
    makesUi &&
      run('ui', join(root, script('build-ui')), join(staging, 'ui')).then(() => say('ui', 'built')),
    makesWorld && run('world', join(compiled, worldModule), join(staging, 'world'), hash),
  ])
  // Nothing can come in between: signals wait for the event loop.
  if (existsSync(dist)) renameSync(dist, previous)
  renameSync(staging, dist)
  if (makesCode) writeFileSync(stamps.code, markOf(code))
  if (makesUi) writeFileSync(stamps.ui, markOf(ui))
  removeLeftovers()
}

/** The documentation site. It is read from files alone, so it is made beside the rest. */
async function buildDocs() {
  if (isFresh(docs, stamps.docs)) return say('docs', 'unchanged')
  const made = join(staging, 'docs')
  await run('docs', join(root, 'tools/docs/build.mjs'), made)
  mkdirSync(dist, { recursive: true })
  rmSync(join(dist, 'docs'), { recursive: true, force: true })
  renameSync(made, join(dist, 'docs'))
  writeFileSync(stamps.docs, markOf(docs))
  say('docs', 'built')
}

function sayUnchanged(asked) {
  for (const [part, isAsked] of Object.entries(asked)) if (isAsked) say(part, 'unchanged')
}

function typescript() {
  const file = createRequire(import.meta.url).resolve('typescript/package.json')
  return join(dirname(file), JSON.parse(readFileSync(file, 'utf8')).bin.tsc)
}

/** The scripts at work, each with the name of what it makes. */
const children = new Map()
let interrupted

/** Waits for all of them, also when one fails: none may write any more when the folder is removed. */
async function together(steps) {
  const ended = await Promise.allSettled(steps)
  const failed = ended.find(({ status }) => status === 'rejected')
  if (failed) throw failed.reason
}

/** Runs a script with this Node to its end; rejects when it fails or when somebody asked to stop. `part` is what it makes. */
function run(part, ...args) {
  if (interrupted) throw new Error(`stopped by ${interrupted}`)
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    children.set(child, part)
    child.once('error', reject)
    child.once('exit', (exitCode) => {
      children.delete(child)
      if (interrupted) reject(new Error(`stopped by ${interrupted}`))
      else if (exitCode === 0) resolve()
      else reject(new Error(`${args[0]} failed; see above`))
    })
  })
}

/** What builds that were killed have left behind. */
function removeLeftovers() {
  for (const name of readdirSync(root)) {
    const [, pid] = /^dist-(\d+)\.(?:new|old)$/.exec(name) ?? []
    if (pid && (Number(pid) === process.pid || !isAlive(Number(pid)))) remove(join(root, name))
  }
}

/** A compiler whose build was killed may still be writing there; then the next build removes it. */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {}
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function say(part, text) {
  process.stdout.write(`${part}: ${text}\n`)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    interrupted = signal
    for (const child of children.keys()) child.kill(signal)
  })

/** Whether `npm ci` has been here. */
function hasPackages() {
  const own = ['es-module-lexer', 'typescript']
  return own.every((name) => existsSync(join(root, 'node_modules', name, 'package.json')))
}

/** Gives npx something to link, which says what to do. A build replaces it. */
function writePlaceholder() {
  if (existsSync(program)) return
  mkdirSync(dirname(program), { recursive: true })
  copyFileSync(join(root, script('not-built')), program)
  chmodSync(program, 0o755)
}

async function build(named) {
  if (!hasPackages()) {
    writePlaceholder()
    process.stdout.write('svc-sim: nothing to build yet: run npm ci\n')
    // Somebody who packs needs what was asked for.
    if (named.length > 0) process.exitCode = 1
    return
  }
  const wants = (part) => named.length === 0 || named.includes(part)
  if (named.length === 0 && !existsSync(stamps.code))
    process.stdout.write(
      'svc-sim: compiling contracts and code and building the offline world, once: one to three minutes\n',
    )
  removeLeftovers()
  if (wants('contracts')) await buildContracts()
  await buildDist({ withCode: wants('code'), withUi: wants('ui'), withWorld: wants('world') })
  if (named.includes('docs')) await buildDocs()
}

const stopReporting = reportProgress(() => [...children.values()])
try {
  await build(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`build: ${error.message}\n`)
  process.exitCode = interrupted ? 128 + constants.signals[interrupted] : 1
} finally {
  stopReporting()
  remove(staging)
}
