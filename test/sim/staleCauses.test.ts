import { sign } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { type ActivityBody, openUser, type PlanBody, type User, userAt } from '../kit/user.js'

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

interface Told {
  now: string
  verdict: { outcome: string; next: string | null }
}
const why = async (id: string): Promise<Told> =>
  (await fetch(`${sim.controlUrl}/why/${id}`)).json() as Promise<Told>

/** The next step, which is the same wherever it is asked for. */
async function nextOf(...ids: string[]): Promise<string | null> {
  const all = await Promise.all(ids.map(async (id) => (await why(id)).verdict.next))
  expect(new Set(all).size, JSON.stringify(all)).toBe(1)
  return all[0]!
}
const requestOf = ({ headers }: { headers: Headers }) => headers.get('x-svc-sim-request-id')!
const setPrice = (usd: string) =>
  fetch(`${sim.controlUrl}/prices/ETH`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ usd }),
  })
/** Funds what the step names. */
async function fundAsTold(step: string): Promise<void> {
  const [, account_id, asset, amount, network] =
    /svc-sim fund --account (\S+) --asset (\S+) --amount (\S+) --network (\w+)/.exec(step)!
  await sim.fund({ account_id, asset, amount, network } as never)
}

test.each(['nonce', 'price', 'balance'])(
  'behavior: plan.stale by %s: the next step is the same everywhere, and works as it is written',
  async (by) => {
    await sim.faults.set([{ id: 'mean', on: 'plan', effect: { stale: { by } }, times: 1 }])
    const plan = await planned('swap', swap)
    const refused = await user.execute(plan)
    expect(refused.status).toBe(409)
    const next = await nextOf(requestOf(refused), plan.plan_id, user.id)
    expect(next).toMatch(
      {
        nonce: /^make a new plan; this one cannot be executed any more$/,
        price: /^make a new plan with the same request$/,
        balance: /^fund the account with 3000 USDC on base \(.+\), then look at this plan again: /,
      }[by]!,
    )
    if (by === 'balance') {
      await fundAsTold(next!)
      expect(await nextOf(requestOf(refused), plan.plan_id, user.id)).toMatch(/^sign the digest/)
    }
    const again = by === 'balance' ? plan : await planned('swap', swap)
    expect((await user.execute(again)).status).toBe(200)
  },
)

test('behavior: a plan whose price came back can be executed, and says so after its refusal', async () => {
  const plan = await planned('swap', swap)
  await setPrice('3500')
  const refused = await user.execute(plan)
  const ids = [requestOf(refused), plan.plan_id, user.id]
  expect(await nextOf(...ids)).toBe('make a new plan with the same request')
  await setPrice('3000')
  expect(await nextOf(...ids)).toMatch(/^sign the digest/)
  expect((await why(plan.plan_id)).verdict.outcome).toBe('ready')
  const { activity_id } = (await user.execute(plan)).body as { activity_id: string }
  expect((await why(ids[0]!)).verdict.next).toBe(
    `follow activity ${activity_id}, and do not make a new plan for it`,
  )
})

test.each(['before', 'after'])(
  'behavior: funds that a bridge was to bring are lost: %s a refusal, funding makes way for a new plan',
  async (when) => {
    const other = await openUser(sim)
    await other.fund('arbitrum', 'USDC', 20_000_000n)
    await sim.faults.set([{ on: 'plan', effect: { stale: { by: 'balance' } }, times: 1 }])
    const body = { asset: 'USDC', amount: '5000000', network: 'base', recipient: other.wallet }
    const plan = (await other.plan('transfer', body)).body as PlanBody
    if (when === 'after') expect((await other.execute(plan)).status).toBe(409)
    await fundAsTold((await why(plan.plan_id)).verdict.next!)
    expect((await why(plan.plan_id)).verdict.next).toBe('make a new plan with the same request')
    const anew = (await other.plan('transfer', body)).body as PlanBody
    expect((await other.execute(anew)).status).toBe(200)
  },
)

