import type { Address, Hex } from 'viem'
import { parseUnits } from 'viem/utils'
import type { RawComet, RawNetwork } from './addressFile.js'
import type { CometMarket } from './markets.js'
import type { Token } from './networks.js'

/** Comet, Aave V3, Morpho Blue and Uniswap V3 of one network, as `contracts/addresses.json` has them. All addresses lower case. */

/** A Morpho Blue market. The five parameters make the id: keccak256 of them, ABI-encoded. */
export interface MorphoMarket {
  id: Hex
  /** For example `WETH/USDC 86%`; not unique. */
  label: string
  loanSymbol: string
  loanToken: Address
  loanDecimals: number
  collateralSymbol: string
  collateralToken: Address
  collateralDecimals: number
  oracle: Address
  irm: Address
  /** Loan to value at which a position may be liquidated, 1e18-scaled. */
  lltv: bigint
  /** Whether the oracle takes the loan token for a dollar, whatever its own price is. */
  isLoanTakenForDollar: boolean
}

/** An ERC-4626 vault that lends its asset on Morpho Blue. Its shares have 18 decimals. */
export interface MorphoVault {
  address: Address
  name: string
  symbol: string
  assetSymbol: string
  asset: Address
  assetDecimals: number
}

/**
 * Morpho Blue. Of the file's markets the idle ones are left out, which only vaults use; of its vaults those whose asset no other
 * market lends (DAI, WBTC, cbBTC).
 */
export interface MorphoBook {
  morpho: Address
  irm: Address
  /** In the file's order. Several may lend the same token against the same collateral. */
  markets: readonly MorphoMarket[]
  vaults: readonly MorphoVault[]
}

/** A reserve of an Aave pool. Factors are in basis points, as the pool has them. */
export interface AaveReserve {
  /** Place in the pool's list: bit position in every configuration bitmap. */
  id: number
  symbol: string
  asset: Address
  decimals: number
  aToken: Address
  variableDebtToken: Address
  /** The reserve's own price source, a feed with 8 decimals. */
  oracle: Address
  interestRateStrategy: Address
  ltv: bigint
  liquidationThreshold: bigint
}

/** Aave V3: one pool per network. */
export interface AaveBook {
  pool: Address
  poolAddressesProvider: Address
  poolConfigurator: Address
  aclManager: Address
  oracle: Address
  protocolDataProvider: Address
  /** The maker's data provider for front ends, named in the reference data. */
  uiPoolDataProvider: Address
  /** By ascending id; ids have gaps where the real pool has assets that the simulator does not know. */
  reserves: readonly AaveReserve[]
}

/** Uniswap V3. Pools are found through the factory. */
export interface UniswapBook {
  factory: Address
  positionManager: Address
  swapRouter: Address
  quoter: Address
}

/** The three protocols' part of a network's book. */
export interface ProtocolBook {
  aave: AaveBook
  morpho: MorphoBook
  uniswap: UniswapBook
}

/** Reads the three sections of the file. `tokens` are those of the same network. */
export function parseProtocols(raw: RawNetwork, tokens: readonly Token[]): ProtocolBook {
  return {
    aave: parseAave(raw),
    morpho: parseMorpho(raw, tokens),
    uniswap: {
      factory: lower(raw.uniswapV3.factory),
      positionManager: lower(raw.uniswapV3.nonfungiblePositionManager),
      swapRouter: lower(raw.uniswapV3.swapRouter02),
      quoter: lower(raw.uniswapV3.quoterV2),
    },
  }
}

