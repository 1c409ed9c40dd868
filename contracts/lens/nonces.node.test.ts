import type { Address, Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nonceLensAbi, svcNonceManagerAbi } from '../../src/generated/abis.js'
import { svcAddresses } from '../../src/generated/svc.js'
import { nonceSecret, operationNonce } from '../../src/service/plans/assembly/planner.js'
import { startWalletWorld, type WalletWorld } from '../kit.js'

let world: WalletWorld

beforeAll(async () => {
  world = await startWalletWorld('polygon')
})
afterAll(() => world.stop())

async function firstFree(from: number, length: number, of: Address): Promise<bigint> {
  const args = [svcAddresses.nonceManager, of, BigInt(from), BigInt(length)] as const
  const call = { abi: nonceLensAbi, functionName: 'firstFree' } as const
  const data = await world.call(world.book.nonceLens, encodeFunctionData({ ...call, args }))
  return decodeFunctionResult({ ...call, data })
}

let wallets = 0

/** A wallet that has used nothing yet. */
async function fresh(): Promise<Address> {
  const wallet: Address = `0xabcdef${(++wallets).toString(16).padStart(34, '0')}`
  await world.request('anvil_setBalance', [wallet, '0xde0b6b3a7640000'])
  await world.request('anvil_impersonateAccount', [wallet])
  return wallet
}

async function cancel(wallet: Address, nonce: Hex): Promise<void> {
  const args = [nonce] as const
  const data = encodeFunctionData({ abi: svcNonceManagerAbi, functionName: 'cancel', args })
  await world.send({ from: wallet, to: svcAddresses.nonceManager, data })
}

test('default: the first secret of which no nonce was used, counted as the service counts', async () => {
  const wallet = await fresh()
  const secret = (count: number) => nonceSecret(world.chainId, wallet, count)
  expect(await firstFree(0, 3, wallet)).toBe(0n)
  await cancel(wallet, secret(0))
  expect(await firstFree(0, 3, wallet)).toBe(1n)
  await cancel(wallet, secret(2))
  expect(await firstFree(0, 3, wallet)).toBe(1n)
  await cancel(wallet, secret(1))
  expect(await firstFree(0, 3, wallet)).toBe(3n)
  // The last ones of a group, and the first of the next.
  for (let count = 254; count < 258; count++) await cancel(wallet, secret(count))
  expect(await firstFree(254, 3, wallet)).toBe(258n)
  // Two digits: the group is written in decimal.
  for (let count = 2_815; count < 2_817; count++) await cancel(wallet, secret(count))
  expect(await firstFree(2_815, 3, wallet)).toBe(2_817n)
})

test('behavior: a later nonce of a secret counts, as far as was asked', async () => {
  const wallet = await fresh()
  await cancel(wallet, operationNonce(nonceSecret(world.chainId, wallet, 0), 2))
  expect(await firstFree(0, 3, wallet)).toBe(1n)
  expect(await firstFree(0, 2, wallet)).toBe(0n)
})

test('behavior: it begins where it is told, and each wallet has its own', async () => {
  const [wallet, other] = [await fresh(), await fresh()]
  await cancel(wallet, nonceSecret(world.chainId, wallet, 5))
  expect([await firstFree(4, 3, wallet), await firstFree(5, 3, wallet)]).toEqual([4n, 6n])
  expect(await firstFree(5, 3, other)).toBe(5n)
})
