import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { minVersion, satisfies } from 'semver'
import { expect, test } from 'vitest'
import { oldestNode } from '../src/cli/nodeVersion.js'

// What package.json promises to whom installs the package. Reads `dist`: needs `npm run build` before.

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

interface Entry {
  version?: string
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

test('default: every runtime dependency runs on the oldest Node that is promised', () => {
  expect(minVersion(manifest.engines!.node!)?.version).toBe(oldestNode)
  const tree = [...productionTree()]
  expect(tree.length).toBeGreaterThan(50)
  expect(tree).toContain('node_modules/viem')
  const refusing = tree.flatMap((path) => {
    const { version, engines } = packages[path]!
    return satisfies(oldestNode, engines?.node ?? '*')
      ? []
      : [`${path} ${version}: ${engines!.node}`]
  })
  expect(refusing).toEqual([])
})

test('behavior: the built code imports nothing that is not installed with it, but for vitest in its fixtures', () => {
  expect(Object.keys(manifest.peerDependencies!)).toEqual(['vitest'])

  const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.js'),
  )
  expect(files).toContain('bundled/prool.js')
  const foreign = files.flatMap((file) => {
    const text = read(`dist/${file}`)
    // What a bundle imports while it runs belongs to parts of it that are never called.
    const whileRunning = file.startsWith('bundled/')
      ? []
      : text.matchAll(/\bimport\(['"]([^'"]+)['"]\)/g)
    return [
      ...text.matchAll(/^(?:import|export) (?:[^'"=()]* from )?['"]([^'"]+)['"]/gm),
      ...whileRunning,
    ]
      .map(([, name]) => name!)
      .filter((name) => !name.startsWith('.') && !isBuiltin(name))
      .filter((name) => !/^(?:@[^/]+\/)?[^/]+/.exec(name)?.some((n) => n in manifest.dependencies!))
      .filter((name) => name !== 'vitest' || !file.startsWith('vitest/'))
      .map((name) => `${file}: ${name}`)
  })
  expect(foreign).toEqual([])
})

test('behavior: the licence of everything that is bundled comes along, and NOTICE names the main ones', () => {
  const licences = read('dist/bundled/LICENSES')
  for (const name of [
    '@modelcontextprotocol/sdk',
    'ajv',
    'p-timeout',
    'prool',
    'eventemitter3',
    'viem',
    'zod',
  ]) {
    expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\n\\n.*MIT`, 'm'))
    expect(read('NOTICE')).toMatch(new RegExp(`^ {2}(?:.*[ ,])?${name}[ ,]`, 'm'))
  }
})
