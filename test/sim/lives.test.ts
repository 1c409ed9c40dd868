import { afterEach, expect, test } from 'vitest'
import type { JournalPage } from '../../src/observe/journal/page.js'
import { type Client, createClient, type Reply } from '../kit/client.js'
import { tapRpc } from '../kit/rpcTap.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

/** After a restore another life begins: its ids are its own, and what was undone stands apart from what is. */

const opened: SimulatorHandle[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((sim) => sim.close()))
})
async function start(options: Parameters<typeof createSimulator>[0]) {
  const sim = await createSimulator(options)
  opened.push(sim)
  return { sim, client: createClient(sim) }
}

const earn = { asset: 'USDC', amount: '5000000', network: 'base', protocol: 'compound' }
const requestId = ({ headers }: Reply): string => headers.get('x-svc-sim-request-id')!

/** Lives a little: an account, a fault rule, a plan, its execution. Resolves to every id that was drawn, in their order. */
async function live(sim: SimulatorHandle, client: Client): Promise<string[]> {
  const rule = await client.post('/_sim/faults', { on: 'quote', effect: 'unavailable' })
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  const planned = await user.plan('earn', earn)
  const executed = await user.execute(planned.body as PlanBody)
  const { activity_id, svc_intent_id } = executed.body
  await user.follow(activity_id)
  const { plan_id } = planned.body
  const requests = [rule, planned, executed].map(requestId)
  return [user.id, plan_id, activity_id, svc_intent_id, rule.body.id, ...requests]
}

