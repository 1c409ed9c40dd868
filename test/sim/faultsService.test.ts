import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { effects } from '../../src/faults/effects/index.js'
import { textOfWhy } from '../../src/observe/journal/whyText.js'
import { readsOf } from '../kit/chainReads.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

/** What goes wrong with folios, quotes, plans and events: what the client sees, and what has really happened. */

const book = loadAddressBook()
let sim: SimulatorHandle
let chain: ReturnType<typeof readsOf>

beforeAll(async () => {
  sim = await createSimulator({ seed: 3n, longPollMs: 200 })
  chain = readsOf(sim)
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

type User = Awaited<ReturnType<typeof openUser>>

async function funded(): Promise<User> {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  return user
}

const transfer = {
  asset: 'USDC',
  amount: '1000000',
  network: 'base',
  recipient: '0x00000000000000000000000000000000000f41e7',
}
const swap = { sell_asset: 'USDC', buy_asset: 'WETH', network: 'base', sell_amount: '1000000' }

const usdc = (wallet: Address) => chain.balance('base', 'USDC', wallet)
const folioOf = async (user: User, query = '') => {
  const answer = await user.api.get(`${user.path}/folio${query}`)
  return { status: answer.status, balances: Object.values(answer.body.folio?.balances ?? {}) }
}

test('behavior: folio timeout: 408 on folio and plans, cached=true helps', async () => {
  const user = await funded()
  const before = await folioOf(user)
  await sim.faults.add({ id: 'slow', on: 'folio', effect: 'timeout' })
  expect(await user.api.get(`${user.path}/folio`)).toMatchObject({
    status: 408,
    body: { error: 'timeout' },
  })
  expect(await folioOf(user, '?cached=true')).toEqual(before)
  expect(await user.plan('transfer', transfer)).toMatchObject({ status: 408 })
  expect(sim.faults.list()).toMatchObject([{ seen: 2, hits: 2 }])
})

test('behavior: folio latency ends with its rule, and the folio is right', async () => {
  const user = await funded()
  await sim.faults.add({ id: 'slow', on: 'folio', effect: { latency: { ms: 600_000 } } })
  const waiting = folioOf(user)
  await expect.poll(() => sim.faults.list()[0]!.hits).toBe(1)
  await sim.faults.remove('slow')
  expect(await waiting).toMatchObject({ status: 200, balances: ['5e6'] })
})

test('behavior: serve_stale: the folio of before, until the rule is gone; the first folio is no hit', async () => {
  const user = await funded()
  await sim.faults.add({ on: 'folio', effect: 'serve_stale', times: 1 })
  const before = await folioOf(user)
  expect(sim.faults.list()).toMatchObject([{ seen: 1, hits: 0 }])
  await user.fund('base', 'USDC', 1_000_000n)
  expect(await folioOf(user)).toEqual(before)
  expect((await folioOf(user)).balances).toEqual(['6e6'])
})

test.each([
  ['unavailable', 'The aggregator closed the connection without a response. Send the request'],
  ['http_error', 'The aggregator returned 503'],
  ['timeout', 'The aggregator did not respond within 5000 ms'],
  ['malformed', 'The aggregator’s response is malformed: it is not JSON.'],
  ['expired', 'expired already'],
])(
  'error: quote %s: 422, told from the client’s own error path',
  async (effect, hint) => {
    const user = await funded()
    await sim.faults.add({
      on: 'quote',
      effect,
      match: { account_id: user.id, asset: 'WETH' },
      times: 1,
    })
    const refused = await user.plan('swap', swap)
    expect(refused).toMatchObject({ status: 422, body: { error: 'swap_quote_failed' } })
    expect(refused.headers.get('x-svc-sim-hint')).toContain(hint.replace('’', "'"))
    expect(refused.headers.get('x-svc-sim-fault')).toBe(sim.faults.list()[0]!.id)
    expect((await user.plan('swap', swap)).status).toBe(201)
  },
  20_000,
)

test('behavior: a request carries a rule for its own quote', async () => {
  const user = await funded()
  const options = { headers: { 'x-svc-sim-fault': 'quote.unavailable' } }
  const own = user.api.post(`${user.path}/plan/swap`, swap, options)
  const [refused, other] = await Promise.all([own, user.plan('swap', swap)])
  expect([refused.status, refused.headers.get('x-svc-sim-fault'), other.status]).toEqual([
    422,
    'header',
    201,
  ])
  // There is no rule to remove.
  const { body } = await user.api.get(`/_sim/why/${refused.headers.get('x-svc-sim-request-id')}`)
  expect(textOfWhy(body)).toMatch(
    /\nnext: leave out the header x-svc-sim-fault, and send the request again\n$/,
  )
})

test.each([
  ['plan.fail', 'returned this error instead of a plan'],
  ['plan.no_wallet', 'returned this error, although the account has its wallets'],
  ['folio.timeout', 'returned this error instead of a folio'],
  ['request.respond', 'returned this error instead of handling the request'],
])('error: %s says in its hint that it did it, and how to get past it', async (name, what) => {
  const user = await funded()
  const [on, effect] = name.split('.') as [string, string]
  const match = { account_id: user.id }
  const settings = effect === 'respond' ? { respond: { error: 'plan_failed' } } : effect
  const rule = { id: 'mean', on, match }
  await sim.faults.add({ ...rule, effect: settings } as never)
  const hintOf = async (headers = {}) => {
    const refused = await user.api.post(`${user.path}/plan/transfer`, transfer, { headers })
    return refused.headers.get('x-svc-sim-hint')
  }
  expect(await hintOf()).toContain(
    `Fault rule mean (${name}) ${what}. Remove the rule (DELETE /_sim/faults/mean), and send the request again.`,
  )
  for (const ending of [{ effect: settings, times: 1 }, { sequence: ['ok', settings] }]) {
    await sim.faults.set([{ ...rule, ...ending }])
    if ('sequence' in ending) await user.plan('transfer', transfer)
    expect(await hintOf()).toContain(
      `Fault rule mean (${name}) ${what}. The rule has ended, so send the request again.`,
    )
    const told = await (await fetch(`${sim.controlUrl}/why/mean`)).json()
    expect(told).toMatchObject({ verdict: { outcome: 'ended', next: null } })
    expect((await user.plan('transfer', transfer)).status).toBe(201)
  }
  await sim.faults.remove('mean')
  const carried = { 'x-svc-sim-fault': JSON.stringify({ on, effect: settings }) }
  expect(await hintOf(carried)).toContain(
    `Fault rule header (${name}) ${what}. Send the request again without the header x-svc-sim-fault.`,
  )
})

test('error: request.rate_limit says in its hint how long to wait', async () => {
  const user = await funded()
  const rule = { on: 'request', effect: { rate_limit: { retry_after: 7 } } }
  // 429 is no documented response of the service.
  const refused = await fetch(`${sim.url}${user.path}/folio`, {
    headers: {
      authorization: `Bearer ${sim.apiKey}`,
      'x-svc-sim-fault': JSON.stringify(rule),
    },
  })
  expect(refused.headers.get('x-svc-sim-hint')).toBe(
    'Fault rule header (request.rate_limit) returned this error instead of handling the request. Wait 7 s, as the header retry-after says, and send it again.',
  )
})

test('behavior: drain: the exchange really holds nothing; the inventory comes back with the rule', async () => {
  const user = await funded()
  const { exchange } = book.on('base')
  const plan = (await user.plan('swap', swap)).body as PlanBody
  const before = await chain.balance('base', 'WETH', exchange)
  await sim.faults.add({ id: 'dry', on: 'quote', effect: 'drain', match: { network: 'base' } })
  const refused = await user.plan('swap', swap)
  expect(refused).toMatchObject({ status: 422, body: { error: 'swap_quote_failed' } })
  expect(refused.headers.get('x-svc-sim-hint')).toContain('NO_LIQUIDITY')
  expect(await chain.balance('base', 'WETH', exchange)).toBe(0n)
  expect(await user.execute(plan)).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
  await sim.faults.remove('dry')
  expect(await chain.balance('base', 'WETH', exchange)).toBe(before)
  const { activity } = await user.run('swap', swap)
  expect(activity.activity_status).toBe('confirmed')
})

test('behavior: drain in a header is taken back with the answer; a restored snapshot is as dry as it was', async () => {
  const user = await funded()
  const { exchange } = book.on('base')
  const stock = () => chain.balance('base', 'WETH', exchange)
  const before = await stock()
  const options = { headers: { 'x-svc-sim-fault': 'quote.drain' } }
  expect((await user.api.post(`${user.path}/plan/swap`, swap, options)).status).toBe(422)
  await expect.poll(stock).toBe(before)
  await sim.faults.add({ id: 'dry', on: 'quote', effect: 'drain' })
  expect((await user.plan('swap', swap)).status).toBe(422)
  const id = await sim.snapshot()
  await sim.faults.remove('dry')
  expect(await stock()).toBe(before)
  await sim.restore(id)
  expect(await stock()).toBe(0n)
  await sim.faults.remove('dry')
  expect(await stock()).toBe(before)
})

test('behavior: rules of quotes and plans are narrowed by network, kind and path', async () => {
  const user = await funded()
  await sim.faults.set([
    { on: 'quote', effect: 'unavailable', match: { network: 'optimism' } },
    { on: 'quote', effect: 'unavailable', match: { kind: 'swap-and-supply' } },
    { on: 'plan', effect: 'no_wallet', match: { asset: 'WBTC' } },
    { on: 'plan', effect: 'no_wallet', match: { path: '/accounts/*/plan/earn' } },
  ])
  expect((await user.plan('swap', swap)).status).toBe(201)
  expect((await user.plan('swap-and-supply', { ...swap, protocol: 'aave' })).status).toBe(422)
  expect(sim.faults.list().map(({ hits }) => hits)).toEqual([0, 1, 0, 0])
})

test('behavior: slippage within the tolerance: less arrives than quoted', async () => {
  const user = await funded()
  const fair = (await user.plan('swap', swap)).body as PlanBody
  await sim.faults.add({ id: 'slips', on: 'quote', effect: { slippage: { bps: 50 } } })
  const { plan, activity } = await user.run('swap', swap)
  expect(activity.activity_status).toBe('confirmed')
  const amounts = (of: PlanBody): bigint[] =>
    of.details.svc_operation_actions.map(({ action }) =>
      BigInt(action.action_context.output_amount as string),
    )
  expect(amounts(plan)).toEqual(amounts(fair))
  const [quoted] = amounts(plan)
  const got = await chain.balance('base', 'WETH', user.wallet)
  // 50 of 9995 parts are missing, and the fee is taken off both alike: between 49 and 52 basis points.
  expect(got).toBeLessThan((quoted! * 9_951n) / 10_000n)
  expect(got).toBeGreaterThan((quoted! * 9_930n) / 10_000n)
  // What the account's page shows as done is what came, and not what was quoted.
  const view = await (await fetch(`${sim.controlUrl}/accounts/${user.id}`)).json()
  type Item = { action_context: { output_amount: string; fee_amounts: [string] } }
  const [done] = (view as { activities: { items: Item[] }[] }).activities
  const { output_amount, fee_amounts } = done!.items[0]!.action_context
  expect(BigInt(output_amount) - BigInt(fee_amounts[0])).toBe(got)
  await sim.faults.remove('slips')
})

test('behavior: slippage beyond the tolerance: no plan, and that of before is stale; without the rule it is not', async () => {
  const user = await funded()
  const plan = (await user.plan('swap', swap)).body as PlanBody
  await sim.faults.add({ id: 'slips', on: 'quote', effect: { slippage: { bps: 300 } } })
  const refused = await user.plan('swap', swap)
  expect(refused).toMatchObject({ status: 400, body: { error: 'plan_failed' } })
  expect(refused.body.message).toContain('InsufficientOutput')
  expect(await user.execute(plan)).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
  await sim.faults.remove('slips')
  const executed = await user.execute(plan)
  expect((await user.follow(executed.body.activity_id)).activity_status).toBe('confirmed')
})

test.each<[string, unknown]>([
  ['slippage', { slippage: { bps: 2_000 } }],
  ['drain', 'drain'],
])(
  'behavior: quote.%s begins with the first quote at which it fires: until then, plans made before are executed as quoted',
  async (_, effect) => {
    const user = await funded()
    const again = await funded()
    const plan = (await user.plan('swap', swap)).body as PlanBody
    const other = (await again.plan('swap', swap)).body as PlanBody
    await sim.faults.add({ id: 'late', on: 'quote', effect })
    const { body } = await user.execute(plan)
    expect((await user.follow(body.activity_id)).activity_status).toBe('confirmed')
    expect(await chain.balance('base', 'WETH', user.wallet)).toBe(proceedsOf(plan))
    expect(sim.faults.list()).toMatchObject([{ seen: 0, hits: 0 }])
    // Anybody's quote will do.
    await user.fund('base', 'USDC', 5_000_000n)
    expect((await user.plan('swap', swap)).status).toBeGreaterThanOrEqual(400)
    expect(sim.faults.list()).toMatchObject([{ seen: 1, hits: 1 }])
    expect(await again.execute(other)).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
    await sim.faults.remove('late')
  },
)

/** What a swap brings when it settles as quoted: the fee is off. */
function proceedsOf({ details }: PlanBody): bigint {
  const { output_amount, fee_amounts } = details.svc_operation_actions[0]!.action.action_context
  return BigInt(output_amount as string) - BigInt((fee_amounts as string[])[0]!)
}

test.each([
  [{ sell_amount: '3000000' }, 99, 100],
  [{ buy_amount: '1000000000000000' }, 98, 99],
])(
  'behavior: slippage of %j stays within the tolerance up to %d, and not with %d',
  async (amount, within, beyond) => {
    const user = await funded()
    const { sell_asset, buy_asset, network } = swap
    const body = { sell_asset, buy_asset, network, ...amount }
    await sim.faults.add({ id: 'slips', on: 'quote', effect: { slippage: { bps: beyond } } })
    expect(await user.plan('swap', body)).toMatchObject({
      status: 400,
      body: { error: 'plan_failed' },
    })
    await sim.faults.remove('slips')
    await sim.faults.add({ id: 'slips', on: 'quote', effect: { slippage: { bps: within } } })
    expect((await user.run('swap', body)).activity.activity_status).toBe('confirmed')
    await sim.faults.remove('slips')
  },
)

const later: readonly string[] = ['plan', 'execute', 'bridge', 'chain.confirmed', 'events']

/** Effects whose subject only a request that succeeds brings about, with settings. */
const onWhatComes = effects.flatMap(({ on, name, settings }) => {
  const isLater = on === 'request' ? ['respond', 'crash'].includes(name) : later.includes(on)
  if (!isLater || ['fail', 'no_wallet'].includes(name)) return []
  const options = [
    { done: true, error: 'timeout' },
    { done: true },
    { seconds: 5 },
    { bps: 50 },
    {},
  ]
  const chosen = options.find((each) => settings.safeParse(each).success)!
  const seam = on === 'chain.confirmed' ? 'chain' : on
  return [[`${seam}.${name}`, { on: seam, effect: { [name]: chosen }, times: 1 }] as const]
})

describe('an effect that a request fails before', () => {
  let user: User
  let stale: PlanBody

  beforeAll(async () => {
    user = await funded()
    stale = (await user.plan('transfer', transfer)).body as PlanBody
    await user.run('transfer', transfer)
  })

  test.each(onWhatComes)(
    'behavior: %s counts no hit, is not named, and is not used up',
    async (name, rule) => {
      await sim.faults.add(rule)
      for (let again = 0; again < 2; again++) {
        const beyond = await user.plan('transfer', { ...transfer, amount: '9000000' })
        expect(beyond).toMatchObject({ status: 400, body: { error: 'plan_failed' } })
        const executed = await user.execute(stale)
        expect(executed).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
        for (const { headers } of [beyond, executed])
          expect(headers.get('x-svc-sim-fault')).toBe(null)
        expect(sim.faults.list()).toMatchObject([{ hits: 0 }])
      }
      if (!/^(plan|execute)/.test(name)) return
      const plan = (await user.plan('transfer', transfer)).body as PlanBody
      if (name.startsWith('execute')) await user.execute(plan).catch(() => {})
      expect(sim.faults.list()).toMatchObject([{ hits: 1 }])
    },
  )
})

test.each([
  ['quote', 'plan'],
  ['plan', 'quote'],
  ['fail', 'plan'],
] as const)(
  'behavior: of the rules %s and %s, the one before the plan is the cause, and the other meets the next plan',
  async (...order) => {
    const user = await funded()
    const rules = {
      quote: { id: 'quote', on: 'quote', effect: 'unavailable', times: 1 },
      fail: { id: 'fail', on: 'plan', effect: 'fail', times: 1 },
      plan: { id: 'plan', on: 'plan', effect: 'stale', times: 1 },
    }
    const cause = order.find((id) => id !== 'plan')!
    await sim.faults.set(order.map((id) => rules[id]))
    const refused = await user.plan('swap', swap)
    expect([refused.status >= 400, refused.headers.get('x-svc-sim-fault')]).toEqual([true, cause])
    const id = refused.headers.get('x-svc-sim-request-id')
    const told = await (await fetch(`${sim.controlUrl}/why/${id}`)).text()
    expect(told).toContain(`fault rule ${cause} fired`)
    expect(told).not.toContain('stale')
    const hits = () => sim.faults.list().map((each) => [each.id, each.hits])
    expect(hits().sort()).toEqual(
      [
        [cause, 1],
        ['plan', 0],
      ].sort(),
    )
    const plan = (await user.plan('swap', swap)).body as PlanBody
    expect(await user.execute(plan)).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
    expect(hits().sort()).toEqual(
      [
        [cause, 1],
        ['plan', 1],
      ].sort(),
    )
  },
)

test.each([
  ['unavailable', 'http_error', 'the outer one'],
  ['expired', 'malformed', 'the inner one'],
])(
  'behavior: of quote.%s around quote.%s, %s alone is hit, then the other',
  async (outer, inner, first) => {
    const user = await funded()
    const order = first === 'the outer one' ? [outer, inner] : [inner, outer]
    const both = [outer, inner].map((effect) => ({ id: effect, on: 'quote', effect, times: 1 }))
    await sim.faults.set(both)
    for (const effect of order) {
      const { status, headers } = await user.plan('swap', swap)
      expect([status, headers.get('x-svc-sim-fault')]).toEqual([422, effect])
    }
    expect(sim.faults.list()).toMatchObject([{ hits: 1 }, { hits: 1 }])
    expect((await user.plan('swap', swap)).status).toBe(201)
  },
)

test('behavior: stale by nonce: used up on chain, nothing has moved', async () => {
  const user = await funded()
  await sim.faults.add({ on: 'plan', effect: 'stale', times: 1 })
  const plan = (await user.plan('transfer', transfer)).body as PlanBody
  expect(await user.execute(plan)).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
  expect(await usdc(user.wallet)).toBe(5_000_000n)
})

test('behavior: stale by balance: the money has left the wallet', async () => {
  const user = await funded()
  await sim.faults.add({ on: 'plan', effect: { stale: { by: 'balance' } } })
  const plan = (await user.plan('transfer', transfer)).body as PlanBody
  expect(await user.execute(plan)).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
  expect(await usdc(user.wallet)).toBe(0n)
  await sim.faults.clear()
  await user.fund('base', 'USDC', 1_000_000n)
  expect((await user.run('transfer', transfer)).activity.activity_status).toBe('confirmed')
})

test('behavior: stale by price: what is bought costs more; plans without a price are left alone', async () => {
  const user = await funded()
  const id = await sim.snapshot()
  await sim.faults.add({ on: 'plan', effect: { stale: { by: 'price' } } })
  expect((await user.run('transfer', transfer)).activity.activity_status).toBe('confirmed')
  expect(sim.faults.list()).toMatchObject([{ seen: 0, hits: 0 }])
  const plan = (await user.plan('swap', swap)).body as PlanBody
  expect(await user.execute(plan)).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
  await sim.restore(id)
})

test('behavior: expire, fail, no_wallet', async () => {
  const user = await funded()
  await sim.faults.set([
    { on: 'plan', sequence: ['expire', { fail: { reason: 'no market today' } }, 'no_wallet'] },
  ])
  const plan = (await user.plan('transfer', transfer)).body as PlanBody
  expect(Date.parse(plan.expires_at)).toBeGreaterThan(Date.now())
  const gone = await user.execute(plan)
  expect(gone).toMatchObject({ status: 404, body: { error: 'plan_not_found' } })
  expect(await user.plan('transfer', transfer)).toMatchObject({
    status: 400,
    body: { error: 'plan_failed', message: 'no market today' },
  })
  expect(await user.plan('transfer', transfer)).toMatchObject({
    status: 400,
    body: { error: 'no_wallet' },
  })
  expect((await user.run('transfer', transfer)).activity.activity_status).toBe('confirmed')
})

/** Status texts of all events of the account, read from the start, with their cursor. */
async function told(user: User): Promise<{ statuses: string[]; cursor: number }> {
  const { body } = await user.api.get(`${user.path}/events`)
  const statuses = body.events.map((event: { data: { activity_status: string } }) => {
    return event.data.activity_status
  })
  return { statuses, cursor: body.cursor }
}

/** Executes a transfer and waits, at the activity itself, until it is confirmed. */
async function transferred(user: User): Promise<void> {
  const plan = (await user.plan('transfer', transfer)).body as PlanBody
  const { body } = await user.execute(plan)
  const status = async () =>
    (await user.api.get(`/activities/${body.activity_id}`)).body.activity_status
  await expect.poll(status).toBe('confirmed')
}

test('behavior: events duplicated: twice in a row, cursors grow, following along misses nothing', async () => {
  const user = await funded()
  await sim.faults.add({ on: 'events', effect: 'duplicate', match: { account_id: user.id } })
  await transferred(user)
  const all = await told(user)
  expect(all.statuses).toEqual(['pending', 'pending', 'confirmed', 'confirmed'])
  await sim.faults.clear()
  const { body } = await user.api.get(`${user.path}/events?since=${all.cursor}`)
  expect(body).toEqual({ events: [], cursor: all.cursor })
  await transferred(user)
  const more = await user.api.get(`${user.path}/events?since=${all.cursor}`)
  expect(more.body.events).toHaveLength(2)
  expect(more.body.cursor).toBeGreaterThan(all.cursor)
})

test('behavior: events dropped: nobody hears, the activity tells', async () => {
  const user = await funded()
  await sim.faults.add({ on: 'events', sequence: ['ok', 'drop'] })
  await transferred(user)
  expect((await told(user)).statuses).toEqual(['pending'])
})

test('behavior: events reordered: confirmed before pending; a cursor from between finds the late one', async () => {
  const user = await funded()
  await sim.faults.add({ on: 'events', effect: 'reorder' })
  await transferred(user)
  expect((await told(user)).statuses).toEqual(['confirmed', 'pending'])
})

test('behavior: events delayed: overtaken, delivered with the old timestamp; a long poll hears them', async () => {
  const user = await funded()
  await sim.faults.add({
    id: 'late',
    on: 'events',
    effect: { delay: { seconds: 3600 } },
    times: 1,
  })
  await transferred(user)
  const before = await told(user)
  expect(before.statuses).toEqual(['confirmed'])
  const poll = user.api.get(`${user.path}/events?since=${before.cursor}&poll=true`)
  await sim.faults.remove('late')
  const { body } = await poll
  expect(body.events).toMatchObject([{ data: { activity_status: 'pending' } }])
  expect(body.cursor).toBeGreaterThan(before.cursor)
})

test('behavior: the cursor of an event that comes late is the last one plus 1', async () => {
  const user = await funded()
  await sim.faults.add({ on: 'events', effect: { delay: { seconds: 3600 } }, times: 1 })
  await transferred(user)
  const before = await told(user)
  await sim.clock.advance(3600)
  const { body } = await user.api.get(`${user.path}/events?since=${before.cursor}`)
  expect(body.events).toMatchObject([{ data: { activity_status: 'pending' } }])
  expect(body.cursor).toBe(before.cursor + 1)
})

test('behavior: events that were held are delivered at once after a restore, and only once', async () => {
  const user = await funded()
  await sim.faults.add({ on: 'events', effect: { delay: { seconds: 3600 } } })
  await transferred(user)
  const id = await sim.snapshot()
  expect((await told(user)).statuses).toEqual([])
  await sim.faults.clear()
  expect((await told(user)).statuses).toEqual(['pending', 'confirmed'])
  await sim.restore(id)
  expect((await told(user)).statuses).toEqual(['pending', 'confirmed'])
})

/** Sends an event of this cursor again; answers its new cursor. */
async function sendAgain(user: User, cursor: number): Promise<number> {
  const response = await fetch(`${sim.controlUrl}/events/again`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account_id: user.id, cursor }),
  })
  const body = (await response.json()) as { cursor: number }
  expect([response.status, body]).toMatchObject([
    200,
    { event: { event_type: 'activity_updated' } },
  ])
  return body.cursor
}

