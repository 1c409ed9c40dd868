import { afterAll, beforeAll, expect, test } from 'vitest'
import { NotRecordedError, UpstreamError, upstreamText } from '../../src/chain/rpc/rpc.js'
import { type RpcTap, tapRpc } from '../kit/rpcTap.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

/** An execute whose reads take so long that the plan expires meanwhile, or fail. */

const gate = { isShut: false, open: Promise.resolve(), onWaiting: () => {} }
const broken: { by?: Error } = {}

const hold: RpcTap = async ({ method }, proceed) => {
  if (broken.by && method === 'eth_call') {
    // As a node passes on what the proxy of its upstream says.
    const message = `failed to get account: ${upstreamText(broken.by)}`
    return { error: { code: -32603, message } }
  }
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

test('error: an execution that cannot read says what, and to execute again only where that can help', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 10_000_000n)
  const plan = (await user.plan('transfer', transfer)).body as PlanBody
  // The block of the plan is known; of the next one, everything is read.
  await user.fund('base', 'USDC', 1n)
  const executed = async (by: Error) => {
    broken.by = by
    const { status, body, headers } = await user.execute(plan)
    delete broken.by
    return [status, body.error, body.message, headers.get('x-svc-sim-hint')]
  }
  const why = `base runs from a bundle, in which account ${user.signer} was never recorded`
  expect(await executed(new NotRecordedError(why))).toEqual([
    ...[500, 'internal_error', `Execution failed: ${why}`],
    'nothing was sent; to execute the plan again fails in the same way, so first do what the message says',
  ])
  expect(await executed(new UpstreamError('base: HOST does not answer'))).toEqual([
    ...[500, 'internal_error', 'Execution failed: base: HOST does not answer'],
    'nothing was sent; execute the plan again when the endpoint responds',
  ])
  const done = await user.execute(plan)
  expect(done.status).toBe(200)
  await user.follow(done.body.activity_id)
})
