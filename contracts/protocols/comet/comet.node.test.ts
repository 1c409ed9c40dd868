import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  admin,
  alice,
  bob,
  carol,
  maxUint256,
  startTestChain,
  type TestChain,
} from '../testChain.js'
import { deployMarket, ether, type Market, usdc } from './market.js'

let chain: TestChain
let market: Market
let base: string
let weth: string
let snapshot: unknown

beforeAll(async () => {
  chain = await startTestChain()
  market = await deployMarket(chain)
  base = market.usdc.address
  weth = market.weth.address
  await as(alice, 'supply', base, usdc('1000000'))
})
beforeEach(async () => {
  snapshot = await chain.request('evm_snapshot')
})
afterEach(() => chain.request('evm_revert', [snapshot]))
afterAll(() => chain.stop())

test('error: an asset that is not in the market, with the reason that its way gives', async () => {
  const { comp, comet } = market
  const at = comet.address
  // It is taken in before the market looks for it, and of what nobody put in there is nothing to take out.
  expect(await failureAs(alice, 'supply', comp.address, 1n)).toBe(
    `ERC20InsufficientAllowance(${at}, 0, 1)`,
  )
  await comp.send('mint', [alice, 5n])
  await comp.send('approve', [at, 5n], { from: alice })
  expect(await failureAs(alice, 'supply', comp.address, 1n)).toBe('BadAsset()')
  expect(await failureAs(alice, 'withdraw', comp.address, 1n)).toBe('Panic(17)')
  expect(await failureAs(alice, 'withdraw', comp.address, 0n)).toBe('BadAsset()')
  expect(await failureAs(alice, 'transferAsset', bob, comp.address, 1n)).toBe('Panic(17)')
  expect(await failureAs(alice, 'transferAsset', bob, comp.address, 0n)).toBe('BadAsset()')
  expect(await failureAs(alice, 'buyCollateral', comp.address, 0n, 1n, alice)).toBe('BadAsset()')
  expect(await failureAs(alice, 'quoteCollateral', comp.address, 1n)).toBe('BadAsset()')
  // What somebody sent there by mistake is nobody's, and is not paid out either.
  await comp.send('transfer', [at, 5n], { from: alice })
  expect(await comet.read('getCollateralReserves', [comp.address])).toBe(5n)
  expect(await failureAs(alice, 'withdraw', comp.address, 5n)).toBe('Panic(17)')
})

test('error: an address without a token', async () => {
  await expect(as(alice, 'supply', carol, 1n)).rejects.toThrow()
  expect(await failureAs(alice, 'withdraw', carol, 1n)).toBe('Panic(17)')
})

test('error: numbers that do not fit', async () => {
  const { address } = market.weth
  expect(await failureAs(alice, 'supply', address, 2n ** 128n)).toBe('InvalidUInt128()')
  expect(await failureAs(alice, 'withdraw', address, maxUint256)).toBe('InvalidUInt128()')
  expect(await failureAs(alice, 'transferAsset', bob, address, maxUint256)).toBe('InvalidUInt128()')
  expect(await failureAs(alice, 'withdraw', base, 2n ** 255n)).toBe('InvalidInt256()')
  expect(await failureAs(alice, 'withdraw', base, 2n ** 110n)).toBe('InvalidUInt104()')
  expect(await failureAs(alice, 'transfer', bob, 3n * 2n ** 102n)).toBe('InvalidInt104()')
})

test('error: more collateral than the cap, or than there is', async () => {
  await as(bob, 'supply', weth, ether('999'))
  expect(await failureAs(carol, 'supply', weth, ether('1') + 1n)).toBe('SupplyCapExceeded()')
  await as(carol, 'supply', weth, ether('1'))
  // Arithmetic underflow, as in the original.
  expect(await failureAs(carol, 'withdraw', weth, ether('2'))).toBe('Panic(17)')
  expect(await failureAs(carol, 'transferAsset', bob, weth, ether('2'))).toBe('Panic(17)')
})

