import { expect, test } from 'vitest'
import type { CometState } from '../../chain/state/marketReads.js'
import type { NetworkState } from '../../chain/state/networkState.js'
import { type AddressBook, loadAddressBook } from '../../deployments/addressBook.js'
import type { LeftOut } from '../../deployments/markets.js'
import { type NetworkName, networkNames } from '../../deployments/networks.js'
import { encodeFolio, type FolioExtras } from './encode.js'
import { folioKey } from './numbers.js'
import { folioSections } from './schema.js'

const wallet = '0x2222222222222222222222222222222222222222'
const nonce = `0x${'aa'.repeat(32)}` as const
const book = loadAddressBook()
const extras: FolioExtras = {
  wallet,
  nonceSecret: () => nonce,
  completions: [],
  patches: [],
  rewards: [],
}

/** A network on which nothing is, and nothing has a price, but what is given. */
function stateOf(network: NetworkName, fields: Partial<NetworkState> = {}): NetworkState {
  const maps = { balances: new Map(), prices: new Map() }
  const nothing = { ...maps, comets: [], morphoMarkets: [], aaveReserves: [], vaults: [] }
  return { network, blockNumber: 1n, timestamp: 1n, ...nothing, ...fields } as NetworkState
}

const market = book.on('base').comets.find(({ baseSymbol }) => baseSymbol === 'USDC')!
const path = `comet/base/${market.address}/USDC`

function comet(fields: Partial<CometState> = {}): CometState {
  const zeros = market.collaterals.map(() => 0n)
  return {
    market,
    totalSupply: 1_000_000n * 10n ** 6n,
    totalBorrow: 500_000n * 10n ** 6n,
    supplyRate: 1_000_000_000n,
    borrowRate: 2_000_000_000n,
    supplySpeed: 0n,
    borrowSpeed: 0n,
    trackingIndexScale: 10n ** 15n,
    supplied: 0n,
    borrowed: 0n,
    rewardOwed: 0n,
    collateral: zeros,
    collateralTotals: zeros,
    ...fields,
  }
}

test('default: all sections, also of nothing; the chain named ethereum', () => {
  const folio = encodeFolio([stateOf('mainnet')], book, extras)
  expect(Object.keys(folio)).toEqual([...folioSections])
  expect(folio).toMatchObject({
    balances: {},
    prices: {},
    yield_markets: {},
    rewards: {},
    patches: {},
  })
  expect(folio.hex_data).toEqual({ [`nonce_secret/ethereum/${wallet}`]: nonce })
  expect(folio.swap_hints).toEqual({
    'wrapper/ethereum/ETH/ethereum/WETH': {
      exchange_rate: '1',
      min_amount: '0e18',
      max_amount: null,
    },
  })
})

test('behavior: balances that are not zero, each with its decimals; the first price of a symbol', () => {
  const balances = new Map([
    ['USDC', 52_500_000n],
    ['WETH', 0n],
    ['ETH', 1n],
  ])
  const folio = encodeFolio(
    [
      stateOf('mainnet', { balances, prices: new Map([['USDC', 100_000_000n]]) }),
      stateOf('base', {
        balances: new Map([['USDC', 1n]]),
        prices: new Map([['USDC', 99_980_000n]]),
      }),
    ],
    book,
    extras,
  )
  expect(folio.balances).toEqual({
    [`token/ethereum/ETH/${wallet}`]: '0.000000000000000001e18',
    [`token/ethereum/USDC/${wallet}`]: '52.5e6',
    [`token/base/USDC/${wallet}`]: '0.000001e6',
  })
  expect(folio.prices).toEqual({ 'token/USDC': '1' })
})

test('behavior: a Comet market with its rates, and the wallet’s part in it', () => {
  const collateral = market.collaterals.map((_, i) => (i === 0 ? 10n ** 18n : 0n))
  const state = comet({ supplied: 1_500_000n, borrowed: 7n, rewardOwed: 10n ** 18n, collateral })
  const folio = encodeFolio([stateOf('base', { comets: [state] })], book, extras)
  expect(folio.yield_markets).toEqual({
    [path]: {
      supply_apr: '0.031536',
      supply_rewards_apr: '0',
      supply_cap: null,
      total_supply: '1000000e6',
    },
  })
  expect(folio.borrow_markets[path]).toMatchObject({
    borrow_apr: '0.063072',
    borrow_cap: null,
    total_borrow: '500000e6',
  })
  const reward = `comet_reward/base/${market.address}/${market.rewardSymbol}/${book.on('base').cometRewards}/${wallet}`
  expect(folio.balances).toEqual({
    [`yield_market/${path}/${wallet}`]: '1.5e6',
    [`borrow_market/${path}/${wallet}`]: '0.000007e6',
    [`borrow_market_collateral/${path}/${market.collaterals[0]!.symbol}/${wallet}`]: '1e18',
    [`reward/${reward}`]: '1e18',
  })
  expect(folio.rewards).toEqual({ [reward]: { proof: { proof_type: 'none' } } })
})

