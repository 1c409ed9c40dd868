import type { Address } from 'viem'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import type { NetworkName } from '../../src/deployments/networks.js'
import { otherKinds } from './plans.js'
import type { User } from './user.js'

const book = loadAddressBook()
const ether = 10n ** 18n
const usd = 10n ** 6n

/** One request for a plan on base, and the wallet that it needs. */
export interface KindRow {
  name: string
  /** Last segment of the plan's path. */
  path: string
  body: object
  /** Funds, by network and asset. */
  funds: Partial<Record<NetworkName, Record<string, bigint>>>
  /** Plans that are executed before, in order. */
  before?: readonly (readonly [path: string, body: object])[]
  /** Bridges before it acts. */
  isBridged?: true
}

const network = 'base'
const networkBook = book.on(network)
const vault = networkBook.morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')!.address
const market = networkBook.morpho.markets.find(({ label }) => label.startsWith('WETH/USDC'))!.id
const recipient: Address = '0x00000000000000000000000000000000000f41e7'

const amount = (units: bigint) => (units * usd).toString()
const asset = { asset: 'USDC', network }
const comet = { ...asset, protocol: 'compound' }
const loan = { amount: amount(100n), collateral_asset: 'WETH', collateral_amount: `${ether}` }
const long = { exposure_asset: 'WETH', backing_asset: 'USDC', market_id: market, network }
const loop = { ...long, pool_fee: 500, exposure_amount: `${ether}` }
const bounds = {
  is_increase: true,
  max_swap_backing_amount: amount(3_600n),
  max_provided_backing_amount: amount(1_900n),
}
const openLoop = ['loop-long', { ...loop, ...bounds }] as const
const inRewards = { ...comet, amount: amount(1_000_000n) }
const buy = { sell_asset: 'USDC', sell_amount: amount(300n), buy_asset: 'WETH', network }

const requests = {
  transfer: ['transfer', { ...asset, amount: amount(300n), recipient }],
  earn: ['earn', { ...comet, amount: amount(300n) }],
  swap: ['swap', buy],
  'swap exact out': [
    'swap',
    { sell_asset: 'USDC', buy_asset: 'WETH', buy_amount: `${ether / 10n}`, network },
  ],
  'swap-and-supply': ['swap-and-supply', { ...buy, protocol: 'aave' }],
  borrow: ['borrow', { ...comet, ...loan }],
  repay: ['repay', { ...comet, ...loan, collateral_amount: '0' }],
  'loop-long': openLoop,
  'add-backing': ['add-backing', { ...long, amount: amount(100n), is_short: false }],
} as const satisfies Record<string, readonly [string, object]>

const rich = { base: { USDC: 20_000n * usd, WETH: 5n * ether } }
/** A little where the plan acts, the rest where it has to come from. */
const elsewhere = {
  base: { USDC: 10n * usd },
  arbitrum: { USDC: 20_000n * usd, WETH: 5n * ether },
}
const needed = { repay: ['borrow', requests.borrow[1]], 'add-backing': openLoop } as const
const givenBefore = (name: string) => needed[name as keyof typeof needed]

/** Positions are opened with funds of their own network; what is left of those is small. */
const forPosition = { repay: { WETH: ether }, 'add-backing': { USDC: 1_900n * usd } } as const

const direct = Object.entries(requests).map(([name, [path, body]]): KindRow => {
  const before = givenBefore(name)
  return { name, path, body, funds: rich, ...(before ? { before: [before] } : {}) }
})

const bridged = Object.entries(requests).map(([name, [path, body]]): KindRow => {
  const before = givenBefore(name)
  const own = forPosition[name as keyof typeof forPosition] ?? {}
  const funds = { ...elsewhere, base: { ...elsewhere.base, ...own } }
  // The loan of `repay` is spent before, so that it has to be paid back with funds from elsewhere.
  const spend = ['transfer', { ...asset, amount: amount(100n), recipient }] as const
  const steps = name === 'repay' ? [before!, spend] : before ? [before] : []
  const start = steps.length > 0 ? { before: steps } : {}
  return { name: `${name}, bridged`, path, body, funds, ...start, isBridged: true }
})

const fromPositions: KindRow[] = [
  {
    name: 'withdraw',
    path: 'withdraw',
    body: { ...comet, amount: amount(200n) },
    before: [requests.earn],
    funds: rich,
  },
  {
    name: 'migrate',
    path: 'migrate',
    body: {
      ...asset,
      amount: amount(200n),
      from_protocol: 'compound',
      to_protocol: 'morpho_vault',
      to_market: vault,
      migrate_only_supply_balances: true,
    },
    before: [requests.earn],
    funds: rich,
  },
  {
    name: 'unloop-long',
    path: 'unloop-long',
    body: {
      ...loop,
      exposure_amount: 'max',
      backing_amount_to_exit: '0',
      min_swap_backing_amount: amount(2_500n),
    },
    before: [openLoop],
    funds: rich,
  },
  {
    name: 'withdraw-backing',
    path: 'withdraw-backing',
    body: { ...long, amount: amount(50n), is_short: false },
    before: [openLoop, requests['add-backing']],
    funds: rich,
  },
  {
    name: 'reinvest_rewards',
    path: 'reinvest_rewards',
    body: { ...comet, reward_assets: [networkBook.comets[0]!.rewardSymbol] },
    before: [['earn', inRewards]],
    funds: { base: { USDC: 1_000_000n * usd } },
  },
  {
    name: 'claim-rewards',
    path: 'claim-rewards',
    body: { asset: networkBook.comets[0]!.rewardSymbol },
    before: [['earn', inRewards]],
    funds: { base: { USDC: 1_000_000n * usd } },
  },
]

const rows: readonly KindRow[] = [...direct, ...bridged, ...fromPositions]

/** Every kind of plan, with its own network's funds and, where it spends, with funds that are bridged. */
export const kindRows: readonly KindRow[] = [
  ...rows,
  ...otherKinds(rows.map(({ path }) => path)).map(([path, body]) => ({
    name: path,
    path,
    body,
    before: [requests.earn, openLoop],
    funds: rich,
  })),
]

/** Gives the wallet of a row what it needs. */
export async function prepare(user: User, { funds, before = [] }: KindRow): Promise<void> {
  for (const [on, assets] of Object.entries(funds))
    for (const [symbol, value] of Object.entries(assets))
      await user.fund(on as NetworkName, symbol, value)
  for (const [path, body] of before) {
    const { activity } = await user.run(path, body)
    if (activity.activity_status !== 'confirmed')
      throw new Error(`${path} is ${activity.activity_status}: ${JSON.stringify(activity)}`)
  }
}
