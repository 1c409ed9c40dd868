import { type Address, zeroAddress } from 'viem'
import { parseUnits } from 'viem/utils'
import { actors } from '../../../deployments/actors.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import { rawNetwork } from '../../../deployments/addressFile.js'
import type { CometMarket } from '../../../deployments/markets.js'
import type { Faucet } from '../../funds/faucet.js'
import type { Node } from '../../rpc/node.js'
import { act, artifact, place } from '../contracts.js'
import { convert, worth } from '../prices.js'

/** Reward tokens in the rewards contract, in whole tokens: enough for decades. */
const rewardTokens = 1_000_000n

/** The most US dollars in one collateral asset of the borrower. */
const collateralUsd = 20_000_000n
const wad = 10n ** 18n

/** Places the rewards contract and every Comet market of the network, and seeds each with a lender and a borrower. */
export async function buildComets(node: Node, book: NetworkBook, faucet: Faucet): Promise<void> {
  const rewards = { address: book.cometRewards, abi: artifact('CometRewards').abi }
  await place(node, rewards.address, artifact('CometRewards'), [actors.admin])
  for (const market of book.comets) {
    await place(node, market.address, artifact('Comet'), cometArguments(book, market))
    const config = [market.address, market.rewardToken]
    await act(node, actors.admin, rewards, 'setRewardConfig', config)
    await seed(node, book, market, faucet)
  }
  for (const asset of new Set(book.comets.map((market) => market.rewardSymbol)))
    await faucet.fund({
      address: book.cometRewards,
      asset,
      amount: rewardTokens * 10n ** 18n,
      network: book.network,
    })
}

export function cometArguments(book: NetworkBook, market: CometMarket): unknown[] {
  const raw = Object.values(rawNetwork(book.network).comet.markets).find(
    (candidate) => candidate.comet.toLowerCase() === market.address,
  )!
  const config = {
    name: market.name,
    symbol: market.symbol,
    governor: actors.admin,
    pauseGuardian: zeroAddress,
    baseToken: market.baseToken,
    baseTokenPriceFeed: market.basePriceFeed,
    rates: market.rates,
    storeFrontPriceFactor: parseUnits(raw.storeFrontPriceFactor, 18),
    trackingIndexScale: market.tracking.indexScale,
    baseTrackingSupplySpeed: market.tracking.supplySpeed,
    baseTrackingBorrowSpeed: market.tracking.borrowSpeed,
    baseMinForRewards: market.tracking.minForRewards,
    baseBorrowMin: market.baseBorrowMin,
    targetReserves: BigInt(raw.targetReserves),
  }
  return [config, market.collaterals]
}

async function seed(
  node: Node,
  book: NetworkBook,
  market: CometMarket,
  faucet: Faucet,
): Promise<void> {
  const { lender, borrower } = actors
  const sizes = seedOf(market)
  const comet = { address: market.address, abi: artifact('Comet').abi }
  const { abi } = artifact('Token')
  const put = async (from: Address, asset: string, token: Address, amount: bigint) => {
    await faucet.fund({ address: from, asset, amount, network: book.network })
    await act(node, from, { address: token, abi }, 'approve', [market.address, amount])
    await act(node, from, comet, 'supply', [token, amount])
  }
  await put(lender, market.baseSymbol, market.baseToken, sizes.supply)
  for (const [i, { symbol, asset }] of market.collaterals.entries())
    await put(borrower, symbol, asset, sizes.collateral[i]!)
  await act(node, borrower, comet, 'withdraw', [market.baseToken, sizes.borrow])
}

/**
 * The first positions in a market, in smallest units. The borrower supplies 30 % of each collateral's cap, at most 20 million US dollars,
 * and borrows 60 % of the limit: far from liquidation for years. The lender's supply makes utilization 7 points less than the borrow kink
 * (73 to 83 %), for realistic rates.
 */
function seedOf(market: CometMarket): { collateral: bigint[]; borrow: bigint; supply: bigint } {
  const base = { symbol: market.baseSymbol, decimals: market.baseDecimals }
  const collateral = market.collaterals.map((c) =>
    min((c.supplyCap * 30n) / 100n, worth(collateralUsd, c)),
  )
  const capacity = market.collaterals
    .map((c, i) => (convert(collateral[i]!, c, base) * c.borrowCollateralFactor) / wad)
    .reduce((sum, value) => sum + value, 0n)
  const borrow = (capacity * 60n) / 100n
  const utilization = market.rates.borrowKink - (wad * 7n) / 100n
  const supply = (borrow * wad) / utilization
  if (borrow < market.tracking.minForRewards)
    throw new Error(
      `${market.name} at ${market.address}: seeded borrow ${borrow} is below ${market.tracking.minForRewards}, ` +
        'so no rewards would accrue. Raise the share of the caps in src/chain/genesis/protocols/comet.ts.',
    )
  return { collateral, borrow, supply }
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
