import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { type ActivityBody, openUser, type PlanBody, type User } from '../kit/user.js'

/** A refused plan names its culprit, in the hint and on the timeline: who did what, and what changed from what to what. */

let sim: SimulatorHandle
let user: User

beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen' })
})
afterAll(() => sim.close())
beforeEach(async () => {
  await sim.reset()
  user = await openUser(sim)
  await user.fund('base', 'USDC', 10_000_000_000n)
})

const earn = { amount: '1000000', asset: 'USDC', network: 'base', protocol: 'compound' }
const swap = {
  ...{ sell_asset: 'USDC', sell_amount: '3000000000', buy_asset: 'WETH', network: 'base' },
}

interface Moment {
  type: string
  at: string
  title: string
  details: Record<string, unknown>
}

/** The hint of the refusal, and the timeline of the plan. */
async function refusalOf(plan: PlanBody): Promise<{ hint: string; timeline: Moment[] }> {
  const refused = await user.execute(plan)
  expect(refused).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
  const hint = refused.headers.get('x-svc-sim-hint')!
  const why = await (await fetch(`${sim.controlUrl}/why/${plan.plan_id}`)).json()
  return { hint, timeline: (why as { timeline: Moment[] }).timeline }
}

const planned = async (kind: string, body: object): Promise<PlanBody> => {
  const made = await user.plan(kind, body)
  expect(made).toMatchObject({ status: 201 })
  return made.body as PlanBody
}
const causeOf = (timeline: readonly Moment[]) => timeline.find(({ type }) => type === 'cause')!

test('default: another plan of the wallet: its id, when, its transaction, and that it used the nonce', async () => {
  const first = await planned('earn', earn)
  const second = await planned('earn', { ...earn, amount: '2000000' })
  await sim.clock.advance(7)
  const execution = await user.execute(second)
  const { activity_id } = execution.body as { activity_id: string }
  const request = execution.headers.get('x-svc-sim-request-id')
  const [done] = (await user.follow(activity_id)).activity_metadata
  const hash = done!.transaction_hash
  const { hint, timeline } = await refusalOf(first)
  expect(hint).toMatch(
    new RegExp(
      `^plan ${second.plan_id} of the same wallet was executed at 00:00:07 in transaction ${hash} \\(activity ${activity_id}, request ${request}\\) and used the nonce`,
    ),
  )
  const cause = causeOf(timeline)
  expect(cause.title).toBe(hint)
  expect(cause.details).toMatchObject({
    ...{ cause: 'plan', by_plan: second.plan_id, activity_id, hashes: [hash] },
    ...{ changed: 'nonce', before: 'free', after: 'used' },
  })
  expect(timeline.indexOf(cause)).toBe(timeline.findIndex(({ type }) => type === 'answer') + 1)
})

const bridging = { amount: '15000000000', asset: 'USDC', network: 'base' }

