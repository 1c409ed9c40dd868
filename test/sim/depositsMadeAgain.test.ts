import { type Address, type Hex, pad, toHex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ChainReads, readsOf } from '../kit/chainReads.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { submitBehindItsBack } from '../kit/submit.js'
import { type ActivityBody, openUser, type PlanBody, type User } from '../kit/user.js'

/**
 * Deposits count up per network. When blocks are replaced, the same deposit may come back under another number, and its old
 * number may become another deposit's. Nobody's money may be taken for somebody else's, and nothing may be paid twice.
 */

let sim: SimulatorHandle
let chain: ChainReads
beforeEach(async () => {
  sim = await createSimulator({ clock: 'frozen', seed: 7n, bridgeDelayMs: 2_000 })
  chain = readsOf(sim)
})
afterEach(() => sim.close())

const whole = 1_000_000n
const own = 1_000n * whole

async function funded(onBase = 0n): Promise<User> {
  const user = await openUser(sim)
  await user.fund('arbitrum', 'USDC', own)
  if (onBase > 0n) await user.fund('base', 'USDC', onBase)
  return user
}

/** Somebody who has nothing yet. */
const stranger = (n: number): Address => pad(toHex(0xf41e00 + n), { size: 20 })
const transfer = (amount: bigint, recipient: Address) => ({
  asset: 'USDC',
  network: 'base',
  amount: amount.toString(),
  recipient,
})

async function begin(user: User, body: object): Promise<{ plan: PlanBody; id: string }> {
  const planned = await user.plan('transfer', body)
  expect(planned.status).toBe(201)
  const executed = await user.execute(planned.body as PlanBody)
  expect(executed.status).toBe(200)
  await sim.clock.advance(0)
  return { plan: planned.body as PlanBody, id: executed.body.activity_id }
}

const activityOf = async (user: User, id: string): Promise<ActivityBody> =>
  (await user.api.get(`/activities/${id}`)).body as ActivityBody

async function endOf(user: User, id: string) {
  const { activity_status, activity_metadata } = await activityOf(user, id)
  return [activity_status, ...activity_metadata.map((item) => [item.action_type, item.success])]
}

const confirmed = [
  'confirmed',
  ['BRIDGE', true],
  ['BRIDGE_MINT', true],
  ['TRANSFER', true],
] as const

const usdc = (network: 'base' | 'arbitrum', account: Address) =>
  chain.balance(network, 'USDC', account)

/** What the plan's deposit takes out of the wallet. */
function debitOf(plan: PlanBody): bigint {
  const [bridge] = plan.details.svc_operation_actions
  return BigInt((bridge!.action.action_context as { input_amount: string }).input_amount)
}

/** Every item that says that it has happened names a transaction that is on its chain, in the block that it says. */
async function expectOnChain(user: User, id: string): Promise<void> {
  for (const item of (await activityOf(user, id)).activity_metadata) {
    const network = item.chain_id === 8453 ? 'base' : 'arbitrum'
    const receipt = await chain.request<{ status: Hex; blockNumber: Hex } | null>(
      network,
      'eth_getTransactionReceipt',
      [item.transaction_hash],
    )
    expect([item.action_type, receipt?.status]).toEqual([item.action_type, '0x1'])
    expect(item.executed_at_block_number).toBe(Number(receipt!.blockNumber))
  }
}

test.each([
  ['of its source network', { network: 'arbitrum' }],
  ['of every network', {}],
])(
  'default: a reorganisation %s under one plan gives its number to another’s deposit: both are paid once',
  async (_, match) => {
    const [a, b] = [await funded(), await funded()]
    await sim.faults.add({
      on: 'chain',
      effect: { reorg: { depth: 1 } },
      match: { account_id: a.id, ...match },
      times: 1,
    })
    const first = await begin(a, transfer(500n * whole, stranger(1)))
    const second = await begin(b, transfer(700n * whole, stranger(2)))
    await sim.clock.advance(30)
    for (const [user, { plan, id }] of [
      [a, first],
      [b, second],
    ] as const) {
      expect(await endOf(user, id)).toEqual(confirmed)
      await expectOnChain(user, id)
      expect(await usdc('arbitrum', user.wallet)).toBe(own - debitOf(plan))
      expect(await usdc('base', user.wallet)).toBe(0n)
    }
    expect(await usdc('base', stranger(1))).toBe(500n * whole)
    expect(await usdc('base', stranger(2))).toBe(700n * whole)
  },
)

