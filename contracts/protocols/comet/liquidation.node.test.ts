import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { alice, bob, carol, startTestChain, type TestChain } from '../testChain.js'
import { deployMarket, ether, type Market, usdc } from './market.js'

let chain: TestChain
let market: Market
let snapshot: unknown

beforeAll(async () => {
  chain = await startTestChain()
  market = await deployMarket(chain)
  const { comet, usdc: base, weth, wbtc } = market
  await comet.send('supply', [base.address, usdc('1000000')], { from: alice })
  await comet.send('supply', [weth.address, ether('10')], { from: bob })
  await comet.send('supply', [wbtc.address, 10_000_000n], { from: bob })
  // 30,000 and 9,000 USD at 80 % carry 31,200.
  await comet.send('withdraw', [base.address, usdc('31000')], { from: bob })
})
beforeEach(async () => {
  snapshot = await chain.request('evm_snapshot')
})
afterEach(() => chain.request('evm_revert', [snapshot]))
afterAll(() => chain.stop())

test('error: a sound account is not absorbed, and neither are others with it', async () => {
  const { comet } = market
  expect(await comet.read('isLiquidatable', [bob])).toBe(false)
  expect(await comet.failure('absorb', [carol, [bob]])).toBe('NotLiquidatable()')
  await market.setPrice('WETH', 2500n)
  expect(await comet.failure('absorb', [carol, [bob, alice]])).toBe('NotLiquidatable()')
})

test('error: nothing is for sale while the reserves are full', async () => {
  await market.usdc.send('mint', [market.comet.address, usdc('6000')])
  expect(await buyFailure(0n, usdc('1'))).toBe('NotForSale()')
})

test('error: less collateral than wanted, more than there is', async () => {
  const quoted = await market.comet.read('quoteCollateral', [market.weth.address, usdc('100')])
  expect(await buyFailure(quoted + 1n, usdc('100'))).toBe('TooMuchSlippage()')
  // Bob's collateral is his as long as he is not absorbed.
  expect(await buyFailure(0n, usdc('100'))).toBe('InsufficientReserves()')
})

test('error: a price of nothing is no price', async () => {
  const feed = await chain.deploy('ConstantFeed', [0n, 8, 'nothing'])
  expect(await market.comet.failure('getPrice', [feed.address])).toBe('BadPrice()')
})

test('default: absorbing seizes all collateral and turns its value into base', async () => {
  const { comet, weth, wbtc } = market
  await market.setPrice('WETH', 2800n)
  expect(await comet.read('isBorrowCollateralized', [bob])).toBe(false)
  expect(await comet.read('isLiquidatable', [bob])).toBe(false)
  await market.setPrice('WETH', 2700n)
  expect(await comet.read('isLiquidatable', [bob])).toBe(true)

  const principal = await principalOfBob()
  const receipt = await comet.send('absorb', [carol, [bob]])
  // 27,000 and 9,000 USD at the liquidation factor of 90 %: 32,400 for a debt of about 31,000.
  const debt = await debtOf(principal)
  const credit = usdc('32400')
  const left = await comet.read('balanceOf', [bob])
  expect(credit - debt - left).toBeGreaterThanOrEqual(0n)
  expect(credit - debt - left).toBeLessThanOrEqual(2n)
  expect(comet.events(receipt).slice(0, 3)).toEqual([
    seized(weth.address, ether('10'), 27_000n),
    seized(wbtc.address, 10_000_000n, 9_000n),
    {
      eventName: 'AbsorbDebt',
      args: { absorber: carol, borrower: bob, basePaidOut: credit, usdValue: 32_400n * 10n ** 8n },
    },
  ])
  expect(await comet.read('borrowBalanceOf', [bob])).toBe(0n)
  expect(await comet.read('collateralBalanceOf', [bob, weth.address])).toBe(0n)
  expect((await comet.read<[bigint, bigint, bigint, number]>('userBasic', [bob]))[3]).toBe(0)
  expect(await comet.read('getCollateralReserves', [weth.address])).toBe(ether('10'))
  expect(await comet.read('totalsCollateral', [weth.address])).toEqual([0n, 0n])
  const [absorbs, absorbed] = await comet.read<[number, bigint]>('liquidatorPoints', [carol])
  expect([absorbs, absorbed]).toEqual([1, 1n])
})

test('behavior: a debt above the collateral is forgiven at the cost of the reserves', async () => {
  const { comet } = market
  const before = await comet.read('getReserves')
  await market.setPrice('WETH', 100n)
  await market.setPrice('WBTC', 1_000n)
  const principal = await principalOfBob()
  const receipt = await comet.send('absorb', [carol, [bob]])
  const [, , absorbDebt] = comet.events(receipt)
  const paidOut = (absorbDebt!.args as { basePaidOut: bigint }).basePaidOut
  expect(paidOut).toBe(await debtOf(principal))
  expect(await comet.read('balanceOf', [bob])).toBe(0n)
  expect(await comet.read('borrowBalanceOf', [bob])).toBe(0n)
  expect(await comet.read('totalBorrow')).toBe(0n)
  expect(await comet.read('getReserves')).toBeLessThan(before - usdc('30999'))
})

test('behavior: time alone can make an account liquidatable, once interest is accrued', async () => {
  const { comet } = market
  await chain.warp(86_400n * 365n * 5n)
  expect(await comet.read('isLiquidatable', [bob])).toBe(false)
  await comet.send('accrueAccount', [bob])
  expect(await comet.read('isLiquidatable', [bob])).toBe(true)
})

test('behavior: seized collateral is sold at the quoted discount', async () => {
  const { comet, weth } = market
  await market.setPrice('WETH', 2700n)
  await comet.send('absorb', [carol, [bob]])
  // Half of the 10 % penalty off 2,700 USD: 2,565.
  const quoted = await comet.read('quoteCollateral', [weth.address, usdc('2565')])
  expect(quoted).toBe(ether('1'))
  const before = await weth.read('balanceOf', [alice])
  const args = [weth.address, ether('1'), usdc('2565'), alice]
  const receipt = await comet.send('buyCollateral', args, { from: carol })
  expect(comet.events(receipt)).toEqual([
    {
      eventName: 'BuyCollateral',
      args: {
        buyer: carol,
        asset: weth.address,
        baseAmount: usdc('2565'),
        collateralAmount: ether('1'),
      },
    },
  ])
  expect(await weth.read('balanceOf', [alice])).toBe(before + ether('1'))
  expect(await comet.read('getCollateralReserves', [weth.address])).toBe(ether('9'))
  expect(await buyFailure(0n, usdc('30000'))).toBe('InsufficientReserves()')
})

/** Bob's debt when he was absorbed in the latest block: his principal before, at the index of that block. */
async function debtOf(principalBefore: bigint): Promise<bigint> {
  const [, borrowIndex] = await market.comet.read<[bigint, bigint]>('totalsBasic')
  return (-principalBefore * borrowIndex) / 10n ** 15n
}

async function principalOfBob(): Promise<bigint> {
  return (await market.comet.read<[bigint]>('userBasic', [bob]))[0]
}

function seized(asset: string, amount: bigint, usd: bigint) {
  return {
    eventName: 'AbsorbCollateral',
    args: {
      absorber: carol,
      borrower: bob,
      asset,
      collateralAbsorbed: amount,
      usdValue: usd * 10n ** 8n,
    },
  }
}

function buyFailure(minimum: bigint, baseAmount: bigint): Promise<string> {
  const args = [market.weth.address, minimum, baseAmount, carol]
  return market.comet.failure('buyCollateral', args, { from: carol })
}
