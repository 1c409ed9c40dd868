import { formatUnits } from 'viem/utils'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { textOfWhy } from '../../src/observe/journal/whyText.js'
import { createClient } from '../kit/client.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

/** What `why` says became of things: `now`, the causes on the timeline, and events in the order of their delivery. */

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', seed: 7n })
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

interface Moment {
  request_id: string
  type: string
  title: string
  details: Record<string, unknown>
}
interface Told {
  id: string
  now: string
  verdict: { next: string | null }
  timeline: Moment[]
  related: Record<string, string | null>
}

async function why(id: string): Promise<Told> {
  const reply = await createClient({ url: sim.url, apiKey: sim.apiKey }).get(`/_sim/why/${id}`)
  expect(reply.status).toBe(200)
  return reply.body
}

const recipient = '0x00000000000000000000000000000000000f41e7'
const transfer = { asset: 'USDC', amount: '5000000', network: 'base', recipient }

/** An account whose money is on this network, and a plan of it. */
async function planned(funds: 'base' | 'arbitrum' = 'base') {
  const user = await openUser(sim)
  await user.fund(funds, 'USDC', 20_000_000n)
  return { user, plan: (await user.plan('transfer', transfer)).body as PlanBody }
}

/** What became of a plan that is executed under a rule. */
async function executedUnder(rule: object, funds: 'base' | 'arbitrum' = 'base', seconds = 0) {
  const { user, plan } = await planned(funds)
  await sim.faults.add({ id: 'mean', ...rule } as never)
  const executed = await user.execute(plan)
  await sim.clock.advance(seconds)
  const activityId: string = executed.body.activity_id
  return { user, plan, executed, activityId, told: await why(activityId) }
}

/** No new plan before a look at what may have done the same. */
const look = (activityId: string) =>
  `look at activity ${activityId}; unless it does what this plan was for, `

const titles = ({ timeline }: Told, type: string): string[] =>
  timeline.flatMap((moment) => (moment.type === type ? [moment.title] : []))

test('default: the rule that made a plan fail is named in the same words for activity, plan, account and request', async () => {
  const rule = { on: 'execute', effect: 'revert', times: 1 }
  const { user, plan, executed, activityId, told } = await executedUnder(rule)
  const because = 'because mean (execute.revert by nonce) used up the wallet’s nonce'
  expect(told.now).toBe(`failed: TRANSFER on base reverted, ${because}`)
  expect(titles(told, 'transaction')).toEqual([
    expect.stringMatching(
      /^transaction on base: reverted 0x\w{64} \(NonReplayableNonce\(.*\)\), because /,
    ),
  ])
  expect(titles(told, 'transaction')[0]!.endsWith(because)).toBe(true)
  expect((await why(plan.plan_id)).now).toBe(told.now)
  expect((await why(user.id)).now).toBe(`activity ${activityId}: ${told.now}`)
  const request = executed.headers.get('x-svc-sim-request-id')!
  expect((await why(request)).now).toBe(`returned 200; activity ${activityId}: ${told.now}`)
})

test.each([
  [
    { on: 'execute', effect: { revert: { by: 'gas' } } },
    'base',
    'failed: TRANSFER on base reverted, because mean (execute.revert by gas) gave the transaction half the gas that it needs',
  ],
  [
    { on: 'execute', effect: { dropped: { seconds: 5 } } },
    'base',
    'failed: TRANSFER on base was not mined, because mean (execute.dropped) took the transaction out of the node’s pool',
  ],
  [
    { on: 'bridge', effect: 'refund' },
    'arbitrum',
    'failed: the bridge from arbitrum to base failed, because mean (bridge.refund) had the deposit refunded at once (the bridge refused the deposit; 5.008902 USDC refunded on arbitrum at once); operation 2 of 2 (TRANSFER on base) was not run',
  ],
  [
    { on: 'bridge', effect: { partial: { percent: 40 } } },
    'arbitrum',
    'failed: operation 2 of 2 (TRANSFER on base) reverted, because mean (bridge.partial) let only 40 % of the bridged amount arrive; the bridge from arbitrum to base took 5.008902 USDC and delivered 2 USDC of 5 USDC (3 USDC missing)',
  ],
] as const)('behavior: %j: the failure names it', async (rule, funds, now) => {
  const { told, activityId } = await executedUnder(rule, funds, 10)
  expect(told.now.replace(/5\.\d+ USDC/, '5.008902 USDC')).toBe(now)
  const cause = told.timeline.find(({ title }) => title.includes(', because mean ('))
  expect(cause?.details).toMatchObject({ activity_id: activityId })
})

