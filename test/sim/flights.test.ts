import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { executed, openUser } from '../kit/user.js'

/** Where a bridge's money is: what the overview and `why` announce is there at the announced moment, and not before. */

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', seed: 7n })
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

const recipient = '0x00000000000000000000000000000000000f41e7'
const transfer = { asset: 'USDC', amount: '5000000', network: 'base', recipient }

interface Flight {
  activity_id: string
  status: string
  fills_at: string | null
  waits_for: string | null
  deadline: string
  until: string | null
  sent: string
  delivers: string | null
}

const control = async (path: string) => (await fetch(`${sim.controlUrl}/${path}`)).json()

/** What the overview and `why` announce of the bridge of this activity. */
async function told(id: string) {
  const [{ bridges }, why] = (await Promise.all([control('overview'), control(`why/${id}`)])) as [
    { bridges: Flight[] },
    { now: string; verdict: { outcome: string; next: string | null } },
  ]
  return { ...bridges.find((each) => each.activity_id === id)!, ...why.verdict, now: why.now }
}

/** Moves the clock to exactly this moment, or so many seconds before. */
async function goTo(at: string | null, early = 0): Promise<void> {
  await sim.clock.advance((Date.parse(at!) - sim.clock.now().getTime()) / 1000 - early)
}

const delay = (id: string, seconds: number) => ({
  id,
  on: 'bridge',
  effect: { delay: { seconds } },
})
const stuck = { id: 'stuck', on: 'bridge', effect: 'stuck' }
const halt = (network: string) => ({ id: 'halt', on: 'chain', effect: 'halt', match: { network } })

const rpc = (network: 'arbitrum' | 'base', method: string, ...params: unknown[]) =>
  fetch(sim.rpc(network), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })

/** An account with 20 USDC on arbitrum transfers on base under these rules. */
async function fly(rules: readonly object[], body: object = transfer) {
  await sim.faults.set(rules as never)
  const user = await openUser(sim)
  await user.fund('arbitrum', 'USDC', 20_000_000n)
  const id = await executed(sim, user, 'transfer', body)
  return { user, id }
}

test.each([
  ['on a whole second', 0],
  ['between two seconds', 0.5],
])('default: made %s, it is refunded in the announced second', async (_, seconds) => {
  await sim.clock.advance(seconds)
  const { id } = await fly([stuck])
  const { until, deadline, now } = await told(id)
  expect(Date.parse(until!) - Date.parse(deadline)).toBe(1_000)
  expect(now).toContain(
    `; if it is not filled by ${until}, 5.003501 USDC goes back on arbitrum and `,
  )
  await goTo(deadline)
  expect(await told(id)).toMatchObject({ status: 'in flight', until, outcome: 'pending' })
  await goTo(until)
  const refunded = { status: 'refunded', until: null, waits_for: null, outcome: 'failed' }
  expect(await told(id)).toMatchObject(refunded)
})

test('behavior: delayed past its deadline: each moment says what is true then', async () => {
  const { id } = await fly([delay('slow', 900)])
  const before = await told(id)
  const { deadline, until } = before
  expect(Date.parse(until!) - Date.parse(deadline)).toBe(300_000)
  const because = 'because slow (bridge.delay) delayed the fill by 900 s'
  const held = `pending: it waits for the bridge from arbitrum to base to deliver 5 USDC, ${because}; that ends after its deadline, ${deadline}, so 5.003501 USDC goes back on arbitrum at ${until} and the activity fails`
  expect(before).toMatchObject({ now: held, waits_for: 'slow (bridge.delay)', fills_at: null })
  const saved = await sim.snapshot()
  await goTo(deadline)
  expect((await told(id)).now).toBe(held)
  // It can still be filled in this second.
  await sim.faults.remove('slow')
  await sim.clock.advance(0)
  expect(await told(id)).toMatchObject({ status: 'filled', outcome: 'confirmed' })
  await sim.restore(saved)
  await goTo(deadline, -1)
  const closed = `pending: it waits for 5.003501 USDC to go back on arbitrum at ${until}, and fails then: the bridge from arbitrum to base did not deliver 5 USDC by its deadline, ${deadline}, ${because}`
  expect(await told(id)).toMatchObject({ now: closed, until, status: 'in flight' })
  const between = await sim.snapshot()
  await sim.faults.remove('slow')
  await sim.clock.advance(0)
  expect(await told(id)).toMatchObject({ status: 'refunded', outcome: 'failed' })
  await sim.restore(between)
  await goTo(until, 1)
  expect((await told(id)).status).toBe('in flight')
  await goTo(until)
  expect(await told(id)).toMatchObject({ status: 'refunded', outcome: 'failed' })
})

