import type { Address, Hex } from 'viem'
import { concat, encodeAbiParameters, encodeFunctionData, parseAbiParameters } from 'viem/utils'
import { actors } from '../../../deployments/actors.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import { iUniswapV3PoolAbi, priceHubAbi } from '../../../generated/abis.js'
import { movedFeedCode } from '../../../generated/svc.js'
import type { Faucet } from '../../funds/faucet.js'
import { movePools } from '../../funds/poolPrices.js'
import { sqrtPriceX96, type UniswapPool, uniswapPools } from '../../funds/uniswapPools.js'
import { hubKey, priceSymbol } from '../../genesis/prices.js'
import type { Node } from '../../rpc/node.js'
import { readTogether, wordAt } from '../../state/multicall.js'
import { sendAs } from '../../transactions/send.js'
import { originalCodeOf } from '../upstream/source.js'
import { tokensWithoutFeed } from './installContracts.js'
import {
  askPriceSources,
  type PriceSource,
  priceSourcesOf,
  type SourceAnswer,
} from './priceSources.js'

interface MovingFork {
  node: Node
  book: NetworkBook
  faucet: Faucet
}

interface MovedFork {
  /** Symbols whose feeds have the new price. */
  moved: string[]
  undo(): Promise<void>
}

/** USD with 8 decimals by price key. */
type Prices = ReadonlyMap<string, bigint>

/**
 * Moves the price of a key on a fork: replaces the code of its feeds, so that they return the price hub's price. Feeds that are computed
 * from them (adapters of Aave and Comet, oracles of Morpho) follow; those that do not follow are replaced too. Swaps pools to the new
 * prices. Undoes everything if a step fails. Undefined when nothing on the network prices the key.
 */
export async function moveFeeds(
  fork: MovingFork,
  key: string,
  price: bigint,
): Promise<MovedFork | undefined> {
  const { node, book } = fork
  const sources = await priceSourcesOf(node, book)
  const before = await askPriceSources(node, book, sources)
  const pricesBefore = pricesIn(sources, before)
  if (!pricesBefore.has(key)) return undefined
  const changes: (() => Promise<void>)[] = []
  const undo = async (): Promise<void> => {
    for (const takeBack of changes.splice(0).reverse()) await takeBack()
  }
  const place = async (source: PriceSource, { scale, round }: SourceAnswer): Promise<void> => {
    changes.push(await placeMovedFeed(fork, source, scale, round + 1n))
  }
  try {
    changes.push(() => setHub(fork, pricesBefore))
    await setHub(fork, new Map([...pricesBefore, [key, price]]))
    const feeds = sources.flatMap((source, i) => {
      const said = before[i]
      return source.isOfToken && source.base === key && said ? [{ source, said }] : []
    })
    const own = await movedAmong(node, sources)
    for (const { source, said } of feeds)
      if (!own.has(source.address) && !isOwnFeed(book, source)) await place(source, said)
    const after = await askPriceSources(node, book, sources)
    const pricesAfter = pricesIn(sources, after)
    const change = { before: pricesBefore, after: pricesAfter }
    for (const [i, source] of sources.entries()) {
      const [was, is] = [before[i], after[i]]
      const followed = is?.answer !== was?.answer
      if (!was || followed || source.isOfToken || own.has(source.address)) continue
      if (shouldMove(source, change)) await place(source, was)
    }
    // Last, so that one block has all prices.
    await setHub(fork, pricesAfter)
    await movePoolsOf(fork, change, changes)
    const addresses = feeds.map(({ source }) => source.address)
    const moved = book.tokens.filter(({ feed }) => addresses.includes(feed))
    return { moved: moved.map(({ symbol }) => symbol), undo }
  } catch (error) {
    await undo()
    throw error
  }
}

/** The prices of the tokens' feeds; of feeds with the same key, the first one's. */
function pricesIn(
  sources: readonly PriceSource[],
  answers: readonly (SourceAnswer | undefined)[],
): Prices {
  const prices = new Map<string, bigint>()
  for (const [i, { base, isOfToken }] of sources.entries()) {
    const said = answers[i]
    if (!isOfToken || !said || prices.has(base)) continue
    const usdE8 = (said.answer * 10n ** 8n) / said.scale
    if (usdE8 > 0n) prices.set(base, usdE8)
  }
  return prices
}

/** The simulator's own feeds read the hub already. */
function isOwnFeed(book: NetworkBook, { address }: PriceSource): boolean {
  return tokensWithoutFeed(book).some(({ feed }) => feed === address)
}

