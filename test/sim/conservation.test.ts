import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networkOf } from '../../src/deployments/networks.js'
import { createClient } from '../kit/client.js'
import { type Holding, ledgerOf, marketsOf, netOf, tracked } from '../kit/ledger.js'
import { otherKinds } from '../kit/plans.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

/**
 * Random lives of two accounts, with every kind of plan. After each step, by the contracts' own books: what an account has
 * changed by exactly what came in and went out; fees are what they should be; nothing ran twice; a refusal changed nothing;
 * the folio says what the chains say. An ordinary run has the same life each time; `CONSERVATION_RUNS` sets how many others are
 * tried (see CONTRIBUTING.md).
 */
const { CONSERVATION_RUNS } = process.env
const networks = ['base', 'arbitrum'] as const
type Network = (typeof networks)[number]
const friend = '0x00000000000000000000000000000000000f41e7'
const ether = 10n ** 18n

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator({ seed: 11n, clock: 'frozen', bridgeDelayMs: 0 })
})
afterAll(() => sim.close())

type User = Awaited<ReturnType<typeof openUser>>

/** One step of a life; `size` is a share of a thousand, 1000 is everything where that is allowed. */
interface Step {
  act: string
  user: 0 | 1
  network: Network
  size: number
  /** Executes the plan: not at all, once, or twice. */
  times: 0 | 1 | 2
}

type Act = (network: Network, size: number) => [string, object]

/** The request of each act: its kind of plan and its body. */
const ownActs: Record<string, Act> = {
  'earn compound': (network, size) => [
    'earn',
    { ...usd(network, size, 1_000_000n), protocol: 'compound' },
  ],
  'earn aave': (network, size) => [
    'earn',
    { ...eth(network, size, ether / 1000n), protocol: 'aave' },
  ],
  'earn vault': (network, size) => [
    'earn',
    {
      ...usd(network, size, 1_000_000n),
      protocol: 'morpho',
      market: marketsOf(network).vault.address,
    },
  ],
  'withdraw compound': (network, size) => [
    'withdraw',
    { ...usd(network, size), protocol: 'compound' },
  ],
  'withdraw aave': (network, size) => ['withdraw', { ...eth(network, size), protocol: 'aave' }],
  'withdraw vault': (network, size) => [
    'withdraw',
    { ...usd(network, size), protocol: 'morpho_vault', market: marketsOf(network).vault.address },
  ],
  transfer: (network, size) => ['transfer', { ...usd(network, size), recipient: friend }],
  'swap in': (network, size) => [
    'swap',
    { sell_asset: 'USDC', buy_asset: 'WETH', sell_amount: exact(size, 1_000_000n), network },
  ],
  'swap out': (network, size) => [
    'swap',
    { sell_asset: 'WETH', buy_asset: 'USDC', buy_amount: exact(size, 1_000_000n), network },
  ],
  'swap-and-supply': (network, size) => [
    'swap-and-supply',
    {
      sell_asset: 'WETH',
      sell_amount: exact(size, ether / 1000n),
      buy_asset: 'USDC',
      network,
      protocol: 'aave',
    },
  ],
  'borrow compound': (network, size) => ['borrow', loan(network, size, { protocol: 'compound' })],
  'borrow morpho': (network, size) => ['borrow', loan(network, size, onMorpho(network))],
  'repay compound': (network, size) => [
    'repay',
    repayment(network, size, { protocol: 'compound' }),
  ],
  'repay morpho': (network, size) => ['repay', repayment(network, size, onMorpho(network))],
  migrate: (network, size) => [
    'migrate',
    {
      ...usd(network, size),
      from_protocol: 'compound',
      to_protocol: 'aave',
      migrate_only_supply_balances: size % 2 === 0,
    },
  ],
  'claim-rewards': () => ['claim-rewards', { asset: 'COMP' }],
  reinvest_rewards: (network) => [
    'reinvest_rewards',
    { asset: 'USDC', protocol: 'compound', network, reward_assets: ['COMP'] },
  ],
  'loop-long': (network, size) => [
    'loop-long',
    {
      ...long(network),
      pool_fee: 500,
      is_increase: true,
      exposure_amount: exact(size, ether / 1000n),
      max_swap_backing_amount: exact(size, 3_600_000n),
      max_provided_backing_amount: exact(size, 1_500_000n),
    },
  ],
  'unloop-long': (network, size) => [
    'unloop-long',
    {
      ...long(network),
      pool_fee: 500,
      exposure_amount: size === 1000 ? 'max' : exact(size, ether / 1000n),
      backing_amount_to_exit: '0',
      min_swap_backing_amount: '1',
    },
  ],
  'add-backing': (network, size) => [
    'add-backing',
    { ...long(network), amount: exact(size, 100_000n), is_short: false },
  ],
  'withdraw-backing': (network, size) => [
    'withdraw-backing',
    { ...long(network), amount: exact(size, 100_000n), is_short: false },
  ],
}

