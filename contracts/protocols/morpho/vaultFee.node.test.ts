import { zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  admin,
  alice,
  bob,
  carol,
  maxUint256,
  startTestChain,
  symbolKey,
  type TestChain,
} from '../testChain.js'
import { day, deployLending, type Lending, usd, wad } from './market.js'

/** A vault that keeps a part of its interest for carol. */
let chain: TestChain
let lending: Lending
let vault: Lending['vault']
let snapshot: unknown

const fifth = wad / 5n
/** Shares have twelve digits more than USDC. */
const virtual = 10n ** 12n

beforeAll(async () => {
  chain = await startTestChain()
  lending = await deployLending(chain)
  vault = lending.vault
})
beforeEach(async () => {
  snapshot = await chain.request('evm_snapshot')
})
afterEach(() => chain.request('evm_revert', [snapshot]))
afterAll(() => chain.stop())

const sharesOf = (account: string) => vault.read('balanceOf', [account])
const worthOf = async (account: string) => vault.read('convertToAssets', [await sharesOf(account)])

/** Carol is to have a fifth; alice has put 1000 in, and 900 of them are lent. */
async function feeAndInterest(fee = fifth): Promise<void> {
  await vault.send('setFeeRecipient', [carol])
  await vault.send('setFee', [fee])
  await vault.send('deposit', [1000n * usd, alice], { from: alice })
  await lending.borrow(900n * usd)
  await chain.warp(100n * day)
}

test('default: a fifth of the interest is the recipient’s, and each side could have it at any time', async () => {
  await feeAndInterest()
  const total = await vault.read('totalAssets')
  const interest = total - 1000n * usd
  expect(interest).toBeGreaterThan(9n * usd)
  // Counted before it is given: nobody has carol's shares yet, and alice's are worth no more than her part.
  const worth = await worthOf(alice)
  expect(near(worth - 1000n * usd, (interest * 4n) / 5n)).toBe(true)
  expect(await sharesOf(carol)).toBe(0n)

  await vault.send('deposit', [usd, bob], { from: bob })
  const kept = await worthOf(carol)
  const now = await vault.read('totalAssets')
  const earned = now - 1001n * usd
  expect(near(kept, earned / 5n)).toBe(true)
  expect(near(await worthOf(alice), 1000n * usd + (earned * 4n) / 5n)).toBe(true)
  // They are shares like any other.
  await vault.send('redeem', [await sharesOf(carol), carol, carol], { from: carol })
  expect(near(await lending.usdc.read('balanceOf', [carol]), kept)).toBe(true)
})

test('default: every deposit and withdrawal tells what has accrued, and what there is afterwards', async () => {
  await feeAndInterest()
  const last = await vault.read('lastTotalAssets')
  const supply = await vault.read('totalSupply')
  expect(last).toBe(1000n * usd)
  const deposit = await vault.send('deposit', [100n * usd, bob], { from: bob })
  const events = vault.events(deposit)
  const [, , minted, accrued] = events
  const { newTotalAssets: total, feeShares } = accrued!.args as Record<string, bigint>
  const feeAssets = ((total! - last) * fifth) / wad
  expect(feeShares).toBe((feeAssets * (supply + virtual)) / (total! - feeAssets + 1n))
  expect(minted).toEqual({
    eventName: 'Transfer',
    args: { from: zeroAddress, to: carol, value: feeShares },
  })
  expect(events.map(({ eventName }) => eventName)).toEqual([
    'UpdateLastTotalAssets',
    'UpdateLostAssets',
    'Transfer',
    'AccrueInterest',
    'Transfer',
    'Deposit',
    'UpdateLastTotalAssets',
  ])
  const after = total! + 100n * usd
  expect(events.at(-1)!.args).toEqual({ updatedTotalAssets: after })
  expect(await vault.read('lastTotalAssets')).toBe(after)

  await chain.warp(day)
  const withdrawal = vault.events(
    await vault.send('withdraw', [50n * usd, bob, bob], { from: bob }),
  )
  expect(withdrawal.map(({ eventName }) => eventName)).toEqual([
    'UpdateLastTotalAssets',
    'UpdateLostAssets',
    'Transfer',
    'AccrueInterest',
    'UpdateLastTotalAssets',
    'Transfer',
    'Withdraw',
  ])
  const { newTotalAssets } = withdrawal[3]!.args as Record<string, bigint>
  expect(await vault.read('lastTotalAssets')).toBe(newTotalAssets! - 50n * usd)
})

