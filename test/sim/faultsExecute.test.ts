import type { Address, Hex } from 'viem'
import { createPublicClient, erc20Abi, http } from 'viem'
import { generatePrivateKey, sign, signMessage } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { actors } from '../../src/deployments/actors.js'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import type { Why } from '../../src/observe/journal/whySchema.js'
import { rpc } from '../kit/http.js'
import { expectSigned } from '../kit/signed.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { type ActivityBody, openUser, type PlanBody } from '../kit/user.js'

/** Executions that go wrong between the service and the chain: what the client sees, and what has really happened. */

const book = loadAddressBook()
const friend: Address = '0x00000000000000000000000000000000000f41e7'
const transfer = { asset: 'USDC', amount: '1000000', network: 'base', recipient: friend }
const all = 5_000_000n
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ bridgeDelayMs: 20 })
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

type User = Awaited<ReturnType<typeof openUser>>

async function funded(): Promise<User> {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', all)
  return user
}

async function planOf(user: User, body: unknown = transfer): Promise<PlanBody> {
  const { body: plan } = await user.plan('transfer', body)
  expect(plan).toMatchObject({ plan_id: expect.any(String) })
  return plan as PlanBody
}

function usdcOf(account: Address): Promise<bigint> {
  const client = createPublicClient({ transport: http(sim.rpc('base')) })
  const { address } = book.token('base', 'USDC')!
  return client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account] })
}

async function activityOf(user: User, id: string): Promise<ActivityBody> {
  return (await user.api.get(`/activities/${id}`)).body as ActivityBody
}

/** Waits, by long polls, until an item of the activity has a transaction hash. */
async function submitted(user: User, id: string): Promise<Hex> {
  for (let cursor = 0; ; ) {
    const hash = (await activityOf(user, id)).activity_metadata[0]!.transaction_hash
    if (hash) return hash
    cursor = (await user.api.get(`${user.path}/events?since=${cursor}&poll=true`)).body.cursor
  }
}

/** The receipt of the first transaction after a block; what moves the clock makes empty blocks. */
async function nextTransaction(block: number): Promise<{ status: Hex; from: Address }> {
  const next = `0x${(block + 1).toString(16)}`
  const { transactions } = await rpc<{ transactions: Hex[] }>(
    sim.rpc('base'),
    'eth_getBlockByNumber',
    [next, false],
  )
  if (transactions.length === 0) return nextTransaction(block + 1)
  return rpc(sim.rpc('base'), 'eth_getTransactionReceipt', [transactions[0]])
}

/** Plans a transfer and executes it with a fault in the header. */
async function executeWith(user: User, fault: string) {
  const plan = await planOf(user)
  const hash = plan.details.eip712_data.digest
  const signature = await sign({ hash, privateKey: user.key, to: 'hex' })
  const headers = { 'x-svc-sim-fault': fault }
  const body = { plan_id: plan.plan_id, signature }
  return user.api.post(`${user.path}/plan/execute`, body, { headers })
}

/** The account goes on as if nothing had been. */
async function goesOn(user: User): Promise<void> {
  await sim.faults.clear()
  expect((await user.run('transfer', transfer)).activity.activity_status).toBe('confirmed')
}

test('behavior: reject_signature: the wallet refuses, the plan stays usable, the second try goes through', async () => {
  const user = await funded()
  const plan = await planOf(user)
  await sim.faults.add({ on: 'execute', effect: 'reject_signature', times: 1 })
  expect(await user.execute(plan)).toMatchObject({ status: 500, body: { error: 'internal_error' } })
  expect(await usdcOf(user.wallet)).toBe(all)
  const again = await user.execute(plan)
  expect(again.status).toBe(200)
  expect((await user.follow(again.body.activity_id)).activity_status).toBe('confirmed')
  expect(sim.faults.list()).toMatchObject([{ seen: 2, hits: 1 }])
})

