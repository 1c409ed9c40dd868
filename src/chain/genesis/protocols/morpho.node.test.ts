import { readFileSync } from 'node:fs'
import { type Address, type Hex, keccak256, parseAbi } from 'viem'
import { encodeAbiParameters, parseAbiParameters } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import { stranger, useWorld, type WorldSide } from '../../../../test/kit/world.js'
import { actors } from '../../../deployments/actors.js'
import { networkNames } from '../../../deployments/networks.js'
import type { MorphoMarket, MorphoVault } from '../../../deployments/protocolBook.js'
import { convert, startPrice, worth } from '../prices.js'
import { marketParams, marketsOf } from './morpho.js'

/** Written down here once more, from Morpho's own documentation, so that the world is read as an outsider reads it. */
const morphoAbi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'function owner() view returns (address)',
  'function isIrmEnabled(address) view returns (bool)',
  'function market(bytes32) view returns (uint128 totalSupplyAssets, uint128 totalSupplyShares, uint128 totalBorrowAssets, uint128 totalBorrowShares, uint128 lastUpdate, uint128 fee)',
  'function position(bytes32, address) view returns (uint256 supplyShares, uint128 borrowShares, uint128 collateral)',
  'function idToMarketParams(bytes32) view returns (address loanToken, address collateralToken, address oracle, address irm, uint256 lltv)',
  'function accrueInterest(MarketParams)',
  'function supply(MarketParams, uint256, uint256, address, bytes) returns (uint256, uint256)',
  'function withdraw(MarketParams, uint256, uint256, address, address) returns (uint256, uint256)',
  'function supplyCollateral(MarketParams, uint256, address, bytes)',
  'function withdrawCollateral(MarketParams, uint256, address, address)',
  'function borrow(MarketParams, uint256, uint256, address, address) returns (uint256, uint256)',
  'function repay(MarketParams, uint256, uint256, address, bytes) returns (uint256, uint256)',
  'function liquidate(MarketParams, address, uint256, uint256, bytes) returns (uint256, uint256)',
])
const oracleAbi = parseAbi(['function price() view returns (uint256)'])
const irmAbi = parseAbi(['function rateAtTarget(bytes32) view returns (int256)'])
const vaultAbi = parseAbi([
  'function asset() view returns (address)',
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function MORPHO() view returns (address)',
  'function totalAssets() view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function convertToAssets(uint256) view returns (uint256)',
  'function previewDeposit(uint256) view returns (uint256)',
  'function previewRedeem(uint256) view returns (uint256)',
  'function maxWithdraw(address) view returns (uint256)',
  'function maxRedeem(address) view returns (uint256)',
  'function supplyQueueLength() view returns (uint256)',
  'function supplyQueue(uint256) view returns (bytes32)',
  'function deposit(uint256, address) returns (uint256)',
  'function withdraw(uint256, address, address) returns (uint256)',
  'function redeem(uint256, address, address) returns (uint256)',
])

interface FileMorpho {
  morpho: Address
  adaptiveCurveIrm: Address
  markets: (Record<'loanToken' | 'collateralToken' | 'oracle' | 'irm', Address> & {
    id: Hex
    idle?: boolean
    lltv: string
  })[]
  vaults: { address: Address; name: string; symbol: string | null; asset: Address }[]
}

const file = JSON.parse(
  readFileSync(new URL('../../../../contracts/addresses.json', import.meta.url), 'utf8'),
) as Record<string, { morpho: FileMorpho }>
const world = useWorld()
const day = 86_400

const read = (side: WorldSide, functionName: 'market' | 'idToMarketParams', id: Hex) =>
  side.client.readContract({
    address: side.book.morpho.morpho,
    abi: morphoAbi,
    functionName,
    args: [id],
  })
