import type { Address } from 'viem'
import { encodeFunctionData, parseUnits } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SignedOperation } from '../../src/chain/wallet/wallet.js'
import type { AaveBook } from '../../src/deployments/protocolBook.js'
import { aaveActionsAbi, iAavePoolAbi, tokenAbi } from '../../src/generated/abis.js'
import { svcAddresses } from '../../src/generated/svc.js'
import { execute, operation, person, revertOf, startWalletWorld, type WalletWorld } from '../kit.js'

const script = svcAddresses.scripts.aaveActions
const maxUint256 = 2n ** 256n - 1n
const usdc = (amount: string) => parseUnits(amount, 6)
let world: WalletWorld
let aave: AaveBook
let reserve: AaveBook['reserves'][number]

beforeAll(async () => {
  world = await startWalletWorld('base')
  aave = world.book.aave
  reserve = aave.reserves.find(({ symbol }) => symbol === 'USDC')!
})
afterAll(() => world.stop())

test('error: supplying more than the wallet holds', async () => {
  const alice = person(180)
  await world.fund(alice.wallet, 'USDC', 5n)
  expect(await revertOf(execute(world, alice, supply(6n)))).toBe(
    'ERC20: transfer amount exceeds balance',
  )
})

test('error: an asset that the pool does not know, and nothing at all', async () => {
  const alice = person(181)
  const stranger = world.book.tokens.find(
    ({ native, address }) => !native && aave.reserves.every(({ asset }) => asset !== address),
  )!
  await world.fund(alice.wallet, stranger.symbol, 5n)
  await expect(execute(world, alice, supply(5n, false, stranger.address))).rejects.toThrow()
  expect(await revertOf(execute(world, alice, supply(0n)))).toBe('26 (INVALID_AMOUNT)')
})

test('error: withdrawing more than the position, or what backs a loan', async () => {
  const alice = person(182)
  await world.fund(alice.wallet, 'USDC', usdc('1000'))
  await execute(world, alice, supply(usdc('1000')))
  expect(await revertOf(execute(world, alice, withdraw(usdc('1001'))))).toBe(
    '32 (NOT_ENOUGH_AVAILABLE_USER_BALANCE)',
  )
  const weth = world.book.tokens.find(({ symbol }) => symbol === 'WETH')!.address
  await world.request('anvil_setBalance', [alice.wallet, '0xde0b6b3a7640000'])
  await world.send({
    from: alice.wallet,
    to: aave.pool,
    data: encodeFunctionData({
      abi: iAavePoolAbi,
      functionName: 'borrow',
      args: [weth, parseUnits('0.1', 18), 2n, 0, alice.wallet],
    }),
  })
  expect(await revertOf(execute(world, alice, withdraw(usdc('900'))))).toBe(
    '35 (HEALTH_FACTOR_LOWER_THAN_LIQUIDATION_THRESHOLD)',
  )
  await execute(world, alice, withdraw(usdc('100')))
  expect(await world.balance(alice.wallet, 'USDC')).toBe(usdc('100'))
})

test('default: an asset goes in and comes out, and no allowance stays', async () => {
  const alice = person(183)
  await world.fund(alice.wallet, 'USDC', usdc('1000'))
  await execute(world, alice, supply(usdc('600')))
  expect(await world.balance(alice.wallet, 'USDC')).toBe(usdc('400'))
  expect(usdc('600') - (await position(alice.wallet))).toBeLessThanOrEqual(1n)
  expect(await allowance(alice.wallet)).toBe(0n)
  await execute(world, alice, withdraw(usdc('100')))
  expect(await world.balance(alice.wallet, 'USDC')).toBe(usdc('500'))
})

test('behavior: the largest amount withdraws the whole position with its interest', async () => {
  const alice = person(184)
  await world.fund(alice.wallet, 'USDC', usdc('1000'))
  await execute(world, alice, supply(usdc('1000')))
  await world.request('evm_increaseTime', [30 * 86_400])
  await world.request('evm_mine')
  await execute(world, alice, withdraw(maxUint256))
  expect(await position(alice.wallet)).toBe(0n)
  expect(await world.balance(alice.wallet, 'USDC')).toBeGreaterThan(usdc('1000'))
})

test('behavior: capped, it is the amount or, when the wallet holds less, everything', async () => {
  const alice = person(185)
  await world.fund(alice.wallet, 'USDC', usdc('10'))
  await execute(world, alice, supply(usdc('6'), true))
  expect(await world.balance(alice.wallet, 'USDC')).toBe(usdc('4'))
  await execute(world, alice, supply(maxUint256, true))
  expect(await world.balance(alice.wallet, 'USDC')).toBe(0n)
  expect(await allowance(alice.wallet)).toBe(0n)
})

function supply(amount: bigint, cappedMax = false, asset = reserve.asset): SignedOperation {
  const args = [aave.pool, asset, amount, cappedMax] as const
  return operation(
    script,
    encodeFunctionData({ abi: aaveActionsAbi, functionName: 'supply', args }),
  )
}

function withdraw(amount: bigint): SignedOperation {
  const args = [aave.pool, reserve.asset, amount] as const
  return operation(
    script,
    encodeFunctionData({ abi: aaveActionsAbi, functionName: 'withdraw', args }),
  )
}

function position(wallet: Address): Promise<bigint> {
  return read(reserve.aToken, 'balanceOf', [wallet])
}

function allowance(wallet: Address): Promise<bigint> {
  return read(reserve.asset, 'allowance', [wallet, aave.pool])
}

async function read(to: Address, functionName: string, args: readonly Address[]): Promise<bigint> {
  const abi = tokenAbi as readonly unknown[]
  return BigInt(await world.call(to, encodeFunctionData({ abi, functionName, args })))
}