test('behavior: after a partial fill, the next step funds what the same request lacks now, and is enough', async () => {
  const { user, plan, activityId } = await executedUnder(
    { on: 'bridge', effect: { partial: { percent: 40 } }, times: 1 },
    'arbitrum',
  )
  const flying = await why(activityId)
  expect(flying.now).toMatch(
    /^pending: it waits for the bridge from arbitrum to base to deliver 2 USDC of 5 USDC, because mean \(bridge\.partial\) let only 40 % of the bridged amount arrive; if it is not filled by .+ fails; once filled, 3 USDC is missing on base, so operation 2 of 2 \(TRANSFER on base\) reverts and the activity fails, unless the wallet gets 3 USDC there before$/,
  )
  const overview = await (await fetch(`${sim.controlUrl}/overview`)).json()
  const { bridges } = overview as { bridges: { activity_id: string }[] }
  const bridge = bridges.find((each) => each.activity_id === activityId)
  expect(bridge).toMatchObject({
    ...{ status: 'in flight', amount: '5000000', delivers: '2000000', arrived: null },
  })
  await sim.clock.advance(10)
  const enough = 'make a new plan; this one cannot be executed any more'
  expect((await why(activityId)).verdict.next).toBe(enough)
  // Of the 20 USDC, about 15 are left on arbitrum, and 2 have arrived on base.
  const spent = (await user.plan('transfer', { ...transfer, amount: '13000000' })).body as PlanBody
  const { activity_id: later } = (await user.execute(spent)).body
  await sim.clock.advance(10)
  const rules = sim.faults.list()
  const lacks =
    /fund the account with ([\d.]+) USDC on base \(.*\), or ask for less \(the account can bring ([\d.]+) USDC there\), then make a new plan; this one/
  for (const id of [activityId, plan.plan_id]) {
    const { next } = (await why(id)).verdict
    expect(next).toMatch(lacks)
    expect(next!.startsWith(look(later))).toBe(true)
  }
  expect(sim.faults.list()).toEqual(rules)
  const { next } = (await why(activityId)).verdict
  const [, missing, available] = lacks.exec(next!)!
  const units = (text: string) => BigInt(Math.round(Number(text) * 1e6))
  expect((await user.plan('transfer', transfer)).status).toBe(400)
  const both = await why(user.id)
  expect(both.now).toMatch(/\. Also, the last refusal was POST .*plan\/transfer: returned 400/)
  const less = { ...transfer, amount: `${units(available!)}` }
  expect((await user.plan('transfer', less)).status).toBe(201)
  await user.fund('base', 'USDC', units(missing!))
  expect((await why(activityId)).verdict.next).toBe(`${look(later)}${enough}`)
  expect((await user.plan('transfer', transfer)).status).toBe(201)
})

test('behavior: a failed activity and a later refusal each have a next step', async () => {
  const { user, activityId } = await executedUnder({
    ...{ on: 'execute', effect: { revert: { by: 'gas' } }, times: 1 },
  })
  await sim.faults.add({ id: 'refuser', on: 'quote', effect: 'unavailable', times: 1 })
  const swap = { sell_asset: 'USDC', sell_amount: '1000000', buy_asset: 'WETH', network: 'base' }
  expect((await user.plan('swap', swap)).status).toBeGreaterThanOrEqual(400)
  const told = await why(user.id)
  expect(told.now).toMatch(
    new RegExp(`^activity ${activityId}: failed: TRANSFER .*\\. Also, the last refusal was POST `),
  )
  expect(told.verdict.next).toBe(
    `of activity ${activityId}: make a new plan; this one cannot be executed any more. Of the last refusal: send the request again`,
  )
  const plan = (await user.plan('swap', swap)).body as PlanBody
  await sim.faults.add({ id: 'loser', on: 'execute', effect: 'response_lost', times: 1 })
  await expect(user.execute(plan)).rejects.toThrow()
  await sim.clock.advance(0)
  const lost = (await why(plan.plan_id)).related.activity_id
  const both = await why(user.id)
  expect(both.now).toMatch(
    new RegExp(
      `^1 confirmed, 1 failed\\. Activity ${lost}: confirmed; .+\\. Activity ${activityId}: failed`,
    ),
  )
  expect(both.verdict.next).toBe(
    `of activity ${lost}: follow activity ${lost}, and do not make a new plan for it. Of activity ${activityId}: ${look(lost!)}make a new plan; this one cannot be executed any more`,
  )
})

