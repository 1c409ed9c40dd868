import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../kit/client.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

/** Two prime accounts, and one whose key was revoked, on one set of chains. */

const firstKey = 'qk_first0_00000000000000000000'
const secondKey = 'qk_second_11111111111111111111'
const revokedKey = 'qk_revoke_22222222222222222222'
const earn = { asset: 'USDC', amount: '1000000', network: 'base', protocol: 'compound' }
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ apiKeys: [firstKey, secondKey], revokedApiKeys: [revokedKey] })
})
afterAll(() => sim.close())

test('error: what belongs to another key answers like what does not exist, in the same words', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  const { activity } = await user.run('earn', earn)
  const plan = (await user.plan('earn', earn)).body as PlanBody
  const stranger = createClient({ url: sim.url, apiKey: secondKey })
  const execute = { plan_id: plan.plan_id, signature: `0x${'11'.repeat(65)}` }
  const requests: [string, string, unknown?][] = [
    ['GET', ''],
    ['GET', '/folio'],
    ['GET', '/folio?cached=true'],
    ['GET', '/folio/stream'],
    ['GET', '/events'],
    ['GET', '/activities'],
    ['GET', `/activities/${activity.activity_id}`],
    ['POST', '/plan/earn', earn],
    ['POST', '/plan/execute', execute],
  ]
  for (const [method, path, body] of requests) {
    const ask = async (id: string) => {
      const place = `/accounts/${id}${path}`
      const reply = method === 'GET' ? await stranger.get(place) : await stranger.post(place, body)
      return JSON.stringify({ status: reply.status, ...reply.body }).replaceAll(id, 'ID')
    }
    const foreign = await ask(user.id)
    expect(foreign, path).toContain('"status":404,"error":"account_not_found"')
    expect(foreign, path).toBe(await ask('acc_000000000000'))
  }
  const foreignActivity = await stranger.get(`/activities/${activity.activity_id}`)
  expect(foreignActivity).toMatchObject({ status: 404, body: { error: 'not_found' } })
  expect((await stranger.get('/accounts')).body).toEqual({ accounts: [] })
  // All that left the plan as it was.
  expect((await user.execute(plan)).status).toBe(200)
})

test('behavior: one signer under two keys has one wallet, and two accounts that do not see each other', async () => {
  const key = generatePrivateKey()
  const [first, second] = [await openUser(sim, key), await openUser(sim, key, secondKey)]
  expect(second.wallet).toBe(first.wallet)
  expect(second.id).not.toBe(first.id)
  await first.fund('base', 'USDC', 5_000_000n)

  const stale = (await second.plan('earn', earn)).body as PlanBody
  await first.run('earn', earn)
  // The wallet has moved on, whoever moved it.
  expect(await second.execute(stale)).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
  expect((await second.api.get(`${second.path}/events`)).body).toEqual({ events: [], cursor: 0 })
  expect((await second.api.get(`${second.path}/activities`)).body).toEqual({ activities: [] })
  const { folio } = (await second.api.get(`${second.path}/folio`)).body
  expect(folio.balances[`token/base/USDC/${second.wallet}`]).toBe('4e6')
  expect((await second.run('earn', earn)).activity.activity_status).toBe('confirmed')
})

test('error: api_key_revoked everywhere, also where nothing would be found', async () => {
  const revoked = createClient({ url: sim.url, apiKey: revokedKey })
  for (const path of [
    '/accounts',
    '/networks',
    '/prime_account',
    '/accounts/acc_000000000000/folio',
  ])
    expect(await revoked.get(path)).toMatchObject({
      status: 401,
      body: { error: 'api_key_revoked' },
    })
  const signer = { signer_type: 'eoa', signer_address: `0x${'44'.repeat(20)}` }
  expect((await revoked.post('/accounts', signer)).status).toBe(401)
})

test('error: account_already_exists in any casing, and the account stays as it was', async () => {
  const user = await openUser(sim)
  for (const signer_address of [
    user.signer.toLowerCase(),
    `0x${user.signer.slice(2).toUpperCase()}`,
  ])
    expect(await user.api.post('/accounts', { signer_type: 'eoa', signer_address })).toMatchObject({
      status: 409,
      body: { error: 'account_already_exists' },
    })
  const { body } = await user.api.get(user.path)
  expect(body).toMatchObject({ account_id: user.id, signer_address: user.signer })
})