function parseMorpho(raw: RawNetwork, tokens: readonly Token[]): MorphoBook {
  const tokenAt = (address: Address): Token => {
    const token = tokens.find((t) => t.address === lower(address))
    if (!token) throw new Error(`addresses.json: morpho names ${address}, which is no token there`)
    return token
  }
  const markets = raw.morpho.markets
    .filter((market) => !market.idle)
    .map((market) => {
      const [loan, collateral] = [tokenAt(market.loanToken), tokenAt(market.collateralToken)]
      return {
        id: market.id,
        label: market.label,
        loanSymbol: loan.symbol,
        loanToken: loan.address,
        loanDecimals: loan.decimals,
        collateralSymbol: collateral.symbol,
        collateralToken: collateral.address,
        collateralDecimals: collateral.decimals,
        oracle: lower(market.oracle),
        irm: lower(market.irm),
        lltv: BigInt(market.lltv),
        isLoanTakenForDollar: answersInDollars(market.oracleFeeds),
      }
    })
  const vaults = raw.morpho.vaults
    .filter((vault) => markets.some((market) => market.loanToken === lower(vault.asset)))
    .map((vault) => ({
      address: lower(vault.address),
      name: vault.name,
      symbol: vault.symbol ?? vault.name,
      assetSymbol: tokenAt(vault.asset).symbol,
      asset: lower(vault.asset),
      assetDecimals: tokenAt(vault.asset).decimals,
    }))
  return {
    morpho: lower(raw.morpho.morpho),
    irm: lower(raw.morpho.adaptiveCurveIrm),
    markets,
    vaults,
  }
}

/** An oracle with a feed against USD for the collateral and none for the loan token. */
function answersInDollars(feeds: Record<string, { description: string | null }> = {}): boolean {
  const isUsd = Object.values(feeds).some((feed) => feed.description?.endsWith('/ USD') ?? false)
  return isUsd && !('quoteFeed1' in feeds)
}

/** For networks where the file has no factors: those of mainnet, or of the nearest relative there. In basis points. */
const usualFactors: Record<string, { ltv: bigint; liquidationThreshold: bigint }> = {
  WETH: { ltv: 8050n, liquidationThreshold: 8300n },
  wstETH: { ltv: 7850n, liquidationThreshold: 8100n },
  WBTC: { ltv: 7300n, liquidationThreshold: 7800n },
  DAI: { ltv: 6300n, liquidationThreshold: 7700n },
  WPOL: { ltv: 6800n, liquidationThreshold: 7300n },
}
const stablecoinFactors = { ltv: 7500n, liquidationThreshold: 7800n }

function parseAave(raw: RawNetwork): AaveBook {
  const { aaveV3 } = raw
  const reserves = Object.entries(aaveV3.reserves)
    .map(([symbol, reserve]) => {
      const usual = usualFactors[symbol] ?? stablecoinFactors
      return {
        id: reserve.reserveId,
        symbol,
        asset: lower(reserve.underlying),
        decimals: reserve.decimals,
        aToken: lower(reserve.aToken),
        variableDebtToken: lower(reserve.vToken),
        oracle: lower(reserve.oracle),
        interestRateStrategy: lower(reserve.interestRateStrategy),
        ltv: reserve.ltv ? parseUnits(reserve.ltv, 4) : usual.ltv,
        liquidationThreshold: reserve.liquidationThreshold
          ? parseUnits(reserve.liquidationThreshold, 4)
          : usual.liquidationThreshold,
      }
    })
    .sort((a, b) => a.id - b.id)
  return {
    pool: lower(aaveV3.pool),
    poolAddressesProvider: lower(aaveV3.poolAddressesProvider),
    poolConfigurator: lower(aaveV3.poolConfigurator),
    aclManager: lower(aaveV3.aclManager),
    oracle: lower(aaveV3.oracle),
    protocolDataProvider: lower(aaveV3.protocolDataProvider),
    uiPoolDataProvider: lower(aaveV3.uiPoolDataProvider),
    reserves,
  }
}

/** Reward supply speed of a market for which the file has none: ten whole reward tokens a day. */
const defaultTokensPerDay = 10n
const secondsPerDay = 86_400n

