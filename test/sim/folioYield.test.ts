import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { type NetworkName, networkNames } from '../../src/deployments/networks.js'
import type { MorphoMarket } from '../../src/deployments/protocolBook.js'
import { type ChainReads, readsOf } from '../kit/chainReads.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser } from '../kit/user.js'

/** Aave and vaults in the folio, against what the contracts themselves do as time passes. */

const book = loadAddressBook()
const minute = 60n
const hour = 60n * minute
const day = 24n * hour
const year = 365n * day
const ray = 10n ** 27n
const poolAbi = parseAbi(['function getReserveNormalizedIncome(address) view returns (uint256)'])
const providerAbi = parseAbi([
  'function getReserveData(address) view returns (uint256, uint256, uint256, uint256, uint256, uint256, uint256, uint256, uint256, uint256 liquidityIndex, uint256, uint40)',
])
const morphoAbi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'struct Market { uint128 totalSupplyAssets; uint128 totalSupplyShares; uint128 totalBorrowAssets; uint128 totalBorrowShares; uint128 lastUpdate; uint128 fee; }',
  'function accrueInterest(MarketParams)',
  'function supplyCollateral(MarketParams, uint256, address, bytes)',
  'function borrow(MarketParams, uint256, uint256, address, address)',
  'function market(bytes32) view returns (Market)',
  'function borrowRateView(MarketParams, Market) view returns (uint256)',
])
const vaultAbi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function convertToAssets(uint256) view returns (uint256)',
  'function totalAssets() view returns (uint256)',
])
type Entry = Record<'supply_apr' | 'supply_cap' | 'total_supply', string>
let sim: SimulatorHandle
let chain: ChainReads
let user: Awaited<ReturnType<typeof openUser>>

beforeAll(async () => {
  sim = await createSimulator({ rpcUnsafe: true })
  chain = readsOf(sim)
  user = await openUser(sim)
  for (const network of networkNames) {
    const { morpho } = book.on(network)
    await user.fund(network, 'USDC', 10_000_000n)
    const earn = { asset: 'USDC', amount: '3000000', network }
    await user.run('earn', { ...earn, protocol: 'aave' })
    const vault = morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')
    if (vault) await user.run('earn', { ...earn, protocol: 'morpho', market: vault.address })
  }
})
afterAll(() => sim.close())

const netOf = (network: NetworkName) => (network === 'mainnet' ? 'ethereum' : network)

async function folio(): Promise<Record<string, Record<string, unknown>>> {
  return (await user.api.get(`${user.path}/folio`)).body.folio
}

/** Mines a block that many seconds later. */
async function later(network: NetworkName, seconds: bigint): Promise<void> {
  const { timestamp } = await chain.client(network).getBlock()
  await chain.request(network, 'evm_setNextBlockTimestamp', [Number(timestamp + seconds)])
  await chain.request(network, 'evm_mine')
}

/** A plain decimal with so many digits, as an integer. */
function scaled(text: string, digits: number): bigint {
  const [whole, fraction = ''] = text.split('.')
  return BigInt(whole! + fraction.slice(0, digits).padEnd(digits, '0'))
}

/** Whether two numbers agree to one in ten thousand. */
function agree(a: bigint, b: bigint): boolean {
  const difference = a > b ? a - b : b - a
  return difference * 10_000n <= b
}

test.each(networkNames)(
  'default: what an hour earns in each reserve of %s is the rate',
  async (network) => {
    const { aave } = book.on(network)
    const incomes = () =>
      Promise.all(
        aave.reserves.map(({ asset }) =>
          chain.client(network).readContract({
            address: aave.pool,
            abi: poolAbi,
            functionName: 'getReserveNormalizedIncome',
            args: [asset],
          }),
        ),
      )
    const { yield_markets } = await folio()
    await later(network, 1n)
    const before = await incomes()
    await later(network, hour)
    const after = await incomes()
    const listed = Object.keys(yield_markets!).filter((key) =>
      key.startsWith(`aave/${netOf(network)}/`),
    )
    expect(listed).toHaveLength(aave.reserves.length)
    for (const [i, { symbol }] of aave.reserves.entries()) {
      const entry = yield_markets![`aave/${netOf(network)}/${aave.pool}/${symbol}`] as Entry
      // Interest on supplies is linear from the index of the reserve's last update on.
      const [, , , , , , , , , index] = await chain.client(network).readContract({
        address: aave.protocolDataProvider,
        abi: providerAbi,
        functionName: 'getReserveData',
        args: [aave.reserves[i]!.asset],
      })
      const earned = ((after[i]! - before[i]!) * (year / hour) * ray) / index
      expect(earned, symbol).toBeGreaterThan(0n)
      expect(agree(scaled(entry.supply_apr, 27), earned), `${symbol} ${entry.supply_apr}`).toBe(
        true,
      )
    }
  },
)

