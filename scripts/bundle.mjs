// Makes of the compiled modules in `dist/modules` what is published: a few bundles in `dist/code`, with all of the packages in them that
// package.json does not name as dependencies; the two files by which they are started; the types of the library; and the licences of
// what is bundled. Reading hundreds of small files costs a start more than the code in them, and who installs svc-sim installs no more than
// it needs. Argument: `dist`.
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { init, parse } from 'es-module-lexer'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = resolve(process.argv[2])
const modules = join(dist, 'modules')
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/**
 * The bundles of a start, in the order in which it loads them; each has what its modules import at once, less what is in those before.
 * The nodes are started before the service is loaded. All else is in bundles of its own, loaded when it is needed.
 */
const stages = {
  nodes: ['index', 'tools/cli/commands/start', 'tools/cli/process/launch', 'chain/chains'],
  cli: ['tools/cli/program', 'tools/cli/process/signals'],
  service: ['simulator/compose'],
}

/** What is not bundled: dependencies, and what packages only look for. */
const external = [...Object.keys(dependencies), 'bufferutil', 'supports-color', 'utf-8-validate']

/** The folder of the package that a module is from; undefined for one of ours. */
function packageOf(path) {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path.replaceAll('\\', '/'))?.[0]
}

/** Tables that packages read where they need one: they stay files of their own, beside the bundles. */
const tables = {
  name: 'tables',
  resolveId(specifier, importer) {
    if (!specifier.endsWith('.json') || !importer || !packageOf(importer)) return null
    const path = createRequire(importer).resolve(specifier)
    const file = path.replaceAll('\\', '/').split('/node_modules/').at(-1).replaceAll('/', '-')
    mkdirSync(join(dist, 'code'), { recursive: true })
    writeFileSync(join(dist, 'code', file), JSON.stringify(JSON.parse(readFileSync(path, 'utf8'))))
    return { id: `./${file}`, external: true }
  },
}

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** What `/docs` shows, beside the bundles: the package itself brings ten times as much, and another one with an install script. */
const swaggerUiFiles = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui-standalone-preset.js',
  'swagger-ui-standalone-preset.js.LICENSE.txt',
  'favicon-16x16.png',
  'favicon-32x32.png',
  'NOTICE',
]

/** Tells swagger-ui-express where these files are: beside the bundle that it is in. */
const swaggerUiPath = {
  name: 'swagger-ui-path',
  resolveId: (id) => (id === 'swagger-ui-dist/absolute-path' ? id : null),
  load: (id) =>
    id === 'swagger-ui-dist/absolute-path'
      ? "module.exports = () => require('node:path').join(__dirname, 'swagger-ui')"
      : null,
}

function copySwaggerUi() {
  const folder = join(dist, 'code/swagger-ui')
  mkdirSync(folder, { recursive: true })
  for (const file of swaggerUiFiles) copyFileSync(join(swaggerUi, file), join(folder, file))
}

const module = (name) => join(modules, `${name}.js`)

/** The globals that are taken when a bundle is loaded, by how the code writes them. */
function taken(file, names) {
  const from = join(root, `scripts/${file}.mjs`)
  return Object.fromEntries(names.map((name) => [name, [from, name.replace('process.', '')]]))
}
const everywhere = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date']
const timersOfNode = {
  ...taken('natives', [...everywhere, 'performance', 'queueMicrotask', 'fetch']),
  ...taken('natives', ['setImmediate', 'clearImmediate', 'process.nextTick', 'process.hrtime']),
}
const timersOfBrowser = taken('natives-browser', [...everywhere, 'performance', 'queueMicrotask'])

/** `node:timers/promises`, taken when a bundle is loaded. */
const timersPromises = {
  name: 'timers-promises',
  resolveId: (id, importer) =>
    /^(node:)?timers\/promises$/.test(id) && !importer?.endsWith('natives-promises.mjs')
      ? join(root, 'scripts/natives-promises.mjs')
      : null,
}

/** How everything is bundled; which modules stand together is said by `output`. */
const options = {
  cwd: root,
  platform: 'node',
  plugins: [tables, swaggerUiPath, timersPromises],
  transform: { inject: timersOfNode },
  external: [...external, ...external.map((name) => new RegExp(`^${name}/`))],
  makeAbsoluteExternalsRelative: false,
  preserveEntrySignatures: 'allow-extension',
  // Ours are loaded for what they do as well; packages are taken as far as they are used.
  treeshake: { moduleSideEffects: (path) => path.startsWith(dist) || path.startsWith('.') },
  experimental: { attachDebugInfo: 'none' },
  logLevel: 'warn',
  // Which module is in which chunk is said by `stages`, not by how it is imported.
  checks: { ineffectiveDynamicImport: false, pluginTimings: false },
}

/** The stage of every module that a start needs: seen from a bundling of its own, in which what nobody uses has been left out. */
async function sortIntoStages() {
  const entries = Object.values(stages).flat()
  const input = Object.fromEntries(entries.map((name) => [name, module(name)]))
  const build = await rolldown({ ...options, input })
  const { output } = await build.generate({ format: 'esm', entryFileNames: '[name].js' })
  await build.close()
  const stageOf = new Map()
  const seen = new Set()
  const visit = (fileName, stage) => {
    if (seen.has(fileName)) return
    seen.add(fileName)
    const chunk = output.find((each) => each.fileName === fileName)
    for (const path of Object.keys(chunk?.modules ?? {})) stageOf.set(path, stage)
    for (const imported of chunk?.imports ?? []) visit(imported, stage)
  }
  for (const [stage, names] of Object.entries(stages))
    for (const name of names) visit(`${name}.js`, stage)
  return stageOf
}

