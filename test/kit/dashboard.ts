import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { closePage, hasBrowser, launchBrowser, openPage } from './browser.js'

/** What the tests of a file share: one simulator with a frozen clock, and for each test a page at its dashboard. */
export interface Dashboard {
  sim: SimulatorHandle
  page: Page
}

/**
 * Opens them for all tests of the file that calls it. The simulator is reset before each test. A test fails when anything went wrong in its
 * page. Nothing is opened where there is no browser.
 */
export function useDashboard(options: BrowserContextOptions = {}): Dashboard {
  const dashboard = {} as Dashboard
  if (!hasBrowser) return dashboard
  let browser: Browser
  let problems: string[]
  beforeAll(async () => {
    browser = await launchBrowser()
    dashboard.sim = await createSimulator({ clock: 'frozen' })
  })
  afterAll(async () => {
    await dashboard.sim?.close()
    await browser?.close()
  })
  beforeEach(async () => {
    await dashboard.sim.reset()
    const opened = await openPage(browser, dashboard.sim.uiUrl!, options)
    dashboard.page = opened.page
    problems = opened.problems
    await opened.page.getByText('live', { exact: true }).waitFor()
  })
  afterEach(async () => {
    await closePage(dashboard.page)
    expect(problems).toEqual([])
  })
  return dashboard
}
