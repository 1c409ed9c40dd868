import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readsOf } from '../../../../test/kit/chainReads.js'
import { createSimulator, type SimulatorHandle } from '../../../../test/kit/simulator.js'
import { type ActivityBody, openUser, type PlanBody } from '../../../../test/kit/user.js'
import { type NetworkName, networkNames } from '../../../deployments/networks.js'
import { bridgeHint, bridgeInput, bridgeOutput } from '../../bridge/hints.js'

/** Swaps of an exact buy amount whose funds must first be bridged or wrapped, while the price moves. */

const ether = 10n ** 18n
/** What a swap may cost beyond its quote: 1 %, rounded up. */
const room = (quoted: bigint): bigint => (quoted * 101n + 99n) / 100n
let sim: SimulatorHandle
let start: string

beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', seed: 4n })
  start = await sim.snapshot()
})
afterEach(() => sim.restore(start))
afterAll(() => sim.close())

type User = Awaited<ReturnType<typeof openUser>>

const balance = (network: NetworkName, symbol: string, { wallet }: User) =>
  readsOf(sim).balance(network, symbol, wallet)

/** Moves the price of ether everywhere. */
async function etherAt(user: User, usd: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ usd })
  expect(await user.api.send('PUT', '/_sim/prices/ETH', body, { headers })).toMatchObject({
    status: 200,
  })
}

async function planned(user: User, body: object): Promise<PlanBody> {
  const reply = await user.plan('swap', body)
  expect(reply).toMatchObject({ status: 201 })
  return reply.body as PlanBody
}

const contextsOf = ({ details }: PlanBody) =>
  details.svc_operation_actions.map(({ action }) => action.action_context)
const quotedBy = (plan: PlanBody): bigint => BigInt(contextsOf(plan).at(-1)!.input_amount as string)

/** Executes; in the middle, when the bridges are under way, the price moves. */
async function whileMoving(user: User, plan: PlanBody, usd: string): Promise<ActivityBody> {
  const { status, body } = await user.execute(plan)
  expect(status).toBe(200)
  await etherAt(user, usd)
  await sim.clock.advance(2)
  return (await user.api.get(`/activities/${body.activity_id}`)).body as ActivityBody
}

const buyEther = (network: NetworkName) => ({
  sell_asset: 'USDC',
  buy_asset: 'WETH',
  network,
  buy_amount: ether.toString(),
})

const far = (network: NetworkName): NetworkName => (network === 'arbitrum' ? 'base' : 'arbitrum')

test.each(networkNames)(
  'default: bridged to %s with room for slippage: a price 0.5 % up is paid, the rest stays for the next swap',
  async (network) => {
    const user = await openUser(sim)
    await user.fund(far(network), 'USDC', 10_000_000_000n)
    const plan = await planned(user, buyEther(network))
    const quoted = quotedBy(plan)
    const brought = BigInt(contextsOf(plan)[0]!.output_amount as string)
    // To the unit: the smallest input that delivers it.
    const hint = bridgeHint(far(network), network, 'USDC')!
    expect(brought).toBe(bridgeOutput(hint, bridgeInput(hint, room(quoted))))
    const activity = await whileMoving(user, plan, '3015')
    expect(activity.activity_status).toBe('confirmed')
    expect(await balance(network, 'WETH', user)).toBe((ether * 9_985n) / 10_000n)
    const left = await balance(network, 'USDC', user)
    // 0.5 % more than quoted, and a millionth for the impact of the larger sum.
    expect(brought - left).toBeGreaterThanOrEqual((quoted * 1_005n) / 1_000n - 2n)
    expect(brought - left).toBeLessThanOrEqual((quoted * 1_005_001n) / 1_000_000n)
    const next = { ...buyEther(network), buy_amount: (ether / 1_000n).toString() }
    const again = await user.run('swap', next)
    expect(again.activity.activity_status).toBe('confirmed')
    expect(contextsOf(again.plan)).toHaveLength(1)
    expect(await balance(network, 'USDC', user)).toBe(left - quotedBy(again.plan))
  },
)

test.each([
  ['WETH', 'ETH', 'WRAP'],
  ['ETH', 'WETH', 'UNWRAP'],
])('behavior: %s out of %s: as much is turned as the swap may cost', async (sold, had, type) => {
  const user = await openUser(sim)
  await user.fund('base', had, ether)
  const body = { sell_asset: sold, buy_asset: 'USDC', network: 'base', buy_amount: '1500000000' }
  const plan = await planned(user, body)
  const most = room(quotedBy(plan))
  expect(contextsOf(plan)[0]).toMatchObject({ action_type: type, amount: most.toString() })
  // Ether that is worth 0.9 % less: 0.9 % more of it is sold.
  await etherAt(user, '2973')
  const { body: executed } = await user.execute(plan)
  const activity = await user.follow(executed.activity_id)
  expect(activity.activity_status).toBe('confirmed')
  expect(await balance('base', 'USDC', user)).toBe((1_500_000_000n * 9_985n) / 10_000n)
  expect(await balance('base', had, user)).toBe(ether - most)
  const left = await balance('base', sold, user)
  expect(left).toBeGreaterThan(0n)
  expect(left).toBeLessThan((most - quotedBy(plan)) / 5n)
})

