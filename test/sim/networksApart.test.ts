import type { Address, Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ChainReads, readsOf } from '../kit/chainReads.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { type ActivityBody, openUser, type PlanBody, type User } from '../kit/user.js'

/** A plan that sends on several networks at once: what happens on one of them is reported, and mended, without waiting for the others. */

let sim: SimulatorHandle
let chain: ChainReads
beforeEach(async () => {
  sim = await createSimulator({ clock: 'frozen', bridgeDelayMs: 60_000 })
  chain = readsOf(sim)
})
afterEach(() => sim.close())

const whole = 1_000_000n
const friend: Address = '0x00000000000000000000000000000000000f41e7'

const activityOf = async (user: User, id: string): Promise<ActivityBody> =>
  (await user.api.get(`/activities/${id}`)).body as ActivityBody
const endOf = async (user: User, id: string) => {
  const { activity_status, activity_metadata } = await activityOf(user, id)
  return [
    activity_status,
    ...activity_metadata.map(({ action_type, chain_id, success }) => [
      action_type,
      chain_id,
      success,
    ]),
  ]
}
const folioOf = async (user: User) => (await user.api.get(`${user.path}/folio`)).body.folio

async function begin(user: User, kind: string, body: object) {
  const planned = await user.plan(kind, body)
  expect([planned.status, planned.body]).toEqual([201, expect.anything()])
  const plan = planned.body as PlanBody
  const executed = await user.execute(plan)
  expect(executed.status).toBe(200)
  await sim.clock.advance(0)
  return { id: executed.body.activity_id as string, plan }
}

/** Owed COMP on base and arbitrum. */
async function rewarded(): Promise<User> {
  const user = await openUser(sim)
  for (const network of ['base', 'arbitrum'] as const) {
    await user.fund(network, 'USDC', 1_000n * whole)
    const body = { asset: 'USDC', network, protocol: 'compound', amount: `${900n * whole}` }
    await begin(user, 'earn', body)
  }
  await sim.clock.advance(30 * 86_400)
  return user
}

const claims = (base: boolean | null, arbitrum: boolean | null) =>
  expect.arrayContaining([
    ['CLAIM_REWARDS', 8453, base],
    ['CLAIM_REWARDS', 42161, arbitrum],
  ])

test('default: a claim on two networks, one halted: the other’s outcome is reported; what waits in the pool is not done', async () => {
  const user = await rewarded()
  const rule = await sim.faults.add({ on: 'chain', effect: 'halt', match: { network: 'base' } })
  const { id, plan } = await begin(user, 'claim-rewards', { asset: 'COMP' })
  const nonceOn = async (chainId: number) => {
    const item = (await activityOf(user, id)).activity_metadata.find((x) => x.chain_id === chainId)
    return item!.svc_operation_nonce as Hex
  }
  const of = (nonce: Hex) => `svc_nonce/${user.wallet.toLowerCase()}/${nonce}`
  const [onBase, onArbitrum] = [of(await nonceOn(8453)), of(await nonceOn(42161))]
  const halted = async () => {
    const activity = await activityOf(user, id)
    expect(await endOf(user, id)).toEqual(claims(null, true))
    expect(activity.activity_status).toBe('pending')
    const waiting = activity.activity_metadata.find((item) => item.chain_id === 8453)!
    expect(
      await chain.request('base', 'eth_getTransactionByHash', [waiting.transaction_hash]),
    ).toMatchObject({ hash: waiting.transaction_hash, blockNumber: null })
    const folio = await folioOf(user)
    expect(folio.completion_statuses).toMatchObject({
      [onBase]: false,
      [onArbitrum]: true,
    })
    expect(Object.keys(folio.patches)).toEqual([onBase])
  }
  await halted()
  const { events } = (await user.api.get(`${user.path}/events?since=0`)).body
  expect(events.at(-1).data).toMatchObject({ activity_id: id, activity_status: 'pending' })
  const waiting = await sim.snapshot()
  await sim.faults.remove(rule.id)
  await sim.clock.advance(1)
  expect(await endOf(user, id)).toEqual(claims(true, true))
  // And once more from a restore.
  await sim.restore(waiting)
  await sim.clock.advance(0)
  await halted()
  await sim.faults.clear()
  await sim.clock.advance(1)
  expect((await activityOf(user, id)).activity_status).toBe('confirmed')
  expect((await folioOf(user)).completion_statuses).toMatchObject({ [onBase]: true })
  expect(plan.details.svc_operation_actions).toHaveLength(2)
})

test('behavior: a claim is taken back on one network while the other hangs: it is made again at once', async () => {
  const user = await rewarded()
  const before = await chain.request<Hex>('arbitrum', 'eth_blockNumber')
  await sim.faults.add({ on: 'chain', effect: 'halt', match: { network: 'base' } })
  const { id } = await begin(user, 'claim-rewards', { asset: 'COMP' })
  await chain.rollbackTo('arbitrum', before)
  await sim.clock.advance(0)
  expect(await endOf(user, id)).toEqual(claims(null, true))
  const claimed = await chain.balance('arbitrum', 'COMP', user.wallet)
  expect(claimed).toBeGreaterThan(0n)
  await sim.faults.clear()
  await sim.clock.advance(1)
  expect(await endOf(user, id)).toEqual(claims(true, true))
  expect(await chain.balance('arbitrum', 'COMP', user.wallet)).toBe(claimed)
})

const own = 100n * whole
const transfer = { asset: 'USDC', network: 'base', amount: `${150n * whole}`, recipient: friend }
const ways: [string, unknown[]][] = [
  ['anvil_reorg', [1, []]],
  ['anvil_rollback', [1]],
]

