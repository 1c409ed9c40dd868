// So many payments are done as confirmations have come.
import { attempt, carryOut, friend, openAccount, sleep } from './support.mjs'

const account = await openAccount([
  { asset: 'USDC', amount: '3000000', network: 'base' },
  { asset: 'USDC', amount: '5000000', network: 'optimism' },
])
let cursor = 0
let confirmed = 0

async function poll() {
  const path = `${account.path}/events?since=${cursor}&poll=true`
  const page = await attempt('GET', path, undefined, { timeoutMs: 30_000 })
  if (page.status !== 200) return sleep(Math.max(page.retryAfter * 1_000, 50))
  cursor = page.body.cursor
  for (const { event_type, data } of page.body.events)
    if (event_type === 'activity_updated' && data.activity_status === 'confirmed') confirmed++
}

const gift = { asset: 'USDC', network: 'base', recipient: friend }
// The second is more than there is on base: the rest comes over a bridge.
for (const [paid, amount] of ['1000000', '4000000'].entries()) {
  await carryOut(account, 'transfer', { ...gift, amount })
  while (confirmed < paid + 1) await poll()
}
