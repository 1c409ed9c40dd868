// Takes the pictures of the dashboard that the documentation shows: seed, clock and keys are always the same, so the next ones differ only where
// the dashboard does, in how long an exchange took, and in which of two networks was quicker. `node scripts/screenshots.mjs` writes them; a
// folder as argument writes them there. Needs chromium (`CHROMIUM` names it) and a build.
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { openAccount } from '../bench/client.mjs'
import { closeConnections } from '../bench/http.mjs'
import { createSimulator } from '../dist/index.js'

const folder = process.argv[2] ?? fileURLToPath(new URL('../docs/images', import.meta.url))
/** Larger ones make a README slow to open. Bytes. */
const largest = 150_000

const earn = { amount: '900000000', asset: 'USDC', network: 'base', protocol: 'compound' }

mkdirSync(folder, { recursive: true })
const sim = await createSimulator({
  clock: { frozenAt: '2026-01-01T00:00:00Z' },
  seed: 7n,
  bridgeDelayMs: 3_000,
})
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})

/** Opens a page, lets `prepare` choose what is seen, and takes its picture. */
async function picture(name, { path = '', colorScheme = 'light', height = 800 }, prepare) {
  const context = await browser.newContext({
    viewport: { width: 1280, height },
    colorScheme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(`${sim.uiUrl}#/${path}`)
  await page.getByText('live', { exact: true }).waitFor()
  await prepare(page)
  const file = join(folder, `${name}.png`)
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' })
  await context.close()
  const { size } = statSync(file)
  console.log(`${file}: ${(size / 1000).toFixed(0)} kB`)
  if (size > largest) throw new Error(`${file} has ${size} bytes; at most ${largest} are wanted`)
}

/** The key of an account is its number. */
const account = (number) => openAccount(sim, `0x${`${number}`.padStart(64, '0')}`)

try {
  const alice = await account(1)
  const bob = await account(2)
  for (const network of ['optimism', 'polygon']) await alice.fund(network, 'USDC', '500000000')
  const bridged = await alice.plan('earn', earn)
  await alice.api(
    'POST',
    `/accounts/${alice.id}/plan/execute`,
    { plan_id: bridged.plan_id, signature: await alice.sign(bridged) },
    200,
  )
  await sim.clock.advance(5)
  await picture('timeline', { path: `timeline/${bridged.plan_id}`, height: 860 }, async (page) => {
    await page.getByText('confirmed', { exact: true }).first().waitFor()
    await page.getByLabel('Events').uncheck()
  })

  await bob.fund('base', 'USDC', '2000000000')
  await sim.faults.add({
    id: 'used_nonce',
    on: 'plan',
    effect: { stale: { by: 'nonce' } },
    times: 1,
  })
  const small = { ...earn, amount: '250000000' }
  const stale = await bob.plan('earn', small)
  const signature = await bob.sign(stale)
  await bob.api(
    'POST',
    `/accounts/${bob.id}/plan/execute`,
    { plan_id: stale.plan_id, signature },
    409,
  )
  await picture('journal', { path: 'journal', height: 620 }, async (page) => {
    await page.getByRole('option', { name: /plan\/execute 409/ }).click()
    await page.getByRole('region', { name: /POST .*plan\/execute/ }).waitFor()
  })

  await sim.faults.clear()
  await sim.snapshot('funded')
  await sim.faults.add({
    id: 'polygon_halted',
    on: 'chain',
    effect: 'halt',
    match: { network: 'polygon' },
  })
  await picture('overview', { colorScheme: 'dark', height: 720 }, async (page) => {
    await page.locator('article.network').first().waitFor()
    await bob.run('earn', small)
    await bob.plan('earn', small)
    await alice.plan('transfer', {
      amount: '1000000',
      asset: 'USDC',
      network: 'optimism',
      recipient: bob.wallet,
    })
    await sim.clock.advance(20)
    await page.getByText('confirmed').first().waitFor()
    await page.locator('.countdown').nth(1).waitFor()
    // The stream brings the moved clock a little later.
    await page.getByText('1m 40s').nth(1).waitFor()
  })
} finally {
  await browser.close()
  await sim.close()
  closeConnections()
}
