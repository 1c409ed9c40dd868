import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpWorld, startHttpWorld } from '../../../test/kit/httpWorld.js'
import { contentsOf, sections } from '../../../tools/docs/sections.mjs'
import { packageFile } from '../../lib/files/packageFile.js'
import { documentation } from './pages.js'

const parent = mkdtempSync(join(tmpdir(), 'svc-sim-documentation-'))
const folder = join(parent, 'docs')
let url: string
let close: () => Promise<unknown>

/** Serves the documentation whose site is in this folder. */
async function serveDocumentation(site: string) {
  const app = express()
  app.use('/_sim/docs', documentation(site))
  app.use(((error, _req, res, _next) => {
    res.status(error.status ?? 500).json({ error: error.code, hint: error.hint })
  }) satisfies express.ErrorRequestHandler)
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    base: `http://127.0.0.1:${port}/_sim/docs`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

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
  ;({ base: url, close } = await serveDocumentation(folder))
})
afterAll(async () => {
  await close()
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

test('behavior: where the site is not built, the Markdown of docs is served at the same paths', async () => {
  const { base, close } = await serveDocumentation(join(parent, 'not-built'))
  try {
    const get = async (path: string) => {
      const reply = await fetch(base + path)
      const type = reply.headers.get('content-type')?.split(';')[0]
      return { status: reply.status, type, text: await reply.text() }
    }
    expect(await get('/llms.txt')).toEqual({
      status: 200,
      type: 'text/plain',
      text: contentsOf('/_sim/docs/'),
    })
    const pages = sections.flatMap(({ items }) => items.map(({ link }) => link))
    for (const link of pages) {
      const html = await get(link)
      expect([link, html.status, html.type]).toEqual([link, 200, 'text/html'])
      const markdown = await get(`${link}.md`)
      expect([link, markdown.status, markdown.type]).toEqual([link, 200, 'text/markdown'])
      expect(markdown.text).toBe(readFileSync(packageFile(`docs${link}.md`), 'utf8'))
    }
    expect((await get('/')).text).toContain('<a href="guides/time">')
    expect((await get('/')).text).toContain('<code>npm run docs</code> builds the site')
    expect((await get('/index.html')).text).not.toContain('layout: home')
    expect((await get('/guides/tests')).text).toMatch(/<pre><code class="language-js/)
  } finally {
    await close()
  }
})

test('behavior: every link of a rendered page leads to a page or a file, and to a heading that is there', async () => {
  const { base, close } = await serveDocumentation(join(parent, 'not-built'))
  try {
    const dead: string[] = []
    let links = 0
    const toVisit = [`${base}/`]
    const texts = new Map<string, string | undefined>()
    const visit = async (url: string): Promise<string | undefined> => {
      if (!texts.has(url)) {
        const reply = await fetch(url)
        const text = await reply.text()
        texts.set(url, reply.ok ? text : undefined)
        if (reply.ok && reply.headers.get('content-type')!.startsWith('text/html'))
          toVisit.push(url)
      }
      return texts.get(url)
    }
    for (const page of toVisit)
      for (const [, href] of (await visit(page))!.matchAll(/(?:href|src)="([^"]+)"/g)) {
        const to = new URL(href!, page)
        if (!to.href.startsWith(base)) {
          if (to.origin === new URL(base).origin) dead.push(`${page}: ${href}`)
          continue
        }
        links += 1
        const anchor = to.hash.slice(1)
        to.hash = ''
        const text = await visit(to.href)
        if (text === undefined || (anchor && !text.includes(`id="${anchor}"`)))
          dead.push(`${page}: ${href}`)
      }
    expect(links).toBeGreaterThan(200)
    expect(dead).toEqual([])
  } finally {
    await close()
  }
})

test('behavior: old links to pages that were merged lead to the new page, in the built site and without it', async () => {
  const unbuilt = await serveDocumentation(join(parent, 'not-built'))
  try {
    const moved = JSON.parse(readFileSync(packageFile('docs/moved.json'), 'utf8'))
    for (const [old, now] of Object.entries<string>(moved))
      for (const [extension, base] of ['', '.html', '.md'].flatMap((extension) =>
        [url, unbuilt.base].map((base) => [extension, base] as const),
      )) {
        const reply = await fetch(`${base}/${old}${extension}`, { redirect: 'manual' })
        const [page, anchor] = now.split('#') as [string, string?]
        const to = `/_sim/docs/${page}${extension}${anchor ? `#${anchor}` : ''}`
        const location = reply.headers.get('location')!
        const { pathname, hash } = new URL(location, reply.url)
        expect([old, reply.status, pathname + hash]).toEqual([old, 301, to])
        // Behind a proxy, or of a leased world, the path has a beginning that only the browser knows.
        expect(location).not.toMatch(/^\//)
      }
    for (const [old, now] of Object.entries<string>(moved)) {
      const page = await fetch(`${unbuilt.base}/${old}`)
      const anchor = now.split('#')[1]
      expect([old, page.status]).toEqual([old, 200])
      expect(await page.text()).toContain(anchor ? `id="${anchor}"` : '<h1')
    }
  } finally {
    await unbuilt.close()
  }
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
