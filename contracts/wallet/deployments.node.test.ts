import type { Address, Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData, getAddress } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deployments } from '../../src/chain/genesis/contracts.js'
import {
  multiDigest,
  operationDigest,
  type SignedOperation,
} from '../../src/chain/wallet/wallet.js'
import { actors } from '../../src/deployments/actors.js'
import {
  exchangeAbi,
  priceHubAbi,
  svcWalletAbi,
  svcWalletFactoryAbi,
} from '../../src/generated/abis.js'
import { svcAddresses } from '../../src/generated/svc.js'
import { operation, person, startWalletWorld, type WalletWorld } from '../kit.js'

let worlds: WalletWorld[]

beforeAll(async () => {
  worlds = await Promise.all([startWalletWorld('mainnet'), startWalletWorld('arbitrum')])
})
afterAll(() => Promise.all(worlds.map((world) => world.stop())))

test('default: every contract of the list stands at its address, the same code on every chain', async () => {
  const { scripts, ...others } = svcAddresses
  const addresses = [...Object.values(others), ...Object.values(scripts)]
  expect(
    deployments()
      .map(({ address }) => address)
      .sort(),
  ).toEqual(addresses.sort())
  for (const { address } of deployments()) {
    const codes = worlds.map((world) => world.request<Hex>('eth_getCode', [address, 'latest']))
    const [first, second] = await Promise.all(codes)
    expect(first!.length).toBeGreaterThan(100)
    expect(second).toBe(first)
  }
})

test('behavior: what has an owner belongs to the admin actor', async () => {
  const { exchange, priceHub, factory, walletImplementation } = svcAddresses
  const owner = getAddress(actors.admin)
  expect(await read(exchange, exchangeAbi, 'admin')).toBe(owner)
  expect(await read(priceHub, priceHubAbi, 'admin')).toBe(owner)
  expect(await read(factory, svcWalletFactoryAbi, 'implementation')).toBe(
    getAddress(walletImplementation),
  )
})

test('behavior: the contracts compute the digests that we compute', async () => {
  const alice = person(60)
  const { transfer } = svcAddresses.scripts
  for (const world of worlds) {
    const call = encodeFunctionData({
      abi: svcWalletFactoryAbi,
      functionName: 'create',
      args: [alice.address],
    })
    await world.send({ to: svcAddresses.factory, data: call })
    const plain = operation(transfer, '0x')
    const full: SignedOperation = {
      ...operation(transfer, `0x${'ab'.repeat(100)}`),
      isReplayable: true,
      scriptSources: ['0x', '0x6001', `0x${'cd'.repeat(70)}`],
    }
    const digests = [plain, full].map((op) => operationDigest(op, world.chainId, alice.wallet))
    for (const [i, op] of [plain, full].entries()) {
      const args = [{ ...op, expiry: BigInt(op.expiry) }]
      expect(await read(alice.wallet, svcWalletAbi, 'digestOf', args, world)).toBe(
        digests[i]!.digest,
      )
    }
    expect(await read(alice.wallet, svcWalletAbi, 'domainSeparator', [], world)).toBe(
      digests[0]!.domainSeparator,
    )
    for (const list of [[], digests.map(({ digest }) => digest)])
      expect(await read(alice.wallet, svcWalletAbi, 'multiDigestOf', [list], world)).toBe(
        multiDigest(list).digest,
      )
  }
})

test('error: the code behind the wallets has no signer of its own', async () => {
  // Called by itself, not through a proxy, it has no signer, so nothing that anybody signs can run in it.
  const [world] = worlds
  const data = encodeFunctionData({ abi: svcWalletAbi, functionName: 'signer' })
  await expect(world!.call(svcAddresses.walletImplementation, data)).rejects.toThrow(/revert/)
})

async function read(
  to: Address,
  abi: readonly unknown[],
  functionName: string,
  args: readonly unknown[] = [],
  world = worlds[0]!,
): Promise<unknown> {
  const data = await world.call(to, encodeFunctionData({ abi, functionName, args }))
  return decodeFunctionResult({ abi, functionName, data })
}
