import { expect, test } from 'vitest'
import { decimal, folioAmount, folioPrice, rewardsRate, yearlyRate } from './numbers.js'

test('default: amounts carry the asset’s decimals and no trailing zeros', () => {
  expect(folioAmount(52_000_000n, 6)).toBe('52e6')
  expect(folioAmount(500_000n, 6)).toBe('0.5e6')
  expect(folioAmount(0n, 18)).toBe('0e18')
  expect(folioAmount(1n, 18)).toBe('0.000000000000000001e18')
  expect(folioAmount(10_000n * 10n ** 18n, 18)).toBe('10000e18')
})

test('default: prices and rates are plain decimals', () => {
  expect(folioPrice(100_000_000n)).toBe('1')
  expect(folioPrice(99_980_000n)).toBe('0.9998')
  expect(yearlyRate(0n)).toBe('0')
  expect(yearlyRate(1_000_000_000n)).toBe('0.031536')
})

test('behavior: reward rates are yearly reward value over the value that earns it', () => {
  // 1e15-scaled speed of one token a second at $2 against $1,000,000 of a 6-decimal asset at $1.
  expect(
    rewardsRate({
      speed: 10n ** 15n,
      indexScale: 10n ** 15n,
      rewardPriceE8: 200_000_000n,
      total: 1_000_000n * 10n ** 6n,
      decimals: 6,
      priceE8: 100_000_000n,
    }),
  ).toBe('63.072')
})

test('behavior: nothing supplied has no reward rate', () => {
  const empty = {
    speed: 1n,
    indexScale: 1n,
    rewardPriceE8: 1n,
    total: 0n,
    decimals: 6,
    priceE8: 1n,
  }
  expect(rewardsRate(empty)).toBe('0')
  expect(decimal(0n, 0)).toBe('0')
})