export function parseComet(raw: RawComet, tokens: readonly Token[]): CometMarket {
  const rewardToken = lower(raw.rewardToken)
  return {
    address: lower(raw.comet),
    name: raw.name,
    symbol: raw.symbol,
    baseSymbol: raw.baseSymbol,
    baseToken: lower(raw.baseToken),
    baseDecimals: raw.baseTokenDecimals,
    basePriceFeed: lower(raw.baseTokenPriceFeed),
    baseBorrowMin: BigInt(raw.live?.baseBorrowMin ?? raw.baseBorrowMin),
    rewardToken,
    rewardSymbol: symbolAt(rewardToken, tokens),
    collaterals: raw.collaterals
      .filter((c) => tokens.some((t) => t.address === lower(c.asset)))
      .map((c) => ({
        symbol: symbolAt(lower(c.asset), tokens),
        asset: lower(c.asset),
        decimals: c.decimals,
        priceFeed: lower(c.priceFeed),
        borrowCollateralFactor: parseUnits(c.borrowCF, 18),
        liquidateCollateralFactor: parseUnits(c.liquidateCF, 18),
        liquidationFactor: parseUnits(c.liquidationFactor, 18),
        supplyCap: BigInt(c.supplyCap),
      })),
    rates: parseRates(raw.rates),
    tracking: parseTracking(raw),
  }
}

function parseRates(raw: RawComet['rates']): CometMarket['rates'] {
  return {
    supplyKink: parseUnits(raw.supplyKink, 18),
    supplySlopeLow: parseUnits(raw.supplySlopeLow, 18),
    supplySlopeHigh: parseUnits(raw.supplySlopeHigh, 18),
    supplyBase: parseUnits(raw.supplyBase, 18),
    borrowKink: parseUnits(raw.borrowKink, 18),
    borrowSlopeLow: parseUnits(raw.borrowSlopeLow, 18),
    borrowSlopeHigh: parseUnits(raw.borrowSlopeHigh, 18),
    borrowBase: parseUnits(raw.borrowBase, 18),
  }
}

function parseTracking(raw: RawComet): CometMarket['tracking'] {
  const speeds = raw.rewardSpeeds
  const indexScale = BigInt(speeds?.trackingIndexScale ?? 10n ** 15n)
  const supplySpeed = BigInt(speeds?.baseTrackingSupplySpeed ?? 0)
  const borrowSpeed = BigInt(speeds?.baseTrackingBorrowSpeed ?? 0)
  const isSilent = supplySpeed === 0n && borrowSpeed === 0n
  return {
    indexScale,
    supplySpeed: isSilent ? (indexScale * defaultTokensPerDay) / secondsPerDay : supplySpeed,
    borrowSpeed,
    minForRewards: BigInt(speeds?.baseMinForRewards ?? 1n),
  }
}

function symbolAt(address: Address, tokens: readonly Token[]): string {
  const token = tokens.find((t) => t.address === address)
  if (!token) throw new Error(`addresses.json: no token of the network has the address ${address}`)
  return token.symbol
}

/** The rewards that holders of Morpho vaults earn on one network, and who pays them. Addresses lower case. */
export interface MorphoRewardsBook {
  /** Pays against Merkle proofs. */
  distributor: Address
  /** Keeps what the simulator’s control plane gave; the simulator’s own. */
  grants: Address
  /** The reward token: MORPHO. */
  symbol: string
  token: Address
  /** What the holders of each vault share, in smallest units per second. */
  perSecond: bigint
}

/** 200 whole tokens a day for each vault: at the world's starting prices 1.5 % a year of its ten million dollars. */
const tokensPerDay = 200n

/**
 * Rewards are paid where the network has the MORPHO token (mainnet, base, arbitrum). Where the file names no distributor,
 * it stands at `own.distributor`.
 */
export function parseMorphoRewards(
  raw: RawNetwork,
  tokens: readonly Token[],
  own: { distributor: Address; grants: Address },
): MorphoRewardsBook | undefined {
  const token = tokens.find(({ symbol }) => symbol === 'MORPHO')
  if (!token) return undefined
  return {
    distributor: lower(raw.morpho.universalRewardsDistributor ?? own.distributor),
    grants: own.grants,
    symbol: token.symbol,
    token: token.address,
    perSecond: (tokensPerDay * 10n ** BigInt(token.decimals)) / secondsPerDay,
  }
}

export function lower(address: Address): Address {
  return address.toLowerCase() as Address
}
