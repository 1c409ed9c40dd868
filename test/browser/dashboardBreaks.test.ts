import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { closePage, goTo, hasBrowser, launchBrowser, openPage } from '../kit/browser.js'
import { startCuttableProxy } from '../kit/cuttableProxy.js'
import { openUser } from '../kit/user.js'

// The dashboard in a real browser when its connection breaks, and when another simulator answers afterwards. Needs `npm run build` before.

const earn = { amount: '1000000', asset: 'USDC', network: 'base', protocol: 'compound' }
const patience = { timeout: 30_000 }

let browser: Browser
beforeAll(async () => {
  if (hasBrowser) browser = await launchBrowser()
})
afterAll(() => browser?.close())

const isLive = (page: Page) => page.getByText('live', { exact: true }).waitFor(patience)
const isBroken = (page: Page) =>
  page.getByText('The simulator does not respond. This page').waitFor(patience)

/** Asks the service for accounts that there are not, so that each request can be told from the others. */
async function ask({ url, apiKey }: SimulatorHandle, from: number, to: number): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}` }
  for (let i = from; i < to; i++)
    await (await fetch(`${url}/accounts/nobody_${i}`, { headers })).arrayBuffer()
}

describe.skipIf(!hasBrowser)('a connection that breaks', () => {
  let sim: SimulatorHandle
  beforeAll(async () => {
    sim = await createSimulator({ clock: 'frozen', seed: 12n })
  })
  afterAll(() => sim.close())

  test('default: what has happened meanwhile is there afterwards, each once and in its order; again, too', async () => {
    const proxy = await startCuttableProxy(sim.url)
    const { page } = await openPage(browser, `${proxy.url}/_sim/ui/`)
    await isLive(page)
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 9_000_000n)
    await ask(sim, 0, 3)
    const requests = page.getByRole('region', { name: 'Newest requests' })
    await requests.getByText('nobody_2').waitFor()
    // More than the page asks for when it is opened.
    for (const [from, to] of [
      [3, 303],
      [303, 306],
    ] as const) {
      proxy.cut()
      await isBroken(page)
      expect(await page.getByText('does not respond').count()).toBe(1)
      expect(await page.locator('.cut-off').count()).toBe(1)
      await ask(sim, from, to)
      await user.run('earn', earn)
      proxy.mend()
      await isLive(page)
      expect(await page.locator('.cut-off').count()).toBe(0)
      await requests.getByText(`nobody_${to - 1}`).waitFor(patience)
    }
    const feed = page.getByRole('region', { name: 'Newest events' }).locator('li')
    const all = (await user.api.get(`${user.path}/events`)).body as { events: unknown[] }
    expect(all.events.length).toBe(4)
    await expect.poll(() => feed.count(), patience).toBe(all.events.length)
    expect(await page.getByText(/messages missed/).count()).toBe(0)
    // By the stream alone: the whole journal is asked for only now.
    await page.route('**/_sim/journal?*', (route) => route.abort())
    await goTo(page, 'journal')
    await page.getByLabel('Path or method').fill('nobody_')
    await page.getByText(/^306 of \d+ requests/).waitFor(patience)
    const shown = await page.getByRole('option').locator('.url').allTextContents()
    const newest = Array.from(shown, (_, i) => `/accounts/nobody_${305 - i}`)
    expect(shown).toEqual(newest)
    await closePage(page)
    await proxy.close()
  })

  test('behavior: cut before anything has come over it, it misses nothing either', async () => {
    await sim.reset()
    const proxy = await startCuttableProxy(sim.url)
    const { page } = await openPage(browser, `${proxy.url}/_sim/ui/`)
    await isLive(page)
    proxy.cut()
    await isBroken(page)
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 9_000_000n)
    await user.run('earn', earn)
    proxy.mend()
    await isLive(page)
    const feed = page.getByRole('region', { name: 'Newest events' }).locator('li')
    await expect.poll(() => feed.count(), patience).toBe(2)
    await closePage(page)
    await proxy.close()
  })
})

test.skipIf(!hasBrowser)(
  'behavior: another simulator on the same port: the page says so, and shows nothing of the one before',
  async () => {
    const before = await createSimulator({ clock: 'frozen', seed: 12n })
    const { port } = new URL(before.url)
    const { page, problems } = await openPage(browser, before.uiUrl!)
    await isLive(page)
    const gone = await openUser(before)
    const options = page.getByRole('option')
    await ask(before, 0, 5)
    await before.snapshot('of the first one')
    await page.getByText('of the first one', { exact: true }).waitFor()
    await goTo(page, 'accounts')
    await page.getByRole('link', { name: gone.id }).waitFor()
    await before.close()
    await isBroken(page)
    const after = await createSimulator({ clock: 'frozen', seed: 13n, port: Number(port) })
    await isLive(page)
    await page.getByText(/svc-sim was restarted/).waitFor()
    await page.getByText('None yet. Create one above').waitFor()
    await goTo(page, 'journal')
    // Its places in the journal are those that the first one had given.
    const user = await openUser(after)
    await ask(after, 100, 102)
    await page.getByLabel('Path or method').fill('/accounts')
    await page.getByText(/^3 of \d+ requests|^3 requests/).waitFor()
    expect(await options.locator('.url').allTextContents()).toEqual([
      '/accounts/nobody_101',
      '/accounts/nobody_100',
      '/accounts',
    ])
    await goTo(page, 'overview')
    await page.locator('article.network').first().waitFor()
    expect(await page.getByText('of the first one', { exact: true }).count()).toBe(0)
    await goTo(page, 'accounts')
    await page.getByRole('link', { name: user.id }).waitFor()
    expect(await page.getByText(gone.id).count()).toBe(0)
    // A world that the first one had leased is nowhere.
    await page.evaluate(`location.hash = '#/overview?world=wld_000000000000'`)
    await page.getByText(/World wld_000000000000 does not exist/).waitFor()
    await page.getByRole('link', { name: 'Go to the default world' }).click()
    await isLive(page)
    expect(problems.filter((each) => !/ERR_|Failed to load/.test(each))).toEqual([])
    await closePage(page)
    await after.close()
  },
)
