import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../src/', import.meta.url))

/** What everybody may import: small machinery, time, what the contracts say, and what is deployed where. */
const commonGround = ['lib', 'time', 'generated', 'chain/deployments']

/**
 * What each room may import besides itself and the common ground, bottom up: a room stands below those that import it. Types
 * count like code.
 */
const mayImport: Record<string, readonly string[]> = {
  generated: [],
  'chain/deployments': [],
  lib: [],
  time: [],
  wal: [],
  'chain/node': [],
  'chain/wallet': [],
  'chain/state': ['chain/node'],
  'chain/funds': ['chain/node'],
  'chain/world': ['chain/node', 'chain/funds'],
  'chain/fork': ['wal', 'chain/node', 'chain/state', 'chain/funds', 'chain/world'],
  'chain/persistence': ['wal', 'chain/node'],
  chain: ['wal', 'chain/node', 'chain/fork', 'chain/persistence'],
  aggregator: ['chain/node'],
  bridge: ['chain/node', 'chain/funds'],
  rewards: ['chain/node', 'chain/state', 'chain/funds'],
  store: ['wal', 'chain/node', 'plans/model'],
  control: [
    'chain/node',
    'chain/state',
    'chain/funds',
    'chain/world',
    'chain/fork',
    'chain/persistence',
  ],
  'plans/model': ['chain/node', 'chain/state', 'aggregator', 'rewards'],
  'plans/observe': ['chain/node', 'chain/state', 'bridge', 'plans/model'],
  'plans/build': ['chain/state', 'chain/wallet', 'bridge', 'store', 'plans/model'],
  'plans/markets': [
    'chain/node',
    'chain/state',
    'aggregator',
    'plans/model',
    'plans/observe',
    'plans/build',
  ],
  'plans/kinds': [
    'chain/node',
    'chain/state',
    'plans/model',
    'plans/observe',
    'plans/build',
    'plans/markets',
  ],
  'plans/prepare': [
    'chain/node',
    'chain/state',
    'chain/funds',
    'aggregator',
    'rewards',
    'store',
    'plans/model',
    'plans/build',
  ],
  'plans/execute': [
    'chain/node',
    'chain/wallet',
    'aggregator',
    'bridge',
    'rewards',
    'store',
    'plans/model',
    'plans/observe',
    'plans/build',
    'plans/prepare',
  ],
  plans: [
    'aggregator',
    'rewards',
    'store',
    'plans/model',
    'plans/build',
    'plans/prepare',
    'plans/execute',
  ],
  worlds: ['chain/node', 'chain/fork'],
  activities: ['chain/node', 'chain/state', 'store', 'plans/model', 'plans/observe'],
  folio: [
    'chain/state',
    'bridge',
    'rewards',
    'store',
    'plans/model',
    'plans/build',
    'plans/prepare',
  ],
  journal: ['store'],
  faults: [
    'wal',
    'chain/node',
    'chain/funds',
    'aggregator',
    'bridge',
    'control',
    'store',
    'plans',
    'plans/model',
    'plans/execute',
  ],
  'faults/effects': ['chain/node', 'store', 'plans/build', 'plans/execute', 'faults'],
  'faults/interceptors': [
    'chain/node',
    'aggregator',
    'bridge',
    'store',
    'plans',
    'plans/model',
    'plans/execute',
    'folio',
    'faults',
  ],
  http: [
    'chain/node',
    'chain/fork',
    'chain/wallet',
    'chain/funds',
    'control',
    'rewards',
    'store',
    'plans',
    'plans/model',
    'plans/observe',
    'activities',
    'folio',
    'journal',
    'stream',
    'faults',
    'faults/effects',
    'worlds',
    'scenarios',
  ],
  stream: ['chain/node', 'control', 'faults', 'journal', 'scenarios', 'store', 'worlds'],
  metrics: ['chain/node', 'store', 'plans', 'faults', 'http'],
  fleet: ['http', 'metrics', 'worlds'],
  trace: ['control', 'faults', 'journal', 'store'],
  // The composition root and what starts it: files directly in src.
  '.': [
    'wal',
    'chain',
    'chain/node',
    'chain/persistence',
    'chain/state',
    'chain/funds',
    'chain/world',
    'chain/fork',
    'control',
    'aggregator',
    'bridge',
    'rewards',
    'store',
    'plans',
    'plans/kinds',
    'activities',
    'folio',
    'journal',
    'stream',
    'faults',
    'faults/interceptors',
    'http',
    'fleet',
    'metrics',
    'testing',
    'worlds',
    'scenarios',
    'trace',
  ],
  // Clients of the simulator, over HTTP.
  scenarios: [],
  client: ['chain/wallet'],
  // In a browser.
  ui: ['client'],
  mcp: ['chain/node', 'scenarios', 'http', 'journal'],
  // A client of any server, over HTTP. What is documented, and what signers sign, it knows from here.
  verify: ['chain/wallet', 'plans/kinds', 'scenarios', 'http'],
  testing: ['journal'],
  bundles: ['chain/funds', 'chain/fork', '.'],
  vitest: ['client', 'testing', '.'],
  cli: [
    'wal',
    'chain/node',
    'chain/persistence',
    'chain/wallet',
    'chain/funds',
    'chain/world',
    'chain/fork',
    'plans/kinds',
    'faults',
    'faults/effects',
    'journal',
    'scenarios',
    'mcp',
    'verify',
    'http',
    'trace',
    'bundles',
    '.',
  ],
}

