import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { afterLostExecution } from '../../src/service/plans/execute/causeSentence.js'
import { optionNames, variableOf } from '../../src/tools/cli/options/optionTable.js'
import { createProgram } from '../../src/tools/cli/program.js'
import { contentsOf, sections, unpublished } from '../../tools/docs/sections.mjs'

// The pages of the documentation: none is lost, and no link leads nowhere. The site's own build checks its links as well.

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => join('docs', file))
const ofRooms = readdirSync(join(root, 'src'))
  .map((room) => `src/${room}/README.md`)
  .filter((file) => existsSync(join(root, file)))
const readable = [
  ...ofRooms,
  'scripts/README.md',
  'README.md',
  'CONTRIBUTING.md',
  'scenarios/README.md',
  ...pages,
]
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const ofMaintainers = pages.filter((page) =>
  unpublished.some((path) => page === `docs/${path}` || page.startsWith(`docs/${path}/`)),
)

/** Text without code, in which brackets are no links. */
const prose = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '')

/** The anchor of a heading, as GitHub and the site make it. */
function anchorOf(heading: string): string {
  const words = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '')
  return words.trim().replace(/\s/g, '-')
}

function anchorsOf(file: string): Set<string> {
  const text = read(file).replace(/^```[\s\S]*?^```$/gm, '')
  return new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!)))
}

test('default: every page has its place in the sidebar, and every place a page', () => {
  const placed = sections.flatMap(({ items }) => items.map(({ link }) => `docs${link}.md`))
  const placedOrLeft = [...placed, ...ofMaintainers, 'docs/index.md', 'docs/skill/SKILL.md']
  expect(placedOrLeft.sort()).toEqual([...pages].sort())
})

test('default: the pages for maintainers are in neither the package nor the site', () => {
  const { files } = JSON.parse(read('package.json')) as { files: string[] }
  const left = files.flatMap((file) => /^!(docs\/[\w./-]+)$/.exec(file)?.[1] ?? [])
  expect(ofMaintainers.filter((page) => !left.some((top) => page.startsWith(top)))).toEqual([])
  expect(left.sort()).toEqual(unpublished.map((path) => `docs/${path}`).sort())
})

test('behavior: llms.txt says of each page what it is about, and of no two the same', () => {
  const lines = contentsOf('/at/')
    .split('\n')
    .filter((line) => line.startsWith('- '))
  expect(lines).toHaveLength(sections.flatMap(({ items }) => items).length)
  const abouts = lines.map((line) => /^- \[[^\]]+\]\(\/at\/\S+\.md\): (.{15,}\.)$/.exec(line)?.[1])
  expect(abouts).not.toContain(undefined)
  expect(new Set(abouts).size).toBe(abouts.length)
})

test('default: every link leads to a file and a heading that are there', () => {
  const dead: string[] = []
  let links = 0
  for (const file of readable)
    for (const [, target] of prose(read(file)).matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)) {
      links += 1
      const [path, anchor] = target!.split('#') as [string, string?]
      const at = path === '' ? file : relative(root, join(root, dirname(file), path))
      if (!existsSync(join(root, at)) || (anchor && !anchorsOf(at).has(anchor)))
        dead.push(`${file}: ${target}`)
    }
  expect(links).toBeGreaterThan(50)
  expect(dead).toEqual([])
})