test('behavior: reject_signature is no hit where the client signed wrongly: the cause is whose key has to sign', async () => {
  const user = await funded()
  const plan = await planOf(user)
  const hash = plan.details.eip712_data.digest
  const right = await sign({ hash, privateKey: user.key, to: 'hex' })
  const other = await sign({ hash, privateKey: generatePrivateKey(), to: 'hex' })
  const personal = await signMessage({ message: { raw: hash }, privateKey: user.key })
  // The right key, in a form that wallets refuse: v is 0 or 1.
  const formless = right.replace(/..$/, (v) => (v === '1b' ? '00' : '01'))
  await sim.faults.add({ id: 'bit', on: 'execute', sequence: ['reject_signature', 'ok'] })
  const execute = async (signature: string, headers = {}) => {
    const body = { plan_id: plan.plan_id, signature }
    const refused = await user.api.post(`${user.path}/plan/execute`, body, { headers })
    const id = refused.headers.get('x-svc-sim-request-id')
    const response = await fetch(`${sim.controlUrl}/why/${id}`)
    const why = (await response.json()) as Why
    return { refused, why, hint: refused.headers.get('x-svc-sim-hint') }
  }
  for (const [signature, says] of [
    [other, /another key/],
    [personal, /personal_sign/],
    [formless, /v must be 27 or 28/],
    [right.slice(0, -2), /64 bytes/],
  ] as const) {
    const header = { 'x-svc-sim-fault': 'execute.reject_signature' }
    for (const headers of [{}, header]) {
      const { refused, why, hint } = await execute(signature, headers)
      expect(refused).toMatchObject({ status: 500, body: { error: 'internal_error' } })
      expect(refused.headers.get('x-svc-sim-fault')).toBeNull()
      expect(hint).toMatch(says)
      expect(why.verdict.fault).toBeUndefined()
      expect(why.verdict.next).toMatch(new RegExp(`^sign .*${user.signer}`))
    }
  }
  // None of them used up the step, which the right signature meets.
  expect(sim.faults.list()).toMatchObject([{ seen: 8, hits: 0, used: 0 }])
  const { why, hint } = await execute(right)
  expect(hint).toMatch(/^Fault rule bit \(execute.reject_signature\) changed one bit /)
  expect(why.verdict.fault).toEqual({ rule: 'bit', effect: 'execute.reject_signature' })
  expect(sim.faults.list()).toMatchObject([{ seen: 9, hits: 1, used: 1 }])
  expect((await execute(right)).refused.status).toBe(200)
})

test.each([
  ['nonce', 'NonReplayableNonce'],
  ['gas', 'FailedDeployment()'],
] as const)(
  'behavior: revert by %s: mined, reverted, told with the reason; nothing has moved',
  async (by, reason) => {
    const user = await funded()
    await sim.faults.add({ on: 'execute', effect: { revert: { by } } })
    const { activity } = await user.run('transfer', transfer)
    expect(activity.activity_status).toBe('failed')
    const [item] = activity.activity_metadata
    expect(item).toMatchObject({ success: false, revert_reason: expect.stringContaining(reason) })
    const receipt = await rpc<{ status: Hex }>(sim.rpc('base'), 'eth_getTransactionReceipt', [
      item!.transaction_hash,
    ])
    expect(receipt.status).toBe('0x0')
    expect(await usdcOf(user.wallet)).toBe(all)
    await goesOn(user)
  },
)

test('behavior: stuck: pending with a hash that waits in the pool, while others go on; removing the rule mines it', async () => {
  const [user, other] = [await funded(), await funded()]
  const { id } = await sim.faults.add({
    on: 'execute',
    effect: 'stuck',
    match: { account_id: user.id },
  })
  const executed = await user.execute(await planOf(user))
  const hash = await submitted(user, executed.body.activity_id)
  expect(await rpc(sim.rpc('base'), 'eth_getTransactionByHash', [hash])).toMatchObject({
    blockNumber: null,
  })
  expect((await other.run('transfer', transfer)).activity.activity_status).toBe('confirmed')
  expect((await activityOf(user, executed.body.activity_id)).activity_status).toBe('pending')
  expect(await usdcOf(user.wallet)).toBe(all)
  expect(await sim.faults.remove(id)).toBe(true)
  const activity = await user.follow(executed.body.activity_id)
  expect(activity.activity_status).toBe('confirmed')
  expect(activity.activity_metadata[0]!.transaction_hash).toBe(hash)
  expect(await usdcOf(user.wallet)).toBe(all - 1_000_000n)
})