test('behavior: collaterals have their factors, and no price where there is none', () => {
  const prices = new Map([[market.collaterals[1]!.symbol, 250_000_000_000n]])
  const folio = encodeFolio([stateOf('base', { comets: [comet()], prices })], book, extras)
  const { collaterals } = folio.borrow_markets[path] as {
    collaterals: Record<string, Record<string, string>>
  }
  expect(Object.keys(collaterals)).toEqual(market.collaterals.map(({ symbol }) => symbol))
  const shown = Object.values(collaterals).map(({ usd_price }) => usd_price)
  expect(shown).toEqual(market.collaterals.map((_, i) => (i === 1 ? '2500' : null)))
  for (const factors of Object.values(collaterals)) {
    const { borrow_collateral_factor, liquidate_collateral_factor } = factors
    expect(Number(borrow_collateral_factor)).toBeLessThan(Number(liquidate_collateral_factor))
    expect(Number(liquidate_collateral_factor)).toBeLessThan(1)
  }
})

test('behavior: no reward rate where a price is missing', () => {
  const state = comet({ supplySpeed: 10n ** 15n })
  const rateWith = (prices: [string, bigint][]) => {
    const networkState = stateOf('base', { comets: [state], prices: new Map(prices) })
    return (encodeFolio([networkState], book, extras).yield_markets[path] as Record<string, string>)
      .supply_rewards_apr
  }
  const usdc: [string, bigint] = ['USDC', 100_000_000n]
  const reward: [string, bigint] = [market.rewardSymbol, 200_000_000n]
  expect(rateWith([usdc])).toBe('0')
  expect(rateWith([reward])).toBe('0')
  // One token of $2 a second against a million dollars.
  expect(rateWith([usdc, reward])).toBe('63.072')
})

test('behavior: completions, by kind', () => {
  const folio = encodeFolio([], book, {
    ...extras,
    completions: [
      { kind: 'svc_nonce', id: '0x01', through: true },
      { kind: 'across_fill', id: '0x02', through: false },
    ],
  })
  expect(folio.completion_statuses).toEqual({
    [`svc_nonce/${wallet}/0x01`]: true,
    [`across_fill/${wallet}/0x02`]: false,
  })
})

test('behavior: pure: equal snapshots give equal bytes', () => {
  const snapshots = networkNames.map((network) => stateOf(network))
  const bytes = () => JSON.stringify(encodeFolio(snapshots, book, extras))
  expect(bytes()).toBe(bytes())
})

test('behavior: a slash inside a part of a key is escaped', () => {
  expect(folioKey('token', 'base', 'USD/EUR')).toBe('token/base/USD\\/EUR')
  expect(folioKey('token', 'base', 'A/B/C')).toBe('token/base/A\\/B\\/C')
})

test('behavior: every bridge route both ways; none from or to a fork that lacks the spoke pool', () => {
  const { bridge_hints } = encodeFolio([stateOf('base')], loadAddressBook(), extras)
  expect(Object.keys(bridge_hints)).toHaveLength(5 * 4 * 2)
  expect(bridge_hints['across/base/USDC/ethereum/USDC']).toEqual({
    estimated_fill_time_sec: 2,
    fixed_cost: '0.03e6',
    max_amount: '3000000e6',
    max_amount_instant: '3000000e6',
    min_amount: '0.6e6',
    rate: '0.9999',
  })
  const gone: LeftOut = { protocol: 'across', id: '0xab', name: '', symbols: [], why: '' }
  const market: LeftOut = { ...gone, protocol: 'aave' }
  const whole = loadAddressBook()
  const forked: AddressBook = {
    ...whole,
    on: (network) => ({
      ...whole.on(network),
      leftOut: network === 'base' ? [market, gone] : network === 'polygon' ? [market] : [],
    }),
  }
  const left = Object.keys(encodeFolio([stateOf('base')], forked, extras).bridge_hints)
  expect(left).toHaveLength(4 * 3 * 2)
  expect(left.filter((key) => key.includes('base'))).toEqual([])
})

test('behavior: rewards per side, each with its own speed and total; nothing owed, nothing to claim', () => {
  const prices = new Map([
    ['USDC', 100_000_000n],
    [market.rewardSymbol, 200_000_000n],
  ])
  const state = comet({ supplySpeed: 10n ** 12n, borrowSpeed: 3n * 10n ** 12n })
  const folio = encodeFolio([stateOf('base', { comets: [state], prices })], book, extras)
  const supply = (folio.yield_markets[path] as { supply_rewards_apr: string }).supply_rewards_apr
  const borrow = (folio.borrow_markets[path] as { borrow_rewards_apr: string }).borrow_rewards_apr
  expect(Number(supply)).toBeGreaterThan(0)
  // Three times the speed on half the total.
  expect(Number(borrow) / Number(supply)).toBeCloseTo(6, 6)
  expect(folio.rewards).toEqual({})
})
