import { expect, test } from 'vitest'
import { misplaced, movedTwice } from './money.js'
import type { MoneyOutcome, Move } from './outcome.js'

const prices = { COMP: '50', ETH: '3000', USDC: '1', USDT: '1', WETH: '3000' }
const compound = 'yield_market/comet/base/0xb1/USDC'
const aave = 'yield_market/aave/base/0xa2/USDC'
const usdc = (whole: number): bigint => BigInt(whole * 1e6)

/** One account, with what it holds and what its plans did. */
function held(holdings: Record<string, bigint>, moves: readonly Move[] = []): MoneyOutcome {
  return { prices, accounts: [{ id: 'acc_a', holdings, moves }] }
}

/** What is wrong with the second of two outcomes, as findings name it. */
function wrong(baseline: MoneyOutcome, outcome: MoneyOutcome): string | undefined {
  return (movedTwice(baseline, outcome) ?? misplaced(baseline, outcome))?.message
}

function supply(amount: bigint, fields: string, type = 'supply'): Move {
  return {
    ...{ activityId: `act_${fields}`, planId: 'pln_1' },
    ...{ intent: `${type} chain_id=8453 ${fields}`, amounts: { amount } },
  }
}
const inCompound = 'asset_symbol=USDC market_type=COMET market=0xb1'
const inAave = 'asset_symbol=USDC market_type=AAVE market=0xa2'

test('default: the same value in another asset or on another network is no loss, and less is', () => {
  const baseline = held({ 'token/base/USDC': usdc(6000), 'token/optimism/USDC': usdc(10) })
  const swapped = (weth: bigint) =>
    held({
      ...{ 'token/base/USDC': usdc(3000), 'token/base/WETH': weth },
      'token/arbitrum/USDC': usdc(10),
    })
  expect(wrong(baseline, swapped(10n ** 18n))).toBeUndefined()
  // One in fifty of what is gone: 60.20 of 3010 USD, to the smallest unit.
  expect(wrong(baseline, swapped(979_933_333_333_333_334n))).toBeUndefined()
  expect(wrong(baseline, swapped(979_933_333_333_333_333n))).toBe(
    'Account acc_a holds 3000 USDC on base (token/base/USDC); without faults it holds 6000 USDC on base (token/base/USDC). What it has instead is worth 2949.79999999 USD of the 3010 USD that are gone.',
  )
})

test('behavior: a loss is not hidden by large holdings, by their interest or by rewards', () => {
  const before = {
    ...{ [compound]: usdc(1_000_000), 'token/base/USDC': usdc(6) },
    'reward/comet_reward/base/0xb1/COMP/0x1': 10n ** 18n,
  }
  const after = {
    ...{ [compound]: usdc(1_019_000), 'token/base/USDC': usdc(5) },
    'reward/comet_reward/base/0xb1/COMP/0x1': 10n ** 20n,
  }
  expect(wrong(held(before), held(after))).toBe(
    'Account acc_a holds 5 USDC on base (token/base/USDC); without faults it holds 6 USDC on base (token/base/USDC).',
  )
})

test('behavior: a debt counts against what was borrowed: paid back is no loss, grown is', () => {
  const debt = 'borrow_market/comet/base/0xb1/USDC'
  const borrowed = held({ [debt]: usdc(100), 'token/base/USDC': usdc(100) })
  expect(wrong(borrowed, held({ 'token/base/USDC': 1n }))).toBeUndefined()
  expect(wrong(borrowed, held({ [debt]: usdc(100) }))).toContain('holds 0 USDC on base')
  expect(wrong(borrowed, held({ [debt]: usdc(150), 'token/base/USDC': usdc(100) }))).toContain(
    `owes 150 USDC on base (${debt}); without faults it owes 100 USDC on base`,
  )
})

test('behavior: a holding without a price is compared by itself, and so is each of a file without prices', () => {
  const odd = { 'token/base/ODD': 1_000n }
  expect(wrong(held(odd), held({ 'token/base/USDC': usdc(9) }))).toContain(
    'holds 0 of token/base/ODD (smallest unit); without faults it holds 1000',
  )
  const { accounts } = held({ 'token/base/USDC': usdc(6) })
  expect(wrong({ accounts }, held({ 'token/optimism/USDC': usdc(6) }))).toContain('holds 0 USDC')
})

test('behavior: a locked reward may become claimable; a lost one is found, whatever else is there', () => {
  const reward = 'morpho_reward/base/COMP/0x1'
  const locked = held({ [`locked_reward/${reward}`]: 1_000n })
  expect(wrong(locked, held({ [`reward/${reward}`]: 900n }))).toBeUndefined()
  expect(wrong(locked, held({ 'token/base/USDC': usdc(9) }))).toContain('locked_reward')
  expect(wrong(held({ [`reward/${reward}`]: 1_000n }), locked)).toContain(`reward/${reward}`)
})

test('behavior: a supply to another market, or of another asset of the same worth, stands in for the missing one', () => {
  const baseline = held({ [compound]: usdc(4) }, [supply(usdc(4), inCompound)])
  expect(wrong(baseline, held({ [aave]: usdc(4) }, [supply(usdc(4), inAave)]))).toBeUndefined()
  const tether = 'asset_symbol=USDT market_type=AAVE market=0xa2'
  const weth = 'asset_symbol=WETH market_type=AAVE market=0xa2'
  const key = 'yield_market/aave/base/0xa2/'
  expect(
    wrong(baseline, held({ [`${key}WETH`]: 4n * 10n ** 18n }, [supply(10n ** 18n, weth)])),
  ).toContain('supply WETH on base')
  const part = 10n ** 18n / 750n
  expect(wrong(baseline, held({ [`${key}WETH`]: part }, [supply(part, weth)]))).toBeUndefined()
  expect(wrong(baseline, held({ [`${key}USDT`]: usdc(3) }, [supply(usdc(3), tether)]))).toContain(
    'supply USDT on base',
  )
})

test('behavior: a supply to another market besides, or of more, is found; and no transfer stands in for another', () => {
  const baseline = held({ [compound]: usdc(4) }, [supply(usdc(4), inCompound)])
  const twice = [supply(usdc(4), inCompound), supply(usdc(4), inAave)]
  expect(movedTwice(baseline, held({ [compound]: usdc(4) }, twice))?.until).toBe(`act_${inAave}`)
  const more = held({ [aave]: usdc(8) }, [supply(usdc(8), inAave)])
  expect(movedTwice(baseline, more)?.until).toBe(`act_${inAave}`)
  expect(wrong(baseline, held({ 'token/base/USDC': usdc(4) }))).toContain(
    '0 times; without faults it did so once',
  )
  const paid = (symbol: string) => held({}, [supply(usdc(4), `asset_symbol=${symbol}`, 'transfer')])
  expect(movedTwice(paid('USDC'), paid('USDT'))).toBeDefined()
})

test('behavior: of several supplies, the one that is missing is stood in for', () => {
  const baseline = held({ [compound]: usdc(5) }, [
    supply(usdc(3), inCompound),
    supply(usdc(2), inCompound),
  ])
  const moves = [supply(usdc(2), inCompound), supply(usdc(3), inAave)]
  expect(wrong(baseline, held({ [compound]: usdc(2), [aave]: usdc(3) }, moves))).toBeUndefined()
})
