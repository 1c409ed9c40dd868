import { type Address, zeroHash } from 'viem'
import { actors } from '../../../deployments/actors.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import { rawNetwork } from '../../../deployments/addressFile.js'
import type { CometMarket } from '../../../deployments/markets.js'
import type { Token } from '../../../deployments/networks.js'
import type { Node } from '../../rpc/node.js'
import { act, artifact, place } from '../contracts.js'
import { hubKey, keyOf, priceSymbol, prices } from '../prices.js'

/** Every feed of the world has eight decimals, as Comet and Chainlink's USD feeds want. */
const feedDecimals = 8

/** One price feed: the price of `base`, in USD or in `quote`; both are price keys. Of 1 when they are the same. */
interface FeedSpec {
  address: Address
  base: string
  quote: string | undefined
  description: string
}

/**
 * All price feeds of a network, each address once: Chainlink's own, the simulator's for tokens without one, and those that
 * Comet markets and Aave reserves name. Chainlink's rate feeds (stETH / ETH and the like) are not among them: nothing here reads them.
 */
export function feedsOf(book: NetworkBook): FeedSpec[] {
  const specs = [
    ...chainlinkFeeds(book),
    ...tokenFeeds(book),
    ...book.comets.flatMap(cometFeeds),
    ...aaveFeeds(book),
  ]
  const byAddress = new Map<Address, FeedSpec>()
  for (const spec of specs) {
    const known = byAddress.get(spec.address)
    if (known && (known.base !== spec.base || known.quote !== spec.quote))
      throw new Error(
        `${book.network}: feed ${spec.address} is ${known.description} and ${spec.description}`,
      )
    if (!known) byAddress.set(spec.address, spec)
  }
  return [...byAddress.values()]
}

/** Writes the starting prices into the hub, then places every feed of the network. */
export async function buildFeeds(node: Node, book: NetworkBook): Promise<void> {
  const keys = Object.keys(prices)
  const hub = { address: book.priceHub, abi: artifact('PriceHub').abi }
  const values = keys.map((key) => prices[key])
  await act(node, actors.admin, hub, 'setPrices', [keys.map(hubKey), values])
  const [ratio, constant] = [artifact('PriceFeed'), artifact('ConstantFeed')]
  for (const { address, base, quote, description } of feedsOf(book)) {
    if (base === quote) await place(node, address, constant, [10n ** 8n, feedDecimals, description])
    else {
      const keys = [hubKey(base), quote ? hubKey(quote) : zeroHash] // zero: USD
      await place(node, address, ratio, [book.priceHub, ...keys, feedDecimals, description])
    }
  }
}

/** A feed under a symbol that is no asset follows the token that it prices: BTC / USD is WBTC's or cbBTC's, as the case is. */
function chainlinkFeeds(book: NetworkBook): FeedSpec[] {
  return Object.entries(rawNetwork(book.network).chainlinkFeeds).map(([symbol, feed]) => {
    const address = feed.address.toLowerCase() as Address
    const user = book.tokens.find((token) => token.feed === address)
    const base = priceSymbol(user?.symbol ?? symbol) ?? 'WBTC'
    return { address, base, quote: undefined, description: `${symbol} / USD` }
  })
}

function tokenFeeds(book: NetworkBook): FeedSpec[] {
  return book.tokens.map((token) => ({
    address: token.feed,
    base: keyOf(token.symbol),
    quote: undefined,
    description: `${token.symbol} / USD`,
  }))
}

/** A market that lends WETH is priced in ETH: its base feed is constantly 1 and its collateral feeds are ratios to ETH. */
function cometFeeds(market: CometMarket): FeedSpec[] {
  const quote = market.baseSymbol === 'WETH' ? 'ETH' : undefined
  const spec = (symbol: string, address: Address): FeedSpec => ({
    address,
    base: keyOf(symbol),
    quote,
    description: `${symbol} / ${quote ?? 'USD'}`,
  })
  return [
    spec(market.baseSymbol, market.basePriceFeed),
    ...market.collaterals.map((c) => spec(c.symbol, c.priceFeed)),
  ]
}

function aaveFeeds(book: NetworkBook): FeedSpec[] {
  return book.aave.reserves.map(({ symbol, oracle }) => ({
    address: oracle,
    base: keyOf(symbol),
    quote: undefined,
    description: `${symbol} / USD`,
  }))
}

/** Places every token of the network at its own address; the admin actor may mint them, the wrapped native one nobody. */
export async function buildTokens(node: Node, book: NetworkBook): Promise<void> {
  const raw = rawNetwork(book.network).tokens
  for (const token of book.tokens) {
    if (token.native) continue
    const symbol = raw[token.symbol]?.onchainSymbol ?? token.symbol
    const [name, args] = contractOf(book, token, symbol)
    await place(node, token.address, artifact(name), args)
  }
}

/** The contract that behaves as the token itself on this network, and what its constructor takes. docs/simulated.md lists the rest. */
function contractOf(
  { network, wrappedNativeSymbol }: NetworkBook,
  { symbol: own, name, decimals }: Token,
  symbol: string,
): [contract: string, args: readonly unknown[]] {
  const isEthereum = network === 'mainnet'
  const usual = [name, symbol, decimals, actors.admin]
  if (own === wrappedNativeSymbol) return ['WrappedNative', [name, symbol]]
  if (own === 'USDC') return ['FiatToken', [...usual, 'USD']]
  if (own === 'cbBTC') return ['FiatToken', [...usual, 'BTC']]
  if (own === 'cbETH' && isEthereum) return ['FiatToken', [...usual, 'ETH']]
  if (own === 'USDT' && isEthereum) return ['Tether', usual]
  if (own === 'DAI' && (isEthereum || network === 'arbitrum' || network === 'optimism'))
    return ['Dai', [actors.admin, !isEthereum]]
  return [own === 'MORPHO' ? 'Token' : 'BridgedToken', usual]
}
