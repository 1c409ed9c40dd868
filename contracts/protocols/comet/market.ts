import type { Address } from 'viem'
import { zeroAddress } from 'viem'
import { parseUnits } from 'viem/utils'
import {
  admin,
  alice,
  bob,
  type Contract,
  carol,
  maxUint256,
  symbolKey,
  type TestChain,
} from '../testChain.js'
import type { ModelParameters } from './model.js'

/** A USDC market with WETH (3,000 USD) and WBTC (90,000 USD) as collateral, and its rewards in COMP. */
export interface Market {
  comet: Contract
  rewards: Contract
  usdc: Contract
  weth: Contract
  wbtc: Contract
  comp: Contract
  config: CometConfig
  assets: AssetConfig[]
  setPrice(symbol: 'USDC' | 'WETH' | 'WBTC', usd: bigint): Promise<void>
}

export interface CometConfig {
  [parameter: string]: unknown
  baseTokenPriceFeed: Address
}

export interface AssetConfig {
  asset: Address
  priceFeed: Address
  decimals: number
  borrowCollateralFactor: bigint
  liquidateCollateralFactor: bigint
  liquidationFactor: bigint
  supplyCap: bigint
}

export const usdc = (amount: string) => parseUnits(amount, 6)
export const ether = (amount: string) => parseUnits(amount, 18)
const factor = ether

/** What the market is made with, for the model. */
export const parameters: ModelParameters = {
  supply: { kink: factor('0.8'), low: factor('0.0325'), high: factor('0.4'), base: 0n },
  borrow: {
    kink: factor('0.8'),
    low: factor('0.035'),
    high: factor('0.25'),
    base: factor('0.015'),
  },
  baseScale: usdc('1'),
  trackingScale: 10n ** 15n,
  supplySpeed: 231_481_481_481n,
  borrowSpeed: 92_592_592_592n,
  minForRewards: usdc('1000'),
}

/** The constructor's idea of those parameters. */
export function configOf(
  baseToken: Address,
  baseTokenPriceFeed: Address,
  { supply, borrow, ...tracking }: ModelParameters = parameters,
): CometConfig {
  return {
    name: 'Compound USDC',
    symbol: 'cUSDCv3',
    governor: admin,
    pauseGuardian: zeroAddress,
    baseToken,
    baseTokenPriceFeed,
    rates: {
      supplyKink: supply.kink,
      supplySlopeLow: supply.low,
      supplySlopeHigh: supply.high,
      supplyBase: supply.base,
      borrowKink: borrow.kink,
      borrowSlopeLow: borrow.low,
      borrowSlopeHigh: borrow.high,
      borrowBase: borrow.base,
    },
    storeFrontPriceFactor: factor('0.5'),
    trackingIndexScale: tracking.trackingScale,
    baseTrackingSupplySpeed: tracking.supplySpeed,
    baseTrackingBorrowSpeed: tracking.borrowSpeed,
    baseMinForRewards: tracking.minForRewards,
    baseBorrowMin: usdc('100'),
    targetReserves: usdc('5000'),
  }
}

/** A collateral asset with the factors 0.8, 0.85 and 0.9. */
export function assetOf(
  token: Address,
  priceFeed: Address,
  decimals: number,
  cap: bigint,
): AssetConfig {
  return {
    asset: token,
    priceFeed,
    decimals,
    borrowCollateralFactor: factor('0.8'),
    liquidateCollateralFactor: factor('0.85'),
    liquidationFactor: factor('0.9'),
    supplyCap: cap,
  }
}

/** Deploys the market; alice, bob and carol get plenty of each token and have approved the market. */
export async function deployMarket(chain: TestChain): Promise<Market> {
  const hub = await chain.deploy('PriceHub', [admin])
  const token = (symbol: string, decimals: number) =>
    chain.deploy('Token', [symbol, symbol, decimals, admin])
  const feed = async (symbol: string, usd: bigint) => {
    await hub.send('setPrice', [symbolKey(symbol), usd * 10n ** 8n])
    const description = `${symbol} / USD`
    const args = [hub.address, symbolKey(symbol), symbolKey(''), 8, description]
    return (await chain.deploy('PriceFeed', args)).address
  }
  const [base, weth, wbtc, comp] = [
    await token('USDC', 6),
    await token('WETH', 18),
    await token('WBTC', 8),
    await token('COMP', 18),
  ]
  const config = configOf(base.address, await feed('USDC', 1n))
  const assets = [
    assetOf(weth.address, await feed('WETH', 3000n), 18, ether('1000')),
    assetOf(wbtc.address, await feed('WBTC', 90_000n), 8, 10_00000000n),
  ]
  const comet = await chain.deploy('Comet', [config, assets])
  const rewards = await chain.deploy('CometRewards', [admin])
  for (const user of [alice, bob, carol])
    for (const each of [base, weth, wbtc]) {
      await each.send('mint', [user, ether('1000000')])
      await each.send('approve', [comet.address, maxUint256], { from: user })
    }
  return {
    comet,
    rewards,
    usdc: base,
    weth,
    wbtc,
    comp,
    config,
    assets,
    async setPrice(symbol, usd) {
      await hub.send('setPrice', [symbolKey(symbol), usd * 10n ** 8n])
    },
  }
}
