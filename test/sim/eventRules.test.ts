import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

/** Two rules for one event, and rules that go while they hold one: how often it is told in the end. */

let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', longPollMs: 100 })
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

const transfer = {
  asset: 'USDC',
  amount: '1000000',
  network: 'base',
  recipient: '0x00000000000000000000000000000000000f41e7',
}

async function funded() {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  return user
}
type User = Awaited<ReturnType<typeof funded>>

async function begin(user: User): Promise<string> {
  const { body } = await user.plan('transfer', transfer)
  return (await user.execute(body as PlanBody)).body.activity_id
}

/** What the account is told of its activity, in this order. */
async function told(user: User): Promise<string[]> {
  const { body } = await user.api.get(`${user.path}/events?since=0`)
  const events = body.events as { data: { activity_status: string } }[]
  return events.map(({ data }) => data.activity_status)
}

/** How often an event that meets them is told. */
const effects = [
  { effect: 'drop', times: 0 },
  { effect: 'duplicate', times: 2 },
  { effect: { delay: { seconds: 5 } }, times: 1 },
  { effect: 'reorder', times: 1 },
]
const pairs = effects.flatMap((outer) => effects.map((inner) => ({ outer, inner })))

test.each(pairs)(
  'behavior: $outer.effect around $inner.effect: what each makes of it, and the next event as ever',
  async ({ outer, inner }) => {
    const user = await funded()
    const rules = [outer, inner].map(({ effect }) => ({ on: 'events', effect, times: 1 }))
    await sim.faults.set(rules)
    const id = await begin(user)
    await sim.clock.advance(20)
    await sim.faults.clear()
    const pending = Array(outer.times * inner.times).fill('pending')
    expect((await told(user)).sort()).toEqual(['confirmed', ...pending])
    expect((await user.follow(id)).activity_status).toBe('confirmed')
  },
)

test.each(['remove', 'clear'] as const)(
  'behavior: reorder that goes by %s while an event waits for the next one: it is told once, then the next ones',
  async (way) => {
    const user = await funded()
    const rule = { on: 'events', effect: 'reorder', after: 1, times: 1 }
    const { id } = await sim.faults.add(rule)
    await begin(user)
    await sim.clock.advance(0)
    expect(await told(user)).toEqual(['pending'])
    await (way === 'remove' ? sim.faults.remove(id) : sim.faults.clear())
    expect(await told(user)).toEqual(['pending', 'confirmed'])
    await user.follow(await begin(user))
    expect(await told(user)).toEqual(['pending', 'confirmed', 'pending', 'confirmed'])
  },
)