test.each([
  ['execute.stuck', {}, 'in flight', /which its transaction had not used yet/],
  ['execute.dropped', { seconds: 30 }, 'taken', /did not use it \(.* left the pool without /],
  ['execute.revert', { by: 'gas' }, 'taken', /did not use it \(reverted without a reason\)/],
  ['bridge.stuck', {}, 'in flight', /which its transaction had not used yet/],
  ['bridge.refund', {}, 'taken', /did not use it \(not run: the bridge from arbitrum to base /],
  ['chain.reorg', {}, 'used', /and used the nonce on base$/],
] as const)(
  'behavior: another plan that met %s (%j): its nonce is %s',
  async (name, settings, after, says) => {
    await user.fund('arbitrum', 'USDC', 10_000_000_000n)
    const isBridge = name.startsWith('bridge.')
    const recipient = '0x00000000000000000000000000000000000f41e7'
    const first = await planned('transfer', {
      ...bridging,
      ...(!isBridge && { amount: '1' }),
      recipient,
    })
    const second = await planned('transfer', { ...bridging, amount: '2', recipient })
    const [on = '', effect = ''] = name.split('.')
    await sim.faults.add({ id: 'mean', on, effect: { [effect]: settings }, times: 1 })
    const { activity_id } = (await user.execute(first)).body as { activity_id: string }
    await sim.clock.advance(40)
    const { body } = await user.api.get(`/activities/${activity_id}`)
    const items = (body as ActivityBody).activity_metadata
    const item = items.findLast(({ chain_id }) => chain_id === 8453)!
    const { hint, timeline } = await refusalOf(second)
    expect(hint).toMatch(/ and (used|took) the nonce on base/)
    expect(hint).toMatch(says)
    expect(causeOf(timeline).title).toBe(hint)
    expect(causeOf(timeline).details).toMatchObject({ cause: 'plan', changed: 'nonce', after })
    // The transaction in which it is now, not one that a reorganisation has replaced.
    const place = item.success !== null && item.transaction_hash
    if (place) expect(hint).toContain(` in transaction ${place} `)
    else expect(hint).not.toContain(' in transaction ')
    // What comes after the refusal counts as well.
    await sim.faults.clear()
    await sim.clock.advance(0)
    const why = await (await fetch(`${sim.controlUrl}/why/${second.plan_id}`)).json()
    const { now, verdict } = why as { now: string; verdict: { cause: object } }
    expect(now).toContain(after === 'in flight' ? 'and used the nonce on base' : hint)
    expect(verdict.cause).toMatchObject({ after: after === 'in flight' ? 'used' : after })
  },
)

test('behavior: a fault names its rule, its transaction and the balance before and after', async () => {
  await sim.faults.set([
    { id: 'taker', on: 'plan', effect: { stale: { by: 'balance' } }, times: 1 },
  ])
  const plan = await planned('earn', earn)
  const { hint, timeline } = await refusalOf(plan)
  expect(hint).toMatch(
    /^fault rule taker \(plan\.stale by balance\) fired at 00:00:00, sent transaction 0x[0-9a-f]{64} and changed the USDC balance on base from 10000 USDC to 0 USDC; it needs 1 USDC on base, but the account can bring only 0 USDC there$/,
  )
  expect(causeOf(timeline).details).toMatchObject({
    cause: 'fault',
    rule: 'taker',
    network: 'base',
  })
})

test('behavior: a fault that used the nonce sent no transaction', async () => {
  await sim.faults.set([{ id: 'user', on: 'plan', effect: 'stale', times: 1 }])
  const { hint } = await refusalOf(await planned('earn', earn))
  expect(hint).toMatch(
    /^fault rule user \(plan\.stale by nonce\) fired at 00:00:00 and used the nonce; a nonce of its operations was used up on base/,
  )
})

test('behavior: a price names the assets, and the price before and after', async () => {
  const plan = await planned('swap', swap)
  await sim.clock.advance(1)
  const moved = await fetch(`${sim.controlUrl}/prices/ETH`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ usd: '3500' }),
  })
  expect(moved.status).toBe(200)
  const { hint, timeline } = await refusalOf(plan)
  expect(hint).toMatch(
    /^the price of ETH, WETH in USD moved from 3000 to 3500 at 00:00:01 \(request req_\w+\); /,
  )
  expect(causeOf(timeline).details).toMatchObject({
    cause: 'price',
    by_request: moved.headers.get('x-svc-sim-request-id'),
  })
})

test('behavior: a price from before the plan is no culprit', async () => {
  await fetch(`${sim.controlUrl}/prices/ETH`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ usd: '3500' }),
  })
  await sim.faults.set([
    { id: 'taker', on: 'plan', effect: { stale: { by: 'balance' } }, times: 1 },
  ])
  const { hint } = await refusalOf(await planned('swap', swap))
  expect(hint).toMatch(/^fault rule taker/)
})

test('behavior: after a restore the culprit of the life before is not named', async () => {
  const plan = await planned('swap', swap)
  const back = await sim.snapshot()
  const body = JSON.stringify({ usd: '3500' })
  const headers = { 'content-type': 'application/json' }
  await fetch(`${sim.controlUrl}/prices/ETH`, { method: 'PUT', headers, body })
  await sim.restore(back)
  expect((await user.execute(plan)).status).toBe(200)
})

test.each([
  ['404 plan_not_found', undefined],
  ['409 plan_stale', 'answer.consumed_plan_stale'],
])(
  'error: a plan that ran already: %s names its activity, and says not to plan again',
  async (returned, rule) => {
    const plan = await planned('earn', earn)
    const { activity_id } = (await user.execute(plan)).body as { activity_id: string }
    if (rule) await sim.faults.add({ on: 'answer', effect: 'consumed_plan_stale' })
    const again = await user.execute(plan)
    expect(`${again.status} ${again.body.error}`).toBe(returned)
    expect(again.headers.get('x-svc-sim-hint')).toBe(
      `the plan was executed before: follow activity ${activity_id}, and do not make a new plan for it`,
    )
  },
)