test.each(networkNames)(
  'default: what a minute earns in each vault of %s is the rate',
  async (network) => {
    const { vaults } = book.on(network).morpho
    const shares = 10n ** 36n
    // A market's rate follows its utilization from one accrual to the next, and moves by itself: start with all of them just
    // accrued, and end soon.
    await accrueAll(network)
    const worths = () =>
      Promise.all(
        vaults.map(({ address }) =>
          chain.client(network).readContract({
            address,
            abi: vaultAbi,
            functionName: 'convertToAssets',
            args: [shares],
          }),
        ),
      )
    const { yield_markets } = await folio()
    await later(network, 1n)
    const before = await worths()
    await later(network, minute)
    const after = await worths()
    const prefix = `morpho_vault/${netOf(network)}/`
    const listed = Object.keys(yield_markets!).filter((key) => key.startsWith(prefix))
    expect(listed).toHaveLength(vaults.length)
    for (const [i, { address, assetSymbol, assetDecimals }] of vaults.entries()) {
      const entry = yield_markets![`${prefix}${address}/${assetSymbol}`] as Entry
      const earned = ((after[i]! - before[i]!) * (year / minute) * ray) / before[i]!
      expect(earned, address).toBeGreaterThan(0n)
      expect(agree(scaled(entry.supply_apr, 27), earned), `${address} ${entry.supply_apr}`).toBe(
        true,
      )
      const total = await chain
        .client(network)
        .readContract({ address, abi: vaultAbi, functionName: 'totalAssets' })
      expect(agree(scaled(entry.total_supply.replace(/e\d+$/, ''), assetDecimals), total)).toBe(
        true,
      )
    }
  },
)

test.each(networkNames)(
  'behavior: positions on %s lie between the chain’s answers before and after',
  async (network) => {
    const { aave, morpho } = book.on(network)
    const usdc = aave.reserves.find(({ symbol }) => symbol === 'USDC')!
    const vault = morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')
    const positions = async () => {
      const aToken = await chain.balanceIn(network, usdc.aToken, user.wallet)
      return [aToken, ...(vault ? [await worthOf(network, vault.address)] : [])]
    }
    const before = await positions()
    const { balances } = await folio()
    // A block with the time of now or later, so that the interest reaches it.
    await chain.request(network, 'evm_increaseTime', [5])
    await chain.request(network, 'evm_mine')
    const after = await positions()
    const net = netOf(network)
    const keys = [
      `yield_market/aave/${net}/${aave.pool}/USDC/${user.wallet}`,
      ...(vault ? [`yield_market/morpho_vault/${net}/${vault.address}/USDC/${user.wallet}`] : []),
    ]
    for (const [i, key] of keys.entries()) {
      expect(balances![key], key).toMatch(/e6$/)
      const shown = scaled((balances![key] as string).replace(/e6$/, ''), 6)
      expect(shown).toBeGreaterThanOrEqual(before[i]!)
      expect(shown).toBeLessThanOrEqual(after[i]!)
      expect(shown).toBeGreaterThanOrEqual(2_999_998n)
    }
  },
)

async function accrueAll(network: NetworkName): Promise<void> {
  const { morpho, markets } = book.on(network).morpho
  for (const market of markets)
    await chain.sendAs(network, '0x00000000000000000000000000000000000acc01', {
      to: morpho,
      data: encodeFunctionData({
        abi: morphoAbi,
        functionName: 'accrueInterest',
        args: [marketParams(market)],
      }),
    })
}

