import type { Address } from 'viem'
import { encodeFunctionData, parseUnits } from 'viem/utils'
import { actors } from '../../../deployments/actors.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import { rawNetwork } from '../../../deployments/addressFile.js'
import type { CometMarket } from '../../../deployments/cometMarket.js'
import type { Faucet } from '../../funds/faucet.js'
import type { Node } from '../../rpc/node.js'
import { sendAs } from '../../transactions/send.js'
import { artifact } from '../artifacts.js'
import { place } from '../place.js'
import { seedOf } from '../seed.js'

/** Reward tokens in the rewards contract when the world starts, in whole tokens: decades at the speeds there are. */
const rewardTokens = 1_000_000n

const nobody: Address = `0x${'00'.repeat(20)}`

/** Places the rewards contract and every Comet market of the network, and seeds each with a lender and a borrower. */
export async function buildComets(node: Node, book: NetworkBook, faucet: Faucet): Promise<void> {
  await place(node, book.cometRewards, artifact('CometRewards'), [actors.admin])
  for (const market of book.comets) {
    await place(node, market.address, artifact('Comet'), cometArguments(book, market))
    await send(node, actors.admin, book.cometRewards, 'CometRewards', 'setRewardConfig', [
      market.address,
      market.rewardToken,
    ])
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

/** What the constructor of a market takes. */
export function cometArguments(book: NetworkBook, market: CometMarket): unknown[] {
  const raw = Object.values(rawNetwork(book.network).comet.markets).find(
    (candidate) => candidate.comet.toLowerCase() === market.address,
  )!
  const config = {
    name: market.name,
    symbol: market.symbol,
    governor: actors.admin,
    pauseGuardian: nobody,
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
  const put = async (from: Address, asset: string, token: Address, amount: bigint) => {
    await faucet.fund({ address: from, asset, amount, network: book.network })
    await send(node, from, token, 'Token', 'approve', [market.address, amount])
    await send(node, from, market.address, 'Comet', 'supply', [token, amount])
  }
  await put(lender, market.baseSymbol, market.baseToken, sizes.supply)
  for (const [i, { symbol, asset }] of market.collaterals.entries())
    await put(borrower, symbol, asset, sizes.collateral[i]!)
  const borrow = [market.baseToken, sizes.borrow]
  await send(node, borrower, market.address, 'Comet', 'withdraw', borrow)
}

async function send(
  node: Node,
  from: Address,
  to: Address,
  contract: string,
  functionName: string,
  args: unknown[],
): Promise<void> {
  const data = encodeFunctionData({ abi: artifact(contract).abi, functionName, args })
  await sendAs(node, { from, to, data })
}