test.each(['expired', 'expired and removed', 'undone by a restore'])(
  'error: 404 for a plan that is %s, of a wallet that has executed another since: look at that first',
  async (how) => {
    const snapshot = await sim.snapshot()
    // After a restore, the same seed gives its id to the next plan.
    await planned('earn', earn)
    const plan = await planned('earn', earn)
    const late = how === 'expired' ? await planned('earn', earn) : undefined
    if (late) expect((await user.execute(late)).status).toBe(200)
    if (how === 'undone by a restore') await sim.restore(snapshot)
    else await sim.clock.advance(121)
    if (!late) {
      expect(await nextOf(plan.plan_id)).toBe(
        'make a new plan; this one cannot be executed any more',
      )
      expect((await user.execute(await planned('earn', earn))).status).toBe(200)
    }
    await sim.clock.advance(0)
    const { activities } = (await user.api.get(`${user.path}/activities`)).body
    const { activity_id } = activities[0]
    const refused = await user.execute(plan)
    expect(refused).toMatchObject({ status: 404, body: { error: 'plan_not_found' } })
    const look = `look at activity ${activity_id}; unless it does what this plan was for, `
    expect(refused.headers.get('x-svc-sim-hint')!.endsWith(`; ${look}create a new plan`)).toBe(true)
    expect(await nextOf(requestOf(refused), plan.plan_id, user.id)).toBe(
      `${look}make a new plan; this one cannot be executed any more`,
    )
  },
)

test('error: of several expired plans each refusal says when and what to do, also when a new plan has removed them', async () => {
  const other = await openUser(sim)
  await other.fund('base', 'USDC', 10_000_000n)
  const of: [User, PlanBody][] = []
  for (const each of [user, other, user, other, user])
    of.push([each, (await each.plan('earn', earn)).body as PlanBody])
  await sim.faults.set([{ id: 'early', on: 'plan', effect: 'expire', times: 1 }])
  const early = await planned('earn', earn)
  await sim.clock.advance(121)
  const back = await sim.snapshot()
  const newPlan = 'make a new plan; this one cannot be executed any more'
  const check = async ([owner, plan]: [User, PlanBody], why404: string) => {
    const refused = await owner.execute(plan)
    expect(refused).toMatchObject({ status: 404, body: { error: 'plan_not_found' } })
    expect(refused.headers.get('x-svc-sim-hint')).toBe(`${why404}; create a new plan`)
    const said = `returned 404 plan_not_found, because ${why404}`
    expect((await why(requestOf(refused))).now).toBe(said)
    expect((await why(owner.id)).now).toBe(
      `no plan of this account has been executed; the last refusal was POST ${owner.path}/plan/execute: ${said}`,
    )
    expect(await nextOf(requestOf(refused), plan.plan_id, owner.id)).toBe(newPlan)
  }
  for (const phase of ['kept', 'removed by a new plan', 'restored']) {
    if (phase === 'removed by a new plan') await planned('earn', earn)
    if (phase === 'restored') await sim.restore(back)
    for (const each of of) await check(each, `it expired at ${each[1].expires_at}`)
    await check(
      [user, early],
      'fault rule early (plan.expire) fired at 00:00:00 and changed the expiry from 2026-01-01T00:02:00Z to 2026-01-01T00:00:00Z; it expired at 2026-01-01T00:00:00Z',
    )
  }
  // Nobody else's plan.
  const stranger = await other.execute(early)
  expect(stranger.headers.get('x-svc-sim-hint')).toMatch(/^this account never had it, or it /)
})

const armed = (name: string, settings: object = {}, times?: number) => {
  const [on = '', effect = ''] = name.split('.')
  const match = on === 'request' && { match: { path: '/accounts/*/plan/execute' } }
  const rule = { id: 'mean', on, effect: { [effect]: settings }, ...match, ...(times && { times }) }
  return sim.faults.set([rule as never])
}

/** A plan whose execution fails under the rule, and the id of that request. */
async function failedUnder(name: string, settings: object = {}, times?: number) {
  if (name.startsWith('plan.')) await armed(name, settings, times)
  const plan = await planned('earn', earn)
  if (!name.startsWith('plan.')) await armed(name, settings, times)
  await user.execute(plan).catch(() => undefined)
  await sim.clock.advance(10)
  const { timeline } = (await (await fetch(`${sim.controlUrl}/why/${plan.plan_id}`)).json()) as {
    timeline: (Moment & { request_id: string })[]
  }
  const request = timeline.findLast(({ type }) => type === 'answer')!.request_id
  return { plan, request }
}

