import { sign } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { axeViolations, goTo, hasBrowser } from '../kit/browser.js'
import { useDashboard } from '../kit/dashboard.js'
import { openUser, type PlanBody, type User } from '../kit/user.js'

// The overview as a control room, and what accounts were worth over time. Needs `npm run build` before.

const earn = { amount: '5000000', asset: 'USDC', network: 'base', protocol: 'compound' }

const dashboard = useDashboard({ reducedMotion: 'reduce' })

/** Executes a plan for a new account that takes 5 USDC over a bridge from optimism to base. */
async function bridge(): Promise<{ user: User; activityId: string }> {
  const user = await openUser(dashboard.sim)
  await user.fund('optimism', 'USDC', 9_000_000n)
  const plan = (await user.plan('earn', earn)).body as PlanBody
  const { activity_id: activityId } = (await user.execute(plan)).body as { activity_id: string }
  return { user, activityId }
}

const region = (name: string | RegExp) => dashboard.page.getByRole('region', { name })

describe.skipIf(!hasBrowser)('in a browser', () => {
  test('default: a bridge is in flight, then drawn between its networks; its account is among those by value', async () => {
    const { page, sim } = dashboard
    const { user, activityId } = await bridge()
    const flight = region('In flight')
    await flight.getByText('5.00 USDC').waitFor()
    await flight.getByText('arrives at').waitFor()
    expect(await flight.locator('p').textContent()).toContain(
      `in flight 5.003501 USDC ($5.00) sent from optimism to base at 00:00:00 (${activityId}). 5.00 USDC ($5.00) arrives at 00:00:0`,
    )
    await region('Accounts by value').getByText('5.00 USDC ($5.00) in flight').waitFor()
    const flow = region('Funds between networks')
    await flow.getByRole('link', { name: /5\.003501 USDC .*optimism to base, in flight/ }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await sim.clock.advance(10)
    await flight.getByText('No bridge is under way.').waitFor()
    const filled = flow.getByRole('link', { name: /5\.00 USDC .*optimism to base, filled/ })
    await filled.waitFor()
    const worth = region('Accounts by value').getByRole('row', { name: new RegExp(user.id) })
    await expect.poll(() => worth.textContent()).toMatch(/\$(8\.99|9\.00)/)
    await filled.click()
    await region(`Swim lanes of ${activityId}`).waitFor()
    await page.goBack()
    await worth.getByRole('link').click()
    await region('Account').getByRole('heading', { name: user.id }).waitFor()
  })

  test('behavior: a halt that ends by itself halts its card while it lasts, and is over in the list afterwards', async () => {
    const { page, sim } = dashboard
    const brief = (ms: number) =>
      ({ on: 'chain', effect: { halt: { ms } }, match: { network: 'polygon' } }) as const
    await goTo(page, 'overview')
    await sim.faults.set([brief(600_000)])
    const card = page.locator('[data-network=polygon].network')
    await card.getByText('halted', { exact: true }).waitFor()
    await region('Faults').getByText('1 hit in 1 call', { exact: true }).waitFor()
    await sim.faults.set([brief(1)])
    await region('Faults').getByText('over: 1 hit in 1 call').waitFor()
    await card.getByText('ready', { exact: true }).waitFor()
    await sim.faults.clear()
  })

  test('behavior: a client that leaves while its execution waits: the page follows what is executed without it', async () => {
    const { page, sim } = dashboard
    await goTo(page, 'overview')
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 9_000_000n)
    const plan = (await user.plan('earn', earn)).body as PlanBody
    const signature = await sign({
      hash: plan.details.eip712_data.digest,
      privateKey: user.key,
      to: 'hex',
    })
    const latency = { on: 'request', effect: { latency: { ms: 60_000 } }, times: 1 } as const
    await sim.faults.set([{ id: 'slow', ...latency, match: { path: '/accounts/*/plan/execute' } }])
    const leaving = new AbortController()
    const sent = fetch(`${sim.url}${user.path}/plan/execute`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sim.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ plan_id: plan.plan_id, signature }),
      signal: leaving.signal,
    }).catch(() => undefined)
    await region('Faults').getByText('spent: 1 hit in 1 call').waitFor()
    leaving.abort()
    await sent
    const failed = region('Failed lately')
    await failed.getByText('Earn 5.00 USDC executed, but the response was lost').waitFor()
    await sim.faults.clear()
  })

  test('behavior: what failed lately is there with its cause; requests, events and faults are links', async () => {
    const { page, sim } = dashboard
    await sim.faults.set([{ id: 'back', on: 'bridge', effect: 'refund' }])
    await region('Faults').getByText('Every bridge is refunded').waitFor()
    const { user, activityId } = await bridge()
    await sim.clock.advance(10)
    const failed = region('Failed lately')
    const item = failed.locator('li', { hasText: 'Earn 5.00 USDC failed' })
    await item.getByText(/refunded on optimism/).waitFor()
    await item.getByRole('link', { name: user.id }).waitFor()
    await expectOneRowOfNetworks()
    await user.plan('earn', { ...earn, asset: 'NOPE' })
    await failed
      .getByText(/^Earn 5,000,000 smallest units of NOPE refused: 400 invalid_params/)
      .waitFor()
    await region('Newest requests')
      .getByRole('link', { name: /plan\/earn/ })
      .first()
      .click()
    await page.getByText('invalid_params').first().waitFor()
    await goTo(page, 'overview')
    await region('Newest events').getByRole('link', { name: activityId }).first().click()
    await region(`Swim lanes of ${activityId}`).waitFor()
    await goTo(page, 'overview')
    const events = region('Newest events').locator('li')
    await events.first().waitFor()
    const before = await events.allTextContents()
    expect(before[0]).toContain(`${activityId}${user.id}failed`)
    const snapshot = await sim.snapshot()
    const { activityId: later } = await bridge()
    await sim.clock.advance(10)
    await events.filter({ hasText: later }).filter({ hasText: 'failed' }).waitFor()
    // More than the list holds, and later than anything that is left.
    for (let i = 0; i < 6; i++) await user.plan('earn', { ...earn, amount: `90${i}000000` })
    await failed.getByText('Earn 900.00 USDC refused').waitFor()
    await failed.getByText('the newest 6 of 9').waitFor()
    await sim.restore(snapshot)
    await expect.poll(() => events.allTextContents()).toEqual(before)
    await failed.getByText('A restore or reset has undone other failures').waitFor()
    await item.getByText(/refunded on optimism/).waitFor()
    expect(await failed.getByText('the newest').count()).toBe(0)
    expect(await failed.getByText(/^Earn 90\d\.00 USDC refused/).count()).toBe(0)
    await failed.getByRole('link', { name: 'Earn 5.00 USDC failed' }).last().click()
    await region(`What became of ${activityId}`)
      .getByText(/back \(bridge.refund\)/)
      .first()
      .waitFor()
    await sim.faults.set([{ id: 'mean', on: 'execute', effect: 'response_lost', times: 1 }])
    await expect(bridge()).rejects.toThrow()
    await sim.clock.advance(10)
    await goTo(page, 'overview')
    await failed.getByText('Earn 5.00 USDC executed, but the response was lost').waitFor()
    expect(await page.locator('.overview h2').first().textContent()).toBe('Failed lately')
    await failed.getByRole('link', { name: 'All failures' }).click()
    const found = page.getByRole('listbox', { name: 'Requests' }).getByRole('option')
    await found.filter({ hasText: 'plan/execute200' }).first().waitFor()
    await found.filter({ hasText: '400 invalid_params' }).waitFor()
    await page.getByLabel('Status').selectOption('activity failed')
    await found.filter({ hasText: '400 invalid_params' }).waitFor({ state: 'detached' })
    await found.filter({ hasText: 'plan/execute200' }).first().waitFor()
    // Also the one that the restore has undone: what is found and what its row says are the same fact.
    await expect.poll(() => found.count()).toBe(2)
    await expect.poll(() => found.filter({ hasText: '200 failed' }).count()).toBe(2)
    // On a telephone the navigation fades out where it goes on.
    await page.setViewportSize({ width: 390, height: 740 })
    const mask = `getComputedStyle(document.querySelector('.shell > header')).maskImage`
    expect(await page.evaluate(mask)).toContain('linear-gradient')
  })

  test('behavior: a payment that was done twice after a lost response is there with the verdict of its timeline', async () => {
    const { page, sim } = dashboard
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 20_000_000n)
    const recipient = '0x00000000000000000000000000000000000f41e7'
    const pay = { amount: '3000000', asset: 'USDC', network: 'base', recipient }
    const planned = async () => (await user.plan('transfer', pay)).body as PlanBody
    await sim.faults.set([{ on: 'execute', effect: 'response_lost', times: 1 }])
    await expect(user.execute(await planned())).rejects.toThrow()
    await sim.clock.advance(10)
    const [{ activity_id: first }] = (await user.api.get(`${user.path}/activities`)).body.activities
    const { activity_id } = (await user.execute(await planned())).body as { activity_id: string }
    await sim.clock.advance(10)
    await goTo(page, 'overview')
    const item = region('Failed lately').locator('li', { hasText: 'Transfer 3.00 USDC done twice' })
    await item.getByText(/the same request was carried out before, by activity/).waitFor()
    await item.getByRole('link', { name: first }).waitFor()
    await item.getByText(/nothing takes back what was done twice/).waitFor()
    await item.getByRole('link', { name: 'Transfer 3.00 USDC done twice' }).click()
    await region(`What became of ${activity_id}`)
      .getByText(/the same request was carried out before, by activity/)
      .waitFor()
    await goTo(page, 'overview')
  })

  test('default: the value is recorded by the simulator: a reload and a second tab see what happened before they were there', async () => {
    const { page, sim } = dashboard
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 1_000_000_000n)
    await user.run('earn', earn)
    await sim.clock.advance(86_400)
    await goTo(page, `accounts/${user.id}`)
    const plot = region(/^Value from/)
    const output = page.locator('.chart output')
    await plot.waitFor()
    expect(await plot.getAttribute('aria-label')).toMatch(/^Value from \$1,000\.00 to \$1,000\.00/)
    expect(await plot.locator('.tick').allTextContents()).toEqual(['$0.00', '$600.00', '$1,200.00'])
    await plot.press('ArrowLeft')
    await expect.poll(() => output.textContent()).toMatch(/00:00:0\d$/)
    await plot.hover({ position: { x: 2, y: 20 } })
    await expect.poll(() => output.textContent()).toMatch(/^\$1,000\.00 at .* 00:00:0\d$/)
    const spoken = () => plot.getAttribute('aria-label')
    const before = await spoken()
    await page.reload()
    await expect.poll(spoken).toBe(before)
    const other = await page.context().newPage()
    await other.goto(page.url())
    const there = other.getByRole('region', { name: /^Value from/ })
    await expect.poll(() => there.getAttribute('aria-label')).toBe(before)
    await other.close()
    const snapshot = await sim.snapshot()
    await user.fund('base', 'USDC', 9_000_000_000n)
    await expect.poll(spoken).toMatch(/to \$10,000\.00/)
    await sim.restore(snapshot)
    await expect.poll(spoken).toMatch(/to \$1,000\.00/)
    expect(await axeViolations(page)).toEqual([])
  })

  test('behavior: nothing that is pointed at becomes unreadable, on any page in both themes; none is wider than a telephone', async () => {
    const { page, sim } = dashboard
    for (let i = 0; i < 4; i++) await bridge()
    const { user, activityId } = await bridge()
    await sim.snapshot('calm')
    const places = ['overview', 'accounts', `accounts/${user.id}`, `plan/${user.id}`, 'journal']
    const more = [`timeline/${activityId}`, 'faults', 'scenarios', 'coverage', 'chain/base']
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const place of [...places, ...more]) {
        await goTo(page, place)
        await page.locator('main :is(.panel, .diagram)').first().waitFor()
        if (colorScheme === 'light') await expectNarrow(place)
        expect([place, await unreadableUnderPointer()]).toEqual([place, []])
      }
    }
  })
})

