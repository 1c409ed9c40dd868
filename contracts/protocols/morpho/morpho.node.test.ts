import type { Address } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { admin, alice, bob, startTestChain, symbolKey, type TestChain } from '../testChain.js'
import { deployLending, type Lending, usd, wad, year } from './market.js'

let chain: TestChain
let lending: Lending
let hub: Lending['hub']
let usdc: Lending['usdc']
let vault: Lending['vault']

beforeEach(async () => {
  chain = await startTestChain()
  lending = await deployLending(chain)
  ;({ hub, usdc, vault } = lending)
})
afterEach(() => chain.stop())

test('default: an oracle answers at the scale of its tokens, rounded down', async () => {
  const [ofWeth, ofWbtc] = await Promise.all(
    (['ETH', 'WBTC'] as const).map((symbol) =>
      lending.deployOracle(symbol, 'USDC', symbol === 'ETH' ? 18 : 8),
    ),
  )
  expect(await ofWeth!.read('price')).toBe(3000n * 10n ** 24n)
  expect(await ofWbtc!.read('price')).toBe(90_000n * 10n ** 34n)
  await hub.send('setPrice', [symbolKey('USDC'), 3_00000007n])
  expect(await ofWeth!.read('price')).toBe((3000_00000000n * 10n ** 24n) / 3_00000007n)
})

test('behavior: an oracle without quote takes the loan for a dollar', async () => {
  await hub.send('setPrice', [symbolKey('USDC'), 50000000n])
  const oracle = await lending.deployOracle('ETH', undefined, 18)
  expect(await oracle.read('price')).toBe(3000n * 10n ** 24n)
})

test('error: an oracle for a symbol without price', async () => {
  const oracle = await lending.deployOracle('GONE', undefined, 18)
  expect(await oracle.failure('price')).toBe(`UnknownSymbol(${symbolKey('GONE')})`)
})

test('behavior: deposits fill the markets in order up to their caps', async () => {
  await vault.send('deposit', [600n * usd, alice], { from: alice })
  await vault.send('deposit', [900n * usd, bob], { from: bob })
  expect(await lending.lent()).toEqual([1000n * usd, 500n * usd])
  expect(await vault.read('balanceOf', [alice])).toBe(600n * wad)
  expect(await vault.read('totalAssets')).toBe(1500n * usd)
  expect(await vault.read('maxDeposit', [bob])).toBe(500n * usd)
  expect(await vault.read('config', [lending.markets[0]!.id])).toEqual([1000n * usd, true, 0n])
  expect(await vault.read('config', [`0x${'11'.repeat(32)}`])).toEqual([0n, false, 0n])
})

test('error: a deposit beyond the caps', async () => {
  expect(await vault.failure('deposit', [2001n * usd, alice], { from: alice })).toBe(
    'AllCapsReached()',
  )
})

test('behavior: interest belongs to the shares, and a withdrawal takes from the markets in order', async () => {
  await vault.send('deposit', [1500n * usd, alice], { from: alice })
  await lending.borrow(900n * usd)
  await chain.warp(year)
  const before = await vault.read('totalAssets')
  // 900 lent at 4 % for a year: e^0.04 - 1.
  expect(before - 1500n * usd).toBeGreaterThan((36_7n * usd) / 10n)
  expect(before - 1500n * usd).toBeLessThan((36_8n * usd) / 10n)
  await vault.send('withdraw', [400n * usd, alice, alice], { from: alice })
  const [first, second] = await lending.lent()
  // The first market had 100 in cash; the rest came from the second.
  expect(second).toBe(200n * usd)
  expect(first! + second! + 400n * usd).toBeGreaterThanOrEqual(before - 2n)
  expect(await usdc.read('balanceOf', [alice])).toBe(8900n * usd)
})

test('error: more is to be withdrawn than the markets have in cash', async () => {
  await vault.send('deposit', [1000n * usd, alice], { from: alice })
  await lending.borrow(900n * usd)
  expect(await vault.read('maxWithdraw', [alice])).toBe(100n * usd)
  const failure = await vault.failure('withdraw', [101n * usd, alice, alice], { from: alice })
  expect(failure).toBe('NotEnoughLiquidity()')
  await vault.send('withdraw', [100n * usd, alice, alice], { from: alice })
})

test('error: a market that lends another token than the vault has', async () => {
  const { markets, weth, morpho } = lending
  const { id } = markets[0]!
  const args = [admin, weth.address, 'Vault', 'vWETH', morpho.address, [{ id, cap: 1n }]]
  expect(await chain.deployFailure('MorphoVault', args)).toBe(`InconsistentAsset(${id})`)
})

test('behavior: one who leaves does not take from one who stays', async () => {
  await vault.send('deposit', [500n * usd, alice], { from: alice })
  await vault.send('deposit', [500n * usd, bob], { from: bob })
  await lending.borrow(400n * usd)
  await chain.warp(100n * 86_400n)
  const share = await vault.read('convertToAssets', [await vault.read('balanceOf', [bob])])
  await vault.send('redeem', [await vault.read('balanceOf', [alice]), alice, alice], {
    from: alice,
  })
  const left = await vault.read('convertToAssets', [await vault.read('balanceOf', [bob])])
  expect(left).toBeGreaterThanOrEqual(share)
})

test('behavior: a vault counts how long each account held which part of it', async () => {
  const second = 10n ** 18n
  const timeOf = (account: Address) => vault.read('shareTimeOf', [account])
  // Shares per asset stay as they are: nothing is borrowed, so nothing is earned but time.
  const shares = await vault.read('previewDeposit', [100n * usd])
  await vault.send('deposit', [100n * usd, alice], { from: alice })
  const start = await chain.now()
  await chain.warp(99n)
  await vault.send('deposit', [300n * usd, bob], { from: bob })
  const joined = await chain.now()
  // Up to here alice had all of it. The index of seconds per share has 36 digits, which loses less than a second's 1e-9.
  expect(await timeOf(alice)).toBe((joined - start) * second)
  expect(await timeOf(bob)).toBe(0n)
  await chain.warp(40n)
  expect(await timeOf(alice)).toBe((joined - start + 10n) * second)
  expect(await timeOf(bob)).toBe(30n * second)

  await vault.send('transfer', [bob, shares], { from: alice })
  const left = await chain.now()
  await chain.warp(1000n)
  const part = ((left - joined) * second) / 4n
  expect(await timeOf(alice)).toBe((joined - start) * second + part)
  expect(await timeOf(bob)).toBe(3n * part + 1000n * second)
  // Coming back earns anew, and what was earned stays.
  await vault.send('redeem', [4n * shares, bob, bob], { from: bob })
  const empty = await chain.now()
  await chain.warp(500n)
  await vault.send('deposit', [100n * usd, alice], { from: alice })
  await chain.warp(7n)
  expect(await timeOf(alice)).toBe((joined - start + 7n) * second + part)
  expect(await timeOf(bob)).toBe(3n * part + (empty - left) * second)
})
