import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { hasBrowser, usePage } from './browser.js'

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
  beforeAll(async () => {
    dashboard.sim = await createSimulator({ clock: 'frozen' })
  })
  afterAll(() => dashboard.sim?.close())
  beforeEach(() => dashboard.sim.reset())
  const open = usePage(() => dashboard.sim.uiUrl!, options)
  beforeEach(() => {
    dashboard.page = open.page
  })
  return dashboard
}