/** Kinds without an act of their own. */
const otherActs = otherKinds(Object.values(ownActs).map((request) => request('base', 1)[0])).map(
  ([path]): [string, Act] => [
    path,
    (network) => otherKinds([], network).find(([each]) => each === path)!,
  ],
)
const acts = { ...ownActs, ...Object.fromEntries(otherActs) }

function exact(size: number, unit: bigint): string {
  return (BigInt(size) * unit).toString()
}
/** Less than a deposit of the same size by default, which a rounding may have made smaller. */
function usd(network: Network, size: number, unit = 900_000n) {
  return { asset: 'USDC', amount: size === 1000 ? 'max' : exact(size, unit), network }
}
function eth(network: Network, size: number, unit = ether / 1100n) {
  return { asset: 'WETH', amount: size === 1000 ? 'max' : exact(size, unit), network }
}
function onMorpho(network: Network) {
  return { protocol: 'morpho', market: marketsOf(network).market.id }
}
function loan(network: Network, size: number, at: object) {
  const collateral = { collateral_asset: 'WETH', collateral_amount: exact(size, ether / 1000n) }
  return { asset: 'USDC', amount: exact(size, 1_500_000n), ...collateral, network, ...at }
}
function repayment(network: Network, size: number, at: object) {
  const all = size === 1000
  const collateral_amount = all ? 'max' : exact(size, ether / 10_000n)
  const amount = all ? 'max' : exact(size, 1_000_000n)
  return { asset: 'USDC', amount, collateral_asset: 'WETH', collateral_amount, network, ...at }
}
function long(network: Network) {
  const market_id = marketsOf(network).market.id
  return { exposure_asset: 'WETH', backing_asset: 'USDC', market_id, network }
}

const worldly = ['advance', 'price', 'fund'] as const
const step = fc.record<Step>({
  act: fc.constantFrom(...Object.keys(acts), ...worldly),
  user: fc.constantFrom(0, 1),
  network: fc.constantFrom(...networks),
  size: fc.oneof(fc.constant(1000), fc.integer({ min: 1, max: 999 })),
  times: fc.constantFrom(0, 1, 1, 1, 2),
})

/** Deposits round down, debts up, each at most by two units per operation of a protocol; vaults once per market besides. */
const tolerance = 8n

interface Life {
  users: User[]
  ledger: ReturnType<typeof ledgerOf>
  nonces: Set<string>
  cursors: number[]
}

async function begin(): Promise<Life> {
  await sim.reset()
  const users = [await openUser(sim), await openUser(sim)]
  for (const user of users)
    for (const network of networks) {
      await user.fund(network, 'USDC', 3_000_000_000n)
      await user.fund(network, 'WETH', 2n * ether)
    }
  return { users, ledger: ledgerOf(sim), nonces: new Set(), cursors: [0, 0] }
}

async function books({ users, ledger }: Life): Promise<Record<Network, Holding>[]> {
  return Promise.all(
    users.map(async ({ wallet }) => {
      const entries = networks.map(async (network) => [
        network,
        await ledger.holding(network, wallet),
      ])
      return Object.fromEntries(await Promise.all(entries))
    }),
  )
}