test('default: every link to the repository leads to a file that is there, and that the package lacks', () => {
  const { files } = JSON.parse(read('package.json')) as { files: string[] }
  const isPacked = (path: string) => files.some((top) => path === top || path.startsWith(`${top}/`))
  const wrong = readable.flatMap((file) => {
    const links = read(file).matchAll(/github\.com\/OWNER\/svc-sim\/blob\/main\/([^)#\s]+)/g)
    const paths = [...links].map(([, path]) => path!)
    return paths.filter((path) => isPacked(path) || !existsSync(join(root, path)))
  })
  expect(wrong).toEqual([])
})

test('default: every svc-sim command line in the pages has a command and options that exist', () => {
  const known = new Map(
    createProgram(() => {}).commands.map((command) => [
      command.name(),
      new Set(['--help', ...command.options.map(({ long }) => long)]),
    ]),
  )
  let lines = 0
  const wrong = readable.flatMap((file) => {
    const code = read(file).match(/^```(sh|yaml)[\s\S]*?^```$|`[^`\n]+`/gm) ?? []
    return code
      .flatMap((text) => [
        ...text.matchAll(
          /(?<=^|["'`(]|\b(?:npx|exec|yarn|bunx) )svc-sim ([a-z]+)\b((?: (?!-- )[^\s`'"|;&)]+)*)/gm,
        ),
      ])
      .flatMap(([line, name, rest]) => {
        lines += 1
        const flags = rest!.match(/(?<= )--[a-z][a-z-]*/g) ?? []
        const options = known.get(name!)
        return flags.every((flag) => options?.has(flag)) && options ? [] : [`${file}: ${line}`]
      })
  })
  expect(lines).toBeGreaterThan(100)
  expect(wrong).toEqual([])
})

const sources = ['src', 'contracts', 'test', 'scripts', 'tools'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => /\.(ts|tsx|mjs|sol)$/.test(file) && !file.includes('node_modules')),
)
const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>
const packages = { ...manifest.dependencies, ...manifest.devDependencies }

/** Names that others chose: commands of a shell, and packages that a decision turned down. */
const namesOfOthers = new Set([
  ...['@openzeppelin/merkle-tree', 'async-mutex', 'p-queue', 'quick-lru', 'write-file-atomic'],
  ...['bottleneck', 'generic-pool', 'http-proxy-3', 'httpxy', 'p-retry', 'rou3', 'tarn'],
  ...['fsync', 'node_modules', 'npm ci', 'tsc'],
])

/** A span with a place for a name, such as `<Script>.sol`, names whatever fits it. */
function isPath(span: string): boolean {
  const pattern = span
    .split(/<[^>]+>/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]+')
  const isThere = new RegExp(`(^|/)${pattern}$`, 'i')
  const isInDist = span.startsWith('dist')
  return isInDist || existsSync(join(root, span)) || sources.some((file) => isThere.test(file))
}

test('default: every code span of recipes and decisions names something that is there', () => {
  const code = sources
    .filter((file) => file !== join('test', 'unit', 'docs.test.ts'))
    .map(read)
    .join('\n')
  const words = new Set(code.match(/[\w$]+/g))
  const isWord = (span: string) =>
    (span.match(/[\w$]+/g) ?? []).every((word) => words.has(word)) && /\w/.test(span)
  const isKnown = (span: string) =>
    namesOfOthers.has(span) ||
    span in packages ||
    (span.startsWith('npm run ') && span.slice(8) in manifest.scripts!) ||
    (/\/|\.\w+$/.test(span) && isPath(span)) ||
    (!/\.(ts|mjs|sol|md|json|cjs)$/.test(span) && isWord(span))
  const ofIdeas = pages.filter((page) => /^docs\/(recipes|decisions)\//.test(page))
  const lost = ofIdeas.flatMap((page) => {
    const spans = read(page)
      .replace(/^( *)```[\s\S]*?^ *```$/gm, '')
      .matchAll(/`([^`\n]+)`/g)
    return [...spans]
      .map(([, span]) => span!)
      .filter((span) => !isKnown(span))
      .map((span) => `${page}: ${span}`)
  })
  expect(ofIdeas.length).toBeGreaterThan(10)
  expect(lost).toEqual([])
})

test('default: every message of Troubleshooting is in the code, and has a cause and a cure', () => {
  const [, ...parts] = read('docs/guides/troubleshooting.md').split(/^### /m)
  const code = sources
    .filter((file) => file.startsWith('src') && !/\.test\.tsx?$/.test(file))
    .map(read)
    .join('\n')
    .replace(/\$\{[^}]*\}/g, '…')
    .replace(/…( …)+/g, '…')
  const lost = parts.filter((part) => {
    const [, message] = /^`([^`\n]+)`\n/.exec(part) ?? []
    const hasBoth = /\n\*\*Cause\.\*\* .+[\s\S]*\n\*\*Cure\.\*\* .+/.test(part)
    return !message || !code.includes(message) || !hasBoth
  })
  expect(parts).toHaveLength(10)
  expect(lost).toEqual([])
})

test('default: memory has one figure, that of What it costs, on every page', () => {
  const costs = read('docs/guides/costs.md')
  const figure = (what: string) =>
    new RegExp(`^\\| ${what}.* \\| (\\d+ MB) \\|$`, 'm').exec(costs)![1]!
  const ready = figure('Memory of a simulator that is ready')
  const idle = figure('Memory of a world that is leased and idle')
  const inUse = figure('Memory to plan with, for each world')
  expect(read('docs/ci.md')).toContain(`${ready} for the simulator, and ${inUse} for each world`)
  expect(read('docs/scale.md')).toContain(`A world in use needs ${inUse} and an idle one ${idle}`)
  expect(read('docs/scale.md')).toContain(`worlds = memory / ${inUse}`)
  expect(read('docs/guides/parallel-tests.md')).toContain(`A world needs about ${inUse}.`)
  expect(read('docs/reference/commands.md')).toContain(`limit of worlds, about ${inUse} each`)
  expect(read('docs/benchmarks.md')).not.toMatch(/^\| Memory (when ready|of a world).*\d MB \(/m)
})

test('default: the action is named with the version of the package', () => {
  const [, version] = /^`uses: OWNER\/svc-sim@v([^`]+)`/m.exec(read('docs/ci.md'))!
  expect(version).toBe(manifest.version)
})

test('default: the Service for Kubernetes leads to the port of the Deployment, which has what it needs', () => {
  const [, text] = /^```yaml file=svc-sim\.yaml\n([\s\S]*?)^```$/m.exec(
    read('docs/guides/access.md'),
  )!
  const [deployment, service] = parseAllDocuments(text!).map((document) => document.toJS())
  const { metadata, spec } = deployment.spec.template
  expect(deployment.spec.selector.matchLabels).toEqual(metadata.labels)
  expect(service.spec.selector).toEqual(metadata.labels)
  const [container] = spec.containers
  expect(service.spec.ports[0].targetPort).toBe(container.ports[0].name)
  expect(container.readinessProbe.httpGet.port).toBe(container.ports[0].name)
  for (const { name } of container.env) expect(optionNames.map(variableOf)).toContain(name)
})

test('default: the guides give the advice for an execution without a response in the words of hints and `why`', () => {
  for (const page of ['docs/guides/plan-stale.md', 'docs/guides/lost-answer.md'])
    expect(read(page).replace(/\s+/g, ' ')).toContain(afterLostExecution)
})