test('behavior: a rule is not used up by an execute of no plan', async () => {
  const user = await funded()
  await sim.faults.add({ id: 'once', on: 'execute', effect: 'revert', times: 1 })
  const body = { plan_id: 'pln_nope', signature: `0x${'11'.repeat(65)}` }
  const missed = await user.api.post(`${user.path}/plan/execute`, body)
  expect([missed.status, missed.headers.get('x-svc-sim-fault')]).toEqual([404, null])
  expect(sim.faults.list()[0]!.hits).toBe(0)
  expect((await user.run('transfer', transfer)).activity.activity_status).toBe('failed')
  expect(sim.faults.list()[0]!.hits).toBe(1)
})

test('behavior: stuck by a header: its end is that of all rules, and not before', async () => {
  const user = await funded()
  const executed = await executeWith(user, 'execute.stuck')
  const hash = await submitted(user, executed.body.activity_id)
  await sim.faults.set([])
  expect(await rpc(sim.rpc('base'), 'eth_getTransactionByHash', [hash])).toMatchObject({
    blockNumber: null,
  })
  await sim.faults.clear()
  const activity = await user.follow(executed.body.activity_id)
  expect(activity.activity_status).toBe('confirmed')
  expect(activity.activity_metadata[0]!.transaction_hash).toBe(hash)
  await sim.faults.clear()
  expect((await user.run('transfer', transfer)).activity.activity_status).toBe('confirmed')
})

test('behavior: stuck for some seconds ends by itself', async () => {
  const user = await funded()
  await sim.faults.add({ on: 'execute', effect: { stuck: { seconds: 100 } } })
  const executed = await user.execute(await planOf(user))
  const hash = await submitted(user, executed.body.activity_id)
  await expectSigned(sim.rpc('base'), hash)
  await sim.clock.advance(50)
  expect((await activityOf(user, executed.body.activity_id)).activity_status).toBe('pending')
  await sim.clock.advance(51)
  expect((await activityOf(user, executed.body.activity_id)).activity_status).toBe('confirmed')
})

test('behavior: stuck stays stuck over a snapshot and its restore', async () => {
  const user = await funded()
  const { id } = await sim.faults.add({ on: 'execute', effect: 'stuck' })
  const executed = await user.execute(await planOf(user))
  const hash = await submitted(user, executed.body.activity_id)
  await sim.snapshot('stuck')
  expect(await rpc(sim.rpc('base'), 'eth_getTransactionByHash', [hash])).toMatchObject({
    blockNumber: null,
  })
  await sim.restore('stuck')
  expect((await activityOf(user, executed.body.activity_id)).activity_status).toBe('pending')
  expect(await usdcOf(user.wallet)).toBe(all)
  await sim.faults.remove(id)
  const { activity_status } = await user.follow(executed.body.activity_id)
  expect(activity_status).toBe('confirmed')
  expect(await usdcOf(user.wallet)).toBe(all - 1_000_000n)
})

test('behavior: stuck while a reorganisation takes back blocks, it is mined all the same', async () => {
  const [user, other] = [await funded(), await funded()]
  const { body } = await executeWith(user, 'execute.stuck')
  const hash = await submitted(user, body.activity_id)
  await other.run('transfer', transfer)
  await rpc(sim.rpc('base'), 'anvil_rollback', [2])
  await sim.faults.clear()
  const { activity_status, activity_metadata } = await user.follow(body.activity_id)
  expect([activity_status, activity_metadata[0]!.transaction_hash]).toEqual(['confirmed', hash])
  expect(await usdcOf(user.wallet)).toBe(all - 1_000_000n)
})

test('behavior: dropped: the hash is known to nobody, the activity fails, nothing has moved, a new plan works', async () => {
  const user = await funded()
  await sim.faults.add({ on: 'execute', effect: 'dropped' })
  const executed = await user.execute(await planOf(user))
  const hash = await submitted(user, executed.body.activity_id)
  expect(await rpc(sim.rpc('base'), 'eth_getTransactionByHash', [hash])).toBe(null)
  expect((await activityOf(user, executed.body.activity_id)).activity_status).toBe('pending')
  await sim.clock.advance(31)
  const activity = await activityOf(user, executed.body.activity_id)
  expect(activity.activity_status).toBe('failed')
  expect(activity.activity_metadata[0]).toMatchObject({
    success: false,
    revert_reason: `the transaction ${hash} left the pool without being mined; nothing has moved`,
  })
  expect(await usdcOf(user.wallet)).toBe(all)
  await goesOn(user)
})

