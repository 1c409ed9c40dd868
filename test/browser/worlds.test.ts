import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createSimulator,
  leaseWorld,
  type SimulatorHandle,
  type WorldHandle,
  watchJournal,
} from '../../src/index.js'
import { type OpenTrace, openTrace } from '../../src/simulator/openTrace.js'
import { axeViolations, closePage, hasBrowser, launchBrowser, openPage } from '../kit/browser.js'
import { emptyFolder } from '../kit/cli.js'
import { tryOut } from '../kit/docsPage.js'
import { openUser, type PlanBody } from '../kit/user.js'

// The page of worlds, in a run and in its trace. Needs `npm run build` before.

const earn = { amount: '5000000', asset: 'USDC', network: 'base', protocol: 'compound' }
const failedTest = 'stale.test.ts > executes'

const restoredTest = 'restored.test.ts > transfers'

/** A test whose activity a fault breaks, and which takes everything back afterwards, as the fixtures do. */
async function failBeforeRestore(world: WorldHandle): Promise<void> {
  const before = await world.snapshot()
  const { since } = await watchJournal(world)
  const user = await openUser(world)
  await user.fund('base', 'USDC', 9_000_000n)
  await world.faults.add({ id: 'breaks', on: 'execute', effect: 'revert' })
  expect((await user.run('earn', earn)).activity.activity_status).toBe('failed')
  await world.reportFailed(restoredTest, { error: `not confirmed with ${world.apiKey}`, since })
  await world.restore(before)
}

