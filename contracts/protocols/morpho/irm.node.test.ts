import type { Hex } from 'viem'
import { parseAbi, parseEventLogs, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { alice, bob, type Contract, carol, startTestChain, type TestChain } from '../testChain.js'
import {
  day,
  deployLending,
  type Lending,
  marketId,
  type Params,
  usd,
  wad,
  year,
} from './market.js'

/** The rate model, asked by carol in Morpho's place, and in the markets of Morpho itself. */
let chain: TestChain
let lending: Lending
let irm: Contract
let params: Params
let id: Hex
let snapshot: unknown

const morphoAbi = parseAbi([
  'event AccrueInterest(bytes32 indexed id, uint256 prevBorrowRate, uint256 interest, uint256 feeShares)',
])
const birth = (4n * wad) / 100n / year

beforeAll(async () => {
  chain = await startTestChain()
  lending = await deployLending(chain)
  irm = await chain.deploy('AdaptiveIrm', [carol])
  params = { ...lending.markets[0]!.params, irm: irm.address }
  id = marketId(params)
})
beforeEach(async () => {
  snapshot = await chain.request('evm_snapshot')
})
afterEach(() => chain.request('evm_revert', [snapshot]))
afterAll(() => chain.stop())

/** A market of a thousand with so much lent, that was updated last at that time. */
function market(totalBorrowAssets: bigint, lastUpdate: bigint, totalSupplyAssets = 1000n) {
  const rest = { totalSupplyShares: 0n, totalBorrowShares: 0n, fee: 0n }
  return { totalSupplyAssets, totalBorrowAssets, lastUpdate, ...rest }
}

/** What the model charges a reader who comes so long after the last update. */
async function rate(lent: bigint, elapsed: bigint): Promise<bigint> {
  return irm.read('borrowRateView', [params, market(lent, (await chain.now()) - elapsed)])
}

/** Updates the model as a market would that has not been updated for so long; returns what it was charged. */
async function update(lent: bigint, elapsed: bigint): Promise<{ mean: bigint; end: bigint }> {
  // The block is a second on.
  const args = [params, market(lent, (await chain.now()) + 1n - elapsed)]
  const [event, ...others] = irm.events(await irm.send('borrowRate', args, { from: carol }))
  expect(others).toEqual([])
  const { avgBorrowRate, rateAtTarget, ...rest } = event!.args as Record<string, bigint>
  expect({ ...rest, name: event!.eventName }).toEqual({ id, name: 'BorrowRateUpdate' })
  return { mean: avgBorrowRate!, end: rateAtTarget! }
}

/**
 * The published formulas in plain numbers, per year: the exponential as 2^q (1 + r + r²/2), the mean as that of the beginning,
 * twice the middle, and the end.
 */
function published(start: number, lent: bigint, elapsed: bigint) {
  const utilization = Number(lent) / 1000
  const distance = (utilization - 0.9) / (utilization > 0.9 ? 0.1 : 0.9)
  const moved = (seconds: number) => {
    const x = (50 / Number(year)) * distance * seconds
    const q = Math.round(x / Math.LN2)
    const r = x - q * Math.LN2
    return Math.min(2, Math.max(0.001, start * 2 ** q * (1 + r + (r * r) / 2)))
  }
  const end = moved(Number(elapsed))
  const mean = (start + end + 2 * moved(Number(elapsed) / 2)) / 4
  return { mean: mean * (1 + (distance < 0 ? 0.75 : 3) * distance), end }
}

const perYear = (ratePerSecond: bigint) => Number(ratePerSecond * year) / 1e18

test('default: before its first update a market costs what it does at birth, however long that takes', async () => {
  expect(await irm.read('rateAtTarget', [id])).toBe(0n)
  expect(await rate(0n, 0n)).toBe(birth / 4n)
  expect(await irm.read('borrowRateView', [params, market(0n, 0n, 0n)])).toBe(birth / 4n)
  // Half way to the target: half way from a quarter to the whole.
  expect(await rate(450n, 0n)).toBe((birth * 625n) / 1000n)
  expect(await rate(900n, 0n)).toBe(birth)
  expect(await rate(950n, 0n)).toBe((birth * 25n) / 10n)
  expect(await rate(1000n, 5n * year)).toBe(birth * 4n)
  expect(await update(1000n, 5n * year)).toEqual({ mean: birth * 4n, end: birth })
  expect(await irm.read('rateAtTarget', [id])).toBe(birth)
})

test('default: from then on it moves: fully lent it doubles in five days, empty it halves', async () => {
  await update(900n, 1n)
  const days = 5n * day
  for (const [lent, factor] of [
    [1000n, 2],
    [0n, 0.5],
  ] as const) {
    const before = await chain.request('evm_snapshot')
    const { end } = await update(lent, days)
    expect(perYear(end) / (0.04 * factor)).toBeCloseTo(1, 1)
    // The exponential that it comes close to.
    const exact = 0.04 * Math.exp((lent === 0n ? -50 : 50) * (5 / 365))
    expect(Math.abs(perYear(end) / exact - 1)).toBeLessThan(0.01)
    expect(await irm.read('rateAtTarget', [id])).toBe(end)
    // And from there on.
    const again = await update(lent, days)
    expect(perYear(again.end) / perYear(end) / factor).toBeCloseTo(1, 1)
    await chain.request('evm_revert', [before])
  }
})

test('behavior: the mean and the end are what the published formulas give', async () => {
  await update(900n, 1n)
  for (const lent of [0n, 123n, 660n, 820n, 899n, 901n, 933n, 980n, 1000n])
    for (const elapsed of [1n, 3_600n, day, 20n * day, 93n * day, 2n * year]) {
      const before = await chain.request('evm_snapshot')
      const label = `${lent} of 1000 for ${elapsed} s`
      const view = await rate(lent, elapsed)
      const { mean, end } = await update(lent, elapsed)
      const expected = published(0.04, lent, elapsed)
      expect(view, label).toBe(mean)
      expect(Math.abs(perYear(mean) / expected.mean - 1), label).toBeLessThan(1e-6)
      expect(Math.abs(perYear(end) / expected.end - 1), label).toBeLessThan(1e-6)
      await chain.request('evm_revert', [before])
    }
})

test('behavior: at the target it stands still, whatever time goes by', async () => {
  await update(900n, 1n)
  expect(await update(900n, 3n * year)).toEqual({ mean: birth, end: birth })
})

test('behavior: it stays between 0.1 and 200 % a year, also after longer than anybody waits', async () => {
  const [lowest, highest] = [wad / 1000n / year, (2n * wad) / year]
  await update(900n, 1n)
  const now = await chain.now()
  expect((await update(1000n, now)).end).toBe(highest)
  expect(await update(1000n, year)).toEqual({ mean: highest * 4n, end: highest })
  expect((await update(0n, now)).end).toBe(lowest)
  expect(await update(0n, year)).toEqual({ mean: lowest / 4n, end: lowest })
  // From the bottom back up.
  expect((await update(1000n, 3n * year)).end).toBe(highest)
})

test('behavior: a market of Morpho is charged the mean since its update; who asks before sees just that', async () => {
  const { morpho, markets, borrow, vault, irm: ofMorpho } = lending
  const [first] = markets
  await vault.send('deposit', [1000n * usd, alice], { from: alice })
  await borrow(950n * usd)
  for (const days of [10n, 30n, 1n]) {
    await chain.warp(days * day)
    const [a, b, c, d, lastUpdate, fee] = await morpho.read<bigint[]>('market', [first!.id])
    const sums = { totalSupplyAssets: a, totalSupplyShares: b, totalBorrowAssets: c }
    const asked = await ofMorpho.read('borrowRateView', [
      first!.params,
      { ...sums, totalBorrowShares: d, lastUpdate, fee },
    ])
    // In the second of the question.
    await chain.request('evm_setNextBlockTimestamp', [Number(await chain.now())])
    const receipt = await morpho.send('accrueInterest', [first!.params])
    const [accrued] = parseEventLogs({ abi: morphoAbi, logs: receipt.logs as never })
    expect(accrued!.args.prevBorrowRate).toBe(asked)
    const [updated] = ofMorpho.events(receipt)
    expect(updated!.args).toMatchObject({ id: first!.id, avgBorrowRate: asked })
  }
})

test('error: nobody but Morpho moves rates', async () => {
  const args = [params, market(900n, 0n)]
  expect(await irm.failure('borrowRate', args, { from: bob })).toBe('Error(not Morpho)')
  expect(await chain.deployFailure('AdaptiveIrm', [zeroAddress])).toBe('Error(zero address)')
})
