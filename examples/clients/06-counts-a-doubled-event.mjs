// Two payments are done when two confirmations have come.
import { attempt, carryOut, friend, openAccount, sleep } from './support.mjs'

const account = await openAccount([
  { asset: 'USDC', amount: '3000000', network: 'base' },
  { asset: 'USDC', amount: '5000000', network: 'optimism' },
])
const gift = { asset: 'USDC', network: 'base', recipient: friend }
await carryOut(account, 'transfer', { ...gift, amount: '1000000' })
// More than there is on base: the rest comes over a bridge.
await carryOut(account, 'transfer', { ...gift, amount: '4000000' })
let cursor = 0
let confirmed = 0
while (confirmed < 2) {
  const page = await attempt('GET', `${account.path}/events?since=${cursor}&poll=true`, undefined, {
    timeoutMs: 30_000,
  })
  if (page.status !== 200) {
    await sleep(Math.max(page.retryAfter * 1_000, 50))
    continue
  }
  cursor = page.body.cursor
  for (const { event_type, data } of page.body.events)
    if (event_type === 'activity_updated' && data.activity_status === 'confirmed') confirmed++
}
