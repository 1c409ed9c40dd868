import { readFileSync } from 'node:fs'
import { type Address, parseAbi, parseUnits } from 'viem'
import { describe, expect, test } from 'vitest'
import { erc20, stranger, useWorld, type WorldSide } from '../../../../test/kit/world.js'
import { actors } from '../../../deployments/actors.js'
import { networkNames } from '../../../deployments/networks.js'
import { startPrice, worth } from '../prices.js'

/** Written down here once more, from the makers' documentation, so that the world is read as an outsider reads it. */
const providerAbi = parseAbi([
  'function getPool() view returns (address)',
  'function getPoolConfigurator() view returns (address)',
  'function getPriceOracle() view returns (address)',
  'function getACLManager() view returns (address)',
  'function getPoolDataProvider() view returns (address)',
])
const poolAbi = parseAbi([
  'function getReservesList() view returns (address[])',
  'function getReserveData(address) view returns ((uint256 configuration, uint128 liquidityIndex, uint128 currentLiquidityRate, uint128 variableBorrowIndex, uint128 currentVariableBorrowRate, uint128 currentStableBorrowRate, uint40 lastUpdateTimestamp, uint16 id, address aTokenAddress, address stableDebtTokenAddress, address variableDebtTokenAddress, address interestRateStrategyAddress, uint128 accruedToTreasury, uint128 unbacked, uint128 isolationModeTotalDebt))',
  'function getUserAccountData(address) view returns (uint256 collateral, uint256 debt, uint256 available, uint256 threshold, uint256 ltv, uint256 healthFactor)',
  'function supply(address, uint256, address, uint16)',
  'function withdraw(address, uint256, address) returns (uint256)',
  'function borrow(address, uint256, uint256, uint16, address)',
  'function repay(address, uint256, uint256, address) returns (uint256)',
  'function liquidationCall(address, address, address, uint256, bool)',
])
const dataAbi = parseAbi([
  'function getReserveTokensAddresses(address) view returns (address, address, address)',
  'function getReserveConfigurationData(address) view returns (uint256, uint256, uint256, uint256, uint256, bool, bool, bool, bool, bool)',
  'function getReserveData(address) view returns (uint256, uint256, uint256, uint256, uint256, uint256, uint256, uint256, uint256, uint256, uint256, uint40)',
])
const oracleAbi = parseAbi([
  'function getAssetPrice(address) view returns (uint256)',
  'function getSourceOfAsset(address) view returns (address)',
])

interface FileAave
  extends Record<
    | 'pool'
    | 'poolAddressesProvider'
    | 'poolConfigurator'
    | 'aclManager'
    | 'oracle'
    | 'protocolDataProvider',
    Address
  > {
  reserves: Record<
    string,
    Record<'underlying' | 'aToken' | 'vToken' | 'oracle', Address> & {
      reserveId: number
      decimals: number
      ltv?: string
      liquidationThreshold?: string
    }
  >
}

const file = JSON.parse(
  readFileSync(new URL('../../../../contracts/addresses.json', import.meta.url), 'utf8'),
) as Record<string, { aaveV3: FileAave }>
const world = useWorld()
const day = 86_400
const maxUint256 = 2n ** 256n - 1n
const ray = 10n ** 27n

const act = (side: WorldSide, from: Address, functionName: string, args: unknown[]) =>
  side.send(from, side.book.aave.pool, poolAbi, functionName, args)
const accountOf = async (side: WorldSide, account: Address) => {
  const [collateral, debt, available, threshold, ltv, healthFactor] =
    await side.client.readContract({
      address: side.book.aave.pool,
      abi: poolAbi,
      functionName: 'getUserAccountData',
      args: [account],
    })
  return { collateral, debt, available, threshold, ltv, healthFactor }
}
const sumsOf = async (side: WorldSide, asset: Address) => {
  const data = await side.client.readContract({
    address: side.book.aave.protocolDataProvider,
    abi: dataAbi,
    functionName: 'getReserveData',
    args: [asset],
  })
  return { supplied: data[2], borrowed: data[4], supplyRate: data[5], borrowRate: data[6] }
}
const reserve = (side: WorldSide, symbol: string) =>
  side.book.aave.reserves.find((r) => r.symbol === symbol)!

