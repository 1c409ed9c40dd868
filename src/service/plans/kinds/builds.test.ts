import { type Abi, decodeFunctionData, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { NetworkState } from '../../../chain/state/networkState.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import { type NetworkName, networkNames } from '../../../deployments/networks.js'
import * as abis from '../../../generated/abis.js'
import { svcAddresses } from '../../../generated/svc.js'
import type { Quote, QuoteRequest } from '../../aggregator/quote.js'
import { planOperations } from '../assembly/planner.js'
import { MissingNetworkState } from '../assembly/resolve.js'
import { networksOf, type PlanInput, type PlanKind } from '../model/kind.js'
import { planKinds } from './index.js'

/**
 * Pins what each kind builds in a fixed world: operations with decoded calls, contexts, spends, and the messages of refusals.
 * `builds.snap` has one line per case. After an intended change, run vitest with `-u` and review the diff.
 */

const book = loadAddressBook()
const wallet = '0x2222222222222222222222222222222222222222'
const recipient = '0x00000000000000000000000000000000000f41e7'
const [usd, ether] = [10n ** 6n, 10n ** 18n]
const base = book.on('base')
const vault = base.morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')!.address
const market = base.morpho.markets.find(({ label }) => label.startsWith('WETH/USDC'))!.id

const otherMarket = base.morpho.markets.find(
  ({ collateralSymbol }) => collateralSymbol !== 'WETH',
)!.id

type Balances = Partial<Record<NetworkName, Record<string, bigint>>>

interface World {
  balances?: Balances
  /** Whether the wallet has positions in the markets of base. */
  isInvested?: boolean
  states?: Partial<NetworkState>
  rewards?: PlanInput['rewards']
  spent?: PlanInput['spent']
}

const rich: Balances = {
  base: { USDC: 20_000n * usd, WETH: 5n * ether, ETH: ether, USDT: 7n },
  arbitrum: { USDC: 5_000n * usd, WETH: 2n * ether },
  mainnet: { USDC: 500n * usd },
}

function stateOf(network: NetworkName, { balances = rich, isInvested = true, states }: World) {
  const { tokens, comets, morpho, aave } = book.on(network)
  const own = (amount: bigint): bigint => (isInvested && network === 'base' ? amount : 0n)
  const prices: Record<string, bigint> = { WETH: 3_000n, ETH: 3_000n, COMP: 50n, MORPHO: 2n }
  const totals = { totalSupply: 10n ** 24n, totalBorrow: 10n ** 23n }
  return {
    network,
    blockNumber: 1n,
    timestamp: 1_767_603_600n,
    nonceCount: 3,
    isDeployed: true,
    balances: new Map(Object.entries(balances[network] ?? {})),
    prices: new Map(tokens.map(({ symbol }) => [symbol, (prices[symbol] ?? 1n) * 10n ** 8n])),
    comets: comets.map((each) => ({
      ...{ market: each, ...totals, trackingIndexScale: 10n ** 15n },
      ...{ supplied: own(1_000n * usd), borrowed: own(300n * usd), rewardOwed: own(7n * ether) },
      collateral: each.collaterals.map(() => own(2n * ether)),
      collateralTotals: each.collaterals.map(() => 10n ** 20n),
    })),
    morphoMarkets: morpho.markets.map((each) => ({
      ...{ market: each, ...totals },
      ...{ borrowed: own(400n * usd), collateral: own(3n * ether) },
    })),
    aaveReserves: aave.reserves.map((reserve) => ({
      ...{ reserve, ...totals, cash: 10n ** 23n, accruedToTreasury: 0n },
      ...{ supplyCap: 0n, borrowCap: 0n, ltv: 8_000n, isActive: true },
      ...{ isFrozen: false, isPaused: false, isBorrowable: true },
      ...{ supplied: own(2_000n * usd), borrowed: 0n, isCollateral: false },
    })),
    vaults: morpho.vaults.map((each) => ({
      ...{ vault: each, totalAssets: 10n ** 12n, room: 10n ** 12n },
      ...{ supplied: own(3_000n * usd), withdrawable: own(2_500n * usd) },
    })),
    ...states,
  } as unknown as NetworkState
}

/** Two units sold for each unit bought. */
function quoteOf({ sellAmount, buyAmount, ...request }: QuoteRequest): Quote {
  const [sold, bought] = [sellAmount ?? buyAmount! * 2n, buyAmount ?? sellAmount! / 2n]
  return {
    ...request,
    ...{ sellAmount: sold, buyAmount: bought },
    minBuyAmount: buyAmount ?? (bought * 99n) / 100n,
    maxSellAmount: sellAmount ?? (sold * 101n) / 100n,
    allowanceTarget: base.exchange,
    transaction: { to: base.exchange, data: '0x1234', value: 0n },
    ...{ quoteId: '0x01', expiresAt: 1_767_603_700, exactOut: sellAmount === undefined },
  }
}

const scripts = new Map<string, string>(
  Object.entries(svcAddresses.scripts).map(([name, at]) => [at, name]),
)
const functions = new Map(
  (Object.values(abis) as Abi[]).flatMap((abi) =>
    abi.flatMap((item) => (item.type === 'function' ? [[toFunctionSelector(item), item]] : [])),
  ) as [string, Abi[number]][],
)

function build(path: string, body: object, world: World) {
  const kind: PlanKind = planKinds.find((each) => each.path === path)!
  const intent = kind.schema.parse(body)
  const reads = typeof kind.reads === 'function' ? kind.reads(intent) : kind.reads
  const before = {
    book,
    wallet,
    scripts: svcAddresses.scripts,
    rewards: world.rewards ?? [],
    ...(world.spent && { spent: world.spent }),
  } as const
  const from = (networks: readonly NetworkName[]) => {
    const rest = {
      ...before,
      states: new Map(networks.map((name) => [name, stateOf(name, world)])),
    }
    const asked = [
      ...(kind.quotes?.(intent, book, wallet) ?? []),
      ...(kind.quotesFrom?.(intent, rest) ?? []),
    ]
    kind.check?.(intent, rest)
    return { asked, ...planOperations(kind, intent, { ...rest, quotes: asked.map(quoteOf) }) }
  }
  const own = networksOf(kind, intent, book)
  const { asked, planned, spends } = orElse(
    () => from(own),
    () => from(networkNames),
  )
  const contexts = planned.map(({ context }) => context)
  return {
    ...{ networks: own, reads, spends: kind.spends?.(intent), buys: kind.buys?.(intent) },
    asked,
    takes: spends,
    intent: kind.svcIntent(intent, contexts, wallet),
    operations: planned.map(({ operation, context }) => {
      const { scriptCalldata: data, scriptAddress, contingent, network, nonce } = operation
      const call = functions.get(data.slice(0, 10))!
      const { functionName, args } = decodeFunctionData({ abi: [call], data })
      const script = scripts.get(scriptAddress)
      return { network, nonce, contingent, script, functionName, args, context }
    }),
  }
}

/** Adds the states of the other networks only if the plan needs them, as the service does. */
function orElse<T>(first: () => T, all: () => T): T {
  try {
    return first()
  } catch (error) {
    if (error instanceof MissingNetworkState) return all()
    throw error
  }
}

const usdc = { asset: 'USDC', network: 'base' }
const compound = { ...usdc, protocol: 'compound' }
const position = {
  exposure_asset: 'WETH',
  backing_asset: 'USDC',
  market_id: market,
  network: 'base',
}
const loop = { ...position, pool_fee: 500, exposure_amount: `${ether}` }
const bounds = { is_increase: true, max_swap_backing_amount: '3600000000' }
const loan = { collateral_asset: 'WETH', collateral_amount: `${ether}`, amount: '1000000000' }
const moved = { ...usdc, from_protocol: 'compound', to_protocol: 'aave' }
const onlySupplies = { ...moved, amount: '1000', migrate_only_supply_balances: true }
const morpho: PlanInput['rewards'][number] = {
  network: 'base',
  distributor: recipient,
  symbol: 'MORPHO',
  token: book.token('base', 'MORPHO')?.address ?? recipient,
  claimable: 900n,
  claimed: 100n,
  proof: [],
}

const poor: World = { balances: { base: { USDC: 10n } }, isInvested: false }
const far: World = { balances: { ...rich, base: { USDC: 10n * usd, ETH: ether } } }
const loopLess: World = { isInvested: false }
const none: World = { balances: {}, isInvested: false }

const cases: [path: string, body: object, world?: World][] = [
  ...['300000000', 'max'].flatMap((amount): typeof cases => [
    ['transfer', { ...usdc, amount, recipient }],
    ['transfer', { ...usdc, amount, recipient }, far],
    ['transfer', { ...usdc, amount, recipient }, poor],
    ['transfer', { asset: 'ETH', network: 'base', amount, recipient }],
    ['transfer', { asset: 'USDT', network: 'base', amount, recipient }],
    ...[
      compound,
      { ...usdc, protocol: 'aave' },
      { ...usdc, protocol: 'morpho_vault', market: vault },
    ].flatMap((where): typeof cases => [
      ['earn', { ...where, amount }],
      ['earn', { ...where, amount }, far],
      ['earn', { ...where, amount }, poor],
      ['withdraw', { ...where, amount }],
      ['withdraw', { ...where, amount }, poor],
    ]),
    ...['compound', 'aave'].flatMap((protocol): typeof cases => [
      ['earn', { asset: 'ETH', network: 'base', protocol, amount: amount.replace('max', '7') }],
      [
        'swap-and-supply',
        { sell_asset: 'USDC', sell_amount: amount, buy_asset: 'WETH', protocol, network: 'base' },
      ],
      [
        'swap-and-supply',
        { sell_asset: 'USDC', sell_amount: amount, buy_asset: 'WETH', protocol, network: 'base' },
        far,
      ],
    ]),
    [
      'swap-and-supply',
      {
        sell_asset: 'USDC',
        sell_amount: amount,
        buy_asset: 'WETH',
        protocol: 'aave',
        network: 'base',
      },
      poor,
    ],
    ['add-backing', { ...position, amount, is_short: false }],
    ['add-backing', { ...position, amount, is_short: true }],
    ['add-backing', { ...position, amount, is_short: false }, far],
    ['add-backing', { ...position, amount, is_short: false }, poor],
    ['withdraw-backing', { ...position, amount, is_short: false }],
    ['withdraw-backing', { ...position, amount, is_short: true }],
    ['withdraw-backing', { ...position, amount, is_short: false }, poor],
    ['migrate', { ...onlySupplies, amount }],
    ['migrate', { ...onlySupplies, amount, migrate_only_supply_balances: false }],
    ['migrate', { ...onlySupplies, amount, migrate_only_supply_balances: false }, far],
    ['migrate', { ...onlySupplies, amount, to_protocol: 'morpho_vault', to_market: vault }],
    ['migrate', { ...onlySupplies, amount }, poor],
    ['repay', { ...compound, ...loan, amount, collateral_amount: '0' }],
    ['repay', { ...compound, ...loan, amount, collateral_amount: 'max' }],
    ['repay', { ...usdc, ...loan, protocol: 'morpho', market, amount }],
    [
      'repay',
      { ...usdc, ...loan, protocol: 'morpho', market, amount, collateral_amount: 'max' },
      far,
    ],
    ['repay', { ...compound, ...loan, amount }, poor],
  ]),
  ...['sell_amount', 'buy_amount'].flatMap((side): typeof cases => {
    const [path, amount] = ['swap', { [side]: '300000000' }]
    const pair = { sell_asset: 'USDC', buy_asset: 'WETH', network: 'base', ...amount }
    return [
      [path, pair],
      [path, pair, far],
      [path, pair, poor],
      [path, { ...pair, sell_asset: 'ETH' }],
      [path, { ...pair, buy_asset: 'USDC' }],
    ]
  }),
  ['borrow', { ...compound, ...loan }],
  ['borrow', { ...compound, ...loan, collateral_amount: '0' }],
  ['borrow', { ...compound, ...loan, collateral_amount: 'max' }, far],
  ['borrow', { ...compound, ...loan, collateral_asset: 'USDC' }],
  ['borrow', { ...compound, ...loan, amount: '1' }, loopLess],
  ['borrow', { ...compound, ...loan }, poor],
  ['borrow', { ...usdc, ...loan, protocol: 'morpho', market }],
  ['borrow', { ...usdc, ...loan, protocol: 'morpho', market, collateral_asset: 'USDC' }],
  ['borrow', { ...usdc, ...loan, protocol: 'morpho', market, collateral_amount: 'max' }, far],
  ['borrow', { ...usdc, ...loan, protocol: 'morpho', market, collateral_amount: '0' }],
  ['borrow', { ...usdc, ...loan, protocol: 'morpho' }],
  ['borrow', { ...usdc, ...loan, protocol: 'morpho', market: otherMarket }],
  ['borrow', { ...usdc, ...loan, protocol: 'morpho', market: `0x${'12'.repeat(32)}` }],
  ['borrow', { ...usdc, ...loan, protocol: 'morpho', market }, { states: { morphoMarkets: [] } }],
  ['borrow', { ...usdc, ...loan, protocol: 'morpho', market, asset: 'DAI' }],
  ...[{ ...compound }, { ...usdc, protocol: 'morpho', market }].flatMap((where): typeof cases => [
    ['repay', { ...where, ...loan, amount: '0' }],
    ['repay', { ...where, ...loan, amount: '0' }, loopLess],
    ['repay', { ...where, ...loan, amount: '0', collateral_amount: 'max' }],
    ['repay', { ...where, ...loan, amount: '7000000000' }],
    ['repay', { ...where, ...loan, amount: 'max', collateral_asset: 'DAI' }],
  ]),
  ['loop-long', { ...loop, ...bounds, exposure_asset: 'NOPE', max_provided_backing_amount: '0' }],
  ['loop-long', { ...loop, ...bounds, backing_asset: 'NOPE', max_provided_backing_amount: '0' }],
  ['loop-long', { ...loop, ...bounds, max_provided_backing_amount: '1900000000' }],
  ['loop-long', { ...loop, ...bounds, max_provided_backing_amount: '1900000000' }, far],
  ['loop-long', { ...loop, ...bounds, max_provided_backing_amount: '0' }],
  ['loop-long', { ...loop, ...bounds, max_provided_backing_amount: 'max' }],
  ['loop-long', { ...loop, ...bounds, max_provided_backing_amount: '1900000000' }, poor],
  [
    'loop-long',
    { ...loop, ...bounds, is_increase: false, max_provided_backing_amount: '0' },
    loopLess,
  ],
  ['loop-long', { ...loop, ...bounds, exposure_amount: 'max', max_provided_backing_amount: '0' }],
  [
    'loop-long',
    { ...loop, ...bounds, exposure_amount: `${2n ** 255n}`, max_provided_backing_amount: '0' },
  ],
  ...['max', `${ether}`, `${3n * ether}`, `${4n * ether}`].flatMap((amount): typeof cases => {
    const exit = { ...loop, exposure_amount: amount, min_swap_backing_amount: '0' }
    return [
      ['unloop-long', { ...exit, backing_amount_to_exit: '0' }],
      ['unloop-long', { ...exit, backing_amount_to_exit: '50' }],
      ['unloop-long', { ...exit, backing_amount_to_exit: 'max' }],
      ['unloop-long', { ...exit, backing_amount_to_exit: '0' }, loopLess],
    ]
  }),
  ...['max', '7'].flatMap((amount): typeof cases => [
    ['transfer', { ...usdc, amount, recipient }, none],
    ['transfer', { ...usdc, asset: 'weth', amount, recipient }, none],
    ['earn', { ...compound, amount }, none],
  ]),
  ...['NOPE', 'USDbC', 'usdc'].flatMap((asset): typeof cases => [
    ['transfer', { asset, network: 'base', amount: '7', recipient }],
    ['transfer', { asset, network: 'polygon', amount: '7', recipient }],
    ['earn', { asset, network: 'base', protocol: 'aave', amount: '7' }],
    ['earn', { asset, network: 'base', protocol: 'compound', amount: '7' }],
  ]),
  [
    'swap',
    { sell_asset: 'USDC', buy_asset: 'WETH', network: 'base', sell_amount: '7', buy_amount: '7' },
  ],
  ...['USDC', 'WETH', 'ETH'].flatMap((buy_asset): typeof cases => {
    const sold = { sell_asset: 'WETH', sell_amount: '70', protocol: 'aave', network: 'base' }
    return [['swap-and-supply', { ...sold, buy_asset }]]
  }),
  ['repay', { ...compound, ...loan, amount: '0', collateral_amount: '0' }],
  ['reinvest_rewards', { ...compound, reward_assets: ['NOPE'] }],
  ['reinvest_rewards', { ...compound, reward_assets: ['USDC'] }],
  ['reinvest_rewards', { ...compound, reward_assets: ['COMP', 'COMP'] }],
  ['claim-rewards', { asset: 'comp' }],
  ['claim-rewards', { asset: 'COMP' }, loopLess],
  ['claim-rewards', { asset: 'NONE' }],
  ['claim-rewards', { asset: 'MORPHO' }, { rewards: [morpho] }],
  ['reinvest_rewards', { ...compound, reward_assets: ['COMP'] }],
  [
    'reinvest_rewards',
    { ...usdc, protocol: 'aave', reward_assets: ['MORPHO', 'COMP'] },
    { rewards: [morpho] },
  ],
  ['reinvest_rewards', { ...compound, reward_assets: ['COMP'] }, loopLess],
]

/** Each kind's example with an unknown asset in one field, or without one field. */
const mistakes = planKinds.flatMap(({ path, example }): typeof cases => {
  const body = example as Record<string, unknown>
  return Object.keys(body).flatMap((field): typeof cases => [
    ...(/asset$/.test(field)
      ? [[path, { ...body, [field]: 'NOPE' }] as (typeof cases)[number]]
      : []),
    [path, { ...body, [field]: undefined }],
  ])
})

test('default: each kind builds the recorded plans and refusals', async () => {
  const built = [...cases, ...mistakes].map(([path, body, world = {}]) => {
    const name = [poor, far, loopLess, none].indexOf(world)
    const of = name < 0 ? 'rich' : ['poor', 'far', 'not invested', 'empty'][name]
    return { path, body, of, ...outcomeOf(() => build(path, body, world)) }
  })
  expect(new Set(built.map(({ path }) => path))).toEqual(new Set(planKinds.map(({ path }) => path)))
  const lines = [...built, ...planKinds.flatMap(explained)].map((each) =>
    JSON.stringify(each, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
  )
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('builds.snap')
})

/** How the kind explains each revert that a simulation of its plans can meet. */
function explained({ path, explain, schema, example }: PlanKind) {
  if (!explain) return []
  const reasons = ['NoPool', 'SwapCostTooHigh', 'SwapYieldTooLow', 'NotEnoughLiquidity']
  const others = ['ExitAboveProceeds', 'ProceedsBelowDebt', 'NotCollateralized', 'Unknown']
  const ofMarkets = ['insufficient collateral', 'insufficient liquidity', 'SupplyCapExceeded(9)']
  const intent = schema.parse(example)
  return [...reasons, ...others, ...ofMarkets].map((reason) => {
    const revert = { reason, signature: null, values: ['11', '22'] }
    return { path, reason, explanation: explain(revert, intent, book) }
  })
}

function outcomeOf<T>(work: () => T) {
  try {
    return { plan: work() }
  } catch (error) {
    if (error instanceof z.ZodError)
      return { unfit: error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) }
    const { message, code, hint } = error as Error & { code?: string; hint?: string }
    return { refused: { code, message, hint } }
  }
}