test('behavior: a request that a rule refused, of an account that has spent its money since, looks at what spent it and funds first', async () => {
  const { user, plan } = await planned()
  await sim.faults.add({ id: 'refuser', on: 'quote', effect: 'unavailable', times: 1 })
  const swap = { sell_asset: 'USDC', sell_amount: '16000000', buy_asset: 'WETH', network: 'base' }
  const refused = await user.plan('swap', swap)
  expect(refused).toMatchObject({ status: 422, body: { error: 'swap_quote_failed' } })
  const id = refused.headers.get('x-svc-sim-request-id')!
  const again = 'send the request again'
  for (const each of [id, user.id]) expect((await why(each)).verdict.next).toBe(again)
  expect((await user.execute(plan)).status).toBe(200)
  await sim.clock.advance(0)
  const lacks =
    /^look at activity \w+; unless it does what this request was for, fund the account with ([\d.]+) USDC on base \(.*\), and send the request again; or /
  const { next } = (await why(id)).verdict
  expect(next).toMatch(lacks)
  await sim.faults.clear()
  expect((await why(id)).verdict.next).toBe(next)
  await user.fund('base', 'USDC', BigInt(Math.round(Number(lacks.exec(next!)![1]) * 1e6)))
  expect((await why(id)).verdict.next).toBe(`${next!.split(', fund')[0]}, ${again}`)
  expect((await user.plan('swap', swap)).status).toBe(201)
  // An account that never had any: the rule refuses before anybody looks.
  const poor = await openUser(sim)
  const effect = { respond: { error: 'internal_error' } }
  await sim.faults.add({ id: 'lie', on: 'request', effect, times: 1 } as never)
  expect(await poor.plan('transfer', transfer)).toMatchObject({ status: 500 })
  expect((await why(poor.id)).verdict.next).toMatch(
    /^fund the account with 5 USDC on base \(.*\), and send the request again; or ask for less$/,
  )
})

test('behavior: a refusal that asks too much of a position is told to ask for less, which is enough', async () => {
  const { user } = await planned()
  const at = { asset: 'USDC', protocol: 'compound', network: 'base' }
  const earned = await user.plan('earn', { ...at, amount: '6000000' })
  expect((await user.execute(earned.body as PlanBody)).status).toBe(200)
  await sim.clock.advance(60)
  const refused = await user.plan('withdraw', { ...at, amount: '9000000' })
  expect(refused).toMatchObject({ status: 400, body: { error: 'plan_failed' } })
  const held = /holds (\d+) of USDC/.exec(refused.body.message)![1]!
  const again = 'send the request again'
  const step = `ask for at most what the position holds (the message says how much), and ${again}`
  const amounts = { asked: '9 USDC', holds: `${formatUnits(BigInt(held), 6)} USDC` }
  const ids = [refused.headers.get('x-svc-sim-request-id')!, user.id]
  for (const id of ids) expect((await why(id)).verdict.next).toBe(step)
  expect((await why(ids[0]!)).verdict).toMatchObject({ amounts })
  expect(await user.plan('withdraw', { ...at, amount: held })).toMatchObject({ status: 201 })
  // In every other kind, too.
  const loan = { collateral_asset: 'WETH', collateral_amount: '0' }
  const to = { from_protocol: 'compound', to_protocol: 'aave', migrate_only_supply_balances: true }
  for (const [kind, body, next] of [
    ['migrate', { ...at, ...to, amount: '9000000' }, step],
    [
      'repay',
      { ...at, ...loan, amount: '1' },
      `change the request, or what the message names, and ${again}`,
    ],
  ] as const) {
    const { headers } = await user.plan(kind, body)
    expect((await why(headers.get('x-svc-sim-request-id')!)).verdict.next).toBe(next)
  }
  // A position that has grown since then.
  const more = await user.plan('earn', { ...at, amount: '6000000' })
  expect((await user.execute(more.body as PlanBody)).status).toBe(200)
  await sim.clock.advance(60)
  const grown = await why(more.body.plan_id)
  expect((await why(ids[0]!)).verdict.next).toBe(
    `look at activity ${grown.related.activity_id}; unless it does what this request was for, ${again}`,
  )
  expect(await user.plan('withdraw', { ...at, amount: '9000000' })).toMatchObject({ status: 201 })
})

