// Gathers what the compiled code uses of a few dependencies into one file each. Hundreds of small files cost a start more than the code
// in them. Every compiled file is an entry of its own and stays where it is: what it imports of ours is outside of it, what it imports of
// those packages is taken into the gathered files. prool comes to users in no other way: the package itself asks for a newer Node than
// its code needs. Argument: the folder that tsc filled.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'

const dist = resolve(process.argv[2])

const isGathered = (specifier) =>
  /^(@modelcontextprotocol\/sdk|p-timeout|prool|viem|zod)(\/|$)/.test(specifier)
/** Loaded by the few things in them that need it, when they need it. */
const leftOutside = ['ws', 'isows', 'testcontainers', '@pimlico/alto']

/** The folder of the package that a module is from; undefined for one of ours. */
function packageOf(path) {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path.replaceAll('\\', '/'))?.[0]
}

/** What only the server of agents needs, a validator and the third version of zod among it: no start is to load it. */
const agentsOnly =
  /node_modules\/(@modelcontextprotocol|ajv|ajv-formats|fast-deep-equal|fast-uri|json-schema-traverse|zod-to-json-schema|zod\/v3)\//

/** The gathered file for a module of a package. What those packages need themselves goes with viem, which needs the most. */
function chunkOf(path) {
  const folder = packageOf(path)
  if (folder === undefined || agentsOnly.test(path)) return null
  return /\/(p-timeout|prool|zod)$/.exec(folder)?.[1] ?? 'viem'
}

/** Leaves everything outside but the gathered packages, under the very names by which it is imported. */
const gathering = {
  name: 'gathering',
  resolveId(specifier, importer) {
    if (importer === undefined) return null
    const isOutside = packageOf(importer) ? leftOutside.includes(specifier) : !isGathered(specifier)
    return isOutside ? { id: specifier, external: true } : null
  },
}

/** Name, version and the text of its licence. */
function licenceOf(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry))
  if (!file) throw new Error(`${name} is bundled, but its package has no file with its licence`)
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
}

const files = readdirSync(dist, { recursive: true }).filter((path) => path.endsWith('.js'))
const build = await rolldown({
  input: Object.fromEntries(files.map((path) => [path.slice(0, -'.js'.length), join(dist, path)])),
  platform: 'node',
  plugins: [gathering],
  preserveEntrySignatures: 'strict',
  makeAbsoluteExternalsRelative: false,
  // Ours are loaded for what they do as well; what is gathered is only as far as it is used.
  treeshake: { moduleSideEffects: (path) => path.startsWith(dist) || path.startsWith('.') },
  experimental: { attachDebugInfo: 'none' },
  logLevel: 'silent',
})
const { output } = await build.write({
  dir: dist,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'bundled/[name].js',
  minifyInternalExports: false,
  codeSplitting: {
    groups: [
      // A group takes along what its modules import: the first has its own before the second asks.
      { name: chunkOf, debugName: 'gathered', priority: 2 },
      { name: 'mcp', test: agentsOnly, priority: 1 },
    ],
  },
})
await build.close()

const packages = new Set(
  output.flatMap(({ modules }) =>
    Object.entries(modules)
      .filter(([, { renderedLength }]) => renderedLength > 0)
      .flatMap(([path]) => packageOf(path) ?? []),
  ),
)
const licences = [...packages].map(licenceOf).sort()
writeFileSync(join(dist, 'bundled', 'LICENSES'), licences.join(`\n${'-'.repeat(80)}\n\n`))