/** Written from the OpenAPI documents. */
const emitted = ['client/serviceApi.ts', 'ui/api/controlApi.ts']

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
  .map((path) => path.replaceAll('\\', '/'))

/** Two levels where a folder is a house of rooms. */
function roomOf(path: string): string {
  const folders = path.split('/').slice(0, -1)
  if (folders.length === 0) return '.'
  return folders.slice(0, ['chain', 'plans', 'faults'].includes(folders[0]!) ? 2 : 1).join('/')
}

/** What a file imports from src, types too. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(src, path), 'utf8')
  const found = [
    ...text.matchAll(/^(?:import|export)\b[^'";]*?from '(\.[^']+)'/gm),
    ...text.matchAll(/^import '(\.[^']+)'/gm),
    ...text.matchAll(/\bimport\('(\.[^']+)'\)/g),
  ]
  return found
    .map(([, target]) =>
      relative(src, join(src, dirname(path), target!))
        .replaceAll('\\', '/')
        .replace(/\.js$/, '.ts'),
    )
    .map((file) => (files.includes(`${file}x`) ? `${file}x` : file))
}

/** The nodes of a graph from which a path leads back to themselves. */
function circles(nodes: readonly string[], next: (node: string) => readonly string[]): string[] {
  const reaches = (from: string): Set<string> => {
    const seen = new Set<string>()
    const waiting = [...next(from)]
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop())
      if (!seen.has(node)) {
        seen.add(node)
        waiting.push(...next(node))
      }
    return seen
  }
  return nodes.filter((node) => reaches(node).has(node))
}

test('default: every room imports only rooms below it, types included', () => {
  const upward = files.flatMap((path) =>
    importsOf(path)
      .filter((target) => roomOf(target) !== roomOf(path))
      .filter(
        (target) => ![...commonGround, ...(mayImport[roomOf(path)] ?? [])].includes(roomOf(target)),
      )
      .map((target) => `${path} -> ${target}`),
  )
  expect(upward).toEqual([])
})

test('behavior: the table itself points one way, and allows nothing that nobody needs', () => {
  const rooms = Object.keys(mayImport)
  const below = (room: string): readonly string[] => mayImport[room]!
  expect(circles(rooms, below)).toEqual([])
  const used = new Set(
    files.flatMap((path) =>
      importsOf(path).map((target) => `${roomOf(path)} -> ${roomOf(target)}`),
    ),
  )
  const unused = rooms.flatMap((room) =>
    below(room)
      .map((other) => `${room} -> ${other}`)
      .filter((pair) => !used.has(pair)),
  )
  expect(unused).toEqual([])
})

test('behavior: no files import each other in a circle', () => {
  const imports = new Map(files.map((path) => [path, importsOf(path)]))
  expect(circles(files, (path) => imports.get(path) ?? [])).toEqual([])
})

test('behavior: the map in CONTRIBUTING.md names every room, and no others', () => {
  const text = readFileSync(new URL('../CONTRIBUTING.md', import.meta.url), 'utf8')
  const named = [...text.matchAll(/^\| `src\/([^`]*)` \|/gm)].map(([, room]) => room || '.')
  const rooms = [...new Set(files.map(roomOf))].filter((room) => room !== 'generated')
  expect(named.sort()).toEqual(rooms.sort())
  expect(Object.keys(mayImport).sort()).toEqual([...rooms, 'generated'].sort())
})

test('behavior: only the composition root makes the app, and what serves a trace', () => {
  const makers = files.filter((path) => importsOf(path).includes('http/app.ts'))
  expect(makers.sort()).toEqual(['compose.ts', 'openTrace.ts'])
})

test('behavior: the libraries of metrics and logs are loaded by the first who asks for them', () => {
  const heavy = ['prom-client', 'pino']
  const users = files.filter((path) =>
    heavy.some((name) => readFileSync(join(src, path), 'utf8').includes(`from '${name}'`)),
  )
  expect(users.sort()).toEqual(['http/jsonLog.ts', 'metrics/exposition.ts'])
  const atStart = files.flatMap((path) =>
    [...readFileSync(join(src, path), 'utf8').matchAll(/^import (?!type )[^'";]*? from '(\..+)'/gm)]
      .filter(([, target]) => /\/(jsonLog|exposition)\.js$/.test(target!))
      .map(() => path),
  )
  expect(atStart).toEqual([])
})

test('behavior: the SDK of agents is loaded by the one command that serves them', () => {
  const users = files.filter((path) =>
    /^import (?!type )[^'";]*? from '@modelcontextprotocol/m.test(
      readFileSync(join(src, path), 'utf8'),
    ),
  )
  expect(users).toEqual(['mcp/serve.ts'])
  const reaching = (target: string) => files.filter((path) => importsOf(path).includes(target))
  expect(reaching('mcp/serve.ts')).toEqual(['cli/mcp.ts'])
  expect(readFileSync(join(src, 'cli/program.ts'), 'utf8')).not.toMatch(/from '\.\/mcp/)
})

test('behavior: no file has outgrown its room', () => {
  const long = files.filter(
    (path) =>
      !path.startsWith('generated/') &&
      !emitted.includes(path) &&
      readFileSync(join(src, path), 'utf8').split('\n').length > 400,
  )
  expect(long).toEqual([])
})

test('behavior: no name is exported twice', () => {
  const declaration =
    /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm
  const places = new Map<string, string[]>()
  for (const path of files.filter((each) => each !== 'ui/api/controlApi.ts'))
    for (const [, name] of readFileSync(join(src, path), 'utf8').matchAll(declaration))
      places.set(name!, [...(places.get(name!) ?? []), path])
  expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([])
})