test('behavior: what is pending says what it waits for, until when, and what follows then', async () => {
  const stuck = await executedUnder({ on: 'bridge', effect: 'stuck' }, 'arbitrum')
  expect(stuck.told.now).toMatch(
    /^pending: it waits for the bridge from arbitrum to base to deliver 5 USDC, because mean \(bridge\.stuck\) kept relayers from filling the deposit; if it is not filled by 2026-\S+Z, 5\.\d+ USDC goes back on arbitrum and the activity fails$/,
  )
  await sim.faults.clear()
  await sim.clock.advance(5)
  expect((await why(stuck.activityId)).now).toBe('confirmed')
  const pooled = await executedUnder({ on: 'execute', effect: { stuck: { seconds: 30 } } })
  expect(pooled.told.now).toMatch(
    /^pending: it waits for TRANSFER on base to be mined \(transaction 0x\w{64}\), because mean \(execute\.stuck\) holds the transaction in the node’s pool for 30 s$/,
  )
  await sim.clock.advance(30)
  expect((await why(pooled.activityId)).now).toBe('confirmed')
})

test('behavior: a dropped transaction is told as such until the service notices it, and not once it is sent again', async () => {
  const effect = { dropped: { seconds: 30 } }
  const { user, plan, activityId, told } = await executedUnder({ on: 'execute', effect, times: 1 })
  const dropped = 'because mean (execute.dropped) took the transaction out of the node’s pool'
  const now = expect.stringMatching(
    /^pending: TRANSFER on base is not going to be mined \(transaction 0x\w{64}\), because mean \(execute\.dropped\) took the transaction out of the node’s pool; the service notices that at 2026-\S+Z, and the activity fails then, unless the rule is removed before, which sends it again$/,
  )
  expect(told.now).toEqual(now)
  expect((await why(plan.plan_id)).now).toBe(told.now)
  expect((await why(user.id)).now).toBe(`activity ${activityId}: ${told.now}`)
  const [, last] = titles(told, 'transaction')
  expect(last).toMatch(/^transaction on base: dropped 0x\w{64}, because /)
  const { details } = told.timeline.find(({ title }) => title === last)!
  expect((await why(`${details.hash}`)).now.startsWith(`${last}; it belongs to `)).toBe(true)
  expect(told.now).toContain(`notices that at ${details.until}`)
  // A restore sends it again, without the rule.
  const saved = await sim.snapshot()
  await sim.clock.advance(30)
  expect((await why(activityId)).now).toBe(`failed: TRANSFER on base was not mined, ${dropped}`)
  await sim.restore(saved)
  await sim.clock.advance(0)
  expect((await why(activityId)).now).toBe('confirmed')
  // A request may carry the rule; all rules are removed as its next step says.
  const carried = await planned()
  const headers = { 'x-svc-sim-fault': JSON.stringify({ id: 'mean', on: 'execute', effect }) }
  const { body } = await carried.user.execute(carried.plan, headers)
  await sim.clock.advance(1)
  const own = await why(body.activity_id)
  expect(own.now).toEqual(now)
  expect(own.verdict.next).toMatch(/\(DELETE \/_sim\/faults\), then let time pass/)
  // Two rules at once: what is removed together releases both.
  await sim.faults.add({ id: 'still', on: 'chain', effect: 'halt', match: { network: 'base' } })
  await sim.faults.clear()
  await sim.clock.advance(0)
  expect((await why(body.activity_id)).now).toBe('confirmed')
})

test('behavior: a stuck transaction whose seconds are over is held by the halted network alone, which says so', async () => {
  const effect = { stuck: { seconds: 60 } }
  const { activityId, user } = await executedUnder({ on: 'execute', effect, times: 1 })
  await sim.faults.add({ id: 'still', on: 'chain', effect: 'halt', match: { network: 'base' } })
  expect((await why(activityId)).now).toMatch(
    /, because mean \(execute\.stuck\) holds .* for 60 s, because still \(chain\.halt\) is in force$/,
  )
  const held = `fault rule chain.halt for network base is in force, and holds activity ${activityId}`
  expect((await why('still')).now).toBe(held)
  expect((await why('mean')).now).toContain(`, but still holds activity ${activityId};`)
  await sim.clock.advance(61)
  for (const id of [activityId, user.id]) {
    const { now, verdict } = await why(id)
    expect(now).toMatch(/\(transaction 0x\w{64}\), because still \(chain\.halt\) is in force$/)
    expect(verdict.next).toMatch(
      /^remove the rule still, which releases what it holds \(.*still\), then/,
    )
  }
  const spent = await why('mean')
  expect(spent.now).toContain(' has fired 1 of 1 times and will not fire again; it fired at ')
  expect(spent.verdict.next).toBeNull()
  const { now, verdict } = await why('still')
  expect(now).toBe(held)
  expect(verdict.next).toBe(
    `remove the rule, which releases activity ${activityId}: DELETE /_sim/faults/still`,
  )
  await sim.faults.remove('still')
  await sim.clock.advance(0)
  expect((await why(activityId)).now).toBe('confirmed')
})