test.each([
  ['without a seed, frozen', { clock: 'frozen' }],
  ['with a seed, while the clock runs', { seed: 11n }],
])('behavior: %s, no id is drawn again after restores and resets', async (_how, options) => {
  const { sim, client } = await start(options)
  const ids = [...(await live(sim, client))]
  await sim.snapshot('one')
  ids.push(...(await live(sim, client)))
  for (let round = 0; round < 2; round++) {
    await sim.restore('one')
    ids.push(...(await live(sim, client)))
  }
  // Twice at once, over HTTP, while a long poll waits that ends with the life it was asked in.
  const user = await openUser(sim)
  const polling = user.api.get(`${user.path}/events?poll=true`)
  await user.api.get(user.path)
  const restored = await Promise.all([1, 2].map(() => client.post('/_sim/snapshots/one/restore')))
  expect(restored.map(({ status }) => status)).toEqual([200, 200])
  ids.push(user.id, requestId(await polling), ...restored.map(requestId))
  ids.push(...(await live(sim, client)))
  await sim.reset()
  ids.push(...(await live(sim, client)), ...(await live(sim, client)))
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('behavior: with a seed and a frozen clock the same requests draw the same ids again', async () => {
  const { sim, client } = await start({ seed: 11n, clock: 'frozen' })
  const first = await live(sim, client)
  await sim.snapshot('one')
  const second = await live(sim, client)
  await sim.restore('one')
  expect(await live(sim, client)).toEqual(second)
  await sim.reset()
  expect(await live(sim, client)).toEqual(first)
  // Once the clock runs, each id means one thing.
  await sim.reset()
  await sim.clock.resume()
  const running = await live(sim, client)
  expect(running.filter((id) => [...first, ...second].includes(id))).toEqual([])
})

test('behavior: with a frozen clock equal lives tell equal events, though one part fails as the money of another comes back', async () => {
  const { sim } = await start({ seed: 11n, clock: 'frozen' })
  const told = new Set<string>()
  for (let round = 0; round < 8; round++) {
    await sim.reset()
    const user = await openUser(sim, `0x${'1'.repeat(64)}`)
    for (const on of ['base', 'optimism'] as const) await user.fund(on, 'USDC', 100_000_000n)
    await sim.faults.add({ on: 'bridge', effect: 'refund' })
    const match = { network: 'base' }
    await sim.faults.add({ on: 'execute', effect: { revert: { by: 'gas' } }, match })
    const both = { ...earn, amount: '199950000', network: 'arbitrum' }
    await user.execute((await user.plan('earn', both)).body as PlanBody)
    await sim.clock.advance(0)
    const { events } = (await user.api.get(`${user.path}/events`)).body
    expect(events.at(-1).data.activity_status).toBe('failed')
    told.add(JSON.stringify(events))
  }
  expect(told.size).toBe(1)
})

/** Two users plan and execute at once; the node's answers about one of them come after all that the other gets. */
async function liveTogether(sim: SimulatorHandle, client: Client, late: 0 | 1): Promise<unknown> {
  await sim.reset()
  const users = [
    await openUser(sim, `0x${'5e'.repeat(32)}`),
    await openUser(sim, `0x${'6e'.repeat(32)}`),
  ] as const
  for (const user of users)
    for (const network of ['optimism', 'base'] as const)
      await user.fund(network, 'USDC', 11_000_000n)
  const wallet = users[late].wallet.slice(2).toLowerCase()
  /** The second request comes when the first is under way. */
  const atOnce = async (send: (user: 0 | 1) => Promise<Reply>): Promise<Reply[]> => {
    const other = { isServed: false }
    let isInside = (): void => {}
    const inside = new Promise<void>((resolve) => {
      isInside = resolve
    })
    // What waits for its turn behind the one that is held is not served: a bounded number of other requests goes first.
    const goFirst = async (): Promise<void> => {
      for (let i = 0; i < 40 && !other.isServed; i++) await client.get('/networks')
    }
    let held: Promise<void> | undefined
    tapRpc(async ({ params }, proceed) => {
      isInside()
      if (!JSON.stringify(params).toLowerCase().includes(wallet)) return proceed()
      held ??= goFirst()
      await held
      return proceed()
    })
    const serve = async (user: 0 | 1): Promise<Reply> => {
      const reply = await send(user)
      if (user !== late) other.isServed = true
      return reply
    }
    const first = serve(0)
    await inside
    return Promise.all([first, serve(1)]).finally(() => tapRpc(undefined))
  }
  const intent = { ...earn, amount: '20000000' }
  const plans = await atOnce((user) => users[user].plan('earn', intent))
  expect(plans.map(({ status }) => status)).toEqual([201, 201])
  const executed = await atOnce((user) => users[user].execute(plans[user]!.body as PlanBody))
  await sim.clock.advance(10)
  const mined: unknown[] = []
  for (const { body } of executed) {
    const { timeline } = (await client.get(`/_sim/why/${body.activity_id}`)).body
    const begun = timeline.findLastIndex(({ type }: { type: string }) => type === 'reset') + 1
    const told = timeline.slice(begun) as { type: string; title: string; details: object }[]
    for (const { type, title, details } of told)
      if (type === 'transaction') mined.push({ title, details })
  }
  expect(mined).toHaveLength(4)
  const ids = [...plans, ...executed].map(({ body }) => [body.plan_id, body.activity_id])
  return { ids, mined, events: await eventsOf(users) }
}

const eventsOf = (users: readonly Awaited<ReturnType<typeof openUser>>[]) =>
  Promise.all(users.map(async ({ api, path }) => (await api.get(`${path}/events`)).body.events))

test('behavior: on a frozen clock, plans and executions that are asked for at once have the order of the requests, whichever node answers first', async () => {
  const { sim, client } = await start({ seed: 11n, clock: 'frozen' })
  const lives = []
  for (const late of [0, 1, 0] as const) lives.push(await liveTogether(sim, client, late))
  expect(lives[1]).toEqual(lives[0])
  expect(lives[2]).toEqual(lives[0])
})

test('behavior: a fault of an execution that was undone half-way does not meet the next one of its id', async () => {
  const { sim } = await start({ seed: 11n, clock: 'frozen' })
  const user = await openUser(sim)
  for (const network of ['arbitrum', 'optimism'] as const)
    await user.fund(network, 'USDC', 9_000_000n)
  await sim.snapshot('one')
  const recipient = '0x00000000000000000000000000000000000f41e7'
  const begin = async (): Promise<string> => {
    const transfer = { asset: 'USDC', amount: '15000000', network: 'base', recipient }
    const { body } = await user.execute((await user.plan('transfer', transfer)).body as PlanBody)
    await sim.clock.advance(0)
    return body.activity_id
  }
  const statusOf = async (id: string) =>
    (await user.api.get(`/activities/${id}`)).body.activity_status
  const match = { network: 'optimism' }
  await sim.faults.add({ on: 'execute', effect: { revert: { by: 'gas' } }, match })
  const undone = await begin()
  expect(await statusOf(undone)).toBe('pending')
  await sim.restore('one')
  expect(await begin()).toBe(undone)
  await sim.clock.advance(2)
  expect(await statusOf(undone)).toBe('confirmed')
})

type Exchange = JournalPage['exchanges'][number]

interface Line {
  type: string
  details: { undone_by?: string }
  title: string
  request_id: string | null
  cursor: number | null
}
const why = async (client: Client, id: string): Promise<Line[]> =>
  (await client.get(`/_sim/why/${id}`)).body.timeline

/** The overview says which exchanges of the journal led to the present state: those that name these ids, and none that names the activity. */
async function expectPresent(
  client: Client,
  { has, lacks }: { has: string[]; lacks: { activity: { activity_id: string } } },
): Promise<void> {
  const { present } = (await client.get('/_sim/overview')).body as {
    present: { after: number; until: number | null }[]
  }
  const { exchanges } = (await client.get('/_sim/journal')).body as {
    exchanges: { cursor: number }[]
  }
  const told = JSON.stringify(
    exchanges.filter(({ cursor }) =>
      present.some(({ after, until }) => cursor > after && cursor <= (until ?? cursor)),
    ),
  )
  for (const id of has) expect(told).toContain(id)
  expect(told).not.toContain(lacks.activity.activity_id)
}

test('behavior: why keeps two lives of an account apart, and says that a third began at the start', async () => {
  const { sim, client } = await start({ clock: 'frozen' })
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 20_000_000n)
  const snapshot = await sim.snapshot('funded')
  await sim.faults.add({ id: 'breaks', on: 'execute', effect: 'revert' })
  const undone = await user.run('earn', earn)
  const restored = await client.post('/_sim/snapshots/funded/restore')
  const kept = await user.run('earn', earn)
  const timeline = await why(client, user.id)
  const places = (id: string): number[] =>
    timeline.flatMap(({ title }, index) => (title.includes(id) ? [index] : []))
  const marks = timeline.flatMap(({ type }, index) => (type === 'restore' ? [index] : []))
  expect(marks).toHaveLength(1)
  const [mark] = marks as [number]
  expect(timeline[mark]).toMatchObject({
    title: `restored snapshot ${snapshot} (funded)`,
    request_id: requestId(restored),
  })
  const [old, present] = [undone, kept].map(({ activity }) => places(activity.activity_id))
  expect(old!.length).toBeGreaterThan(1)
  expect(old!.every((index) => index < mark)).toBe(true)
  expect(present!.length).toBeGreaterThan(1)
  expect(present!.every((index) => index > mark)).toBe(true)
  // The account is there: what was undone does not explain it.
  for (const [places, by] of [
    [old!, snapshot],
    [present!, undefined],
  ] as const)
    for (const index of places) expect(timeline[index]!.details.undone_by).toBe(by)
  // What was undone is known from the journal alone, and told to its end.
  const ended = await why(client, undone.activity.activity_id)
  expect(ended.filter(({ type }) => type === 'restore')).toHaveLength(1)
  expect((await why(client, kept.activity.activity_id)).map(({ type }) => type)).not.toContain(
    'restore',
  )
  for (const { details } of ended) expect(details.undone_by).toBeUndefined()
  // The rule that broke it is gone as well, and still named.
  const broke = ', because breaks (execute.revert by nonce) used up the wallet’s nonce'
  const { activity_id } = undone.activity
  const { request_id: asked } = (await client.get('/_sim/journal')).body.exchanges.find(
    ({ url, body }: Exchange) =>
      url.endsWith('/execute') && JSON.stringify(body).includes(undone.plan.plan_id),
  )
  for (const [id, was] of [
    [activity_id, `. Before that, its activity was failed${broke}`],
    [undone.plan.plan_id, `. Before that, its activity was failed${broke}`],
    [asked, `; activity ${activity_id} was failed${broke}. Since then, snapshot ${snapshot}`],
  ] as const) {
    const { now, verdict } = (await client.get(`/_sim/why/${id}`)).body
    expect(now).toContain(was)
    expect(verdict).toMatchObject({
      cause: { cause: 'restore' },
      fault: { rule: 'breaks', effect: 'execute.revert' },
    })
    expect(verdict.next ?? '').not.toContain('breaks')
  }
  await expectPresent(client, { has: [user.id, kept.activity.activity_id], lacks: undone })
  await sim.reset()
  await expectPresent(client, { has: [], lacks: kept })
  const last = (await why(client, kept.activity.activity_id)).at(-1)
  expect(last).toMatchObject({ type: 'reset', request_id: null })
})

test('behavior: a refusal of a plan that ran says after a restore or reset that it was undone, and nothing follows its activity', async () => {
  const { sim, client } = await start({ clock: 'frozen' })
  const told = async (id: string) => {
    const { now, verdict, timeline } = (await client.get(`/_sim/why/${id}`)).body
    const titles = timeline.map(({ title }: Line) => title)
    return { now, verdict, timeline, said: JSON.stringify([now, verdict, titles]) }
  }
  const rules = [undefined, { on: 'answer', effect: 'consumed_plan_stale' }] as const
  for (const rule of rules) {
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 9_000_000n)
    const plan = (await user.plan('earn', earn)).body as PlanBody
    await sim.snapshot('before')
    if (rule) await sim.faults.add(rule)
    const { activity_id } = (await user.execute(plan)).body
    const again = await user.execute(plan)
    expect(again.status).toBe(rule ? 409 : 404)
    const id = requestId(again)
    const follow = `follow activity ${activity_id}`
    expect((await told(id)).verdict.next).toContain(follow)
    await client.post('/_sim/snapshots/before/restore')
    const [account, request] = [await told(user.id), await told(id)]
    expect(account).toMatchObject({
      now: 'no plan of this account has been executed',
      verdict: { next: expect.stringMatching(/^fund the account if it is empty, make a plan/) },
    })
    const undone = account.timeline.filter(({ details }: Line) => details.undone_by)
    expect(undone.map(({ type }: Line) => type)).toEqual(
      expect.arrayContaining(rule ? ['fault', 'cause', 'answer'] : ['cause', 'answer']),
    )
    expect(request.now).toMatch(/\. Since then, snapshot \S+ was restored/)
    // The plan is older than the snapshot.
    expect(request.verdict.next).toMatch(/^sign the digest of the plan, and POST it/)
    for (const { said } of [account, request]) expect(said).not.toContain('follow activity')
    expect((await user.execute(plan)).status).toBe(200)
    const third = requestId(await user.execute(plan))
    await client.post('/_sim/reset')
    const last = await told(third)
    expect(last.now).toContain('. Since then, the simulator was reset')
    expect(last.said).not.toContain('follow activity')
  }
})

