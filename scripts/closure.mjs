// What a compiled module is made of. `node scripts/closure.mjs DIST MODULE` prints its modules, a path in `dist` a line.
import { readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { init, parse } from 'es-module-lexer'

/**
 * The module and everything of ours that it imports, directly or not, at once or later, as sorted paths in `dist`; and the packages
 * whose gathered files these import, sorted.
 */
export async function closureOf(dist, module) {
  await init
  const modules = new Set()
  const packages = new Set()
  const visit = (path) => {
    if (modules.has(path)) return
    modules.add(path)
    const [imports] = parse(readFileSync(`${dist}/${path}`, 'utf8'))
    for (const { n: name } of imports) {
      if (!name?.startsWith('.')) continue
      const target = join(path, '..', name)
      const [, gathered] = /^bundled\/(.*)\.js$/.exec(target) ?? []
      if (gathered) packages.add(gathered)
      else visit(target)
    }
  }
  visit(module)
  return { modules: [...modules].sort(), packages: [...packages].sort() }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { modules } = await closureOf(...process.argv.slice(2))
  process.stdout.write(`${modules.join('\n')}\n`)
}
