import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { minVersion, satisfies } from 'semver'
import { expect, test } from 'vitest'
import { oldestNode } from '../../src/tools/cli/process/nodeVersion.js'

// What package.json promises to whom installs the package. Reads `dist`: needs `npm run build` before.

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

interface Entry {
  version?: string
  hasInstallScript?: boolean
  engines?: { node?: string }
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> }
const manifest = JSON.parse(read('package.json')) as Entry

/** Where Node finds a package that the one at `from` asks for: beside it, or further up. */
function find(name: string, from: string): string {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (packages[path]) return path
  if (from === '') throw new Error(`package-lock.json lacks ${name}`)
  return find(name, from.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, ''))
}

/** Everything that comes with an installation, as places in package-lock.json. */
function productionTree(): Set<string> {
  const found = new Set<string>()
  const visit = (from: string) => {
    const { dependencies, optionalDependencies } = packages[from]!
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const path = find(name, from)
      if (found.has(path)) continue
      found.add(path)
      visit(path)
    }
  }
  visit('')
  return found
}

/** What the bundles are made of, as LICENSES has it: name, version, licence. */
const bundled = read('dist/LICENSES')
  .split(/^-{80}$/m)
  .map((text) => /^(\S+) (\S+) \((.*)\)\n\n([\s\S]*)/.exec(text.trim())!)
  .map(([, name, version, licence, text]) => ({ name: name!, version: version!, licence, text }))

const refuses = (engines: Entry['engines']) => !satisfies(oldestNode, engines?.node ?? '*')

test('default: every runtime dependency runs on the oldest Node that is promised', () => {
  expect(minVersion(manifest.engines!.node!)?.version).toBe(oldestNode)
  const tree = [...productionTree()]
  expect(tree).toContain('node_modules/@foundry-rs/anvil-linux-amd64')
  expect(tree.filter((path) => refuses(packages[path]!.engines))).toEqual([])
})

/** Asks for a newer Node than its code needs, which takes no more of it than promiseShim.ts adds. */
const shimmed = 'node_modules/prool'

test('behavior: so does every package that is bundled, but one that says less than it does', () => {
  const places = bundled.map(({ name, version }) =>
    Object.keys(packages).find(
      (path) => path.endsWith(`node_modules/${name}`) && packages[path]!.version === version,
    ),
  )
  expect(places).not.toContain(undefined)
  expect(places.length).toBeGreaterThan(50)
  expect(places.filter((path) => refuses(packages[path!]!.engines))).toEqual([shimmed])
})

test('behavior: an installation brings the anvil of its platform and the client, no install script and no peer', () => {
  const tree = [...productionTree()]
  const names = tree.map((path) => path.replace(/.*node_modules\//, ''))
  const own = ['@foundry-rs/anvil-', 'openapi-']
  expect(names.filter((name) => !own.some((start) => name.startsWith(start)))).toEqual([])
  expect(tree.filter((path) => packages[path]!.hasInstallScript)).toEqual([])
  expect(manifest.peerDependencies).toBeUndefined()
})

test('behavior: the lock file has the anvil of every platform in full, in one exact version', () => {
  const anvils = Object.entries(manifest.optionalDependencies!)
  expect(anvils.map(([name]) => name.replace('@foundry-rs/anvil-', ''))).toEqual([
    'darwin-amd64',
    'darwin-arm64',
    'linux-amd64',
    'linux-arm64',
    'win32-amd64',
  ])
  for (const [name, version] of anvils)
    expect(packages[`node_modules/${name}`], name).toMatchObject({
      version,
      integrity: expect.stringMatching(/^sha512-/),
      optional: true,
    })
  expect(new Set(anvils.map(([, version]) => version)).size).toBe(1)
})

test('behavior: npm ci warns of no other package that asks for a newer Node', () => {
  const warned = Object.keys(packages).filter((path) => path && refuses(packages[path]!.engines))
  expect(warned.filter((path) => !(packages[path] as { optional?: boolean }).optional)).toEqual([
    shimmed,
  ])
})

test('behavior: a clone runs no install script but its own build', () => {
  const scripts = Object.keys(packages).filter((path) => packages[path]!.hasInstallScript)
  expect(scripts.filter((path) => path !== '')).toEqual([])
})

test('behavior: the published code loads nothing that is not installed with it', () => {
  const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.c?js$/.test(file) && !file.startsWith('modules'))
    .map((file) => file.replaceAll('\\', '/'))
  expect(files).toContain('code/service.cjs')
  const foreign = files.flatMap((file) => {
    const names = [
      ...read(`dist/${file}`).matchAll(/\brequire\("([^"]+)"\)/g),
      ...read(`dist/${file}`).matchAll(/^import .*from ['"](.*)['"]$/gm),
    ]
    return names
      .map(([, name]) => name!)
      .filter((name) => !name.startsWith('.') && !isBuiltin(name))
      .filter((name) => !/^(?:@[^/]+\/)?[^/]+/.exec(name)?.some((n) => n in manifest.dependencies!))
      .map((name) => `${file}: ${name}`)
  })
  // What ws would be quicker with, and Express's log more colourful: they look whether somebody has it. Ajv only writes of itself.
  const optional = ['bufferutil', 'supports-color', 'utf-8-validate']
  const ofAjv = /: ajv(-formats)?\/dist\//
  expect(
    foreign
      .filter((each) => !ofAjv.test(each))
      .map((each) => each.replace(/.*: /, ''))
      .sort(),
  ).toEqual(optional)
})

test('behavior: the types of the library refer to nothing that its users do not have', () => {
  const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.d.ts') && !file.startsWith('modules'),
  )
  expect(files).toContain('index.d.ts')
  expect(files.filter((file) => /['"](?:viem|zod)/.test(read(`dist/${file}`)))).toEqual([])
})

test('behavior: the licence of everything that is bundled comes along, and NOTICE names each', () => {
  expect(bundled.filter(({ text }) => text!.length < 200)).toEqual([])
  const listed = /^ {2}Package {2,}Licence\n(.*?)\n\n/ms.exec(read('NOTICE'))![1]!
  const expected = bundled.map(({ name, licence }) => `${name} ${licence}`)
  expect(listed.split('\n').map((line) => line.trim().replace(/ +/, ' '))).toEqual([
    ...new Set(expected),
  ])
})
