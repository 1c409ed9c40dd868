import type { Address, Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData, getAddress, isAddressEqual } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { person, startWalletWorld, type WalletWorld } from '../../../contracts/kit.js'
import { svcWalletAbi, svcWalletFactoryAbi } from '../../generated/abis.js'
import { svcAddresses } from '../../generated/svc.js'
import { walletAddressOf } from './wallet.js'

const { factory } = svcAddresses
let worlds: WalletWorld[]

beforeAll(async () => {
  worlds = await Promise.all([startWalletWorld('base'), startWalletWorld('polygon')])
})
afterAll(() => Promise.all(worlds.map((world) => world.stop())))

test('default: the wallet is deployed where it was predicted, on every chain', async () => {
  const signer = person(0).address
  for (const world of worlds) {
    expect(await world.request('eth_getCode', [walletAddressOf(signer), 'latest'])).toBe('0x')
    const call = { abi: svcWalletFactoryAbi, functionName: 'create', args: [signer] } as const
    await world.send({ to: factory, data: encodeFunctionData(call) })
    expect(await signerOf(world, walletAddressOf(signer))).toBe(signer)
  }
})

test('behavior: the factory predicts the same, for any signer', async () => {
  const signers: Address[] = [
    '0x0000000000000000000000000000000000000000',
    '0x0000000000000000000000000000000000000001',
    '0xffffffffffffffffffffffffffffffffffffffff',
    factory,
    ...[1, 2, 3].map((key) => person(key).address),
  ]
  for (const signer of signers)
    for (const world of worlds) {
      const call = { abi: svcWalletFactoryAbi, functionName: 'walletAddressOf' } as const
      const answer = await world.call(factory, encodeFunctionData({ ...call, args: [signer] }))
      const predicted = decodeFunctionResult({ ...call, data: answer })
      expect(isAddressEqual(predicted, walletAddressOf(signer))).toBe(true)
    }
  expect(new Set(signers.map(walletAddressOf)).size).toBe(signers.length)
})

test('behavior: the casing of the signer does not matter, and the address is lower case', () => {
  const signer = getAddress('0xabcdefabcdefabcdefabcdefabcdefabcdefabcd')
  const wallet = walletAddressOf(signer)
  expect(wallet).toMatch(/^0x[0-9a-f]{40}$/)
  expect(walletAddressOf(signer.toLowerCase() as Address)).toBe(wallet)
})

async function signerOf(world: WalletWorld, wallet: Address): Promise<Hex> {
  const call = { abi: svcWalletAbi, functionName: 'signer' } as const
  return decodeFunctionResult({ ...call, data: await world.call(wallet, encodeFunctionData(call)) })
}
