import type { Address, Hex } from 'viem'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import type { CometMarket } from '../../../deployments/cometMarket.js'
import type { LeftOut } from '../../../deployments/leftOut.js'
import type { Node } from '../../rpc/node.js'
import { createNetworkStateReader, type NetworkState } from '../../state/networkState.js'
import { warm } from '../../state/readers.js'
import { readComets } from './cometListings.js'

/** An account that has nothing anywhere: its reads show what the markets themselves answer. */
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
  const silent = silentMarkets(snapshot, book)
  const hasPool = await hasCode(node, book.spokePool)
  const bridge: Silent = {
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

type Silent = Omit<LeftOut, 'why'> & {
  /** What answers for the market. */
  contract: Address
}

function silentMarkets(networkState: NetworkState, book: NetworkBook): Silent[] {
  const { comets, aave, morpho } = book
  const silent = <Market>(
    all: readonly Market[],
    answered: readonly Market[],
    describe: (market: Market) => Silent,
  ) => all.filter((market) => !answered.includes(market)).map(describe)
  return [
    ...silent(
      comets,
      networkState.comets.map(({ market }) => market),
      ({ name, address, baseSymbol }) => ({
        ...{ protocol: 'comet', name, id: address, symbols: [baseSymbol], contract: address },
      }),
    ),
    ...silent(
      aave.reserves,
      networkState.aaves.map(({ reserve }) => reserve),
      ({ symbol, asset }) => ({
        ...{ protocol: 'aave', name: `Aave V3 ${symbol}`, id: asset, symbols: [symbol] },
        contract: aave.protocolDataProvider,
      }),
    ),
    ...silent(
      morpho.markets,
      networkState.morphos.map(({ market }) => market),
      ({ label, id, loanSymbol, collateralSymbol }) => ({
        ...{ protocol: 'morpho', name: `Morpho ${label}`, id },
        symbols: [loanSymbol, collateralSymbol],
        contract: morpho.morpho,
      }),
    ),
    ...silent(
      morpho.vaults,
      networkState.vaults.map(({ vault }) => vault),
      ({ name, address, assetSymbol }) => ({
        ...{ protocol: 'vaults', name, id: address, symbols: [assetSymbol], contract: address },
      }),
    ),
    ...(book.morphoRewards && !networkState.morphoRewards
      ? [
          {
            ...({ protocol: 'morphoRewards', name: 'rewards of Morpho vaults' } as const),
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
