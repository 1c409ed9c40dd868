import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../src/', import.meta.url))

/**
 * What each room may import besides itself and the common ground. `types` may be imported by anybody: they are erased, and
 * tie no code to code.
 */
const mayImport: Record<string, readonly string[]> = {
  generated: ['chain'],
  // Small machinery that everybody may import.
  lib: [],
  chain: ['generated'],
  store: [],
  events: ['store'],
  bridge: ['chain', 'generated'],
  aggregator: ['chain', 'generated'],
  rewards: ['chain', 'generated'],
  plans: ['chain', 'generated', 'store', 'bridge', 'aggregator', 'rewards'],
  faults: ['chain', 'generated', 'store', 'bridge', 'plans'],
  snapshots: ['chain'],
  folio: ['chain', 'store', 'bridge', 'plans'],
  journal: ['chain', 'store', 'generated'],
  http: ['chain', 'store', 'events', 'journal', 'folio', 'plans', 'faults', 'generated'],
  // The composition root and what starts it: files directly in src.
  '.': [
    'chain',
    'store',
    'events',
    'bridge',
    'aggregator',
    'rewards',
    'plans',
    'faults',
    'folio',
    'http',
    'generated',
    'snapshots',
    'journal',
  ],
  // A client of the simulator, over HTTP.
  scenarios: ['chain'],
  cli: ['.', 'chain', 'http', 'generated', 'scenarios'],
}

/** Files that belong to no room: everybody may import them. */
const commonGround = [
  'errors.ts',
  'clock.ts',
  'work.ts',
  'gate.ts',
  'stateful.ts',
  'context.ts',
  'ids.ts',
  'loopback.ts',
  'chain/networks.ts',
]

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => path.replaceAll('\\', '/'))

function roomOf(path: string): string {
  return path.includes('/') ? path.split('/')[0]! : '.'
}

/** Code that a file imports from src, without type imports. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(src, path), 'utf8')
  const found = [
    ...text.matchAll(/^(?:import|export) (?!type )[^'"]*?from '(\.[^']+)'/gms),
    ...text.matchAll(/\bimport\('(\.[^']+)'\)/g),
  ]
  return found.map(([, target]) =>
    relative(src, join(src, dirname(path), target!))
      .replaceAll('\\', '/')
      .replace(/\.js$/, '.ts'),
  )
}

test('default: imports point one way', () => {
  const upward = files.flatMap((path) =>
    importsOf(path)
      .filter((target) => !commonGround.includes(target) && roomOf(target) !== 'lib')
      .filter((target) => roomOf(target) !== roomOf(path))
      .filter((target) => !(mayImport[roomOf(path)] ?? []).includes(roomOf(target)))
      .map((target) => `${path} -> ${target}`),
  )
  expect(upward).toEqual([])
})

test('behavior: every room is in the table, and only the composition root makes the app', () => {
  expect(Object.keys(mayImport)).toEqual(expect.arrayContaining([...new Set(files.map(roomOf))]))
  const makers = files.filter((path) => importsOf(path).includes('http/app.ts'))
  expect(makers).toEqual(['compose.ts'])
})

test('behavior: no file has outgrown its room', () => {
  const long = files.filter(
    (path) =>
      !path.startsWith('generated/') &&
      readFileSync(join(src, path), 'utf8').split('\n').length > 400,
  )
  expect(long).toEqual([])
})
