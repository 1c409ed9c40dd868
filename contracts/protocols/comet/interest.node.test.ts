import fc from 'fast-check'
import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { alice, bob, carol, maxUint256, startTestChain, type TestChain } from '../testChain.js'
import { deployMarket, ether, type Market, parameters, usdc } from './market.js'
import { CometModel, ratePerSecond } from './model.js'

let chain: TestChain
let market: Market
let model: CometModel
let snapshot: unknown

interface Totals {
  0: bigint
  1: bigint
  2: bigint
  3: bigint
  4: bigint
  5: bigint
  6: number
}

beforeAll(async () => {
  chain = await startTestChain()
  market = await deployMarket(chain)
})
beforeEach(async () => {
  snapshot = await chain.request('evm_snapshot')
  const totals = await market.comet.read<Totals>('totalsBasic')
  model = new CometModel(parameters, BigInt(totals[6]))
})
afterEach(() => chain.request('evm_revert', [snapshot]))
afterAll(() => chain.stop())

test('error: the market has no rate for what it does not know', async () => {
  expect(await market.comet.failure('getAssetInfo', [2])).toBe('BadAsset()')
  expect(await market.comet.failure('getAssetInfoByAddress', [alice])).toBe('BadAsset()')
})

test('default: a day of interest is the formula, to the unit', async () => {
  await supply(alice, usdc('1000000'))
  await borrow(bob, usdc('700000'))
  await chain.warp(86_400n)
  model.accrue(await chain.now())
  expect(await market.comet.read('balanceOf', [alice])).toBe(model.balance(alice))
  expect(await market.comet.read('borrowBalanceOf', [bob])).toBe(-model.balance(bob))
  expect(model.balance(alice)).toBeGreaterThan(usdc('1000060'))
  expect(-model.balance(bob)).toBeGreaterThan(usdc('700070'))
  const { totalSupplyBase, supplyIndex, totalBorrowBase, borrowIndex } = model
  expect(await market.comet.read('totalSupply')).toBe((totalSupplyBase * supplyIndex) / 10n ** 15n)
  expect(await market.comet.read('totalBorrow')).toBe((totalBorrowBase * borrowIndex) / 10n ** 15n)
  const held = usdc('300000')
  const owed = (totalSupplyBase * supplyIndex) / 10n ** 15n
  const due = (totalBorrowBase * borrowIndex) / 10n ** 15n
  expect(await market.comet.read('getReserves')).toBe(held - owed + due)
})

test('behavior: rates follow the curves on both sides of the kink', async () => {
  for (const percent of [0n, 1n, 50n, 80n, 81n, 99n, 100n, 120n]) {
    const utilization = percent * 10n ** 16n
    const args = [utilization]
    expect(await market.comet.read('getSupplyRate', args)).toBe(
      ratePerSecond(parameters.supply, utilization),
    )
    expect(await market.comet.read('getBorrowRate', args)).toBe(
      ratePerSecond(parameters.borrow, utilization),
    )
  }
  await supply(alice, usdc('1000'))
  await borrow(bob, usdc('900'))
  expect(await market.comet.read('getUtilization')).toBe(model.utilization())
})

test('behavior: without supply utilisation is zero and nothing grows', async () => {
  expect(await market.comet.read('getUtilization')).toBe(0n)
  await chain.warp(86_400n * 365n)
  await market.comet.send('accrueAccount', [alice])
  const totals = await market.comet.read<Totals>('totalsBasic')
  expect([totals[0], totals[2], totals[3]]).toEqual([10n ** 15n, 0n, 0n])
})

test('behavior: maximum amounts clear a debt and a supply without dust', async () => {
  await supply(alice, usdc('500000'))
  await borrow(bob, usdc('400000.123456'))
  await chain.warp(86_400n * 30n)
  await market.comet.send('supply', [market.usdc.address, maxUint256], { from: bob })
  await market.comet.send('withdraw', [market.usdc.address, maxUint256], { from: alice })
  for (const user of [alice, bob]) {
    expect(await market.comet.read('balanceOf', [user])).toBe(0n)
    expect(await market.comet.read('borrowBalanceOf', [user])).toBe(0n)
  }
  expect((await market.comet.read<[bigint]>('userBasic', [bob]))[0]).toBe(0n)
  expect(await market.comet.read('getReserves')).toBeGreaterThan(0n)
  // Who was in the market before can come back.
  await market.comet.send('supply', [market.usdc.address, usdc('7')], { from: bob })
  await market.comet.send('supply', [market.usdc.address, usdc('7')], { from: alice })
})

test('behavior: any history of moves leaves indices, principals and rewards as the formulas say', async () => {
  const move = fc.record({
    user: fc.constantFrom(alice, bob, carol),
    amount: fc.bigInt({ min: -usdc('300000'), max: usdc('400000') }),
    seconds: fc.oneof(fc.constant(1n), fc.bigInt({ min: 2n, max: 86_400n * 60n })),
  })
  let played = 0
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 4, maxLength: 14 }), async (moves) => {
      const before = await chain.request('evm_snapshot')
      const totals = await market.comet.read<Totals>('totalsBasic')
      model = new CometModel(parameters, BigInt(totals[6]))
      for (const user of [alice, bob, carol]) await pledge(user)
      for (const { user, amount, seconds } of moves)
        if (await play(user, amount, seconds)) played += 1
      await chain.request('evm_revert', [before])
    }),
    { numRuns: 25, seed: 20_250_101 },
  )
  expect(played).toBeGreaterThan(100)
})

/** Supplies or withdraws after a while and compares. False when the market cannot pay or refuses the debt. */
async function play(user: Address, amount: bigint, seconds: bigint): Promise<boolean> {
  await chain.warp(seconds)
  const { comet, usdc: base } = market
  const size = amount < 0n ? -amount : amount
  const verb = amount < 0n ? 'withdraw' : 'supply'
  const held = await base.read('balanceOf', [comet.address])
  if (amount < 0n && size > held) return false
  const failure = await comet.failure(verb, [base.address, size], { from: user }).catch(() => null)
  if (failure !== null) {
    expect(failure).toMatch(/^(BorrowTooSmall|NotCollateralized)\(\)$/)
    return false
  }
  await comet.send(verb, [base.address, size], { from: user })
  model.move(user, amount, await chain.now())
  await expectAsModel(user)
  return true
}

async function expectAsModel(user: Address): Promise<void> {
  const totals = await market.comet.read<Totals>('totalsBasic')
  expect([...[0, 1, 2, 3, 4, 5].map((i) => totals[i as 0]), BigInt(totals[6])]).toEqual([
    model.supplyIndex,
    model.borrowIndex,
    model.trackingSupplyIndex,
    model.trackingBorrowIndex,
    model.totalSupplyBase,
    model.totalBorrowBase,
    model.lastAccrual,
  ])
  const [principal, trackingIndex, accrued] = await market.comet.read<[bigint, bigint, bigint]>(
    'userBasic',
    [user],
  )
  expect({ principal, trackingIndex, accrued }).toEqual(model.position(user))
}

async function pledge(user: Address): Promise<void> {
  await market.comet.send('supply', [market.weth.address, ether('300')], { from: user })
}

async function supply(user: Address, amount: bigint): Promise<void> {
  await market.comet.send('supply', [market.usdc.address, amount], { from: user })
  model.move(user, amount, await chain.now())
}

async function borrow(user: Address, amount: bigint): Promise<void> {
  await pledge(user)
  await market.comet.send('withdraw', [market.usdc.address, amount], { from: user })
  model.move(user, -amount, await chain.now())
}
