import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { documents, files } from '../../scripts/reference/files.js'
import { clientVariables } from '../../scripts/reference/pages.js'
import { connectVariables, runFolder, sharesWorld } from '../../src/http/routes/control/snippets.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const made = files()

test.each(Object.keys(made))('default: %s is what it is made from', (file) => {
  const committed = readFileSync(root + file, 'utf8')
  expect(committed, `${file} is stale; run "npm run docs:reference"`).toBe(made[file])
})

test('behavior: the environment page names every variable that exec sets', () => {
  const connect = {
    ...{ url: 'http://h', apiKey: 'k', controlUrl: 'http://h/_sim' },
    rpc: { base: 'http://h/rpc/base' },
  }
  const variables = { ...connectVariables(connect, 'token'), ...sharesWorld, [runFolder]: '' }
  const names = Object.keys(variables)
  expect(names.map((name) => name.replace(/^SVC_RPC_.*/, 'SVC_RPC_<NETWORK>')).sort()).toEqual(
    Object.keys(clientVariables).sort(),
  )
})

test('behavior: the suite of the compose example is given nothing but what clients read', () => {
  const compose = readFileSync(`${root}/docs/ci/compose.yml`, 'utf8')
  const { environment, volumes, command, working_dir: folder } = parse(compose).services.suite
  const read = ['SVC_BASE_URL', 'SVC_API_KEY', 'SVC_CONTROL_URL', 'SVC_CONTROL_TOKEN']
  expect(Object.keys(environment)).toEqual(read)
  // It is somebody's project, installed for the container alone.
  expect(volumes).toEqual([
    expect.stringMatching(/^\$\{SUITE:\?.+\}:\/suite$/),
    `${folder}/node_modules`,
  ])
  expect(command).toContain('npm ci && npm test')
})

test('behavior: the requests of each plan kind in the first example are those of the documents', () => {
  const text = readFileSync(`${root}/docs/start/first-plan.md`, 'utf8')
  const shown = [...text.matchAll(/^\| `([\w-]+)` \| `(\{.*\})` \|$/gm)].map(([, kind, body]) => [
    `/accounts/{account_id}/plan/${kind}`,
    JSON.parse(body!),
  ])
  const documented = Object.entries(documents.service.paths)
    .filter(([path]) => /\/plan\/(?!execute)/.test(path))
    .map(([path, { post }]) => [path, post!.requestBody!.content['application/json']!.example])
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(documented))
})

test('behavior: every code, every route and every event of the documents is on its page', () => {
  const { service, control } = documents
  const errors = made['docs/reference/errors.md']
  const codes = service.components.schemas.Error!.properties!.error!['x-extensible-enum']!
  for (const code of codes) expect(errors).toContain(code)
  const routes = made['docs/reference/routes.md']
  for (const path of [...Object.keys(service.paths), ...Object.keys(control.paths)])
    expect(routes).toContain(` ${path.replace(/\{(\w+)\}/g, ':$1')}\``)
})