test('behavior: why starts at the last reset where what came before it had the same id', async () => {
  const { sim, client } = await start({ seed: 11n, clock: 'frozen' })
  const told = async () => {
    const ids = await live(sim, client)
    const timelines = await Promise.all(ids.map((id) => why(client, id)))
    return ids.map((id, place) => [id, timelines[place]!.map(({ type }) => type)])
  }
  const first = await told()
  await sim.reset()
  expect(await told()).toEqual(first)
})

/** One wallet that bridges: an account, a plan, its execution. */
async function bridgeOnce(sim: SimulatorHandle, amount: string, fault?: object) {
  const user = await openUser(sim, `0x${'5e'.repeat(32)}`)
  await user.fund('optimism', 'USDC', 20_000_000n)
  if (fault) await sim.faults.add(fault)
  const planned = await user.plan('earn', { ...earn, amount })
  const executed = await user.execute(planned.body as PlanBody)
  await sim.clock.advance(fault ? 0 : 60)
  return {
    plan: planned.body.plan_id as string,
    activity: executed.body.activity_id as string,
    requests: [planned, executed].map(requestId) as [string, string],
  }
}

test.each(['reset', 'restore'])(
  'behavior: after a %s an id is drawn again, and nothing joins its two lives',
  async (how) => {
    const { sim, client } = await start({ seed: 11n, clock: 'frozen' })
    await sim.snapshot('one')
    const stuck = await bridgeOnce(sim, '15000000', { on: 'bridge', effect: 'stuck' })
    const told = async (id: string) => (await client.get(`/_sim/why/${id}`)).body
    const [deposit] = (await told(stuck.activity)).timeline.flatMap(
      ({ type, details }: { type: string; details: { hash: string } }) =>
        type === 'transaction' ? [details.hash] : [],
    )
    await client.post(how === 'reset' ? '/_sim/reset' : '/_sim/snapshots/one/restore')
    const undone =
      how === 'reset' ? 'the simulator was reset at 00:00:00' : 'snapshot snp_1 was restored at'
    // Without a second life, the end of the first one is told.
    const [planned, executed] = stuck.requests
    expect((await told(planned)).now).toContain(`returned 201. Since then, ${undone}`)
    const { now, verdict } = await told(executed)
    expect(now).toContain(
      `returned 200; activity ${stuck.activity} was pending, because fault_1 (bridge.stuck) held it. Since then, ${undone}`,
    )
    expect(verdict).toMatchObject({ outcome: 'answered', cause: { cause: how }, next: null })
    expect((await told(stuck.activity)).now).toContain(undone)
    const filled = await bridgeOnce(sim, '7000000')
    expect([filled.plan, filled.activity]).toEqual([stuck.plan, stuck.activity])
    for (const id of [filled.plan, filled.activity]) {
      const { now, timeline, activity } = await told(id)
      expect(now).toContain(`confirmed. The same id was used before, until ${undone}`)
      expect(activity).toMatchObject({ status: 'confirmed' })
      expect(JSON.stringify(timeline)).not.toContain('bridge.stuck')
      expect(JSON.stringify(timeline)).not.toContain(deposit)
      expect(timeline.map(({ type }: Line) => type)).not.toContain(how)
    }
    expect((await told(filled.requests[1])).now).toMatch(
      /^returned 200; activity act_\w+: confirmed/,
    )
    expect((await told(deposit)).now).toContain('no longer has')
    // The journal's cursor says which of two requests is meant.
    const { exchanges, marks } = (await client.get('/_sim/journal')).body
    const [first, second] = exchanges.filter((each: Exchange) => each.request_id === executed)
    const { cursor } = first
    // It says with each request which of the marks has undone it.
    expect([first.undone, second.undone]).toEqual([marks[0], undefined])
    const isUndone = (each: Exchange) => each.undone !== undefined
    const isBefore = ({ cursor, method, url }: Exchange) =>
      cursor < marks[0].cursor && method !== 'GET' && !/reset|restore/.test(url)
    expect(exchanges.filter(isUndone)).toEqual(exchanges.filter(isBefore))
    const places = async (path: string) =>
      new Set((await told(path)).timeline.map((each: Line) => each.request_id && each.cursor))
    expect(await places(executed)).toEqual(new Set([second.cursor]))
    expect(await places(`${executed}?cursor=${cursor}`)).toEqual(new Set([cursor, null]))
    expect((await told(executed)).now).toContain(`(svc-sim why ${executed} --cursor ${cursor})`)
    const { now: then, related } = await told(`${executed}?cursor=${cursor}`)
    expect(then).toContain(
      `returned 200; activity ${stuck.activity} was pending, because fault_1 (bridge.stuck) held it. Since then, `,
    )
    expect(related).toMatchObject({ plan_id: null, activity_id: null })
    // Every place of that life selects it.
    expect((await told(`${executed}?cursor=${cursor + 1}`)).now).toBe(then)
    const [, ofPlan] = / --cursor (\d+)\)$/.exec((await told(stuck.plan)).now) ?? []
    expect((await told(`${planned}?cursor=${ofPlan}`)).now).toContain('. Since then, ')
    const gone = await told(`${stuck.plan}?cursor=${ofPlan}`)
    expect(gone.now).toContain(`the simulator no longer has ${stuck.plan}: ${undone}`)
    expect(JSON.stringify(gone.timeline)).toContain(deposit)
    expect((await client.get(`/_sim/why/${stuck.plan}?cursor=x`)).status).toBe(400)
    const overview = (await client.get('/_sim/overview')).body
    expect(overview).toMatchObject({
      ended_plans: [],
      bridges: [{ amount: '7000000', status: 'filled' }],
    })
  },
)

