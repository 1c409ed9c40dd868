import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { openTrace } from '../../src/simulator/openTrace.js'
import { counted } from '../../src/tools/ui/parts/text.js'
import { closePage, goTo, hasBrowser, launchBrowser, openPage } from '../kit/browser.js'
import { emptyFolder } from '../kit/cli.js'
import { openUser, type PlanBody } from '../kit/user.js'

// Nothing that the page shows differs from what the API says at the same moment. Needs `npm run build` before.

const earn = { amount: '1000000', asset: 'USDC', network: 'base', protocol: 'compound' }
const patience = { timeout: 20_000, interval: 100 }

let browser: Browser
beforeAll(async () => {
  if (hasBrowser) browser = await launchBrowser()
})
afterAll(() => browser?.close())

const texts = (page: Page, selector: string): Promise<string[]> =>
  page.locator(selector).allTextContents()

/** What the overview, the faults and an account say in the API, as the pages word it. */
async function said(controlUrl: string, id: string) {
  const ask = async (path: string) => (await (await fetch(`${controlUrl}/${path}`)).json()) as never
  const { clock, networks, faults } = (await ask('overview')) as {
    clock: { now: string; mode: string }
    networks: { network: string; height: number; ready: boolean }[]
    faults: { hits: number; seen: number }[]
  }
  const { activities, events } = (await ask(`accounts/${id}`)) as {
    activities: { activity_id: string; activity_status: string }[]
    events: { activity_id: string; activity_status: string }[]
  }
  const named = (each: { activity_id: string; activity_status: string }): string =>
    `${each.activity_id} ${each.activity_status}`
  return {
    clock: clock.now.slice(0, 19).replace('T', ' '),
    heights: networks.map(({ network, height }) => `${network} block ${height}`),
    faults: faults.map(({ hits, seen }) => `${counted(hits, 'hit')} in ${counted(seen, 'call')}`),
    activities: activities.map(named),
    events: events.map(named),
  }
}

/** The same, as the pages show it. */
async function shown(page: Page, id: string): Promise<Awaited<ReturnType<typeof said>>> {
  await goTo(page, 'overview')
  await page.locator('.network .height').first().waitFor({ state: 'attached' })
  const names = await texts(page, '.network h2')
  const heights = await texts(page, '.network .height')
  const clock = (await texts(page, '.status .time, header .time'))[0]!.slice(0, 19)
  await goTo(page, 'faults')
  await page.getByRole('heading', { name: 'Faults', level: 1 }).waitFor()
  const faults = (await texts(page, '.fault .pill')).map((text) => text.trim())
  await goTo(page, `accounts/${id}`)
  await page.getByRole('region', { name: 'Activities' }).waitFor()
  const rows = async (selector: string): Promise<string[]> =>
    (
      await Promise.all(
        (
          await page.locator(selector).all()
        ).map(async (row) => [
          await row.locator('a').first().textContent(),
          await row.locator('> .pill').textContent(),
        ]),
      )
    ).map((row) => row.join(' '))
  return {
    clock,
    heights: names.map((name, index) => `${name} ${heights[index]}`),
    faults,
    activities: await rows('.activity'),
    events: await rows('section:has(> header > h2:text-is("Events")) .feed > li'),
  }
}

/** Waits until page and API agree. Both stand still by then, so a difference that stays is one. */
async function expectSame(page: Page, controlUrl: string, id: string): Promise<void> {
  const differences = async () => {
    const [seen, told] = [await shown(page, id), await said(controlUrl, id)]
    return isDeepStrictEqual(seen, told) ? 'none' : { seen, told }
  }
  await expect.poll(differences, patience).toBe('none')
}

async function live(sim: SimulatorHandle): Promise<string> {
  const user = await openUser(sim)
  await user.fund('optimism', 'USDC', 900_000_000n)
  for (let i = 0; i < 3; i++) {
    const plan = (await user.plan('earn', earn)).body as PlanBody
    await user.execute(plan)
  }
  return user.id
}

describe.skipIf(!hasBrowser)('in a browser', () => {
  test('default: under load, with a fault, after a reload and in a trace, the page says what the API says', {
    timeout: 90_000,
  }, async () => {
    const file = join(emptyFolder(), 'same.trace')
    const sim = await createSimulator({ clock: 'frozen', seed: 3n, trace: file })
    const { page, problems } = await openPage(browser, sim.uiUrl!)
    await page.getByText('live', { exact: true }).waitFor()
    const [id = ''] = await Promise.all([live(sim), live(sim), live(sim), live(sim)])
    await expectSame(page, sim.controlUrl, id)
    await sim.faults.set([
      { id: 'slow', on: 'bridge', effect: 'stuck' },
      { id: 'late', on: 'plan', effect: 'stale', after: 2 },
    ])
    await sim.clock.advance(30)
    await live(sim)
    await expectSame(page, sim.controlUrl, id)
    await page.reload()
    await expectSame(page, sim.controlUrl, id)
    const { activities, events, heights } = await said(sim.controlUrl, id)
    expect(activities).toHaveLength(3)
    expect(new Set(heights).size).toBe(5)
    expect(events.length).toBeGreaterThan(3)
    expect(problems).toEqual([])
    await sim.close()
    const trace = await openTrace(file)
    await page.goto(`${trace.url}/_sim/ui/`)
    await expectSame(page, `${trace.url}/_sim`, id)
    await closePage(page)
    await trace.close()
  })
})
