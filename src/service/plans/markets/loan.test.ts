import { expect, test } from 'vitest'
import type { NetworkState } from '../../../chain/state/networkState.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import { ServiceError } from '../../../lib/errors.js'
import { maxUint256 } from '../model/fields.js'
import { payoff, requireCollateral, requireDebt } from './loan.js'
import { excessOf } from './position.js'

const book = loadAddressBook()
const usdt = book.token('base', 'USDT')!

/** The payoff for a wallet that holds this much USDT on base. No bridge delivers USDT. */
function wanted(held: bigint, debt: bigint, spent?: bigint): bigint {
  const state = { balances: new Map([['USDT', held]]), isDeployed: true } as Partial<NetworkState>
  const states = new Map([['base', state as NetworkState]] as const)
  const earlier = spent && [{ network: 'base' as const, symbol: 'USDT', amount: spent.toString() }]
  return payoff({ states, book, ...(earlier && { spent: earlier }) }, 'base', usdt, debt)
}

test('default: the debt plus a hundred-thousandth of it, rounded up', () => {
  expect(wanted(10n ** 9n, 100_000_000n)).toBe(100_001_000n)
  expect(wanted(10n ** 9n, 100_000_001n)).toBe(100_001_002n)
  expect(wanted(2n, 1n)).toBe(2n)
})

test('behavior: everything if the wallet covers only the debt; otherwise the full amount', () => {
  expect(wanted(100_000_500n, 100_000_000n)).toBe(100_000_500n)
  expect(wanted(100_000_000n, 100_000_000n)).toBe(100_000_000n)
  expect(wanted(99_999_999n, 100_000_000n)).toBe(100_001_000n)
})

test('behavior: a plan keeps its amount while that covers the debt and is available', () => {
  expect(wanted(10n ** 9n, 100_000_000n, 100_000_000n)).toBe(100_000_000n)
  expect(wanted(10n ** 9n, 100_000_000n, 99_999_999n)).toBe(100_001_000n)
  expect(wanted(100_000_000n, 100_000_000n, 100_000_001n)).toBe(100_000_000n)
})

test('error: no debt, more than the debt, or all of it while a part is being repaid', () => {
  const debt = { borrowed: 5n, promised: 0n }
  expect(() => requireDebt({ borrowed: 5n }, maxUint256, usdt, 'M')).not.toThrow()
  expect(() => requireDebt(debt, 5n, usdt, 'M')).not.toThrow()
  expect(() => requireDebt({ borrowed: 0n }, maxUint256, usdt, 'M')).toThrow(
    'route not found: the wallet owes no USDT to M',
  )
  expect(() => requireDebt(debt, 6n, usdt, 'M')).toThrow(
    'repay amount exceeds debt: the wallet owes 5 of USDT to M, 6 was asked',
  )
  expect(() => requireDebt({ borrowed: 5n, promised: 1n }, maxUint256, usdt, 'M')).toThrow(
    'repay amount exceeds debt: 1 of the USDT that the wallet owes to M is being repaid already, the whole debt was asked',
  )
})

test('error: more collateral than the position holds, or none', () => {
  expect(() => requireCollateral(5n, 5n, usdt, 'M')).not.toThrow()
  for (const [held, asked] of [
    [5n, 6n],
    [0n, 0n],
  ] as const)
    expect(() => requireCollateral(held, asked, usdt, 'M')).toThrow(
      `insufficient collateral: the position in M holds ${held} of USDT, ${asked} was asked`,
    )
})

test('behavior: by how much too much was asked is a fact of the error, also of one that another one explains', () => {
  const excess = (work: () => void) => {
    try {
      work()
    } catch (cause) {
      expect(excessOf(new ServiceError('plan_failed', 'other words', { cause }))).toEqual(
        excessOf(cause),
      )
      return excessOf(cause)
    }
    throw new Error('nothing was refused')
  }
  const asked = { market: 'M', asked: '0.000006 USDT', most: '0.000005 USDT' }
  expect(excess(() => requireDebt({ borrowed: 5n }, 6n, usdt, 'M'))).toEqual({
    ...asked,
    limit: 'owes',
  })
  expect(excess(() => requireCollateral(5n, 6n, usdt, 'M'))).toEqual({ ...asked, limit: 'holds' })
  // There is nothing to ask for.
  expect(excess(() => requireCollateral(0n, 6n, usdt, 'M'))).toBeUndefined()
  expect(excess(() => requireDebt({ borrowed: 0n }, 6n, usdt, 'M'))).toBeUndefined()
})
