import { afterAll, beforeAll, expect, test } from 'vitest'
import { readsOf } from '../kit/chainReads.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator({ clock: 'auto', seed: 1n })
})
afterAll(() => sim.close())

const friend = '0x00000000000000000000000000000000000f41e7'
const transfer = { asset: 'USDC', amount: '8000000', network: 'base', recipient: friend }

async function funded(place = sim) {
  const user = await openUser(place)
  await user.fund('base', 'USDC', 6_000_000n)
  await user.fund('arbitrum', 'USDC', 6_000_000n)
  return user
}

test('default: a bridged plan ends by itself', async () => {
  for (let i = 0; i < 5; i++) {
    const user = await funded()
    const before = sim.clock.time().ms
    const plan = (await user.plan('transfer', transfer)).body as PlanBody
    const t0 = performance.now()
    const { body } = await user.execute(plan)
    const t1 = performance.now()
    const act = (await user.api.get(`/activities/${body.activity_id}`)).body
    const t2 = performance.now()
    console.log(act.activity_status, sim.clock.time().ms - before, t1 - t0, t2 - t1)
    expect(act.activity_status).toBe('confirmed')
  }
  for (let i = 0; i < 3; i++) {
    const user = await funded()
    const before = sim.clock.time().ms
    const plan = (await user.plan('transfer', transfer)).body as PlanBody
    await sim.faults.set([{ on: 'bridge', effect: 'stuck' }])
    const t0 = performance.now()
    const { body } = await user.execute(plan)
    const t1 = performance.now()
    const act = await user.follow(body.activity_id)
    const t2 = performance.now()
    await sim.faults.set([])
    console.log(act.activity_status, sim.clock.time().ms - before, t1 - t0, t2 - t1)
  }
  const user = await funded()
  const t0 = performance.now()
  const before = sim.clock.time().ms
  console.log((await user.api.get(`${user.path}/events?since=0&poll=true`)).body, performance.now() - t0, sim.clock.time().ms - before)
})
