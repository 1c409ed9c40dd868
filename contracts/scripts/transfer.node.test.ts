import type { Address } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SignedOperation } from '../../src/chain/wallet/wallet.js'
import { transferAbi } from '../../src/generated/abis.js'
import { svcAddresses } from '../../src/generated/svc.js'
import { execute, operation, person, revertOf, startWalletWorld, type WalletWorld } from '../kit.js'

const script = svcAddresses.scripts.transfer
const nobody: Address = '0x00000000000000000000000000000000000000cc'
let world: WalletWorld
let usdc: Address

beforeAll(async () => {
  world = await startWalletWorld('base')
  usdc = world.book.tokens.find((token) => token.symbol === 'USDC')!.address
})
afterAll(() => world.stop())

test('error: more than the wallet holds', async () => {
  const alice = person(70)
  await world.fund(alice.wallet, 'USDC', 4n)
  await world.fund(alice.wallet, 'ETH', 4n)
  expect(await revertOf(execute(world, alice, token(nobody, 5n)))).toBe(
    'ERC20: transfer amount exceeds balance',
  )
  expect(await revertOf(execute(world, alice, native(nobody, 5n)))).toBe(
    'InsufficientBalance(4, 5)',
  )
})

test('error: a recipient that takes nothing', async () => {
  const alice = person(71)
  await world.fund(alice.wallet, 'USDC', 4n)
  await world.fund(alice.wallet, 'ETH', 4n)
  const zero = '0x0000000000000000000000000000000000000000'
  const refused = 'ERC20: transfer to the zero address'
  expect(await revertOf(execute(world, alice, token(zero, 1n)))).toBe(refused)
  expect(await revertOf(execute(world, alice, native(usdc, 1n)))).toBe('FailedCall()')
})

test('default: a token goes to anybody', async () => {
  const [alice, bob] = [person(72), person(73)]
  await world.fund(alice.wallet, 'USDC', 10n)
  await execute(world, alice, token(bob.address, 7n))
  expect(await world.balance(bob.address, 'USDC')).toBe(7n)
  expect(await world.balance(alice.wallet, 'USDC')).toBe(3n)
})

test('behavior: native tokens go to anybody, wallets included', async () => {
  const [alice, bob] = [person(74), person(75)]
  await world.fund(alice.wallet, 'ETH', 10n)
  await execute(world, alice, native(bob.wallet, 4n))
  // Now to a wallet that stands: its proxy has to take them.
  await execute(world, bob, native(alice.wallet, 1n))
  expect(await world.balance(bob.wallet, 'ETH')).toBe(3n)
  expect(await world.balance(alice.wallet, 'ETH')).toBe(7n)
})

test('behavior: capped, it is the amount or, when the wallet holds less, everything', async () => {
  for (const [symbol, build] of [
    ['USDC', token],
    ['ETH', native],
  ] as const) {
    const [alice, bob] = [person(76), person(77)]
    await world.fund(alice.wallet, symbol, 10n)
    await execute(world, alice, build(bob.address, 6n, true))
    expect(await world.balance(bob.address, symbol)).toBe(6n)
    await execute(world, alice, build(bob.address, 2n ** 256n - 1n, true))
    expect(await world.balance(bob.address, symbol)).toBe(10n)
    expect(await world.balance(alice.wallet, symbol)).toBe(0n)
  }
})

function token(recipient: Address, amount: bigint, cappedMax = false): SignedOperation {
  const args = [usdc, recipient, amount, cappedMax] as const
  const call = { abi: transferAbi, functionName: 'transferERC20Token', args } as const
  return operation(script, encodeFunctionData(call))
}

function native(recipient: Address, amount: bigint, cappedMax = false): SignedOperation {
  const args = [recipient, amount, cappedMax] as const
  const call = { abi: transferAbi, functionName: 'transferNativeToken', args } as const
  return operation(script, encodeFunctionData(call))
}
