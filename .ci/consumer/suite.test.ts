import { createSvcClient } from 'svc-sim/client'
import { expect, test } from 'svc-sim/vitest'

for (const round of ['once', 'again'])
  test(`supplies ${round}`, async ({ account, client }) => {
    const supply = {
      asset: 'USDC',
      amount: '4000000',
      network: 'base',
      protocol: 'compound',
    } as const
    const { execution } = await client.signAndExecute(
      account.id,
      'earn',
      supply,
      account.privateKey,
    )
    const activity = await client.waitForActivity(account.id, execution.activity_id)
    expect(activity.activity_status).toBe('confirmed')
    const { data } = await client.api.GET('/accounts')
    expect(data?.accounts).toHaveLength(1)
  })

test.runIf(process.env.SVC_BASE_URL)('finds the simulator around the command', async () => {
  const { SVC_BASE_URL: baseUrl = '', SVC_API_KEY: apiKey = '' } = process.env
  const { data } = await createSvcClient({ baseUrl, apiKey }).api.GET('/networks')
  expect(data?.networks.map(({ name }) => name)).toContain('base')
  process.stdout.write('around the command: yes\n')
})

test.runIf(process.env.FAIL)('fails', async ({ account, client }) => {
  await client.folio(account.id)
  expect('what was hoped for').toBe('what came')
})