describe.skipIf(!hasBrowser)('in a browser', () => {
  const file = join(emptyFolder(), 'run.trace')
  let browser: Browser
  let sim: SimulatorHandle
  let trace: OpenTrace | undefined
  const worlds: Record<string, string> = {}
  let other: WorldHandle
  let restored: WorldHandle
  beforeAll(async () => {
    browser = await launchBrowser()
    sim = await createSimulator({ clock: 'frozen', trace: file })
    for (const name of ['good.test.ts', 'stale.test.ts', 'other.test.ts']) {
      const world = await leaseWorld({ url: sim.url, name, clock: 'frozen' })
      worlds[name] = world.id
      other = world
      const user = await openUser(world)
      await user.fund('base', 'USDC', 9_000_000n)
      const plan = (await user.plan('earn', earn)).body as PlanBody
      if (name !== 'stale.test.ts') await user.execute(plan)
      else {
        await world.clock.advance(200)
        expect((await user.execute(plan)).status).toBe(404)
        await world.reportFailed(failedTest)
      }
    }
    restored = await leaseWorld({ url: sim.url, name: 'restored.test.ts' })
    await failBeforeRestore(restored)
  })
  afterAll(async () => {
    await browser?.close()
    await trace?.close()
    await sim?.close()
  })

  test('default: the world of the failed test is first; two are compared from the request at which they differ', async () => {
    const { page, problems } = await openPage(browser, `${sim.uiUrl}#/worlds`)
    const rows = page.getByRole('region', { name: 'Leased worlds' }).getByRole('row')
    await rows.nth(1).getByText(failedTest).waitFor()
    expect(await rows.count()).toBe(5)
    for (const name of ['good.test.ts', 'stale.test.ts'])
      await page.getByRole('checkbox', { name: `Compare ${name}` }).check()
    await page.getByRole('link', { name: 'Compare the two' }).click()
    const compared = page.getByRole('region', { name: /First difference/ })
    await compared.getByText('Only stale.test.ts has POST /_sim/clock/advance.').waitFor()
    // The extra request stands alone, and the next one beside its counterpart.
    const first = compared.getByRole('listitem').first()
    await first.getByText('first difference').waitFor()
    await first.getByText('No such request.').waitFor()
    await first.getByRole('link', { name: 'POST /_sim/clock/advance' }).waitFor()
    const refused = compared.getByRole('listitem').filter({ hasText: '404 plan_not_found' })
    await refused.getByText('confirmed').waitFor()
    await refused.getByText('Bodies').click()
    await refused.getByRole('row', { name: 'error absent plan_not_found' }).waitFor()
    await refused.getByRole('heading', { name: 'Request: 0 differences' }).waitFor()
    await compared.getByRole('button', { name: 'Show 3 requests' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    const wider = `[...document.querySelectorAll('.scroller')].filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.ariaLabel)`
    expect(await page.evaluate(wider)).toEqual([])
    await page.setViewportSize({ width: 1400, height: 900 })
    await refused
      .getByRole('link', { name: /plan\/execute/ })
      .last()
      .click()
    await page.getByRole('region', { name: /POST .*plan\/execute/ }).waitFor()
    expect(page.url()).toContain(`world=${worlds['stale.test.ts']}`)
    expect(problems).toEqual([])
    await closePage(page)
  })

  test('behavior: the control API of a world is tried out in that world', async () => {
    const world = `/_sim/worlds/${worlds['good.test.ts']}`
    const { page, problems } = await openPage(browser, `${sim.url}${world}/openapi`)
    expect(new URL(page.url()).pathname).toBe(`${world}/openapi/`)
    const { status, body } = await tryOut(page, 'Control-getConnection')
    expect([status, body]).toEqual(['200', expect.stringContaining(world)])
    // Its dashboard shows that world, with the slash at the end or without.
    for (const path of [`${world}/ui`, `${world}/ui/#/faults`]) {
      await page.goto(sim.url + path)
      await page.getByRole('region', { name: 'Leased world' }).getByText('good.test.ts').waitFor()
      expect(page.url()).toMatch(/\/_sim\/ui\/#\/(faults)?\?world=wld_/)
    }
    await page.getByRole('heading', { name: 'Faults', level: 1 }).waitFor()
    expect(problems).toEqual([])
    await closePage(page)
  })

  test('behavior: the overview of the default world names each world in which something failed, as it happens; that of a leased world does not', async () => {
    const { page, problems } = await openPage(browser, sim.uiUrl!)
    const failed = (count: number) =>
      page.getByRole('region', { name: `Failures in ${count} leased worlds` })
    await failed(2).getByRole('listitem').filter({ hasText: failedTest }).waitFor()
    await failed(2).getByRole('listitem').filter({ hasText: restoredTest }).waitFor()
    expect(await failed(2).getByRole('listitem').count()).toBe(2)
    // No test failed, and nobody reports it.
    await other.faults.add({ id: 'breaks', on: 'execute', effect: 'revert' })
    const user = await openUser(other)
    await user.fund('base', 'USDC', 9_000_000n)
    expect((await user.run('earn', earn)).activity.activity_status).toBe('failed')
    const item = failed(3).getByRole('listitem').filter({ hasText: 'other.test.ts' })
    await item.getByText('1 failed activity').waitFor()
    await other.reportFailed('other.test.ts > pays')
    await item.getByText('other.test.ts > pays').waitFor()
    await other.reportPassedOnRetry('other.test.ts > pays')
    // It passed, so what broke in it is no failure.
    await failed(2).waitFor()
    await failed(2)
      .getByText(/^\s*not confirmed with/)
      .waitFor()
    expect(await axeViolations(page)).toEqual([])
    // Another activity fails, which is none of the flaky test's.
    expect((await user.run('earn', earn)).activity.activity_status).toBe('failed')
    await item.getByText('1 failed activity').waitFor()
    // The plan runs, and only the response is cut: that is no refusal. What a passing test expected to fail says so.
    await other.faults.set([{ on: 'execute', effect: 'response_lost', times: 1 }])
    await user.run('earn', earn).catch(() => {})
    await other.reportPassed('other.test.ts > expects it')
    await item.getByText(/^1 failed activity, 1 lost response, 1 test passed$/).waitFor()
    await page.getByRole('link', { name: 'All worlds, failures first' }).click()
    const flaky = page.getByRole('row').filter({ hasText: 'other.test.ts' })
    await flaky.getByText('It passed when it was retried.').waitFor()
    expect(await flaky.getByText('failed', { exact: true }).count()).toBe(0)
    await flaky.getByRole('link', { name: 'other.test.ts', exact: true }).click()
    await page
      .getByRole('region', { name: 'Failed lately' })
      .getByText(/reverted/)
      .first()
      .waitFor()
    expect(await page.getByRole('region', { name: /^Failures in/ }).count()).toBe(0)
    await page.goBack()
    await flaky.waitFor()
    await other.close()
    await flaky.waitFor({ state: 'detached' })
    await page.getByRole('row').nth(1).getByText(failedTest).waitFor()
    // Of a failed world, the list keeps what was recorded; the page says where the rest is kept.
    await restored.close()
    await page.getByText(/^1 world with failed tests ended\./).waitFor()
    await page.getByText(`svc-sim ui '${file}'`).waitFor()
    const gone = page.getByRole('row').filter({ hasText: 'restored.test.ts' })
    await gone.getByText('ended', { exact: true }).waitFor()
    await gone.getByText(restoredTest).waitFor()
    await gone.getByText(/^failed: .* reverted, because breaks/).waitFor()
    expect(await gone.getByRole('link').or(gone.getByRole('checkbox')).count()).toBe(0)
    expect(await axeViolations(page)).toEqual([])
    expect(problems).toEqual([])
    await closePage(page)
  })

  test('behavior: its trace opens on the test that failed, though its world was restored, says that its clock has ended, and offers no change', async () => {
    await sim.close()
    trace = await openTrace(file)
    const { page, problems } = await openPage(browser, `${trace.url}/_sim/ui/`)
    const frame = page.getByRole('region', { name: 'Leased world' })
    await frame.getByText(restoredTest).waitFor()
    // Keys are masked.
    await frame.getByText(/not confirmed with \w+\*\*\*$/).waitFor()
    const failures = page.getByRole('region', { name: 'Failed lately' })
    await failures.getByText(/reverted.*because breaks/).waitFor()
    await page.getByText('ended', { exact: true }).first().waitFor()
    for (const name of ['Release', 'Lease a world', 'Resume', 'Reset'])
      expect([name, await page.getByRole('button', { name, exact: true }).isVisible()]).toEqual([
        name,
        false,
      ])
    expect(await axeViolations(page)).toEqual([])
    await failures.getByRole('link', { name: /^Earn 5.00 USDC failed$/ }).click()
    const timeline = page.getByRole('region', { name: /^What became of act_/ })
    await timeline.getByText(/reverted.*because breaks/).waitFor()
    const account = await page.getByRole('link', { name: /^acc_/ }).first().textContent()
    // Opened by its URL alone, a page knows the assets of the trace.
    await page.goto(page.url().replace(/timeline\/\w+/, `accounts/${account}`))
    await page.reload()
    await page.getByText('5.00 USDC ($5.00)').first().waitFor()
    await frame.getByRole('link', { name: 'All worlds' }).click()
    const rows = page.getByRole('region', { name: 'Leased worlds' }).getByRole('row')
    await rows.nth(1).getByText(restoredTest).waitFor()
    // The file of the test leads there, too.
    const ofFile = rows.filter({ hasText: 'restored.test.ts' }).last()
    await ofFile.getByRole('link', { name: restoredTest }).click()
    await frame.getByText(restoredTest).waitFor()
    await page.goto(page.url().replace('#/overview', '#/coverage'))
    await page
      .getByText('All tests in restored.test.ts up to this one are counted together.')
      .waitFor()
    // A failed test counts once, as its own entry; an activity that failed after a flaky one counts, too.
    await page.goto(`${trace.url}/_sim/ui/#/overview`)
    await page.getByRole('region', { name: 'Failures in 3 leased worlds' }).waitFor()
    await page.goto(`${trace.url}/_sim/ui/#/accounts`)
    await page.getByText('None.', { exact: true }).waitFor()
    expect(problems).toEqual([])
    await closePage(page)
  })
})
