import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invalidBodies, oddButValid } from '../../../test/kit/arbitraries.js'
import { createAccount, type HttpWorld, keys, startHttpWorld } from '../../../test/kit/httpWorld.js'
import { walletAddressOf } from '../../chain/wallet/wallet.js'

let world: HttpWorld
beforeAll(async () => {
  world = await startHttpWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

let count = 0
const freshSigner = (): `0x${string}` => `0x${(++count).toString(16).padStart(40, '0')}`
const create = (signer_address: unknown, more: object = {}) =>
  world.client.post('/accounts', { signer_type: 'eoa', signer_address, ...more })

test('default', async () => {
  const signer = freshSigner()
  const { status, body } = await create(signer)
  expect(status).toBe(201)
  expect(body).toEqual({
    account_id: expect.stringMatching(/^acc_[0-9a-z]{12}$/),
    signer_type: 'eoa',
    signer_address: signer,
    svc_wallet_address: walletAddressOf(signer),
    created_at: '2026-01-05T09:00:00Z',
  })
  expect(body.svc_wallet_address).toBe(body.svc_wallet_address.toLowerCase())
  expect((await world.client.get(`/accounts/${body.account_id}`)).body).toEqual(body)
  expect((await world.client.get('/accounts')).body.accounts).toContainEqual(body)
})

test('behavior: the list is in the order of creation and of this prime account only', async () => {
  await using own = await startHttpWorld()
  const first = await createAccount(own, freshSigner())
  const second = await createAccount(own, freshSigner())
  await createAccount(own, freshSigner(), keys.second.key)
  const { body } = await own.client.get('/accounts')
  expect(body.accounts.map((a: { account_id: string }) => a.account_id)).toEqual([
    first.id,
    second.id,
  ])
})

test('behavior: a part of the list, and what comes after it', async () => {
  await using own = await startHttpWorld()
  const all: string[] = []
  for (let i = 0; i < 3; i++) all.push((await createAccount(own, freshSigner())).id)
  const ids = async (query: string) =>
    (await own.client.get(`/accounts?${query}`)).body.accounts.map(
      (each: { account_id: string }) => each.account_id,
    )
  expect(await ids('limit=2')).toEqual(all.slice(0, 2))
  expect(await ids(`limit=2&after=${all[1]}`)).toEqual(all.slice(2))
  expect(await ids(`after=${all[0]}`)).toEqual(all.slice(1))
  expect(await ids(`after=${all[2]}`)).toEqual([])
  expect(await ids('limit=9')).toEqual(all)
})

test.each([
  ['limit=0', 'limit must be an integer from 1 to 2^53-1, given once, received "0"'],
  ['after=acc_nobody', 'after must be the account_id of a sub-account, received "acc_nobody"'],
])('error: the list with %s', async (query, message) => {
  const { status, body } = await world.client.get(`/accounts?${query}`)
  expect([status, body]).toEqual([400, { error: 'invalid_params', message }])
})

test('error: a part of the list after the sub-account of another', async () => {
  const { id } = await createAccount(world, freshSigner(), keys.second.key)
  expect(await world.client.get(`/accounts?after=${id}`)).toMatchObject({ status: 400 })
})

test('behavior: the signer is echoed as sent; its casing does not matter for the wallet', async () => {
  const mixed = '0xAbCdEf0123456789aBcDeF0123456789abcdef01'
  const { body, headers } = await create(mixed)
  expect(body.signer_address).toBe(mixed)
  expect(body.svc_wallet_address).toBe(walletAddressOf(mixed.toLowerCase() as `0x${string}`))
  expect(headers.get('x-svc-sim-hint')).toContain('EIP-55')
})

test('behavior: a right checksum gets no hint, the zero address does', async () => {
  const right = await create('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')
  expect(right.headers.has('x-svc-sim-hint')).toBe(false)
  const zero = await create(`0x${'0'.repeat(40)}`)
  expect(zero.status).toBe(201)
  expect(zero.headers.get('x-svc-sim-hint')).toContain('Nobody can sign')
})

test('behavior: two prime accounts may each have a sub-account of one signer', async () => {
  const signer = freshSigner()
  const first = await createAccount(world, signer)
  const second = await createAccount(world, signer, keys.second.key)
  expect(second.id).not.toBe(first.id)
  expect(second.wallet).toBe(first.wallet)
})

test('error: account_already_exists, in whatever casing', async () => {
  const signer = `0x${'ab'.repeat(20)}`
  expect((await create(signer)).status).toBe(201)
  for (const again of [signer, `0x${'AB'.repeat(20)}`]) {
    expect(await create(again)).toMatchObject({
      status: 409,
      body: { error: 'account_already_exists' },
    })
  }
})

test('error: of many creations at once for one signer exactly one succeeds', async () => {
  const signer = freshSigner()
  const replies = await Promise.all(Array.from({ length: 20 }, () => create(signer)))
  const statuses = replies.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(statuses.filter((status) => status === 409)).toHaveLength(19)
})

describe('error: account_not_found', () => {
  test('for an unknown account', async () => {
    const { status, body } = await world.client.get('/accounts/acc_000000000000')
    expect({ status, ...body }).toEqual({
      status: 404,
      error: 'account_not_found',
      message: 'Account not found',
    })
  })

  test('for an account of another prime account, in the same words', async () => {
    const { id } = await createAccount(world, freshSigner())
    const mine = await world.client.get(`/accounts/${id}`)
    const theirs = await world.client.get(`/accounts/${id}`, { apiKey: keys.second.key })
    expect(mine.status).toBe(200)
    expect(theirs.status).toBe(404)
    expect(theirs.body).toEqual((await world.client.get('/accounts/acc_000000000000')).body)
  })
})

test('error: no invalid body creates an account', async () => {
  const valid = { signer_type: 'eoa', signer_address: freshSigner() }
  const bodies = invalidBodies(valid, { signer_type: 'enum', signer_address: 'address' })
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const reply = await world.client.post('/accounts', body)
      expect(reply).toMatchObject({ status: 400, body: { error: 'invalid_params' } })
    }),
    { numRuns: 150 },
  )
})

test('behavior: odd things around a valid body change nothing', async () => {
  const valid = { signer_type: 'eoa', signer_address: freshSigner() }
  await create(valid.signer_address)
  await fc.assert(
    fc.asyncProperty(oddButValid(valid), async (text) => {
      const headers = { 'content-type': 'application/json' }
      const reply = await world.client.send('POST', '/accounts', text, { headers })
      expect(reply.status).toBe(409)
      expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    }),
    { numRuns: 50 },
  )
})
