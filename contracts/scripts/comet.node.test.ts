import type { Address } from 'viem'
import { encodeFunctionData, parseUnits } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SignedOperation } from '../../src/chain/wallet/wallet.js'
import type { CometMarket } from '../../src/deployments/markets.js'
import { cometAbi, cometSupplyAbi, cometWithdrawAbi, tokenAbi } from '../../src/generated/abis.js'
import { svcAddresses } from '../../src/generated/svc.js'
import { execute, operation, person, revertOf, startWalletWorld, type WalletWorld } from '../kit.js'

const { scripts } = svcAddresses
const maxUint256 = 2n ** 256n - 1n
const usdc = (amount: string) => parseUnits(amount, 6)
let world: WalletWorld
let market: CometMarket

beforeAll(async () => {
  world = await startWalletWorld('base')
  market = world.book.comets.find((comet) => comet.baseSymbol === 'USDC')!
})
afterAll(() => world.stop())

test('error: supplying more than the wallet holds', async () => {
  const alice = person(80)
  await world.fund(alice.wallet, 'USDC', 5n)
  expect(await revertOf(execute(world, alice, supply(6n)))).toBe(
    'ERC20: transfer amount exceeds balance',
  )
})

test('error: an asset that the market does not know', async () => {
  const alice = person(81)
  const stranger = world.book.tokens.find(
    ({ native, address }) =>
      !native &&
      address !== market.baseToken &&
      market.collaterals.every(({ asset }) => asset !== address),
  )!
  await world.fund(alice.wallet, stranger.symbol, 5n)
  expect(await revertOf(execute(world, alice, supply(5n, false, stranger.address)))).toBe(
    'BadAsset()',
  )
})

test('error: withdrawing what was never supplied would be borrowing without collateral', async () => {
  const alice = person(82)
  expect(await revertOf(execute(world, alice, withdraw(usdc('200'))))).toBe('NotCollateralized()')
  await world.fund(alice.wallet, 'USDC', usdc('5'))
  await execute(world, alice, supply(usdc('5')))
  expect(await revertOf(execute(world, alice, withdraw(usdc('6'))))).toBe('NotCollateralized()')
})

test('default: the base asset goes in and comes out', async () => {
  const alice = person(83)
  await world.fund(alice.wallet, 'USDC', usdc('1000'))
  await execute(world, alice, supply(usdc('600')))
  expect(await world.balance(alice.wallet, 'USDC')).toBe(usdc('400'))
  const supplied = await position(alice.wallet)
  // The market rounds down twice: to shares of slightly more than a smallest unit, and back.
  expect(usdc('600') - supplied).toBeLessThanOrEqual(2n)
  await execute(world, alice, withdraw(usdc('100')))
  expect(await world.balance(alice.wallet, 'USDC')).toBe(usdc('500'))
})

test('behavior: the largest amount withdraws the whole position with its interest', async () => {
  const alice = person(84)
  await world.fund(alice.wallet, 'USDC', usdc('1000'))
  await execute(world, alice, supply(usdc('1000')))
  await world.request('evm_increaseTime', [30 * 86_400])
  await world.request('evm_mine')
  await execute(world, alice, withdraw(maxUint256))
  expect(await position(alice.wallet)).toBe(0n)
  expect(await world.balance(alice.wallet, 'USDC')).toBeGreaterThan(usdc('1000'))
})

test('behavior: capped, it is the amount or, when the wallet holds less, everything', async () => {
  const alice = person(85)
  await world.fund(alice.wallet, 'USDC', usdc('10'))
  await execute(world, alice, supply(usdc('6'), true))
  expect(await world.balance(alice.wallet, 'USDC')).toBe(usdc('4'))
  await execute(world, alice, supply(maxUint256, true))
  expect(await world.balance(alice.wallet, 'USDC')).toBe(0n)
  expect(await read(market.baseToken, 'allowance', [alice.wallet, market.address])).toBe(0n)
})

test('behavior: a collateral asset goes in and comes out', async () => {
  const alice = person(86)
  const { asset, symbol } = market.collaterals[0]!
  const inside = () => read(market.address, 'collateralBalanceOf', [alice.wallet, asset])
  await world.fund(alice.wallet, symbol, 1000n)
  await execute(world, alice, supply(900n, false, asset))
  expect(await inside()).toBe(900n)
  await execute(world, alice, withdraw(400n, asset))
  expect(await inside()).toBe(500n)
  expect(await world.balance(alice.wallet, symbol)).toBe(500n)
})

function supply(amount: bigint, cappedMax = false, asset = market.baseToken): SignedOperation {
  const args = [market.address, asset, amount, cappedMax] as const
  const call = { abi: cometSupplyAbi, functionName: 'supply', args } as const
  return operation(scripts.cometSupply, encodeFunctionData(call))
}

function withdraw(amount: bigint, asset = market.baseToken): SignedOperation {
  const args = [market.address, asset, amount] as const
  const call = { abi: cometWithdrawAbi, functionName: 'withdraw', args } as const
  return operation(scripts.cometWithdraw, encodeFunctionData(call))
}

function position(wallet: Address): Promise<bigint> {
  return read(market.address, 'balanceOf', [wallet])
}

async function read(to: Address, functionName: string, args: readonly Address[]): Promise<bigint> {
  const abi = [...cometAbi, ...tokenAbi] as readonly unknown[]
  return BigInt(await world.call(to, encodeFunctionData({ abi, functionName, args })))
}
