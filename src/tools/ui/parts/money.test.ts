import { expect, test } from 'vitest'
import {
  moneyIn,
  shownMoney,
  shownUnits,
  shownUsd,
  shownWorth,
  typedAmount,
  usdOf,
} from './money.js'

test('default: amounts are whole units with their worth', () => {
  const money = { raw: '99800000', symbol: 'USDC', price: '100000000' }
  expect(shownMoney(money, 6)).toBe('99.80 USDC ($99.80)')
  expect(shownMoney({ ...money, price: undefined }, 6, '0.5')).toBe('99.80 USDC ($49.90)')
  expect(shownMoney({ ...money, price: undefined }, 6)).toBe('99.80 USDC')
  expect(shownMoney(money, undefined)).toBe('99,800,000 smallest units of USDC')
  expect(shownMoney({ ...money, raw: (2n ** 256n - 1n).toString() }, 6)).toBe('all USDC')
})

test('behavior: amounts beyond what a float holds stay exact, and small ones keep three digits', () => {
  expect(shownUnits('9007199254740993123456', 6)).toBe('9,007,199,254,740,993.123456')
  expect(shownUnits('12345', 18)).toBe('0.0000000000000123')
  expect(shownUnits('1999999999', 9)).toBe('1.999999')
  expect(shownUnits('0', 18)).toBe('0.00')
  expect(shownWorth('4999', 6, '100000000')).toBe('<$0.01')
  expect(shownWorth('5000', 6, '100000000')).toBe('$0.01')
  expect(shownWorth('0', 6, '100000000')).toBe('$0.00')
  expect(shownWorth('1000000000000000000', 18, '250050000000')).toBe('$2,500.50')
  expect(shownUsd(usdOf('-90071992547409931.239'))).toBe('-$90,071,992,547,409,931.24')
  expect(shownUsd(usdOf('0.001'))).toBe('<$0.01')
})

test('behavior: each amount of a context goes with its own asset and price, in lists too', () => {
  const context = {
    asset_symbol: 'USDC',
    price: '1',
    input_amount: '5',
    collateral_amounts: ['7', '8'],
    collateral_asset_symbols: ['WETH', 'WBTC'],
    collateral_token_prices: ['2', '3'],
    max_provided_backing_amount: '9',
    backing_asset_symbol: 'DAI',
    backing_token_price: '4',
    note: '10',
  }
  expect(Object.keys(context).flatMap((name) => moneyIn(name, context))).toEqual([
    { raw: '5', symbol: 'USDC', price: '1' },
    { raw: '7', symbol: 'WETH', price: '2' },
    { raw: '8', symbol: 'WBTC', price: '3' },
    { raw: '9', symbol: 'DAI', price: '4' },
  ])
})

test('behavior: a person types whole units; the smallest unit is written raw:', () => {
  expect(typedAmount('1.5 WETH', 'WETH', 18)).toBe('1500000000000000000')
  expect(typedAmount(' 1,600 usdc ', 'USDC', 6)).toBe('1600000000')
  expect(typedAmount('0.5', 'USDC', 6)).toBe('500000')
  expect(typedAmount('10', 'USDC', 6)).toBe('10000000')
  expect(typedAmount('raw:10', 'USDC', 6)).toBe('10')
})

test('error: another asset, too many decimal places, and words are no amount', () => {
  for (const text of ['1.5 WETH', '0.0000001', 'max', '', '1,5', '1.2.3', 'raw:1.5', 'raw:'])
    expect(typedAmount(text, 'USDC', 6)).toBeUndefined()
})
