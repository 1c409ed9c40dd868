import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

// The offline world is built again when what it is built from has changed. Reads `dist`: needs `npm run build` before.

const root = fileURLToPath(new URL('../..', import.meta.url))
const entry = 'chain/genesis/build'

/** The modules of ours that the sources import from `module` on, at once or later; types alone load nothing. */
function importedFrom(module: string, found = new Set<string>()): Set<string> {
  if (found.has(module)) return found
  found.add(module)
  const text = readFileSync(join(root, 'src', `${module}.ts`), 'utf8')
  const names = [
    ...text.matchAll(/^(?:import|export) (?!type\b)(?:[^'";]* from )?'(\.[^']+)\.js'/gm),
    ...text.matchAll(/\bimport\('(\.[^']+)\.js'\)/g),
  ]
  for (const [, name] of names) importedFrom(join(module, '..', name!), found)
  return found
}

test('default: the hash over the inputs of the offline world covers every module that builds it', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['scripts/closure.mjs', 'dist/modules', `${entry}.js`],
    { cwd: root },
  )
  const hashed = stdout.trim().split('\n')
  const imported = [...importedFrom(entry)].map((module) => `${module}.js`)
  expect(hashed).toEqual(imported.sort())
  expect(hashed).toContain('chain/genesis/prices.js')
  expect(hashed).toContain('chain/funds/deal.js')
  expect(hashed.length).toBeGreaterThan(30)
})