test('error: a token that is not approved or not there speaks for itself', async () => {
  await market.usdc.send('approve', [market.comet.address, 5n], { from: carol })
  const failure = await failureAs(carol, 'supply', base, 6n)
  expect(failure).toBe(`ERC20InsufficientAllowance(${market.comet.address}, 5, 6)`)
})

test('error: a debt that the collateral does not carry', async () => {
  await as(bob, 'supply', weth, ether('1'))
  // 3,000 USD at 80 %.
  expect(await failureAs(bob, 'withdraw', base, usdc('2400.000001'))).toBe('NotCollateralized()')
  await as(bob, 'withdraw', base, usdc('2400'))
  expect(await failureAs(bob, 'withdraw', base, usdc('100'))).toBe('NotCollateralized()')
  expect(await failureAs(bob, 'withdraw', weth, 1n)).toBe('NotCollateralized()')
  expect(await failureAs(bob, 'transferAsset', carol, weth, 1n)).toBe('NotCollateralized()')
  expect(await failureAs(bob, 'transfer', carol, usdc('1'))).toBe('NotCollateralized()')
  expect(await failureAs(carol, 'withdraw', base, usdc('100'))).toBe('NotCollateralized()')
})

test('error: a debt too small to bother', async () => {
  await as(bob, 'supply', weth, ether('1'))
  expect(await failureAs(bob, 'withdraw', base, usdc('99.999999'))).toBe('BorrowTooSmall()')
  expect(await failureAs(bob, 'transfer', carol, usdc('99.999999'))).toBe('BorrowTooSmall()')
  await as(bob, 'withdraw', base, usdc('100'))
})

test('error: more base than the market holds', async () => {
  await as(bob, 'supply', weth, ether('1000'))
  const failure = await failureAs(bob, 'withdraw', base, usdc('1000001'))
  expect(failure).toBe(
    `ERC20InsufficientBalance(${market.comet.address}, ${usdc('1000000')}, ${usdc('1000001')})`,
  )
})

test('error: acting for another without permission', async () => {
  expect(await failureAs(bob, 'supplyFrom', alice, bob, base, 1n)).toBe('Unauthorized()')
  expect(await failureAs(bob, 'withdrawFrom', alice, bob, base, 1n)).toBe('Unauthorized()')
  expect(await failureAs(bob, 'transferFrom', alice, bob, 1n)).toBe('Unauthorized()')
  expect(await failureAs(bob, 'transferAssetFrom', alice, bob, base, 1n)).toBe('Unauthorized()')
})

test('error: to oneself, and an allowance that is neither all nor nothing', async () => {
  expect(await failureAs(alice, 'transfer', alice, 1n)).toBe('NoSelfTransfer()')
  expect(await failureAs(alice, 'approve', bob, 5n)).toBe('BadAmount()')
})

test('error: only the governor governs', async () => {
  const flags = [true, true, true, true, true]
  expect(await market.comet.failure('pause', flags, { from: alice })).toBe('Unauthorized()')
  expect(await failureAs(alice, 'withdrawReserves', alice, 0n)).toBe('Unauthorized()')
  expect(await failureAs(alice, 'approveThis', alice, base, 1n)).toBe('Unauthorized()')
  expect(await failureAs(admin, 'withdrawReserves', admin, 1n)).toBe('InsufficientReserves()')
})

test('error: what is paused does not run, the rest does', async () => {
  const actions = [
    ['supply', base, 1n],
    ['transfer', bob, 1n],
    ['withdraw', base, 1n],
    ['absorb', bob, []],
    ['buyCollateral', weth, 0n, 1n, alice],
  ] as const
  const getters = [
    'isSupplyPaused',
    'isTransferPaused',
    'isWithdrawPaused',
    'isAbsorbPaused',
    'isBuyPaused',
  ]
  // Something in reserve to buy.
  await market.weth.send('mint', [market.comet.address, ether('1')])
  for (const i of actions.keys()) {
    const flags = actions.map((_, j) => i === j)
    await market.comet.send('pause', flags)
    for (const [j, [verb, ...args]] of actions.entries()) {
      if (i === j) expect(await failureAs(alice, verb, ...args)).toBe('Paused()')
      else await as(alice, verb, ...args)
    }
    expect(await Promise.all(getters.map((getter) => market.comet.read(getter)))).toEqual(flags)
  }
})

