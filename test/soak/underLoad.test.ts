import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { openUser, type PlanBody, type User } from '../kit/user.js'

/** Many clients at once that never stop: what is due happens all the same. `bench/underLoad.mjs` measures how soon. */

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator({ bridgeDelayMs: 100 })
})
afterAll(() => sim.close())

const earn = { asset: 'USDC', amount: '1000', network: 'base', protocol: 'compound' }

/** One execution after the other, several at a time, until told to stop; resolves to how many there were. */
async function keepBusy(user: User, stop: AbortSignal): Promise<number> {
  for (let done = 0; ; done++) {
    if (stop.aborted) return done
    await user.run('earn', earn)
  }
}

async function usersWith(network: 'base' | 'arbitrum', count: number): Promise<User[]> {
  const users = await Promise.all(Array.from({ length: count }, () => openUser(sim)))
  await Promise.all(users.map((user) => user.fund(network, 'USDC', 10n ** 12n)))
  return users
}

test('behavior: the clock is moved while clients go on, and they go on after it', async () => {
  const users = [...(await usersWith('base', 4)), ...(await usersWith('arbitrum', 1))]
  const stop = new AbortController()
  const busy = users.map((user) => keepBusy(user, stop.signal))
  for (let i = 0; i < 2; i++) {
    const { ms } = sim.clock.time()
    expect((await sim.clock.advance(60)).ms).toBeGreaterThanOrEqual(ms + 60_000)
  }
  const after = await users[0]!.plan('earn', earn)
  expect(after.status).toBe(201)
  stop.abort()
  for (const done of await Promise.all(busy)) expect(done).toBeGreaterThan(0)
})

test('behavior: an execute that comes while the clock is moved begins after it', async () => {
  const [user] = (await usersWith('base', 1)) as [User]
  const { body } = await user.plan('earn', { ...earn, amount: '77' })
  const [time, executed] = await Promise.all([
    sim.clock.advance(30),
    user.execute(body as PlanBody),
  ])
  const activity = await user.follow((executed.body as { activity_id: string }).activity_id)
  expect(activity.activity_status).toBe('confirmed')
  expect(Date.parse(activity.activity_metadata[0]!.executed_at as string)).toBeGreaterThanOrEqual(
    Date.parse(time.now),
  )
})
