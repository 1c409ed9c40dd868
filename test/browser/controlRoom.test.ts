import type { Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { leaseWorld } from '../../src/index.js'
import { goTo, hasBrowser } from '../kit/browser.js'
import { useDashboard } from '../kit/dashboard.js'
import { openUser, type PlanBody } from '../kit/user.js'

// What the dashboard says about causes, repeated reads and copied calls. Needs `npm run build` before.

const earn = { amount: '1000000', asset: 'USDC', network: 'base', protocol: 'compound' }

const dashboard = useDashboard({ permissions: ['clipboard-read', 'clipboard-write'] })

describe.skipIf(!hasBrowser)('in a browser', () => {
  test('default: two clicks lead from a 409 to the plan that used the nonce, on a lane of its own', async () => {
    const { page } = dashboard
    const user = await openUser(dashboard.sim)
    await user.fund('base', 'USDC', 5_000_000n)
    const first = (await user.plan('earn', earn)).body as PlanBody
    const second = (await user.plan('earn', { ...earn, amount: '2000000' })).body as PlanBody
    await dashboard.sim.clock.advance(7)
    const { activity_id } = (await user.execute(second)).body as { activity_id: string }
    const [done] = (await user.follow(activity_id)).activity_metadata
    const refused = await user.execute(first)
    expect(refused.status).toBe(409)
    await goTo(page, 'journal')
    await page.getByRole('option', { name: /plan\/execute 409/ }).click()
    await page.getByRole('link', { name: 'Timeline', exact: true }).last().click()
    const sentence = `plan ${second.plan_id} of the same wallet was executed at 00:00:07 in transaction ${done!.transaction_hash} (activity ${activity_id}, request `
    const findings = page.getByRole('region', { name: /What became of/ })
    await findings.getByText('Cause', { exact: true }).waitFor()
    expect(await findings.textContent()).toContain(sentence)
    await findings.getByRole('link', { name: second.plan_id }).first().waitFor()
    const chip = page.getByRole('button', { name: new RegExp(`another plan ${second.plan_id}`) })
    await chip.getByText('nonce: free → used').waitFor()
    await page.locator('.lane-head', { hasText: 'cause' }).waitFor()
  })

  test('behavior: 600 polls are one line, and leave the plan and its answer on the timeline', async () => {
    const { page } = dashboard
    const user = await openUser(dashboard.sim)
    await user.fund('base', 'USDC', 5_000_000n)
    const plan = (await user.plan('earn', earn)).body as PlanBody
    const { activity_id } = (await user.execute(plan)).body as { activity_id: string }
    await user.follow(activity_id)
    for (let i = 0; i < 600; i++) await user.api.get(`/activities/${activity_id}`)
    await goTo(page, `timeline/${plan.plan_id}`)
    await page.getByRole('button', { name: /activities.* 60[01] times/ }).waitFor()
    await page.getByRole('button', { name: /plan earn/ }).waitFor()
    expect(await page.getByText('no longer has').count()).toBe(0)
  })

  test('behavior: a call that is copied in a leased world goes to that world', async () => {
    const world = await leaseWorld({ url: dashboard.sim.url, clock: 'frozen' })
    try {
      await world.clock.advance(60)
      const { page } = dashboard
      await page.goto(`${dashboard.sim.uiUrl}#/journal?world=${world.id}`)
      await page.getByRole('option', { name: /clock\/advance 200/ }).click()
      await page.getByRole('button', { name: 'Copy as curl' }).click()
      await page.getByText('Copied').waitFor()
      const copied = await page.evaluate('navigator.clipboard.readText()')
      expect(copied).toContain(`'${dashboard.sim.url}/_sim/worlds/${world.id}/clock/advance'`)
    } finally {
      await world[Symbol.asyncDispose]()
    }
  })

  test('behavior: reads of the page are no traffic: no fault meets them, and the journal lacks them', async () => {
    const { page } = dashboard
    const user = await openUser(dashboard.sim)
    await dashboard.sim.faults.set([
      { id: 'all', on: 'request', effect: { respond: { error: 'internal_error' } } },
    ])
    await goTo(page, `plan/${user.id}/earn`)
    await page.getByText(/= [\d.]+ USDC/).waitFor()
    const journal = await (await fetch(`${dashboard.sim.controlUrl}/journal`)).json()
    const urls = (journal as { exchanges: { url: string }[] }).exchanges.map(({ url }) => url)
    expect(urls.filter((url) => /assets|openapi/.test(url))).toEqual([])
    expect(dashboard.sim.faults.list()).toMatchObject([{ hits: 0 }])
    await page.getByRole('button', { name: 'Make the plan' }).click()
    await page.getByText('500 internal_error', { exact: true }).waitFor()
    expect(dashboard.sim.faults.list()).toMatchObject([{ hits: 1 }])
  })

  test('behavior: with one network down the others are shown at once, and nothing is called empty', async () => {
    const { page } = dashboard
    const user = await openUser(dashboard.sim)
    await user.fund('base', 'USDC', 5_000_000n)
    await dashboard.sim.faults.add({ on: 'chain', effect: 'down', match: { network: 'polygon' } })
    await goTo(page, `accounts/${user.id}`)
    await page.getByText(/polygon does not respond/).waitFor()
    await page.getByRole('cell', { name: '5.00 USDC' }).waitFor()
    expect(await page.locator('.total').textContent()).toBe(
      'at least $5.00 · no response from polygon',
    )
    await goTo(page, `plan/${user.id}/earn`)
    await page.getByText(/The wallet has 5.00 USDC on base/).waitFor()
  })

  test('behavior: a read of an account that waits for a network can be stopped, also a later one, and taken up again', async () => {
    const { page } = dashboard
    const user = await openUser(dashboard.sim)
    await user.fund('base', 'USDC', 5_000_000n)
    const path = `/_sim/accounts/${user.id}`
    const held = `**${path}`
    const aborted = () => page.waitForEvent('requestfailed', (each) => each.url().endsWith(path))
    const stop = page.getByRole('button', { name: 'Stop waiting' })
    const again = page.getByRole('button', { name: 'Read again' })
    const stopHeld = async (): Promise<void> => {
      await stop.waitFor()
      const [request] = await Promise.all([aborted(), stop.click()])
      expect(request.failure()?.errorText).toContain('ERR_ABORTED')
    }
    await page.route(held, () => {}) // no answer, ever
    await goTo(page, `accounts/${user.id}`)
    await stopHeld()
    await page.getByText('balances, activities and events are not shown').waitFor()
    await page.getByRole('region', { name: 'Account' }).getByText(user.wallet).waitFor()
    // What happens meanwhile is not read either.
    const reads: string[] = []
    page.on('request', (each) => reads.push(...[each.url()].filter((url) => url.endsWith(path))))
    await dashboard.sim.clock.advance(1)
    await page.getByText('00:00:01').first().waitFor()
    expect(reads).toEqual([])
    await page.unroute(held)
    await dashboard.sim.faults.add({ on: 'chain', effect: 'down', match: { network: 'polygon' } })
    await again.click()
    await page.getByText(/polygon does not respond/).waitFor()
    await page.getByRole('cell', { name: '5.00 USDC' }).waitFor()
    await page.route(held, () => {})
    await user.fund('base', 'USDC', 1n)
    await stopHeld()
    await page.getByText('shows what it read before').waitFor()
    expect(await page.getByRole('cell', { name: '5.00 USDC' }).count()).toBe(1)
    await page.unroute(held)
    await dashboard.sim.faults.clear()
    await again.click()
    await page.getByText(/polygon does not respond/).waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: '5.000001 USDC' }).waitFor()
    expect(await stop.or(again).count()).toBe(0)
  })

  test('behavior: a plan that was refused is stale, not alive; a reload keeps form, plan and key', async () => {
    const { page } = dashboard
    await goTo(page, 'accounts')
    await page
      .getByRole('button', { name: /Create/ })
      .first()
      .click()
    const accounts = async () =>
      (await (await fetch(`${dashboard.sim.controlUrl}/accounts`)).json()) as {
        accounts: { account_id: string }[]
      }
    await expect.poll(async () => (await accounts()).accounts.length).toBe(1)
    const id = (await accounts()).accounts[0]!.account_id
    await dashboard.sim.fund({ account_id: id, network: 'base', asset: 'USDC', amount: '5000000' })
    await dashboard.sim.faults.set([{ id: 'moved', on: 'plan', effect: 'stale', times: 1 }])
    await goTo(page, `plan/${id}/earn`)
    await page.getByLabel('amount', { exact: true }).fill('2')
    await page.getByRole('button', { name: 'Make the plan' }).click()
    await page.getByRole('button', { name: 'Sign and execute' }).waitFor()
    // What is asked while the page opens waits for the key.
    const keyless: string[] = []
    page.on('response', (response) => {
      if (response.status() === 401) keyless.push(response.url())
    })
    const holdFirst = async (route: Route) => {
      // Whether the form came in time is asserted below.
      await page
        .getByLabel('amount', { exact: true })
        .waitFor()
        .catch(() => {})
      await route.continue()
    }
    await page.route('**/_sim/overview', holdFirst, { times: 1 })
    await page.reload()
    await page.locator('#plan-market-words option').first().waitFor({ state: 'attached' })
    expect(keyless).toEqual([])
    const execute = page.getByRole('button', { name: 'Sign and execute' })
    await execute.waitFor()
    expect(await page.getByLabel('amount', { exact: true }).inputValue()).toBe('2')
    await execute.click()
    await page.getByText('409 plan_stale', { exact: true }).waitFor()
    await page.locator('.made-plan .pill', { hasText: /^stale$/ }).waitFor()
    expect(await page.locator('.made-plan .countdown').count()).toBe(0)
    await page.getByRole('link', { name: 'Why?' }).click()
    await page.waitForURL(/timeline\/pln_/)
    await goTo(page, 'overview')
    await page.getByRole('region', { name: 'Open plans' }).getByText('None.').waitFor()
  })

  test('behavior: the open moment and the filters are in the URL, and a reload shows them again', async () => {
    const { page } = dashboard
    const user = await openUser(dashboard.sim)
    await user.fund('base', 'USDC', 5_000_000n)
    const plan = (await user.plan('earn', earn)).body as PlanBody
    await goTo(page, `timeline/${plan.plan_id}`)
    await page.getByRole('button', { name: /plan earn/ }).click()
    await page.getByRole('region', { name: /of kind earn/ }).waitFor()
    await page.reload()
    await page.getByRole('region', { name: /of kind earn/ }).waitFor()
    await goTo(page, 'journal')
    await page.getByLabel('Path or method').fill('plan/earn')
    await page.reload()
    await expect.poll(() => page.getByLabel('Path or method').inputValue()).toBe('plan/earn')
  })
})
