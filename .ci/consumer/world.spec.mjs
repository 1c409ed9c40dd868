// Playwright: each worker of it works in a world of its own, of the simulator around the command.
import { expect } from '@playwright/test'
import { createSvcClient, newSigner } from 'svc-sim/client'
import { test } from './world.mjs'

test.describe.configure({ mode: 'parallel' })

for (const name of ['one', 'two', 'three', 'four'])
  test(`alone in its world: ${name}`, async ({ world, request }) => {
    await world.reset()
    const client = createSvcClient({ baseUrl: world.url, apiKey: world.apiKey })
    const { address } = await newSigner()
    const { account_id } = await client.createAccount(address)
    await world.fund({ account_id, asset: 'USDC', amount: '7', network: 'base' })
    const headers = { authorization: `Bearer ${world.apiKey}` }
    const accounts = await request.get(`${world.url}/accounts`, { headers })
    expect((await accounts.json()).accounts.map((each) => each.account_id)).toEqual([account_id])
  })