test('behavior: an execution under way is told by its plan and its account, and is not to be sent again', async () => {
  const { user, plan } = await planned()
  const match = { path: '*/execute' }
  await sim.faults.add({ id: 'late', on: 'request', effect: { latency: { ms: 5_000 } }, match })
  const executed = user.execute(plan)
  const { request } = await vi.waitUntil(async () => {
    const [, request] = /in request (req_\w+),/.exec((await why(plan.plan_id)).now) ?? []
    return request === undefined ? undefined : { request }
  })
  const open =
    'no response yet, because late (request.latency) delayed the request by 5000 ms of the clock'
  const told = await why(plan.plan_id)
  expect(told.now).toContain(
    `; its execution is under way in request ${request}, which has ${open}`,
  )
  const account = await why(user.id)
  expect(account.now).toBe(
    `no plan of this account has been executed; POST ${user.path}/plan/execute (${request}): ${open}`,
  )
  for (const { verdict } of [told, account, await why(request)])
    expect(verdict.next).toMatch(
      /^remove the rule late, which releases what it holds \(DELETE \/_sim\/faults\/late\), then let time/,
    )
  await sim.faults.remove('late')
  expect((await executed).status).toBe(200)
  await sim.clock.advance(0)
  for (const id of [plan.plan_id, user.id]) expect((await why(id)).now).toMatch(/confirmed$/)
})

test.each([
  [{ on: 'bridge', effect: 'stuck', times: 1 }, 'arbitrum'],
  [{ on: 'bridge', effect: { delay: { seconds: 500 } }, times: 1 }, 'arbitrum'],
  [{ on: 'execute', effect: 'stuck', times: 1 }, 'base'],
] as const)(
  'behavior: %j: a spent rule is removed to release what it holds',
  async (rule, funds) => {
    const { user, plan, activityId } = await executedUnder(rule, funds)
    const next = async (id: string) => (await why(id)).verdict.next
    const remove =
      'remove the rule mean, which releases what it holds (DELETE /_sim/faults/mean), then '
    for (const id of [activityId, plan.plan_id, user.id])
      expect((await next(id))!.startsWith(remove)).toBe(true)
    expect(await why('mean')).toMatchObject({
      now: expect.stringContaining(
        `will not fire again, but still holds activity ${activityId}; it`,
      ),
      verdict: {
        next: `remove the rule, which releases activity ${activityId}: DELETE /_sim/faults/mean`,
      },
    })
    await sim.faults.remove('mean')
    expect((await next(activityId)) ?? 'let time pass').toMatch(/^let time pass/)
    await sim.clock.advance(5)
    expect((await why(activityId)).now).toBe('confirmed')
  },
)

test('behavior: a response that was lost, and a request that was refused, name the rule', async () => {
  const { user, plan } = await planned()
  await sim.faults.add({ id: 'mean', on: 'execute', effect: 'response_lost', times: 1 })
  await expect(user.execute(plan)).rejects.toThrow()
  await sim.clock.advance(0)
  const { now, related, verdict } = await why(plan.plan_id)
  const fault = { rule: 'mean', effect: 'execute.response_lost' }
  expect(verdict).toMatchObject({ fault })
  const { timeline } = await why(plan.plan_id)
  const cut = timeline.find(({ type }) => type === 'fault')!.request_id
  expect((await why(cut)).verdict).toMatchObject({ outcome: 'cut', fault })
  // Said once: the request that was cut is no refusal.
  expect((await why(user.id)).now).toBe(`activity ${related.activity_id}: ${now}`)
  expect((await why(user.id)).verdict.next).toBe(
    `follow activity ${related.activity_id}, and do not make a new plan for it`,
  )
  expect(now).toBe(
    'confirmed; its client did not get the response (the connection was cut), because mean (execute.response_lost) cut the connection after the plan was executed; the client can find this activity by its plan_id',
  )
  await sim.faults.clear()
  const next = await planned()
  await sim.faults.add({ id: 'mean', on: 'execute', effect: 'reject_signature', times: 1 })
  const refused = await next.user.execute(next.plan)
  const told = await why(refused.headers.get('x-svc-sim-request-id')!)
  expect(told.now).toMatch(
    /^returned 500 internal_error \(.+\), because mean \(execute\.reject_signature\) changed one bit of the signature$/,
  )
  expect((await why(next.plan.plan_id)).now).toMatch(
    /^not executed; it can be until 2026-\S+; its last execution failed, because mean \(execute\.reject_signature\) changed one bit of the signature$/,
  )
  await sim.faults.add({ id: 'kind', on: 'answer', effect: 'unknown_fields' })
  const authorization = `Bearer ${sim.apiKey}`
  const read = await fetch(`${sim.url}/networks`, { headers: { authorization } })
  expect((await why(read.headers.get('x-svc-sim-request-id')!)).now).toBe(
    'returned 200; kind (answer.unknown_fields) fired',
  )
  await sim.clock.advance(3_600)
  expect((await why(next.plan.plan_id)).now).toMatch(/^never executed; it expired at 2026-/)
  expect((await why(next.user.id)).now).toBe(
    `no plan of this account has been executed; the last refusal was POST ${next.user.path}/plan/execute: ${told.now}. The plan expired at ${next.plan.expires_at}`,
  )
})