test('behavior: what is previewed is what happens, whatever has accrued by then', async () => {
  await feeAndInterest()
  const previews = [
    ['deposit', 'previewDeposit', [10n * usd, bob]],
    ['mint', 'previewMint', [10n * wad, bob]],
    ['withdraw', 'previewWithdraw', [10n * usd, alice, alice]],
    ['redeem', 'previewRedeem', [10n * wad, alice, alice]],
  ] as const
  for (const [verb, preview, args] of previews) {
    const from = args[1]
    expect(await vault.read(verb, args, { from }), verb).toBe(await vault.read(preview, [args[0]]))
  }
})

test('behavior: without a fee all interest belongs to the shares, and it is told all the same', async () => {
  await vault.send('deposit', [1000n * usd, alice], { from: alice })
  await lending.borrow(900n * usd)
  await chain.warp(100n * day)
  const total = await vault.read('totalAssets')
  expect(total - (await worthOf(alice))).toBeLessThanOrEqual(1n)
  const events = vault.events(await vault.send('deposit', [usd, bob], { from: bob }))
  const accrued = events.find(({ eventName }) => eventName === 'AccrueInterest')!
  expect((accrued.args as { feeShares: bigint }).feeShares).toBe(0n)
})

test('behavior: a new fee counts from now on, and so does a new recipient', async () => {
  await feeAndInterest()
  const halved = vault.events(await vault.send('setFee', [wad / 2n]))
  expect(halved.map(({ eventName }) => eventName)).toEqual([
    'UpdateLastTotalAssets',
    'UpdateLostAssets',
    'Transfer',
    'AccrueInterest',
    'SetFee',
  ])
  expect(halved.at(-1)!.args).toEqual({ caller: admin, newFee: wad / 2n })
  const first = await worthOf(carol)
  expect(near(first, (await earned()) / 5n)).toBe(true)

  const before = await earned()
  await chain.warp(50n * day)
  const moved = vault.events(await vault.send('setFeeRecipient', [bob]))
  expect(moved.at(-1)).toEqual({
    eventName: 'SetFeeRecipient',
    args: { newFeeRecipient: bob },
  })
  // Her shares of the first hundred days have earned too, less the fee on that.
  const grown = (await earned()) - before
  expect(near(await worthOf(carol), first + grown / 2n + (first * grown) / (2000n * usd))).toBe(
    true,
  )
  expect(await sharesOf(bob)).toBe(0n)
  const held = await sharesOf(carol)
  await chain.warp(50n * day)
  await vault.send('setFee', [0n])
  expect(await sharesOf(carol)).toBe(held)
  expect(await sharesOf(bob)).toBeGreaterThan(0n)
  const last = await sharesOf(bob)
  await chain.warp(50n * day)
  await vault.send('deposit', [usd, alice], { from: alice })
  expect(await sharesOf(bob)).toBe(last)
})

test('behavior: what a market loses stays counted, so that no share falls, and the loss is told', async () => {
  await vault.send('deposit', [1000n * usd, alice], { from: alice })
  await lending.borrow(900n * usd)
  const before = await worthOf(alice)
  const { hub, morpho, markets, usdc } = lending
  // A WETH is worth 100 USDC: seizing all of it leaves bad debt, which the lenders bear.
  await hub.send('setPrices', [[symbolKey('ETH')], [100_00000000n]])
  await usdc.send('approve', [morpho.address, maxUint256], { from: alice })
  await morpho.send('liquidate', [markets[0]!.params, bob, wad, 0n, '0x'], { from: alice })
  const [lent] = await lending.lent()
  expect(lent).toBeLessThan(500n * usd)
  expect(await vault.read('totalAssets')).toBeGreaterThanOrEqual(before)
  expect(await worthOf(alice)).toBe(before)
  expect(await vault.read('lostAssets')).toBe(0n)
  const events = vault.events(await vault.send('deposit', [usd, bob], { from: bob }))
  const lost = events.find(({ eventName }) => eventName === 'UpdateLostAssets')!
  const total = await vault.read('totalAssets')
  expect(lost.args).toEqual({ newLostAssets: await vault.read('lostAssets') })
  expect(total - (await vault.read('lostAssets'))).toBeLessThan(500n * usd)
  // What is there can be had, and no more.
  expect(await vault.read('maxWithdraw', [alice])).toBeLessThan(500n * usd)
})

