import { describe, expect, test } from 'vitest'
import { axeViolations, goTo, hasBrowser } from '../kit/browser.js'
import { useDashboard } from '../kit/dashboard.js'

// Amounts as a person reads them, from the form to the end of a bridge. Needs `npm run build` before.

const dashboard = useDashboard({ permissions: ['clipboard-read', 'clipboard-write'] })

describe.skipIf(!hasBrowser)('in a browser', () => {
  /** An account of the page with 9 USDC on optimism, and its form for a plan on base. */
  async function openForm(): Promise<void> {
    const { page } = dashboard
    await goTo(page, 'accounts')
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByRole('link', { name: 'Fund it' }).click()
    const id = (await page.evaluate<string>('location.hash')).split('/').at(-1)!
    await dashboard.sim.fund({
      account_id: id,
      network: 'optimism',
      asset: 'USDC',
      amount: '9000000',
    })
    await goTo(page, `plan/${id}/earn`)
    await page.getByText(/The wallet has 9.00 USDC on optimism/).waitFor()
  }

  /** The label of what a field offers, by its value. */
  const offersOf = async (field: string): Promise<Record<string, string>> => {
    const options = dashboard.page.locator(`#plan-${field}-words option`)
    const pairs = await options.evaluateAll((all) =>
      all.map((each) => [each.getAttribute('value') ?? '', each.getAttribute('label') ?? '']),
    )
    return Object.fromEntries(pairs)
  }

  async function planFive(): Promise<void> {
    const { page } = dashboard
    await page.getByLabel('amount', { exact: true }).fill('5 usdc')
    await page.getByText('= 5.00 USDC ($5.00)').waitFor()
    await page.getByRole('button', { name: 'Make the plan' }).click()
    const steps = page.locator('.operation .sentence')
    await steps.nth(1).waitFor()
    expect(await steps.allTextContents()).toEqual([
      'Bridge 5.003501 USDC ($5.00) from optimism to base (planned fee 0.003501 USDC (<$0.01))',
      'Supply 5.00 USDC ($5.00) to Compound on base',
    ])
  }

  test('default: an amount of whole units becomes a plan in sentences, which turn green as they happen', async () => {
    const { page } = dashboard
    await dashboard.sim.faults.set([{ on: 'bridge', effect: { delay: { seconds: 60 } } }])
    await openForm()
    await planFive()
    await page.getByRole('button', { name: '5.00 USDC ($5.00)' }).first().click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('5000000')
    await page.getByRole('button', { name: 'Sign and execute' }).click()
    const done = page.locator('.operation.confirmed')
    // Green is what has arrived: the deposit alone is not.
    const flight = page.locator('.execution .in-flight')
    await flight.getByText('arrives at').waitFor()
    expect(await flight.textContent()).toMatch(
      /^in flight 5\.003501 USDC \(\$5\.00\) sent from optimism to base at 00:00:00\. 5\.00 USDC \(\$5\.00\) arrives at 00:01:00 Go to the fill\. If nothing has arrived by 00:10:00, the deposit is refunded on optimism at 00:10:01\.$/,
    )
    await page.locator('.operation').first().getByText('in flight', { exact: true }).waitFor()
    expect(await done.count()).toBe(0)
    expect(await axeViolations(page)).toEqual([])
    await flight.getByRole('button', { name: 'Go to the fill' }).click()
    await expect.poll(() => done.count()).toBe(2)
    // One transaction below the other: the deposit, then the fill.
    const hashes = await done.first().getByRole('link').all()
    const [deposit, fill] = await Promise.all(hashes.map((each) => each.boundingBox()))
    expect(fill!.y).toBeGreaterThanOrEqual(deposit!.y + deposit!.height)
    await flight.waitFor({ state: 'detached' })
    await page.getByText('The wallet has 3.996499 USDC on optimism.').waitFor()
    await page.getByRole('link', { name: 'Full timeline' }).click()
    await page.getByRole('button', { name: /bridge filled.*5\.00 USDC \(\$5\.00\)/ }).waitFor()
    expect(await page.locator('.bridge.open').count()).toBe(0)
  })

  test('behavior: a swap is told as planned until it is done, and then with what it brought', async () => {
    const { page, sim } = dashboard
    await openForm()
    const account_id = page.url().split('/').at(-2)!
    await sim.fund({ account_id, network: 'base', asset: 'USDC', amount: '9000000' })
    await goTo(page, `plan/${account_id}/swap`)
    await page.getByText(/9.00 USDC on base/).waitFor()
    await sim.faults.set([{ on: 'quote', effect: { slippage: { bps: 50 } } }])
    await page.getByRole('button', { name: 'Make the plan' }).click()
    const sentence = page.locator('.operation .sentence')
    await sentence.waitFor()
    const planned = await sentence.textContent()
    expect(planned).toMatch(/^Swap 1\.00 USDC .* for 0\.0003\d* WETH .*\(fee /)
    await page.getByRole('button', { name: 'Sign and execute' }).click()
    await page.locator('.operation.confirmed').waitFor()
    await expect.poll(() => sentence.textContent()).not.toBe(planned)
    const done = await sentence.textContent()
    await goTo(page, `accounts/${account_id}`)
    await page.locator('.activity .sentence', { hasText: `${done}` }).waitFor()
  })

  test('behavior: a stuck bridge says how much, since when, until when, and what then; at last it is refunded', async () => {
    const { page } = dashboard
    await dashboard.sim.faults.set([{ id: 'stuck', on: 'bridge', effect: 'stuck' }])
    await openForm()
    await planFive()
    await page.getByRole('button', { name: 'Sign and execute' }).click()
    const flight = page.locator('.in-flight')
    await flight.waitFor()
    await dashboard.sim.clock.advance(65)
    const said =
      'in flight 5.003501 USDC ($5.00) sent from optimism to base at 00:00:00. It waits for stuck (bridge.stuck). Its deadline is 00:10:00. If nothing changes, the deposit is refunded on optimism at 00:10:01 Go to the refund.'
    await expect.poll(() => flight.textContent()).toBe(said)
    const account = (await page.evaluate<string>('location.hash')).split('/')[2]!
    await goTo(page, `accounts/${account}`)
    await expect.poll(() => flight.textContent()).toContain('in flight 5.003501 USDC ($5.00)')
    await page.goBack()
    await page.getByRole('link', { name: /^pln_/ }).click()
    await expect.poll(() => flight.textContent()).toBe(said)
    await page.locator('.bridge.open').waitFor({ state: 'attached' })
    expect(await axeViolations(page)).toEqual([])
    await flight.getByRole('button', { name: 'Go to the refund' }).click()
    await flight.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /bridge failed/ }).waitFor()
    expect(await page.locator('.bridge.open').count()).toBe(0)
  })

  test('behavior: a bridge that is delayed past its deadline says what is true then; the button goes to the refund', async () => {
    const { page } = dashboard
    const seconds = 900
    await dashboard.sim.faults.set([{ id: 'slow', on: 'bridge', effect: { delay: { seconds } } }])
    await openForm()
    await planFive()
    await page.getByRole('button', { name: 'Sign and execute' }).click()
    const flight = page.locator('.in-flight')
    const refund = 'deposit is refunded on optimism at 00:15:00 Go to the refund.'
    await expect
      .poll(() => flight.textContent())
      .toBe(
        `in flight 5.003501 USDC ($5.00) sent from optimism to base at 00:00:00. It waits for slow (bridge.delay). Its deadline is 00:10:00. If nothing changes, the ${refund}`,
      )
    await dashboard.sim.clock.advance(601)
    await expect
      .poll(() => flight.textContent())
      .toMatch(
        /It cannot be filled any more: its deadline was 00:10:00\. It waits for slow \(bridge\.delay\)\. The deposit is refunded /,
      )
    await page.getByText(/it waits for 5\.003501 USDC to go back on optimism at /).waitFor()
    await flight.getByRole('button', { name: 'Go to the refund' }).click()
    await flight.waitFor({ state: 'detached' })
    await page.locator('.execution.failed').waitFor()
    const [refunded] = (
      (await (await fetch(`${dashboard.sim.controlUrl}/overview`)).json()) as {
        bridges: { status: string }[]
      }
    ).bridges
    expect(refunded!.status).toBe('refunded')
    expect(dashboard.sim.clock.now().toISOString()).toMatch(/T00:15:00\.000Z$/)
  })

  test('behavior: a bridge that brings only a part says before what is missing then, and that the activity fails', async () => {
    const { page } = dashboard
    const effect = { partial: { percent: 40 } }
    await dashboard.sim.faults.set([{ id: 'part', on: 'bridge', effect }])
    await openForm()
    await planFive()
    await page.getByRole('button', { name: 'Sign and execute' }).click()
    const flight = page.locator('.in-flight')
    await expect
      .poll(() => flight.textContent())
      .toContain(
        'Only 2.00 USDC ($2.00) of 5.00 USDC ($5.00) arrives at 00:00:02 Go to the fill. If an operation needs the missing 3.00 USDC ($3.00), it reverts and the activity fails. ',
      )
    await page.getByText(/operation 2 of 2 .+ reverts and the activity fails, unless/).waitFor()
    await goTo(page, 'overview')
    await page.getByText('+ 2.00 USDC ($2.00) in flight').waitFor()
    await flight.getByRole('button', { name: 'Go to the fill' }).click()
    await page.getByText(/^failed: operation 2 of 2 .+ \(3 USDC missing\)$/).waitFor()
  })

  test('behavior: a number is in whole units; the smallest unit is written raw:, and shown beside it', async () => {
    const { page } = dashboard
    await openForm()
    const amount = page.getByLabel('amount', { exact: true })
    expect(await amount.inputValue()).toBe('1.00')
    const [max, asset] = await Promise.all(
      [page.getByRole('button', { name: 'Max amount' }), page.locator('#plan-asset')].map((each) =>
        each.boundingBox(),
      ),
    )
    expect(max!.x + max!.width).toBeLessThan(asset!.x)
    await amount.fill('2')
    await page.getByText('= 2.00 USDC ($2.00), raw:2000000').waitFor()
    await amount.fill('raw:3000000')
    await page.getByText('= 3.00 USDC ($3.00), raw:3000000').waitFor()
    await page.getByRole('button', { name: 'Make the plan' }).click()
    await page.getByText('Supply 3.00 USDC ($3.00) to Compound on base').waitFor()
  })

  test('behavior: Max takes everything, and an amount of another asset is not sent as one of this', async () => {
    const { page } = dashboard
    await openForm()
    await page.getByLabel('amount', { exact: true }).fill('1.5 WETH')
    await page.getByText('Not a valid amount of USDC.').waitFor()
    await page.getByRole('button', { name: 'Make the plan' }).click()
    await page
      .getByRole('alert')
      .getByText(/amount/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Max amount' }).click()
    await page.getByRole('button', { name: 'Make the plan' }).click()
    await page.getByText(/^Bridge 9\.00 USDC \(\$9\.00\) from optimism to base/).waitFor()
  })

  test('behavior: assets are offered with balances elsewhere and rates, markets and vaults as GET /markets has them; one is chosen', async () => {
    const { page, sim } = dashboard
    await openForm()
    await expect
      .poll(async () => (await offersOf('asset')).USDC)
      .toMatch(/^USDC: 9\.00 on optimism, earns \d+\.\d\d %$/)
    const headers = { authorization: `Bearer ${sim.apiKey}` }
    const { markets } = (await (await fetch(`${sim.url}/markets`, { headers })).json()) as {
      markets: Record<string, string | number>[]
    }
    const onBase = (protocol: string) =>
      markets.filter((each) => each.protocol === protocol && each.chain_id === 8453)
    const [comet] = onBase('comet').filter(({ name }) => `${name}`.endsWith('USDC'))
    const vaults = onBase('morpho_vault').filter(({ asset }) => asset === comet!.base_asset)
    expect(vaults.length).toBeGreaterThan(1)
    await page.getByLabel('protocol', { exact: true }).selectOption('morpho_vault')
    await expect
      .poll(async () => Object.keys(await offersOf('market')))
      .toEqual(vaults.map(({ vault }) => vault))
    const { vault, name } = vaults.at(-1)!
    expect((await offersOf('market'))[vault!]).toMatch(
      new RegExp(`: ${name}, earns \\d+\\.\\d\\d %$`),
    )
    await page.getByLabel('market', { exact: false }).fill(`${vault}`)
    await page.getByRole('button', { name: 'Max amount' }).click()
    await page.getByRole('button', { name: 'Make the plan' }).click()
    await page.getByText(/^Supply 8\.99\d* USDC .* on base$/).waitFor()
    await page.getByText('All planned fields of MORPHO_VAULT_SUPPLY').click()
    await page.getByRole('definition').getByText(`${vault}`).first().waitFor()
    await goTo(page, page.url().split('#/')[1]!.replace('/earn', '/borrow'))
    await page.getByLabel('protocol', { exact: true }).selectOption('morpho')
    await expect
      .poll(async () => Object.keys(await offersOf('market')))
      .toEqual(onBase('morpho_market').map(({ market_id }) => market_id))
    for (const label of Object.values(await offersOf('market')))
      expect(label).toMatch(/: \w+ for \w+, borrows at \d+\.\d\d %$/)
  })
})
