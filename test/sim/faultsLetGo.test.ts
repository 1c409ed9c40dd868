import type { Address } from 'viem'
import { sign } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readsOf } from '../kit/chainReads.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody, type User } from '../kit/user.js'

/** What faults hold is let go when they are removed, whenever that is: also in the moment in which the call has been answered. */

const friend: Address = '0x00000000000000000000000000000000000f41e7'
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', bridgeDelayMs: 0 })
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

/** Money on two networks: what is more than base has is bridged. */
async function funded(): Promise<User> {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  await user.fund('arbitrum', 'USDC', 5_000_000n)
  return user
}

const transfer = { asset: 'USDC', network: 'base', recipient: friend }

/** Plans a transfer and executes it, with the rule in the header when there is one. */
async function execute(user: User, amount: string, fault?: object): Promise<string> {
  const { body } = await user.plan('transfer', { ...transfer, amount })
  const plan = body as PlanBody
  const hash = plan.details.eip712_data.digest
  const signature = await sign({ hash, privateKey: user.key, to: 'hex' })
  const headers: Record<string, string> = fault ? { 'x-svc-sim-fault': JSON.stringify(fault) } : {}
  const sent = { plan_id: plan.plan_id, signature }
  const { body: answer } = await user.api.post(`${user.path}/plan/execute`, sent, { headers })
  expect(answer).toMatchObject({ activity_id: expect.any(String) })
  return answer.activity_id
}

const nameOf = ({ on, effect }: { on: string; effect: string | object }) =>
  `${on}.${typeof effect === 'string' ? effect : Object.keys(effect)[0]}`

const day = 86_400
const holding = [
  { on: 'execute', effect: 'stuck' },
  { on: 'execute', effect: { dropped: { seconds: day } } },
  { on: 'bridge', effect: 'stuck' },
  { on: 'bridge', effect: { delay: { seconds: day } } },
  { on: 'events', effect: { delay: { seconds: day } } },
  { on: 'events', effect: 'reorder' },
]
/** How long the removal comes after the answer: in the same moment, or some turns of the event loop later. */
const moments = [0, 5, 30]

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}

async function statusOf(user: User, id: string): Promise<string> {
  return (await user.api.get(`/activities/${id}`)).body.activity_status
}

async function expectConfirmed(user: User, id: string): Promise<void> {
  await sim.clock.advance(5)
  expect(await statusOf(user, id)).toBe('confirmed')
  expect(await readsOf(sim).balance('base', 'USDC', user.wallet)).toBe(0n)
  const { body: told } = await user.api.get(`${user.path}/events?since=0`)
  expect(told.events.at(-1).data).toMatchObject({ activity_id: id })
}

test.each(holding.map((rule) => [nameOf(rule), rule] as const))(
  'behavior: %s of a request, all removed after its answer',
  async (_, rule) => {
    for (const moment of moments) {
      const user = await funded()
      const id = await execute(user, '9000000', rule)
      await turns(moment)
      await sim.faults.clear()
      await expectConfirmed(user, id)
    }
  },
)

const removals = {
  'DELETE /_sim/faults': () => sim.faults.clear(),
  'DELETE /_sim/faults/:id': () => sim.faults.remove('held'),
  'PUT /_sim/faults []': () => sim.faults.set([]),
}
const ways = Object.keys(removals) as (keyof typeof removals)[]
test.each(ways.flatMap((way) => holding.map((rule) => [nameOf(rule), way, rule] as const)))(
  'behavior: %s that is there for all, %s after an answer',
  async (_, way, rule) => {
    for (const moment of moments.slice(0, 2)) {
      const user = await funded()
      await sim.faults.set([{ ...rule, id: 'held' }])
      const id = await execute(user, '9000000')
      await turns(moment)
      await removals[way]()
      await expectConfirmed(user, id)
    }
  },
)

test('behavior: stuck by a request, over a snapshot and its restore: stays, until all are removed', async () => {
  const user = await funded()
  const id = await execute(user, '4000000', holding[0])
  await sim.snapshot('held')
  await sim.clock.advance(5)
  await sim.restore('held')
  await sim.clock.advance(5)
  expect(await statusOf(user, id)).toBe('pending')
  await sim.faults.clear()
  await sim.clock.advance(5)
  expect(await statusOf(user, id)).toBe('confirmed')
})