describe.each(networkNames)('%s', (network) => {
  test('behavior: provider, pool, oracle and data provider stand where the address file says', async () => {
    const { client } = world.on(network)
    const { poolAddressesProvider, ...others } = file[network]!.aaveV3
    const get = (functionName: (typeof providerAbi)[number]['name']) =>
      client.readContract({ address: poolAddressesProvider, abi: providerAbi, functionName })
    expect([
      await get('getPool'),
      await get('getPoolConfigurator'),
      await get('getPriceOracle'),
      await get('getACLManager'),
      await get('getPoolDataProvider'),
    ]).toEqual([
      others.pool,
      others.poolConfigurator,
      others.oracle,
      others.aclManager,
      others.protocolDataProvider,
    ])
  })

  test('behavior: every reserve of the file has its id, its tokens, its source and its factors', async () => {
    const { client } = world.on(network)
    const { pool, oracle, protocolDataProvider, reserves } = file[network]!.aaveV3
    const listed = await client.readContract({
      address: pool,
      abi: poolAbi,
      functionName: 'getReservesList',
    })
    const byId = Object.values(reserves).sort((a, b) => a.reserveId - b.reserveId)
    expect(listed).toEqual(byId.map((r) => r.underlying))
    for (const expected of byId) {
      const args = [expected.underlying] as const
      const data = await client.readContract({
        address: pool,
        abi: poolAbi,
        functionName: 'getReserveData',
        args,
      })
      expect(data.id).toBe(expected.reserveId)
      const tokens = await client.readContract({
        address: protocolDataProvider,
        abi: dataAbi,
        functionName: 'getReserveTokensAddresses',
        args,
      })
      expect([tokens[0], tokens[2]]).toEqual([expected.aToken, expected.vToken])
      const source = {
        address: oracle,
        abi: oracleAbi,
        functionName: 'getSourceOfAsset',
        args,
      } as const
      expect(await client.readContract(source)).toBe(expected.oracle)
      const config = await client.readContract({
        address: protocolDataProvider,
        abi: dataAbi,
        functionName: 'getReserveConfigurationData',
        args,
      })
      expect(config[0]).toBe(BigInt(expected.decimals))
      if (expected.ltv) expect(config[1]).toBe(parseUnits(expected.ltv, 4))
      if (expected.liquidationThreshold)
        expect(config[2]).toBe(parseUnits(expected.liquidationThreshold, 4))
      expect(config[1]).toBeGreaterThanOrEqual(6000n)
      expect(config[2]).toBeGreaterThan(config[1])
      expect(config.slice(5)).toEqual([true, true, false, true, false])
    }
  })

  test('behavior: reserves are lent out by 60 to 85 %, wstETH a little; prices are the table’s', async () => {
    const side = world.on(network)
    for (const { asset, symbol, decimals } of side.book.aave.reserves) {
      const { supplied, borrowed, supplyRate, borrowRate } = await sumsOf(side, asset)
      const [least, most] = symbol === 'wstETH' ? [10n, 20n] : [60n, 85n]
      expect((borrowed * 100n) / supplied, symbol).toBeGreaterThanOrEqual(least)
      expect((borrowed * 100n) / supplied, symbol).toBeLessThanOrEqual(most)
      expect(supplied).toBeGreaterThanOrEqual(worth(50_000_000n, { symbol, decimals }))
      expect(borrowRate).toBeGreaterThan(supplyRate)
      expect(borrowRate).toBeLessThan(ray / 20n)
      expect(supplyRate).toBeGreaterThan(0n)
      const price = await side.client.readContract({
        address: side.book.aave.oracle,
        abi: oracleAbi,
        functionName: 'getAssetPrice',
        args: [asset],
      })
      expect(price).toBe(startPrice(symbol))
    }
    for (const account of [actors.lender, actors.borrower])
      expect((await accountOf(side, account)).healthFactor).toBeGreaterThan(2n * 10n ** 18n)
  })

  test('behavior: a newcomer supplies and borrows every asset, earns and owes interest, and leaves with nothing left', async () => {
    const side = world.on(network)
    const { pool } = side.book.aave
    for (const { asset, symbol, decimals, aToken, variableDebtToken, ltv } of side.book.aave
      .reserves) {
      const me = stranger(`aave/${symbol}`)
      const amount = worth(10_000n, { symbol, decimals })
      const debt = worth(4000n, { symbol, decimals })
      await side.give(me, symbol, amount, pool)
      await act(side, me, 'supply', [asset, amount, me, 0])
      const { collateral, available } = await accountOf(side, me)
      expect(near(collateral, 10_000n * 10n ** 8n)).toBe(true)
      expect(near(available, ltv * 10n ** 8n)).toBe(true)

      await act(side, me, 'borrow', [asset, debt, 2n, 0, me])
      expect(await side.balance(asset, me)).toBe(debt)
      const [had, owed] = [
        await side.balance(aToken, me),
        await side.balance(variableDebtToken, me),
      ]
      const before = await sumsOf(side, asset)
      await side.warp(30 * day)
      const earned = (await side.balance(aToken, me)) - had
      const cost = (await side.balance(variableDebtToken, me)) - owed
      // Linear for suppliers, compounded for debtors: a little more than linear.
      expect(near(earned, (had * before.supplyRate * 30n) / (365n * ray))).toBe(true)
      expect(near(cost, (owed * before.borrowRate * 30n) / (365n * ray))).toBe(true)

      await side.give(me, symbol, debt, pool)
      // USDT on Ethereum takes no approval over another.
      await side.send(me, asset, erc20, 'approve', [pool, 0n])
      await side.send(me, asset, erc20, 'approve', [pool, maxUint256])
      await act(side, me, 'repay', [asset, maxUint256, 2n, me])
      await act(side, me, 'withdraw', [asset, maxUint256, me])
      expect([await side.balance(aToken, me), await side.balance(variableDebtToken, me)]).toEqual([
        0n,
        0n,
      ])
      expect(await accountOf(side, me)).toMatchObject({
        collateral: 0n,
        debt: 0n,
        healthFactor: maxUint256,
      })
    }
  })

  test('error: nobody borrows beyond the collateral', async () => {
    const side = world.on(network)
    const me = stranger('greedy')
    const [weth, usdc] = [reserve(side, 'WETH'), reserve(side, 'USDC')]
    const amount = worth(10_000n, weth)
    await side.give(me, 'WETH', amount, side.book.aave.pool)
    await act(side, me, 'supply', [weth.asset, amount, me, 0])
    const limit = (worth(10_000n, usdc) * weth.ltv) / 10_000n
    // Error "36": the collateral cannot cover a new borrow.
    await expect(
      act(side, me, 'borrow', [usdc.asset, (limit * 101n) / 100n, 2n, 0, me]),
    ).rejects.toThrow(/00023336/)
    await act(side, me, 'borrow', [usdc.asset, (limit * 99n) / 100n, 2n, 0, me])
  })

  test('behavior: a price shock makes a position liquidatable, and anyone liquidates it', async () => {
    const side = world.on(network)
    const { pool } = side.book.aave
    const [me, liquidator] = [stranger('debtor'), stranger('liquidator')]
    const [weth, usdc] = [reserve(side, 'WETH'), reserve(side, 'USDC')]
    const amount = worth(10_000n, weth)
    await side.give(me, 'WETH', amount, pool)
    await act(side, me, 'supply', [weth.asset, amount, me, 0])
    await act(side, me, 'borrow', [usdc.asset, worth(7000n, usdc), 2n, 0, me])
    // More than the debt, which grows with every second.
    await side.give(liquidator, 'USDC', worth(7100n, usdc), pool)
    const liquidate = () =>
      act(side, liquidator, 'liquidationCall', [weth.asset, usdc.asset, me, maxUint256, false])
    // Error "45": the health factor is not below the threshold.
    await expect(liquidate()).rejects.toThrow(/00023435/)
    await side.setPrice('ETH', (startPrice('ETH') * 80n) / 100n)
    expect((await accountOf(side, me)).healthFactor).toBeLessThan(10n ** 18n)
    await liquidate()
    const seized = await side.balance(weth.asset, liquidator)
    const paid = worth(7100n, usdc) - (await side.balance(usdc.asset, liquidator))
    // Five percent more than was paid, at the new price of 2,400 dollars.
    expect(near(seized, (paid * 105n * 10n ** 12n) / (100n * 2400n))).toBe(true)
  })

  test('behavior: five years later the pool is sound', async () => {
    const side = world.on(network)
    await side.warp(5 * 365 * day)
    for (const { asset, symbol } of side.book.aave.reserves) {
      const { supplied, borrowed } = await sumsOf(side, asset)
      expect((borrowed * 100n) / supplied, symbol).toBeLessThan(85n)
    }
    for (const account of [actors.lender, actors.borrower])
      expect((await accountOf(side, account)).healthFactor).toBeGreaterThan(2n * 10n ** 18n)
  })
})

/** Within half a percent. */
function near(value: bigint, expected: bigint): boolean {
  return value * 1000n >= expected * 995n && value * 1000n <= expected * 1005n
}
