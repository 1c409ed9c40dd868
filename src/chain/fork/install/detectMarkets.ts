import type { Address, Hex } from 'viem'
import type { LeftOut, NetworkBook } from '../../../deployments/addressBook.js'
import type { CometMarket } from '../../../deployments/protocolBook.js'
import type { Node } from '../../rpc/node.js'
import { createNetworkStateReader, type NetworkState, warm } from '../../state/networkState.js'
import { readComets } from './cometListings.js'

/** An account without funds or positions: its reads fail only where a market itself does not answer. */
const nobody: Address = '0x00000000000000000000000000000000005caa0f'

/** Which part of the address book a fork has. */
export interface DetectedMarkets {
  /** Markets that do not answer there, and why. */
  leftOut: LeftOut[]
  /** As the chain has them. */
  comets: CometMarket[]
  /** USD with 8 decimals by symbol; tokens whose feed does not answer are missing. */
  prices: ReadonlyMap<string, bigint>
}

/** Reads every market of the book once, as the portfolio reader does, and names those that do not answer. */
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
  /** The contract that its reads go to. */
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
