import type { Address } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SignedOperation } from '../../src/chain/wallet/wallet.js'
import { wrapAbi } from '../../src/generated/abis.js'
import { svcAddresses } from '../../src/generated/svc.js'
import { execute, operation, person, revertOf, startWalletWorld, type WalletWorld } from '../kit.js'

let world: WalletWorld
let weth: Address

beforeAll(async () => {
  world = await startWalletWorld('base')
  weth = world.book.tokens.find((token) => token.symbol === 'WETH')!.address
})
afterAll(() => world.stop())

test('error: both forms together are not enough', async () => {
  const alice = person(110)
  await world.fund(alice.wallet, 'ETH', 3n)
  await world.fund(alice.wallet, 'WETH', 4n)
  expect(await revertOf(execute(world, alice, wrap('ensureWrapped', 8n)))).toBe(
    'reverted without a reason',
  )
  expect(await revertOf(execute(world, alice, wrap('ensureNative', 8n)))).toBe(
    'reverted without a reason',
  )
})

test('default: only what is missing is wrapped', async () => {
  const alice = person(111)
  await world.fund(alice.wallet, 'ETH', 6n)
  await world.fund(alice.wallet, 'WETH', 4n)
  await execute(world, alice, wrap('ensureWrapped', 7n))
  expect(await both(alice.wallet)).toEqual([3n, 7n])
  await execute(world, alice, wrap('ensureWrapped', 5n))
  expect(await both(alice.wallet)).toEqual([3n, 7n])
})

test('behavior: only what is missing is unwrapped', async () => {
  const alice = person(112)
  await world.fund(alice.wallet, 'ETH', 2n)
  await world.fund(alice.wallet, 'WETH', 8n)
  await execute(world, alice, wrap('ensureNative', 5n))
  expect(await both(alice.wallet)).toEqual([5n, 5n])
  await execute(world, alice, wrap('ensureNative', 1n))
  expect(await both(alice.wallet)).toEqual([5n, 5n])
})

function wrap(functionName: 'ensureWrapped' | 'ensureNative', amount: bigint): SignedOperation {
  const args = [weth, amount] as const
  const data = encodeFunctionData({ abi: wrapAbi, functionName, args })
  return operation(svcAddresses.scripts.wrap, data)
}

async function both(wallet: Address): Promise<bigint[]> {
  return [await world.balance(wallet, 'ETH'), await world.balance(wallet, 'WETH')]
}
