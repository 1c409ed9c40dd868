import { describe, expect, test } from 'vitest'
import { axeViolations, goTo, hasBrowser } from '../kit/browser.js'
import { useDashboard } from '../kit/dashboard.js'
import { openUser } from '../kit/user.js'

// The search on Ctrl-K, and the frame of a leased world. Needs `npm run build` before.

const dashboard = useDashboard()

describe.skipIf(!hasBrowser)('in a browser', () => {
  test('default: Ctrl-K finds an account by its wallet, requests by their error code, and a page', async () => {
    const { page } = dashboard
    const user = await openUser(dashboard.sim)
    const refused = await user.plan('earn', { amount: '1', asset: 'NOPE' })
    const { error } = refused.body as unknown as { error: string }
    const search = page.getByRole('dialog', { name: 'Search' })
    const find = async (text: string): Promise<void> => {
      await page.keyboard.press('Control+k')
      await search.getByRole('textbox').fill(text)
    }
    await find(user.wallet)
    await search.getByRole('link', { name: new RegExp(user.id) }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await search.getByRole('link', { name: new RegExp(user.id) }).click()
    const account = page.getByRole('region', { name: 'Account', exact: true })
    await account.getByRole('heading', { name: user.id }).waitFor()
    await find(error)
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: /plan\/earn 400/ }).waitFor()
    expect(await page.getByRole('option', { name: /POST.* 201/ }).count()).toBe(0)
    await find('cover')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Coverage', level: 1 }).waitFor()
    // The page that is shown is seen in the header, however one came there.
    const current = page.locator('nav [aria-current=page]')
    for (const path of ['worlds', 'overview', 'journal']) {
      await goTo(page, path)
      await current.and(page.locator(`[href$="${path}"]`)).waitFor()
      await expect
        .poll(async () => {
          const { x = -1, width = 0 } = (await current.boundingBox()) ?? {}
          return x >= 0 && x + width <= 360
        })
        .toBe(true)
    }
    // What was sought is there again, and the next letter replaces it.
    await page.keyboard.press('Control+k')
    await expect.poll(() => search.getByRole('textbox').inputValue()).toBe('cover')
    expect(await page.evaluate('getSelection().toString()')).toBe('cover')
    await dashboard.sim.faults.add({ id: 'slow_quotes', on: 'quote', effect: 'timeout' })
    const leads = {
      slow_q: /Fault rule slow_quotes/,
      usdc: /Token USDC on base/,
      polyg: /Network polygon/,
      plan_st: /refused with plan_stale/,
      'block 1': /Block 1 of base/,
      freeze: /freeze or resume the clock/,
    }
    for (const [text, name] of Object.entries(leads)) {
      await search.getByRole('textbox').fill(text)
      await search.getByRole('link', { name }).first().waitFor()
    }
    expect(await axeViolations(page)).toEqual([])
    await search.getByRole('textbox').fill('nothing at all')
    await search.getByText('Nothing found.').waitFor()
  })

  test('default: a world is leased from the page, frames it, and is released from it', async () => {
    const { page } = dashboard
    await page.getByRole('button', { name: 'Lease a world' }).click()
    const frame = page.getByRole('region', { name: 'Leased world' })
    await frame.getByText(/, leased until .* clock\./).waitFor()
    const id = new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('world')!
    const failures = `${dashboard.sim.controlUrl}/worlds/${id}/failures`
    const headers = { 'content-type': 'application/json' }
    await fetch(failures, { method: 'POST', headers, body: JSON.stringify({ test: 'a > pays' }) })
    expect(await frame.textContent()).toContain(id)
    expect(await page.locator('.shell.in-world').count()).toBe(1)
    expect(await axeViolations(page)).toEqual([])
    await goTo(page, `accounts?world=${id}`)
    await frame.waitFor()
    await frame.getByRole('button', { name: 'Release' }).click()
    await frame.getByRole('button', { name: 'Release this world' }).click()
    await frame.waitFor({ state: 'detached' })
    await page.getByText('live', { exact: true }).waitFor()
    const { worlds } = (await (await fetch(`${dashboard.sim.controlUrl}/worlds`)).json()) as {
      worlds: { id: string }[]
    }
    expect(worlds.map((world) => world.id)).not.toContain(id)
    // Its journal went with it: the page says how to keep that.
    await page
      .getByText('To keep it, start svc-sim with --trace run.trace and run the tests again')
      .waitFor()
  })

  test('behavior: on a telephone the header is one row, and all of it can be reached', async () => {
    const { page } = dashboard
    await page.setViewportSize({ width: 360, height: 740 })
    const box = await page.locator('.shell > header').boundingBox()
    expect(box!.height).toBeLessThan(120)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await page.getByRole('link', { name: 'Coverage' }).click()
    await page.getByRole('heading', { name: 'Coverage', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Shortcuts' }).click()
    expect(await axeViolations(page)).toEqual([])
  })
})
