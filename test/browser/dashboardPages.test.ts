import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { packageFile } from '../../src/lib/files/packageFile.js'
import { axeViolations, hasBrowser, layoutProblems, usePage } from '../kit/browser.js'
import { ask } from '../kit/http.js'
import { openUser } from '../kit/user.js'

// A person's way through the pages Accounts, Plan, Faults, Scenarios and Coverage. Needs `npm run build` before.

const patience = { timeout: 20_000 }

let sim: SimulatorHandle

beforeAll(async () => {
  const apiKeys = ['qk_first0_00000000000000000000', 'qk_second_00000000000000000000']
  sim = await createSimulator({ clock: 'frozen', seed: 11n, apiKeys, readTimeoutMs: 4_000 })
})
afterAll(() => sim.close())
beforeEach(() => sim.reset())

describe('GET /_sim/accounts/{id}', () => {
  test('default: the account with its key, folio, activities and events', async () => {
    const user = await openUser(sim, undefined, sim.apiKeys[1])
    await user.fund('base', 'USDC', 5_000_000n)
    const earn = { amount: '1000000', asset: 'USDC', network: 'base', protocol: 'compound' }
    const { activity } = await user.run('earn', earn)
    const { status, body } = await ask(`${sim.url}/_sim/accounts/${user.id}`)
    expect(status).toBe(200)
    expect(body.account).toMatchObject({ account_id: user.id, svc_wallet_address: user.wallet })
    expect(body.api_key).toBe(sim.apiKeys[1])
    expect(body.folio).toEqual((await user.api.get(`${user.path}/folio`)).body.folio)
    expect(body.activities).toMatchObject([
      {
        activity_id: activity.activity_id,
        activity_status: 'confirmed',
        items: [{ action_type: 'COMET_SUPPLY', network: 'base' }],
      },
    ])
    expect(body.events[0]).toMatchObject({ activity_status: 'confirmed' })
  })

  test('behavior: looking changes nothing: no fault counts it, nothing is journaled', async () => {
    const user = await openUser(sim)
    await sim.faults.add({ id: 'late', on: 'folio', effect: 'timeout', times: 1 })
    await sim.faults.add({ id: 'cut', on: 'request', effect: 'reset_before', times: 1 })
    for (let i = 0; i < 2; i++)
      expect((await ask(`${sim.url}/_sim/accounts/${user.id}`)).body).toMatchObject({
        missing: [],
      })
    expect(await sim.faults.list()).toMatchObject([{ seen: 0 }, { seen: 0 }])
    expect(JSON.stringify((await ask(`${sim.url}/_sim/journal`)).body)).not.toContain(
      '/_sim/accounts',
    )
  })

  test('behavior: a network that does not answer is named, and the folio has the others', async () => {
    const user = await openUser(sim)
    await sim.faults.add({ id: 'off', on: 'chain', effect: 'down', match: { network: 'polygon' } })
    const { body } = await ask(`${sim.url}/_sim/accounts/${user.id}`)
    expect(body).toMatchObject({
      account: { account_id: user.id },
      missing: [{ network: 'polygon', problem: 'off (chain.down) stopped its node' }],
    })
    const markets = Object.keys(body.folio.yield_markets).join()
    expect(markets).toContain('/base/')
    expect(markets).not.toContain('/polygon/')
    await sim.faults.clear()
    expect((await ask(`${sim.url}/_sim/accounts/${user.id}`)).body).toMatchObject({ missing: [] })
  })

  test('error: an account that is not there, or is no more after a reset', async () => {
    const user = await openUser(sim)
    await sim.reset()
    for (const id of [user.id, 'acc_000000000000', '__proto__'])
      expect(await ask(`${sim.url}/_sim/accounts/${id}`)).toMatchObject({
        status: 404,
        body: { error: 'not_found', message: `There is no account ${id}` },
      })
  })
})

test('default: GET /_sim/effects tells every effect with the schema of its settings', async () => {
  const { effects } = (await ask(`${sim.url}/_sim/effects`)).body
  const stale = effects.find((each: { effect: string }) => each.effect === 'stale')
  expect(stale).toMatchObject({
    on: 'plan',
    settings: { type: 'object', properties: { by: { enum: ['nonce', 'price', 'balance'] } } },
  })
  expect(new Set(effects.map((each: { on: string }) => each.on))).toContain('bridge')
})

test('default: the whole page is at most 200 kB, compressed', () => {
  const folder = packageFile('dist/ui/assets')
  const sizes = readdirSync(folder).map(
    (file) => gzipSync(readFileSync(`${folder}/${file}`)).length,
  )
  expect(sizes.length).toBeGreaterThan(5)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000)
})

