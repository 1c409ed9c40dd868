// What the dashboard costs a person: its first view after a start, frames while it shows 10,000 exchanges and more come in, paging and
// searching 1,000 accounts, and the memory of the page. Needs chromium (`CHROMIUM` names it). Build first.
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { closeConnections, send } from './http.mjs'
import { startSimulator } from './processes.mjs'
import { percentile, timed } from './stats.mjs'

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '10000' },
    accounts: { type: 'string', default: '1000' },
    /** Of the window. */
    width: { type: 'string', default: '1400' },
    height: { type: 'string', default: '900' },
    starts: { type: 'string', default: '3' },
  },
})
const entries = Number(values.entries)
const accounts = Number(values.accounts)
const viewport = { width: Number(values.width), height: Number(values.height) }
const patience = { timeout: 120_000 }

/** How many requests are under way at once. */
const clients = 8

/** Writes down in the page how long frames take, and what keeps its thread busy for more than 50 ms. */
const watch = `
  window.frames_ = []
  window.tasks_ = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.tasks_.push(duration)
  }).observe({ type: 'longtask' })
  let last = performance.now()
  const tick = (now) => {
    window.frames_.push(now - last)
    last = now
    requestAnimationFrame(tick)
  }
  requestAnimationFrame(tick)
`

/** Seconds of a processor that pages have taken: whatever else the machine does, that stays the same. */
async function cpu() {
  const { processInfo } = await system.send('SystemInfo.getProcessInfo')
  const pages = processInfo.filter(({ type }) => type === 'renderer')
  return pages.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}

/** Runs `work` and says what it did to the frames and the thread of the page. */
async function frames(page, name, work) {
  await page.evaluate('window.frames_ = []; window.tasks_ = []; undefined')
  const before = await cpu()
  const took = await timed(work)
  const used = (await cpu()) - before
  const { frames_, tasks_ } = await page.evaluate('({ frames_, tasks_ })')
  const longest = Math.max(0, ...frames_)
  console.log(
    `${name}: ${(took / 1000).toFixed(1)} s (processor ${used.toFixed(1)} s), frames p50 ${percentile(frames_, 0.5).toFixed(1)} ms, p99 ${percentile(frames_, 0.99).toFixed(1)} ms, longest ${longest.toFixed(0)} ms; tasks above 50 ms: ${tasks_.length}, longest ${Math.max(0, ...tasks_).toFixed(0)} ms`,
  )
}

/** Scrolls the journal for so many frames, from the newest entry to the oldest. */
const scroll = (count) => `new Promise((resolve) => {
  const box = document.querySelector('.virtual')
  let step = 0
  const move = () => {
    box.scrollTop = (box.scrollHeight * step) / ${count}
    if (step++ < ${count}) requestAnimationFrame(move)
    else resolve()
  }
  move()
})`

/** Asks `count` times for what `request` says, some at once. */
async function fill(count, request) {
  let next = 0
  const client = async () => {
    while (next < count) await request(next++)
  }
  await Promise.all(Array.from({ length: clients }, client))
}

/** What a window costs that shows a page without anything. */
async function bareWindow(browser) {
  const took = await timed(async () => {
    const context = await browser.newContext({ viewport })
    const page = await context.newPage()
    await page.goto('data:text/html,<article>')
    await page.locator('article').waitFor({ ...patience, state: 'attached' })
    await context.close()
  })
  return took
}

