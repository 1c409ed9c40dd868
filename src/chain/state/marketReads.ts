import type { NetworkBook } from '../../deployments/addressBook.js'
import { aaveRead, decodeAave } from './aaveState.js'
import { cometRead, decodeComet } from './cometState.js'
import { decodeMorpho, morphoRead } from './morphoState.js'
import type { Read } from './multicall.js'
import { decodeRewards, rewardsRead } from './rewardsState.js'
import { decodeVault, vaultRead } from './vaultState.js'

/** The protocols whose markets and positions can be read. */
export const protocols = ['comet', 'morpho', 'aave', 'vaults', 'morphoRewards'] as const
export type Protocol = (typeof protocols)[number]

/** The reads of one protocol's markets, and what their answers say; a market that does not answer is left out. */
export interface MarketReads<State> {
  reads: Read[]
  decode(answers: readonly (string | undefined)[]): State[]
}

function marketReads<Market, State>(
  markets: readonly Market[],
  read: (market: Market) => Read,
  decode: (market: Market, data: string) => State,
): MarketReads<State> {
  return {
    reads: markets.map(read),
    decode: (answers) =>
      markets.flatMap((market, i) => {
        const answer = answers[i]
        return answer ? [decode(market, answer)] : []
      }),
  }
}

/** The markets of a scope, in the order in which they are read. */
export function marketReadsOf(
  book: NetworkBook,
  of: readonly Protocol[],
  isWanted: (symbol: string) => boolean,
) {
  const pick = <Market>(
    protocol: Protocol,
    all: readonly Market[],
    symbolsOf: (market: Market) => readonly string[],
  ) => (of.includes(protocol) ? all.filter((market) => symbolsOf(market).every(isWanted)) : [])
  const { aave, comets, morpho, morphoRewards } = book
  return {
    comets: marketReads(
      pick('comet', comets, (market) => [market.baseSymbol]),
      (market) => cometRead(book, market),
      decodeComet,
    ),
    morphoMarkets: marketReads(
      pick('morpho', morpho.markets, (each) => [each.loanSymbol, each.collateralSymbol]),
      (market) => morphoRead(book, market),
      decodeMorpho,
    ),
    aaveReserves: marketReads(
      pick('aave', aave.reserves, (reserve) => [reserve.symbol]),
      (reserve) => aaveRead(book, reserve),
      decodeAave,
    ),
    vaults: marketReads(
      pick('vaults', morpho.vaults, (vault) => [vault.assetSymbol]),
      (vault) => vaultRead(book, vault),
      decodeVault,
    ),
    rewards: marketReads(
      pick('morphoRewards', morphoRewards ? [morphoRewards] : [], () => []),
      (rewards) => rewardsRead(book, rewards),
      decodeRewards,
    ),
  }
}

/** Whether a symbol belongs to the scope. The native token and its wrapped form go together; case does not matter. */
export function wanted(book: NetworkBook, assets: readonly string[] | undefined) {
  if (assets === undefined) return () => true
  const pair = [book.nativeSymbol, book.wrappedNativeSymbol]
  const named = assets.map((symbol) => symbol.toLowerCase())
  const withPair = pair.some((symbol) => named.includes(symbol.toLowerCase()))
    ? [...named, ...pair.map((symbol) => symbol.toLowerCase())]
    : named
  return (symbol: string): boolean => withPair.includes(symbol.toLowerCase())
}
