import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closePage, hasBrowser, launchBrowser, openPage } from '../kit/browser.js'
import { type CliRun, killRuns, type Ready, startReady } from '../kit/cli.js'
import { tryOut } from '../kit/docsPage.js'

// The documentation site and `/docs` as the built program serves them. The site is built here when a page has changed, which also fails on
// a dead link.

const root = fileURLToPath(new URL('../..', import.meta.url))
let sim: Ready
let run: CliRun
let site: string

beforeAll(async () => {
  const build = [fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url)), 'docs']
  await promisify(execFile)(process.execPath, build, { cwd: root })
  ;({ run, ready: sim } = await startReady())
  site = `${sim.url}/_sim/docs/`
}, 300_000)
afterAll(async () => {
  run?.kill('SIGINT')
  await run?.ended
  killRuns()
})

test('default: every page of docs is there, as HTML and as Markdown, and llms.txt names pages that are', async () => {
  const pages = readdirSync(`${root}/docs`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.replace(/\.md$/, ''))
  expect(pages.length).toBeGreaterThan(30)
  for (const page of pages) {
    const html = await fetch(site + page)
    expect([page, html.status, html.headers.get('content-type')]).toEqual([
      ...[page, 200, 'text/html; charset=utf-8'],
    ])
    expect([page, (await fetch(`${site}${page}.md`)).status]).toEqual([page, 200])
  }
  const list = await (await fetch(`${site}llms.txt`)).text()
  const named = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path!)
  expect(named.length).toBeGreaterThan(25)
  for (const path of named)
    expect([path, (await fetch(sim.url + path)).status]).toEqual([path, 200])
})

describe.runIf(hasBrowser)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  test('behavior: a search finds a page, a link opens it, and nothing is loaded from elsewhere', async () => {
    const { page, problems } = await openPage(browser, site)
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('searchbox').fill('frozen clock')
    const found = page.locator('.VPLocalSearchBox a.result[href*="guides/time"]').first()
    await found.click()
    await page.waitForURL('**/_sim/docs/guides/time*')
    await expect.poll(() => page.locator('h1').textContent()).toContain('Control time')
    await page.locator('.VPSidebar').getByRole('link', { name: 'Error codes' }).click()
    await expect.poll(() => page.locator('h1').textContent()).toContain('Error codes')
    // The pictures of the dashboard come from the package as well.
    await page.goto(`${site}guides/dashboard`)
    const picture = page.locator('.vp-doc img').first()
    await expect
      .poll(() =>
        picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
      )
      .toBeGreaterThan(100)
    expect(problems).toEqual([])
    await closePage(page)
  })

  test('behavior: examples of /docs are tried out from the plan to the execution, and a stream ends after its first seconds', async () => {
    const { page, problems } = await openPage(browser, `${sim.url}/docs`)
    const { status, body } = await tryOut(page, 'Plans-planEarn')
    expect([status, body]).toEqual(['201', expect.stringContaining('plan_id')])
    const stream = await tryOut(page, 'Portfolio-getFolioStream')
    expect(stream.status).toBe('200')
    expect(stream.body).toMatch(/^event: .*These were the first 3 seconds/s)
    await page.reload()
    const execution = await tryOut(page, 'Plans-executePlan')
    expect([execution.status, execution.body]).toEqual([
      '200',
      expect.stringContaining('activity_id'),
    ])
    expect(problems).toEqual([])
    await closePage(page)
  }, 180_000)
})
