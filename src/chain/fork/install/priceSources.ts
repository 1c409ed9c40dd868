import type { Address, Hex } from 'viem'
import { encodeFunctionData, parseAbi } from 'viem/utils'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import { priceSymbol } from '../../genesis/prices.js'
import type { Node } from '../../rpc/node.js'
import { readTogether, wordAt } from '../../state/multicall.js'

/** A feed, or the oracle of a Morpho market. */
export interface PriceSource {
  address: Address
  /** The price key of the asset. */
  base: string
  /** The price key of the currency; USD when absent. */
  quote: string | undefined
  /** Whether it is a token's own feed, which defines the token's price. */
  isOfToken: boolean
  /** The answer for a price of 1; from the feed's `decimals` when absent. */
  scale?: bigint
}

export interface SourceAnswer {
  answer: bigint
  scale: bigint
  /** The latest round; 0 for sources without rounds. */
  round: bigint
}

const readsAbi = parseAbi([
  'function baseTokenPriceFeed() view returns (address)',
  'function getSourceOfAsset(address asset) view returns (address)',
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
  'function latestAnswer() view returns (int256)',
  'function decimals() view returns (uint8)',
  'function price() view returns (uint256)',
])

/**
 * All price sources of a network, each address once: the feeds of tokens first, then those of Comet markets, Aave's oracle and Morpho
 * markets. Reads the feeds of Comet and Aave from the chain, where they may have changed since the address file was written.
 */
export async function priceSourcesOf(node: Node, book: NetworkBook): Promise<PriceSource[]> {
  const { comets, aave, morpho, tokens } = book
  const named = await readTogether(node, book, [
    ...comets.map(({ address: target }) => ({
      target,
      data: encodeFunctionData({ abi: readsAbi, functionName: 'baseTokenPriceFeed' }),
    })),
    ...aave.reserves.map(({ asset }) => ({
      target: aave.oracle,
      data: encodeFunctionData({ abi: readsAbi, functionName: 'getSourceOfAsset', args: [asset] }),
    })),
  ])
  const addressAt = (i: number, listed: Address): Address =>
    named[i] ? `0x${named[i].slice(-40)}` : listed
  const scaleOf = (loan: Address, collateral: Address): bigint => {
    const decimals = (address: Address) =>
      tokens.find((token) => token.address === address)?.decimals ?? 18
    return 10n ** BigInt(36 + decimals(loan) - decimals(collateral))
  }
  const all = [
    ...tokens.map(({ symbol, feed }) => source(feed, symbol, undefined, true)),
    ...comets.flatMap((market, i) => {
      const { baseSymbol, basePriceFeed, collaterals } = market
      // A market that lends ether is priced in ether.
      const quote = baseSymbol === 'WETH' ? 'ETH' : undefined
      return [
        source(addressAt(i, basePriceFeed), baseSymbol, quote),
        ...collaterals.map(({ priceFeed, symbol }) => source(priceFeed, symbol, quote)),
      ]
    }),
    ...aave.reserves.map(({ oracle, symbol }, i) =>
      source(addressAt(comets.length + i, oracle), symbol, undefined),
    ),
    ...morpho.markets.flatMap((market) => {
      const { oracle, collateralSymbol, loanSymbol, isLoanTakenForDollar } = market
      const quote = isLoanTakenForDollar ? undefined : priceSymbol(loanSymbol)
      const scale = scaleOf(market.loanToken, market.collateralToken)
      return source(oracle, collateralSymbol, quote).map((one) => ({ ...one, scale }))
    }),
  ].flat()
  // Keep the first source of an address, so that tokens' own feeds win.
  return [...new Map(all.toReversed().map((one) => [one.address, one])).values()].reverse()
}

/** Empty for an asset without a price, or priced in itself. */
function source(
  address: Address,
  symbol: string,
  quote: string | undefined,
  isOfToken = false,
): PriceSource[] {
  const base = priceSymbol(symbol)
  return base === undefined || base === quote ? [] : [{ address, base, quote, isOfToken }]
}

/** The answers in order; undefined for a source that does not return a price. */
export async function askPriceSources(
  node: Node,
  book: NetworkBook,
  sources: readonly PriceSource[],
): Promise<(SourceAnswer | undefined)[]> {
  const questions = ['latestRoundData', 'latestAnswer', 'decimals', 'price'] as const
  const reads = sources.flatMap(({ address: target }) =>
    questions.map((functionName) => ({
      target,
      data: encodeFunctionData({ abi: readsAbi, functionName }),
    })),
  )
  const returned = await readTogether(node, book, reads)
  const word = (data: Hex | undefined, index: number): bigint | undefined =>
    data && data.length >= 66 + index * 64 ? wordAt(data.slice(2), index) : undefined
  return sources.map((one, i) => {
    const [round, plain, decimals, price] = returned.slice(i * 4, i * 4 + 4)
    const ofFeed = word(round, 1) ?? word(plain, 0)
    const places = word(decimals, 0)
    const answer = one.scale === undefined ? ofFeed : word(price, 0)
    const scale = one.scale ?? (places === undefined ? undefined : 10n ** places)
    if (!answer || answer >= 2n ** 255n || scale === undefined) return undefined
    return { answer, scale, round: (one.scale === undefined && word(round, 0)) || 0n }
  })
}