/** Plans and executes as the step says; what came of it. */
async function act(life: Life, { act: name, user: index, network, size, times }: Step) {
  const user = life.users[index]!
  const [kind, body] = acts[name]!(network, size)
  const planned = await user.plan(kind, body)
  if (planned.status !== 201) {
    expect([400, 422]).toContain(planned.status)
    return { operations: 0, status: 'refused' }
  }
  if (times === 0) return { operations: 0, status: 'left' }
  const plan = planned.body as PlanBody
  const executed = await user.execute(plan)
  expect(executed.body).toMatchObject({ status: 'executing' })
  if (times === 2) expect((await user.execute(plan)).status).toBe(404)
  await sim.clock.advance(0)
  const { body: activity } = await user.api.get(`/activities/${executed.body.activity_id}`)
  expect([name, activity.activity_status]).toEqual([name, 'confirmed'])
  return { operations: plan.details.svc_operation_actions.length, status: 'confirmed' }
}

async function pass({ ledger }: Life, seconds: number): Promise<void> {
  await sim.clock.advance(seconds)
  await Promise.all(networks.map((network) => ledger.accrue(network)))
}

async function worldStep(life: Life, { act: name, user, network, size }: Step): Promise<void> {
  if (name === 'advance') await pass(life, size * 3600)
  if (name === 'fund') await life.users[user]!.fund(network, 'USDC', BigInt(size) * 1_000_000n)
  if (name !== 'price') return
  const client = createClient({ url: sim.url, apiKey: sim.apiKey })
  const usd = String(2900 + (size % 200))
  expect((await client.put('/_sim/prices/ETH', { usd })).status).toBe(200)
}

/** One step, and everything that must hold after it. */
async function live(life: Life, each: Step): Promise<string> {
  const { ledger, users } = life
  const before = await books(life)
  const blocks = await Promise.all(networks.map((network) => ledger.block(network)))
  const isWorldly = (worldly as readonly string[]).includes(each.act)
  if (isWorldly) {
    await worldStep(life, each)
    return 'moved'
  }
  const { operations, status } = await act(life, each)
  const after = await books(life)
  const told = await Promise.all(
    networks.map((network, i) => ledger.since(network, blocks[i]!, users[each.user]!.wallet)),
  )
  if (status !== 'confirmed') expect(after).toEqual(before)
  for (const [i, network] of networks.entries()) {
    const { flow, swaps, fees, nonces } = told[i]!
    for (const asset of tracked) {
      const gained =
        netOf(after[each.user]![network], asset) - netOf(before[each.user]![network], asset)
      near(gained, flow[asset], `${each.act}: ${asset} on ${network}`)
      const ofSwaps = swaps
        .filter(({ buyToken }) => buyToken === marketsOf(network).token(asset))
        .reduce((sum, { buyAmount }) => sum + (buyAmount * 15n) / 10_000n, 0n)
      if (!each.act.includes('loop'))
        expect([each.act, asset, fees[asset]]).toEqual([each.act, asset, ofSwaps])
      const other = 1 - each.user
      near(
        netOf(after[other]![network], asset) - netOf(before[other]![network], asset),
        0n,
        `${each.act} of another: ${asset} on ${network}`,
      )
    }
    for (const nonce of nonces) {
      expect(life.nonces).not.toContain(`${network} ${nonce}`)
      life.nonces.add(`${network} ${nonce}`)
    }
  }
  expect(told.flatMap(({ nonces }) => nonces)).toHaveLength(operations)
  await folioAgrees(users[each.user]!, after[each.user]!)
  await cursorsGrow(life, each.user)
  return status
}

function near(actual: bigint, expected: bigint, what: string): void {
  const difference = actual - expected
  const isNear = difference <= tolerance && difference >= -tolerance
  if (!isNear) throw new Error(`${what}: changed by ${actual}, but ${expected} came in`)
}

