import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { ask, rpc } from '../kit/http.js'
import { openUser, type PlanBody, type User } from '../kit/user.js'

// Back to an exchange of the journal, something changed, and on from there: in a world of its own. Needs `npm run build` before.

// Each world is a simulator that has to start.
vi.setConfig({ testTimeout: 180_000 })

let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', bridgeDelayMs: 2_000 })
})
afterAll(() => sim.close())
beforeEach(() => sim.reset())

interface Fork {
  world: { id: string; apiKey: string; controlUrl: string }
  twins: Record<string, string>
  steps: {
    step: string
    cursor: number | null
    original: { status: number; error: string | null } | null
    twin: { status: number; error: string | null } | null
    problem: string | null
  }[]
  left_out: string[]
}

async function fork(before: number, change: unknown[] = []): Promise<Fork> {
  const { status, body } = await ask(`${sim.controlUrl}/journal/fork`, { body: { before, change } })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

/** The cursor of the last exchange of this path. */
async function cursorOf(path: string): Promise<number> {
  const { body } = await ask(`${sim.controlUrl}/journal?limit=1000`)
  return body.exchanges.findLast(({ url }: { url: string }) => url.endsWith(path)).cursor
}

const earn = { asset: 'USDC', amount: '3000000', network: 'base', protocol: 'compound' }

/** Funds, a bridged plan, its execution, and the time in which the bridge delivers. */
async function bridged(): Promise<{ user: User; plan: PlanBody; activityId: string }> {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 1_000_000n)
  await user.fund('optimism', 'USDC', 9_000_000n)
  const plan = (await user.plan('earn', earn)).body as PlanBody
  const { activity_id } = (await user.execute(plan)).body as { activity_id: string }
  await sim.clock.advance(10)
  expect((await user.follow(activity_id)).activity_status).toBe('confirmed')
  return { user, plan, activityId: activity_id }
}

const short = ({ step, original, twin }: Fork['steps'][number]) => [
  step,
  original?.error ?? original?.status,
  twin?.error ?? twin?.status,
]

test('default: before the execution the plan goes stale; here nothing has changed', async () => {
  const { user, plan, activityId } = await bridged()
  const stale = { fault: { id: 'moved', on: 'plan', effect: { stale: { by: 'balance' } } } }
  const folio = (await user.api.get(`${user.path}/folio`)).body
  const { world, steps, twins } = await fork(await cursorOf('/plan/earn'), [stale])
  expect(steps.slice(0, 3).map(short)).toEqual([
    ['fault', undefined, 201],
    ['plan', 201, 201],
    ['execute', 200, 'plan_stale'],
  ])
  // What comes behind it was asked for, too, and says why it did not come to the same.
  expect(steps.find(({ step }) => step === 'wait')?.problem).toMatch(/no execution/)
  expect(twins[user.id]).toMatch(/^acc_/)
  expect(twins[activityId]).toBeUndefined()
  const why = await ask(`${world.controlUrl}/why/${twins[plan.plan_id]}`)
  expect(JSON.stringify(why.body)).toContain('plan_stale')
  expect((await user.api.get(`${user.path}/folio`)).body).toEqual(folio)
  expect((await ask(`${sim.controlUrl}/faults`)).body.faults).toEqual([])
  expect((await ask(`${sim.controlUrl}/why/${plan.plan_id}`)).body.activity.status).toBe(
    'confirmed',
  )
})

test('behavior: without a change it comes to the same, with the money where it is here', async () => {
  const { user, activityId } = await bridged()
  const { world, steps, twins } = await fork(await cursorOf('/plan/earn'))
  for (const { original, twin, problem } of steps) {
    expect(problem).toBeNull()
    if (original) expect(twin).toEqual(original)
  }
  const why = await ask(`${world.controlUrl}/why/${twins[activityId]}`)
  expect(why.body.activity.status).toBe('confirmed')
  const balances = async (id: string, wallet: string, base = sim.controlUrl) => {
    const { body } = await ask(`${base}/accounts/${id}`)
    return JSON.stringify(body.folio.balances).replaceAll(wallet.toLowerCase(), 'its wallet')
  }
  const twinWallet = twins[user.wallet]!
  expect(await balances(twins[user.id]!, twinWallet, world.controlUrl)).toBe(
    await balances(user.id, user.wallet),
  )
})

test('behavior: time and prices; ids of the journal stand for those of the new world', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  await user.run('earn', { ...earn, amount: '2000000' })
  const before = await cursorOf('/plan/execute')
  const late = await fork(before, [{ advance: 121 }])
  expect(late.steps.slice(0, 2).map(short)).toEqual([
    ['advance', undefined, 200],
    ['execute', 200, 'plan_not_found'],
  ])
  const priced = await fork(before, [
    { price: { ETH: '1000' } },
    {
      fault: {
        on: 'request',
        effect: { respond: { error: 'timeout' } },
        match: { account_id: user.id },
      },
    },
  ])
  expect(priced.steps.slice(0, 3).map(short)).toEqual([
    ['price', undefined, 200],
    ['fault', undefined, 201],
    ['execute', 200, 'timeout'],
  ])
  expect((await ask(`${priced.world.controlUrl}/prices`)).body).toMatchObject({
    prices: { ETH: '1000' },
  })
})

