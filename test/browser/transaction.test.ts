import { describe, expect, test } from 'vitest'
import { axeViolations, goTo, hasBrowser } from '../kit/browser.js'
import { useDashboard } from '../kit/dashboard.js'
import { openUser, type PlanBody } from '../kit/user.js'

// The page of a transaction. Needs `npm run build` before.

const earn = { amount: '5000000', asset: 'USDC', network: 'base', protocol: 'compound' }

const dashboard = useDashboard()

/** Executes a plan for a new account with 9 USDC on base. */
async function execute() {
  const user = await openUser(dashboard.sim)
  await user.fund('base', 'USDC', 9_000_000n)
  const plan = (await user.plan('earn', earn)).body as PlanBody
  const { activity_id } = (await user.execute(plan)).body as { activity_id: string }
  const [item] = (await user.follow(activity_id)).activity_metadata
  return { user, activity_id, hash: item!.transaction_hash as string }
}

describe.skipIf(!hasBrowser)('in a browser', () => {
  test('default: from the timeline to calls by name, and to what each account has more or less', async () => {
    const { page } = dashboard
    const { user, activity_id, hash } = await execute()
    await goTo(page, `timeline/${activity_id}`)
    await page.getByRole('button', { name: /supply.*mined/ }).click()
    await page.getByRole('link', { name: hash }).first().click()
    await page.getByText('script cometSupply.supply(comet: 0x').first().waitFor()
    const balances = page.getByRole('region', { name: 'Balance changes' })
    const rows = balances.getByRole('row')
    const own = rows.filter({ hasText: user.id }).filter({ hasText: 'USDC' }).first()
    await expect.poll(() => own.textContent()).toBe(`${user.id}−5.00 USDC ($5.00)`)
    expect(await axeViolations(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await own.getByRole('link', { name: user.id }).click()
    await page.getByRole('region', { name: `Swim lanes of ${user.id}` }).waitFor()
  })

  test('default: from a network to its blocks, a transaction, and the plan that sent it', async () => {
    const { page } = dashboard
    const { user, activity_id, hash } = await execute()
    await page.getByRole('link', { name: 'base', exact: true }).click()
    const blocks = page.getByRole('region', { name: 'Blocks of base' })
    await blocks
      .getByText(/^relayer → .*execute/i)
      .first()
      .click()
    await blocks.getByRole('link', { name: hash }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await blocks.getByRole('link', { name: hash }).click()
    const facts = page.getByRole('region', { name: 'Facts' })
    for (const name of ['From', 'To', 'Nonce', 'Fee', 'Call', 'Sent for'])
      await facts.getByText(name, { exact: true }).waitFor()
    await facts.getByRole('link', { name: /^pln_/ }).waitFor()
    await facts.getByRole('link', { name: activity_id }).click()
    await page.getByRole('region', { name: `Swim lanes of ${activity_id}` }).waitFor()
    expect(user.id).toMatch(/^acc_/)
  })

  test('error: a transaction that reverted says why and where, and changed nothing; an unknown one says what to do', async () => {
    const { page } = dashboard
    await dashboard.sim.faults.add({ on: 'execute', effect: 'revert' })
    const { hash } = await execute()
    await goTo(page, `transaction/${hash}`)
    await page.getByText('Reverted:').waitFor()
    await page.getByText('None: the transaction reverted.').waitFor()
    expect(await page.locator('.traced.bad').count()).toBeGreaterThan(0)
    await goTo(page, `transaction/0x${'ab'.repeat(32)}`)
    await page.getByText(/No network has mined transaction 0xabab/).waitFor()
  })

  test('behavior: what a reorganisation took off the chain is not called mined any more, on an open page either', async () => {
    const { page, sim } = dashboard
    await sim.faults.add({ on: 'chain', effect: 'reorg', match: { network: 'base' }, times: 1 })
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 9_000_000n)
    const plan = (await user.plan('earn', earn)).body as PlanBody
    await goTo(page, `timeline/${plan.plan_id}`)
    await page.getByRole('button', { name: /plan earn/ }).waitFor()
    const { activity_id } = (await user.execute(plan)).body as { activity_id: string }
    await page
      .getByRole('button', { name: /is confirmed/ })
      .nth(1)
      .waitFor()
    const gone = page.getByRole('button', { name: /transaction on base: replaced by a reorg/ })
    expect(await gone.count()).toBe(1)
    expect(await page.getByRole('button', { name: /transaction on base: mined/ }).count()).toBe(1)
    await gone.click()
    const fallen = page.getByRole('region', { name: /replaced by a reorg/ })
    const [item] = (await user.follow(activity_id)).activity_metadata
    const link = fallen.locator('dd a[href*="/transaction/"]')
    expect(await link.textContent()).not.toBe(item!.transaction_hash)
    await link.click()
    await page.getByText(/No network has mined transaction 0x/).waitFor()
    await goTo(page, `transaction/${item!.transaction_hash}`)
    await page.getByRole('region', { name: 'Facts' }).getByText('mined', { exact: true }).waitFor()
  })
})
