import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../../src/', import.meta.url))

/** The rooms of `src`, bottom up. A room imports only from those before it, types included. */
const rooms = [
  'lib',
  'deployments',
  'time',
  'wal',
  'chain',
  'service',
  'control',
  'faults',
  'worlds',
  'observe',
  'clients',
  'http',
  'simulator',
  'tools',
]

/** Sub-rooms that have rooms of their own. */
const nested = ['chain/fork', 'service/plans']

/** The most files a folder may have, tests aside. */
const maxFiles = 30

/** Written by scripts. */
const emitted = [
  'clients/client/serviceApi.ts',
  'clients/control/controlApi.ts',
  'http/openapi/recorded.ts',
]

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
  .map((path) => path.replaceAll('\\', '/'))

/** The room a file stands in; '.' for `index.ts`. */
function roomOf(path: string): string {
  return path.includes('/') ? path.split('/')[0]! : '.'
}

/** The room within the room: its folder, two levels deep, or three below the nested ones. */
function subRoomOf(path: string): string {
  const folders = path.split('/').slice(0, -1)
  const depth = nested.includes(folders.slice(0, 2).join('/')) ? 3 : 2
  return folders.slice(0, depth).join('/')
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

test('default: a room imports only from rooms before it, types included', () => {
  const upward = files.flatMap((path) =>
    importsOf(path)
      .filter((target) => roomOf(target) !== 'generated' && roomOf(path) !== '.')
      .filter((target) => rooms.indexOf(roomOf(target)) > rooms.indexOf(roomOf(path)))
      .map((target) => `${path} -> ${target}`),
  )
  expect(upward).toEqual([])
})

test('behavior: src has the rooms of the list, the generated code, and one loose file that nothing imports', () => {
  expect([...new Set(files.map(roomOf))].sort()).toEqual([...rooms, 'generated', '.'].sort())
  expect(files.filter((path) => roomOf(path) === '.')).toEqual(['index.ts'])
  expect(files.filter((path) => importsOf(path).includes('index.ts'))).toEqual([])
})

test('behavior: sub-rooms do not import each other in a circle', () => {
  const next = new Map<string, Set<string>>()
  for (const path of files)
    for (const target of importsOf(path)) {
      const [from, to] = [subRoomOf(path), subRoomOf(target)]
      if (from !== to) next.set(from, (next.get(from) ?? new Set()).add(to))
    }
  // A room's own files put its sub-rooms together, and hold what these share.
  for (const [from, targets] of next)
    for (const to of targets) if (rooms.includes(from) || rooms.includes(to)) targets.delete(to)
  expect(circles([...next.keys()], (room) => [...(next.get(room) ?? [])])).toEqual([])
})

test('behavior: no folder has too many files', () => {
  const counts = new Map<string, number>()
  for (const path of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  expect([...counts].filter(([, count]) => count > maxFiles)).toEqual([])
})

test('behavior: no files import each other in a circle', () => {
  const imports = new Map(files.map((path) => [path, importsOf(path)]))
  expect(circles(files, (path) => imports.get(path) ?? [])).toEqual([])
})

test('behavior: the map in CONTRIBUTING.md has the rooms in their order, and that of each room its sub-rooms', () => {
  const namesIn = (path: string, pattern: RegExp) =>
    [...readFileSync(join(src, path), 'utf8').matchAll(pattern)].map(([, name]) => name!)
  expect(namesIn('../CONTRIBUTING.md', /^\| `src\/([^`]+)` \|/gm)).toEqual(rooms)
  for (const room of rooms) {
    const own = files.filter((path) => roomOf(path) === room).map(subRoomOf)
    const subRooms = [...new Set(own)].filter((each) => each !== room)
    const named = subRooms.length > 0 ? namesIn(`${room}/README.md`, /^\| `([^`]+)` \|/gm) : []
    expect(named.map((name) => `${room}/${name}`).sort()).toEqual(subRooms.sort())
    expect([room, existsSync(join(src, room, 'README.md'))]).toEqual([room, subRooms.length > 0])
  }
})

test('behavior: only the composition root makes the app, and what serves a trace', () => {
  const makers = files.filter((path) => importsOf(path).includes('http/app.ts'))
  expect(makers.sort()).toEqual(['simulator/compose.ts', 'simulator/openTrace.ts'])
})

test('behavior: the libraries of metrics and logs are loaded by the first who asks for them', () => {
  const heavy = ['prom-client', 'pino']
  const users = files.filter((path) =>
    heavy.some((name) => readFileSync(join(src, path), 'utf8').includes(`from '${name}'`)),
  )
  expect(users.sort()).toEqual(['http/core/jsonLog.ts', 'observe/metrics/exposition.ts'])
  const atStart = files.flatMap((path) =>
    [...readFileSync(join(src, path), 'utf8').matchAll(/^import (?!type )[^'";]*? from '(\..+)'/gm)]
      .filter(([, target]) => /\/(jsonLog|exposition)\.js$/.test(target!))
      .map(() => path),
  )
  expect(atStart).toEqual([])
})

test('behavior: the SDK of agents is loaded by the command that serves them, and by the first request of one', () => {
  const users = files.filter((path) =>
    /^import (?!type )[^'";]*? from '@modelcontextprotocol/m.test(
      readFileSync(join(src, path), 'utf8'),
    ),
  )
  expect(users.every((path) => path.startsWith('tools/mcp/'))).toBe(true)
  const reaching = (target: string) => files.filter((path) => importsOf(path).includes(target))
  expect(reaching('tools/mcp/agentServer.ts')).toEqual([
    'tools/mcp/overHttp.ts',
    'tools/cli/commands/mcp.ts',
  ])
  expect(reaching('tools/mcp/overHttp.ts')).toEqual(['tools/cli/process/launch.ts'])
  expect(readFileSync(join(src, 'tools/cli/process/launch.ts'), 'utf8')).not.toMatch(
    /from '.*\/mcp\//,
  )
  expect(readFileSync(join(src, 'tools/cli/program.ts'), 'utf8')).not.toMatch(
    /from '\.\/commands\/mcp/,
  )
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
  for (const path of files.filter((each) => each !== 'clients/control/controlApi.ts'))
    for (const [, name] of readFileSync(join(src, path), 'utf8').matchAll(declaration))
      places.set(name!, [...(places.get(name!) ?? []), path])
  expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([])
})

test('behavior: what the benchmarks import of the compiled modules has a source and is exported there', () => {
  const imported = /import \{([^}]*)\} from '\.\.\/dist\/modules\/([^']+)\.js'/g
  const absent = readdirSync('bench')
    .filter((name) => name.endsWith('.mjs'))
    .flatMap((name) => [...readFileSync(join('bench', name), 'utf8').matchAll(imported)])
    .flatMap(([, names, path]) => {
      const source = files.includes(`${path}.ts`)
        ? readFileSync(join(src, `${path}.ts`), 'utf8')
        : ''
      return names!
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each && !new RegExp(`^export .*\\b${each}\\b`, 'm').test(source))
        .map((each) => `${each} of ${path}`)
    })
  expect(absent).toEqual([])
})
