// Checks manifests twice by what is made from the schemas of the Kubernetes API: its types know which fields there are, its schemas which
// values they take. Then what no schema knows: that the kustomization names every file, and selectors, probes and policies what there is.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

const folder = process.argv[2]
const read = (file) =>
  parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => {
    assert.deepEqual(document.errors, [], file)
    return document.toJS()
  })

const [{ resources, images, ...kustomization }] = read('kustomization.yaml')
assert.equal(kustomization.kind, 'Kustomization')
const others = ['kustomization.yaml', 'compose.yml', 'haproxy.cfg']
const files = readdirSync(folder).filter((name) => !others.includes(name))
assert.deepEqual(
  [...resources].sort(),
  files.sort(),
  'every file is a resource of the kustomization',
)
const manifests = resources.flatMap(read)

const modelOf = ({ apiVersion }) => `kubernetes-models/${apiVersion}`
for (const manifest of manifests) {
  const { [manifest.kind]: Model } = await import(modelOf(manifest))
  new Model(manifest).validate()
}

// A field that there is not is an error of types, not of schemas.
const place = 'node_modules/.manifests'
mkdirSync(place, { recursive: true })
const checks = manifests.map(
  (manifest, i) =>
    `import type { I${manifest.kind} as Type${i} } from '${modelOf(manifest)}'\nexport const manifest${i}: Type${i} = ${JSON.stringify(manifest, null, 2)}\n`,
)
writeFileSync(join(place, 'manifests.ts'), checks.join('\n'))
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const options = [
  '--noEmit',
  '--strict',
  '--skipLibCheck',
  '--module',
  'nodenext',
  '--typeRoots',
  place,
]
execFileSync(process.execPath, [tsc, ...options, join(place, 'manifests.ts')], { stdio: 'inherit' })

const of = (kind) => manifests.filter((manifest) => manifest.kind === kind)
const sets = of('StatefulSet')
const templates = sets.map(({ spec }) => spec.template)
const isChosen = (labels, template) =>
  Object.entries(labels).every(([name, value]) => template.metadata.labels[name] === value)
const chosen = (labels) => templates.filter((template) => isChosen(labels, template))
for (const { metadata, spec } of [...sets, ...of('PodDisruptionBudget')])
  assert.equal(chosen(spec.selector.matchLabels).length, 1, `what ${metadata.name} selects`)
const portNames = (found) =>
  found.flatMap(({ spec }) => spec.containers.flatMap(({ ports }) => ports.map(({ name }) => name)))
for (const { spec } of sets) {
  const names = of('Service').find(({ metadata }) => metadata.name === spec.serviceName)
  assert.equal(names?.spec.clusterIP, 'None', `the names of the pods come from ${spec.serviceName}`)
  assert.ok(names.spec.publishNotReadyAddresses, 'draining simulators keep their names')
}
for (const { metadata, spec } of of('Service'))
  for (const { targetPort } of spec.ports)
    assert.ok(portNames(chosen(spec.selector)).includes(targetPort), `the port of ${metadata.name}`)
for (const { metadata, spec } of of('NetworkPolicy'))
  for (const { ports } of spec.ingress)
    for (const { port } of ports)
      assert.ok(portNames(chosen(spec.podSelector.matchLabels)).includes(port), metadata.name)
for (const { spec } of of('HorizontalPodAutoscaler'))
  assert.ok(sets.some(({ metadata }) => metadata.name === spec.scaleTargetRef.name))
for (const { spec } of templates)
  for (const { name, image, ports, readinessProbe, livenessProbe, env } of spec.containers) {
    assert.ok(
      images.some((each) => each.name === image),
      `the image of ${name}`,
    )
    for (const { httpGet } of [readinessProbe, livenessProbe])
      assert.ok(
        ports.some((each) => each.name === httpGet.port),
        `a probe of ${name}`,
      )
    const settingOf = (variable) => env.find((each) => each.name === variable)?.value
    const drainSeconds = Number(settingOf('SVC_SIM_DRAIN_SECONDS'))
    assert.ok(spec.terminationGracePeriodSeconds > drainSeconds, name)
    const [{ serviceName }] = sets.map((set) => set.spec)
    const pod = `http://$(POD_NAME).${serviceName}.${kustomization.namespace}:${ports[0].containerPort}`
    assert.equal(settingOf('SVC_SIM_ADVERTISE'), pod)
  }
console.log(`${manifests.length} manifests: nothing found`)
