// The good client: it does what it was asked for exactly once, whatever happens on the way.
import { createSvcClient } from 'svc-sim/client'
import { privateKeyToAddress } from 'viem/accounts'

const client = createSvcClient({
  baseUrl: process.env.SVC_BASE_URL,
  apiKey: process.env.SVC_API_KEY,
})
const key = `0x${'5'.repeat(64)}`
const account = await client.openAccount(privateKeyToAddress(key))
const { account_id } = account
for (const [network, amount] of [
  ['base', '4000000'],
  ['optimism', '4000000'],
])
  await fetch(`${process.env.SVC_CONTROL_URL}/fund`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account_id, asset: 'USDC', amount, network }),
  })

const supply = { asset: 'USDC', amount: '6000000', network: 'base', protocol: 'compound' }
const swap = { sell_asset: 'USDC', buy_asset: 'WETH', network: 'base', sell_amount: '1000000' }
for (const [kind, intent] of [
  ['earn', supply],
  ['swap', swap],
]) {
  const { execution } = await client.signAndExecute(account_id, kind, intent, key)
  const ended = await client.waitForActivity(account_id, execution.activity_id)
  if (ended.activity_status !== 'confirmed') throw new Error(ended.activity_status)
}