test('behavior: two at once, and again after a life of its own; a world that was given back is gone', async () => {
  const { user } = await bridged()
  const before = await cursorOf('/plan/execute')
  const [one, other] = await Promise.all([fork(before), fork(before, [{ advance: 121 }])])
  expect(one.world.id).not.toBe(other.world.id)
  expect(one.steps[0]!.twin).toEqual({ status: 200, error: null })
  expect(other.steps[1]!.twin?.error).toBe('plan_not_found')
  await user.fund('base', 'USDC', 1_000_000n)
  await user.run('earn', { ...earn, amount: '1000000' })
  // The journal has grown; forking is no part of the story.
  const again = await fork(await cursorOf('/plan/earn'))
  expect(again.steps.map(({ step }) => step)).toContain('execute')
  await fetch(`${sim.controlUrl}/worlds/${one.world.id}`, { method: 'DELETE' })
  expect((await ask(`${one.world.controlUrl}/time`)).status).toBe(404)
})

test('error: no such exchange, after a reset too; a change that is none, or cannot be made', async () => {
  const user = await openUser(sim)
  await user.plan('earn', earn)
  const before = await cursorOf('/plan/earn')
  const refused = async (body: unknown) => {
    const answer = await ask(`${sim.controlUrl}/journal/fork`, { body })
    return [answer.status, answer.body.message]
  }
  expect(await refused({ before: before + 99 })).toEqual([
    404,
    expect.stringMatching(/no exchange/),
  ])
  expect(await refused({ before: 'x' })).toEqual([
    400,
    'before must be the cursor of an exchange of the journal, received "x"',
  ])
  expect(await refused({ before, change: [{ advance: 'x' }] })).toEqual([
    400,
    expect.stringMatching(/^change\.0\.advance: /),
  ])
  expect(await refused({ before, change: [{ advance: 1 }, { price: { NONE: '1' } }] })).toEqual([
    400,
    expect.stringMatching(/^change\.1 \(price\): .*NONE/),
  ])
  const { world } = await fork(before)
  expect((await ask(`${world.controlUrl}/journal/fork`, { body: { before } })).body.message).toBe(
    'A leased world cannot lease worlds',
  )
  await ask(`${sim.controlUrl}/clock`)
  const read = await cursorOf('/clock')
  expect(await refused({ before: read })).toEqual([
    409,
    `Cannot fork before request ${read} (GET /_sim/clock), which is no step: a read of the control API changes nothing`,
  ])
  await sim.reset()
  expect(await refused({ before })).toEqual([
    409,
    expect.stringMatching(
      /^There is nothing to fork: request \d+ \(POST \S+\/plan\/earn\) came before the reset at [\d:]{8}, which undid everything before it$/,
    ),
  ])
})

test('error: what a scenario cannot hold cannot be done again, and no world stays behind', async () => {
  const user = await openUser(sim)
  const friend: Address = `0x${'2'.repeat(40)}`
  await ask(`${sim.controlUrl}/fund`, {
    body: { address: friend, asset: 'USDC', amount: '5000', network: 'base' },
  })
  const data = encodeFunctionData({
    ...{ abi: erc20Abi, functionName: 'transfer', args: [user.wallet, 5000n] },
  })
  const to = loadAddressBook().token('base', 'USDC')!.address
  await rpc(sim.rpc('base'), 'anvil_setBalance', [friend, '0xde0b6b3a7640000'])
  await rpc(sim.rpc('base'), 'anvil_impersonateAccount', [friend])
  // The calldata has the address of the wallet, which is another one in the other world.
  await rpc(sim.rpc('base'), 'eth_sendTransaction', [{ from: friend, to, data }])
  const pay = { amount: '1000', asset: 'USDC', network: 'base', recipient: `0x${'1'.repeat(40)}` }
  expect((await user.plan('transfer', pay)).status).toBe(201)
  await user.api.get('/assets')
  const { leased } = (await ask(`${sim.controlUrl}/worlds`)).body
  const { status, body } = await ask(`${sim.controlUrl}/journal/fork`, {
    body: { before: await cursorOf('/assets') },
  })
  expect(status).toBe(409)
  expect(body.message).toMatch(
    /^The journal cannot be asked again as it was: plan: POST \/accounts\/acc_[0-9a-z]{12}\/plan\/transfer: expected status 201, got 400 .*plan_failed/,
  )
  expect((await ask(`${sim.controlUrl}/worlds`)).body.leased).toBe(leased)
})
