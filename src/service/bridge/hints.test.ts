import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allBridgeHints, type BridgeHint, bridgeHint, bridgeInput, bridgeOutput } from './hints.js'

test('default: the worked numbers of the service: rate 0.99, fixed cost 1, 98 of 50 + 50', () => {
  const hint: BridgeHint = {
    ...bridgeHint('base', 'arbitrum', 'USDC')!,
    rateMillionths: 990_000n,
    fixedCost: 1_000_000n,
  }
  expect(bridgeOutput(hint, 50_000_000n)).toBe(48_500_000n)
  expect(bridgeInput(hint, 48_040_000n)).toBe(49_535_354n)
})

test('behavior: our routes take a ten-thousandth and a fixed cost, round the input up and the output down, and fill after two seconds', () => {
  for (const hint of allBridgeHints())
    expect(hint).toMatchObject({ rateMillionths: 999_900n, estimatedFillSeconds: 2 })
  const cheap = bridgeHint('mainnet', 'base', 'USDC')!
  const dear = bridgeHint('base', 'mainnet', 'USDC')!
  // 100 USDC less 0.01 and the fill: 0.003 where blocks are cheap, 0.03 on mainnet.
  expect(bridgeOutput(cheap, 100_000_000n)).toBe(99_987_000n)
  expect(bridgeOutput(dear, 100_000_000n)).toBe(99_960_000n)
  expect(bridgeInput(cheap, 99_987_000n)).toBe(100_000_000n)
  // 1,000,001 x 0.9999 = 999,900.9999; 1,003,000 / 0.9999 = 1,003,100.3.
  expect(bridgeOutput(cheap, 1_000_001n)).toBe(996_900n)
  expect(bridgeInput(cheap, 1_000_000n)).toBe(1_003_101n)
})

test('behavior: the input for an output delivers at least that output, and one unit less does not', () => {
  const routes = fc.constantFrom(...allBridgeHints())
  fc.assert(
    fc.property(routes, fc.bigInt(1n, 10n ** 24n), (hint, output) => {
      const input = bridgeInput(hint, output)
      expect(bridgeOutput(hint, input)).toBeGreaterThanOrEqual(output)
      expect(bridgeOutput(hint, input - 1n)).toBeLessThan(output)
    }),
  )
})

test('behavior: USDC and WETH travel between any two networks, nothing else does', () => {
  expect(allBridgeHints()).toHaveLength(5 * 4 * 2)
  expect(bridgeHint('base', 'base', 'USDC')).toBeUndefined()
  expect(bridgeHint('base', 'mainnet', 'COMP')).toBeUndefined()
})

test('behavior: an input too small to pay the fixed cost delivers nothing', () => {
  const hint = bridgeHint('base', 'mainnet', 'USDC')!
  expect(bridgeOutput(hint, 1n)).toBe(0n)
})
