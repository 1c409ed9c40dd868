import { afterEach, beforeEach, expect, test } from 'vitest'
import { planKinds } from '../../src/service/plans/kinds/index.js'
import { bodies, openPositions } from '../kit/plans.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

/** Every plan kind, stale in every way that it can be: the client plans again after each 409 and gets through. */

let sim: SimulatorHandle
let user: Awaited<ReturnType<typeof openUser>>

beforeEach(async () => {
  sim = await createSimulator({ clock: 'frozen' })
  user = await openUser(sim)
  await openPositions(sim, user)
})
afterEach(() => sim.close())

const ways = {
  nonce: planKinds.map(({ path }) => path),
  balance: planKinds.filter(({ spends }) => spends).map(({ path }) => path),
  price: planKinds.filter(({ buys }) => buys).map(({ path }) => path),
}

test.each(Object.entries(ways))(
  'behavior: stale by %s: stale twice, then ok, for every kind that it applies to',
  async (by, paths) => {
    for (const path of paths) {
      await sim.faults.set([{ on: 'plan', effect: { stale: { by } }, times: 2 }])
      for (let attempt = 0; attempt < 2; attempt++) {
        await ready()
        const plan = await user.plan(path, bodies[path])
        expect([path, plan]).toMatchObject([path, { status: 201 }])
        const refused = await user.execute(plan.body as PlanBody)
        expect([path, refused]).toMatchObject([
          path,
          { status: 409, body: { error: 'plan_stale' } },
        ])
      }
      expect([path, sim.faults.list()]).toMatchObject([path, [{ hits: 2 }]])
      await ready()
      expect([path, (await user.run(path, bodies[path])).activity]).toMatchObject([
        path,
        { activity_status: 'confirmed' },
      ])
    }
  },
  120_000,
)

/** What earlier plans and faults may have taken is there again: funds, and rewards to claim. */
async function ready(): Promise<void> {
  await user.fund('base', 'USDC', 10_000_000_000n)
  await user.fund('base', 'WETH', 10n ** 18n)
  await sim.clock.advance(3_600)
}
