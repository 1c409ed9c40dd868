import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { connectVariables, runFolder, sharesWorld } from '../../src/http/routes/control/snippets.js'
import { createProgram } from '../../src/tools/cli/program.js'
import { listOf } from '../../tools/docs/sections.mjs'
import {
  commandsPage,
  environmentPage,
  errorsPage,
  eventsPage,
  routesPage,
  type Shown,
} from '../kit/referencePages.js'

// docs/reference is made from the command line and the OpenAPI documents, the list of docs/index.md from the sidebar. `npm run docs:reference` writes it anew.

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (name: string): Shown => JSON.parse(readFileSync(`${root}/openapi/${name}`, 'utf8'))
const service = read('openapi.json')
const control = read('control.json')
const page = (name: string) => `../../docs/reference/${name}.md`

test('default: the commands', async () => {
  await expect(commandsPage(createProgram(() => {}))).toMatchFileSnapshot(page('commands'))
})

test('default: the environment', async () => {
  const told = {
    SVC_BASE_URL: 'the URL of the service API',
    SVC_API_KEY: 'the API key',
    SVC_CONTROL_URL: 'the URL of the control API, `SVC_BASE_URL` with `/_sim`',
    SVC_CONTROL_TOKEN: 'the bearer token of the control API, where there is one',
    'SVC_RPC_<NETWORK>': 'the JSON-RPC of a network, for example `SVC_RPC_BASE`',
    SVC_WORLD:
      '`shared` under `swarm` and `exec --scenario`: fixtures and `leaseWorld()` use this one world, in which the faults are, instead of leasing another',
    SVC_RUN_DIR:
      'an empty folder of the run, under `swarm` and `exec --scenario`: a client that they kill finds there what it has written when it is run again',
  }
  const connect = {
    ...{ url: 'http://h', apiKey: 'k', controlUrl: 'http://h/_sim' },
    rpc: { base: 'http://h/rpc/base' },
  }
  const variables = { ...connectVariables(connect, 'token'), ...sharesWorld, [runFolder]: '' }
  const names = Object.keys(variables)
  expect(names.map((name) => name.replace(/^SVC_RPC_.*/, 'SVC_RPC_<NETWORK>')).sort()).toEqual(
    Object.keys(told).sort(),
  )
  await expect(environmentPage(Object.entries(told))).toMatchFileSnapshot(page('environment'))
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

test('default: the contents, below what the site shows on its first page', async () => {
  const index = readFileSync(`${root}/docs/index.md`, 'utf8')
  const [frontMatter] = /^---\n[\s\S]*?\n---\n/.exec(index)!
  const contents = listOf('###', (name) => `${name}.md`)
  const whole = `${frontMatter}\n## All pages\n${contents}`
  await expect(whole).toMatchFileSnapshot('../../docs/index.md')
})

test('default: the routes', async () => {
  await expect(routesPage(service, control)).toMatchFileSnapshot(page('routes'))
})

test('default: the error codes', async () => {
  await expect(errorsPage(service, control)).toMatchFileSnapshot(page('errors'))
})

test('default: the events', async () => {
  await expect(eventsPage(service)).toMatchFileSnapshot(page('events'))
})

test('behavior: the requests of each plan kind in the first example are those of the documents', () => {
  const text = readFileSync(`${root}/docs/start/first-plan.md`, 'utf8')
  const shown = [...text.matchAll(/^\| `([\w-]+)` \| `(\{.*\})` \|$/gm)].map(([, kind, body]) => [
    `/accounts/{account_id}/plan/${kind}`,
    JSON.parse(body!),
  ])
  const documented = Object.entries(service.paths)
    .filter(([path]) => /\/plan\/(?!execute)/.test(path))
    .map(([path, { post }]) => [path, post!.requestBody!.content['application/json']!.example])
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(documented))
})

test('behavior: every code, every route and every event of the documents is on its page', () => {
  const errors = errorsPage(service, control)
  const codes = service.components.schemas.Error!.properties!.error!['x-extensible-enum']!
  for (const code of codes) expect(errors).toContain(code)
  const routes = routesPage(service, control)
  for (const path of [...Object.keys(service.paths), ...Object.keys(control.paths)])
    expect(routes).toContain(` ${path.replace(/\{(\w+)\}/g, ':$1')}\``)
})