const totals = async (side: WorldSide, id: Hex) => {
  const [supplyAssets, supplyShares, borrowAssets, borrowShares] = await read(side, 'market', id)
  return { supplyAssets, supplyShares, borrowAssets, borrowShares } as Record<
    'supplyAssets' | 'supplyShares' | 'borrowAssets' | 'borrowShares',
    bigint
  >
}
const positionOf = async (side: WorldSide, id: Hex, account: Address) => {
  const [supplyShares, borrowShares, collateral] = await side.client.readContract({
    address: side.book.morpho.morpho,
    abi: morphoAbi,
    functionName: 'position',
    args: [id, account],
  })
  return { supplyShares, borrowShares, collateral }
}
const act = (side: WorldSide, from: Address, functionName: string, args: unknown[]) =>
  side.send(from, side.book.morpho.morpho, morphoAbi, functionName, args)
const loanOf = (m: MorphoMarket) => ({ symbol: m.loanSymbol, decimals: m.loanDecimals })
const collateralOf = (m: MorphoMarket) => ({
  symbol: m.collateralSymbol,
  decimals: m.collateralDecimals,
})

describe.each(networkNames)('%s', (network) => {
  test('behavior: every market of the address file exists under its id', async () => {
    const side = world.on(network)
    const { morpho, adaptiveCurveIrm, markets } = file[network]!.morpho
    const address = morpho
    const base = { address, abi: morphoAbi } as const
    expect((await side.client.readContract({ ...base, functionName: 'owner' })).toLowerCase()).toBe(
      actors.admin,
    )
    const args = [adaptiveCurveIrm] as const
    expect(await side.client.readContract({ ...base, functionName: 'isIrmEnabled', args })).toBe(
      true,
    )
    const lending = markets.filter((market) => !market.idle)
    expect(lending.length).toBeGreaterThan(4)
    for (const { id, loanToken, collateralToken, oracle, irm, lltv } of lending) {
      const params = [loanToken, collateralToken, oracle, irm, BigInt(lltv)] as const
      expect(await read(side, 'idToMarketParams', id)).toEqual(params)
      const types = parseAbiParameters('address, address, address, address, uint256')
      expect(keccak256(encodeAbiParameters(types, params))).toBe(id)
    }
  })

  test('behavior: every market is lent out by 60 to 85 %, and its debtor is far from liquidation', async () => {
    const side = world.on(network)
    for (const market of side.book.morpho.markets) {
      const { supplyAssets, borrowAssets, borrowShares } = await totals(side, market.id)
      expect(supplyAssets).toBeGreaterThanOrEqual(worth(20_000_000n, loanOf(market)))
      expect((borrowAssets * 100n) / supplyAssets).toBeGreaterThanOrEqual(60n)
      expect((borrowAssets * 100n) / supplyAssets).toBeLessThanOrEqual(85n)
      const debtor = await positionOf(side, market.id, actors.borrower)
      expect(debtor.borrowShares).toBe(borrowShares)
      const limit =
        (convert(debtor.collateral, collateralOf(market), loanOf(market)) * market.lltv) /
        10n ** 18n
      expect((borrowAssets * 100n) / limit).toBeLessThanOrEqual(60n)
      const rateAtTarget = await side.client.readContract({
        address: market.irm,
        abi: irmAbi,
        functionName: 'rateAtTarget',
        args: [market.id],
      })
      // Not asked yet: its first update is at the rate of birth, and from then on it adapts.
      expect(rateAtTarget).toBe(0n)
    }
  })

  test('behavior: oracles answer the price table at the scale of the two tokens', async () => {
    const side = world.on(network)
    for (const market of side.book.morpho.markets) {
      const scale = 10n ** BigInt(36 + market.loanDecimals - market.collateralDecimals)
      const price = await side.client.readContract({
        address: market.oracle,
        abi: oracleAbi,
        functionName: 'price',
      })
      expect(price, market.label).toBe(
        (startPrice(market.collateralSymbol) * scale) / startPrice(market.loanSymbol),
      )
    }
  })

  test('behavior: a newcomer borrows in every market, owes interest, repays and leaves', async () => {
    const side = world.on(network)
    const { morpho } = side.book.morpho
    for (const market of side.book.morpho.markets) {
      const me = stranger(`borrower/${market.id}`)
      const params = marketParams(market)
      const collateral = worth(1000n, collateralOf(market))
      const debt = worth(500n, loanOf(market))
      await side.give(me, market.collateralSymbol, collateral, morpho)
      await act(side, me, 'supplyCollateral', [params, collateral, me, '0x'])
      await act(side, me, 'borrow', [params, debt, 0n, me, me])
      expect(await side.balance(market.loanToken, me)).toBe(debt)

      await side.warp(30 * day)
      await act(side, me, 'accrueInterest', [params])
      const { borrowShares } = await positionOf(side, market.id, me)
      const sums = await totals(side, market.id)
      const owed = (borrowShares * sums.borrowAssets) / sums.borrowShares
      expect(owed).toBeGreaterThan(debt)
      expect(owed).toBeLessThan((debt * 102n) / 100n)

      await side.give(me, market.loanSymbol, 2n * debt, morpho)
      await act(side, me, 'repay', [params, 0n, borrowShares, me, '0x'])
      await act(side, me, 'withdrawCollateral', [params, collateral, me, me])
      expect(await side.balance(market.collateralToken, me)).toBe(collateral)
      expect(await positionOf(side, market.id, me)).toEqual({
        supplyShares: 0n,
        borrowShares: 0n,
        collateral: 0n,
      })
    }
  })

  test('error: nobody borrows beyond the collateral', async () => {
    const side = world.on(network)
    const market = side.book.morpho.markets[0]!
    const me = stranger('greedy')
    const params = marketParams(market)
    const collateral = worth(1000n, collateralOf(market))
    await side.give(me, market.collateralSymbol, collateral, side.book.morpho.morpho)
    await act(side, me, 'supplyCollateral', [params, collateral, me, '0x'])
    const limit = (worth(1000n, loanOf(market)) * market.lltv) / 10n ** 18n
    const tooMuch = act(side, me, 'borrow', [params, (limit * 101n) / 100n, 0n, me, me])
    await expect(tooMuch).rejects.toThrow(/696e73756666696369656e7420636f6c6c61746572616c/)
    await act(side, me, 'borrow', [params, (limit * 99n) / 100n, 0n, me, me])
  })

  test('behavior: a price shock makes a position liquidatable, and anyone liquidates it', async () => {
    const side = world.on(network)
    const { morpho, markets } = side.book.morpho
    const market = markets.find((m) => m.collateralSymbol === 'WETH' && m.loanSymbol === 'USDC')!
    const params = marketParams(market)
    const liquidator = stranger('liquidator')
    const seized = worth(3000n, collateralOf(market))
    await side.give(liquidator, market.loanSymbol, worth(10_000n, loanOf(market)), morpho)
    const liquidate = () =>
      act(side, liquidator, 'liquidate', [params, actors.borrower, seized, 0n, '0x'])
    // "position is healthy"
    await expect(liquidate()).rejects.toThrow(/706f736974696f6e206973206865616c746879/)
    await side.setPrice('ETH', startPrice('ETH') / 2n)
    await liquidate()
    expect(await side.balance(market.collateralToken, liquidator)).toBe(seized)
  })

  test('behavior: five years later every market is sound', async () => {
    const side = world.on(network)
    await side.node.rpc.request('evm_increaseTime', [5 * 365 * day])
    for (const market of side.book.morpho.markets) {
      await act(side, actors.admin, 'accrueInterest', [marketParams(market)])
      const { supplyAssets, borrowAssets } = await totals(side, market.id)
      expect((borrowAssets * 100n) / supplyAssets).toBeLessThan(95n)
      const { collateral } = await positionOf(side, market.id, actors.borrower)
      const value = convert(collateral, collateralOf(market), loanOf(market))
      expect((borrowAssets * 10n ** 18n) / value).toBeLessThan(market.lltv)
    }
  })

  test('behavior: every vault of the file whose asset is lent stands, and lends on Morpho', async () => {
    const side = world.on(network)
    const { markets, vaults, morpho } = file[network]!.morpho
    const lent = new Set(markets.filter((m) => !m.idle).map((m) => m.loanToken))
    const standing = vaults.filter((vault) => lent.has(vault.asset))
    expect(standing.length).toBe(side.book.morpho.vaults.length)
    for (const { address, asset, name, symbol } of standing) {
      const get = <T>(functionName: 'asset' | 'name' | 'symbol' | 'decimals' | 'MORPHO') =>
        side.client.readContract({ address, abi: vaultAbi, functionName }) as Promise<T>
      expect([
        await get('asset'),
        await get('name'),
        await get('symbol'),
        await get('decimals'),
        await get('MORPHO'),
      ]).toEqual([asset, name, symbol ?? name, 18, morpho])
    }
  })

  test('behavior: a deposit in every vault earns interest and comes back whole', async () => {
    const side = world.on(network)
    const view = (
      address: Address,
      functionName: 'previewDeposit' | 'convertToAssets' | 'previewRedeem',
      amount: bigint,
    ) => side.client.readContract({ address, abi: vaultAbi, functionName, args: [amount] })
    const deposits: { vault: MorphoVault; me: Address; amount: bigint; shares: bigint }[] = []
    for (const vault of side.book.morpho.vaults) {
      const { address, assetSymbol } = vault
      const me = stranger(`saver/${address}`)
      const amount = worth(1000n, { symbol: assetSymbol, decimals: vault.assetDecimals })
      await side.give(me, assetSymbol, amount, address)
      await side.send(me, address, vaultAbi, 'deposit', [amount, me])
      const shares = await side.balance(address, me)
      expect(shares).toBeGreaterThan(0n)
      expect(amount - (await view(address, 'convertToAssets', shares))).toBeLessThanOrEqual(2n)
      deposits.push({ vault, me, amount, shares })
    }
    await side.warp(30 * day)
    for (const { vault, me, amount, shares } of deposits) {
      const { address, asset } = vault
      // About 0.2 %: 4 % a year at the target, and less of it every day.
      const worthNow = await view(address, 'convertToAssets', shares)
      expect((worthNow * 10_000n) / amount).toBeGreaterThanOrEqual(10_010n)
      expect((worthNow * 10_000n) / amount).toBeLessThanOrEqual(10_034n)
      await side.send(me, address, vaultAbi, 'redeem', [shares, me, me])
      const paid = await side.balance(asset, me)
      expect(paid).toBeGreaterThanOrEqual(worthNow)
      expect(paid - worthNow).toBeLessThan(worthNow / 1_000_000n)
      expect(await side.balance(address, me)).toBe(0n)
    }
  })

  test('behavior: what a vault says it has is what the markets owe it, to the last digit', async () => {
    const side = world.on(network)
    for (const vault of side.book.morpho.vaults) {
      await side.warp(100 * day)
      const { address } = vault
      const markets = marketsOf(side.book, vault)
      const before = await side.node.rpc.request<{ timestamp: Hex }>('eth_getBlockByNumber', [
        'latest',
        false,
      ])
      const said = await side.client.readContract({
        address,
        abi: vaultAbi,
        functionName: 'totalAssets',
      })
      // All in one block of the same time, so that the accrued sums are those of the moment asked about.
      let owed = 0n
      for (const market of markets) {
        await side.node.rpc.request('evm_setNextBlockTimestamp', [before.timestamp])
        await act(side, actors.admin, 'accrueInterest', [marketParams(market)])
        const { supplyShares } = await positionOf(side, market.id, address)
        const sums = await totals(side, market.id)
        owed += (supplyShares * (sums.supplyAssets + 1n)) / (sums.supplyShares + 1_000_000n)
      }
      expect(said).toBe(owed)
      for (const [i, market] of markets.entries()) {
        const args = [BigInt(i)] as const
        expect(
          await side.client.readContract({
            address,
            abi: vaultAbi,
            functionName: 'supplyQueue',
            args,
          }),
        ).toBe(market.id)
      }
    }
  })
})