test('default: supply and withdraw move base and say so', async () => {
  const supplied = await as(bob, 'supply', base, usdc('500'))
  const [index] = await market.comet.read<[bigint]>('totalsBasic')
  const minted = (((usdc('500') * 10n ** 15n) / index) * index) / 10n ** 15n
  const nobody = '0x0000000000000000000000000000000000000000'
  expect(market.comet.events(supplied)).toEqual([
    { eventName: 'Supply', args: { from: bob, dst: bob, amount: usdc('500') } },
    { eventName: 'Transfer', args: { from: nobody, to: bob, amount: minted } },
  ])
  const withdrawn = await as(bob, 'withdrawTo', carol, base, usdc('200'))
  expect(market.comet.events(withdrawn)[0]).toEqual({
    eventName: 'Withdraw',
    args: { src: bob, to: carol, amount: usdc('200') },
  })
  const balance = await market.comet.read('balanceOf', [bob])
  expect(usdc('300') - balance).toBeLessThanOrEqual(2n)
  expect(balance).toBeLessThanOrEqual(usdc('300'))
  expect(await market.usdc.read('balanceOf', [carol])).toBe(ether('1000000') + usdc('200'))
})

test('behavior: collateral is counted per account and in all, and carries no interest', async () => {
  const supplied = await as(bob, 'supplyTo', carol, weth, ether('2'))
  expect(market.comet.events(supplied)).toEqual([
    {
      eventName: 'SupplyCollateral',
      args: { from: bob, dst: carol, asset: weth, amount: ether('2') },
    },
  ])
  await as(bob, 'supply', weth, ether('3'))
  await as(bob, 'supply', market.wbtc.address, 5n)
  await chain.warp(86_400n * 365n)
  expect(await market.comet.read('collateralBalanceOf', [carol, weth])).toBe(ether('2'))
  expect(await market.comet.read('totalsCollateral', [weth])).toEqual([ether('5'), 0n])
  expect(await assetsIn(bob)).toBe(0b11)

  const moved = await as(bob, 'transferAsset', carol, weth, ether('3'))
  expect(market.comet.events(moved)).toEqual([
    {
      eventName: 'TransferCollateral',
      args: { from: bob, to: carol, asset: weth, amount: ether('3') },
    },
  ])
  expect([await assetsIn(bob), await assetsIn(carol)]).toEqual([0b10, 0b01])
  const withdrawn = await as(carol, 'withdraw', weth, ether('5'))
  expect(market.comet.events(withdrawn)).toEqual([
    {
      eventName: 'WithdrawCollateral',
      args: { src: carol, to: carol, asset: weth, amount: ether('5') },
    },
  ])
  expect(await assetsIn(carol)).toBe(0)
  expect(await market.comet.read('getCollateralReserves', [weth])).toBe(0n)
})

test('behavior: withdrawing past zero borrows, supplying past zero repays and supplies', async () => {
  await as(bob, 'supply', weth, ether('10'))
  await as(bob, 'supply', base, usdc('1000'))
  await as(bob, 'withdraw', base, usdc('3000'))
  const debt = await market.comet.read('borrowBalanceOf', [bob])
  expect(debt - usdc('2000')).toBeLessThanOrEqual(2n)
  expect(await market.comet.read('balanceOf', [bob])).toBe(0n)
  await as(alice, 'supplyTo', bob, base, usdc('2500'))
  const balance = await market.comet.read('balanceOf', [bob])
  expect(usdc('500') - balance).toBeLessThanOrEqual(5n)
  expect(await market.comet.read('borrowBalanceOf', [bob])).toBe(0n)
})

