import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invalidBodies, oddButValid } from '../../../test/kit/arbitraries.js'
import { example, planExample } from '../../../test/kit/examples.js'
import {
  createAccount,
  earnKind,
  examplePlans,
  type HttpWorld,
  keys,
  startHttpWorld,
} from '../../../test/kit/httpWorld.js'
import { type ProblemCode, ServiceError } from '../../lib/errors.js'
import { afterLostExecution } from '../../service/plans/execute/causeSentence.js'
import { planCodes } from '../../service/plans/model/kind.js'

const earnBody = { amount: '1000000', asset: 'USDC', network: 'base', protocol: 'compound' }
const executeBody = { plan_id: example.planId, signature: '0x12' }

let world: HttpWorld
let account: string
const created: unknown[] = []
const executed: unknown[] = []
beforeAll(async () => {
  world = await startHttpWorld({
    service: {
      plans: {
        ...examplePlans,
        async create(kind, { accountId }, intent) {
          created.push({ kind, accountId, intent })
          return planExample
        },
        async execute(account, request) {
          executed.push({ accountId: account.accountId, ...request })
          return examplePlans.execute(account, request)
        },
      },
    },
  })
  account = (await createAccount(world)).id
})
afterAll(() => world[Symbol.asyncDispose]())

/** A world whose planner fails in one way. */
function failing(code: ProblemCode): Promise<HttpWorld> {
  const fail = async (): Promise<never> => {
    throw new ServiceError(code, `message of ${code}`, { hint: `hint of ${code}` })
  }
  return startHttpWorld({ service: { plans: { ...examplePlans, create: fail, execute: fail } } })
}

test('default', async () => {
  const { status, body } = await world.client.post(`/accounts/${account}/plan/earn`, earnBody)
  expect({ status, body }).toEqual({ status: 201, body: planExample })
  expect(created.at(-1)).toEqual({
    kind: 'earn',
    accountId: account,
    intent: { ...earnBody, amount: 1000000n },
  })
})

test('behavior: the path of a kind need not be its name', async () => {
  await world.client.post(`/accounts/${account}/plan/claim-rewards`, { asset: 'COMP' })
  expect(created.at(-1)).toMatchObject({ kind: 'claimRewards', intent: { asset: 'COMP' } })
})

test('behavior: execute', async () => {
  const { status, body } = await world.client.post(`/accounts/${account}/plan/execute`, executeBody)
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      plan_id: example.planId,
      svc_intent_id: example.intentId,
      activity_id: example.activityId,
      status: 'executing',
    },
  })
})

test('behavior: a signature of any form is the planner’s business', async () => {
  for (const signature of ['0x', 'garbage', '0xzz', `0x${'1'.repeat(131)}`, '1'.repeat(10_000)]) {
    await world.client.post(`/accounts/${account}/plan/execute`, { ...executeBody, signature })
    expect(executed.at(-1)).toEqual({ accountId: account, planId: example.planId, signature })
  }
})

test('error: no invalid body reaches the planner', async () => {
  const before = [created.length, executed.length]
  const earn = invalidBodies(earnBody, {
    amount: 'amount',
    asset: 'text',
    network: 'enum',
    protocol: 'enum',
  })
  const execute = invalidBodies(executeBody, { plan_id: 'text', signature: 'text' })
  const requests = fc.oneof(
    fc.tuple(fc.constant('earn'), earn),
    fc.tuple(fc.constant('execute'), execute),
  )
  await fc.assert(
    fc.asyncProperty(requests, async ([path, body]) => {
      const reply = await world.client.post(`/accounts/${account}/plan/${path}`, body)
      expect(reply).toMatchObject({ status: 400, body: { error: 'invalid_params' } })
      expect(reply.body.message.length).toBeLessThan(2000)
    }),
    { numRuns: 300 },
  )
  expect([created.length, executed.length]).toEqual(before)
})

test('behavior: odd things around a valid body do not reach the planner', async () => {
  const intent = { ...earnBody, amount: 1000000n }
  await fc.assert(
    fc.asyncProperty(oddButValid(earnBody), async (text) => {
      const headers = { 'content-type': 'application/json' }
      const path = `/accounts/${account}/plan/earn`
      const reply = await world.client.send('POST', path, text, { headers })
      expect(reply.status).toBe(201)
      expect(created.at(-1)).toEqual({ kind: 'earn', accountId: account, intent })
    }),
    { numRuns: 50 },
  )
})

describe('error: account_not_found', () => {
  test.each([
    ['earn', earnBody],
    ['claim-rewards', { asset: 'COMP' }],
    ['execute', executeBody],
  ])('plan/%s', async (path, body) => {
    const unknown = await world.client.post(`/accounts/acc_000000000000/plan/${path}`, body)
    const theirs = await world.client.post(`/accounts/${account}/plan/${path}`, body, {
      apiKey: keys.second.key,
    })
    for (const reply of [unknown, theirs]) {
      expect(reply).toMatchObject({ status: 404, body: { error: 'account_not_found' } })
    }
  })
})

describe('error: what the planner throws is answered with its status, message and hint', () => {
  test.each<[ProblemCode, number]>([
    ['plan_failed', 400],
    ['no_wallet', 400],
    ['timeout', 408],
    ['invalid_params', 400],
  ])('earn: %s', async (code, status) => {
    await using world = await failing(code)
    const { id } = await createAccount(world)
    const reply = await world.client.post(`/accounts/${id}/plan/earn`, earnBody)
    expect(reply.status).toBe(status)
    expect(reply.body).toEqual({ error: code, message: `message of ${code}` })
    expect(reply.headers.get('x-svc-sim-hint')).toBe(`hint of ${code}`)
  })

  test.each<[ProblemCode, number]>([
    ['plan_not_found', 404],
    ['plan_stale', 409],
    ['internal_error', 500],
  ])('execute: %s', async (code, status) => {
    await using world = await failing(code)
    const { id } = await createAccount(world)
    const reply = await world.client.post(`/accounts/${id}/plan/execute`, executeBody)
    expect(reply).toMatchObject({ status, body: { error: code } })
    expect(world.errors).toEqual([])
  })

  test('a code that the endpoint does not document is caught by the test client', async () => {
    await using world = await failing('swap_quote_failed')
    const { id } = await createAccount(world)
    await expect(world.client.post(`/accounts/${id}/plan/earn`, earnBody)).rejects.toThrow(
      '422: this status is not documented',
    )
    expect(planCodes(earnKind)).not.toContain('swap_quote_failed')
  })
})

test('behavior: the hint says that an Idempotency-Key is ignored, and what to do after a lost response', async () => {
  const post = (headers: Record<string, string>) =>
    world.client.post(`/accounts/${account}/plan/earn`, earnBody, { headers })
  const told = (await post({ 'idempotency-key': 'a' })).headers.get('x-svc-sim-hint') ?? ''
  expect(told).toContain('Idempotency-Key is ignored')
  expect(told).toContain(afterLostExecution)
  expect(told.match(/Idempotency-Key/g)).toHaveLength(1)
  expect((await post({})).headers.get('x-svc-sim-hint') ?? '').not.toContain('Idempotency')
})