interface PriceChange {
  before: Prices
  after: Prices
}

/** Whether the price of base in quote has changed by more than a rounding error. */
function shouldMove({ base, quote }: PriceSource, { before, after }: PriceChange): boolean {
  const priceIn = (prices: Prices) => {
    const of = (key: string | undefined) => (key === undefined ? 10n ** 8n : prices.get(key))
    const [value, unit] = [of(base), of(quote)]
    return value && unit ? (value * 10n ** 18n) / unit : undefined
  }
  const [was, is] = [priceIn(before), priceIn(after)]
  if (was === undefined || is === undefined) return false
  const difference = is > was ? is - was : was - is
  return difference * 1_000_000n > was
}

/** The addresses of feeds that have been replaced already. */
async function movedAmong(node: Node, sources: readonly PriceSource[]): Promise<Set<Address>> {
  const codes = await Promise.all(
    sources.map(({ address }) => node.rpc.request<Hex>('eth_getCode', [address, 'latest'])),
  )
  const isMoved = (code: Hex | undefined) => code?.startsWith(movedFeedCode) ?? false
  return new Set(sources.filter((_, i) => isMoved(codes[i])).map(({ address }) => address))
}

const parameterTypes = parseAbiParameters(
  'address hub, bytes32 base, bytes32 quote, uint256 scale, address maker, uint80 round',
)

const inDollars: Hex = `0x${'00'.repeat(32)}`

/** Replaces the code of a feed; resolves to the function that restores it. */
async function placeMovedFeed(
  { node: { rpc }, book }: MovingFork,
  { address, base, quote }: PriceSource,
  scale: bigint,
  round: bigint,
): Promise<() => Promise<void>> {
  const copy = originalCodeOf(address)
  const code = await rpc.request<Hex>('eth_getCode', [address, 'latest'])
  const quoteKey = quote ? hubKey(quote) : inDollars
  const parameters = encodeAbiParameters(parameterTypes, [
    ...([book.priceHub, hubKey(base), quoteKey, scale, copy, round] as const),
  ])
  await rpc.request('anvil_setCode', [copy, code])
  await rpc.request('anvil_setCode', [address, concat([movedFeedCode, parameters])])
  return async () => {
    await rpc.request('anvil_setCode', [address, code])
  }
}

async function setHub({ node, book }: MovingFork, prices: Prices): Promise<void> {
  const data = encodeFunctionData({
    abi: priceHubAbi,
    functionName: 'setPrices',
    args: [[...prices.keys()].map(hubKey), [...prices.values()]],
  })
  await sendAs(node, { from: actors.admin, to: book.priceHub, data })
}

/** Swaps the pools of tokens whose price changed to the new prices, as far as there is liquidity. */
async function movePoolsOf(
  { node, book, faucet }: MovingFork,
  { before, after }: PriceChange,
  changes: (() => Promise<void>)[],
): Promise<void> {
  const priceOf = (prices: Prices, symbol: string) => prices.get(priceSymbol(symbol)!)
  const hasChanged = (symbol: string) => priceOf(before, symbol) !== priceOf(after, symbol)
  const pools = uniswapPools(book).filter(({ token0, token1 }) =>
    [token0.symbol, token1.symbol].some(hasChanged),
  )
  const sqrtBefore = await sqrtPrices(node, book, pools)
  const standing = pools.flatMap((pool, i) => {
    const prices = [pool.token0, pool.token1].map(({ symbol }) => priceOf(after, symbol))
    const [price0, price1, target] = [...prices, sqrtBefore[i]]
    return price0 && price1 && target
      ? [{ pool, target, next: sqrtPriceX96(pool, price0, price1) }]
      : []
  })
  changes.push(() => movePools(node, book, faucet, standing))
  await movePools(
    node,
    book,
    faucet,
    standing.map(({ pool, next }) => ({ pool, target: next })),
  )
}

/** The present prices of the pools; undefined for one that does not exist or is not initialized. */
async function sqrtPrices(
  node: Node,
  book: NetworkBook,
  pools: readonly UniswapPool[],
): Promise<(bigint | undefined)[]> {
  const data = encodeFunctionData({ abi: iUniswapV3PoolAbi, functionName: 'slot0' })
  const answers = await readTogether(
    node,
    book,
    pools.map(({ address: target }) => ({ target, data })),
  )
  return answers.map((answer) => (answer && wordAt(answer.slice(2), 0)) || undefined)
}