test.each([
  ['execute.revert', {}],
  ['execute.dropped', { seconds: 5 }],
  ['plan.stale', { by: 'nonce' }],
  ['plan.stale', { by: 'balance' }],
  ['execute.reject_signature', {}],
  ['request.reset_before', {}],
])(
  'behavior: %s %j: once a retry was executed, no step is a new plan without a look at the retry',
  async (name, settings) => {
    const { plan, request } = await failedUnder(name, settings, 1)
    const ids = [plan.plan_id, request, user.id]
    const { now } = await why(plan.plan_id)
    for (const id of ids) expect((await why(id)).verdict.next).not.toContain('look at activity')
    await user.fund('base', 'USDC', 3_000_000n)
    const { activity_id } = (await user.execute(await planned('earn', earn))).body
    const look = `look at activity ${activity_id}; unless it does what this plan was for, `
    // While the plan could live, when it has expired, and when the store has removed it.
    for (const seconds of [0, 130, 300]) {
      await sim.clock.advance(seconds)
      if (seconds === 300) await planned('earn', earn)
      const told = await Promise.all(ids.map(why))
      for (const { verdict } of told)
        if (verdict.next?.includes('make a new plan')) expect(verdict.next).toContain(look)
      expect(told[0]!.verdict.next).toBe(
        `${look}make a new plan; this one cannot be executed any more`,
      )
      expect(told[1]!.verdict.next).toBe(told[0]!.verdict.next)
      // The refusal came before the retry existed.
      if (name !== 'plan.stale') continue
      expect(told[0]!.now).toContain(now.split(';')[0]!.replace(/^.*?: /, ''))
      expect(told[0]!.now.includes(`expired at ${plan.expires_at}`)).toBe(seconds > 0)
      expect(told[0]!.now).toMatch(/\. Also, plan pln_\w+ of the same wallet was executed at /)
      expect(told[0]!.now).not.toContain('can bring only')
    }
  },
)

test('behavior: a plan refused for want of funds, funded after its expiry: a new plan is all it takes', async () => {
  const { plan, request } = await failedUnder('plan.stale', { by: 'balance' }, 1)
  await sim.clock.advance(130)
  await fundAsTold((await nextOf(plan.plan_id, request, user.id))!)
  for (const seconds of [0, 300]) {
    await sim.clock.advance(seconds)
    expect(await nextOf(plan.plan_id, request, user.id)).toBe(
      'make a new plan; this one cannot be executed any more',
    )
    expect((await why(plan.plan_id)).now).toMatch(
      /; it needed 1 USDC on base, but the account could bring only 0 USDC there then$/,
    )
  }
  expect((await user.execute(await planned('earn', earn))).status).toBe(200)
})

test.each(['execute.reject_signature', 'request.reset_before'])(
  'behavior: %s: the plan, the request and the account name both the rule and the expiry',
  async (name) => {
    const { plan, request } = await failedUnder(name)
    const remove = 'remove the rule mean (DELETE /_sim/faults/mean), then '
    for (const id of [plan.plan_id, request, user.id])
      expect((await why(id)).verdict.next!.startsWith(remove)).toBe(true)
    await sim.clock.advance(130)
    expect(await nextOf(plan.plan_id, request, user.id)).toBe(
      `${remove}make a new plan; this one cannot be executed any more`,
    )
    for (const id of [plan.plan_id, request, user.id]) {
      const { now } = await why(id)
      expect(now).toContain(`because mean (${name}) `)
      expect(now).toContain(` expired at ${plan.expires_at}`)
    }
    await sim.faults.clear()
    expect((await user.execute(await planned('earn', earn))).status).toBe(200)
  },
)