test('behavior: with a seed, a plan that was refused as stale in an undone life is another one in the next', async () => {
  const { sim, client } = await start({ seed: 11n, clock: 'frozen' })
  await sim.snapshot('one')
  const life = async (isStale: boolean) => {
    const user = await openUser(sim, `0x${'6e'.repeat(32)}`)
    await user.fund('base', 'USDC', 30_000_000n)
    const [plan, other] = [await user.plan('earn', earn), await user.plan('earn', earn)]
    if (isStale) await user.execute(other.body as PlanBody)
    const execution = await user.execute(plan.body as PlanBody)
    expect(execution.status).toBe(isStale ? 409 : 200)
    await sim.clock.advance(5)
    return { id: plan.body.plan_id as string, request: requestId(execution) }
  }
  const refused = await life(true)
  const failures = async () => (await client.get('/_sim/overview')).body.failures
  expect(await failures()).toBe(1)
  await client.post('/_sim/snapshots/one/restore')
  expect(await failures()).toBe(0)
  // The old plan is asked for between its lives.
  const user = await openUser(sim, `0x${'7e'.repeat(32)}`)
  const late = await client.post(`${user.path}/plan/execute`, {
    plan_id: refused.id,
    signature: `0x${'11'.repeat(65)}`,
  })
  expect(late.status).toBe(404)
  await client.post('/_sim/snapshots/one/restore')
  const run = await life(false)
  expect(run.id).toBe(refused.id)
  const told = async (id: string) => (await client.get(`/_sim/why/${id}`)).body
  expect((await told(run.id)).now).toMatch(/^confirmed\. The same id was used before, until snap/)
  const old = await told(refused.request)
  expect(old.now).toContain('of the same wallet was executed')
  expect(old.now).toContain('. Since then, snapshot snp_1 was restored')
  expect(old.verdict).toMatchObject({ outcome: 'refused', cause: { cause: 'plan' } })
  expect((await client.get('/_sim/overview')).body.ended_plans).not.toContainEqual(
    expect.objectContaining({ plan_id: run.id }),
  )
})

