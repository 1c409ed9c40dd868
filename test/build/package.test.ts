import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
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

test('behavior: every link and picture of a packed page leads to a packed file', () => {
  const pages = paths.filter((path) => path.endsWith('.md') && !path.startsWith('dist/'))
  const links = pages.flatMap((page) => {
    const prose = read(page).replace(/^```[\s\S]*?^```$/gm, '')
    const targets = prose.replace(/`[^`\n]*`/g, '').matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)
    return [...targets].map(([, target]) => [page, posix.join(posix.dirname(page), target!)])
  })
  expect(links.length).toBeGreaterThan(100)
  // The page of the repository; its links get addresses before it is published.
  expect(links.filter(([, target]) => !paths.includes(target!))).toEqual([
    ['README.md', 'CONTRIBUTING.md'],
  ])
})

/** By conditions, which may be inside one another. */
interface Entries {
  [name: string]: string | Entries
}

test('behavior: every entry and program of the package is in it', () => {
  const { exports, bin } = JSON.parse(read('package.json')) as {
    exports: Entries
    bin: Record<string, string>
  }
  const filesOf = (entry: Entries | string): string[] =>
    typeof entry === 'string' ? [entry] : Object.values(entry).flatMap(filesOf)
  const entries = filesOf(exports)
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

test('behavior: before it is published, the package and its page get addresses that work without the repository', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sim-publishing-'))
  const files = ['package.json', 'README.md', 'docs/ci.md', 'docs/guides/scenarios.md']
  for (const file of files) cpSync(join(root, file), join(folder, file))
  const script = join(root, 'scripts/publishing.mjs')
  await promisify(execFile)(process.execPath, [script, 'acme/svc-sim', 'v1.2.3', folder])
  for (const file of files)
    expect(readFileSync(join(folder, file), 'utf8'), file).not.toContain('OWNER')
  const { repository, scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  expect(scripts.prepare).toBeUndefined()
  // Without it, packing builds everything.
  expect(scripts.prepack).toBe('node scripts/build.mjs contracts code ui world docs')
  expect(repository.url).toBe('git+https://github.com/acme/svc-sim.git')
  const page = readFileSync(join(folder, 'README.md'), 'utf8')
  const targets = [...page.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!)
  expect(targets.filter((target) => !/^(https:|http:|#)/.test(target))).toEqual([])
  for (const [, picture] of page.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g))
    expect(picture).toMatch(
      /^https:\/\/raw\.githubusercontent\.com\/acme\/svc-sim\/v1\.2\.3\/docs\/images\//,
    )
})
