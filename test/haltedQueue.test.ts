import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../src/index.js'
import { readsOf } from './kit/chainReads.js'
import { openUser, type PlanBody, type User } from './kit/user.js'

/** Several transactions wait for the blocks of one network: only the first of them is in its pool, the others wait for their turn. */

let sim: SimulatorHandle
let users: User[]

beforeEach(async () => {
  sim = await createSimulator({ bridgeDelayMs: 20 })
  users = await Promise.all([1, 2, 3].map(() => openUser(sim)))
})
afterEach(() => sim.close())

/** Resolves to how to mine again. */
async function haltBase(): Promise<() => Promise<void>> {
  const { id } = await sim.faults.add({ on: 'chain', effect: 'halt', match: { network: 'base' } })
  return () => sim.faults.remove(id)
}

/** Resolves to the activity once the first transaction of all waits in the pool of base. */
async function execute(user: User, kind: string, body: object): Promise<string> {
  const planned = await user.plan(kind, body)
  expect([planned.status, planned.body]).toEqual([201, expect.anything()])
  const executed = await user.execute(planned.body as PlanBody)
  expect(executed.status).toBe(200)
  for (;;) {
    const rpc = { jsonrpc: '2.0', id: 1, method: 'txpool_status', params: [] }
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(rpc) }
    const { result } = (await (await fetch(sim.rpc('base'), init)).json()) as {
      result: { pending: Hex }
    }
    if (Number(result.pending) === 1) return executed.body.activity_id
  }
}

async function transfers(): Promise<string[]> {
  const transfer = {
    asset: 'USDC',
    amount: '1000000',
    recipient: users[0]!.wallet,
    network: 'base',
  }
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

test('default: executions that wait on a halted network hold up no clock, and end when it mines again', async () => {
  for (const user of users) await user.fund('base', 'USDC', 100_000_000n)
  const mineAgain = await haltBase()
  const ids = await transfers()
  await sim.clock.advance(60)
  await sim.clock.freeze()
  await sim.clock.advance(60)
  await sim.clock.resume()
  await expectStatus(ids, 'pending')
  await mineAgain()
  await expectConfirmed(ids)
})

test('behavior: they hold up no snapshot either, and are all sent again after it is restored', async () => {
  for (const user of users) await user.fund('base', 'USDC', 100_000_000n)
  const mineAgain = await haltBase()
  const ids = await transfers()
  const { id } = await sim.snapshot()
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
  const swap = { sell_asset: 'USDC', buy_asset: 'COMP', sell_amount: '40000000', network: 'base' }
  const ids = await Promise.all(users.map((user) => execute(user, 'swap', swap)))
  await sim.clock.advance(60)
  await expectStatus(ids, 'pending')
  await mineAgain()
  await expectConfirmed(ids)
  for (const { wallet } of users)
    expect(await readsOf(sim).balance('base', 'COMP', wallet)).toBeGreaterThan(0n)
})

test('behavior: a reset drops them all', async () => {
  for (const user of users) await user.fund('base', 'USDC', 100_000_000n)
  await haltBase()
  await transfers()
  await sim.reset()
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 100_000_000n)
  const transfer = {
    asset: 'USDC',
    amount: '1000000',
    recipient: users[0]!.wallet,
    network: 'base',
  }
  expect((await user.run('transfer', transfer)).activity.activity_status).toBe('confirmed')
})

test('behavior: the simulator closes while they wait', async () => {
  for (const user of users) await user.fund('base', 'USDC', 100_000_000n)
  await haltBase()
  await transfers()
  await sim.close()
})
