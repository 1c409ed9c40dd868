import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'

// What `npm pack` takes along. Needs `npm run build` before.

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8')
let paths: string[]

beforeAll(async () => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root, maxBuffer: 1 << 24 })
  const [packed] = JSON.parse(stdout) as { files: { path: string }[] }[]
  paths = packed!.files.map(({ path }) => path)
})

test('default: built code, documents, scenarios, licences, and nothing else', () => {
  const tops = new Set(paths.map((path) => path.split('/')[0]))
  expect([...tops].sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'NOTICE',
    'README.md',
    'contracts',
    'dist',
    'docs',
    'licenses',
    'openapi',
    'package.json',
    'scenarios',
  ])
  expect(paths.filter((path) => path.startsWith('contracts/'))).toEqual([
    'contracts/addresses.json',
  ])
})

test('behavior: no tests, no sources, no maps, no marks of the build', () => {
  const unwanted = /\.test\.|\.sol$|\.map$|\.built$|tsconfig|(^|\/)(src|test|node_modules)\//
  expect(paths.filter((path) => unwanted.test(path))).toEqual([])
  const sources = paths.filter((path) => /\.[cm]?ts$/.test(path) && !/\.d\.[cm]?ts$/.test(path))
  expect(sources).toEqual([])
})

test('behavior: every entry and program of the package is in it', () => {
  const { exports, bin } = JSON.parse(read('package.json')) as {
    exports: Record<string, string | Record<string, string>>
    bin: Record<string, string>
  }
  const entries = Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [entry] : Object.values(entry),
  )
  for (const file of [...entries, ...Object.values(bin)])
    expect(paths).toContain(file.replace(/^\.\//, ''))
})

test('behavior: the licences that are owed are there, with where the sources are', () => {
  const notice = read('NOTICE')
  const { devDependencies } = JSON.parse(read('package.json')) as {
    devDependencies: Record<string, string>
  }
  // Of every package whose contracts run, the exact version: its source is in the registry.
  const vendors = Object.keys(devDependencies).filter((name) =>
    /^@(aave|morpho-org|uniswap|openzeppelin)\//.test(name),
  )
  expect(vendors.length).toBeGreaterThan(5)
  for (const name of vendors)
    expect(notice).toMatch(new RegExp(`${name}@${devDependencies[name]}\\b`))
  for (const [file, title] of [
    ['licenses/GPL-2.0.txt', 'GNU GENERAL PUBLIC LICENSE\nVersion 2'],
    ['licenses/AGPL-3.0.txt', 'GNU AFFERO GENERAL PUBLIC LICENSE\nVersion 3'],
  ] as const) {
    expect(paths).toContain(file)
    expect(notice).toContain(file)
    expect(read(file)).toContain(title)
    expect(read(file).length).toBeGreaterThan(15_000)
  }
  expect(paths).toContain('dist/LICENSES')
})
