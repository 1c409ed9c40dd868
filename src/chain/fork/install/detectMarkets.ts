import type { Address, Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import type { CometCollateral, CometMarket, LeftOut } from '../../../deployments/markets.js'
import { cometAbi } from '../../../generated/abis.js'
import type { Node } from '../../rpc/node.js'
import { readTogether } from '../../state/multicall.js'
import { createNetworkStateReader, type NetworkState, warm } from '../../state/networkState.js'

/** An account without funds or positions, whose reads fail only if a market does not answer. */
const nobody: Address = '0x00000000000000000000000000000000005caa0f'

export interface DetectedMarkets {
  /** Markets that do not answer, with reasons. */
  leftOut: LeftOut[]
  comets: CometMarket[]
  /** USD with 8 decimals by symbol; tokens whose feed does not answer are missing. */
  prices: ReadonlyMap<string, bigint>
}

/** Reads every market of the book once, as the portfolio reader does. */
export async function detectMarkets(node: Node, book: NetworkBook): Promise<DetectedMarkets> {
  await warm(node, book, nobody)
  const snapshot = await createNetworkStateReader(book).read(node, nobody)
  const silent = findSilent(snapshot, book)
  const hasPool = await hasCode(node, book.spokePool)
  const bridge: SilentMarket = {
    protocol: 'across',
    name: 'the Across spoke pool',
    id: book.spokePool,
    symbols: [],
    contract: book.spokePool,
  }
  const leftOut = await Promise.all(
    [...silent, ...(hasPool ? [] : [bridge])].map(async ({ contract, ...market }) => ({
      ...market,
      why: (await hasCode(node, contract))
        ? `it does not answer as it should at ${contract}`
        : `there is no contract at ${contract}`,
    })),
  )
  return { leftOut, comets: await readComets(node, book), prices: snapshot.prices }
}

type SilentMarket = Omit<LeftOut, 'why'> & {
  contract: Address
}

function findSilent(networkState: NetworkState, book: NetworkBook): SilentMarket[] {
  const { comets, aave, morpho } = book
  const unanswered = <Market>(
    all: readonly Market[],
    answered: readonly Market[],
    describe: (market: Market) => SilentMarket,
  ) => all.filter((market) => !answered.includes(market)).map(describe)
  return [
    ...unanswered(
      comets,
      networkState.comets.map(({ market }) => market),
      ({ name, address, baseSymbol }) => ({
        protocol: 'comet',
        name,
        id: address,
        symbols: [baseSymbol],
        contract: address,
      }),
    ),
    ...unanswered(
      aave.reserves,
      networkState.aaveReserves.map(({ reserve }) => reserve),
      ({ symbol, asset }) => ({
        protocol: 'aave',
        name: `Aave V3 ${symbol}`,
        id: asset,
        symbols: [symbol],
        contract: aave.protocolDataProvider,
      }),
    ),
    ...unanswered(
      morpho.markets,
      networkState.morphoMarkets.map(({ market }) => market),
      ({ label, id, loanSymbol, collateralSymbol }) => ({
        protocol: 'morpho',
        name: `Morpho ${label}`,
        id,
        symbols: [loanSymbol, collateralSymbol],
        contract: morpho.morpho,
      }),
    ),
    ...unanswered(
      morpho.vaults,
      networkState.vaults.map(({ vault }) => vault),
      ({ name, address, assetSymbol }) => ({
        protocol: 'vaults',
        name,
        id: address,
        symbols: [assetSymbol],
        contract: address,
      }),
    ),
    ...(book.morphoRewards && !networkState.morphoRewards
      ? [
          {
            protocol: 'morphoRewards' as const,
            name: 'rewards of Morpho vaults',
            id: book.morphoRewards.distributor,
            symbols: [book.morphoRewards.symbol],
            contract: book.morphoRewards.distributor,
          },
        ]
      : []),
  ]
}

async function hasCode({ rpc }: Node, address: Address): Promise<boolean> {
  return (await rpc.request<Hex>('eth_getCode', [address, 'latest'])) !== '0x'
}

/**
 * Reads the smallest loan of each Comet market, and its collaterals with factors, caps and feeds, even those that the address file lacks.
 * Omits collaterals that are no tokens of the book.
 */
async function readComets(node: Node, book: NetworkBook): Promise<CometMarket[]> {
  const { comets } = book
  const basics = await readTogether(
    node,
    book,
    comets.flatMap(({ address: target }) =>
      (['numAssets', 'baseBorrowMin'] as const).map((functionName) => ({
        target,
        data: encodeFunctionData({ abi: cometAbi, functionName }),
      })),
    ),
  )
  const number = (at: number) => (basics[at] ? Number(BigInt(basics[at])) : 0)
  const slots = comets.flatMap((market, i) =>
    Array.from({ length: number(2 * i) }, (_, index) => ({ market, index })),
  )
  const listed = await readTogether(
    node,
    book,
    slots.map(({ market, index }) => ({
      target: market.address,
      data: encodeFunctionData({ abi: cometAbi, functionName: 'getAssetInfo', args: [index] }),
    })),
  )
  return comets.map((market, i) => {
    const answers = slots.flatMap((slot, at) => (slot.market === market ? [listed[at]] : []))
    const least = basics[2 * i + 1]
    // If any read fails, take the market from the address file.
    if (answers.length === 0 || answers.some((answer) => !answer) || !least) return market
    const collaterals = answers.flatMap((answer) => collateralIn(book, answer!))
    return { ...market, baseBorrowMin: BigInt(least), collaterals }
  })
}

function collateralIn(book: NetworkBook, data: Hex): CometCollateral[] {
  const info = decodeFunctionResult({ abi: cometAbi, functionName: 'getAssetInfo', data })
  const asset = info.asset.toLowerCase()
  const token = book.tokens.find(({ address }) => address === asset)
  if (!token) return []
  const { borrowCollateralFactor, liquidateCollateralFactor, liquidationFactor, supplyCap } = info
  return [
    {
      symbol: token.symbol,
      asset: token.address,
      decimals: token.decimals,
      priceFeed: info.priceFeed.toLowerCase() as Hex,
      borrowCollateralFactor,
      liquidateCollateralFactor,
      liquidationFactor,
      supplyCap,
    },
  ]
}
