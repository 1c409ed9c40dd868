// A client that pays once, as people write it with the library: what `swarm.mjs` searches, as a function and as a process.
import { createSvcClient } from '../dist/clients/client/index.js'

const privateKey = `0x${'5'.repeat(64)}`
const address = '0xe1fAE9b4fAB2F5726677ECfA912d96b0B683e6a9'

export async function pay({ url, apiKey, controlUrl, patience }) {
  const client = createSvcClient({ baseUrl: url, apiKey, patience })
  const { account_id } = await client.openAccount(address)
  const headers = { 'content-type': 'application/json' }
  const funds = { account_id, asset: 'USDC', amount: '5000000', network: 'base' }
  await fetch(`${controlUrl}/fund`, { method: 'POST', headers, body: JSON.stringify(funds) })
  const recipient = '0x000000000000000000000000000000000000dEaD'
  const payment = { asset: 'USDC', amount: '2000000', network: 'base', recipient }
  const { execution } = await client.signAndExecute(account_id, 'transfer', payment, privateKey)
  const { activity_status } = await client.waitForActivity(account_id, execution.activity_id)
  if (activity_status !== 'confirmed') throw new Error(activity_status)
}

const { SVC_BASE_URL: url, SVC_API_KEY: apiKey, SVC_CONTROL_URL: controlUrl } = process.env
if (url) await pay({ url, apiKey, controlUrl })
