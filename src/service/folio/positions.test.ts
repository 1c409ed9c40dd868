import { describe, expect, test } from 'vitest'
import { loansOf, positionsOf, worthOf } from './positions.js'

const wallet = '0x2222222222222222222222222222222222222222'
const pool = '0xa238dd80c259a72e81d7e4664a9801593f98d1c5'
const comet = '0xb125e6687d4313864e53df431d5425969c15eb2f'

const terms = (factor: string, price: string) => ({
  borrow_collateral_factor: factor,
  liquidate_collateral_factor: factor,
  liquidation_factor: '0.9',
  supply_cap: null,
  total_supply: null,
  usd_price: price,
})
const borrowMarket = (collaterals: Record<string, ReturnType<typeof terms>>) => ({
  borrow_apr: '0.05',
  borrow_rewards_apr: '0.01',
  borrow_cap: null,
  total_borrow: '1e6',
  base_borrow_min: '0e6',
  collaterals,
})
const empty = {
  balances: {},
  prices: { 'token/USDC': '1', 'token/WETH': '3000', 'token/COMP': '50', 'token/USDT': '1' },
  yield_markets: {},
  borrow_markets: {},
  rewards: {},
  swap_hints: {},
  bridge_hints: {},
  hex_data: {},
  completion_statuses: {},
  patches: {},
}

test('default: what an account has, with its value and what it earns', () => {
  const folio = {
    ...empty,
    balances: {
      [`token/ethereum/USDC/${wallet}`]: '52e6',
      [`yield_market/comet/base/${comet}/USDC/${wallet}`]: '10.5e6',
      [`reward/comet_reward/base/${comet}/COMP/0x1/${wallet}`]: '2e18',
      [`token/base/NEW\\/COIN/${wallet}`]: '7e18',
    },
    yield_markets: {
      [`comet/base/${comet}/USDC`]: {
        supply_apr: '0.03',
        supply_rewards_apr: '0.01',
        supply_cap: null,
        total_supply: '1e6',
      },
    },
  }
  const positions = positionsOf(folio)
  expect(positions).toMatchObject([
    {
      network: 'mainnet',
      protocol: 'wallet',
      symbol: 'USDC',
      amount: 52_000_000n,
      usd: 5_200_000_000n,
    },
    { network: 'base', protocol: 'compound', kind: 'supply', usd: 1_050_000_000n, apr: 0.04 },
    { network: 'base', protocol: 'rewards', symbol: 'COMP', usd: 10_000_000_000n },
    { network: 'base', symbol: 'NEW/COIN', amount: 7n * 10n ** 18n, usd: undefined },
  ])
  expect(worthOf(positions)).toBe(16_250_000_000n)
  expect(loansOf(folio)).toEqual([])
})

describe('debts', () => {
  test('default: a debt counts against the value, and its health says how near liquidation is', () => {
    const market = `comet/base/${comet}/USDC`
    const folio = {
      ...empty,
      balances: {
        [`borrow_market/${market}/${wallet}`]: '1500e6',
        [`borrow_market_collateral/${market}/WETH/${wallet}`]: '1e18',
      },
      borrow_markets: { [market]: borrowMarket({ WETH: terms('0.8', '3000') }) },
    }
    expect(worthOf(positionsOf(folio))).toBe(150_000_000_000n)
    expect(positionsOf(folio)[0]).toMatchObject({ kind: 'debt', usd: -150_000_000_000n })
    expect(positionsOf(folio)[0]?.apr).toBeCloseTo(0.04)
    expect(loansOf(folio)).toEqual([
      {
        network: 'base',
        protocol: 'compound',
        what: 'USDC against WETH',
        debtUsd: 150_000_000_000n,
        health: 1.6,
      },
    ])
  })

  test('behavior: two debts on an Aave pool share one backing, which is counted once', () => {
    const [usdc, usdt] = ['USDC', 'USDT'].map((symbol) => `aave/base/${pool}/${symbol}`)
    const folio = {
      ...empty,
      balances: {
        [`yield_market/aave/base/${pool}/WETH/${wallet}`]: '1e18',
        [`borrow_market/${usdc}/${wallet}`]: '600e6',
        [`borrow_market_collateral/${usdc}/WETH/${wallet}`]: '1e18',
        [`borrow_market/${usdt}/${wallet}`]: '400e6',
        [`borrow_market_collateral/${usdt}/WETH/${wallet}`]: '1e18',
      },
      borrow_markets: Object.fromEntries(
        [usdc, usdt].map((market) => [market, borrowMarket({ WETH: terms('0.83', '3000') })]),
      ),
    }
    expect(worthOf(positionsOf(folio))).toBe(200_000_000_000n)
    expect(loansOf(folio)).toMatchObject([
      {
        protocol: 'aave',
        what: 'USDC, USDT against WETH',
        debtUsd: 100_000_000_000n,
        health: 2.49,
      },
    ])
  })
})

test('behavior: amounts beyond what a floating point number holds stay exact', () => {
  const folio = {
    ...empty,
    balances: { [`token/base/WETH/${wallet}`]: '123456789.123456789012345678e18' },
  }
  expect(positionsOf(folio)).toMatchObject([
    { amount: 123_456_789_123_456_789_012_345_678n, usd: 37_037_036_737_037_036_703n },
  ])
})
