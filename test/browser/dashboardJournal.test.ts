import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSimulator, leaseWorld, type SimulatorHandle } from '../../src/index.js'
import { openTrace } from '../../src/simulator/openTrace.js'
import { curlOf } from '../../src/tools/ui/pages/journal/curl.js'
import {
  axeViolations,
  goTo,
  hasBrowser,
  launchBrowser,
  openPage,
  usePage,
} from '../kit/browser.js'
import { emptyFolder } from '../kit/cli.js'
import { openUser, type PlanBody, type User } from '../kit/user.js'

// The dashboard's journal and timelines in a real browser, over a simulator and over a trace. Needs `npm run build` before.

const earn = { amount: '1000000', asset: 'USDC', network: 'base', protocol: 'compound' }
const patience = { timeout: 20_000 }
const file = join(emptyFolder(), 'seen.trace')

let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', bridgeDelayMs: 3_000 })
})
afterAll(() => sim.close())
beforeEach(() => sim.reset())

/** What a shell makes of a command of curl: the words that curl gets. */
function words(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`
  return execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1)
}

test('behavior: a shell reads the command as it was meant, whatever is in it', () => {
  const hostile = `it's "$(touch /nowhere)" \\ \`id\` <script>\n`
  const exchange = {
    method: 'POST',
    url: `/a?b=${hostile}`,
    headers: { x: hostile },
    body: hostile,
  }
  const at = { origin: 'http://127.0.0.1:4000', apiKey: 'qk_a' }
  expect(words(curlOf(exchange, at))).toEqual([
    ...['-X', 'POST', `${at.origin}/a?b=${hostile}`],
    ...['-H', 'authorization: Bearer qk_a', '-H', `x: ${hostile}`, '--data-raw', hostile],
  ])
})

/** A plan that takes USDC from optimism over the bridge to base, until it is confirmed. */
async function bridged(user: User): Promise<PlanBody> {
  await user.fund('optimism', 'USDC', 9_000_000n)
  const plan = (await user.plan('earn', { ...earn, amount: '5000000' })).body as PlanBody
  const { activity_id } = (await user.execute(plan)).body
  await sim.clock.advance(4)
  expect((await user.follow(activity_id)).activity_status).toBe('confirmed')
  return plan
}

