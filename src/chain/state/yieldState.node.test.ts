import { type Address, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { erc20, stranger, useWorld, type WorldSide } from '../../../test/kit/world.js'
import { actors } from '../../deployments/actors.js'
import { artifact, place } from '../genesis/contracts.js'
import { marketParams, marketsOf } from '../genesis/protocols/morpho.js'
import { decodeVault, vaultRead } from './marketReads.js'
import { createNetworkStateReader, type NetworkState } from './networkState.js'

/** Aave and vaults in a snapshot, against the contracts' own answers in the block that the snapshot saw coming. */

const poolAbi = parseAbi([
  'function getReserveData(address) view returns ((uint256 configuration, uint128 liquidityIndex, uint128 currentLiquidityRate, uint128 variableBorrowIndex, uint128 currentVariableBorrowRate, uint128 currentStableBorrowRate, uint40 lastUpdateTimestamp, uint16 id, address aTokenAddress, address stableDebtTokenAddress, address variableDebtTokenAddress, address interestRateStrategyAddress, uint128 accruedToTreasury, uint128 unbacked, uint128 isolationModeTotalDebt))',
  'function supply(address, uint256, address, uint16)',
  'function borrow(address, uint256, uint256, uint16, address)',
  'function setUserUseReserveAsCollateral(address, bool)',
])
const configuratorAbi = parseAbi([
  'function setSupplyCap(address, uint256)',
  'function setBorrowCap(address, uint256)',
  'function setReserveFreeze(address, bool)',
  'function setReservePause(address, bool)',
  'function setReserveBorrowing(address, bool)',
])
const vaultAbi = parseAbi([
  'function deposit(uint256, address) returns (uint256)',
  'function totalAssets() view returns (uint256)',
  'function maxDeposit(address) view returns (uint256)',
  'function maxWithdraw(address) view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function convertToAssets(uint256) view returns (uint256)',
  'function setFee(uint256)',
  'function setFeeRecipient(address)',
])
const morphoAbi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'function setFee(MarketParams, uint256)',
  'function accrueInterest(MarketParams)',
])
const networks = ['base', 'mainnet'] as const
const world = useWorld(networks)
const nobody = stranger('nobody')

function snapshot(
  side: WorldSide,
  wallet: Address,
  protocol: 'aave' | 'vaults',
  assets?: string[],
) {
  const scope = { protocols: [protocol], ...(assets && { assets }) }
  return createNetworkStateReader(side.book).read(side.node, wallet, scope)
}

/** Mines the block that a snapshot saw coming. */
async function mineAt(side: WorldSide, { timestamp }: NetworkState): Promise<void> {
  await side.node.rpc.request('evm_setNextBlockTimestamp', [Number(timestamp)])
  await side.node.rpc.request('evm_mine')
}

const reserveOf = (side: WorldSide, symbol: string) =>
  side.book.aave.reserves.find((reserve) => reserve.symbol === symbol)!

/** Supplies ten ether and owes 1000 USDC. */
async function indebted(side: WorldSide, label: string): Promise<Address> {
  const me = stranger(label)
  const { pool } = side.book.aave
  const [weth, usdc] = [reserveOf(side, 'WETH'), reserveOf(side, 'USDC')]
  await side.give(me, 'WETH', 10n ** 19n, pool)
  await side.send(me, pool, poolAbi, 'supply', [weth.asset, 10n ** 19n, me, 0])
  await side.send(me, pool, poolAbi, 'borrow', [usdc.asset, 1_000_000_000n, 2n, 0, me])
  return me
}

