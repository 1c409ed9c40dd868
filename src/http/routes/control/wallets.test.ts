import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invalidBodies } from '../../../../test/kit/arbitraries.js'
import { example } from '../../../../test/kit/examples.js'
import {
  createAccount,
  type HttpWorld,
  keys,
  startHttpWorld,
} from '../../../../test/kit/httpWorld.js'

let world: HttpWorld
beforeAll(async () => {
  world = await startHttpWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const open = { apiKey: null }
const byAddress = { address: example.signer, asset: 'USDC', amount: '10', network: 'base' }

test('default', async () => {
  const { id, wallet } = await createAccount(world)
  const body = { account_id: id, asset: 'USDC', amount: '10', network: 'base' }
  expect(await world.client.post('/_sim/fund', body, open)).toMatchObject({
    status: 200,
    body: { address: wallet, asset: 'USDC', network: 'base', balance: '10' },
  })
  const again = await world.client.post('/_sim/fund', body, open)
  expect(again.body.balance).toBe('20')
})

test('behavior: any address, in any casing; amounts beyond what a number holds', async () => {
  const amount = (2n ** 256n - 2n).toString()
  const address = `0x${'aB'.repeat(20)}`
  const reply = await world.client.post('/_sim/fund', { ...byAddress, address, amount }, open)
  expect(reply.body).toMatchObject({ address: address.toLowerCase(), balance: amount })
})

test('behavior: an amount as an integer', async () => {
  const address = `0x${'ab'.repeat(19)}01`
  const post = (amount: unknown) =>
    world.client.post('/_sim/fund', { ...byAddress, address, amount }, open)
  expect((await post(10_000_000)).body.balance).toBe('10000000')
  expect((await post(Number.MAX_SAFE_INTEGER)).body.balance).toBe('9007199264740991')
  for (const [amount, shown] of [
    [2 ** 53, '9007199254740992'],
    [-(2 ** 53), '-9007199254740992'],
    [1.5, '1.5'],
    [-1, '-1'],
    [0, '0'],
    ['1.5', '"1.5"'],
    [null, 'null'],
  ]) {
    const { status, body } = await post(amount)
    expect([status, body.error]).toEqual([400, 'invalid_params'])
    // Once.
    expect(body.message.split('amount must be a decimal integer string')).toHaveLength(2)
    expect(body.message).toContain('or a JSON integer from 1 to 2^53-1')
    expect(body.message).toContain(`received ${shown}`)
  }
  expect((await post('1')).body.balance).toBe('9007199264740992')
})

test('behavior: accounts of every prime account', async () => {
  const { id, wallet } = await createAccount(world, example.signer, keys.second.key)
  const { address: _, ...rest } = byAddress
  const reply = await world.client.post('/_sim/fund', { ...rest, account_id: id }, open)
  expect(reply.body.address).toBe(wallet)
})

test('error: account_not_found', async () => {
  const { address: _, ...rest } = byAddress
  const body = { ...rest, account_id: 'acc_000000000000' }
  expect(await world.client.post('/_sim/fund', body, open)).toMatchObject({
    status: 404,
    body: { error: 'account_not_found' },
  })
})

test('error: both or neither of account_id and address', async () => {
  const { address: _, ...neither } = byAddress
  for (const body of [neither, { ...byAddress, account_id: 'acc_000000000000' }]) {
    expect(await world.client.post('/_sim/fund', body, open)).toMatchObject({
      status: 400,
      body: { message: 'exactly one of account_id and address must be given' },
    })
  }
})

test('error: no invalid body reaches the faucet', async () => {
  const bodies = invalidBodies(byAddress, {
    address: 'address',
    asset: 'text',
    amount: 'amountOrInteger',
    network: 'enum',
  })
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const reply = await world.client.post('/_sim/fund', body, open)
      expect(reply).toMatchObject({ status: 400, body: { error: 'invalid_params' } })
    }),
    { numRuns: 200 },
  )
})

describe('error: forbidden', () => {
  // fetch does not let its caller set these headers.
  function post(headers: Record<string, string>): Promise<{ status?: number; error: string }> {
    return new Promise((resolve, reject) => {
      const { port } = world.server.address() as { port: number }
      const all = { 'content-type': 'application/json', ...headers }
      const req = request(
        { port, method: 'POST', path: '/_sim/fund', headers: all },
        async (res) => {
          const body = await text(res)
          resolve({ status: res.statusCode, error: JSON.parse(body).error })
        },
      )
      req.on('error', reject)
      req.end(JSON.stringify(byAddress))
    })
  }

  test.each([
    [{ host: 'evil.example' }],
    [{ host: 'rebound.evil.example:4477' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
  ])('%j', async (headers) => {
    expect(await post(headers)).toEqual({ status: 403, error: 'forbidden' })
  })

  test('behavior: local names and the own page are let in, other local pages are not', async () => {
    const from = async (origin: string) => (await post({ host: 'localhost:1', origin })).status
    expect(await from('http://localhost:1')).toBe(200)
    expect(await from('http://localhost:3000')).toBe(403)
  })
})

describe('behavior: bound beyond loopback', () => {
  const callers = { allowedHosts: [], corsOrigins: ['loopback'] }
  const bind = { ...callers, host: '0.0.0.0', controlToken: 'secret' }

  test('the control token is asked for', async () => {
    await using world = await startHttpWorld({ access: { bind } })
    const call = async (apiKey: string | null) => {
      const { status, body } = await world.client.post('/_sim/fund', byAddress, { apiKey })
      return [status, body.error]
    }
    expect(await call(null)).toEqual([401, 'missing_auth_header'])
    expect(await call(keys.first.key)).toEqual([401, 'invalid_api_key'])
    expect(await call('secret')).toEqual([200, undefined])
  })

  test('error: without a token it is closed', async () => {
    await using world = await startHttpWorld({ access: { bind: { ...callers, host: '0.0.0.0' } } })
    const reply = await world.client.post('/_sim/fund', byAddress, { apiKey: 'anything' })
    expect(reply).toMatchObject({ status: 403, body: { error: 'forbidden' } })
  })
})
