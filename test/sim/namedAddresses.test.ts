import { createRequire } from 'node:module'
import type { Abi, Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { networkNames, networks } from '../../src/deployments/networks.js'
import { readsOf } from '../kit/chainReads.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser } from '../kit/user.js'

const book = loadAddressBook()
const native = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator()
})
afterAll(() => sim.close())

interface Named {
  where: string
  chainId: number
  address: Address
}

/** Every address in an answer, with the chain that the object around it names. */
function addressesIn(value: unknown, where: string, chain = 0): Named[] {
  if (typeof value === 'string')
    return /^0x[0-9a-fA-F]{40}$/.test(value)
      ? [{ where, chainId: chain, address: value as Address }]
      : []
  if (typeof value !== 'object' || value === null) return []
  const { chain_id: chainId = chain } = value as { chain_id?: number }
  return Object.entries(value).flatMap(([key, each]) =>
    addressesIn(each, `${where}.${key}`, chainId),
  )
}

test('default: every address that markets and assets name has code on its network', async () => {
  const { api } = await openUser(sim)
  const answers = await Promise.all(['/markets', '/assets'].map((path) => api.get(path)))
  const named = answers.flatMap(({ body }) => addressesIn(body, ''))
  const tokens = named.filter(({ address }) => address !== native)
  expect(named.length - tokens.length).toBe(networkNames.length)
  for (const { chainId } of networks) {
    const here = tokens.filter((each) => each.chainId === chainId)
    expect(here.length, `addresses on ${chainId}`).toBeGreaterThan(50)
  }
  const reads = readsOf(sim)
  const bare = await Promise.all(
    tokens.map(async ({ where, chainId, address }) => {
      const { name } = networks.find((network) => network.chainId === chainId)!
      return (await reads.isDeployed(name, address)) ? [] : [`${where} on ${name}: ${address}`]
    }),
  )
  expect(bare.flat()).toEqual([])
})

interface Reserve {
  underlyingAsset: Address
  symbol: string
  decimals: bigint
  aTokenAddress: Address
  liquidityRate: bigint
  availableLiquidity: bigint
  priceInMarketReferenceCurrency: bigint
  isActive: boolean
}

/** As front ends have it: out of the maker's own package. */
const { abi: uiAbi } = createRequire(import.meta.url)(
  '@aave/periphery-v3/artifacts/contracts/misc/UiPoolDataProviderV3.sol/UiPoolDataProviderV3.json',
) as { abi: Abi }

test.each(networkNames)(
  'behavior: %s: Aave’s data provider for front ends reads the market',
  async (network) => {
    const { aave, tokens } = book.on(network)
    const reads = readsOf(sim)
    const read = <T>(functionName: string, args: unknown[]): Promise<T> =>
      reads.client(network).readContract({
        address: aave.uiPoolDataProvider,
        abi: uiAbi,
        functionName,
        args,
      }) as Promise<T>
    const provider = aave.poolAddressesProvider
    const [reserves, currency] = await read<[Reserve[], Record<string, bigint | number>]>(
      'getReservesData',
      [provider],
    )
    expect(reserves.map((each) => each.underlyingAsset.toLowerCase()).sort()).toEqual(
      aave.reserves.map(({ asset }) => asset).sort(),
    )
    const usdc = reserves.find(({ symbol }) => symbol === 'USDC')!
    expect(usdc).toMatchObject({
      decimals: 6n,
      priceInMarketReferenceCurrency: 100_000_000n,
      isActive: true,
    })
    expect(usdc.liquidityRate).toBeGreaterThan(0n)
    expect(usdc.availableLiquidity).toBe(
      await reads.balanceIn(network, usdc.underlyingAsset, usdc.aTokenAddress),
    )
    const { feed } = tokens.find((token) => token.native)!
    const latest = await reads.request<string>(network, 'eth_call', [
      { to: feed, data: '0x50d25bcd' },
      'latest',
    ])
    expect(currency).toMatchObject({
      marketReferenceCurrencyUnit: 100_000_000n,
      networkBaseTokenPriceInUsd: BigInt(latest),
      networkBaseTokenPriceDecimals: 8,
    })

    const user = await openUser(sim)
    await user.fund(network, 'USDC', 5_000_000n)
    await user.run('earn', { asset: 'USDC', amount: '5000000', network, protocol: 'aave' })
    const [positions] = await read<[{ underlyingAsset: Address; scaledATokenBalance: bigint }[]]>(
      'getUserReservesData',
      [provider, user.wallet],
    )
    const held = positions.filter(({ scaledATokenBalance }) => scaledATokenBalance > 0n)
    expect(held.map((each) => each.underlyingAsset)).toEqual([usdc.underlyingAsset])
  },
)
