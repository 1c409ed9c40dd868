import { get } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import {
  axeViolations,
  closePage,
  hasBrowser,
  launchBrowser,
  openPage,
  usePage,
} from '../kit/browser.js'
import { rpc } from '../kit/http.js'
import { openUser } from '../kit/user.js'

// The dashboard's files as they are served, then a person's way through its overview in a real browser. Needs `npm run build` before.

const earn = { amount: '1000000', asset: 'USDC', network: 'base', protocol: 'compound' }

const patience = { timeout: 20_000 }

let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', seed: 11n, rpcUnsafe: true })
})
afterAll(() => sim.close())
beforeEach(() => sim.reset())

const answerOf = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${sim.url}${path}`, { redirect: 'manual', ...init })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** With headers that fetch does not let through. */
const statusOf = (path: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve) => {
    get(`${sim.url}${path}`, { headers }, (res) => resolve(res.resume().statusCode))
  })

describe('its files', () => {
  test('default: the page, with assets that are kept for ever and a policy without exceptions', async () => {
    expect(sim.uiUrl).toBe(`${sim.url}/_sim/ui/`)
    const page = await answerOf('/_sim/ui/')
    expect(page.status).toBe(200)
    expect(page.headers.get('cache-control')).toBe('no-cache')
    const policy = page.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).not.toContain('unsafe')
    const scripts = [...page.text.matchAll(/<script\b[^>]*>(.*?)<\/script>/gs)]
    expect(scripts.map(([, inline]) => inline)).toEqual([''])
    const assets = [...page.text.matchAll(/(?:src|href)="(.*?)"/g)].map(([, path]) => path!)
    expect(assets.length).toBeGreaterThan(2)
    for (const path of assets) {
      expect(path).toMatch(/^\/_sim\/ui\/assets\/[\w-]+\.\w+$/)
      const asset = await answerOf(path)
      expect(asset.status).toBe(200)
      expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
    const headers = { 'if-modified-since': page.headers.get('last-modified')! }
    expect(await statusOf('/_sim/ui/', headers)).toBe(304)
  })

  test('behavior: without the slash it leads there; looking at it is not in the journal', async () => {
    const answer = await answerOf('/_sim/ui')
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'ui/'])
    await answerOf('/_sim/overview')
    const journal = await answerOf('/_sim/journal')
    expect(journal.text).not.toMatch(/_sim\/(ui|overview)/)
  })

  test('error: files that are not there, other methods, other pages and names', async () => {
    for (const path of ['/assets/none.js', '/../package.json', '/%2e%2e/index.js', '/.built']) {
      const answer = await answerOf(`/_sim/ui${path}`)
      expect([path, answer.status, JSON.parse(answer.text).error]).toEqual([path, 404, 'not_found'])
    }
    expect((await answerOf('/_sim/ui/', { method: 'POST' })).status).toBe(405)
    const foreign = await answerOf('/_sim/ui/', { headers: { origin: 'https://evil.example' } })
    expect(foreign.status).toBe(403)
    expect(await statusOf('/_sim/ui/', { host: 'evil.example' })).toBe(403)
  })
})

describe('GET /_sim/overview', () => {
  // biome-ignore lint/suspicious/noExplicitAny: what comes over the wire
  const overview = async (): Promise<any> => JSON.parse((await answerOf('/_sim/overview')).text)

  test('default: networks, clock, keys and plans, and what there is of the rest', async () => {
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 5_000_000n)
    const plan = await user.plan('earn', earn)
    await sim.snapshot('funded')
    const answer = await overview()
    expect(answer.api_keys).toEqual(sim.apiKeys)
    expect(answer.clock.mode).toBe('frozen')
    expect(answer.prices.ETH).toMatch(/^\d+/)
    expect(answer.snapshots).toMatchObject([{ name: 'funded' }])
    expect(answer.networks.map((each: { ready: boolean }) => each.ready)).toEqual(
      Array(5).fill(true),
    )
    expect(answer.plans).toMatchObject([
      { plan_id: plan.body.plan_id, account_id: user.id, kind: 'earn' },
    ])
    await sim.clock.advance(121)
    expect((await overview()).plans).toEqual([])
    await sim.reset()
    expect(await overview()).toMatchObject({ plans: [], snapshots: [] })
  })

  test('behavior: a node that is down leaves its part empty', async () => {
    await sim.faults.add({ id: 'no_base', on: 'chain', effect: 'down', match: { network: 'base' } })
    const answer = await overview()
    expect(answer.faults).toMatchObject([{ id: 'no_base' }])
    const base = answer.networks.find((each: { network: string }) => each.network === 'base')
    expect(base).toMatchObject({ ready: false, height: null, time: null })
    expect(base.error).toMatch(/no answer within/)
    await sim.faults.clear()
    expect((await overview()).networks.every((each: { ready: boolean }) => each.ready)).toBe(true)
  })
})

describe.skipIf(!hasBrowser)('the overview in a browser', () => {
  const open = usePage(() => sim.uiUrl!)

  test('default: networks, and blocks, requests and events as they come', async () => {
    const { page } = open
    const base = page.locator('article[data-network=base]')
    await base.getByText('ready').waitFor()
    expect(await page.locator('article.network').count()).toBe(5)
    const before = Number((await base.locator('.height').textContent())!.replace(/\D/g, ''))
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 5_000_000n)
    await page.getByText('/_sim/fund').first().waitFor()
    await user.run('earn', earn)
    await page.getByText('confirmed').first().waitFor()
    await expect
      .poll(async () => Number((await base.locator('.height').textContent())!.replace(/\D/g, '')))
      .toBeGreaterThan(before)
  })

  test('default: the first view transfers less than 250 kB', async () => {
    const context = await open.page.context().browser()!.newContext()
    const page = await context.newPage()
    const sizes: Promise<number>[] = []
    page.on('requestfinished', (request) => {
      const size = async () => (await request.sizes()).responseBodySize
      // What ends after the count is cut off with the page.
      sizes.push(size().catch(() => 0))
    })
    await page.goto(sim.uiUrl!)
    await page.locator('article.network').first().waitFor()
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    // The page, its script, its styles and the overview at least.
    expect(sizes.length).toBeGreaterThan(3)
    expect(bytes).toBeGreaterThan(30_000)
    expect(bytes).toBeLessThan(250_000)
    await context.close()
  })

  test('behavior: a block that is mined while the page waits for an overview is not forgotten when that comes', async () => {
    const { page } = open
    const height = page.locator('article[data-network=base] .height')
    const shown = async () => Number((await height.textContent())!.replace(/\D/g, ''))
    await height.waitFor()
    const before = await shown()
    let answer = () => {}
    const isMined = new Promise<void>((resolve) => {
      answer = resolve
    })
    const isAsked = new Promise<void>((resolve) => {
      void page.route('**/_sim/overview', async (route) => {
        const response = await route.fetch()
        resolve()
        await isMined
        await route.fulfill({ response })
      })
    })
    await sim.snapshot('asked for again')
    await isAsked
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] })
    await fetch(`${sim.url}/rpc/base`, { method: 'POST', body })
    await expect.poll(shown).toBe(before + 1)
    answer()
    await page.getByText('asked for again', { exact: true }).waitFor()
    expect(await shown()).toBe(before + 1)
  })

  test('behavior: the clock is frozen, advanced and resumed; a plan expires before one’s eyes', async () => {
    const { page } = open
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 5_000_000n)
    const { plan_id } = (await user.plan('earn', earn)).body
    const plans = page.getByRole('region', { name: 'Open plans' })
    await plans.getByText(plan_id).waitFor()
    expect(await plans.locator('.countdown').textContent()).toBe('2m')
    const clock = page.getByRole('region', { name: 'Clock' })
    await clock.getByLabel('Advance by').fill('1m 1s')
    await clock.getByRole('button', { name: 'Advance' }).click()
    await plans.getByText('59s').waitFor()
    await plans.getByRole('button', { name: 'Go to one second before' }).click()
    await plans.getByText('1s', { exact: true }).waitFor()
    await clock.getByRole('button', { name: '+1m', exact: true }).click()
    await plans.getByText(plan_id).waitFor({ state: 'detached' })
    await clock.getByRole('button', { name: 'Resume' }).click()
    await clock.getByRole('button', { name: 'Freeze' }).click()
    await clock.getByRole('button', { name: 'Resume' }).waitFor()
    await clock.getByLabel('Advance by').fill('soon')
    await clock.getByText('“soon” is no time. Write a span').waitFor()
    await clock.getByLabel('Advance by').fill('2026-02-30')
    await clock.getByText('2026-02-30 does not exist: 2026-02 ends on 2026-02-28.').waitFor()
    expect(await clock.getByRole('button', { name: 'Advance' }).isDisabled()).toBe(true)
  })

  test('behavior: prices, snapshots and the reset', async () => {
    const { page } = open
    const eth = page.getByLabel('ETH', { exact: true })
    const start = await eth.inputValue()
    const snapshots = page.getByRole('region', { name: 'Snapshots' })
    await snapshots.getByLabel('Name').fill('calm')
    await snapshots.getByRole('button', { name: 'Take' }).click()
    await snapshots.getByText('calm').waitFor()
    await eth.fill('1234.5')
    await eth.press('Enter')
    await expect
      .poll(() => page.getByLabel('WETH', { exact: true }).inputValue(), patience)
      .toBe('1234.5')
    await eth.fill('nonsense')
    await eth.press('Enter')
    await page.getByText(/usd must be a price in USD/).waitFor()
    await eth.press('Escape')
    await snapshots.getByRole('button', { name: 'Restore calm' }).click()
    await expect.poll(() => eth.inputValue(), patience).toBe(start)
    await snapshots.getByRole('button', { name: 'Reset' }).click()
    await snapshots.getByRole('button', { name: 'Really reset everything?' }).click()
    await snapshots.getByText('calm').waitFor({ state: 'detached' })
  })

  test('behavior: a fault shows where it stands, with its hits, and is removed', async () => {
    const { page } = open
    await sim.faults.add({
      id: 'halted',
      on: 'chain',
      effect: 'halt',
      match: { network: 'polygon' },
    })
    await sim.faults.add({ id: 'tired', on: 'request', effect: 'rate_limit', match: {} })
    const polygon = page.locator('article[data-network=polygon]')
    await polygon.getByText('halted').waitFor()
    await fetch(`${sim.url}/assets`, { headers: { authorization: `Bearer ${sim.apiKey}` } })
    await page.getByText('1 hit in 1 call').first().waitFor()
    await page.getByText('429').first().waitFor()
    await page.getByRole('button', { name: 'Remove halted' }).click()
    await polygon.getByText('ready').waitFor()
    // A spent rule troubles no network any more.
    await sim.faults.add({
      on: 'chain',
      effect: { slow: { ms: 1 } },
      match: { network: 'base' },
      times: 1,
    })
    await fetch(`${sim.url}/rpc/base`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_getBalance',
        params: [`0x${'1'.repeat(40)}`, 'latest'],
      }),
    })
    await page.getByText(/^spent: 1 hit/).waitFor()
    expect(await page.locator('article[data-network=base]').textContent()).not.toContain('fault')
    await page.getByRole('button', { name: 'Remove all' }).click()
    await page.getByText('No fault rules.').waitFor()
    expect(await sim.faults.list()).toEqual([])
  })

  test('behavior: a network that a client has switched off says so on its card until it is switched on', async () => {
    const polygon = open.page.locator('article[data-network=polygon]')
    await polygon.getByText('ready').waitFor()
    await rpc(sim.rpc('polygon'), 'evm_setAutomine', [false])
    await polygon.getByText(/^switched$/).waitFor()
    await polygon
      .getByText(/a client switched the mining of polygon off over .* send evm_mine to/)
      .waitFor()
    expect(await axeViolations(open.page)).toEqual([])
    await rpc(sim.rpc('polygon'), 'evm_setAutomine', [true])
    await polygon.getByText('ready').waitFor()
  })

  test('behavior: snippets, RPC URLs, actors and contracts are there to be pasted', async () => {
    const { page } = open
    await page.getByText('with the key').click()
    await page.getByText(`curl -sS ${sim.url}/networks`).waitFor()
    await page.getByRole('button', { name: '.env file' }).click()
    await page.getByText(`SVC_API_KEY=${sim.apiKey}`).waitFor()
    await page
      .getByText('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', { exact: true })
      .waitFor({ state: 'attached' })
    // The pressed button changes its colour in a moment.
    await expect.poll(() => axeViolations(page)).toEqual([])
    await page.getByRole('link', { name: 'polygon', exact: true }).click()
    await page.getByText(sim.rpc('polygon')).waitFor()
    expect(await page.getByRole('button', { name: /to the wallet/ }).count()).toBe(0)
    await page.addInitScript(
      'window.asked = []; window.ethereum = { request: async (call) => { window.asked.push(call); return null } }',
    )
    await page.reload()
    const polygon = page.getByRole('region', { name: 'JSON-RPC' })
    await polygon.getByText(sim.rpc('polygon')).waitFor()
    await polygon.getByText('137', { exact: true }).waitFor()
    await polygon.getByRole('button', { name: 'Add polygon to the wallet' }).click()
    await page.getByText('The wallet has polygon').waitFor()
    expect(await page.evaluate('window.asked')).toEqual([
      {
        method: 'wallet_addEthereumChain',
        params: [
          {
            chainId: '0x89',
            chainName: 'Polygon (svc-sim)',
            nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },
            rpcUrls: [sim.rpc('polygon')],
          },
        ],
      },
    ])
    await page.getByText('script cometSupply', { exact: true }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await closePage(page) // with the wallet in it
  })

  test('behavior: it comes back by itself when the connection breaks', async () => {
    const { page } = open
    const context = page.context()
    await context.setOffline(true)
    await page.reload().catch(() => {})
    await context.setOffline(false)
    await page.goto(sim.uiUrl!)
    await page.getByText('live', { exact: true }).waitFor()
    await sim.snapshot('after the break')
    await page.getByText('after the break', { exact: true }).waitFor()
    // What the page asked for while it was cut off.
    const others = open.problems.filter((each) => !each.includes('ERR_INTERNET_DISCONNECTED'))
    open.problems.splice(0, open.problems.length, ...others)
  })

  test.each(['light', 'dark'] as const)(
    'behavior: in %s, axe finds nothing, and nothing is wider than a telephone',
    async (colorScheme) => {
      const { page } = open
      await page.emulateMedia({ colorScheme })
      await sim.faults.add({ id: 'tired', on: 'chain', effect: 'halt', match: { network: 'base' } })
      await sim.snapshot('calm')
      await page.getByText('calm', { exact: true }).waitFor()
      expect(await axeViolations(page)).toEqual([])
      await page.setViewportSize({ width: 360, height: 740 })
      expect(await axeViolations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    },
  )

  test('behavior: keys lead around, the theme stays, nothing is polled', async () => {
    const { page } = open
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Go to the search field').waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('Theme').selectOption('dark')
    await page.reload()
    expect(await page.getByLabel('Theme').inputValue()).toBe('dark')
    // From here on the page's timers go by a clock that the test can move.
    await page.clock.install()
    await page.reload()
    await page.getByText('live', { exact: true }).waitFor()
    // With this rule shown, the page has finished what it asks for while it opens.
    await sim.faults.add({ id: 'early', on: 'quote', effect: 'unavailable', times: 1 })
    await page.getByText('early', { exact: true }).waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.clock.fastForward('10:00')
    // What comes over the stream is shown, and by then whatever the ten minutes set off has been asked, too.
    await sim.faults.add({ id: 'late', on: 'quote', effect: 'unavailable', times: 1 })
    await page.getByText('late', { exact: true }).waitFor()
    // The new rule makes it look once.
    expect(asked.slice(1)).toEqual([])
    await closePage(page) // with its clock
  })
})

describe.skipIf(!hasBrowser)('beyond loopback', () => {
  test('error: a wrong token is refused, the right one opens the page and is asked for again after a reload', async () => {
    const browser = await launchBrowser()
    const controlToken = 'tok_0123456789abcdef'
    const far = await createSimulator({ host: '0.0.0.0', controlToken, clock: 'frozen' })
    const { page, problems } = await openPage(browser, far.uiUrl!.replace('0.0.0.0', '127.0.0.1'))
    const field = page.getByLabel('Control token')
    await field.fill('tok_wrong')
    await field.press('Enter')
    await page.getByText('This is not the control token').waitFor()
    expect(await page.locator('article.network').count()).toBe(0)
    await field.fill(controlToken)
    await field.press('Enter')
    await page.getByText('live', { exact: true }).waitFor()
    await page.locator('article.network').first().waitFor()
    expect(page.url()).not.toContain(controlToken)
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(controlToken)
    await page.reload()
    await field.waitFor()
    expect(problems).toEqual([])
    await browser.close()
    await far.close()
  })

  test('error: --no-ui leaves it out, and says so', async () => {
    const bare = await createSimulator({ noUi: true })
    expect(bare.uiUrl).toBe(undefined)
    const answer = await fetch(`${bare.url}/_sim/ui/`)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ message: expect.stringContaining('left out') })
    expect(answer.headers.get('x-svc-sim-hint')).toContain('--no-ui')
    await bare.close()
  })
})
