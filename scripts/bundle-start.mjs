// Gathers the parts of three dependencies that a start loads into one file each, and lets the compiled code import those. Hundreds of
// small files cost a start more than the code in them; what each of them exports stays what it is. prool comes to users in no other
// way: the package itself asks for a newer Node than its code needs. Argument: the folder that tsc filled.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'

const dist = process.argv[2]
const bundles = { 'viem/utils': 'viem.js', prool: 'prool.js', zod: 'zod.js' }

const files = readdirSync(dist, { recursive: true })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.js') && !path.startsWith('bundled/'))

/** Named imports of a module in dist: static ones, and `const { … } = await import(…)`. */
function namesOf(module) {
  const patterns = [
    new RegExp(`import \\{([^}]*)\\} from '${module}'`, 'g'),
    new RegExp(`\\{([\\w\\s,]*)\\} = await import\\('${module}'\\)`, 'g'),
  ]
  const names = files.flatMap((path) => {
    const text = readFileSync(join(dist, path), 'utf8')
    return patterns.flatMap((pattern) =>
      [...text.matchAll(pattern)].flatMap(([, list]) => list.split(',').map((name) => name.trim())),
    )
  })
  return [...new Set(names.filter((name) => name !== ''))].sort()
}

async function bundle(module, file) {
  const entry = join(dist, 'bundled', `entry-${file}`)
  writeFileSync(entry, `export { ${namesOf(module).join(', ')} } from '${module}'\n`)
  const build = await rolldown({
    input: entry,
    platform: 'node',
    // Loaded by the few things that need it, when they need it.
    external: ['ws', 'isows', 'testcontainers', '@pimlico/alto'],
    treeshake: { moduleSideEffects: false },
    logLevel: 'silent',
  })
  const { output } = await build.write({
    file: join(dist, 'bundled', file),
    format: 'esm',
    codeSplitting: false,
  })
  await build.close()
  rmSync(entry)
  return Object.entries(output[0].modules)
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .flatMap(([path]) => packageOf(path) ?? [])
}

/** The folder of the package that a module is from. */
function packageOf(path) {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path.replaceAll('\\', '/'))?.[0]
}

/** Name, version and the text of its licence. */
function licenceOf(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry))
  if (!file) throw new Error(`${name} is bundled, but its package has no file with its licence`)
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
}

function redirect(path) {
  const text = readFileSync(join(dist, path), 'utf8')
  let changed = text
  for (const [module, file] of Object.entries(bundles)) {
    const target = relative(dirname(join(dist, path)), join(dist, 'bundled', file)).replaceAll(
      '\\',
      '/',
    )
    const specifier = target.startsWith('.') ? target : `./${target}`
    changed = changed
      .replaceAll(`from '${module}'`, `from '${specifier}'`)
      .replaceAll(`import('${module}')`, `import('${specifier}')`)
  }
  if (changed !== text) writeFileSync(join(dist, path), changed)
}

mkdirSync(join(dist, 'bundled'), { recursive: true })
const packages = new Set()
for (const [module, file] of Object.entries(bundles))
  for (const folder of await bundle(module, file)) packages.add(folder)
const licences = [...packages].map(licenceOf).sort()
writeFileSync(join(dist, 'bundled', 'LICENSES'), licences.join(`\n${'-'.repeat(80)}\n\n`))
for (const path of files) redirect(path)