describe.each(['frozen', 'running'])('two deposits, clock %s', (clock) => {
  test.each(ways)(
    'behavior: one is taken back by %s while both are under way: it is made again by itself',
    async (method, params) => {
      const user = await openUser(sim)
      for (const network of ['arbitrum', 'mainnet'] as const) await user.fund(network, 'USDC', own)
      const { id } = await begin(user, 'transfer', transfer)
      if (clock === 'running') await sim.clock.resume()
      await chain.request('arbitrum', method, params)
      await sim.clock.advance(0)
      const { activity_metadata: items } = await activityOf(user, id)
      const bridges = items.filter((item) => item.action_type === 'BRIDGE')
      expect(bridges.map(({ success }) => success)).toEqual([true, true])
      for (const { chain_id, transaction_hash } of bridges) {
        const network = chain_id === 1 ? 'mainnet' : 'arbitrum'
        expect(
          await chain.request(network, 'eth_getTransactionReceipt', [transaction_hash]),
        ).toBeTruthy()
      }
      expect(items.filter((item) => item.action_type === 'BRIDGE_MINT')).toHaveLength(2)
      // Neither network's money may be spent a second time.
      const second = await user.plan('transfer', { ...transfer, amount: `${60n * whole}` })
      expect(second.body).toMatchObject({ error: 'plan_failed' })
      await sim.clock.advance(61)
      await user.follow(id)
      expect((await activityOf(user, id)).activity_status).toBe('confirmed')
      expect(await chain.balance('base', 'USDC', friend)).toBe(150n * whole)
    },
  )
})

test('behavior: two deposits, one reverts and is taken back while the other is under way: its item says so', async () => {
  const user = await openUser(sim)
  for (const network of ['arbitrum', 'mainnet'] as const) await user.fund(network, 'USDC', own)
  await sim.faults.add({ on: 'execute', effect: 'revert', match: { network: 'mainnet' } })
  const { id } = await begin(user, 'transfer', transfer)
  await sim.faults.clear()
  const reverted = async () =>
    (await activityOf(user, id)).activity_metadata.find(({ chain_id }) => chain_id === 1)!
  const { success, transaction_hash, executed_at_block_number } = await reverted()
  expect([success, transaction_hash]).toEqual([false, expect.any(String)])
  const latest = Number(await chain.request('mainnet', 'eth_blockNumber'))
  const depth = latest - Number(executed_at_block_number) + 1
  await chain.request('mainnet', 'anvil_rollback', [depth])
  await sim.clock.advance(0)
  const gone = {
    ...{ success: false, transaction_hash: null, revert_signature: null, revert_values: null },
    revert_reason: `a reorganisation took the transaction ${transaction_hash} off the chain; nothing has moved`,
  }
  expect((await activityOf(user, id)).activity_status).toBe('pending')
  expect(await reverted()).toMatchObject(gone)
  await sim.clock.advance(61)
  expect((await activityOf(user, id)).activity_status).toBe('failed')
  expect(await reverted()).toMatchObject(gone)
  expect(await chain.balance('mainnet', 'USDC', user.wallet)).toBe(own)
  expect(await chain.balance('base', 'USDC', user.wallet)).toBeGreaterThan(0n)
})

test('default: two deposits, one network halted: the other’s deposit and fill are reported while it hangs', async () => {
  const user = await openUser(sim)
  for (const network of ['arbitrum', 'mainnet'] as const) await user.fund(network, 'USDC', own)
  await sim.faults.add({ on: 'chain', effect: 'halt', match: { network: 'mainnet' } })
  const { id } = await begin(user, 'transfer', transfer)
  const sent = [
    ['BRIDGE', 1, null],
    ['BRIDGE', 42161, true],
  ]
  const rest = ['TRANSFER', 8453, null]
  const expectItems = async (fill: boolean | null) => {
    const [status, ...items] = await endOf(user, id)
    expect(status).toBe('pending')
    expect(items).toHaveLength(4)
    expect(items).toEqual(expect.arrayContaining([...sent, ['BRIDGE_MINT', 8453, fill], rest]))
  }
  await expectItems(null)
  await sim.clock.advance(61)
  await expectItems(true)
  // The fill is taken back while the other network hangs, and made again.
  await chain.request('base', 'anvil_rollback', [1])
  await sim.clock.advance(61)
  await expectItems(true)
  const fill = (await activityOf(user, id)).activity_metadata.find(
    ({ action_type }) => action_type === 'BRIDGE_MINT',
  )!
  expect(
    await chain.request('base', 'eth_getTransactionReceipt', [fill.transaction_hash]),
  ).toBeTruthy()
  // So is a deposit that had been paid for: money moves once.
  await chain.request('arbitrum', 'anvil_rollback', [1])
  await sim.clock.advance(0)
  const deposit = (await activityOf(user, id)).activity_metadata.find(
    ({ chain_id }) => chain_id === 42161,
  )!
  expect(
    await chain.request('arbitrum', 'eth_getTransactionReceipt', [deposit.transaction_hash]),
  ).toBeTruthy()
  await sim.faults.clear()
  await sim.clock.advance(1)
  await sim.clock.advance(61)
  expect((await activityOf(user, id)).activity_status).toBe('confirmed')
  expect(await chain.balance('base', 'USDC', friend)).toBe(150n * whole)
  expect(await chain.balance('base', 'USDC', user.wallet)).toBeLessThan(10_000n)
})
