import { type Address, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { stranger, useWorld, type WorldSide } from '../../../test/kit/world.js'
import { networkNames } from '../../deployments/networks.js'
import { startPrice, worth } from './prices.js'
import { marketParams } from './protocols/morpho.js'

const cometAbi = parseAbi([
  'function supply(address, uint256)',
  'function withdraw(address, uint256)',
  'function isLiquidatable(address) view returns (bool)',
])
const morphoAbi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'function supplyCollateral(MarketParams, uint256, address, bytes)',
  'function borrow(MarketParams, uint256, uint256, address, address)',
  'function position(bytes32, address) view returns (uint256, uint128 borrowShares, uint128 collateral)',
  'function market(bytes32) view returns (uint128, uint128, uint128 borrowAssets, uint128 borrowShares, uint128, uint128)',
])
const oracleAbi = parseAbi(['function price() view returns (uint256)'])
const poolAbi = parseAbi([
  'function supply(address, uint256, address, uint16)',
  'function borrow(address, uint256, uint256, uint16, address)',
  'function getUserAccountData(address) view returns (uint256, uint256, uint256, uint256, uint256, uint256 healthFactor)',
])

const world = useWorld()

test.each(networkNames)(
  'behavior: on %s one price set once makes like positions on Comet, Aave and Morpho liquidatable',
  async (network) => {
    const side = world.on(network)
    const me = stranger('leveraged')
    const positions = [await onComet(side, me), await onAave(side, me), await onMorpho(side, me)]
    const areAtRisk = () => Promise.all(positions.map((isAtRisk) => isAtRisk()))
    expect(await areAtRisk()).toEqual([false, false, false])
    await side.setPrice('ETH', (startPrice('ETH') * 70n) / 100n)
    expect(await areAtRisk()).toEqual([true, true, true])
    await side.setPrice('ETH', startPrice('ETH'))
    expect(await areAtRisk()).toEqual([false, false, false])
  },
)

const collateralUsd = 10_000n
const debtUsd = 7000n

async function onComet(side: WorldSide, me: Address): Promise<() => Promise<boolean>> {
  const market = side.book.comets.find((m) => m.baseSymbol.startsWith('USDC'))!
  const weth = market.collaterals.find((c) => c.symbol === 'WETH')!
  const base = { symbol: market.baseSymbol, decimals: market.baseDecimals }
  const amount = worth(collateralUsd, weth)
  await side.give(me, 'WETH', amount, market.address)
  await side.send(me, market.address, cometAbi, 'supply', [weth.asset, amount])
  await side.send(me, market.address, cometAbi, 'withdraw', [
    market.baseToken,
    worth(debtUsd, base),
  ])
  return () =>
    side.client.readContract({
      address: market.address,
      abi: cometAbi,
      functionName: 'isLiquidatable',
      args: [me],
    })
}

async function onAave(side: WorldSide, me: Address): Promise<() => Promise<boolean>> {
  const { pool, reserves } = side.book.aave
  const [weth, usdc] = ['WETH', 'USDC'].map((symbol) => reserves.find((r) => r.symbol === symbol)!)
  const amount = worth(collateralUsd, weth!)
  await side.give(me, 'WETH', amount, pool)
  await side.send(me, pool, poolAbi, 'supply', [weth!.asset, amount, me, 0])
  await side.send(me, pool, poolAbi, 'borrow', [usdc!.asset, worth(debtUsd, usdc!), 2n, 0, me])
  return async () => {
    const read = { address: pool, abi: poolAbi, functionName: 'getUserAccountData' } as const
    return (await side.client.readContract({ ...read, args: [me] }))[5] < 10n ** 18n
  }
}

/** Morpho has no view for it: the debt is compared with what the oracle's price lets the collateral carry. */
async function onMorpho(side: WorldSide, me: Address): Promise<() => Promise<boolean>> {
  const { morpho, markets } = side.book.morpho
  const market = markets.find((m) => m.collateralSymbol === 'WETH' && m.loanSymbol === 'USDC')!
  const params = marketParams(market)
  const amount = worth(collateralUsd, { symbol: 'WETH', decimals: market.collateralDecimals })
  const debt = worth(debtUsd, { symbol: 'USDC', decimals: market.loanDecimals })
  await side.give(me, 'WETH', amount, morpho)
  await side.send(me, morpho, morphoAbi, 'supplyCollateral', [params, amount, me, '0x'])
  await side.send(me, morpho, morphoAbi, 'borrow', [params, debt, 0n, me, me])
  const read = { address: morpho, abi: morphoAbi } as const
  return async () => {
    const [, shares, collateral] = await side.client.readContract({
      ...read,
      functionName: 'position',
      args: [market.id, me],
    })
    const [, , borrowAssets, borrowShares] = await side.client.readContract({
      ...read,
      functionName: 'market',
      args: [market.id],
    })
    const price = await side.client.readContract({
      address: market.oracle,
      abi: oracleAbi,
      functionName: 'price',
    })
    const limit = (((collateral * price) / 10n ** 36n) * market.lltv) / 10n ** 18n
    return (shares * borrowAssets) / borrowShares > limit
  }
}
