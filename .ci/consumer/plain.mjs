// node:test, without a framework of svc-sim.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { createSimulator, watchJournal } from 'svc-sim'
import { createSvcClient, newSigner } from 'svc-sim/client'

let sim
let watch
beforeEach(async () => {
  sim = await createSimulator()
  watch = await watchJournal(sim)
})
afterEach(async () => {
  for (const { text } of await watch.timelines()) assert.match(text, /-> POST \/accounts/)
  await sim.close()
})

test('a transfer', async () => {
  const client = createSvcClient({ baseUrl: sim.url, apiKey: sim.apiKey })
  const { address, privateKey } = await newSigner()
  const { account_id } = await client.createAccount(address)
  await sim.fund({ account_id, asset: 'USDC', amount: '7', network: 'base' })
  const intent = { asset: 'USDC', amount: '7', network: 'base', recipient: address }
  const { execution } = await client.signAndExecute(account_id, 'transfer', intent, privateKey)
  const activity = await client.waitForActivity(account_id, execution.activity_id)
  assert.equal(activity.activity_status, 'confirmed')
  assert.equal((await watch.timelines()).length, 1)
})
