import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RpcTap, tapRpc } from '../kit/rpcTap.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

/** An execute whose reads take so long that the plan expires meanwhile. */

const gate = { isShut: false, open: Promise.resolve(), onWaiting: () => {} }

const hold: RpcTap = async ({ method }, proceed) => {
  if (gate.isShut && method === 'eth_call') {
    gate.onWaiting()
    await gate.open
  }
  return proceed()
}

let sim: SimulatorHandle

beforeAll(async () => {
  tapRpc(hold)
  sim = await createSimulator({ clock: 'frozen' })
})
afterAll(() => {
  tapRpc(undefined)
  return sim.close()
})

const transfer = {
  ...{ asset: 'USDC', amount: '1000000', network: 'base' },
  recipient: '0x00000000000000000000000000000000000f41e7',
}

/** Executes, and lets this happen after the world was asked for and before it answers. */
async function executeWhile(
  user: Awaited<ReturnType<typeof openUser>>,
  plan: PlanBody,
  meanwhile: () => Promise<unknown>,
) {
  let open = () => {}
  gate.open = new Promise((resolve) => {
    open = resolve
  })
  const waiting = new Promise<void>((resolve) => {
    gate.onWaiting = resolve
  })
  gate.isShut = true
  const executing = user.execute(plan)
  await waiting
  gate.isShut = false
  await meanwhile()
  open()
  return executing
}

test('error: a plan that expires while it is being checked is not executed', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 10_000_000n)
  const plan = (await user.plan('transfer', transfer)).body as PlanBody
  const late = await executeWhile(user, plan, () => sim.clock.advance(120))
  expect(late).toMatchObject({ status: 404, body: { error: 'plan_not_found' } })
  expect(late.headers.get('x-svc-sim-hint')).toContain(`it expired at ${plan.expires_at}`)
  expect((await user.api.get(`${user.path}/activities`)).body.activities).toEqual([])

  // A second before, it goes through.
  const other = (await user.plan('transfer', transfer)).body as PlanBody
  const done = await executeWhile(user, other, () => sim.clock.advance(119))
  expect(done.status).toBe(200)
  expect(await user.follow(done.body.activity_id)).toMatchObject({ activity_status: 'confirmed' })
})