test('behavior: a rate of Morpho Blue falls by itself, jumps when more is lent, then rises: always what the market charges from then on', async () => {
  const { morpho, markets } = book.on('base').morpho
  const market = markets.find(({ label }) => label.startsWith('WETH/USDC'))!
  const params = marketParams(market)
  const client = chain.client('base')
  const ofMorpho = { address: morpho, abi: morphoAbi } as const
  const sums = () => client.readContract({ ...ofMorpho, functionName: 'market', args: [market.id] })
  /** What the folio shows, once it agrees with what the model answers when the market has just accrued. */
  const rate = async (): Promise<bigint> => {
    const { borrow_markets } = await folio()
    const entry = borrow_markets!['morpho/base/WETH/USDC'] as { borrow_apr: string }
    await later('base', 1n)
    await accrueAll('base')
    const perSecond = await client.readContract({
      address: market.irm,
      abi: morphoAbi,
      functionName: 'borrowRateView',
      args: [params, await sums()],
    })
    const shown = scaled(entry.borrow_apr, 18)
    expect(agree(shown, perSecond * year), `${entry.borrow_apr} and ${perSecond}`).toBe(true)
    return shown
  }
  await accrueAll('base')
  const first = await rate()
  await later('base', 20n * day)
  const fallen = await rate()
  expect(fallen * 10n).toBeLessThan(first * 9n)

  // Lent out to 97 %.
  const collateral = 10_000n * 10n ** 18n
  await user.fund('base', 'WETH', collateral)
  await accrueAll('base')
  const low = await rate()
  expect(low).toBeLessThan(fallen)
  const { totalSupplyAssets, totalBorrowAssets } = await sums()
  const debt = (totalSupplyAssets * 97n) / 100n - totalBorrowAssets
  const send = (to: Address, data: Hex) => chain.sendAs('base', user.wallet, { to, data })
  const { wallet } = user
  await send(
    market.collateralToken,
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [morpho, collateral] }),
  )
  const put = [params, collateral, wallet, '0x'] as const
  const take = [params, debt, 0n, wallet, wallet] as const
  await send(
    morpho,
    encodeFunctionData({ abi: morphoAbi, functionName: 'supplyCollateral', args: put }),
  )
  await send(morpho, encodeFunctionData({ abi: morphoAbi, functionName: 'borrow', args: take }))
  const high = await rate()
  expect(high).toBeGreaterThan(3n * low)
  await later('base', 10n * day)
  const risen = await rate()
  expect(risen * 10n).toBeGreaterThan(high * 13n)
})

function marketParams({ loanToken, collateralToken, oracle, irm, lltv }: MorphoMarket) {
  return { loanToken, collateralToken, oracle, irm, lltv }
}

async function worthOf(network: NetworkName, vault: Address): Promise<bigint> {
  const client = chain.client(network)
  const read = { address: vault, abi: vaultAbi }
  const shares = await client.readContract({
    ...read,
    functionName: 'balanceOf',
    args: [user.wallet],
  })
  return client.readContract({ ...read, functionName: 'convertToAssets', args: [shares] })
}

test('behavior: keys of Aave and of vaults have the documented form', async () => {
  const { balances, yield_markets, borrow_markets } = await folio()
  const tail = '(ethereum|base|arbitrum|optimism|polygon)/0x[0-9a-f]{40}/[A-Za-z0-9.]+'
  const form = (prefix: string, end: string) => new RegExp(`^${prefix}${tail}${end}$`)
  const ours = (keys: string[]) => keys.filter((key) => /(^|\/)(aave|morpho_vault)\//.test(key))
  for (const key of ours(Object.keys(yield_markets!)))
    expect(key).toMatch(form('(aave|morpho_vault)/', ''))
  for (const key of ours(Object.keys(borrow_markets!))) expect(key).toMatch(form('aave/', ''))
  const mine = ours(Object.keys(balances!))
  expect(mine.length).toBeGreaterThanOrEqual(9)
  for (const key of mine)
    expect(key).toMatch(form('yield_market/(aave|morpho_vault)/', `/${user.wallet}`))
})