test('behavior: what may be put in and taken out is rounded down, as the maker’s vaults round it', async () => {
  await feeAndInterest()
  const { markets, morpho } = lending
  const [{ id }] = markets as [(typeof markets)[0]]
  await morpho.send('accrueInterest', [markets[0]!.params])
  await morpho.send('accrueInterest', [markets[1]!.params])
  const [shares] = await morpho.read<bigint[]>('position', [id, vault.address])
  const [assets, supplied] = await morpho.read<bigint[]>('market', [id])
  const up = (shares! * (assets! + 1n) + supplied! + 999_999n) / (supplied! + 1_000_000n)
  // Two markets of 1000 each, of which the second is empty.
  const room = (up < 1000n * usd ? 1000n * usd - up : 0n) + 1000n * usd
  expect(await vault.read('maxDeposit', [bob])).toBe(room)
  expect(await vault.read('maxMint', [bob])).toBe(await vault.read('convertToShares', [room]))
  const out = await vault.read('maxWithdraw', [alice])
  const redeemable = await vault.read('maxRedeem', [alice])
  expect(redeemable).toBe(await vault.read('convertToShares', [out]))
  expect(redeemable).toBeLessThanOrEqual(await sharesOf(alice))
  await vault.read('redeem', [redeemable, alice, alice], { from: alice })
})

test('behavior: all can leave, and nothing is owed to nobody', async () => {
  await feeAndInterest()
  const { morpho, markets } = lending
  const { params, id } = markets[0]!
  const [, debt] = await morpho.read<bigint[]>('position', [id, bob])
  await morpho.send('repay', [params, 0n, debt, bob, '0x'], { from: bob })
  await vault.send('redeem', [await sharesOf(alice), alice, alice], { from: alice })
  await vault.send('redeem', [await sharesOf(carol), carol, carol], { from: carol })
  expect(await vault.read('totalSupply')).toBe(0n)
  expect(await vault.read('totalAssets')).toBeLessThanOrEqual(3n)
})

test('error: what only its owner may set, and may not', async () => {
  const refused = `OwnableUnauthorizedAccount(${alice})`
  expect(await vault.failure('setFee', [fifth], { from: alice })).toBe(refused)
  expect(await vault.failure('setFeeRecipient', [alice], { from: alice })).toBe(refused)
  expect(await vault.failure('setFee', [fifth])).toBe('ZeroFeeRecipient()')
  expect(await vault.failure('setFee', [0n])).toBe('AlreadySet()')
  expect(await vault.failure('setFeeRecipient', [zeroAddress])).toBe('AlreadySet()')
  await vault.send('setFeeRecipient', [carol])
  expect(await vault.failure('setFee', [wad / 2n + 1n])).toBe('MaxFeeExceeded()')
  await vault.send('setFee', [wad / 2n])
  expect(await vault.failure('setFee', [wad / 2n])).toBe('AlreadySet()')
  expect(await vault.failure('setFeeRecipient', [zeroAddress])).toBe('ZeroFeeRecipient()')
  await vault.send('transferOwnership', [alice])
  expect(await vault.read('owner')).toBe(admin)
  await vault.send('acceptOwnership', [], { from: alice })
  await vault.send('setFee', [0n], { from: alice })
})

/** What the vault has beyond what was put in. */
async function earned(): Promise<bigint> {
  return (await vault.read('totalAssets')) - 1000n * usd
}

/** To a ten-thousandth: a second of interest, and rounding. */
function near(a: bigint, b: bigint): boolean {
  const difference = a > b ? a - b : b - a
  return difference * 10_000n <= b + 10_000n
}