test('behavior: an error that a rule made up says nothing about the plan, for the request as for the plan', async () => {
  const { user, plan } = await planned()
  const respond = { error: 'plan_stale' } as const
  await sim.faults.add({ id: 'mean', on: 'request', effect: { respond } })
  const refused = await user.execute(plan)
  expect(refused.headers.get('x-svc-sim-hint')).toMatch(
    /^Fault rule mean .+ send the request again/,
  )
  const asked = refused.headers.get('x-svc-sim-request-id')!
  const tell = async () => [(await why(asked)).verdict, (await why(plan.plan_id)).verdict]
  const remove = 'remove the rule mean (DELETE /_sim/faults/mean), then '
  const next = 'sign the digest of the plan, and POST it to plan/execute'
  const fault = { rule: 'mean', effect: 'request.respond' }
  const armed = { next: remove + next, fault }
  expect(await tell()).toMatchObject([armed, armed])
  const authorization = `Bearer ${sim.apiKey}`
  const read = await fetch(`${sim.url}/networks`, { headers: { authorization } })
  expect((await why(read.headers.get('x-svc-sim-request-id')!)).verdict.next).toBe(
    `${remove}send the request again`,
  )
  await sim.faults.clear()
  expect(await tell()).toMatchObject([{ next }, { next }])
  expect((await user.execute(plan)).status).toBe(200)
})

test('behavior: a plan that a rule made expire names the rule, in the hint, for the request and for the plan', async () => {
  const { user } = await planned()
  await sim.faults.add({ id: 'mean', on: 'plan', effect: 'expire' })
  const plan = (await user.plan('transfer', transfer)).body as PlanBody
  const listed = async () => {
    const overview = await (await fetch(`${sim.controlUrl}/overview`)).json()
    const { ended_plans } = overview as { ended_plans: { plan_id: string }[] }
    return ended_plans.find(({ plan_id }) => plan_id === plan.plan_id)
  }
  const { now, verdict } = await why(plan.plan_id)
  expect(verdict).toMatchObject({ outcome: 'expired', fault: { rule: 'mean' } })
  expect(await listed()).toMatchObject({ outcome: 'expired' })
  const refused = await user.execute(plan)
  expect(refused).toMatchObject({ status: 404, body: { error: 'plan_not_found' } })
  const hint = refused.headers.get('x-svc-sim-hint')!
  expect(hint).toMatch(
    new RegExp(
      `^fault rule mean \\(plan.expire\\) fired at \\S+ and changed the expiry from ${plan.expires_at} to 2026-\\S+Z; it expired at 2026-\\S+Z; create a new plan$`,
    ),
  )
  const asked = await why(refused.headers.get('x-svc-sim-request-id')!)
  expect(asked.now).toMatch(
    /^returned 404 plan_not_found, because fault rule mean \(plan.expire\) fired at /,
  )
  const ended = '(DELETE /_sim/faults/mean), then make a new plan; this one cannot be executed'
  expect(textOfWhy(asked as never)).toContain(`next: remove the rule mean ${ended}`)
  const told = await why(plan.plan_id)
  expect(told.now).toMatch(
    /^never executed; it expired at 2026-\S+Z, because mean \(plan.expire\) made the plan expire as soon as it was returned$/,
  )
  expect(textOfWhy(told as never)).toContain(`next: remove the rule mean ${ended}`)
  expect(told.now).toBe(now)
  const { type, title } = told.timeline.find((each) => each.type === 'expiry')!
  expect([type, title]).toEqual([
    'expiry',
    expect.stringMatching(
      /^plan pln_\w+ expired at \S+, because of fault rule mean \(plan.expire\)$/,
    ),
  ])
  await sim.faults.clear()
  // A plan that the store has removed ends in the same word.
  await sim.clock.advance(300)
  await user.plan('transfer', transfer)
  expect(await why(plan.plan_id)).toMatchObject({ now, verdict: { outcome: 'expired' } })
  expect(await listed()).toMatchObject({ outcome: 'expired' })
  const header = { headers: { 'x-svc-sim-fault': 'plan.expire' } }
  const carried = (await user.api.post(`${user.path}/plan/transfer`, transfer, header)).body
  const again = await user.execute(carried as PlanBody)
  expect(textOfWhy((await why(again.headers.get('x-svc-sim-request-id')!)) as never)).toContain(
    '\nnext: leave out the header x-svc-sim-fault, and make a new plan;',
  )
})