// A style sheet stays when another page is opened: one class for two things makes pages look different by the way one came.
test('behavior: no two pages give the same class a meaning of their own', () => {
  const folder = packageFile('src/tools/ui/styles')
  const pages = readdirSync(folder).filter((file) => !/^(base|parts|shell)\.css$/.test(file))
  expect(pages.length).toBeGreaterThan(8)
  const fileOf = new Map<string, string>()
  const twice: string[] = []
  for (const file of pages) {
    const text = readFileSync(`${folder}/${file}`, 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
    const selectors = [...text.matchAll(/([^{}]+)\{[^{}]*\}/g)].flatMap(([, list]) =>
      list!.split(/,(?![^(]*\))/),
    )
    const classes = selectors.flatMap((each) => /^\s*\.([\w-]+)/.exec(each)?.[1] ?? [])
    for (const name of new Set(classes)) {
      const other = fileOf.get(name)
      if (other !== undefined) twice.push(`.${name} in ${other} and ${file}`)
      fileOf.set(name, file)
    }
  }
  expect(twice).toEqual([])
})

/** A file of the dashboard with all that it imports, except what it loads later. */
function withImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || !existsSync(file)) return found
  found.add(file)
  if (file.endsWith('.css')) return found
  for (const [, from] of readFileSync(file, 'utf8').matchAll(/(?:from|import) '(\.[^']+)'/g)) {
    const path = resolve(dirname(file), from!)
    const ways = path.endsWith('.js')
      ? ['.tsx', '.ts'].map((end) => path.slice(0, -3) + end)
      : [path]
    for (const way of ways) withImports(way, found)
  }
  return found
}

test('behavior: a page that is opened first brings the styles of all its classes', () => {
  const ui = packageFile('src/tools/ui')
  const shell = withImports(`${ui}/main.tsx`)
  const styled = (file: string) =>
    [...readFileSync(file, 'utf8').matchAll(/\.([a-z][\w-]*)(?=[^{}]*\{)/g)].map(
      ([, name]) => name!,
    )
  const all = new Set(readdirSync(`${ui}/styles`).flatMap((file) => styled(`${ui}/styles/${file}`)))
  const pages = readFileSync(`${ui}/shell/pages.ts`, 'utf8').matchAll(/import\('\.\.(.+?)\.js'\)/g)
  const missing = [...pages].flatMap(([, page]) => {
    const files = [...shell, ...withImports(`${ui}${page}.tsx`)]
    const has = new Set(files.filter((file) => file.endsWith('.css')).flatMap(styled))
    const used = files
      .filter((file) => file.endsWith('.tsx'))
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/class="([^"]+)"/g)])
      .flatMap(([, names]) => names!.split(' '))
    return [...new Set(used)]
      .filter((name) => all.has(name) && !has.has(name))
      .map((name) => `${page} ${name}`)
  })
  expect(all.size).toBeGreaterThan(100)
  expect(missing).toEqual([])
})

