import { describe, expect, test } from 'vitest'
import { axeViolations, goTo, hasBrowser } from '../kit/browser.js'
import { useDashboard } from '../kit/dashboard.js'
import { findAmong } from '../kit/findAmong.js'
import { ask } from '../kit/http.js'
import { openUser, type PlanBody } from '../kit/user.js'

// What pages offer, keep and say: pickers, filters, forms, recipes, runs of all scenarios. Needs `npm run build` before.

const earn = { amount: '1000000', asset: 'USDC', network: 'base', protocol: 'compound' }

const dashboard = useDashboard({ reducedMotion: 'reduce' })

const focused = () =>
  dashboard.page.evaluate<string>('document.activeElement.className || document.activeElement.id')

describe.skipIf(!hasBrowser)('in a browser', () => {
  test('default: the picker offers the newest accounts, and the simulator finds any other', () =>
    findAmong(300, dashboard))

  test('behavior: what was searched, typed and opened is there again on the way back and after a reload', async () => {
    const { page, sim } = dashboard
    const user = await openUser(sim)
    await goTo(page, 'accounts')
    const search = page.getByRole('searchbox', { name: 'Search' })
    await search.fill(user.wallet)
    await page.getByRole('link', { name: user.id }).click()
    await page.getByRole('region', { name: 'Account' }).waitFor()
    expect(await page.title()).toBe(`Accounts ${user.id} - svc-sim`)
    await page.goBack()
    await expect.poll(() => search.inputValue()).toBe(user.wallet)
    await goTo(page, 'faults/request/latency')
    await page.locator('#settings-ms').fill('2500')
    await goTo(page, 'coverage?show=missing')
    await page.goBack()
    await expect.poll(() => page.locator('#settings-ms').inputValue()).toBe('2500')
    await page.reload()
    await expect.poll(() => page.locator('#settings-ms').inputValue()).toBe('2500')
    await page.goForward()
    expect(await page.getByLabel('Only endpoints with unseen responses').isChecked()).toBe(true)
  })

  test('behavior: the focus goes to what was made, and to the title of another page', async () => {
    const { page } = dashboard
    await page.getByRole('link', { name: 'Accounts', exact: true }).first().click()
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1')
    await page.getByRole('button', { name: 'Create an account' }).click()
    await expect.poll(focused).toBe('created')
    await page.getByRole('link', { name: 'Fund it' }).click()
    await page.getByRole('button', { name: '+1000 USDC' }).click()
    await page.getByText('1,000.00 USDC').first().waitFor()
    await page.getByRole('link', { name: 'Plan', exact: true }).last().click()
    const assets = page.locator('#plan-asset-words option[value=USDC]')
    await expect
      .poll(() => assets.getAttribute('label'))
      .toMatch(/^USDC: 1,000\.00 on base, earns \d+\.\d\d %$/)
    await page.getByRole('button', { name: 'Make the plan' }).click()
    await expect.poll(focused).toContain('made-plan')
  })

  test('default: what the filters leave is saved as a test with all that it needs, and plays', async () => {
    const { page, sim } = dashboard
    // Over HTTP, so that the journal begins anew.
    await ask(`${sim.url}/_sim/reset`, { method: 'POST' })
    const [user, other] = [await openUser(sim), await openUser(sim)]
    for (const each of [user, other])
      await ask(`${sim.url}/_sim/fund`, {
        method: 'POST',
        body: { account_id: each.id, network: 'base', asset: 'USDC', amount: '9000000' },
      })
    const plans: PlanBody[] = []
    for (const each of [user, user, other])
      plans.push((await each.plan('earn', earn)).body as PlanBody)
    await user.execute(plans[0]!)
    expect((await user.execute(plans[1]!)).status).toBe(409)
    await goTo(page, 'journal?status=4')
    await page.getByText(/^1 of \d+ requests/).waitFor()
    const save = page.getByRole('button', { name: 'Save this request as test' })
    expect(await save.getAttribute('title')).toBe('Saves this request and what led to the outcome.')
    await save.click()
    await page.getByText('npx svc-sim scenario run earn-plan_stale.yaml').waitFor()
    await page
      .getByText('It repeats 1 request of the selected, and 5 that led to the outcome')
      .waitFor()
    const yaml = (await page.getByRole('region', { name: 'Scenario' }).textContent())!
    // The account, its funds, the plan and its refusal, and the execution that caused it; nothing of the other account.
    expect(yaml.match(/account_\d:/g)).toHaveLength(1)
    expect(yaml).toContain('USDC: "9000000"')
    expect(yaml).toContain('plan_stale')
    expect(yaml.match(/- (fund|plan|execute):/g)).toEqual(
      ['plan', 'plan', 'execute', 'execute'].map((step) => `- ${step}:`),
    )
    const played = await ask(`${sim.url}/_sim/scenarios`, { body: { yaml } })
    expect(played.body).toMatchObject({ passed: true, failure: null })
    const dialog = page.getByRole('dialog', { name: 'Test', exact: true })
    expect(await dialog.count()).toBe(1)
    await goTo(page, 'journal?status=2')
    await dialog.waitFor({ state: 'hidden' })
    // The dialog names what the test does not expect.
    await user.fund('optimism', 'USDC', 100_000_000n)
    const far = { amount: '20000000', asset: 'USDC', network: 'base', recipient: other.wallet }
    const { body } = await user.execute((await user.plan('transfer', far)).body as PlanBody)
    await user.api.get(`/activities/${body.activity_id}`)
    await goTo(page, `journal?path=/activities/${body.activity_id}`)
    await save.click()
    await dialog.getByText('1 state not expected').click()
    await dialog
      .getByRole('listitem')
      .filter({ hasText: /^GET \S+: pending: no fault held it then, so the test may read/ })
      .waitFor()
    // What a reset has undone is not offered.
    await ask(`${sim.url}/_sim/reset`, { method: 'POST' })
    await goTo(page, 'journal?status=4')
    const refused = new RegExp(`${user.id}/plan/execute.* 409`)
    await page.getByRole('option', { name: refused }).click()
    for (const name of ['Save these as test', 'Save as test up to here']) {
      const button = page.getByRole('button', { name })
      await expect.poll(() => button.isDisabled()).toBe(true)
      expect(await button.getAttribute('title')).toMatch(
        /^It came before the reset at [\d:]{8}: it can be neither saved nor forked\.$/,
      )
    }
    expect(await page.getByRole('link', { name: 'Fork here' }).count()).toBe(0)
  })

  test('default: all plans are listed with kind, amount, state and time, newest first; links and the search lead there', async () => {
    const { page, sim } = dashboard
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 5_000_000n)
    const [done, stale] = [await user.plan('earn', earn), await user.plan('earn', earn)]
    await user.execute(done.body as PlanBody)
    expect((await user.execute(stale.body as PlanBody)).status).toBe(409)
    const late = await user.plan('earn', { ...earn, amount: '2000000' })
    await sim.clock.advance(130)
    expect((await user.execute(late.body as PlanBody)).status).toBe(404)
    await user.plan('earn', { ...earn, amount: '3000000' })
    await goTo(page, `accounts/${user.id}`)
    const account = page.getByRole('region', { name: 'Account', exact: true })
    await account.getByRole('link', { name: 'Plans' }).click()
    const items = page.getByRole('region', { name: '4 plans' }).getByRole('listitem')
    const shown = (title: string, state: string) =>
      expect.stringMatching(new RegExp(`^${title}pln_\\w+${user.id}[\\d-]+ [\\d:]+${state}$`))
    await expect
      .poll(() => items.allTextContents())
      .toEqual([
        shown('Earn 3.00 USDC', 'open'),
        shown('Earn 2.00 USDC', 'expired'),
        shown('Earn 1.00 USDC', 'stale'),
        shown('Earn 1.00 USDC', 'confirmedexecuted'),
      ])
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('searchbox', { name: 'Search' }).fill(`stale`)
    await page
      .getByRole('region', { name: /^\d+ plans?$/ })
      .getByRole('link')
      .first()
      .click()
    await page.getByText('409 plan_stale').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Search' }).getByRole('textbox').fill('plans')
    await page.getByRole('link', { name: 'Page Plans' }).click()
    await page.getByRole('heading', { name: 'Plans', level: 1 }).waitFor()
  })

  test('behavior: a plan that a rule ended is expired, and one that a restore took is gone, in the list as on its timeline', async () => {
    const { page, sim } = dashboard
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 5_000_000n)
    const ran = (await user.plan('earn', earn)).body as PlanBody
    const back = await sim.snapshot()
    const taken = (await user.plan('earn', earn)).body as PlanBody
    await sim.faults.add({ id: 'early', on: 'plan', effect: 'expire', times: 1 })
    const ended = (await user.plan('earn', earn)).body as PlanBody
    await user.execute(ran)
    await sim.clock.advance(0)
    await goTo(page, `plans?q=${user.id}`)
    const states = () => page.locator('li.activity > .pill:last-child').allTextContents()
    // The plan from the same state could be executed no more.
    await expect.poll(states).toEqual(['expired', 'stale', 'executed'])
    await sim.restore(back)
    await expect.poll(states).toEqual(['gone', 'gone', 'open'])
    const whys = page.getByText('a restore or reset has undone it', { exact: true })
    expect(await whys.count()).toBe(2)
    await sim.clock.advance(600)
    await expect.poll(states).toEqual(['gone', 'gone', 'expired'])
    for (const { plan_id } of [taken, ended]) {
      await goTo(page, `timeline/${plan_id}`)
      await page.getByText(/^the simulator no longer has \S+: snapshot \S+ was restored/).waitFor()
    }
    await sim.faults.clear()
  })

  test('behavior: a cell of the coverage says when it comes, which request met it, and arms the fault for another', async () => {
    const { page, sim } = dashboard
    const user = await openUser(sim)
    await user.plan('earn', { ...earn, asset: 'NOPE' })
    await goTo(page, 'coverage')
    const path = 'POST /accounts/{account_id}/plan/earn'
    await page.getByRole('button', { name: /plan\/earn 400 invalid_params: seen/ }).click()
    const details = page.getByRole('region', { name: `${path} 400 invalid_params` })
    await details.getByText(/When a field is missing, malformed/).waitFor()
    await details
      .getByRole('link', { name: /plan\/earn$/ })
      .first()
      .click()
    await page
      .getByRole('region', { name: /plan\/earn/ })
      .getByText('invalid_params')
      .first()
      .waitFor()
    await page.goBack()
    await page.getByRole('button', { name: `${path} 400 no_wallet: not seen` }).click()
    await page
      .getByRole('region', { name: `${path} 400 no_wallet` })
      .getByRole('link')
      .click()
    await page.getByRole('button', { name: 'Arm', exact: true }).click()
    const faults = page.getByRole('region', { name: 'Faults' })
    await faults
      .getByText(/One request to \/accounts\/\*\/plan\/earn .*gets an error \(error no_wallet\)/)
      .waitFor()
    expect((await user.plan('earn', earn)).body).toMatchObject({ error: 'no_wallet' })
    expect(await axeViolations(page)).toEqual([])
  })

  test('default: a recipe breaks the next plan in one press', async () => {
    const { page, sim } = dashboard
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 5_000_000n)
    await goTo(page, 'faults')
    const recipe = page.getByRole('listitem').filter({ hasText: 'Make the next plan stale' })
    await recipe.getByText('Hits every account.').waitFor()
    const account = page.getByLabel('Rules below are for')
    await account.fill('nobody')
    await page.getByText('No account has this text.').waitFor()
    // Any account is found, however old, by a part of what it has.
    await account.fill(user.wallet.slice(2, 20))
    await page.locator(`#found-accounts option[value=${user.id}]`).waitFor({ state: 'attached' })
    await recipe.getByText('Hits every account.').waitFor()
    await account.fill(user.id)
    await recipe.getByText(`Hits ${user.id}.`).waitFor()
    await recipe.getByRole('button').click()
    await page.getByText('becomes stale (by nonce)').waitFor()
    expect(sim.faults.list()).toMatchObject([{ match: { account_id: user.id }, times: 1 }])
    const plan = (await user.plan('earn', earn)).body as PlanBody
    expect((await user.execute(plan)).status).toBe(409)
    await page.getByText('spent: 1 hit in 1 call').waitFor()
    expect(await axeViolations(page)).toEqual([])
  })

  test('behavior: all listed scenarios are played one after the other, and their results stay', async () => {
    const { page } = dashboard
    await goTo(page, 'scenarios?q=stale')
    await page.locator('.choices li').first().waitFor()
    const count = await page.locator('.choices li').count()
    expect(count).toBeGreaterThan(0)
    await page.getByRole('button', { name: `Run all ${count}` }).click()
    await page.getByText(`${count} passed, 0 failed`).waitFor({ timeout: 60_000 })
    await goTo(page, 'overview')
    await page.goBack()
    await page.getByText(`${count} passed, 0 failed`).waitFor()
    await page.route('**/run', (route) =>
      route.fulfill({
        json: {
          passed: false,
          is_prepared: false,
          steps: [],
          requests: 1,
          duration_ms: 5,
          account_ids: [],
          failure: { where: 'when.0 (call)', message: 'expected status 200, got 404 "x"' },
        },
      }),
    )
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('definition').getByText('status 200').waitFor()
    await page.getByRole('definition').getByText('404 "x"').waitFor()
  })
})