test('behavior: a lost response whose activity a restore or reset took: nobody is told to execute a plan that is gone', async () => {
  const back = await sim.snapshot()
  const { plan, request } = await failedUnder('execute.response_lost', {}, 1)
  expect(await nextOf(plan.plan_id, request)).toMatch(/^follow activity/)
  await sim.restore(back)
  expect(await nextOf(plan.plan_id, request)).toBe(
    'make a new plan; this one cannot be executed any more',
  )
  expect((await why(request)).now).toContain(`. Since then, snapshot ${back} was restored`)
  await sim.reset()
  expect(await nextOf(plan.plan_id, request)).toMatch(/^create the account again/)
})

const recipient = '0x1111111111111111111111111111111111111111'
const transfer = { asset: 'USDC', amount: '8000000', network: 'base', recipient }
/** A request for the plan, and its id; undefined for a connection that was cut. */
const asked = async (of: User, kind: string, body: object) => {
  const made = await of.plan(kind, body).catch(() => undefined)
  const { exchanges } = (await (await fetch(`${sim.controlUrl}/journal?limit=500`)).json()) as {
    exchanges: { url: string; request_id: string }[]
  }
  const url = `/accounts/${of.id}/plan/${kind}`
  return { made, request: exchanges.findLast((each) => each.url.startsWith(url))!.request_id }
}
const paysAgain =
  /send (?:the request|it) again|(?<!not )make a new plan|make the plan there|fund the account|sign the digest/

/** The rules under which a client does not learn that its execution succeeded. */
const losses = ['execute.response_lost', 'request.reset_after', 'request.truncate'] as const

test.each([
  ['transfer', { ...transfer }, 'USDC'],
  ['earn', { ...earn, amount: '8000000' }, 'USDC'],
  ['swap', { ...swap, sell_amount: '8000000' }, 'USDC'],
] as const)(
  'behavior: a payment whose response was lost, asked for again as %s: the missing money is followed to it, and no step pays twice',
  async (kind, body, asset) => {
    for (const loss of losses) {
      const payer = await openUser(sim)
      await payer.fund('base', asset, 10_000_000n)
      const plan = (await payer.plan(kind, body)).body as PlanBody
      await armed(loss, {}, 1)
      await payer.execute(plan).catch(() => undefined)
      await sim.clock.advance(5)
      const [{ activity_id, activity_status }] = (await payer.api.get(`${payer.path}/activities`))
        .body.activities
      expect(activity_status).toBe('confirmed')
      const { made, request } = await asked(payer, kind, body)
      expect(made).toMatchObject({ status: 400, body: { error: 'plan_failed' } })
      const look = `look at activity ${activity_id}; unless it does what this request was for, fund the account with 6 USDC on base (`
      const [ofRequest, ofAccount] = await Promise.all([why(request), why(payer.id)])
      expect(ofRequest.verdict.next!.startsWith(look)).toBe(true)
      expect(ofRequest.verdict).toMatchObject({
        cause: {
          cause: 'plan',
          by_plan: plan.plan_id,
          activity_id,
          spent: '8 USDC',
          is_lost: true,
        },
      })
      const blamed = `the account can bring only 2 USDC there: plan ${plan.plan_id} of the same wallet was executed at `
      for (const { now } of [ofRequest, ofAccount]) {
        expect(now).toContain(blamed)
        expect(now).toContain(` and took 8 USDC; its client did not get the response`)
      }
      expect(ofAccount.verdict.next).toContain(`Of the last refusal: ${look}`)
      // The money is there again: the payment is not due again.
      await fundAsTold(ofRequest.verdict.next!)
      expect((await why(request)).verdict.next).toBe(
        `look at activity ${activity_id}; unless it does what this request was for, send the request again`,
      )
    }
  },
)