describe.skipIf(!hasBrowser)('in a browser', () => {
  // Colours that are on their way from light to dark would be measured half-way.
  const open = usePage(() => sim.uiUrl!, { reducedMotion: 'reduce' })
  let page: Page
  beforeEach(() => {
    page = open.page
  })

  const to = (...path: string[]) =>
    page.evaluate(`location.hash = ${JSON.stringify(`#/${path.join('/')}`)}`)
  const press = (name: string | RegExp) => page.getByRole('button', { name }).click()
  const field = (name: string) => page.getByLabel(name, { exact: true })

  /** For people who see little or use a keyboard, and on a telephone. */
  async function expectGoodManners(): Promise<void> {
    expect([...(await axeViolations(page)), ...(await layoutProblems(page))]).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    // A window of 1280 pixels at 200 %, and a telephone.
    for (const width of [640, 360]) {
      await page.setViewportSize({ width, height: 740 })
      expect([width, ...(await layoutProblems(page))]).toEqual([width])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    }
    expect(await axeViolations(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1400, height: 900 })
  }

  /** Creates an account on the page and gives it 1000 USDC on base; returns its id. */
  async function createFunded(): Promise<string> {
    await to('accounts')
    await press('Create an account')
    await page.getByRole('link', { name: 'Fund it' }).click()
    await press('+1000 USDC')
    await page.locator('.holding[data-network=base]').getByText('1,000.00 USDC').waitFor()
    return (await page.evaluate<string>('location.hash')).split('/').at(-1)!
  }

  test('behavior: nothing moves for a person who asks for less motion', async () => {
    const moving = () =>
      page.evaluate<number>(`[...document.querySelectorAll('*')].filter((each) => {
        const { transitionDuration, animationDuration, scrollBehavior } = getComputedStyle(each)
        const times = [transitionDuration, animationDuration].map(Number.parseFloat)
        return times.some((seconds) => seconds > 0) || scrollBehavior === 'smooth'
      }).length`)
    await page.getByRole('button', { name: 'Shortcuts' }).waitFor()
    expect(await moving()).toBe(0)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await moving()).toBeGreaterThan(0)
  })

  test('default: create, fund, plan across a bridge, sign, execute, watch it confirm', async () => {
    await to('accounts')
    await page.getByText('None yet. Create one above').waitFor()
    await press('Create an account')
    const key = await page.getByText(/^0x[0-9a-f]{64}$/).textContent()
    await page.getByText('signs here').waitFor()
    await expectGoodManners()
    const id = await createFunded()
    expect(await page.locator('.total').textContent()).toBe('$1,000.00')
    await expectGoodManners()
    await to('plan', id, 'earn')
    await field('network').selectOption('arbitrum')
    await page.locator('#plan-amount').fill('400')
    await page.getByText('= 400.00 USDC ($400.00)').waitFor()
    await press('Make the plan')
    await page.getByText(/^Bridge 400\.\d+ USDC/).waitFor()
    await page.getByText('to Compound on arbitrum').waitFor()
    await page.getByText('2m left').waitFor()
    await expectGoodManners()
    await press('Sign and execute')
    const status = page.locator('.execution > header .pill')
    await press('Go to the fill')
    await expect.poll(() => status.textContent(), patience).toBe('confirmed')
    await expectGoodManners()
    await page.getByRole('link', { name: 'Open the account' }).click()
    const arbitrum = page.locator('.holding[data-network=arbitrum]')
    // Interest accrues with each second, and the protocol rounds down.
    await arbitrum.getByText(/^(399\.99|400)[\d.]* USDC$/).waitFor()
    expect(await arbitrum.getByText(/^\d\.\d\d %$/).count()).toBe(1)
    await page.getByRole('region', { name: 'Activities' }).getByText('confirmed').waitFor()
    await expectGoodManners()
    // The key is in this tab alone: a reload still signs, and nothing outlives the tab.
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(key)
    await page.reload()
    await page.getByText('signs here').waitFor()
    expect(await page.content()).not.toContain(key)
  })

  test('default: who knows nothing of it begins at the overview, breaks a bridged plan, and reads why', async () => {
    // Over HTTP, so that the page knows of it.
    await ask(`${sim.url}/_sim/reset`, { method: 'POST' })
    const first = page.getByRole('region', { name: 'First steps' })
    await first.getByRole('link', { name: 'Create an account' }).click()
    await press('Create an account')
    await page.getByRole('link', { name: 'Fund it' }).click()
    await press('+1000 USDC')
    await page.locator('.holding[data-network=base]').getByText('1,000.00 USDC').waitFor()
    await to('overview')
    await first.getByRole('link', { name: 'Make a plan' }).click()
    // The account of this tab is the one that is meant; the way back does not lead to where none was chosen.
    await page.getByText('The wallet has 1,000.00 USDC on base.').waitFor()
    const status = page.locator('.execution > header .pill')
    const execute = async (): Promise<void> => {
      await field('network').selectOption('arbitrum')
      await page.getByText('The plan bridges what is missing on arbitrum').waitFor()
      await press('Make the plan')
      await press('Sign and execute')
    }
    await execute()
    await press('Go to the fill')
    await expect.poll(() => status.textContent(), patience).toBe('confirmed')
    await page.goBack()
    await first.waitFor({ state: 'detached' })
    await to('faults', 'bridge', 'refund')
    await press('Arm')
    await page.getByRole('link', { name: 'Make a plan' }).click()
    await execute()
    await expect.poll(() => status.textContent(), patience).toBe('failed')
    await page.getByRole('link', { name: 'Why did it fail?' }).click()
    const findings = page.getByRole('region', { name: /^What became of/ })
    await findings
      .getByText(/refused the deposit; [\d.]+ USDC refunded on base/)
      .first()
      .waitFor()
    await findings.getByText('bridge.refund').first().waitFor()
    // Styles of the pages that one came by do not reach into this one.
    const ofPlan = page.locator('.chip.of-plan')
    const labels = ofPlan.locator('.label, .sub')
    const [label, below] = await Promise.all(
      [labels.nth(0), labels.nth(1)].map((each) => each.boundingBox()),
    )
    expect(label!.y + label!.height).toBeLessThanOrEqual(below!.y + 1)
    await expectGoodManners()
  })

  test('behavior: a plan expires before one’s eyes, and refusals stand beside their fields', async () => {
    const id = await createFunded()
    await to('plan', id, 'earn')
    await field('asset').fill('<script>alert(1)</script>')
    await press('Make the plan')
    const refused = page.locator('#plan-asset-refused')
    await refused.getByText('<script>alert(1)</script>').waitFor()
    expect(await field('asset').getAttribute('aria-invalid')).toBe('true')
    await expectGoodManners()
    await field('asset').fill('USDC')
    await page.locator('#plan-amount').fill('9000')
    await press('Make the plan')
    await page.getByText('400 plan_failed', { exact: true }).waitFor()
    expect(await refused.count()).toBe(0)
    await page.locator('#plan-amount').fill('1')
    await press('Make the plan')
    await page.getByText('2m left').waitFor()
    await sim.clock.advance(121)
    await page.getByText('expired', { exact: true }).waitFor()
    await page.getByText(/^never executed; it expired at /).waitFor()
    expect(await page.getByRole('button', { name: 'Sign and execute' }).isDisabled()).toBe(true)
    await expectGoodManners()
    await press('Make the plan')
    await press('Sign and execute')
    await expect
      .poll(() => page.locator('.execution > header .pill').textContent(), patience)
      .toBe('confirmed')
  })

  test.each([
    ['restore', (id: string) => sim.restore(id)],
    ['reset', () => sim.reset()],
  ])(
    'behavior: a plan goes with its account at a %s; the same page works with another',
    async (_, goBack) => {
      const before = await sim.snapshot()
      const id = await createFunded()
      await to('plan', id, 'earn')
      await press('Make the plan')
      await page.getByText('2m left').waitFor()
      await goBack(before)
      await page.getByText(`There is no account ${id}. Choose another account.`).waitFor()
      expect(
        await page.getByRole('button', { name: /Sign and execute|Make the plan/ }).count(),
      ).toBe(0)
      await to('plan', await createFunded(), 'earn')
      await press('Make the plan')
      await press('Sign and execute')
      await expect
        .poll(() => page.locator('.execution > header .pill').textContent(), patience)
        .toBe('confirmed')
    },
  )

  test('behavior: after a restore that leaves the account, the plan of afterwards is gone, and what was typed stays', async () => {
    const id = await createFunded()
    const before = await sim.snapshot()
    await to('plan', id, 'earn')
    await page.locator('#plan-amount').fill('7')
    await press('Make the plan')
    await page.getByText('2m left').waitFor()
    await sim.restore(before)
    await page.locator('.made-plan').waitFor({ state: 'detached' })
    expect(await page.locator('#plan-amount').inputValue()).toBe('7')
    await press('Make the plan')
    await press('Sign and execute')
    await expect
      .poll(() => page.locator('.execution > header .pill').textContent(), patience)
      .toBe('confirmed')
  })

  test('behavior: an account of elsewhere is signed for by its key, and by no other', async () => {
    const user = await openUser(sim, undefined, sim.apiKeys[1])
    await user.fund('base', 'USDC', 5_000_000n)
    await to('plan', user.id, 'earn')
    await press('Make the plan')
    const key = page.getByLabel(/^Private key of the signer/)
    await key.fill(`0x${'1'.repeat(64)}`)
    await press('Use this key')
    await page.getByText(/This is the key of/).waitFor()
    await key.fill(user.key)
    await press('Use this key')
    await press('Sign and execute')
    await expect
      .poll(() => page.locator('.execution > header .pill').textContent(), patience)
      .toBe('confirmed')
  })

  test('behavior: accounts of all keys are searched and paged; a reset empties the list', async () => {
    await to('accounts')
    const users = []
    for (let i = 0; i < 27; i++) users.push(await openUser(sim, undefined, sim.apiKeys[i % 2]))
    const table = page.locator('.account-table tbody')
    await page.getByText('1 to 25 of 27').waitFor()
    await press('Older')
    await page.getByText('26 to 27 of 27').waitFor()
    await expect.poll(() => table.locator('tr').count()).toBe(2)
    await page.keyboard.press('/')
    await page.keyboard.type(users[3]!.wallet.slice(2, 20))
    await table.getByText(users[3]!.id).waitFor()
    await expect.poll(() => table.locator('tr').count()).toBe(1)
    await page.getByRole('searchbox').fill('<img src=x onerror=alert(1)>')
    await page.getByText('No account has “<img src=x onerror=alert(1)>”').waitFor()
    await page.getByRole('searchbox').fill('')
    await sim.reset()
    await page.getByText('None yet. Create one above').waitFor()
    await to('accounts', users[0]!.id)
    await page.getByText(`There is no account ${users[0]!.id}`).waitFor()
  })

  test('behavior: a price shock is seen in the health of a debt, then what is unsafe is liquidated', async () => {
    const user = await openUser(sim)
    await user.fund('base', 'WETH', 10n ** 18n)
    await user.run('borrow', {
      amount: '2000000000',
      asset: 'USDC',
      collateral_amount: '1000000000000000000',
      collateral_asset: 'WETH',
      network: 'base',
      protocol: 'compound',
    })
    await to('accounts', user.id)
    const debts = page.getByRole('region', { name: 'Debts' })
    await debts.getByText('health 1.35').waitFor()
    await expectGoodManners()
    await ask(`${sim.url}/_sim/prices/ETH`, { method: 'PUT', body: { usd: '2200' } })
    await debts.getByText('health 0.99').waitFor()
    await debts.getByRole('button', { name: 'Liquidate' }).click()
    await debts.waitFor({ state: 'detached' })
    await page.getByText('COMET_LIQUIDATION').waitFor()
  })

  test('behavior: a fault is armed by its form, met, understood and removed', async () => {
    const id = await createFunded()
    await to('faults', 'request', 'latency')
    await page.locator('#settings-ms').fill('soon')
    await press('Arm')
    await page
      .getByText(/settings of request.latency do not fit/)
      .first()
      .waitFor()
    await expectGoodManners()
    await to('faults', 'plan', 'stale')
    await page.locator('#settings-by').selectOption('balance')
    await page.locator('#match-kind').selectOption('earn')
    expect(await page.locator('#often-times').inputValue()).toBe('1')
    await page.locator('#often-id').fill('emptied')
    await press('Arm')
    await page.getByText('emptied is armed. Make a plan to meet it').waitFor()
    await page.getByText('0 hits in 0 calls').waitFor()
    await expectGoodManners()
    await to('plan', id, 'earn')
    await press('Make the plan')
    await press('Sign and execute')
    await page.getByText('409 plan_stale', { exact: true }).waitFor()
    await to('faults')
    await page.getByText('spent: 1 hit in 1 call').waitFor()
    await page.getByRole('link', { name: 'emptied' }).click()
    await page.getByText(/has fired 1 of 1 times and will not fire again/).waitFor()
    await to('faults')
    await press('Remove emptied')
    await page.getByText('No fault rules.').waitFor()
    await sim.faults.add({ id: 'no_plan', on: 'plan', effect: 'fail' })
    await page.getByText('no_plan').waitFor()
    await to('plan', id, 'earn')
    await press('Make the plan')
    await page
      .getByText(/no_plan \(plan\.fail\)/)
      .first()
      .waitFor()
  })

  test('behavior: scenarios are found and played, again too, and their steps pass', async () => {
    const user = await openUser(sim)
    await to('scenarios')
    await page.getByRole('searchbox').fill('bridge takes the money')
    await page.getByRole('link', { name: /A bridge takes the money/ }).click()
    await page.getByText('Show bridge-stuck-half-way.yaml').click()
    await expect
      .poll(() => field('The file bridge-stuck-half-way.yaml').inputValue())
      .toContain('name: A bridge takes the money')
    const steps = page.getByRole('list', { name: 'Steps' }).locator('li')
    for (let i = 0; i < 2; i++) {
      await press(/^Run$/)
      await page.getByText('Passed.').waitFor()
      expect(await steps.count()).toBeGreaterThan(5)
      expect(await steps.and(page.locator('.passed')).count()).toBe(await steps.count())
    }
    await expectGoodManners()
    // The world is as it was before.
    await to('accounts', user.id)
    await page.getByText(user.wallet).waitFor()
  })

  test('behavior: coverage grows as answers are met', async () => {
    await to('coverage')
    const title = page.getByRole('heading', { level: 2 })
    await title.getByText(/\d+ of \d+ documented responses seen/).waitFor()
    const before = Number.parseInt((await title.textContent())!, 10)
    await fetch(`${sim.url}/accounts/acc_000000000000/folio?cached=maybe`, {
      headers: { authorization: `Bearer ${sim.apiKey}` },
    })
    await expect
      .poll(async () => Number.parseInt((await title.textContent())!, 10))
      .toBe(before + 1)
    await expectGoodManners()
  })
})