test('behavior: response_lost: no answer, but the money has moved; asking again says plan_not_found', async () => {
  const user = await funded()
  const plan = await planOf(user)
  await sim.faults.add({ on: 'execute', effect: 'response_lost', times: 1 })
  await expect(user.execute(plan)).rejects.toThrow()
  expect(await usdcOf(user.wallet)).toBe(all - 1_000_000n)
  expect(await user.execute(plan)).toMatchObject({
    status: 404,
    body: { error: 'plan_not_found' },
  })
  const { body } = await user.api.get(`${user.path}/activities`)
  expect(body.activities).toHaveLength(1)
  const activity = await user.follow(body.activities[0].activity_id)
  expect(activity.activity_status).toBe('confirmed')
})

test('behavior: duplicate: the second transaction reverts on the nonce; money moves once, one confirmation', async () => {
  const user = await funded()
  await sim.faults.add({ on: 'execute', effect: 'duplicate' })
  const { activity } = await user.run('transfer', transfer)
  expect(activity.activity_status).toBe('confirmed')
  await sim.faults.clear()
  const { number, transactions } = await rpc<{ number: Hex; transactions: Hex[] }>(
    sim.rpc('base'),
    'eth_getBlockByNumber',
    ['latest', false],
  )
  const [second] = transactions
  const receipt = await rpc<{ status: Hex; from: Address }>(
    sim.rpc('base'),
    'eth_getTransactionReceipt',
    [second],
  )
  expect(receipt).toMatchObject({ status: '0x0', from: actors.relayer })
  const first = activity.activity_metadata[0]!
  expect(first.transaction_hash).not.toBe(second)
  expect(Number(number)).toBeGreaterThan(first.executed_at_block_number as number)
  expect(await usdcOf(user.wallet)).toBe(all - 1_000_000n)
  const { body } = await user.api.get(`${user.path}/events?since=0`)
  const statuses = body.events.map(
    (event: { data: { activity_status: string } }) => event.data.activity_status,
  )
  expect(statuses).toEqual(['pending', 'confirmed'])
})

test.each([
  {
    order: ['dropped', 'stuck'],
    early: 'failed',
    late: 'failed',
    reason: 'left the pool without being mined',
  },
  { order: [{ stuck: { seconds: 100 } }, 'dropped'], early: 'pending', late: 'confirmed' },
  {
    order: ['revert', { stuck: { seconds: 100 } }],
    early: 'pending',
    late: 'failed',
    reason: 'NonReplayableNonce',
  },
  { order: [{ stuck: { seconds: 100 } }, 'revert'], early: 'pending', late: 'confirmed' },
  {
    order: [{ revert: { by: 'gas' } }, 'duplicate'],
    early: 'failed',
    late: 'failed',
    reason: 'FailedDeployment()',
  },
] as const)(
  'behavior: two rules for one transaction, the first outermost: $order',
  async ({ order, early, late, ...told }) => {
    const user = await funded()
    await sim.faults.set(order.map((effect) => ({ on: 'execute', effect, times: 1 })))
    const executed = await user.execute(await planOf(user))
    const id = executed.body.activity_id
    await submitted(user, id)
    await sim.clock.advance(50)
    expect((await activityOf(user, id)).activity_status).toBe(early)
    await sim.clock.advance(51)
    const activity = await user.follow(id)
    expect(activity.activity_status).toBe(late)
    if ('reason' in told)
      expect(activity.activity_metadata[0]!.revert_reason).toContain(told.reason)
    expect(await usdcOf(user.wallet)).toBe(late === 'confirmed' ? all - 1_000_000n : all)
    expect(sim.faults.list().map(({ hits }) => hits)).toEqual([1, 1])
    await goesOn(user)
  },
)