test('behavior: a transfer of base moves supply, borrows and repays', async () => {
  await as(bob, 'supply', weth, ether('10'))
  await as(bob, 'withdraw', base, usdc('1000'))
  await as(carol, 'supply', weth, ether('10'))
  await as(alice, 'transfer', bob, usdc('400'))
  expect(await market.comet.read('borrowBalanceOf', [bob])).toBeLessThan(usdc('600.01'))
  await as(carol, 'transferAsset', bob, base, usdc('700'))
  expect(await market.comet.read('borrowBalanceOf', [carol])).toBeGreaterThanOrEqual(usdc('700'))
  expect(await market.comet.read('balanceOf', [bob])).toBeGreaterThan(usdc('99.99'))
  const all = await market.comet.read('balanceOf', [alice])
  await as(alice, 'transfer', carol, maxUint256)
  expect(await market.comet.read('balanceOf', [alice])).toBe(0n)
  expect(await market.comet.read('balanceOf', [carol])).toBeGreaterThan(all - usdc('701'))
})

test('behavior: a manager may do everything, until no longer allowed', async () => {
  await as(alice, 'allow', bob, true)
  expect(await market.comet.read('allowance', [alice, bob])).toBe(maxUint256)
  expect(await market.comet.read('hasPermission', [alice, bob])).toBe(true)
  await as(bob, 'withdrawFrom', alice, carol, base, usdc('1'))
  await as(bob, 'transferFrom', alice, bob, usdc('1'))
  await as(bob, 'supplyFrom', alice, bob, base, usdc('1'))
  await as(alice, 'approve', bob, 0n)
  expect(await market.comet.read('allowance', [alice, bob])).toBe(0n)
  expect(await failureAs(bob, 'withdrawFrom', alice, bob, base, 1n)).toBe('Unauthorized()')
  await as(alice, 'approve', bob, maxUint256)
  expect(await market.comet.read('isAllowed', [alice, bob])).toBe(true)
})

test('behavior: the governor takes reserves and lets tokens be spent', async () => {
  await market.usdc.send('mint', [market.comet.address, usdc('1000')])
  await as(admin, 'withdrawReserves', carol, usdc('999'))
  expect(await market.usdc.read('balanceOf', [carol])).toBe(ether('1000000') + usdc('999'))
  await as(admin, 'approveThis', bob, market.comp.address, 7n)
  expect(await market.comp.read('allowance', [market.comet.address, bob])).toBe(7n)
})

test('behavior: it describes itself', async () => {
  const getters = ['name', 'symbol', 'decimals', 'baseScale', 'numAssets', 'baseToken', 'governor']
  const described = await Promise.all(getters.map((getter) => market.comet.read<unknown>(getter)))
  expect(described).toEqual(['Compound USDC', 'cUSDCv3', 6, 1_000_000n, 2, base, admin])
  const { asset, scale, offset, supplyCap } = await market.comet.read<{
    asset: string
    scale: bigint
    offset: number
    supplyCap: bigint
  }>('getAssetInfoByAddress', [market.wbtc.address])
  expect({ asset, scale, offset, supplyCap }).toEqual({
    asset: market.wbtc.address,
    scale: 10n ** 8n,
    offset: 1,
    supplyCap: 10_00000000n,
  })
})

function as(from: `0x${string}`, verb: string, ...args: readonly unknown[]) {
  return market.comet.send(verb, args, { from })
}

function failureAs(from: `0x${string}`, verb: string, ...args: readonly unknown[]) {
  return market.comet.failure(verb, args, { from })
}

async function assetsIn(account: string): Promise<number> {
  return (await market.comet.read<[bigint, bigint, bigint, number]>('userBasic', [account]))[3]
}
