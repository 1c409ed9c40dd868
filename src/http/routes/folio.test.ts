import { describe, expect, test } from 'vitest'
import { createAccount, emptyFolio, startHttpWorld } from '../../../test/kit/httpWorld.js'
import { ServiceError } from '../../lib/errors.js'

test('default', async () => {
  const asked: { wallet: string; cached: boolean }[] = []
  await using world = await startHttpWorld({
    service: {
      folio: {
        async read(account, { cached }) {
          asked.push({ wallet: account.walletAddress, cached })
          return { ...emptyFolio(), prices: { 'token/USDC': '1' } }
        },
      },
    },
  })
  const { id, wallet } = await createAccount(world)
  const { status, body } = await world.client.get(`/accounts/${id}/folio`)
  expect(status).toBe(200)
  expect(body.folio.prices).toEqual({ 'token/USDC': '1' })
  await world.client.get(`/accounts/${id}/folio?cached=true`)
  await world.client.get(`/accounts/${id}/folio?cached=false`)
  expect(asked).toEqual([
    { wallet, cached: false },
    { wallet, cached: true },
    { wallet, cached: false },
  ])
})

describe('error: invalid_params', () => {
  test.each([
    'cached=',
    'cached=1',
    'cached=TRUE',
    'cached=yes',
    'cached',
    'cached=true&cached=false',
  ])('%s', async (query) => {
    await using world = await startHttpWorld()
    const { id } = await createAccount(world)
    const reply = await world.client.get(`/accounts/${id}/folio?${query}`)
    expect(reply).toMatchObject({ status: 400, body: { error: 'invalid_params' } })
    expect(reply.body.message).toMatch(/^cached must be true or false/)
  })
})

test('behavior: an unknown query parameter is ignored and named', async () => {
  await using world = await startHttpWorld()
  const { id } = await createAccount(world)
  const { status, headers } = await world.client.get(`/accounts/${id}/folio?cahced=true`)
  expect(status).toBe(200)
  expect(headers.get('x-svc-sim-hint')).toBe('Ignored in the query, because not known: cahced.')
})

test('error: account_not_found', async () => {
  await using world = await startHttpWorld()
  const { status, body } = await world.client.get('/accounts/acc_000000000000/folio')
  expect({ status, error: body.error }).toEqual({ status: 404, error: 'account_not_found' })
})

test('error: timeout', async () => {
  await using world = await startHttpWorld({
    service: {
      folio: {
        async read() {
          throw new ServiceError('timeout', 'Folio computation timed out', { hint: 'cached=true' })
        },
      },
    },
  })
  const { id } = await createAccount(world)
  const { status, body, headers } = await world.client.get(`/accounts/${id}/folio`)
  expect({ status, ...body, hint: headers.get('x-svc-sim-hint') }).toEqual({
    status: 408,
    error: 'timeout',
    message: 'Folio computation timed out',
    hint: 'cached=true',
  })
})
