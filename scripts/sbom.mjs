// Prints the software bill of materials of the package, as CycloneDX: its dependencies, and what is bundled into it, as the lists of licences
// name it. npm knows the latter only as development dependencies, among many that do not come along. Run `npm run build` and `npm run docs` first.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const cwd = fileURLToPath(new URL('..', import.meta.url))
const npm = (folder, ...words) =>
  JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', ...words], {
      cwd: `${cwd}/${folder}`,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    }),
  )
const keyOf = ({ group, name, version }) => `${group ? `${group}/` : ''}${name} ${version}`

const read = (file) => readFileSync(`${cwd}/${file}`, 'utf8')
const found = (file, pattern) =>
  [...read(file).matchAll(pattern)].map(([, name, version]) => `${name} ${version}`)

const sbom = npm('.')
const site = npm('tools/docs')
/** In the package itself: bundled code, contracts on the simulated chains, the dashboard, the documentation site. */
const inside = [
  ...found('dist/LICENSES', /^(\S+) (\S+) \([^)]*\)$/gm),
  ...found('NOTICE', /^ {2}(\S+)@(\d\S*)/gm),
  ...found('dist/ui/LICENSES.md', /^## (\S+) - (\S+)/gm),
  ...found('dist/docs/LICENSES.md', /^## (\S+) - (\S+)/gm),
]
const shipped = new Set([...npm('.', '--omit', 'dev').components.map(keyOf), ...inside])
const components = [...sbom.components, ...site.components]
  .filter((component) => shipped.has(keyOf(component)))
  .filter((one, place, all) => place === all.findIndex((other) => keyOf(other) === keyOf(one)))
for (const component of components) {
  component.properties = component.properties?.filter(
    ({ name }) => name !== 'cdx:npm:package:development',
  )
  if (inside.includes(keyOf(component))) component.scope = 'required'
}
sbom.metadata.component.name = JSON.parse(read('package.json')).name // npm takes the name of the folder
const known = new Set([sbom.metadata.component, ...components].map((each) => each['bom-ref']))
const dependencies = [...sbom.dependencies, ...site.dependencies]
  .filter(({ ref }, place, all) => place === all.findIndex((other) => other.ref === ref))
  .filter(({ ref }) => known.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((on) => known.has(on)) }))
const missing = [...shipped].filter((key) => !components.some((each) => keyOf(each) === key))
if (missing.length > 0) throw new Error(`not in the lock file: ${missing.join(', ')}`)
console.log(JSON.stringify({ ...sbom, components, dependencies }, null, 2))