/** The networks stand beside each other, across the page, whatever else is shown. */
async function expectOneRowOfNetworks(): Promise<void> {
  const { page } = dashboard
  for (const width of [1024, 1280, 1366, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    const tops = `new Set([...document.querySelectorAll('.network')].map((each) => each.getBoundingClientRect().top)).size`
    const empty = `document.querySelector('main').getBoundingClientRect().right - document.querySelector('.network:last-child').getBoundingClientRect().right`
    expect([width, await page.evaluate(tops)]).toEqual([width, 1])
    expect([width, Number(await page.evaluate(empty)) < 50]).toEqual([width, true])
  }
  await page.setViewportSize({ width: 1400, height: 900 })
}

/** On a telephone the page is as wide as the screen. */
async function expectNarrow(place: string): Promise<void> {
  const { page } = dashboard
  await page.setViewportSize({ width: 360, height: 740 })
  const width = await page.evaluate('document.documentElement.scrollWidth')
  expect([place, width]).toEqual([place, 360])
  await page.setViewportSize({ width: 1400, height: 900 })
}

/** Points at one element of each class and names those whose text then has a contrast below 4.5. */
async function unreadableUnderPointer(): Promise<string[]> {
  const { page } = dashboard
  const all = page.locator(':is(button:enabled, a, summary):visible:not(.skip)')
  const classes = await all.evaluateAll((found) =>
    found.map((each) => `${each.tagName} ${each.className} ${each.getAttribute('aria-current')}`),
  )
  const bad: string[] = []
  for (const [index, name] of classes.entries()) {
    if (classes.indexOf(name) !== index) continue
    await all.nth(index).hover({ force: true })
    const contrast = Number(await all.nth(index).evaluate(contrastOf))
    if (contrast < 4.5) bad.push(`${name}: ${contrast}`)
  }
  return bad
}

/** For the page, which has no types here: WCAG contrast of an element's text with what is behind it. */
const contrastOf = `(element) => {
  const parsed = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number)
  const luminance = (color) => {
    const [r = 0, g = 0, b = 0] = color.map((part) => {
      const share = part / 255
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  let behind = element
  while (behind && (parsed(getComputedStyle(behind).backgroundColor)[3] ?? 1) === 0)
    behind = behind.parentElement
  const ground = behind ? parsed(getComputedStyle(behind).backgroundColor) : [255, 255, 255]
  const lights = [parsed(getComputedStyle(element).color), ground].map(luminance)
  const [light = 1, dark = 0] = lights.sort((one, other) => other - one)
  return (light + 0.05) / (dark + 0.05)
}`