test('behavior: the delays of two rules add up, and a rule that is removed delays no longer', async () => {
  const { id } = await fly([delay('one', 60), delay('two', 30)])
  const start = sim.clock.now().getTime()
  const after = (seconds: number) => new Date(start + seconds * 1000).toISOString()
  expect(await told(id)).toMatchObject({ fills_at: after(90), waits_for: null })
  await sim.clock.advance(10)
  const saved = await sim.snapshot()
  await sim.faults.remove('two')
  expect(await told(id)).toMatchObject({ fills_at: after(60) })
  expect((await told(id)).now).not.toContain('two')
  await sim.restore(saved)
  expect(await told(id)).toMatchObject({ fills_at: after(90) })
  await goTo(after(90), 1)
  expect((await told(id)).status).toBe('in flight')
  await goTo(after(90))
  expect((await told(id)).status).toBe('filled')
  await sim.restore(saved)
  await sim.faults.remove('one')
  await sim.clock.advance(0)
  expect(await told(id)).toMatchObject({ fills_at: after(30), status: 'in flight' })
  await goTo(after(30))
  expect((await told(id)).status).toBe('filled')
})

test('behavior: what another rule does after a delay is known before the delay ends', async () => {
  const refuse = { id: 'back', on: 'bridge', effect: 'refund' }
  const { id } = await fly([delay('one', 60), refuse])
  const refused = await told(id)
  const waits_for = 'one (bridge.delay) and back (bridge.refund)'
  expect(refused).toMatchObject({ fills_at: null, waits_for })
  await goTo(refused.until)
  expect((await told(id)).status).toBe('refunded')
  const held = await fly([delay('one', 60), stuck])
  const { until, deadline } = await told(held.id)
  expect(Date.parse(until!) - Date.parse(deadline)).toBe(1_000)
  await goTo(until)
  expect((await told(held.id)).status).toBe('refunded')
  const partial = { id: 'part', on: 'bridge', effect: { partial: { percent: 40 } } }
  const short = await fly([delay('one', 60), partial])
  expect(await told(short.id)).toMatchObject({ delivers: '2000000', outcome: 'pending' })
  // It says what would save it.
  await short.user.fund('base', 'USDC', 3_000_000n)
  await goTo((await told(short.id)).fills_at)
  expect(await told(short.id)).toMatchObject({ status: 'filled in part', outcome: 'confirmed' })
})

test('behavior: a restore and a reorganisation do not begin a delay again; a plan of a maximum takes what arrives', async () => {
  const partial = { id: 'part', on: 'bridge', effect: { partial: { percent: 40 } } }
  const { id } = await fly([delay('one', 60), partial], { ...transfer, amount: 'max' })
  const { fills_at, now } = await told(id)
  expect(now).toMatch(/; once filled, 11\.997 USDC is missing on base$/)
  await sim.clock.advance(30)
  const saved = await sim.snapshot()
  expect(await told(id)).toMatchObject({ fills_at })
  await sim.clock.advance(5)
  await sim.restore(saved)
  expect(await told(id)).toMatchObject({ fills_at })
  await rpc('arbitrum', 'anvil_reorg', { depth: 2, txBlockPairs: [] })
  await sim.clock.advance(0)
  const again = await told(id)
  expect(again.status).toBe('in flight')
  await goTo(again.fills_at, 1)
  expect((await told(id)).status).toBe('in flight')
  await goTo(again.fills_at)
  expect(await told(id)).toMatchObject({ status: 'filled in part', outcome: 'confirmed' })
})