test('behavior: a deposit that was paid for and gets another number is not paid for again', async () => {
  const [a, b] = [await funded(), await funded()]
  await sim.faults.set([
    {
      on: 'chain',
      effect: { reorg: { depth: 1 } },
      match: { account_id: a.id, network: 'arbitrum' },
      times: 1,
    },
    { on: 'bridge', effect: { delay: { seconds: 60 } }, match: { account_id: a.id } },
  ])
  const first = await begin(a, transfer(500n * whole, stranger(1)))
  const second = await begin(b, transfer(700n * whole, stranger(2)))
  await sim.clock.advance(10)
  expect(await endOf(b, second.id)).toEqual(confirmed)
  // Now the first one is confirmed too, falls out, and leaves its number to the second.
  await sim.clock.advance(120)
  expect(await endOf(a, first.id)).toEqual(confirmed)
  expect(await endOf(b, second.id)).toEqual(confirmed)
  for (const user of [a, b]) expect(await usdc('base', user.wallet)).toBe(0n)
  expect(await usdc('base', stranger(1))).toBe(500n * whole)
  expect(await usdc('base', stranger(2))).toBe(700n * whole)
})

/** A deposit of somebody's failed plan is taken back with the money for it, its fill stays: the next deposit has its number. */
async function takenBackButFilled(): Promise<void> {
  const before = await chain.request<Hex>('arbitrum', 'eth_blockNumber')
  const other = await funded(100n * whole)
  await sim.faults.set([{ on: 'bridge', effect: 'partial', times: 1 }])
  const { id } = await begin(other, transfer(500n * whole, stranger(9)))
  await sim.clock.advance(10)
  expect((await activityOf(other, id)).activity_status).toBe('failed')
  await chain.rollbackTo('arbitrum', before)
  expect((await endOf(other, id))[1]).toEqual(['BRIDGE', false])
  await sim.faults.clear()
}

const pending = ['pending', ['BRIDGE', true], ['BRIDGE_MINT', null], ['TRANSFER', null]]

test('behavior: another deposit’s fill of the same number does not count: held up, then filled', async () => {
  const user = await funded(100n * whole)
  await takenBackButFilled()
  const { id: rule } = await sim.faults.add({ on: 'bridge', effect: 'stuck' })
  const { id, plan } = await begin(user, transfer(700n * whole, stranger(1)))
  await sim.clock.advance(60)
  expect(await endOf(user, id)).toEqual(pending)
  await sim.faults.remove(rule)
  await sim.clock.advance(10)
  expect(await endOf(user, id)).toEqual(confirmed)
  expect(await usdc('base', stranger(1))).toBe(700n * whole)
  expect(await usdc('arbitrum', user.wallet)).toBe(own - debitOf(plan))
})

test('behavior: nor does it when the bridge refuses the deposit: it is refunded', async () => {
  const user = await funded(100n * whole)
  await takenBackButFilled()
  await sim.faults.add({ on: 'bridge', effect: 'refund' })
  const { id } = await begin(user, transfer(700n * whole, stranger(1)))
  await sim.clock.advance(10)
  expect((await activityOf(user, id)).activity_status).toBe('failed')
  expect(await usdc('arbitrum', user.wallet)).toBe(own)
  expect(await usdc('base', user.wallet)).toBe(100n * whole)
})