test('behavior: duplicate around stuck: the second transaction comes when the first has been let go', async () => {
  const user = await funded()
  await sim.faults.set([
    { on: 'execute', effect: 'duplicate', times: 1 },
    { on: 'execute', effect: { stuck: { seconds: 100 } }, times: 1 },
  ])
  const executed = await user.execute(await planOf(user))
  const hash = await submitted(user, executed.body.activity_id)
  await sim.clock.advance(101)
  const activity = await user.follow(executed.body.activity_id)
  expect(activity.activity_status).toBe('confirmed')
  expect(activity.activity_metadata[0]!.transaction_hash).toBe(hash)
  const { executed_at_block_number: first } = activity.activity_metadata[0]!
  const second = await nextTransaction(first as number)
  expect(second).toMatchObject({ status: '0x0', from: actors.relayer })
  expect(await usdcOf(user.wallet)).toBe(all - 1_000_000n)
})

test.each([
  ['response_lost', 'stuck'],
  ['stuck', 'response_lost'],
])('behavior: %s around %s: no answer, and the activity is found pending', async (...order) => {
  const user = await funded()
  const plan = await planOf(user)
  await sim.faults.set(order.map((effect) => ({ on: 'execute', effect, times: 1 })))
  await expect(user.execute(plan)).rejects.toThrow()
  const { body } = await user.api.get(`${user.path}/activities`)
  expect(body.activities).toMatchObject([{ plan_id: plan.plan_id, activity_status: 'pending' }])
  const { activity_id: id } = body.activities[0]
  await submitted(user, id)
  await sim.faults.clear()
  expect((await user.follow(id)).activity_status).toBe('confirmed')
  expect(await usdcOf(user.wallet)).toBe(all - 1_000_000n)
})

test('behavior: a rule in the header is outside of all others', async () => {
  const user = await funded()
  await sim.faults.add({ on: 'execute', effect: { stuck: { seconds: 100 } } })
  const executed = await executeWith(user, 'execute.dropped')
  await submitted(user, executed.body.activity_id)
  await sim.clock.advance(50)
  const { activity_status } = await activityOf(user, executed.body.activity_id)
  expect(activity_status).toBe('failed')
  expect(await usdcOf(user.wallet)).toBe(all)
})

test('behavior: a plan across networks: the fault is on the network that the rule names', async () => {
  const user = await funded()
  await user.fund('optimism', 'USDC', all)
  await sim.faults.add({ on: 'execute', effect: 'revert', match: { network: 'base' } })
  const { activity } = await user.run('transfer', { ...transfer, amount: '7000000' })
  expect(activity.activity_status).toBe('failed')
  expect(activity.activity_metadata.map(({ chain_id, success }) => [chain_id, success])).toEqual([
    [10, true],
    [8453, true],
    [8453, false],
  ])
})

test('behavior: a simulator with stuck executions closes', async () => {
  await using other = await createSimulator()
  const user = await openUser(other)
  await user.fund('base', 'USDC', all)
  await other.faults.add({ on: 'execute', effect: 'stuck' })
  const executed = await user.execute(await planOf(user))
  await submitted(user, executed.body.activity_id)
  await other.close()
})

test('error: rules that name what does not exist or does not fit', async () => {
  const refused: [unknown, string][] = [
    ['stuck', 'malformed'],
    [{ on: 'exekute', effect: 'stuck' }, 'there is no seam "exekute"; seams: request'],
    [{ on: 'execute', effect: 'stuk' }, 'it has reject_signature, revert, stuck'],
    [{ on: 'execute', effect: { stuck: { seconds: -1 } } }, 'execute.stuck do not fit: seconds'],
    [{ on: 'execute', effect: { stuck: {}, revert: {} } }, 'this one has 2 names'],
    [{ on: 'execute', effect: 'stuck', times: 0 }, 'times'],
    [{ on: 'execute', effect: 'stuck', match: { network: 'gnosis' } }, 'match.network'],
    [{ on: 'execute', effect: 'stuck', matches: {} }, 'matches'],
  ]
  for (const [rule, message] of refused)
    await expect(sim.faults.add(rule), message).rejects.toThrow(message)
  expect(sim.faults.list()).toEqual([])
  await sim.faults.add({ id: 'mine', on: 'execute', effect: 'stuck' })
  await expect(sim.faults.add({ id: 'mine', on: 'execute', effect: 'stuck' })).rejects.toThrow(
    'there is a rule "mine" already',
  )
})