test('behavior: a network that mines nothing is named, and no moment is announced', async () => {
  const { id } = await fly([halt('base')])
  const open = { fills_at: null, until: null, status: 'in flight' }
  expect(await told(id)).toMatchObject({ ...open, waits_for: 'halt (chain.halt)' })
  await sim.clock.advance(2)
  const sent = await told(id)
  expect(sent).toMatchObject({
    ...open,
    waits_for: 'the transaction of the fill on base and halt (chain.halt)',
  })
  expect(sent.next).toMatch(/^remove the rule halt, which releases what it holds /)
  expect(sent.now).toContain(
    `, because halt (chain.halt) is in force; if it is not filled by its deadline, ${sent.deadline}, `,
  )
  await goTo(sent.deadline, -1)
  expect(await told(id)).toMatchObject({
    ...open,
    now: expect.stringMatching(
      /^pending: it waits for 5\.003501 USDC to go back on arbitrum, and /,
    ),
  })
  await sim.faults.remove('halt')
  await sim.clock.advance(0)
  expect((await told(id)).status).toBe('refunded')
  const { id: back } = await fly([stuck])
  await sim.faults.add(halt('arbitrum'))
  const held = await told(back)
  expect(held).toMatchObject({ ...open, waits_for: 'stuck (bridge.stuck) and halt (chain.halt)' })
  await goTo(held.deadline, -1)
  const { now, next } = await told(back)
  expect(now).toMatch(
    / did not deliver 5 USDC by its deadline, .+ because stuck \(bridge\.stuck\) .+; it still waits, because halt \(chain\.halt\) is in force$/,
  )
  expect(next).toMatch(
    /^remove the rule stuck, .+ and the rule halt, which releases what it holds /,
  )
  await sim.faults.remove('halt')
  await sim.clock.advance(0)
  expect((await told(back)).status).toBe('refunded')
})

test('behavior: a halt of the destination is named with what else holds the bridge, before the deadline and after', async () => {
  const open = { fills_at: null, until: null, status: 'in flight' }
  const late = await fly([delay('slow', 900)])
  const before = await told(late.id)
  await sim.faults.add(halt('base'))
  // The fill is tried on base before the deposit is refunded.
  expect(await told(late.id)).toMatchObject({
    ...open,
    waits_for: 'slow (bridge.delay) and halt (chain.halt)',
    next: expect.stringMatching(/^remove the rule slow, .+ and the rule halt, /),
  })
  await goTo(before.until, -1)
  const held = await told(late.id)
  expect(held).toMatchObject({
    ...open,
    waits_for: 'the transaction of the fill on base and halt (chain.halt)',
    next: expect.stringMatching(/^remove the rule halt, /),
  })
  expect(held.now).toMatch(
    / because slow \(bridge\.delay\) .+; it still waits, because halt \(chain\.halt\) is in force$/,
  )
  expect(held.next).not.toContain('slow')
  await sim.faults.remove('halt')
  await sim.clock.advance(0)
  expect((await told(late.id)).status).toBe('refunded')
  const partial = { id: 'part', on: 'bridge', effect: { partial: { percent: 30 } } }
  const soon = await fly([delay('slow', 60), partial, halt('base')])
  const both = await told(soon.id)
  expect(both).toMatchObject({
    ...open,
    waits_for: 'slow (bridge.delay) and halt (chain.halt)',
    ...{ delivers: '1500000', sent: '5003501' },
  })
  for (const word of ['slow (bridge.delay)', 'halt (chain.halt)']) expect(both.now).toContain(word)
  await sim.clock.advance(60)
  const due = await told(soon.id)
  expect(due.waits_for).toBe('the transaction of the fill on base and halt (chain.halt)')
  expect(due.now).not.toContain('slow')
  await sim.faults.remove('halt')
  await sim.clock.advance(0)
  const { activities } = (await control(`accounts/${soon.user.id}`)) as {
    activities: { activity_id: string; items: { action_type: string }[] }[]
  }
  const { items } = activities.find(({ activity_id }) => activity_id === soon.id)!
  expect(items.find(({ action_type }) => action_type === 'BRIDGE_MINT')).toMatchObject({
    state: 'arrived in part',
    action_context: { output_amount: '1500000', max_fee: '3503501' },
  })
})

