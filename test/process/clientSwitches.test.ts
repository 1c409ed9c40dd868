import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rpc } from '../kit/http.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { executed, openUser, type PlanBody } from '../kit/user.js'

/** A client that switches the mining of a network over /rpc. Nodes that mined at an interval serve no other test. */

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator({ rpcUnsafe: true })
})
afterAll(() => sim.close())

const friend: Address = '0x00000000000000000000000000000000000f41e7'

function transferOf(amount: bigint) {
  return { asset: 'USDC', amount: amount.toString(), network: 'base', recipient: friend }
}

/** With a deployed wallet and 10 USDC. */
async function deployed() {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 10_000_000n)
  await user.run('transfer', { ...transferOf(1n), recipient: user.wallet })
  return user
}

const off = 'a client switched the mining of base off over /rpc'
const everyHours = 'a client has base mine a block only every 9000 s of the machine’s time'
test.each<[method: string, params: unknown[], who: string, cure: [string, unknown[]]]>([
  ['evm_setAutomine', [false], off, ['evm_mine', []]],
  ['evm_setAutomine', [false], off, ['evm_setAutomine', [true]]],
  ['anvil_setIntervalMining', [0], off, ['evm_mine', []]],
  ['evm_setIntervalMining', [9_000], everyHours, ['evm_mine', []]],
])(
  'behavior: %s %j of a client is named wherever an execution waits for it, with its cure',
  async (method, params, who, cure) => {
    const user = await deployed()
    const plan = (await user.plan('transfer', transferOf(10_000_000n))).body as PlanBody
    const sent = await fetch(sim.rpc('base'), {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const by = sent.headers.get('x-svc-sim-request-id')
    const [told, next] = [
      `${who} (${method} ${JSON.stringify(params)}, request ${by} at `,
      'send evm_mine to /rpc/base for each block that is missing, or evm_setAutomine [true] once',
    ]
    try {
      const execution = await user.execute(plan)
      const { activity_id: id } = execution.body
      await poolHolds(1)
      for (const of of [id, plan.plan_id, user.id, execution.headers.get('x-svc-sim-request-id')]) {
        const { now, verdict } = (await user.api.get(`/_sim/why/${of}`)).body
        expect(now).toContain(`, because ${told}`)
        expect(verdict.next).toContain(next)
        expect(verdict.next).not.toContain('let time pass')
        expect(verdict.cause).toMatchObject({
          cause: 'rpc',
          network: 'base',
          method,
          by_request: by,
        })
      }
      const ready = await user.api.get('/health/ready')
      expect(ready).toMatchObject({ status: 200, body: { status: 'ready' } })
      const { base, polygon } = ready.body.networks
      expect(base).toMatchObject({ ready: true, mining: expect.stringContaining(told) })
      expect(base.mining).toContain(next)
      expect(polygon).not.toHaveProperty('mining')
      const { networks } = (await user.api.get('/_sim/overview')).body
      expect(networks).toContainEqual(
        expect.objectContaining({ network: 'base', mining: base.mining }),
      )
      await rpc(sim.rpc('base'), ...cure)
      expect((await user.follow(id)).activity_status).toBe('confirmed')
      const after = (await user.api.get(`/_sim/why/${id}`)).body
      expect(after).toMatchObject({ now: 'confirmed', verdict: { cause: null, next: null } })
    } finally {
      await rpc(sim.rpc('base'), 'evm_setAutomine', [true])
    }
    const { base } = (await user.api.get('/health/ready')).body.networks
    expect(base).not.toHaveProperty('mining')
  },
)

test('behavior: a bridge to a network that a client keeps from mining is promised no moment', async () => {
  const user = await openUser(sim)
  await user.fund('arbitrum', 'USDC', 20_000_000n)
  await sim.clock.freeze()
  try {
    const id = await executed(sim, user, 'transfer', transferOf(5_000_000n))
    const flight = async () =>
      (await user.api.get('/_sim/overview')).body.bridges.find(
        (each: { activity_id: string }) => each.activity_id === id,
      )
    const onward = await flight()
    expect(onward).toMatchObject({ fills_at: expect.any(String), waits_for: null })
    await rpc(sim.rpc('base'), 'evm_setAutomine', [false])
    const waits_for = 'base to mine (its automatic mining is switched off)'
    expect(await flight()).toMatchObject({ fills_at: null, until: null, waits_for })
    const { now, verdict } = (await user.api.get(`/_sim/why/${id}`)).body
    expect(now).toContain(`, because ${off} (`)
    expect(verdict.next).toMatch(/^send evm_mine to \/rpc\/base .+, then let time pass /)
    await rpc(sim.rpc('base'), 'anvil_setIntervalMining', [3_600])
    expect(await flight()).toMatchObject({ fills_at: null, waits_for })
    await rpc(sim.rpc('base'), 'evm_setAutomine', [true])
    expect(await flight()).toMatchObject({ fills_at: onward.fills_at, waits_for: null })
    await sim.clock.advance(60)
    expect((await flight()).status).toBe('filled')
  } finally {
    await rpc(sim.rpc('base'), 'evm_setAutomine', [true])
    await sim.clock.resume()
  }
})

/** Asks the node until its pool holds so many transactions. */
async function poolHolds(count: number): Promise<void> {
  for (;;) {
    const { pending } = await rpc<{ pending: Hex }>(sim.rpc('base'), 'txpool_status', [])
    if (Number(pending) >= count) return
  }
}
