import { parseAbi, parseEther, parseGwei, serializeTransaction } from 'viem'
import { arbitrum, base, optimism } from 'viem/chains'
import {
  estimateL1Fee,
  estimateL1Gas,
  estimateOperatorFee,
  estimateTotalFee,
  getL1BaseFee,
} from 'viem/op-stack'
import { describe, expect, test } from 'vitest'
import { erc20, stranger, useWorld } from '../../../test/kit/world.js'

/** As SDKs ask, with their own ABIs and addresses. */

const world = useWorld(['base', 'optimism', 'arbitrum', 'mainnet'])
const to = stranger('to')
const account = stranger('from')

/** Fjord's fee in wei of a transaction of so many bytes, written down once more from its specification. */
function fjordFee(bytes: number, baseScalar: bigint, blobScalar: bigint): bigint {
  const signed = BigInt(bytes) + 68n
  const fastLz = signed + signed / 255n + 16n
  const linear = 836_500n * fastLz - 42_585_600n
  const size = linear > 100_000_000n ? linear : 100_000_000n
  return (size * (16n * baseScalar * 10n ** 9n + blobScalar * 1n)) / 10n ** 12n
}

describe.each([
  ['base', base, 2269n, 1_055_762n],
  ['optimism', optimism, 5227n, 1_014_213n],
] as const)('%s', (network, chain, baseScalar, blobScalar) => {
  const asked = (data?: `0x${string}`) => ({ chain, account, to, value: 1n, data })

  test('default: what viem estimates of the L1 fee is the formula of Fjord', async () => {
    const { client } = world.on(network)
    for (const data of [undefined, `0x${'ab'.repeat(1000)}`] as const) {
      const bytes =
        serializeTransaction({
          ...{ to, value: 1n, data, type: 'eip1559', chainId: chain.id, nonce: 1 },
          ...{ gas: data ? 300_000n : 21_000n, maxFeePerGas: parseGwei('5') },
          maxPriorityFeePerGas: parseGwei('1'),
        }).length /
          2 -
        1
      const fee = await estimateL1Fee(client, asked(data))
      expect(fee).toBe(fjordFee(bytes, baseScalar, blobScalar))
      expect(fee).toBeGreaterThan(0n)
    }
    expect(await getL1BaseFee(client, { chain })).toBe(10n ** 9n)
  })

  test('behavior: L1 gas, operator fee and total fee', async () => {
    const { client, node } = world.on(network)
    await node.rpc.request('anvil_setBalance', [account, '0xde0b6b3a7640000'])
    // The least size, 100 bytes, at 16 gas each.
    expect(await estimateL1Gas(client, asked())).toBe(1600n)
    expect(await estimateOperatorFee(client, { chain, account, to })).toBe(0n)
    const total = await estimateTotalFee(client, { chain, account, to, value: 1n })
    expect(total).toBeGreaterThan(await estimateL1Fee(client, asked()))
  })
})

const nodeInterface = {
  address: '0x00000000000000000000000000000000000000C8',
  abi: parseAbi([
    'function gasEstimateComponents(address to, bool contractCreation, bytes data) payable returns (uint64 gasEstimate, uint64 gasEstimateForL1, uint256 baseFee, uint256 l1BaseFeeEstimate)',
    'function gasEstimateL1Component(address to, bool contractCreation, bytes data) payable returns (uint64 gasEstimateForL1, uint256 baseFee, uint256 l1BaseFeeEstimate)',
  ]),
} as const
const gasInfo = {
  address: '0x000000000000000000000000000000000000006C',
  abi: parseAbi([
    'function getPricesInWei() view returns (uint256, uint256, uint256, uint256, uint256, uint256)',
    'function getPricesInArbGas() view returns (uint256, uint256, uint256)',
    'function getL1BaseFeeEstimate() view returns (uint256)',
    'function getMinimumGasPrice() view returns (uint256)',
  ]),
} as const
const arbSys = {
  address: '0x0000000000000000000000000000000000000064',
  abi: parseAbi([
    'function arbBlockNumber() view returns (uint256)',
    'function arbChainID() view returns (uint256)',
  ]),
} as const

describe('arbitrum', () => {
  test('default: the parts of an estimate, whose sum covers what the transaction takes', async () => {
    const { client } = world.on('arbitrum')
    const { result } = await client.simulateContract({
      ...nodeInterface,
      functionName: 'gasEstimateComponents',
      args: [to, false, '0x'],
    })
    const [gas, gasForL1, baseFee, l1BaseFee] = result
    expect(l1BaseFee).toBe(10n ** 9n)
    // 140 bytes at 16 gas of L1, in L2 gas, rounded up.
    expect(gasForL1).toBe((140n * 16n * l1BaseFee + baseFee - 1n) / baseFee)
    expect(gas - gasForL1).toBeGreaterThanOrEqual(21_000n)
    expect(gas - gasForL1).toBeLessThan(40_000n)
    const { result: l1Part } = await client.simulateContract({
      ...nodeInterface,
      functionName: 'gasEstimateL1Component',
      args: [to, false, '0x'],
    })
    expect(l1Part).toEqual([gasForL1, baseFee, l1BaseFee])
  })

  test('behavior: a creation and a call with a value are tried; one that reverts says why', async () => {
    const { client, book, node } = world.on('arbitrum')
    await node.rpc.request('anvil_setBalance', [account, '0xde0b6b3a7640000'])
    const components = (args: readonly [`0x${string}`, boolean, `0x${string}`], value = 0n) =>
      client.simulateContract({
        ...nodeInterface,
        ...{ account, value, functionName: 'gasEstimateComponents', args },
      })
    const zero = '0x0000000000000000000000000000000000000000'
    const { result: made } = await components([
      zero,
      true,
      '0x600a600c600039600a6000f3602a60005260206000f3',
    ])
    expect(made[0] - made[1]).toBeGreaterThan(53_000n)
    await components([to, false, '0x'], parseEther('0.5'))
    const usdc = book.tokens.find(({ symbol }) => symbol === 'USDC')!
    // transfer(to, 1) of a sender that has nothing
    const data = `0xa9059cbb${to.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}` as const
    await expect(components([usdc.address, false, data])).rejects.toThrow(/revert/)
    expect(
      await client.readContract({
        address: usdc.address,
        abi: erc20,
        functionName: 'balanceOf',
        args: [to],
      }),
    ).toBe(0n)
  })

  test('behavior: prices of gas agree with each other, and the chain knows itself', async () => {
    const { client } = world.on('arbitrum')
    const wei = await client.readContract({ ...gasInfo, functionName: 'getPricesInWei' })
    const [perTransaction, perByte, perSlot, least, congestion, total] = wei
    expect(least + congestion).toBe(total)
    expect([perTransaction, perSlot]).toEqual([140n * perByte, 20_000n * total])
    const inGas = await client.readContract({ ...gasInfo, functionName: 'getPricesInArbGas' })
    expect(inGas).toEqual([140n * (perByte / total), perByte / total, 20_000n])
    expect(await client.readContract({ ...arbSys, functionName: 'arbBlockNumber' })).toBe(
      await client.getBlockNumber(),
    )
    expect(await client.readContract({ ...arbSys, functionName: 'arbChainID' })).toBe(
      BigInt(arbitrum.id),
    )
  })
})

test('error: mainnet has none of it', async () => {
  const { client } = world.on('mainnet')
  for (const address of [
    nodeInterface.address,
    arbSys.address,
    base.contracts.gasPriceOracle.address,
  ])
    expect(await client.getCode({ address })).toBeUndefined()
})