test('behavior: nor does it after a restore, while the fill is awaited', async () => {
  const user = await funded(100n * whole)
  await takenBackButFilled()
  const { id } = await begin(user, transfer(700n * whole, stranger(1)))
  const snapshot = await sim.snapshot()
  for (const _ of [1, 2]) {
    await sim.restore(snapshot)
    expect(await endOf(user, id)).toEqual(pending)
    await sim.clock.advance(10)
    expect(await endOf(user, id)).toEqual(confirmed)
    expect(await usdc('base', stranger(1))).toBe(700n * whole)
    expect(await usdc('base', user.wallet)).toBe(0n)
  }
})

/** Puts another deposit, which is refunded and so never made again, before what follows; resolves to how both are taken back. */
async function behindAnother(): Promise<() => Promise<unknown>> {
  const other = await funded()
  const before = await chain.request<Hex>('arbitrum', 'eth_blockNumber')
  await sim.faults.set([{ on: 'bridge', effect: 'refund', times: 1 }])
  const { id } = await begin(other, transfer(200n * whole, stranger(9)))
  expect((await activityOf(other, id)).activity_status).toBe('failed')
  await sim.faults.clear()
  return () => chain.rollbackTo('arbitrum', before)
}

test('behavior: a confirmed plan whose deposit is made again under another number has moved money once', async () => {
  const user = await funded()
  const takeBack = await behindAnother()
  const { id, plan } = await begin(user, transfer(500n * whole, stranger(1)))
  await sim.clock.advance(10)
  expect(await endOf(user, id)).toEqual(confirmed)
  await takeBack()
  await sim.clock.advance(30)
  expect(await endOf(user, id)).toEqual(confirmed)
  await expectOnChain(user, id)
  expect(await usdc('arbitrum', user.wallet)).toBe(own - debitOf(plan))
  expect(await usdc('base', user.wallet)).toBe(0n)
  expect(await usdc('base', stranger(1))).toBe(500n * whole)
  // The next one is a deposit of its own, although it asks for the same.
  const next = await begin(user, transfer(400n * whole, stranger(1)))
  await sim.clock.advance(10)
  expect(await endOf(user, next.id)).toEqual(confirmed)
  expect(await usdc('base', stranger(1))).toBe(900n * whole)
})

test('behavior: made again under another number while it is under way, it is listed once, and what it still needs stays reserved', async () => {
  const user = await funded(100n * whole)
  const takeBack = await behindAnother()
  const { id: rule } = await sim.faults.add({ on: 'bridge', effect: 'stuck' })
  const { id } = await begin(user, transfer(700n * whole, stranger(1)))
  await takeBack()
  expect(await endOf(user, id)).toEqual(pending)
  const { folio } = (await user.api.get(`${user.path}/folio`)).body
  expect(Object.keys(folio.patches).filter((key) => key.startsWith('across_fill/'))).toHaveLength(1)
  // The wallet's own hundred on base are promised to the first plan: a second one bridges.
  const second = await begin(user, transfer(100n * whole, stranger(2)))
  expect(second.plan.details.svc_operation_actions).toHaveLength(2)
  await sim.faults.remove(rule)
  await sim.clock.advance(20)
  for (const each of [id, second.id]) {
    expect(await endOf(user, each)).toEqual(confirmed)
    await expectOnChain(user, each)
  }
  expect(await usdc('base', stranger(1))).toBe(700n * whole)
  expect(await usdc('base', stranger(2))).toBe(100n * whole)
})

test('error: what pays for a deposit is taken back with it: the activity fails with the reason, and says nothing of a fill', async () => {
  const user = await funded()
  const before = await chain.request<Hex>('arbitrum', 'eth_blockNumber')
  await user.fund('arbitrum', 'USDC', own)
  await sim.faults.add({ on: 'bridge', effect: 'stuck' })
  const { id } = await begin(user, transfer(1_500n * whole, stranger(1)))
  await chain.rollbackTo('arbitrum', before)
  expect(await endOf(user, id)).toEqual(['failed', ['BRIDGE', false], ['TRANSFER', false]])
  const [bridge, sent] = (await activityOf(user, id)).activity_metadata
  expect(bridge!.revert_reason).toBe('ERC20: transfer amount exceeds balance')
  expect(sent!.revert_reason).toBe('not run: operation 1 of 2 (BRIDGE on arbitrum) failed')
  expect(await usdc('arbitrum', user.wallet)).toBe(own)
})