test.each(networks)(
  'default: Aave on %s: sums, rates and the position are the pool’s own',
  async (network) => {
    const side = world.on(network)
    const me = await indebted(side, `debtor of Aave on ${network}`)
    await side.warp(30 * 86_400)
    const taken = await snapshot(side, me, 'aave')
    await mineAt(side, taken)
    const { pool, reserves } = side.book.aave
    expect(taken.aaveReserves.map(({ reserve }) => reserve)).toEqual(reserves)
    for (const { reserve, ...state } of taken.aaveReserves) {
      const { asset, aToken, variableDebtToken, symbol, ltv, liquidationThreshold } = reserve
      const sum = (token: Address) =>
        side.client.readContract({ address: token, abi: erc20, functionName: 'totalSupply' })
      const data = await side.client.readContract({
        address: pool,
        abi: poolAbi,
        functionName: 'getReserveData',
        args: [asset],
      })
      expect(state, symbol).toMatchObject({
        totalSupply: await sum(aToken),
        totalBorrow: await sum(variableDebtToken),
        supplyRate: data.currentLiquidityRate,
        borrowRate: data.currentVariableBorrowRate,
        accruedToTreasury: (data.accruedToTreasury * data.liquidityIndex) / 10n ** 27n,
        cash: await side.balance(asset, aToken),
        supplied: await side.balance(aToken, me),
        borrowed: await side.balance(variableDebtToken, me),
        isCollateral: symbol === 'WETH',
        ltv,
        liquidationThreshold,
        liquidationBonus: 10_500n,
        supplyCap: 0n,
        borrowCap: 0n,
        isActive: true,
        isFrozen: false,
        isPaused: false,
        isBorrowable: true,
      })
    }
    const usdc = taken.aaveReserves.find(({ reserve }) => reserve.symbol === 'USDC')!
    expect(usdc.borrowed).toBeGreaterThan(1_000_000_000n)
  },
)

test('behavior: what the pool’s governors set is seen', async () => {
  const side = world.on('base')
  const { asset } = reserveOf(side, 'USDC')
  const govern = (name: string, value: unknown) =>
    side.send(actors.admin, side.book.aave.poolConfigurator, configuratorAbi, name, [asset, value])
  const see = async () => (await snapshot(side, nobody, 'aave', ['USDC'])).aaveReserves
  await govern('setSupplyCap', 80_000_000n)
  await govern('setBorrowCap', 70_000_000n)
  await govern('setReserveBorrowing', false)
  await govern('setReserveFreeze', true)
  expect(await see()).toMatchObject([
    {
      supplyCap: 80_000_000_000_000n,
      borrowCap: 70_000_000_000_000n,
      isBorrowable: false,
      isFrozen: true,
      isPaused: false,
    },
  ])
  await govern('setReservePause', true)
  expect(await see()).toMatchObject([{ isPaused: true }])
})

test.each(networks)(
  'default: vaults on %s: sums, room and the position are the vault’s own',
  async (network) => {
    const side = world.on(network)
    const me = stranger(`holder on ${network}`)
    const { vaults } = side.book.morpho
    for (const { address, asset, assetSymbol, assetDecimals } of vaults) {
      const amount = 1_234n * 10n ** BigInt(assetDecimals)
      await side.give(me, assetSymbol, amount)
      await side.send(me, asset, erc20, 'approve', [address, amount])
      await side.send(me, address, vaultAbi, 'deposit', [amount, me])
    }
    await side.warp(86_400)
    const taken = await snapshot(side, me, 'vaults')
    await mineAt(side, taken)
    expect(taken.vaults.map(({ vault }) => vault)).toEqual(vaults)
    for (const { vault, supplyRate, ...state } of taken.vaults) {
      const read = (functionName: 'totalAssets' | 'maxDeposit' | 'maxWithdraw') =>
        side.client.readContract({
          address: vault.address,
          abi: vaultAbi,
          functionName,
          args: functionName === 'totalAssets' ? [] : [me],
        } as never)
      const shares = await side.balance(vault.address, me)
      expect(state, vault.name).toEqual({
        totalAssets: await read('totalAssets'),
        room: await read('maxDeposit'),
        withdrawable: await read('maxWithdraw'),
        supplied: await side.client.readContract({
          address: vault.address,
          abi: vaultAbi,
          functionName: 'convertToAssets',
          args: [shares],
        }),
      })
      expect(state.supplied).toBeGreaterThan(1_234n * 10n ** BigInt(vault.assetDecimals))
      expect(supplyRate).toBeGreaterThan(0n)
    }
  },
)