test('behavior: a request that is executed again after its response was lost was done twice: all pages name the first; equal payments whose responses arrived are none', async () => {
  const payer = await openUser(sim)
  await payer.fund('base', 'USDC', 100_000_000n)
  const pay = async (body: object = transfer) => {
    const plan = (await payer.plan('transfer', body)).body as PlanBody
    const answer = await payer.execute(plan).catch(() => undefined)
    await sim.clock.advance(5)
    const [{ activity_id }] = (await payer.api.get(`${payer.path}/activities`)).body.activities
    return { activity_id, plan, request: answer && requestOf(answer) }
  }
  const plain = async ({ activity_id }: { activity_id: string }) =>
    expect(await why(activity_id)).toMatchObject({ now: 'confirmed', verdict: { next: null } })
  await pay()
  await plain(await pay())
  const before = await sim.snapshot()
  await armed('execute.response_lost', {}, 1)
  const first = await pay()
  const between = await sim.snapshot()
  const twice = async (second: Awaited<ReturnType<typeof pay>>) => {
    const done = `confirmed; the same request was carried out before, by activity ${first.activity_id}, whose response was lost: this did it again`
    const next =
      'nothing takes back what was done twice; the next time that the response to an execution is lost, find out whether the plan ran before you make another: if GET /accounts/:account_id/activities lists an activity with its plan_id, it ran, so follow that activity and do not plan again; if none has it, execute the same plan again'
    const cause = { cause: 'plan', by_plan: first.plan.plan_id, activity_id: first.activity_id }
    for (const id of [second.activity_id, second.plan.plan_id, second.request!, payer.id])
      expect(await why(id)).toMatchObject({
        now: expect.stringContaining(done),
        verdict: { next, cause: { ...cause, is_lost: true } },
      })
  }
  /** The activities that the overview lists as done twice; `failures` counts the cut execution as well. */
  const listed = async () => {
    const overview = await (await fetch(`${sim.controlUrl}/overview`)).json()
    const { repeated, failures } = overview as { repeated: object[]; failures: number }
    return [repeated.map((each) => (each as { activity_id: string }).activity_id), failures]
  }
  expect(await listed()).toEqual([[], 1])
  const second = await pay()
  await twice(second)
  await plain(await pay({ ...transfer, amount: '7000000' }))
  expect(await listed()).toEqual([[second.activity_id], 2])
  await sim.restore(between)
  expect(await listed()).toEqual([[], 1])
  const again = await pay()
  await twice(again)
  // A third time: the response to the second has arrived.
  const third = await pay()
  expect((await why(third.activity_id)).now).toMatch(
    new RegExp(`^confirmed; .+, by activity ${first.activity_id}, `),
  )
  expect(await listed()).toEqual([[third.activity_id, again.activity_id], 3])
  await sim.restore(before)
  await plain(await pay())
  expect(await listed()).toEqual([[], 0])
  await sim.faults.set([
    { on: 'execute', effect: 'revert', times: 1 },
    { on: 'execute', effect: 'response_lost', times: 1 },
  ] as never)
  await pay()
  await plain(await pay())
})

test('behavior: an execution whose response was lost is named only beside the same request, also after a restore', async () => {
  const payer = await openUser(sim)
  await payer.fund('base', 'USDC', 100_000_000n)
  const failing = async (kind: string, body: object) => {
    await sim.faults.set([{ on: 'execute', effect: 'revert', times: 1 }] as never)
    const plan = (await payer.plan(kind, body)).body as PlanBody
    const { activity_id } = (await payer.execute(plan)).body
    await sim.clock.advance(5)
    return activity_id as string
  }
  await armed('execute.response_lost', {}, 1)
  const paid = (await payer.plan('earn', earn)).body as PlanBody
  await payer.execute(paid).catch(() => undefined)
  await sim.clock.advance(5)
  const [{ activity_id }] = (await payer.api.get(`${payer.path}/activities`)).body.activities
  const before = await sim.snapshot()
  const others: [string, object][] = [
    ['transfer', transfer],
    ['earn', { ...earn, amount: '5000000' }],
  ]
  const made: string[] = []
  for (const [kind, body] of others) {
    made.push(((await payer.plan(kind, body)).body as PlanBody).plan_id)
    made.push(await failing(kind, body))
  }
  const { request } = await asked(payer, 'transfer', { ...transfer, amount: '900000000' })
  const told = async (id: string): Promise<string> => {
    const { now, verdict } = await why(id)
    return `${now} NEXT ${verdict.next}`
  }
  for (const id of [...made, request]) expect(await told(id)).not.toContain(activity_id)
  const look = `look at activity ${activity_id}; unless it does what this plan was for, `
  const same = (await payer.plan('earn', earn)).body as PlanBody
  expect(await told(same.plan_id)).toContain(look)
  const failed = await failing('earn', earn)
  expect(await told(failed)).toContain(look)
  await sim.restore(before)
  const gone = [...made, same.plan_id, failed]
  for (const id of gone.slice(0, 4)) expect(await told(id)).not.toContain('Also, plan')
  for (const id of gone.slice(4)) expect(await told(id)).toContain(`Also, plan ${paid.plan_id} of `)
  await sim.clock.advance(130)
  for (const id of gone.slice(0, 4)) expect(await told(id)).not.toContain(activity_id)
})

