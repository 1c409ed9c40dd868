import { expect, test } from 'svc-sim/vitest'

test('an account with funds, and a client', async ({ account, client }) => {
  const { data } = await client.api.GET('/accounts')
  expect(data.accounts.map(({ account_id }) => account_id)).toEqual([account.id])
})