async function firstView(browser) {
  const sim = await startSimulator('--clock', 'frozen')
  const ready = performance.now()
  const context = await browser.newContext({ viewport })
  const page = await context.newPage()
  await page.goto(`${sim.url}/_sim/ui/`)
  await page.locator('article.network').first().waitFor(patience)
  const took = performance.now() - ready
  await context.close()
  await sim.stop()
  return took
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
const system = await browser.newBrowserCDPSession()
const [views, bare] = [[], []]
for (let i = 0; i < Number(values.starts); i++) {
  views.push(await firstView(browser))
  bare.push(await bareWindow(browser))
}
const listed = (samples) => samples.map((each) => each.toFixed(0)).join(', ')
console.log(
  `first view after ready, in a new window: ${listed(views)} ms; a window without anything: ${listed(bare)} ms`,
)

const sim = await startSimulator('--clock', 'frozen')
try {
  const headers = { authorization: `Bearer ${sim.apiKey}` }
  const context = await browser.newContext({ viewport })
  await context.addInitScript(watch)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable')
  const held = async (name) => {
    await devtools.send('HeapProfiler.collectGarbage')
    const { metrics } = await devtools.send('Performance.getMetrics')
    const of = (metric) => metrics.find((each) => each.name === metric).value
    console.log(
      `${name}: ${(of('JSHeapUsedSize') / 2 ** 20).toFixed(1)} MB of heap, ${of('Nodes')} DOM nodes`,
    )
  }
  await page.goto(`${sim.url}/_sim/ui/#/journal`)
  await page.getByText('live', { exact: true }).waitFor(patience)
  await held('page when opened')

  const ids = []
  const open = async () => {
    const signer_address = `0x${randomBytes(20).toString('hex')}`
    const body = { signer_type: 'eoa', signer_address }
    ids.push((await send('POST', `${sim.url}/accounts`, body, headers)).body.account_id)
  }
  const read = (i) => send('GET', `${sim.url}/accounts/${ids[i % ids.length]}`, undefined, headers)
  const shows = (count) =>
    // A function and no text: the page's policy lets nobody evaluate text.
    page.waitForFunction(
      (least) =>
        Number.parseInt(document.querySelector('.list-panel [role=status]').textContent, 10) >=
        least,
      count,
      patience,
    )
  await frames(page, `${accounts} accounts and ${entries - accounts} reads come in`, async () => {
    await fill(accounts, open)
    await fill(entries - accounts, read)
    await shows(Math.min(entries, 10_000))
  })
  await held(`page with ${entries} exchanges`)
  await frames(page, 'scrolled from end to end in 300 frames', () => page.evaluate(scroll(300)))
  await frames(page, 'the same while 1,000 more come in', () =>
    Promise.all([page.evaluate(scroll(300)), fill(1_000, read)]),
  )
  const path = page.getByLabel('Path or method')
  await frames(page, 'narrowed by a path, typed', async () => {
    await path.pressSequentially(ids[0])
    await page.getByText(/^\d+ of \d+ requests/).waitFor(patience)
  })
  await path.fill('')
  const account = page.getByRole('textbox', { name: 'Account' })
  await frames(page, 'narrowed by an account, for the first time', async () => {
    await account.fill(ids[0])
    await page.getByText(/^\d+ of \d+ requests/).waitFor(patience)
  })
  await page.evaluate("location.hash = '#/accounts'")
  const status = (text) => page.getByText(text).waitFor(patience)
  await status(`1 to 25 of ${accounts}`)
  await frames(page, 'ten pages of accounts', async () => {
    for (let i = 1; i <= 10; i++) {
      await page.getByRole('button', { name: 'Older' }).click()
      await status(`${25 * i + 1} to ${25 * (i + 1)} of ${accounts}`)
    }
  })
  await frames(page, 'an account found by its id, typed', async () => {
    await page.getByRole('searchbox').pressSequentially(ids[accounts >> 1])
    await page.getByText(ids[accounts >> 1]).waitFor(patience)
    await page.waitForFunction(
      () => document.querySelectorAll('.account-table tbody tr').length === 1,
    )
  })
  await page.getByRole('searchbox').fill('')
  await frames(page, '100 accounts more while the list is shown', async () => {
    await fill(100, open)
    await status(`1 to 25 of ${accounts + 100}`)
  })
  await frames(page, 'the pages one after the other, five times', async () => {
    for (let i = 0; i < 5; i++)
      for (const name of ['overview', 'accounts', 'journal', 'timeline', 'faults', 'coverage']) {
        await page.evaluate(`location.hash = '#/${name}'`)
        await page.locator('main > :nth-child(2)').waitFor(patience)
      }
  })
  await held('page at the end')
  const missed = await page.getByText(/messages missed/).allTextContents()
  if (missed.length > 0) console.log(missed.join())
  await context.close()
} finally {
  await sim.stop()
  await browser.close()
  closeConnections()
}
