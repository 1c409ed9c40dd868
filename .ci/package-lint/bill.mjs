// The bill of materials names what is inside the package, and nothing that only builds it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const text = execFileSync(process.execPath, [join(root, 'scripts/sbom.mjs')], {
  maxBuffer: 2 ** 26,
})
const { components } = JSON.parse(text)
const known = new Set(components.map(({ purl }) => decodeURIComponent(purl)))
const names = new Set([...known].map((purl) => purl.replace(/^pkg:npm\/|@[^@]*$/g, '')))

for (const name of [
  '@foundry-rs/anvil-linux-arm64',
  'express',
  '@openzeppelin/contracts',
  'preact',
  'vitepress',
  '@vue/runtime-core',
  'minisearch',
])
  assert(names.has(name), `${name} is missing from the bill of materials`)
for (const name of ['vitest', 'typescript', 'solc', '@scarf/scarf', 'vite', 'shiki', 'svc-sim'])
  assert(!names.has(name), `${name} is not in the package, but in its bill of materials`)

// Scripts of the dashboard and of the site say themselves whose they are: `@license`, or `* name v1.2.3`.
let marked = 0
for (const folder of ['dist/ui', 'dist/docs'])
  for (const file of readdirSync(join(root, folder), { recursive: true }))
    if (file.endsWith('.js'))
      for (const [, name, version] of readFileSync(join(root, folder, file), 'utf8').matchAll(
        /^[ *!/]*(@?[\w./-]+) v?(\d+\.\d+\.\d+)$/gm,
      )) {
        marked++
        assert(
          known.has(`pkg:npm/${name}@${version}`),
          `${file} has code of ${name} ${version}, which the bill of materials lacks`,
        )
      }
assert(marked > 0, 'no script names its maker any more: look for another mark')
console.log(
  `bill of materials: ${components.length} packages, ${marked} marks in scripts found in it`,
)
