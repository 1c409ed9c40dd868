import type { Address } from 'viem'
import { encodeFunctionData, parseUnits } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SignedOperation } from '../../src/chain/wallet/wallet.js'
import type { MorphoVault } from '../../src/deployments/protocolBook.js'
import { morphoVaultAbi, vaultActionsAbi } from '../../src/generated/abis.js'
import { svcAddresses } from '../../src/generated/svc.js'
import { execute, operation, person, revertOf, startWalletWorld, type WalletWorld } from '../kit.js'

const script = svcAddresses.scripts.vaultActions
const maxUint256 = 2n ** 256n - 1n
const usdc = (amount: string) => parseUnits(amount, 6)
let world: WalletWorld
let vault: MorphoVault

beforeAll(async () => {
  world = await startWalletWorld('base')
  vault = world.book.morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')!
})
afterAll(() => world.stop())

test('error: depositing more than the wallet holds', async () => {
  const alice = person(190)
  await world.fund(alice.wallet, 'USDC', 5n)
  expect(await revertOf(execute(world, alice, deposit(6n)))).toBe(
    'ERC20: transfer amount exceeds balance',
  )
})

test('error: more than the vault takes, more than the position', async () => {
  const alice = person(191)
  const room = await read('maxDeposit', [alice.wallet])
  await world.fund(alice.wallet, 'USDC', room + usdc('1'))
  expect(await revertOf(execute(world, alice, deposit(room + usdc('1'))))).toBe('AllCapsReached()')
  await execute(world, alice, deposit(usdc('1000')))
  expect(await revertOf(execute(world, alice, withdraw(usdc('1001'))))).toMatch(
    /^ERC20InsufficientBalance/,
  )
})

test('default: the asset goes in and comes out, and no allowance stays', async () => {
  const alice = person(193)
  await world.fund(alice.wallet, 'USDC', usdc('1000'))
  await execute(world, alice, deposit(usdc('600')))
  expect(await world.balance(alice.wallet, 'USDC')).toBe(usdc('400'))
  expect(usdc('600') - (await position(alice.wallet))).toBeLessThanOrEqual(2n)
  expect(await allowance(alice.wallet)).toBe(0n)
  await execute(world, alice, withdraw(usdc('100')))
  expect(await world.balance(alice.wallet, 'USDC')).toBe(usdc('500'))
})

test('behavior: the largest amount redeems every share', async () => {
  const alice = person(194)
  await world.fund(alice.wallet, 'USDC', usdc('1000'))
  await execute(world, alice, deposit(usdc('1000')))
  await world.request('evm_increaseTime', [30 * 86_400])
  await world.request('evm_mine')
  await execute(world, alice, withdraw(maxUint256))
  expect(await read('balanceOf', [alice.wallet])).toBe(0n)
  expect(await world.balance(alice.wallet, 'USDC')).toBeGreaterThan(usdc('1000'))
})

test('behavior: capped, it is the amount or, when the wallet holds less, everything', async () => {
  const alice = person(195)
  await world.fund(alice.wallet, 'USDC', usdc('10'))
  await execute(world, alice, deposit(usdc('6'), true))
  expect(await world.balance(alice.wallet, 'USDC')).toBe(usdc('4'))
  await execute(world, alice, deposit(maxUint256, true))
  expect(await world.balance(alice.wallet, 'USDC')).toBe(0n)
  expect(await allowance(alice.wallet)).toBe(0n)
})

function deposit(amount: bigint, cappedMax = false): SignedOperation {
  const args = [vault.address, amount, cappedMax] as const
  return operation(
    script,
    encodeFunctionData({ abi: vaultActionsAbi, functionName: 'deposit', args }),
  )
}

function withdraw(amount: bigint): SignedOperation {
  const args = [vault.address, amount] as const
  return operation(
    script,
    encodeFunctionData({ abi: vaultActionsAbi, functionName: 'withdraw', args }),
  )
}

function position(wallet: Address): Promise<bigint> {
  return read('maxWithdraw', [wallet])
}

function allowance(wallet: Address): Promise<bigint> {
  return read('allowance', [wallet, vault.address], vault.asset)
}

async function read(
  functionName: string,
  args: readonly Address[],
  to = vault.address,
): Promise<bigint> {
  const abi = morphoVaultAbi as readonly unknown[]
  return BigInt(await world.call(to, encodeFunctionData({ abi, functionName, args })))
}
