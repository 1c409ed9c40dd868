import type { Address, Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { actors } from '../../src/deployments/actors.js'
import { readsOf } from '../kit/chainReads.js'
import { rpc } from '../kit/http.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody, type User } from '../kit/user.js'

/** Several transactions wait for the blocks of one network: only the first of them is in its pool, the others wait for their turn. */

const stranger: Address = '0x00000000000000000000000000000000000a11ce'
const transfer = { asset: 'USDC', amount: '1000000', recipient: stranger, network: 'base' }
const swap = { sell_asset: 'USDC', buy_asset: 'COMP', sell_amount: '40000000', network: 'base' }
let sim: SimulatorHandle
let users: User[]

beforeEach(async () => {
  sim = await createSimulator({ bridgeDelayMs: 20, rpcUnsafe: true })
  users = await Promise.all([1, 2, 3].map(() => openUser(sim)))
})
afterEach(() => sim.close())

/** Resolves to how to mine again. */
async function haltBase(): Promise<() => Promise<void>> {
  const { id } = await sim.faults.add({ on: 'chain', effect: 'halt', match: { network: 'base' } })
  return async () => void (await sim.faults.remove(id))
}

/** Resolves to the activity's id once the first transaction of all waits in the pool of base. */
async function execute(user: User, kind: string, body: object): Promise<string> {
  const planned = await user.plan(kind, body)
  expect([planned.status, planned.body]).toEqual([201, expect.anything()])
  const executed = await user.execute(planned.body as PlanBody)
  expect(executed.status).toBe(200)
  for (;;) {
    const { pending } = await rpc<{ pending: Hex }>(sim.rpc('base'), 'txpool_status')
    if (Number(pending) === 1) return executed.body.activity_id
  }
}

async function transfers(): Promise<string[]> {
  return Promise.all(users.map((user) => execute(user, 'transfer', transfer)))
}

async function expectStatus(ids: readonly string[], status: string): Promise<void> {
  for (const [i, user] of users.entries()) {
    const { body } = await user.api.get(`${user.path}/activities/${ids[i]}`)
    expect(body.activity_status).toBe(status)
  }
}

async function expectConfirmed(ids: readonly string[]): Promise<void> {
  for (const [i, user] of users.entries())
    expect((await user.follow(ids[i]!)).activity_status).toBe('confirmed')
}

test('default: executions that wait on a halted network: one is in its pool, and they hold up no clock, snapshot, restore or reset', async () => {
  for (const user of users) await user.fund('base', 'USDC', 100_000_000n)
  const mineAgain = await haltBase()
  const ids = await transfers()
  expect(await rpc(sim.rpc('base'), 'txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
  await sim.clock.advance(60)
  await sim.clock.freeze()
  await sim.clock.advance(60)
  await sim.clock.resume()
  const waiting = await sim.snapshot()
  await expectStatus(ids, 'pending')
  await mineAgain()
  await expectConfirmed(ids)
  await sim.restore(waiting)
  await expectStatus(ids, 'pending')
  await sim.reset()
  expect(await readsOf(sim).balance('base', 'USDC', stranger)).toBe(0n)
})

test('behavior: they hold up no snapshot either, and are all sent again after it is restored', async () => {
  for (const user of users) await user.fund('base', 'USDC', 100_000_000n)
  const mineAgain = await haltBase()
  const ids = await transfers()
  const id = await sim.snapshot()
  await mineAgain()
  await expectConfirmed(ids)
  const reads = readsOf(sim)
  const held = () => Promise.all(users.map(({ wallet }) => reads.balance('base', 'USDC', wallet)))
  const after = await held()
  await sim.restore(id)
  await expectStatus(ids, 'pending')
  await sim.faults.clear()
  await expectConfirmed(ids)
  expect(await held()).toEqual(after)
})

test('behavior: fills that wait there hold up no clock, and what they bring is used when it mines again', async () => {
  for (const user of users) await user.fund('optimism', 'USDC', 100_000_000n)
  const mineAgain = await haltBase()
  const ids = await Promise.all(users.map((user) => execute(user, 'swap', swap)))
  await sim.clock.advance(60)
  await expectStatus(ids, 'pending')
  const overview = await (await fetch(`${sim.controlUrl}/overview`)).json()
  const waits_for = expect.stringMatching(
    /^the transaction of the fill on base and \S+ \(chain\.halt\)$/,
  )
  const waiting = { fills_at: null, waits_for }
  expect((overview as { bridges: object[] }).bridges).toMatchObject(ids.map(() => waiting))
  await mineAgain()
  await expectConfirmed(ids)
  for (const { wallet } of users)
    expect(await readsOf(sim).balance('base', 'COMP', wallet)).toBeGreaterThan(0n)
})

test('behavior: fills that wait there hold up no restore, and are made once in the world that comes back', async () => {
  for (const user of users) await user.fund('optimism', 'USDC', 100_000_000n)
  const id = await sim.snapshot()
  const mineAgain = await haltBase()
  const waits = await sim.snapshot()
  const ids = await Promise.all(users.map((user) => execute(user, 'swap', swap)))
  const underWay = await sim.snapshot()
  await sim.restore(underWay)
  await expectStatus(ids, 'pending')
  await sim.faults.clear()
  await expectConfirmed(ids)
  await sim.restore(underWay)
  await mineAgain()
  await expectConfirmed(ids)
  const reads = readsOf(sim)
  for (const { wallet } of users) {
    expect(await reads.balance('base', 'COMP', wallet)).toBeGreaterThan(0n)
    expect(await reads.balance('base', 'USDC', wallet)).toBe(0n)
  }
  expect(await reads.balance('base', 'USDC', actors.relayer)).toBe(0n)
  await sim.restore(waits)
  await sim.restore(id)
  for (const { wallet } of users)
    expect(await reads.balance('optimism', 'USDC', wallet)).toBe(100_000_000n)
})

test('behavior: refunds that wait on the halted network they came from hold up no restore', async () => {
  for (const user of users) await user.fund('base', 'USDC', 100_000_000n)
  await sim.faults.add({ on: 'bridge', effect: 'stuck' })
  const away = { ...transfer, network: 'optimism' }
  const ids = await Promise.all(
    users.map(async (user) => {
      const { body } = await user.plan('transfer', away)
      const executed = await user.execute(body as PlanBody)
      expect(executed.status).toBe(200)
      return executed.body.activity_id as string
    }),
  )
  await sim.clock.advance(1)
  const deposited = await sim.snapshot()
  await haltBase()
  await sim.clock.advance(86_400)
  await expectStatus(ids, 'pending')
  await sim.restore(deposited)
  await haltBase()
  await sim.clock.advance(86_400)
  await sim.faults.clear()
  for (const [i, user] of users.entries())
    expect((await user.follow(ids[i]!)).activity_status).toBe('failed')
  for (const { wallet } of users)
    expect(await readsOf(sim).balance('base', 'USDC', wallet)).toBe(100_000_000n)
})

test('behavior: a reset drops them all', async () => {
  for (const user of users) await user.fund('base', 'USDC', 100_000_000n)
  await haltBase()
  await transfers()
  await sim.reset()
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 100_000_000n)
  expect((await user.run('transfer', transfer)).activity.activity_status).toBe('confirmed')
})

test('behavior: the simulator closes while they wait', async () => {
  for (const user of users) await user.fund('base', 'USDC', 100_000_000n)
  await haltBase()
  await transfers()
  await sim.close()
})

test('behavior: it closes when a client has halted the network where fills wait', async () => {
  for (const user of users) await user.fund('optimism', 'USDC', 100_000_000n)
  await rpc(sim.rpc('base'), 'evm_setAutomine', [false])
  const ids = await Promise.all(users.map((user) => execute(user, 'swap', swap)))
  await sim.clock.advance(60)
  await expectStatus(ids, 'pending')
  await sim.close()
})
