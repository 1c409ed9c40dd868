import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpWorld, startHttpWorld } from '../../../test/kit/httpWorld.js'
import { documentation } from './pages.js'

const parent = mkdtempSync(join(tmpdir(), 'svc-sim-documentation-'))
const folder = join(parent, 'docs')
const app = express()
const server = app.listen(0, '127.0.0.1')
let url: string

beforeAll(async () => {
  writeFileSync(join(parent, 'secret.txt'), 'secret')
  await mkdir(join(folder, 'guides'), { recursive: true })
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<p>start</p>')
  await writeFile(join(folder, '.built'), 'mark')
  await writeFile(join(folder, 'guides/time.html'), '<p>time</p>')
  await writeFile(join(folder, 'ci.html'), '<p>ci</p>')
  await mkdir(join(folder, 'ci'))
  await writeFile(join(folder, 'ci/job.yml'), 'job: 1')
  await writeFile(join(folder, 'guides/time.md'), '# Time')
  await writeFile(join(folder, 'assets/app.Xy12.js'), '1')
  app.use('/_sim/docs', documentation(folder))
  app.use(((error, _req, res, _next) => {
    res.status(error.status ?? 500).json({ error: error.code, hint: error.hint })
  }) satisfies express.ErrorRequestHandler)
  const { port } = server.address() as { port: number }
  url = `http://127.0.0.1:${port}/_sim/docs`
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  rmSync(parent, { recursive: true })
})

test('default: pages, also without their extension, and the same as Markdown', async () => {
  const text = async (path: string) => (await fetch(url + path)).text()
  expect((await fetch(url)).url).toBe(`${url}/`)
  expect(await text('/')).toBe('<p>start</p>')
  expect(await text('/guides/time')).toBe('<p>time</p>')
  expect(await text('/guides/time.html')).toBe('<p>time</p>')
  expect(await text('/guides/time.md')).toBe('# Time')
  // A page and a folder of one name.
  expect(await text('/ci')).toBe('<p>ci</p>')
  expect(await text('/ci?x=1')).toBe('<p>ci</p>')
  expect(await text('/ci/job.yml')).toBe('job: 1')
})

test('behavior: pages are asked for again, assets are kept', async () => {
  const cached = async (path: string) => (await fetch(url + path)).headers.get('cache-control')
  expect(await cached('/guides/time')).toBe('no-cache')
  expect(await cached('/assets/app.Xy12.js')).toBe('public, max-age=31536000, immutable')
})

/** The status of a path that is sent as it is: `fetch` would take out its dots. */
function statusOf(path: string): Promise<number> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path }, (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
    sent.on('error', reject).end()
  })
}

test('error: nothing but its own files', async () => {
  for (const path of [
    '../secret.txt',
    '%2e%2e/secret.txt',
    '..%2fsecret.txt',
    'x/../../secret.txt',
  ])
    expect([path, await statusOf(`/_sim/docs/${path}`)]).not.toEqual([path, 200])
  expect(await statusOf('/_sim/docs/guides/../../docs/guides/time')).not.toBe(200)
  for (const path of ['/.built', '/guides', '/nope', '/guides/time.html/']) {
    const reply = await fetch(url + path)
    expect([path, reply.status]).toEqual([path, 404])
  }
  expect((await fetch(url, { method: 'POST' })).status).toBe(405)
})

test('behavior: the simulator serves it behind its check of the host, and its index names it', async () => {
  const world: HttpWorld = await startHttpWorld()
  try {
    const { body } = await world.client.get('/_sim', { apiKey: null })
    expect(body.pages.documentation).toBe('/_sim/docs/')
    const missing = await fetch(`${world.client.url}/_sim/docs/nope`)
    expect(await missing.json()).toMatchObject({ message: 'The documentation has no page /nope' })
    const { hostname, port } = new URL(world.client.url)
    const foreign = await new Promise((resolve, reject) => {
      const headers = { host: 'evil.example' }
      const sent = request({ hostname, port, path: '/_sim/docs/', headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject).end()
    })
    expect(foreign).toBe(403)
  } finally {
    await world[Symbol.asyncDispose]()
  }
})

test('behavior: beyond loopback the pages are served without the control token, and nothing else of the control API is', async () => {
  const bind = { allowedHosts: [], corsOrigins: [], host: '0.0.0.0', controlToken: 'secret' }
  await using world = await startHttpWorld({ access: { bind } })
  const page = await fetch(`${world.client.url}/_sim/docs/nope`)
  expect(await page.json()).toMatchObject({ message: 'The documentation has no page /nope' })
  expect((await fetch(`${world.client.url}/_sim/clock`)).status).toBe(401)
})