test('behavior: the journal pages past marks, and shows each once', async () => {
  const { sim, client } = await start({ clock: 'frozen' })
  await client.get('/networks')
  const snapshot = await sim.snapshot('one')
  await client.get('/accounts')
  await sim.restore('one')
  await client.get('/assets')
  await sim.reset()
  await sim.reset()
  const all = (await client.get('/_sim/journal')).body
  expect(all.exchanges.map(({ url }: { url: string }) => url)).toEqual([
    ...['/networks', '/accounts', '/assets'],
  ])
  expect(all.marks).toMatchObject([
    { type: 'restore', snapshot: { id: snapshot, name: 'one' }, request_id: null },
    { type: 'reset', snapshot: null },
    { type: 'reset', snapshot: null },
  ])
  const order = (entries: { cursor: number }[]): number[] => entries.map(({ cursor }) => cursor)
  expect(order(all.marks)[0]).toBeGreaterThan(order(all.exchanges)[1]!)
  expect(order(all.marks)[0]).toBeLessThan(order(all.exchanges)[2]!)
  expect(all.cursor).toBe(order(all.marks)[2])
  const seen: number[] = []
  for (let since = 0; ; ) {
    const { body } = await client.get(`/_sim/journal?since=${since}&limit=1`)
    seen.push(...order(body.exchanges), ...order(body.marks))
    since = body.cursor
    if (body.exchanges.length === 0) break
  }
  expect(seen.sort((a, b) => a - b)).toEqual(
    [...order(all.exchanges), ...order(all.marks)].sort((a, b) => a - b),
  )
  // The newest alone, with what came after it.
  const newest = (await client.get('/_sim/journal?limit=1')).body
  expect(order(newest.marks)).toEqual(order(all.marks).slice(1))
})