async function bundle() {
  const stageOf = await sortIntoStages()
  const input = {
    main: module('tools/cli/main'),
    index: module('index'),
    worker: module('simulator/worker'),
  }
  const build = await rolldown({ ...options, input })
  const { output } = await build.write({
    dir: join(dist, 'code'),
    format: 'cjs',
    // V8 keeps a text with a single letter beyond ASCII at twice the size.
    charset: 'ascii',
    comments: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    minifyInternalExports: false,
    codeSplitting: {
      groups: [{ name: (path) => stageOf.get(path) ?? null, debugName: 'stages' }],
      includeDependenciesRecursively: false,
    },
  })
  await build.close()
  return output
}

/** The client of the service, which browsers load too: ES modules of its own, and CommonJS for test runners that load nothing else. */
async function bundleClient() {
  const input = { index: module('clients/client/index') }
  const transform = { inject: timersOfBrowser }
  const build = await rolldown({ ...options, transform, platform: 'browser', input })
  const written = []
  for (const [format, ending] of [
    ['esm', 'js'],
    ['cjs', 'cjs'],
  ]) {
    const { output } = await build.write({
      dir: join(dist, 'clients/client'),
      format,
      entryFileNames: `[name].${ending}`,
      chunkFileNames: `[name].${ending}`,
      minifyInternalExports: false,
    })
    written.push(...output)
  }
  await build.close()
  return written
}

/** What the fixtures of tests have in common with a program that uses the library: both load the same. */
const published = new Map([
  ['../../simulator/createSimulator.js', '../../index.js'],
  ['../../clients/remote/leaseWorld.js', '../../index.js'],
  ['../../clients/client/index.js', '../../clients/client/index.js'],
])
const besidePublished = {
  name: 'beside-published',
  resolveId: (id) => (published.has(id) ? { id: published.get(id), external: true } : null),
}

/** The fixtures for vitest, which is the user's own. */
async function bundleFixtures() {
  const build = await rolldown({
    ...options,
    input: { index: module('tools/vitest/index') },
    plugins: [besidePublished, ...options.plugins],
  })
  const { output } = await build.write({
    dir: join(dist, 'tools/vitest'),
    format: 'esm',
    entryFileNames: '[name].js',
    minifyInternalExports: false,
  })
  await build.close()
  return output
}

/** Name, version and the text of its licence. */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|-|$)/i.test(entry))
  if (!file) throw new Error(`${name} is bundled, but its package has no file with its licence`)
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
}

/** Of every package that has anything in the bundles. */
function licences(output) {
  const packages = new Set(
    output.flatMap((file) =>
      Object.entries(file.modules)
        .filter(([, { renderedLength }]) => renderedLength > 0)
        .flatMap(([path]) => packageOf(path) ?? []),
    ),
  )
  return [...packages, swaggerUi].map(licenceOf).sort()
}

/**
 * The types of the library: `index.d.ts` and what it refers to. They may refer to nothing that only we have installed. With `asCommonJs`
 * once more, as the types of a CommonJS module.
 */
function copyTypes(path, { peers = [], asCommonJs = false, copied = new Set() } = {}) {
  if (copied.has(path)) return
  copied.add(path)
  const text = readFileSync(join(modules, path), 'utf8')
  mkdirSync(dirname(join(dist, path)), { recursive: true })
  writeFileSync(join(dist, path), text)
  if (asCommonJs)
    writeFileSync(
      join(dist, path.replace(/\.ts$/, '.cts')),
      text.replace(/(['"]\.[^'"]*)\.js(?=['"])/g, '$1.cjs'),
    )
  for (const [, name] of text.matchAll(/(?:\bfrom|\bimport\(?)\s*['"]([^'"]+)['"]/g)) {
    if (!/^(\.|node:)/.test(name) && !(name in dependencies) && !peers.includes(name))
      throw new Error(`${path}: a type of the library refers to ${name}, which users do not have`)
    if (name.startsWith('.'))
      copyTypes(join(dirname(path), name.replace(/\.js$/, '.d.ts')), { peers, asCommonJs, copied })
  }
}

const output = [...(await bundle()), ...(await bundleClient()), ...(await bundleFixtures())]
copySwaggerUi()
mkdirSync(join(dist, 'cli'))
await init
const names = parse(readFileSync(module('index'), 'utf8'))[1].map(({ n }) => n)
writeFileSync(
  join(dist, 'index.js'),
  `import { createRequire } from 'node:module'

export const { ${names.join(', ')} } = createRequire(import.meta.url)('./code/index.cjs')
`,
)
writeFileSync(join(dist, 'worker.js'), "import './code/worker.cjs'\n")
writeFileSync(
  join(dist, 'cli/main.js'),
  `#!/usr/bin/env node
import module from 'node:module'

module.enableCompileCache?.()
module.createRequire(import.meta.url)('../code/main.cjs')
`,
)
chmodSync(join(dist, 'cli/main.js'), 0o755) // a link that npm made earlier leads to it
copyTypes('index.d.ts')
copyTypes('clients/client/index.d.ts', { asCommonJs: true })
copyTypes('tools/vitest/index.d.ts', { peers: ['vitest'] })
writeFileSync(join(dist, 'LICENSES'), licences(output).join(`\n${'-'.repeat(80)}\n\n`))
