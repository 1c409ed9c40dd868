// What a compiled module is made of. `node scripts/closure.mjs dist/modules MODULE` prints its modules, a path a line.
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { init, parse } from 'es-module-lexer'

/**
 * The module and everything of ours that it imports, directly or not, at once or later, as sorted paths in the folder; and the packages
 * that these import, sorted.
 */
export async function closureOf(folder, module) {
  await init
  const modules = new Set()
  const packages = new Set()
  const visit = (path) => {
    if (modules.has(path)) return
    modules.add(path)
    const [imports] = parse(readFileSync(`${folder}/${path}`, 'utf8'))
    for (const { n: name } of imports) {
      if (name?.startsWith('.')) visit(join(path, '..', name))
      else if (name !== undefined && !isBuiltin(name))
        packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)[0])
    }
  }
  visit(module)
  return { modules: [...modules].sort(), packages: [...packages].sort() }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { modules } = await closureOf(...process.argv.slice(2))
  process.stdout.write(`${modules.join('\n')}\n`)
}