test.each([
  ['anvil_rollback', (depth: number) => [depth]],
  ['anvil_reorg', (depth: number) => [depth, []]],
])(
  'behavior: a refund that %s takes back: the deposit is served once more, and the plan goes on',
  async (method, params) => {
    const user = await funded()
    const { id: rule } = await sim.faults.add({ on: 'bridge', effect: 'refund' })
    const { id, plan } = await begin(user, transfer(500n * whole, stranger(1)))
    expect(await endOf(user, id)).toEqual([
      'failed',
      ['BRIDGE', true],
      ['BRIDGE_MINT', false],
      ['BRIDGE_REFUND', true],
      ['TRANSFER', false],
    ])
    await sim.faults.remove(rule)
    const [, , refund] = (await activityOf(user, id)).activity_metadata
    const latest = Number(await chain.request<Hex>('arbitrum', 'eth_blockNumber'))
    const depth = latest - Number(refund!.executed_at_block_number) + 1
    await chain.request('arbitrum', method, params(depth))
    await sim.clock.advance(10)
    expect(await endOf(user, id)).toEqual(confirmed)
    await expectOnChain(user, id)
    expect(await usdc('arbitrum', user.wallet)).toBe(own - debitOf(plan))
    expect(await usdc('base', stranger(1))).toBe(500n * whole)
  },
)

test('behavior: a fill that is taken back of a plan that has failed: it is made again, and the plan goes on', async () => {
  const user = await funded()
  const rule = await sim.faults.add({ on: 'bridge', effect: { partial: { percent: 40 } } })
  const { id, plan } = await begin(user, transfer(500n * whole, stranger(1)))
  await sim.clock.advance(10)
  const fell = ['failed', ['BRIDGE', true], ['BRIDGE_MINT', true], ['TRANSFER', false]]
  expect(await endOf(user, id)).toEqual(fell)
  const takeFillBack = async () => {
    const [, fill] = (await activityOf(user, id)).activity_metadata
    const latest = Number(await chain.request<Hex>('base', 'eth_blockNumber'))
    const depth = latest - Number(fill!.executed_at_block_number) + 1
    await chain.request('base', 'anvil_rollback', [depth])
    await sim.clock.advance(10)
  }
  // As long as the bridge pays too little it fails again, and says what has come this time.
  await takeFillBack()
  expect(await endOf(user, id)).toEqual(fell)
  const [, fill] = (await activityOf(user, id)).activity_metadata
  expect(
    await chain.request('base', 'eth_getTransactionReceipt', [fill!.transaction_hash]),
  ).toBeTruthy()
  await sim.faults.remove(rule.id)
  await takeFillBack()
  expect(await endOf(user, id)).toEqual(confirmed)
  await expectOnChain(user, id)
  expect(await usdc('arbitrum', user.wallet)).toBe(own - debitOf(plan))
  expect(await usdc('base', user.wallet)).toBe(0n)
  expect(await usdc('base', stranger(1))).toBe(500n * whole)
})