/** A plan that has gone stale by a rule of this name. */
async function stale(user: User, id = 'moved'): Promise<PlanBody> {
  await user.fund('base', 'USDC', 5_000_000n)
  const armed = await fetch(`${sim.controlUrl}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, on: 'plan', effect: { stale: { by: 'nonce' } }, times: 1 }),
  })
  expect(armed.status).toBe(201)
  const plan = (await user.plan('earn', earn)).body as PlanBody
  expect((await user.execute(plan)).status).toBe(409)
  return plan
}

const exchangeList = (page: Page) => page.getByRole('listbox', { name: 'Requests' })

describe.skipIf(!hasBrowser)('in a browser', () => {
  const open = usePage(() => sim.uiUrl!, { permissions: ['clipboard-read', 'clipboard-write'] })

  test('default: exchanges as they come; one in full; narrowed by path, status, fault and account', async () => {
    const { page } = open
    await goTo(page, 'journal')
    const user = await openUser(sim)
    await stale(user)
    const other = await openUser(sim)
    const refused = exchangeList(page).getByRole('option', { name: /plan\/execute 409/ })
    await refused.getByText('409 plan_stale', { exact: true }).waitFor()
    // Each head stands above its column.
    const heads = page.locator('.heads')
    expect(await heads.locator('span').allTextContents()).toEqual(
      'Time Method Path Status Size Took Client'.split(' '),
    )
    const lefts = (row: Locator) =>
      row
        .locator(':scope > *')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x))
    expect(await lefts(heads)).toEqual(await lefts(refused))
    await refused.click()
    const details = page.getByRole('region', { name: /POST .*plan\/execute/ })
    await details.getByText('"plan_stale"').waitFor()
    await details
      .getByText(/a nonce of its operations was used up/)
      .first()
      .waitFor()
    await details.getByText(/ms of real time/).waitFor()
    await details.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByText('Copied').waitFor()
    const copied = words(await page.evaluate('navigator.clipboard.readText()'))
    expect(copied.slice(0, 5)).toEqual([
      ...['-X', 'POST', `${sim.url}${user.path}/plan/execute`],
      ...['-H', `authorization: Bearer ${sim.apiKey}`],
    ])
    const options = exchangeList(page).getByRole('option')
    const account = page.getByRole('textbox', { name: 'Account' })
    await account.fill(user.id)
    await page.getByLabel('Path or method').fill('post /accounts/')
    await expect.poll(() => options.count()).toBe(2)
    await page.getByLabel('Status').selectOption('4xx')
    await expect.poll(() => options.count()).toBe(1)
    await page.getByRole('button', { name: 'Clear' }).click()
    await account.fill(user.id)
    // The plan that the rule hit, and its execution, which was refused because of that.
    await page.getByRole('combobox', { name: 'Fault' }).selectOption('moved')
    await expect.poll(() => options.count()).toBe(2)
    await options.filter({ hasText: '⚡' }).waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await account.fill(other.id)
    await expect.poll(() => options.count()).toBe(1)
    await account.fill('acc_nobody')
    await page.getByText('No request matches these filters').waitFor()
    const ignored = page.getByText('The page ignores')
    expect(await ignored.count()).toBe(0)
    await goTo(page, `journal?account_id=${user.id}`)
    expect(await ignored.textContent()).toBe(
      'The page ignores account_id in its URL. It takes account, path, status, fault, api, world.',
    )
    await goTo(page, 'worlds?a=1&b=2')
    await page.getByText('The page ignores a, b in its URL. It takes world.').waitFor()
    await goTo(page, 'faults/request/respond?settings.error=plan_stale&often.times=1')
    await page.getByRole('region', { name: 'Break something' }).waitFor()
    expect(await ignored.count()).toBe(0)
  })

  test('behavior: a row says which client sent it; resent with edits, the request meets faults and is in the journal', async () => {
    const { page } = open
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 5_000_000n)
    const path = `${user.path}/plan/earn`
    const sent = await fetch(sim.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${sim.apiKey}`,
        'user-agent': 'python-requests/2.32 CPython/3.12',
      },
      body: JSON.stringify({ ...earn, amount: '1000001' }),
    })
    expect(sent.status).toBe(201)
    await goTo(page, 'journal')
    const option = exchangeList(page).getByRole('option', { name: /plan\/earn 201/ })
    await option.getByText('python-requests/2.32', { exact: true }).click()
    await page.getByText('Resend with edits').click()
    const form = page.locator('.resend')
    const body = form.getByLabel('Body')
    expect(JSON.parse(await body.inputValue())).toEqual({ ...earn, amount: '1000001' })
    await form.getByLabel('Path').fill('plan')
    expect(await form.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    await form.getByLabel('Path').fill(path)
    await body.fill(JSON.stringify({ ...earn, amount: '2000002' }))
    await form.getByRole('button', { name: 'Send' }).click()
    const answer = form.getByRole('region', { name: 'Response to the edited request' })
    await answer.getByText(/"pln_/).waitFor()
    expect(await answer.textContent()).toContain('2000002')
    // A wrong body is the service's to refuse, and a rule meets a read of this form too.
    await body.fill('{"amount":')
    await form.getByRole('button', { name: 'Send' }).click()
    await answer.getByText('invalid_params').waitFor()
    await sim.faults.add({ id: 'met', on: 'request', effect: { respond: { error: 'not_found' } } })
    await form.getByLabel('Method').selectOption('GET')
    await form.getByLabel('Path').fill(`${user.path}/folio`)
    await form.getByRole('button', { name: 'Send' }).click()
    await answer.getByText('not_found').waitFor()
    expect(sim.faults.list()).toMatchObject([{ id: 'met', hits: 1 }])
    const options = exchangeList(page).getByRole('option')
    await options.filter({ hasText: /plan\/earn.*400/ }).waitFor()
    await options.filter({ hasText: /folio.*404/ }).waitFor()
    // The control API of this world takes one as well.
    await form.getByLabel('Method').selectOption('POST')
    await form.getByLabel('Path').fill('/_sim/clock/advance')
    await body.fill('{"seconds":5}')
    await form.getByRole('button', { name: 'Send' }).click()
    await page.getByText('00:00:05').first().waitFor()
    expect(await axeViolations(page)).toEqual([])
  })

  test('behavior: a switch shows what the page itself has read, which the journal omits', async () => {
    const { page } = open
    const user = await openUser(sim)
    await goTo(page, `accounts/${user.id}`)
    await page.getByText(user.wallet).waitFor()
    await goTo(page, 'journal')
    const own = page.getByRole('region', { name: 'Reads of this page' })
    const read = own.getByRole('listitem').filter({ hasText: `/_sim/accounts/${user.id}` })
    await exchangeList(page).getByRole('option').first().waitFor()
    expect(await own.count()).toBe(0)
    await page.getByLabel('The page’s own requests').check()
    await read.first().getByText('200').waitFor()
    expect(await read.first().textContent()).toMatch(/^00:00:00GET/)
    const rows = await exchangeList(page).getByRole('option').allTextContents()
    expect(rows.filter((row) => row.includes('/_sim/accounts'))).toEqual([])
    expect(await axeViolations(page)).toEqual([])
  })

  test('behavior: saved as a test: what is shown plays, and is downloaded', async () => {
    const { page } = open
    await stale(await openUser(sim))
    await goTo(page, 'journal')
    await page.getByRole('button', { name: 'Save all as test' }).click()
    const yaml = (await page.getByRole('region', { name: 'Scenario' }).textContent())!
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download earn-plan_stale.yaml' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('earn-plan_stale.yaml')
    expect(readFileSync((await download.path())!, 'utf8')).toBe(yaml)
    await page.getByRole('button', { name: 'Vitest' }).click()
    await page.getByText("from 'svc-sim/vitest'").waitFor()
    const answer = await fetch(`${sim.controlUrl}/scenarios`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ yaml }),
    })
    expect(await answer.json()).toMatchObject({ passed: true, failure: null })
  })

  test('behavior: fork here: two minutes more, and the same execution is refused; both timelines are seen', async () => {
    const user = await openUser(sim)
    const plan = await bridged(user)
    const { page } = open
    await goTo(page, 'journal')
    await exchangeList(page)
      .getByRole('option', { name: /plan\/execute 200/ })
      .click()
    await page.getByRole('link', { name: 'Fork here' }).click()
    await page.getByRole('heading', { name: /Fork before POST .*execute/ }).waitFor()
    await page.getByRole('button', { name: 'Replay' }).click()
    const answers = page.getByRole('region', { name: 'Responses here and in the fork' })
    await answers.getByText('404 plan_not_found').waitFor({ timeout: 60_000 })
    // The change itself is no difference, and is folded.
    await answers.getByRole('button', { name: /^Show 1 step that went the same way/ }).waitFor()
    expect(await answers.locator('tbody tr').first().getAttribute('class')).toBe('otherwise')
    // The picker offers the new world at once.
    const goOn = await page.getByRole('link', { name: /^Open wld_/ }).textContent()
    const offered = page.getByLabel('World').locator('option')
    await expect.poll(() => offered.allTextContents()).toContain(goOn!.replace('Open ', ''))
    const [here, there] = ['Here', 'In the fork'].map((name) =>
      page.getByRole('region', { name, exact: true }),
    )
    await here!.getByText(plan.plan_id).first().waitFor()
    await here!.getByRole('button', { name: /is confirmed/ }).waitFor()
    await there!.getByText('plan_not_found').first().waitFor()
    // Both begin where they part, have the same lanes, and move together.
    const firsts = () =>
      Promise.all([here!, there!].map((side) => side.locator('.chip .label').first().textContent()))
    expect(await firsts()).toEqual(['POST plan/execute', 'its time was over'])
    await page.getByRole('button', { name: 'Show 3 moments before the first difference' }).click()
    await expect.poll(firsts).toEqual(['POST plan/earn', 'POST plan/earn'])
    const lanes = (side: Locator) => side.locator('.lane-head').allTextContents()
    const expected = ['client', 'service', 'events', 'cause', 'optimism', 'base']
    expect(await lanes(here!)).toEqual(expected)
    expect(await lanes(there!)).toEqual(await lanes(here!))
    const [left, right] = await Promise.all(
      [here!, there!].map((side) => side.locator('.lanes').boundingBox()),
    )
    expect(left!.x + left!.width).toBeLessThanOrEqual(right!.x)
    const both = page.getByRole('region', { name: 'Both timelines' })
    const tops = async () => {
      const boxes = [here!, there!].map((side) => side.locator('.chip').first().boundingBox())
      return (await Promise.all(boxes)).map((box) => Math.round(box!.y))
    }
    await both.scrollIntoViewIfNeeded()
    const before = await tops()
    await both.evaluate((element) => element.scrollBy(0, 120))
    const moved = (await tops()).map((top, side) => before[side]! - top)
    expect(moved).toEqual([120, 120])
    const scrolls = await both
      .locator('.diagram')
      .evaluateAll((all) => all.map((each) => each.scrollHeight > each.clientHeight))
    expect(scrolls).toEqual([false, false])
    expect(await axeViolations(page)).toEqual([])
    // Another change from the same place; a wrong one is refused beside the form.
    await page.getByLabel('Change').selectOption('price')
    await page.getByRole('textbox', { name: 'USD' }).fill('-1')
    await page.getByRole('button', { name: 'Replay' }).click()
    await page
      .getByRole('alert')
      .getByText(/change\.0 \(price\)/)
      .waitFor({ timeout: 60_000 })
    await page.getByLabel('Change').selectOption('nothing')
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByRole('heading', { name: 'Same outcome' }).waitFor({ timeout: 60_000 })
    // What is there can be looked at like any world.
    await page.getByRole('link', { name: /^Open wld_/ }).click()
    await page.getByText('live', { exact: true }).waitFor()
    await goTo(page, 'accounts')
  }, 180_000)

  test('error: fork here where a network is forked: the page says why not, before anybody has chosen anything', async () => {
    await openUser(sim)
    const { page } = open
    await page.route('**/_sim/overview', async (route) => {
      const response = await route.fetch()
      const told = (await response.json()) as { networks: { forked_from: string | null }[] }
      told.networks[1]!.forked_from = 'rpc.example'
      await route.fulfill({ response, json: told })
    })
    await page.reload()
    await goTo(page, 'journal')
    await exchangeList(page)
      .getByRole('option', { name: /POST \/accounts 201/ })
      .first()
      .click()
    await page.getByRole('link', { name: 'Fork here' }).click()
    await page.getByText(/Cannot fork here: base is forked/).waitFor()
    expect(await page.getByRole('button', { name: 'Replay' }).count()).toBe(0)
  })

  test('behavior: of ten thousand exchanges only those are drawn that are seen; keys go through them', async () => {
    const { page } = open
    await openUser(sim)
    const response = await fetch(`${sim.controlUrl}/journal`)
    const journal = (await response.json()) as { exchanges: { cursor: number; url: string }[] }
    const [one] = journal.exchanges
    const many = Array.from({ length: 10_000 }, (_, i) => ({
      ...one!,
      cursor: 1_000_000 + i,
      url: `/many/${i + 1}`,
    }))
    await page.route('**/_sim/journal?*', (route) =>
      route.fulfill({ json: { ...journal, exchanges: many } }),
    )
    await goTo(page, 'journal')
    await page.getByText('10000 requests').waitFor(patience)
    const options = exchangeList(page).getByRole('option')
    await exchangeList(page).press('End')
    await page.getByRole('heading', { name: /\/many\/1$/ }).waitFor()
    await exchangeList(page).press('PageUp')
    await exchangeList(page).press('Home')
    await exchangeList(page).press('ArrowDown')
    await page.getByRole('heading', { name: /\/many\/9999$/ }).waitFor()
    expect(await options.count()).toBeLessThan(80)
    const nodes = () => page.evaluate<number>("document.querySelectorAll('*').length")
    expect(await nodes()).toBeLessThan(1_500)
    await page.setViewportSize({ width: 2560, height: 1440 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(2560)
    expect(await nodes()).toBeLessThan(2_500)
    await page.setViewportSize({ width: 1400, height: 900 })
    expect(await options.first().getAttribute('aria-setsize')).toBe('10000')
    await page.getByLabel('Path or method').fill('/many/5000')
    await expect.poll(() => options.count(), patience).toBe(1)
  })

  test('default: a bridged plan in the lanes of both networks; its deposit decoded; keys go from one to the next', async () => {
    const { page } = open
    const user = await openUser(sim)
    const { plan_id } = await bridged(user)
    await goTo(page, 'timeline')
    await page.getByLabel('Id', { exact: true }).fill(plan_id)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    const diagram = page.getByRole('region', { name: 'Swim lanes' })
    await diagram.getByRole('button', { name: /bridge optimism -> base: filled/ }).waitFor()
    const lanes = await diagram.locator('.lane-head').allTextContents()
    expect(lanes).toEqual(['client', 'service', 'events', 'optimism', 'base'])
    expect(await diagram.locator('.bridge .way').count()).toBe(1)
    await page.getByText('confirmed', { exact: true }).first().waitFor()
    const deposit = diagram.getByRole('button', { name: /transaction on optimism: mined/ })
    await deposit.press('Enter')
    const details = page.getByRole('region', { name: /transaction on optimism/ })
    await details.getByText('acrossDeposit').waitFor()
    await details.getByText('FundsDeposited').waitFor()
    await details.getByText('gas_used').waitFor()
    await deposit.press('ArrowDown')
    await page.getByRole('region', { name: /^event \d+/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('region', { name: /^event \d+/ }).waitFor({ state: 'detached' })
    const all = await diagram.getByRole('button').count()
    await page.getByLabel('Events').uncheck()
    await expect.poll(() => diagram.getByRole('button').count()).toBeLessThan(all)
  })

  test('behavior: an event is sent again from its details, and the client hears it twice', async () => {
    const { page } = open
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 5_000_000n)
    const { plan } = await user.run('earn', earn)
    const before = (await user.api.get(`${user.path}/events`)).body
    await goTo(page, `timeline/${plan.plan_id}`)
    await page.getByRole('button', { name: /activity .* is confirmed/ }).click()
    await page.getByRole('button', { name: 'Send this event again' }).click()
    await page.getByText('returns this event again').waitFor()
    const after = (await user.api.get(`${user.path}/events`)).body
    expect(after.events).toEqual([...before.events, before.events.at(-1)])
  })

  test('behavior: what failed after a good response is said in its row, and action by action on the account’s page', async () => {
    const { page } = open
    const user = await openUser(sim)
    await user.fund('arbitrum', 'USDC', 9_000_000n)
    await sim.faults.set([{ on: 'bridge', effect: 'refund', times: 1 }])
    const plan = (await user.plan('earn', earn)).body as PlanBody
    const { activity_id } = (await user.execute(plan)).body as { activity_id: string }
    await sim.clock.advance(4)
    expect((await user.follow(activity_id)).activity_status).toBe('failed')
    await goTo(page, `journal?path=execute&account=${user.id}`)
    const row = exchangeList(page).getByRole('option', { name: /plan\/execute 200 failed/ })
    await row.click()
    const details = page.getByRole('region', { name: /POST .*plan\/execute/ })
    await details.locator('.pill.bad', { hasText: '200 failed' }).waitFor()
    const verdict = details.locator('.verdict')
    await verdict.getByText(/^Next: make a new plan; this one cannot be executed/).waitFor()
    await verdict.getByRole('link', { name: activity_id }).click()
    await goTo(page, `accounts/${user.id}`)
    const activities = page.getByRole('region', { name: 'Activities' })
    const states = activities.locator('.sentence').filter({ hasText: /\((failed|not run)\)/ })
    await expect
      .poll(() => states.allTextContents())
      .toEqual([
        expect.stringMatching(/^Receive .*\(failed\)$/),
        expect.stringMatching(/^Supply .*\(not run\)$/),
      ])
  })

  test('behavior: a refusal and a status are said once, and the account names its stale plan', async () => {
    const { page } = open
    const user = await openUser(sim)
    const { plan_id } = await stale(user)
    await goTo(page, `timeline/${plan_id}`)
    await page.getByText(/^stale, and cannot be executed: fault rule moved /).waitFor()
    await goTo(page, `accounts/${user.id}`)
    const verdict = page.getByRole('region', { name: 'Account', exact: true }).locator('.verdict')
    await verdict
      .getByText(/the last refusal was POST .* 409 plan_stale, because fault rule/)
      .waitFor()
    await verdict.getByText('Next: make a new plan').waitFor()
    const other = await openUser(sim)
    const done = await bridged(other)
    await goTo(page, `timeline/${done.plan_id}`)
    await page.getByRole('region', { name: /^Swim lanes/ }).waitFor()
    await page.locator('.belongs .pill').getByText('confirmed', { exact: true }).waitFor()
    expect(await page.getByRole('region', { name: /What became of/ }).count()).toBe(0)
    await goTo(page, 'journal?path=nothing')
  })

  test('behavior: a next step has buttons in the place of commands, and they do it', async () => {
    const { page } = open
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 5_000_000n)
    const match = { account_id: user.id }
    const effect = { stale: { by: 'balance' } } as const
    await sim.faults.add({ id: 'taker', on: 'plan', effect, match })
    const { plan_id } = (await user.plan('earn', earn)).body as PlanBody
    await goTo(page, `timeline/${plan_id}`)
    const verdict = page.getByRole('region', { name: 'What became of' }).locator('.verdict')
    await verdict.getByText(/^Next: remove the rule taker\b/).waitFor()
    expect(await verdict.textContent()).not.toMatch(/\/_sim|svc-sim fund/)
    await verdict.getByRole('button', { name: 'Remove taker' }).click()
    await verdict.getByText(/^Next: fund the account with /).waitFor()
    expect(sim.faults.list().map(({ id }) => id)).not.toContain('taker')
    await verdict.getByRole('button', { name: 'Fund it' }).click()
    await verdict.getByText(/^Next: sign the digest of the plan/).waitFor()
  })

  test('behavior: a stale plan: what went wrong is said, and it comes by itself', async () => {
    const { page } = open
    const user = await openUser(sim)
    await goTo(page, `timeline/${user.id}`)
    await page.getByRole('region', { name: 'Swim lanes' }).waitFor()
    const { plan_id } = await stale(user)
    const findings = page.getByRole('region', { name: 'What became of' })
    await findings.getByText('Fault moved fired').waitFor()
    await findings.getByText('POST plan/execute: 409 plan_stale').waitFor()
    await goTo(page, `timeline/${plan_id}`)
    await findings.getByRole('button', { name: 'Details of: POST plan/execute' }).click()
    await page.getByRole('region', { name: '409 plan_stale' }).waitFor()
    await goTo(page, 'timeline/pln_000000000000')
    await page.getByText('Nothing is known of pln_000000000000').waitFor()
  })

  test('behavior: who goes elsewhere in the same instant in which details open is not brought back', async () => {
    const { page } = open
    const user = await openUser(sim)
    const { plan_id } = await stale(user)
    await goTo(page, `timeline/${plan_id}`)
    const findings = page.getByRole('region', { name: 'What became of' })
    const details = findings.getByRole('button', { name: 'Details of: POST plan/execute' })
    await details.waitFor()
    await page.evaluate(`new MutationObserver((_, observer) => {
      if (!document.querySelector('.with-moment')) return
      observer.disconnect()
      location.hash = '#/timeline/pln_000000000000'
    }).observe(document.body, { subtree: true, childList: true, attributes: true })`)
    await details.click()
    await page.getByText('Nothing is known of pln_000000000000').waitFor()
  })

  test('error: what looks like a script stays text, wherever a client can put it', async () => {
    const { page } = open
    const hostile = '<script>window.hacked=1</script><img src=x onerror=window.hacked=1>'
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${sim.apiKey}` }
    const ask = (path: string, body: unknown, more: Record<string, string> = {}) =>
      fetch(sim.url + path, {
        method: 'POST',
        headers: { ...headers, ...more },
        body: JSON.stringify(body),
      })
    const hacked = (within: Locator) =>
      within.getByText('window.hacked=1').filter({ visible: true }).first()
    await sim.snapshot('<img src=x onerror=window.hacked=1>')
    await ask('/accounts', { signer_type: hostile, signer_address: hostile, [hostile]: hostile })
    await ask(`/accounts/${encodeURIComponent(hostile)}/plan/earn?x=${hostile}`, hostile)
    await ask('/accounts', 'x', { 'user-agent': hostile, 'x-svc-sim-fault': hostile })
    await ask('/_sim/faults', { id: hostile, on: 'plan', effect: 'fail' })
    const user = await openUser(sim)
    await user.plan('earn', { ...earn, asset: hostile, protocol: hostile })
    for (const place of ['overview', 'journal', `timeline/${user.id}`]) {
      await goTo(page, place)
      await hacked(page.locator('main')).waitFor()
      if (place === 'journal')
        for (const name of [/POST \/accounts 4/, /_sim\/faults/, /plan\/earn/]) {
          await exchangeList(page).getByRole('option', { name }).first().click()
          await hacked(page.locator('.details')).waitFor()
        }
    }
    expect(await page.evaluate('window.hacked')).toBe(undefined)
    expect(await page.locator('script:not([src]), img[src=x]').count()).toBe(0)
  })

  test.each(['light', 'dark'] as const)(
    'behavior: in %s, axe finds nothing on both pages, and nothing is wider than a telephone',
    async (colorScheme) => {
      const { page } = open
      await page.emulateMedia({ colorScheme })
      const user = await openUser(sim)
      const { plan_id } = await stale(user)
      const snapshot = await sim.snapshot()
      const { id } = await openUser(sim)
      await sim.restore(snapshot)
      await goTo(page, 'journal')
      const newest = exchangeList(page).getByRole('option').first()
      await newest.getByText('undone').waitFor()
      const before = exchangeList(page)
        .getByRole('option', { name: /plan\/execute/ })
        .first()
      expect(await before.textContent()).not.toContain('undone')
      await newest.click()
      await page.getByText(`snapshot ${snapshot} was restored`).waitFor()
      await page.getByText(id).first().waitFor()
      const timeline = `timeline/${plan_id}`
      for (const [place, opened] of [
        ['journal', exchangeList(page).getByRole('option')],
        [timeline, page.locator('.chip', { hasText: '⚡' })],
        [timeline, page.locator('.chip.of-plan')],
      ] as const) {
        await goTo(page, place)
        await opened.first().click()
        for (const width of [1400, 360]) {
          await page.setViewportSize({ width, height: 800 })
          expect([place, width, await axeViolations(page)]).toEqual([place, width, []])
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
        }
      }
    },
  )
})

test.skipIf(!hasBrowser)(
  'behavior: a trace shows the same pages, and changes nothing',
  async () => {
    const run = await createSimulator({ clock: 'frozen', seed: 5n, trace: file })
    const user = await openUser(run)
    await user.fund('base', 'USDC', 5_000_000n)
    const { plan, activity } = await user.run('earn', earn)
    const world = await leaseWorld({ url: run.url, clock: 'frozen' })
    const inWorld = await openUser(world)
    await run.close()
    const trace = await openTrace(file)
    const browser = await launchBrowser()
    const { page, problems } = await openPage(browser, `${trace.url}/_sim/ui/`)
    await page.getByText(/It is read-only/).waitFor()
    await expect.poll(() => page.locator('.overview button:visible').count()).toBe(0)
    await page.getByRole('region', { name: 'Prices' }).getByText('3000').first().waitFor()
    const events = page.getByRole('region', { name: 'Newest events' }).locator('li')
    await expect
      .poll(() => events.allTextContents())
      .toEqual(
        ['confirmed', 'pending'].map((status) =>
          expect.stringMatching(`${activity.activity_id}${user.id}${status}$`),
        ),
      )
    await goTo(page, 'journal')
    await exchangeList(page)
      .getByRole('option', { name: /plan\/execute 200/ })
      .click()
    await page.locator('.details').getByText('act_').first().waitFor()
    expect(await axeViolations(page)).toEqual([])
    await goTo(page, `timeline/${plan.plan_id}`)
    await page.getByRole('button', { name: /transaction on base: mined/ }).click()
    await page.getByText('cometSupply').waitFor()
    await page.locator('.moment').getByRole('link', { name: /^0x/ }).first().click()
    await page.getByText('script cometSupply.supply(comet: 0x').first().waitFor()
    await page.goBack()
    await page.getByRole('button', { name: /activity .* is confirmed/ }).click()
    await page.getByRole('button', { name: 'Copy as JSON' }).waitFor()
    expect(await page.getByRole('button', { name: 'Send this event again' }).count()).toBe(0)
    await goTo(page, `accounts/${user.id}`)
    await page.getByRole('cell', { name: /USDC/ }).first().waitFor()
    await page.getByRole('region', { name: /^Value from \$5\.00 to \$5\.00/ }).waitFor()
    await page.getByRole('region', { name: 'Activities' }).getByText('confirmed').waitFor()
    expect(await page.getByRole('heading', { name: 'Give funds' }).count()).toBe(0)
    await goTo(page, 'accounts')
    await page.getByRole('link', { name: user.id }).waitFor()
    expect(await page.getByRole('button', { name: 'Create an account' }).count()).toBe(0)
    await goTo(page, 'faults')
    await page.getByText('No fault rules').waitFor()
    expect(await page.getByRole('heading', { name: 'Break something' }).count()).toBe(0)
    await goTo(page, 'coverage')
    await page.getByRole('heading', { name: /documented responses seen/ }).waitFor()
    const pages = page.getByRole('navigation', { name: 'Pages' })
    expect(await pages.getByRole('link').allTextContents()).not.toContain('Plan')
    await goTo(page, 'plan')
    await page.getByText('There is no page plan in a trace').waitFor()
    await goTo(page, 'accounts')
    await page.getByLabel('World').selectOption(world.id)
    await page.getByRole('link', { name: inWorld.id }).waitFor()
    expect(await page.getByRole('link', { name: user.id }).count()).toBe(0)
    expect(problems).toEqual([])
    await browser.close()
    await trace.close()
  },
)