test('behavior: a client that gives up before its plan is executed has lost the response: the next payment names that execution', async () => {
  const payer = await openUser(sim)
  await payer.fund('base', 'USDC', 100_000_000n)
  const plan = (await payer.plan('transfer', transfer)).body as PlanBody
  const hash = plan.details.eip712_data.digest
  const signature = await sign({ hash, privateKey: payer.key, to: 'hex' })
  const slow = { on: 'request', effect: { latency: { ms: 60_000 } }, times: 1 }
  await sim.faults.set([{ ...slow, match: { path: '/accounts/*/plan/execute' } }] as never)
  const leaving = new AbortController()
  const url = `${payer.path}/plan/execute`
  const sent = fetch(`${sim.url}${url}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sim.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ plan_id: plan.plan_id, signature }),
    signal: leaving.signal,
  }).catch(() => {})
  const recorded = async () => {
    const { exchanges } = (await (await fetch(`${sim.controlUrl}/journal`)).json()) as {
      exchanges: { url: string }[]
    }
    return exchanges.findLast((each) => each.url === url)
  }
  await expect.poll(recorded, { timeout: 20_000 }).toBeDefined()
  leaving.abort()
  await sent
  await expect.poll(recorded, { timeout: 20_000 }).toMatchObject({ answer: { cut: true } })
  await sim.clock.advance(65)
  const [{ activity_id }] = (await payer.api.get(`${payer.path}/activities`)).body.activities
  expect((await why(plan.plan_id)).now).toMatch(
    /^confirmed; its client did not get the response \(the connection was cut\)/,
  )
  const next = (await payer.plan('transfer', transfer)).body as PlanBody
  expect((await why(next.plan_id)).verdict.next).toMatch(
    new RegExp(`^look at activity ${activity_id}; unless`),
  )
  expect((await payer.execute(next)).status).toBe(200)
  await sim.clock.advance(5)
  expect((await why(next.plan_id)).now).toContain(`by activity ${activity_id}, whose response was`)
})

/** Refusals of a request for a plan, by what arms them. */
const refusals: [string, (() => Promise<unknown>) | object][] = [
  ['429', { on: 'request', effect: { rate_limit: { retry_after: 3 } } }],
  ['500', { on: 'request', effect: { respond: { error: 'internal_error' } } }],
  ['a cut before', { on: 'request', effect: 'reset_before' }],
  ['a cut after', { on: 'request', effect: 'reset_after' }],
  ['plan.fail', { on: 'plan', effect: { fail: { reason: 'no' } } }],
  ['no wallet', { on: 'plan', effect: 'no_wallet' }],
  ['invalid_params', {}],
  ['none', {}],
]

test.each(refusals)(
  'behavior: after a lost response (confirmed or in flight), %s of the next plan request: each step looks first',
  async (name, rule) => {
    for (const inFlight of [false, true]) {
      await sim.faults.clear()
      const payer = await openUser(sim)
      await payer.fund('base', 'USDC', 100_000_000n)
      const paid = (await payer.plan('transfer', transfer)).body as PlanBody
      const lost = { id: 'lost', on: 'execute', effect: 'response_lost', times: 1 }
      const held = { id: 'held', on: 'execute', effect: 'stuck', times: 1 }
      await sim.faults.set([...(inFlight ? [held] : []), lost] as never)
      await payer.execute(paid).catch(() => undefined)
      if ('on' in rule) {
        const match = { account_id: payer.id, path: '/accounts/*/plan/transfer' }
        const of = (rule as { on: string }).on === 'request' ? { match } : {}
        await sim.faults.add({ ...rule, ...of, id: 'mean', times: 1 } as never)
      }
      const body = name === 'invalid_params' ? { ...transfer, amount: 'x' } : transfer
      const { made, request } = await asked(payer, 'transfer', body)
      const [{ activity_id }] = (await payer.api.get(`${payer.path}/activities`)).body.activities
      const ids = [request, payer.id]
      const planId = made?.status === 201 ? (made.body as PlanBody).plan_id : undefined
      if (planId !== undefined) ids.push(planId)
      const steps: string[] = []
      for (const seconds of [0, 130]) {
        await sim.clock.advance(seconds)
        for (const id of ids) {
          const { next } = (await why(id)).verdict
          for (const step of (next ?? '').split(/(?=Of the last refusal: )/))
            if (paysAgain.test(step)) {
              steps.push(step)
              expect(step).toMatch(new RegExp(`look at activity ${activity_id}; unless`))
            }
        }
      }
      expect(steps.length, name).toBeGreaterThan(0)
    }
  },
)

test.each(['rate_limit', 'reset_before'])(
  'behavior: a plan request that met request.%s and was sent again and executed: no step sends it a third time without a look',
  async (effect) => {
    await sim.faults.set([
      { on: 'request', effect, match: { path: '/accounts/*/plan/earn' }, times: 1 } as never,
    ])
    const { request } = await asked(user, 'earn', earn)
    expect((await why(request)).verdict.next).not.toContain('look at activity')
    const { activity_id } = (await user.execute(await planned('earn', earn))).body
    expect((await why(request)).verdict.next).toMatch(
      new RegExp(`^look at activity ${activity_id}; unless it does what this request was for, `),
    )
  },
)

test('behavior: money that was never enough is asked for without a look at what took other money', async () => {
  const poor = await openUser(sim)
  await poor.fund('base', 'USDC', 2_000_000n)
  await poor.execute(
    (await poor.plan('transfer', { ...transfer, amount: '1000000' })).body as PlanBody,
  )
  await sim.clock.advance(1)
  const { request } = await asked(poor, 'transfer', transfer)
  expect((await why(request)).verdict.next).toMatch(/^fund the account with 7 USDC on base/)
  // What follows the advice is not the cause of the refusal.
  await fundAsTold((await why(request)).verdict.next!)
  const paid = (await poor.plan('transfer', transfer)).body as PlanBody
  const { activity_id } = (await poor.execute(paid)).body
  await sim.clock.advance(1)
  const { now, verdict } = await why(request)
  expect(now).toMatch(
    new RegExp(
      `the plan needed 8 USDC on base, but the account could bring only 1 USDC there then. Also, plan ${paid.plan_id} `,
    ),
  )
  expect(now).not.toContain(' took ')
  expect(verdict.next).toMatch(
    new RegExp(`^look at activity ${activity_id}; .+, fund the account with 8 USDC on base`),
  )
})

test('behavior: money that an activity under way needs is kept for it, and there again when it has failed', async () => {
  const holder = await openUser(sim)
  await holder.fund('base', 'USDC', 2_000_000n)
  await holder.fund('arbitrum', 'USDC', 10_000_000n)
  await sim.faults.set([{ id: 'held', on: 'bridge', effect: 'stuck', times: 1 } as never])
  const { activity_id } = (
    await holder.execute((await holder.plan('transfer', transfer)).body as PlanBody)
  ).body
  await sim.clock.advance(30)
  const { made, request } = await asked(holder, 'transfer', transfer)
  expect(made!.status).toBe(400)
  expect((await why(request)).now).toMatch(
    new RegExp(`only [\\d.]+ USDC there: plan .+ ${activity_id}, .+; 8 USDC is kept for it`),
  )
  await sim.clock.advance(600)
  const { now, verdict } = await why(request)
  expect(now).toMatch(
    /needed 8 USDC on base, but the account could bring only [\d.]+ USDC there then$/,
  )
  expect(verdict.next).toBe('send the request again')
  expect((await holder.plan('transfer', transfer)).status).toBe(201)
})

test.each(['failed', 'confirmed', 'pending'])(
  'error: a plan that is executed again, whose activity is %s: the hint, the cause and each step follow that',
  async (status) => {
    const effect = { failed: 'revert', pending: 'stuck' }[status]
    const lost = { on: 'execute', effect: 'response_lost', times: 1 }
    await sim.faults.set([...(effect ? [{ on: 'execute', effect, times: 1 }] : []), lost] as never)
    const plan = await planned('earn', earn)
    await user.execute(plan).catch(() => undefined)
    await sim.clock.advance(5)
    const [{ activity_id, activity_status }] = (await user.api.get(`${user.path}/activities`)).body
      .activities
    expect(activity_status).toBe(status)
    const again = await user.execute(plan)
    expect(again).toMatchObject({ status: 404, body: { error: 'plan_not_found' } })
    const before = `the plan was executed before (activity ${activity_id})`
    const follow = `follow activity ${activity_id}, and do not make a new plan for it`
    const newPlan = 'make a new plan; this one cannot be executed any more'
    const hasFailed = status === 'failed'
    expect(again.headers.get('x-svc-sim-hint')).toBe(
      hasFailed
        ? `${before}, which failed; create a new plan`
        : `the plan was executed before: ${follow}`,
    )
    const told = (await (await fetch(`${sim.controlUrl}/why/${plan.plan_id}`)).json()) as {
      timeline: Moment[]
    }
    expect(causeOf(told.timeline).title).toBe(before)
    const refusal = await why(requestOf(again))
    expect(refusal.now).toContain(
      `, because ${before}, which ${hasFailed ? 'failed' : `is ${status}`}`,
    )
    expect(refusal.verdict.next).toBe(hasFailed ? newPlan : follow)
    const { next } = (await why(user.id)).verdict
    if (hasFailed) expect(next).toBe(newPlan)
    else expect(next).not.toMatch(/make a new plan;/)
    if (hasFailed) expect((await user.execute(await planned('earn', earn))).status).toBe(200)
  },
)

test('error: a wrong key: the plan says so; a signature that a rule changed: the hint names the rule', async () => {
  const plan = await planned('earn', earn)
  const other = await openUser(sim)
  const stranger = userAt(sim, { ...user, key: other.key })
  const wrong = await stranger.execute(plan)
  expect(wrong.status).toBe(500)
  expect((await why(plan.plan_id)).now).toContain(
    `; its last execution returned 500 internal_error: ${wrong.headers.get('x-svc-sim-hint')}`,
  )
  expect(wrong.headers.get('x-svc-sim-hint')).toContain('this looks like another key')
  expect((await why(requestOf(wrong))).now).toBe(
    `returned 500 internal_error (Signature verification failed: ${wrong.headers.get('x-svc-sim-hint')})`,
  )
  const next = `sign the digest of the plan as a raw hash with the key of the account’s signer, ${user.signer}, and POST the signature (65 bytes: r, s, v) to plan/execute`
  for (const id of [plan.plan_id, requestOf(wrong), user.id])
    expect((await why(id)).verdict.next, id).toContain(next)
  await armed('execute.reject_signature', {}, 1)
  const changed = await user.execute(plan)
  expect(changed.headers.get('x-svc-sim-hint')).toMatch(
    /^Fault rule mean \(execute\.reject_signature\) changed one bit of the signature, .* The rule has ended, so send the request again\.$/,
  )
  // The signature was right.
  for (const id of [plan.plan_id, requestOf(changed)])
    expect((await why(id)).verdict.next).not.toContain(user.signer)
  expect((await user.execute(plan)).status).toBe(200)
  expect((await why(requestOf(wrong))).verdict.next).toMatch(/^follow activity /)

  const late = await planned('earn', earn)
  const hint = (await stranger.execute(late)).headers.get('x-svc-sim-hint')
  await sim.clock.advance(121)
  expect((await user.execute(late)).status).toBe(404)
  expect((await why(late.plan_id)).now).toContain(
    `; its last execution returned 500 internal_error: ${hint}`,
  )
  expect((await why(late.plan_id)).now).toMatch(/^never executed; it expired at /)
})