test('behavior: a rule that only delays is no cause of a refusal', async () => {
  const { user } = await planned()
  await sim.faults.add({ id: 'slow', on: 'folio', effect: { latency: { ms: 1_000 } } })
  const asking = user.plan('transfer', { ...transfer, amount: '90000000000' })
  await expect.poll(() => sim.faults.list()[0]!.hits).toBe(1)
  await sim.clock.advance(1)
  const refused = await asking
  const told = await why(refused.headers.get('x-svc-sim-request-id')!)
  expect(told.now).toMatch(
    /^returned 400 plan_failed, because the plan needs 90000 USDC on base, but .+ only 20 USDC there; slow \(folio.latency\) fired$/,
  )
  expect(textOfWhy(told as never)).toContain(
    '\nnext: fund the account with 89980 USDC on base (svc-sim fund ',
  )
})

test('behavior: a transaction leads to its activity, or belongs to none', async () => {
  const { told, activityId } = await executedUnder({ on: 'execute', effect: 'duplicate', times: 1 })
  const hashes = told.timeline.flatMap(({ details: { hash } }) => (hash ? [`${hash}`] : []))
  expect(hashes).toHaveLength(2)
  const found = await Promise.all(hashes.map(why))
  for (const [place, { now, related }] of found.entries()) {
    expect(related.activity_id).toBe(activityId)
    expect(now).toContain(`${place === 0 ? 'reverted' : 'mined'} ${hashes[place]}`)
    expect(now).toContain(
      `; it called transfer.transferERC20Token and belongs to activity ${activityId}: `,
    )
  }
  expect(found[0]!.now).toContain('because mean (execute.duplicate) sent the same operations twice')
  expect((await why('mean')).now).toContain('has fired 1 of 1 times and will not fire again; it')
  const { user } = await planned()
  const sent = await fetch(sim.rpc('base'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['latest', false] },
    }),
  })
  const { result } = (await sent.json()) as { result: { transactions: string[] } }
  const hash = result.transactions[0]!
  // Logs and arguments have words of as many digits, and longer ids begin like others.
  const api = createClient({ url: sim.url, apiKey: sim.apiKey })
  const status = async (id: string) => (await api.get(`/_sim/why/${id}`)).status
  expect(await status(`0x${'0'.repeat(64)}`)).toBe(404)
  const header = { headers: { 'x-svc-sim-fault': 'answer.other_ids' } }
  const long = (await user.api.post(`${user.path}/plan/transfer`, transfer, header)).body
  expect((await why(long.plan_id)).timeline).not.toEqual([])
  expect(await status(long.plan_id.slice(0, 20))).toBe(404)
  expect(await why(hash)).toMatchObject({
    id: hash,
    timeline: [],
    now: expect.stringMatching(
      new RegExp(
        `^mined in block \\d+ of base, from .+; it belongs to no activity; it changed the USDC of ${user.id} by 20000000$`,
      ),
    ),
  })
})

test('behavior: a fault rule says what it is, how often it fired, and what it met; also when it is gone', async () => {
  const effect = { revert: { by: 'gas' } }
  const rule = { id: 'gas', on: 'execute', effect, match: { kind: 'transfer' } }
  const { user, executed, activityId } = await executedUnder(rule)
  const request = executed.headers.get('x-svc-sim-request-id')!
  const met = `it fired at POST ${user.path}/plan/execute (${request}), activity ${activityId}`
  expect((await why('gas')).now).toBe(
    `fault rule execute.revert {"by":"gas"} for kind transfer is armed: it has fired at 1 of 1 matching calls; ${met}`,
  )
  await sim.faults.clear()
  const { now, timeline } = await why('gas')
  expect(now).toBe(
    `fault rule execute.revert by gas is no longer armed; in the journal it fired once; ${met}`,
  )
  expect(timeline.map(({ title }) => title)).toContain(
    'fault rule gas fired: execute.revert by gas',
  )
})