test('behavior: dropped, and removed later: sent once more, once; what fails by itself is not', async () => {
  const user = await funded()
  const before = await execute(user, '1000000', { on: 'execute', effect: 'dropped' })
  await sim.clock.advance(31)
  const meanwhile = await execute(user, '2000000', { on: 'execute', effect: 'dropped' })
  await sim.clock.advance(1)
  expect(await statusOf(user, meanwhile)).toBe('pending')
  for (let round = 0; round < 2; round++) {
    await sim.faults.clear()
    await sim.clock.advance(31)
    expect([await statusOf(user, before), await statusOf(user, meanwhile)]).toEqual([
      'failed',
      'confirmed',
    ])
    expect(await readsOf(sim).balance('base', 'USDC', user.wallet)).toBe(3_000_000n)
  }
})

test('behavior: another rule of the same id holds nothing that the one before was to hold', async () => {
  for (const moment of moments) {
    const user = await funded()
    const rule = { on: 'execute', effect: 'stuck', id: 'held' }
    await sim.faults.set([rule])
    const first = await execute(user, '1000000')
    await turns(moment)
    await sim.faults.set([rule])
    const own = await execute(user, '1000000', { ...rule, effect: 'duplicate' })
    await sim.clock.advance(5)
    expect(await statusOf(user, first)).toBe('confirmed')
    expect(await statusOf(user, own)).toBe('pending')
    await sim.faults.remove('held')
    await sim.clock.advance(5)
    expect(await statusOf(user, own)).toBe('confirmed')
  }
})

test('behavior: stuck by a request on a halted network, all removed after its answer', async () => {
  for (const moment of moments) {
    const user = await funded()
    await sim.faults.add({ on: 'chain', effect: 'halt' })
    const halted = await execute(user, '1000000', holding[0])
    await turns(moment)
    await sim.faults.clear()
    await sim.clock.advance(5)
    expect(await statusOf(user, halted)).toBe('confirmed')
  }
})

test('behavior: a rule that comes or goes right after an execution finds it at rest, whatever its nodes are slow at', async () => {
  const drop = { id: 'drop', on: 'events', effect: 'drop' }
  const slow = { id: 'slow', on: 'chain', effect: { slow: { ms: 5 } } }
  const kinds = async (user: User) => {
    const { body } = await user.api.get(`${user.path}/events?since=0`)
    return body.events.map(
      ({ data }: { data: { activity_status: string } }) => data.activity_status,
    )
  }
  const [first, second] = [await funded(), await funded()]
  await sim.faults.set([slow])
  await execute(first, '4000000')
  await sim.faults.add(drop)
  expect(await kinds(first)).toEqual(['pending', 'confirmed'])
  await execute(second, '4000000')
  await sim.faults.remove('drop')
  expect(await kinds(second)).toEqual([])
})

test('behavior: what a halted network kept waiting is at rest at the next request after its rule has gone', async () => {
  const user = await funded()
  await sim.faults.add({ id: 'halt', on: 'chain', effect: 'halt', match: { network: 'base' } })
  const id = await execute(user, '4000000')
  expect(await statusOf(user, id)).toBe('pending')
  await sim.faults.remove('halt')
  expect(await statusOf(user, id)).toBe('confirmed')
})

test('behavior: a rule that keeps an execution from ending can be removed at once', async () => {
  const user = await funded()
  const { body } = await user.plan('transfer', { ...transfer, amount: '4000000' })
  await sim.faults.add({ id: 'slow', on: 'chain', effect: { slow: { ms: 600_000 } } })
  const hash = (body as PlanBody).details.eip712_data.digest
  const signature = await sign({ hash, privateKey: user.key, to: 'hex' })
  const sent = { plan_id: (body as PlanBody).plan_id, signature }
  const executing = user.api.post(`${user.path}/plan/execute`, sent)
  await sim.faults.remove('slow')
  expect((await executing).status).toBe(200)
})