test('behavior: native ether that was bridged is sent along with its room, and the rest comes back', async () => {
  const user = await openUser(sim)
  await user.fund('optimism', 'ETH', 2n * ether)
  const body = { sell_asset: 'ETH', buy_asset: 'USDC', network: 'base', buy_amount: '3000000000' }
  const plan = await planned(user, body)
  const brought = BigInt(
    contextsOf(plan).find(({ action_type }) => action_type === 'BRIDGE')!.output_amount as string,
  )
  expect(brought).toBeGreaterThanOrEqual(room(quotedBy(plan)))
  const activity = await whileMoving(user, plan, '2980')
  expect(activity.activity_status).toBe('confirmed')
  const left = (await balance('base', 'ETH', user)) + (await balance('base', 'WETH', user))
  expect(left).toBeGreaterThan(0n)
  expect(left).toBeLessThan(brought - quotedBy(plan))
})

test.each([
  ['3003', 'confirmed'],
  ['3009', 'failed'],
])(
  'behavior: a wallet with little more than the quote brings all of it: with ether at %s it is %s',
  async (usd, end) => {
    const user = await openUser(sim)
    await user.fund('arbitrum', 'USDC', 10_000_000_000n)
    const quoted = quotedBy(await planned(user, buyEther('base')))
    const poor = await openUser(sim)
    const hint = bridgeHint('arbitrum', 'base', 'USDC')!
    const has = bridgeInput(hint, (quoted * 1_002n) / 1_000n)
    await poor.fund('arbitrum', 'USDC', has)
    const plan = await planned(poor, buyEther('base'))
    expect(contextsOf(plan)[0]).toMatchObject({
      action_type: 'BRIDGE',
      input_amount: has.toString(),
    })
    const activity = await whileMoving(poor, plan, usd)
    expect(activity.activity_status).toBe(end)
    const left = await balance('base', 'USDC', poor)
    if (end === 'failed') {
      // What was bridged is there, and buys less of what it was meant for.
      expect(left).toBe(bridgeOutput(hint, has))
      const less = { ...buyEther('base'), buy_amount: ((ether * 99n) / 100n).toString() }
      expect((await poor.run('swap', less)).activity.activity_status).toBe('confirmed')
    } else expect(left).toBeLessThan((quoted * 2n) / 1_000n)
    expect(await balance('arbitrum', 'USDC', poor)).toBe(0n)
  },
)

test('error: beyond the tolerance of 1 % the swap fails after the bridge, and what was bridged stays', async () => {
  const user = await openUser(sim)
  await user.fund('arbitrum', 'USDC', 10_000_000_000n)
  const plan = await planned(user, buyEther('base'))
  const brought = BigInt(contextsOf(plan)[0]!.output_amount as string)
  const activity = await whileMoving(user, plan, '3033')
  expect(activity.activity_status).toBe('failed')
  expect(activity.activity_metadata.at(-1)!.revert_reason).toContain('ExcessiveInput')
  expect(await balance('base', 'USDC', user)).toBe(brought)
  const again = await planned(user, buyEther('base'))
  const { body } = await user.execute(again)
  await sim.clock.advance(2)
  expect((await user.follow(body.activity_id)).activity_status).toBe('confirmed')
})

test('behavior: own funds that cover the quote are enough; nothing is bridged for the room alone', async () => {
  const rich = await openUser(sim)
  await rich.fund('base', 'USDC', 10_000_000_000n)
  const quoted = quotedBy(await planned(rich, buyEther('base')))
  const user = await openUser(sim)
  await user.fund('base', 'USDC', quoted + 1n)
  await user.fund('arbitrum', 'USDC', 10_000_000_000n)
  const plan = await planned(user, buyEther('base'))
  expect(contextsOf(plan).map(({ action_type }) => action_type)).toEqual(['SWAP'])
  // More that comes in meanwhile is no reason to plan again.
  await user.fund('base', 'USDC', 1_000_000n)
  const { status, body } = await user.execute(plan)
  expect(status).toBe(200)
  expect((await user.follow(body.activity_id)).activity_status).toBe('confirmed')
  expect(await balance('base', 'USDC', user)).toBe(1_000_001n)
  expect(await balance('arbitrum', 'USDC', user)).toBe(10_000_000_000n)
})

test('error: too little for the quote is refused with what the quote asks', async () => {
  const user = await openUser(sim)
  await user.fund('arbitrum', 'USDC', 2_000_000_000n)
  const { status, body } = await user.plan('swap', buyEther('base'))
  expect(status).toBe(400)
  expect(body).toMatchObject({ error: 'plan_failed' })
  expect(body.message).toMatch(/insufficient resources of USDC on base: target 300\d{7}, max 1999/)
})
