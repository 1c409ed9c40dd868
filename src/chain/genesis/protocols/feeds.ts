import { type Address, zeroHash } from 'viem'
import { actors } from '../../../deployments/actors.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import { rawNetwork } from '../../../deployments/addressFile.js'
import type { CometMarket } from '../../../deployments/markets.js'
import type { Token } from '../../../deployments/networks.js'
import type { Node } from '../../rpc/node.js'
import { act, artifact, place } from '../contracts.js'
import { hubKey, keyOf, priceSymbol, prices } from '../prices.js'

/** As Comet and Chainlink's USD feeds have. */
const feedDecimals = 8

/** The price of `base` in USD or in `quote`, both price keys; constantly 1 when they are equal. */
interface FeedSpec {
  address: Address
  base: string
  quote: string | undefined
  description: string
}

/**
 * All price feeds of a network, each address once: Chainlink's, the simulator's for tokens without one, and those of Comet markets and Aave
 * reserves. Without Chainlink's rate feeds (stETH / ETH), which nothing reads.
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

/** Writes the starting prices to the hub, and places every feed. */
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

/** A feed with a symbol that is no asset uses the key of its token: BTC / USD that of WBTC or cbBTC. */
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

/** A market that lends WETH is priced in ETH: the base feed is constantly 1, and collateral feeds are ratios to ETH. */
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

/** Places every token at its own address. The admin actor may mint all but the wrapped native one. */
export async function buildTokens(node: Node, book: NetworkBook): Promise<void> {
  const raw = rawNetwork(book.network).tokens
  for (const token of book.tokens) {
    if (token.native) continue
    const symbol = raw[token.symbol]?.onchainSymbol ?? token.symbol
    const [name, args] = contractOf(book, token, symbol)
    await place(node, token.address, artifact(name), args)
  }
}

/** The contract that behaves like the real token on this network, and its constructor arguments. See docs/simulated.md. */
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