/** Cursors of the account's events, as the journal notes them. */
async function notedCursors(user: User): Promise<number[]> {
  const response = await fetch(`${sim.controlUrl}/journal?limit=1000&account_id=${user.id}`)
  const { exchanges } = (await response.json()) as {
    exchanges: { notes: { type: string; account_id?: string; cursor: number }[] }[]
  }
  const notes = exchanges.flatMap(({ notes }) => notes)
  return notes
    .filter(({ type, account_id }) => type === 'event' && account_id === user.id)
    .map(({ cursor }) => cursor)
}

test('default: an event is sent again, twice: equal, under the next cursor; what comes later is told once', async () => {
  const user = await funded()
  await transferred(user)
  const before = await user.api.get(`${user.path}/events`)
  const [first, second] = await notedCursors(user)
  const cursor = await sendAgain(user, first!)
  expect(cursor).toBeGreaterThan(before.body.cursor)
  const heard = await user.api.get(`${user.path}/events?since=${before.body.cursor}&poll=true`)
  expect(heard.body).toEqual({ events: [before.body.events[0]], cursor })
  expect(await sendAgain(user, second!)).toBeGreaterThan(cursor)
  await transferred(user)
  const statuses = ['pending', 'confirmed']
  expect((await told(user)).statuses).toEqual([...statuses, 'pending', 'confirmed', ...statuses])
})

test('behavior: an event that was dropped is told by sending it; a restore forgets that', async () => {
  const user = await funded()
  await sim.faults.add({ on: 'events', sequence: ['ok', 'drop'] })
  await transferred(user)
  await sim.faults.clear()
  const id = await sim.snapshot()
  await sendAgain(user, (await notedCursors(user))[1]!)
  expect((await told(user)).statuses).toEqual(['pending', 'confirmed'])
  await sim.restore(id)
  expect((await told(user)).statuses).toEqual(['pending'])
})

test('error: quote rules for plans that ask for none', async () => {
  await expect(
    sim.faults.add({ on: 'quote', effect: 'expired', match: { kind: 'transfer' } }),
  ).rejects.toThrow('plans of kind transfer ask for no quotes; swap, swap-and-supply')
  await expect(
    sim.faults.add({ on: 'events', effect: 'drop', match: { path: '/networks' } }),
  ).rejects.toThrow('calls at events.drop carry no path; match by account_id')
})