test('behavior: what the markets keep for themselves is not earned', async () => {
  const side = world.on('base')
  const { morpho, vaults } = side.book.morpho
  const vault = vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')!
  const params = marketsOf(side.book, vault).map(marketParams)
  const rate = async () =>
    (await snapshot(side, nobody, 'vaults', ['USDC'])).vaults.find(
      (state) => state.vault.address === vault.address,
    )!.supplyRate
  for (const market of params)
    await side.send(nobody, morpho, morphoAbi, 'accrueInterest', [market])
  const before = await rate()
  for (const market of params)
    await side.send(actors.admin, morpho, morphoAbi, 'setFee', [market, 10n ** 17n])
  // A second or two of interest move the utilization by far less than a millionth.
  expect(isNear(await rate(), (before * 9n) / 10n)).toBe(true)
})

test('behavior: nor is what a vault keeps: of two equal vaults the one with a fee earns less by just that', async () => {
  const side = world.on('base')
  const { morpho, vaults } = side.book.morpho
  const listed = vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')!
  const allocations = marketsOf(side.book, listed).map(({ id }) => ({ id, cap: 10n ** 18n }))
  const me = stranger('depositor')
  const equals = { plain: stranger('plain vault'), taking: stranger('vault with a fee') }
  const named = ['Vault', 'V']
  const made = [actors.admin, listed.asset, ...named, morpho, allocations]
  for (const address of Object.values(equals))
    await place(side.node, address, artifact('MorphoVault'), made)
  const set = (name: string, value: unknown) =>
    side.send(actors.admin, equals.taking, vaultAbi, name, [value])
  await set('setFeeRecipient', stranger('taker'))
  await set('setFee', (2n * 10n ** 18n) / 10n)
  const rates: bigint[] = []
  for (const address of Object.values(equals)) {
    await side.give(me, 'USDC', 10n ** 9n, address)
    await side.send(me, address, vaultAbi, 'deposit', [10n ** 9n, me])
  }
  for (const address of Object.values(equals)) {
    const vault = { ...listed, address }
    const { target, data } = vaultRead(side.book, vault, me)
    const answer = await side.client.call({ to: target, data })
    rates.push(decodeVault(vault, answer.data!.slice(2)).supplyRate)
  }
  const [plain, taking] = rates
  expect(plain).toBeGreaterThan(0n)
  expect(isNear(taking!, (plain! * 8n) / 10n)).toBe(true)
})

function isNear(a: bigint, b: bigint): boolean {
  const difference = a > b ? a - b : b - a
  return difference * 100_000n <= b
}

test('behavior: reserves and vaults are read when their asset is in scope', async () => {
  const side = world.on('base')
  const { aaveReserves } = await snapshot(side, nobody, 'aave', ['usdc', 'eth'])
  expect(aaveReserves.map(({ reserve }) => reserve.symbol)).toEqual(['WETH', 'USDC'])
  const { vaults, comets, morphoMarkets } = await snapshot(side, nobody, 'vaults', ['usdc'])
  expect(new Set(vaults.map(({ vault }) => vault.assetSymbol))).toEqual(new Set(['USDC']))
  expect({ comets, morphoMarkets }).toEqual({ comets: [], morphoMarkets: [] })
})

test('error: a pool that does not answer is left out, and vaults are read all the same', async () => {
  const side = world.on('base')
  await side.node.rpc.request('anvil_setCode', [side.book.aave.protocolDataProvider, '0x5f5ffd'])
  const { aaveReserves, vaults } = await createNetworkStateReader(side.book).read(side.node, nobody)
  expect(aaveReserves).toEqual([])
  expect(vaults).toHaveLength(side.book.morpho.vaults.length)
})