test.each([
  ['', ['arbitrum']],
  [', and its fill as well', ['arbitrum', 'base']],
] as const)(
  'behavior: a deposit is taken back of a plan that has failed%s: money is on one network alone, and the plan stays failed',
  async (_, networks) => {
    const user = await funded()
    await sim.faults.add({ on: 'bridge', effect: { partial: { percent: 40 } } })
    const { id, plan } = await begin(user, transfer(500n * whole, stranger(1)))
    await sim.clock.advance(10)
    const [deposit, fill] = (await activityOf(user, id)).activity_metadata
    const arrived = await usdc('base', user.wallet)
    for (const network of networks) {
      const item = network === 'arbitrum' ? deposit! : fill!
      const latest = Number(await chain.request<Hex>(network, 'eth_blockNumber'))
      const depth = latest - Number(item.executed_at_block_number) + 1
      await chain.request(network, 'anvil_rollback', [depth])
    }
    await sim.clock.advance(10)
    const fell = ['failed', ['BRIDGE', true], ['BRIDGE_MINT', true], ['TRANSFER', false]]
    expect(await endOf(user, id)).toEqual(fell)
    expect(await usdc('arbitrum', user.wallet)).toBe(own - debitOf(plan))
    expect(await usdc('base', user.wallet)).toBe(arrived)
  },
)

/** The activity is over, and names no transaction that is gone as if it were there. */
async function expectTakenBack(user: User, id: string, hash: unknown): Promise<void> {
  const { activity_status, activity_metadata } = await activityOf(user, id)
  expect(activity_status).toBe('failed')
  expect(activity_metadata[0]).toMatchObject({
    ...{ action_type: 'BRIDGE', success: false, transaction_hash: null },
    revert_reason: `a reorganisation took the transaction ${hash} off the chain; nothing has moved`,
  })
  expect(activity_metadata.filter(({ success }) => success)).toEqual([])
}

test('behavior: a refund that is taken back together with its deposit: the activity stays failed, and says that neither is there', async () => {
  const user = await funded()
  await sim.faults.add({ on: 'bridge', effect: 'refund' })
  const { id } = await begin(user, transfer(500n * whole, stranger(1)))
  const [deposit, , refund] = (await activityOf(user, id)).activity_metadata
  expect([deposit!.success, refund!.action_type]).toEqual([true, 'BRIDGE_REFUND'])
  const latest = Number(await chain.request<Hex>('arbitrum', 'eth_blockNumber'))
  const depth = latest - Number(deposit!.executed_at_block_number) + 1
  await chain.request('arbitrum', 'anvil_rollback', [depth])
  for (let round = 0; round < 2; round++) {
    await sim.clock.advance(10)
    await expectTakenBack(user, id, deposit!.transaction_hash)
    expect(await usdc('arbitrum', user.wallet)).toBe(own)
  }
})

test.each([
  ['', async () => {}],
  [' and a restore', async () => sim.restore(await sim.snapshot())],
])(
  'behavior: what waits for a bridge is sent by a third party%s: it has run, and the activity is confirmed',
  async (_, interrupt) => {
    const user = await funded()
    const { id: rule } = await sim.faults.add({ on: 'bridge', effect: 'stuck' })
    const { id, plan } = await begin(user, transfer(500n * whole, stranger(1)))
    await user.fund('base', 'USDC', 500n * whole)
    await submitBehindItsBack(sim, user, plan, [1])
    await interrupt()
    await sim.faults.remove(rule)
    await sim.clock.advance(10)
    expect(await endOf(user, id)).toEqual(confirmed)
    await expectOnChain(user, id)
    expect(await usdc('base', stranger(1))).toBe(500n * whole)
    expect(await usdc('base', user.wallet)).toBe(500n * whole)
  },
)

test('behavior: of two transactions of a plan the first runs out of gas: the other has run, and the activity is confirmed', async () => {
  const user = await funded()
  await sim.faults.set([
    { on: 'execute', effect: 'duplicate', times: 1 },
    { on: 'execute', effect: { revert: { by: 'gas' } }, times: 1 },
  ])
  const { id, plan } = await begin(user, transfer(50n * whole, stranger(1)))
  await sim.clock.advance(10)
  expect(await endOf(user, id)).toEqual(confirmed)
  expect(await usdc('arbitrum', user.wallet)).toBe(own - debitOf(plan))
  expect(await usdc('base', stranger(1))).toBe(50n * whole)
})
