import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

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

/** Opens a page of its own, without anything stored. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options })
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

/** What axe-core finds wrong for people who use a screen reader, a keyboard, or see little: rule and element. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    'axe.run().then(({ violations }) => violations)',
  )
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