test('behavior: where no fill can come, none is spoken of', async () => {
  const late = await fly([delay('slow', 601)])
  const one = await told(late.id)
  expect(one.now).toContain(`; that ends after its deadline, ${one.deadline}, so 5.003501 USDC `)
  await goTo(one.until)
  expect((await told(late.id)).status).toBe('refunded')
  const refuse = { id: 'back', on: 'bridge', effect: 'refund' }
  const refused = await fly([delay('slow', 60), refuse])
  const two = await told(refused.id)
  expect(two.now).toContain(
    `; it is not going to, so 5.003501 USDC goes back on arbitrum at ${two.until} and `,
  )
  await sim.faults.add(halt('arbitrum'))
  expect((await told(refused.id)).now).toContain(
    '; it is not going to, so 5.003501 USDC goes back on arbitrum and ',
  )
  await sim.faults.remove('halt')
  await goTo(two.until)
  expect((await told(refused.id)).status).toBe('refunded')
})

test('behavior: a failure blames what held the bridge beyond its deadline, and nothing that was lifted or over before', async () => {
  const failed = async (id: string) => {
    await sim.faults.remove('halt')
    await sim.clock.advance(0)
    const { now, outcome } = await told(id)
    expect(outcome).toBe('failed')
    return now
  }
  const short = await fly([delay('slow', 100), halt('base')])
  await sim.clock.advance(700)
  const stopped = 'because halt (chain.halt) kept base from mining the fill before its deadline'
  const why = await failed(short.id)
  expect(why).toContain(stopped)
  expect(why).not.toContain('slow')
  const two = await fly([delay('one', 300), delay('two', 400), halt('base')])
  await sim.faults.remove('two')
  await sim.clock.advance(700)
  expect(await failed(two.id)).not.toMatch(/one|two/)
  const { timeline } = (await control(`why/${two.id}`)) as { timeline: { title: string }[] }
  expect(timeline.find(({ title }) => title.startsWith('bridge '))?.title).toContain(stopped)
  const sum = await fly([delay('one', 300), delay('two', 400)])
  await sim.clock.advance(700)
  const { now, outcome } = await told(sum.id)
  expect(outcome).toBe('failed')
  for (const rule of ['one', 'two']) expect(now).toContain(`${rule} (bridge.delay)`)
})

test('behavior: a halt that ends by itself promises no moment while it lasts, and holds nothing afterwards', async () => {
  const brief = (ms: number) => ({ ...halt('base'), effect: { halt: { ms } } })
  const open = { fills_at: null, until: null, status: 'in flight' }
  const { id } = await fly([brief(600_000)])
  const until = `until ${sim.faults.list()[0]!.ends!.slice(0, 19)}Z of the machine’s clock`
  const waits_for = `halt (chain.halt, ${until})`
  expect(await told(id)).toMatchObject({ ...open, waits_for })
  await sim.clock.advance(60)
  const sent = await told(id)
  expect(sent).toMatchObject({
    ...open,
    waits_for: `the transaction of the fill on base and ${waits_for}`,
    now: expect.stringContaining(`, because halt (chain.halt) is in force ${until}; if it is not `),
    next: expect.stringMatching(/^remove the rule halt, which releases what it holds /),
  })
  await sim.faults.remove('halt')
  await sim.clock.advance(0)
  expect((await told(id)).status).toBe('filled')
  const next = await fly([brief(1)])
  await expect.poll(() => sim.faults.list()[0]!.over).toBe(true)
  const free = await told(next.id)
  expect(free).toMatchObject({ status: 'in flight', waits_for: null, until: expect.any(String) })
  expect(`${free.now} ${free.next}`).not.toContain('halt')
  const { faults } = (await control('overview')) as { faults: object[] }
  expect(faults).toEqual(sim.faults.list())
  expect(await control('why/halt')).toMatchObject({
    now: 'fault rule chain.halt {"ms":1} for network base is over: its 1 ms have passed, and it holds nothing',
    verdict: { outcome: 'ended', next: null },
  })
  await goTo(free.fills_at)
  expect((await told(next.id)).status).toBe('filled')
})

