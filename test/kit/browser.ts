import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'

/** Where Debian's chromium is; `CHROMIUM` names another. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Tests in a browser are skipped where there is none, and say so. */
export const hasBrowser = existsSync(executablePath)
if (!hasBrowser)
  console.warn(
    `No browser at ${executablePath}: tests of the dashboard are skipped (apt-get install chromium)`,
  )

/** A browser for the tests of a file. */
export function launchBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  return chromium.launch({ executablePath, args })
}

/** A page with what went wrong in it: errors, what its policy refused, and requests to anywhere else. */
export interface WatchedPage {
  page: Page
  problems: string[]
}

const viewport = { width: 1400, height: 900 }

/** Opens a page of its own, without anything stored. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport, ...options })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error.stack)))
  page.on('console', (message) => {
    // A refusal that the page shows is written there by the browser too.
    const isRefusal = /Failed to load resource: the server responded/.test(message.text())
    if (message.type() === 'error' && !isRefusal) problems.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(url).origin)) problems.push(`asked ${request.url()}`)
  })
  await page.goto(url)
  return { page, problems }
}

/**
 * A page at the dashboard for each test of the block that calls it. The tests share one tab, because a new one costs more than many tests
 * do; each finds it without anything stored. A test that leaves a script or a clock in the tab closes it (`closePage`): the next test
 * then gets another one. A test fails when anything went wrong in its page.
 */
export function usePage(url: () => string, options: BrowserContextOptions = {}): WatchedPage {
  const open = {} as WatchedPage
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    if (!open.page || open.page.isClosed())
      Object.assign(open, await openPage(browser, url(), options))
    else await open.page.goto(url())
    await open.page.getByText('live', { exact: true }).waitFor()
  })
  afterEach(async () => {
    if (!open.page.isClosed()) await clearTab(open.page, url(), options)
    expect(open.problems.splice(0)).toEqual([])
  })
  return open
}

/** Leaves the page of a test, and clears what it has stored, altered or opened beside it. */
async function clearTab(page: Page, url: string, options: BrowserContextOptions): Promise<void> {
  const { colorScheme = 'light', reducedMotion = 'no-preference' } = options
  await page.unrouteAll({ behavior: 'wait' })
  for (const other of page.context().pages()) if (other !== page) await other.close()
  // A page of the same origin that stores nothing: the dashboard may store something until it is left. The simulator hears of neither the
  // page nor an icon.
  const body = '<link rel="icon" href="data:,">'
  const blank = new URL('/blank', url).href
  await page.route(blank, (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto(blank)
  await page.unroute(blank)
  await page.evaluate('localStorage.clear(); sessionStorage.clear()')
  await page.emulateMedia({ colorScheme, reducedMotion })
  await page.setViewportSize(viewport)
}

/** Goes to a page of the dashboard, such as `plan/acc_1/earn`, as its own links do. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`location.hash = '#/${path}'`)
}

/** Closes a page and all that is stored for it. Answers that a test holds or alters are waited for, so that none meets a closed page. */
export async function closePage(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'wait' })
  await page.context().close()
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core finds wrong for people who use a screen reader, a keyboard or a telephone, or see little: rule and element. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  // Targets of 24 px (WCAG 2.5.8) are measured only when asked for.
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    'axe.run({ rules: { "target-size": { enabled: true } } }).then(({ violations }) => violations)',
  )
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/** Words that are broken in the middle, cards that a neighbour stretches, and a head of several lines. Ids and hashes may break anywhere. */
export function layoutProblems(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const problems = []
    const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
    for (let text; (text = texts.nextNode()); )
      for (const { 0: word, index } of text.data.matchAll(/(?<![0-9A-Za-z])[A-Za-z]{4,}(?![0-9A-Za-z])/g)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        if (lines.size > 1) problems.push('broken: ' + word + ' in ' + text.data)
      }
    for (const card of document.querySelectorAll('main .panel')) {
      const { height } = card.getBoundingClientRect()
      card.style.alignSelf = 'start'
      if (card.getBoundingClientRect().height < height - 1)
        problems.push('stretched: ' + card.textContent.slice(0, 40))
      card.style.alignSelf = ''
    }
    const head = document.querySelector('.shell > header').getBoundingClientRect()
    if (innerWidth < 960 && head.height > 64) problems.push('head: ' + head.height)
    return problems
  })()`)
}
