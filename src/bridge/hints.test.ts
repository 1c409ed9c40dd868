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