test('behavior: what stopped the network at the deadline is blamed, and what holds the refund is named apart', async () => {
  const { id } = await fly([halt('base')])
  await sim.clock.advance(2)
  // The fill waits in the pool by now.
  await sim.faults.add({ ...halt('base'), id: 'second' })
  await sim.faults.remove('halt')
  const sent = await told(id)
  expect(sent.waits_for).toBe('the transaction of the fill on base and second (chain.halt)')
  expect(sent.next).toMatch(/^remove the rule second, which releases what it holds /)
  await goTo(sent.deadline, -1)
  const blamed = 'because second (chain.halt) kept base from mining the fill before its deadline'
  expect((await told(id)).now).toContain(
    `, ${sent.deadline}, ${blamed}; it still waits, because second (chain.halt) is in force`,
  )
  await sim.faults.add({ ...halt('arbitrum'), id: 'third' })
  await sim.faults.remove('second')
  await expect
    .poll(async () => (await told(id)).waits_for)
    .toBe('the refund on arbitrum and third (chain.halt)')
  const { now, next } = await told(id)
  expect(now).toContain(
    `, ${sent.deadline}, ${blamed}; it still waits, because third (chain.halt) is in force`,
  )
  expect(next).toMatch(/^remove the rule third, /)
  expect(next).not.toContain('second')
  const saved = await sim.snapshot()
  await sim.faults.remove('third')
  await sim.clock.advance(0)
  const failed = await told(id)
  expect(failed.outcome).toBe('failed')
  expect(failed.now).toContain(blamed)
  expect(failed.now).not.toContain('third')
  await sim.restore(saved)
  await sim.faults.remove('third')
  await sim.clock.advance(0)
  expect(await told(id)).toMatchObject({
    outcome: 'failed',
    now: expect.stringContaining(blamed),
  })
})

test('behavior: a halt of the origin takes the moment of the refund away, and not that of the fill', async () => {
  const { id } = await fly([])
  await sim.faults.add(halt('arbitrum'))
  const onward = await told(id)
  // The fill needs base alone; a refund would need arbitrum.
  expect(onward).toMatchObject({ fills_at: expect.any(String), waits_for: null, until: null })
  await goTo(onward.fills_at)
  expect((await told(id)).status).toBe('filled')
})

test('behavior: a deposit that a halt of its network kept until after the deadline names the halt, before its refund and after', async () => {
  await sim.faults.set([])
  const user = await openUser(sim)
  await user.fund('arbitrum', 'USDC', 20_000_000n)
  await sim.faults.set([halt('arbitrum')] as never)
  const id = await executed(sim, user, 'transfer', transfer)
  expect(await told(id)).toMatchObject({
    now: expect.stringMatching(
      / \(BRIDGE on arbitrum\) to be mined .+ halt \(chain\.halt\) is in force$/,
    ),
    next: expect.stringMatching(/^remove the rule halt, /),
  })
  await sim.clock.advance(600)
  expect((await told(id)).now).not.toContain('goes back')
  await sim.clock.advance(1)
  const late =
    /; its bridge can no longer be filled, since its deadline, 2026-\S+Z, has passed: if the deposit is mined before (2026-\S+Z), (5\.\d+ USDC) goes back on arbitrum, and if later, it reverts and moves no funds; the activity fails either way$/
  const [, expiry = '', back] = late.exec((await told(id)).now) ?? []
  expect(await told(id)).toMatchObject({ next: expect.stringMatching(/^remove the rule halt, /) })
  // Later than its operation can run, nothing is deposited at all.
  const saved = await sim.snapshot()
  await goTo(expiry)
  const reverts = `; it expired at ${expiry}, so it reverts when it is mined and moves no funds, and the activity fails`
  expect((await told(id)).now.endsWith(reverts)).toBe(true)
  await sim.faults.remove('halt')
  await sim.clock.advance(0)
  const kept = 'because halt (chain.halt) kept arbitrum from mining it before it expired'
  expect((await told(id)).now).toMatch(
    `failed: operation 1 of 2 (BRIDGE on arbitrum) reverted, ${kept} (SignatureExpired()); `,
  )
  const { timeline: steps } = (await control(`why/${id}`)) as { timeline: { title: string }[] }
  expect(steps.some(({ title }) => title.endsWith(`(SignatureExpired()), ${kept}`))).toBe(true)
  await sim.restore(saved)
  await goTo(expiry, 1)
  expect((await told(id)).now).toMatch(late)
  await sim.faults.remove('halt')
  await sim.clock.advance(0)
  const held = 'because halt (chain.halt) kept arbitrum from mining the deposit before its deadline'
  const { status, now, until } = await told(id)
  expect([status, now]).toEqual(['in flight', expect.stringContaining(held)])
  expect(now).toContain(`it waits for ${back} to go back on arbitrum at `)
  await goTo(until)
  expect(await told(id)).toMatchObject({ outcome: 'failed', now: expect.stringContaining(held) })
})