test.each([
  [{ reorder: {} }, [/is confirmed$/, /is pending \(delivered after event \d+\)$/]],
  [
    { delay: { seconds: 3 } },
    [/is confirmed$/, /is pending \(created at \d\d:\d\d:\d\d\.000, delivered after event \d+\)$/],
  ],
  [{ duplicate: {} }, [/is pending$/, /is pending \(the same event again\)$/, /is confirmed$/]],
  [{ drop: {} }, [/is pending \(not delivered: mean \(events\.drop\)\)$/, /is confirmed$/]],
])('behavior: events stand in the order of their delivery: %j', async (effect, expected) => {
  const { told, user } = await executedUnder({ on: 'events', effect, times: 1 }, 'base', 10)
  const events = told.timeline.filter(({ type }) => type === 'event')
  expect(events.map(({ title }) => title)).toEqual(
    expected.map((text) => expect.stringMatching(text)),
  )
  const delivered = events.filter(({ title }) => !title.includes('not delivered'))
  const { body } = await user.api.get(`${user.path}/events?since=0`)
  expect(delivered.map(({ details }) => details.activity_status)).toEqual(
    body.events.map((each: { data: Record<string, string> }) => each.data.activity_status),
  )
  expect(delivered.at(-1)!.details.cursor).toBe(body.cursor)
})

test('behavior: what a reorganisation replaced names the rule', async () => {
  const { told } = await executedUnder({ on: 'chain', effect: 'reorg', times: 1 }, 'base', 10)
  expect(titles(told, 'transaction')).toEqual([
    expect.stringMatching(
      /replaced by a reorganisation 0x\w{64}, because mean \(chain\.reorg\) replaced the blocks after the activity was confirmed$/,
    ),
    expect.stringMatching(/^transaction on base: mined 0x\w{64}$/),
  ])
  expect(told.now).toBe('confirmed')
})

test('behavior: a network that mines nothing is named', async () => {
  const { user, plan } = await planned()
  await sim.faults.add({ id: 'mean', on: 'chain', effect: 'halt', match: { network: 'base' } })
  const { body } = await user.execute(plan)
  const told = await why(body.activity_id)
  expect(told.now).toMatch(
    /^pending: it waits for TRANSFER on base to be .+, because mean \(chain\.halt\) is in force$/,
  )
  await sim.faults.clear()
  await sim.clock.advance(0)
  expect((await why(body.activity_id)).now).toBe('confirmed')
})

const base = { network: 'base' }

test.each([
  ['a delayed bridge', { on: 'bridge', effect: { delay: { seconds: 50 } } }, 'bridge.delay', 2],
  ['a bridge that nobody fills', { on: 'bridge', effect: 'stuck', times: 1 }, 'bridge.stuck', 2],
  ['a stuck transaction', { on: 'execute', effect: 'stuck' }, 'execute.stuck', 0],
  ['a dropped transaction', { on: 'execute', effect: 'dropped' }, 'execute.dropped', 0],
  ['a halted network', { on: 'chain', effect: 'halt', match: base }, 'chain.halt', 0],
  ['a removed rule', { on: 'bridge', effect: { delay: { seconds: 50 } } }, undefined, 2],
  ['a bridge that needs its time', { on: 'folio', effect: 'timeout' }, undefined, 0],
] as const)(
  'behavior: an activity that was pending when a snapshot was restored names what held it: %s',
  async (what, rule, effect, seconds) => {
    const snapshot = await sim.snapshot()
    const from = rule.on === 'execute' || rule.on === 'chain' ? 'base' : 'arbitrum'
    const { plan, executed, activityId, told } = await executedUnder(rule, from, seconds)
    if (what === 'a removed rule') await sim.faults.clear()
    expect(told.now).toMatch(/^pending: /)
    await sim.restore(snapshot)
    const held = effect ? `, because mean (${effect}) held it` : ''
    for (const id of [activityId, plan.plan_id]) {
      const { now, verdict } = await why(id)
      expect(`${now}. `).toContain(`. Before that, its activity was pending${held}. `)
      expect(verdict).toMatchObject({ cause: { cause: 'restore', snapshot } })
      expect((verdict as { fault?: object }).fault).toEqual(effect && { rule: 'mean', effect })
      expect(verdict.next ?? '').not.toContain('mean')
    }
    const { now } = await why(executed.headers.get('x-svc-sim-request-id')!)
    expect(now).toContain(`; activity ${activityId} was pending${held}. Since then, snapshot `)
  },
)

test('behavior: a reset names what held an activity, too, though it removes the rule first', async () => {
  const delay = { on: 'bridge', effect: { delay: { seconds: 50 } } }
  const { activityId } = await executedUnder(delay, 'arbitrum', 2)
  await sim.reset()
  expect((await why(activityId)).now).toContain(
    `the simulator no longer has ${activityId}: the simulator was reset at 00:00:00. Before that, its activity was pending, because mean (bridge.delay) held it`,
  )
})