async function folioAgrees(user: User, holdings: Record<Network, Holding>): Promise<void> {
  const { folio } = (await user.api.get(`${user.path}/folio`)).body as {
    folio: { balances: Record<string, string> }
  }
  for (const network of networks) {
    const { comet, vault, place: networkBook } = marketsOf(network)
    const net = networkOf(network).folioName
    const { wallet, ...held } = holdings[network]
    const at = (key: string, decimals: number): bigint =>
      unitsOf(folio.balances[`${key}/${user.wallet}`], decimals)
    const ofComet = `comet/${net}/${comet.address}/USDC`
    expect({
      USDC: at(`token/${net}/USDC`, 6),
      WETH: at(`token/${net}/WETH`, 18),
      supplied: at(`yield_market/${ofComet}`, 6),
      debt: at(`borrow_market/${ofComet}`, 6),
      collateral: at(`borrow_market_collateral/${ofComet}/WETH`, 18),
      aave: at(`yield_market/aave/${net}/${networkBook.aave.pool}/WETH`, 18),
      vault: at(`yield_market/morpho_vault/${net}/${vault.address}/USDC`, 6),
      morphoDebt: at(`borrow_market/morpho/${net}/WETH/USDC`, 6),
      morphoCollateral: at(`borrow_market_collateral/morpho/${net}/WETH/USDC/WETH`, 18),
    }).toEqual({
      ...wallet,
      ...held.comet,
      aave: held.aave.WETH,
      vault: held.vault,
      morphoDebt: held.morpho.debt,
      morphoCollateral: held.morpho.collateral,
    })
  }
}

/** `1.5e6` in smallest units; nothing is zero. */
function unitsOf(text: string | undefined, decimals: number): bigint {
  if (text === undefined) return 0n
  const [whole = '0', fraction = ''] = text.split('e')[0]!.split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

async function cursorsGrow(life: Life, index: number): Promise<void> {
  const user = life.users[index]!
  const { body } = await user.api.get(`${user.path}/events?since=${life.cursors[index]}`)
  expect(body.cursor).toBeGreaterThanOrEqual(life.cursors[index]!)
  life.cursors[index] = body.cursor
  const { body: all } = await user.api.get(`${user.path}/events`)
  const last = new Map<string, string>()
  for (const { data } of all.events) last.set(data.activity_id, data.activity_status)
  expect([...last.values()].every((status) => status === 'confirmed')).toBe(true)
}

test('behavior: whatever two accounts do, every unit is accounted for and nothing runs twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 25 }), async (steps) => {
      const life = await begin()
      for (const each of steps) await live(life, each)
    }),
    {
      ...(CONSERVATION_RUNS ? { numRuns: Number(CONSERVATION_RUNS) } : { numRuns: 1, seed: 11 }),
      endOnFailure: true,
      interruptAfterTimeLimit: 540_000,
    },
  )
}, 600_000)

/** An order in which every act finds what it needs, with its size. */
const wholeLife: [string, number][] = [
  ['earn compound', 500],
  ['earn aave', 200],
  ['earn vault', 200],
  ['migrate', 100],
  ...otherActs.map(([name]): [string, number] => [name, 1]),
  ['withdraw compound', 100],
  ['withdraw aave', 100],
  ['withdraw vault', 1000],
  ['transfer', 50],
  ['swap in', 100],
  ['swap out', 100],
  ['swap-and-supply', 100],
  ['borrow compound', 300],
  ['repay compound', 1000],
  ['borrow morpho', 200],
  ['add-backing', 100],
  ['repay morpho', 1000],
  ['loop-long', 200],
  ['withdraw-backing', 100],
  ['unloop-long', 1000],
  ['earn compound', 500],
  ['claim-rewards', 1],
  ['reinvest_rewards', 1],
]

test('behavior: every act in turn, in the order of a life', async () => {
  const life = await begin()
  const refused: string[] = []
  for (const [name, size] of wholeLife) {
    // Rewards accrue with time.
    if (/rewards/.test(name)) await pass(life, 30 * 86_400)
    for (const network of networks) {
      const status = await live(life, { act: name, user: 0, network, size, times: 1 })
      if (status !== 'confirmed') refused.push(`${name} on ${network}`)
    }
  }
  // A claim takes the rewards of all networks, so that the second finds none.
  expect(refused).toEqual(['claim-rewards on arbitrum'])
  expect(Object.keys(acts).filter((name) => !wholeLife.some(([act]) => act === name))).toEqual([])
})
