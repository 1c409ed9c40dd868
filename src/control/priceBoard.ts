import type { Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData, formatUnits } from 'viem/utils'
import type { Faucet } from '../chain/funds/faucet.js'
import { moveAllPools } from '../chain/funds/poolPrices.js'
import { hubKey, priceSymbol, prices as startPrices } from '../chain/genesis/prices.js'
import type { Node, Nodes } from '../chain/rpc/node.js'
import { createReaders } from '../chain/state/networkState.js'
import { expectMining } from '../chain/transactions/mining.js'
import { sendAs } from '../chain/transactions/send.js'
import { actors } from '../deployments/actors.js'
import type { AddressBook } from '../deployments/addressBook.js'
import { type NetworkName, networkNames } from '../deployments/networks.js'
import { priceHubAbi } from '../generated/abis.js'
import { ServiceError } from '../lib/errors.js'
import { serialQueue } from '../lib/serialQueues.js'

/** Asset prices on all networks, in USD with 8 decimals. */
export interface PriceBoard {
  /** The price of every asset, by symbol in alphabetical order. */
  all(): Promise<Record<string, bigint>>
  /**
   * Moves the price of an asset and of claims on it (ETH and WETH) on every network: feeds, Aave's and Morpho's oracles and quotes follow
   * the price hub; Uniswap pools are swapped to the price. If a network fails, the old price is restored everywhere.
   *
   * Rejects with `invalid_params` for an asset without a price, or a price that is not between 1e-8 and 1e9 USD.
   */
  set(asset: string, usdE8: bigint): Promise<MovedPrices>
}

export interface MovedPrices {
  /** Symbols. */
  moved: string[]
  /** The price before, in USD with 8 decimals; undefined if it was not known. */
  was: bigint | undefined
}

/** The smallest unit of a feed, and a billion USD, which pools and oracles of 18-decimal tokens can still handle. */
export const lowestPrice = 1n
export const highestPrice = 10n ** 17n

/**
 * Changes run one at a time. On `forked` networks, a change replaces the feeds that price the asset; `all` then reads each price from the
 * first network that has the asset, offline ones first.
 */
export function createPriceBoard(
  nodes: Nodes,
  book: AddressBook,
  faucet: Faucet,
  forked: ReadonlyMap<NetworkName, unknown> = new Map(),
): PriceBoard {
  const inTurn = serialQueue()
  const symbols = pricedSymbols(book)
  return {
    async all() {
      if (forked.size > 0) return readFeeds(nodes, book, forked)
      const hub = await readHub(nodes.all()[0]!, book)
      return Object.fromEntries(symbols.map((symbol) => [symbol, hub.get(priceSymbol(symbol)!)!]))
    },
    set: (asset, usdE8) => inTurn(() => setPrice(asset, usdE8)),
  }

  async function setPrice(asset: string, price: bigint): Promise<MovedPrices> {
    const key = priceSymbol(asset)
    if (key === undefined)
      throw new ServiceError(
        'invalid_params',
        `asset ${JSON.stringify(asset.slice(0, 40))} has no price; allowed: ${symbols.join(', ')}`,
      )
    if (price < lowestPrice || price > highestPrice)
      throw new ServiceError(
        'invalid_params',
        `usd must be from 0.00000001 to 1000000000, received ${formatUnits(price, 8)}`,
      )
    await expectMining(nodes.all(), 'no price was moved')
    const [forks, offline] = [true, false].map((isForked) =>
      nodes.all().filter(({ network }) => forked.has(network) === isForked),
    ) as [Node[], Node[]]
    const before = offline[0] ? await readHub(offline[0], book) : new Map<string, bigint>()
    const feeds = offline[0] ? {} : await readFeeds(nodes, book, forked)
    const results = await Promise.allSettled([
      ...offline.map((node) => moveOffline({ node, book, faucet, before, key, price })),
      ...forks.map((node) => moveFork(node, key, price)),
    ])
    const moves = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const failed = results.find((one) => one.status === 'rejected')
    if (failed) {
      await Promise.allSettled(moves.map((move) => move?.undo()))
      throw new ServiceError(
        'internal_error',
        `The price of ${key} could not be moved everywhere; the old price was restored`,
        { hint: String(failed.reason), cause: failed.reason },
      )
    }
    const moved = new Set(moves.flatMap((move) => move?.moved ?? []))
    if (moved.size === 0)
      throw new ServiceError(
        'invalid_params',
        `no feed of the forked ${[...forked.keys()].join(', ')} returns a price of ${key}`,
      )
    const symbolsMoved = symbols.filter((symbol) => moved.has(symbol))
    return { moved: symbolsMoved, was: before.get(key) ?? feeds[symbolsMoved[0] ?? ''] }
  }

  /** Moves every symbol of the key on this network. A failure undoes the move. */
  async function moveOffline(move: Move): Promise<PriceMove> {
    const { key, before, node } = move
    const undo = () => movePrice({ ...move, price: before.get(key)! })
    try {
      await movePrice(move)
    } catch (error) {
      await undo().catch(() => {}) // The reason is the first failure.
      throw error
    }
    const moved = book.on(node.network).tokens.map(({ symbol }) => symbol)
    return { moved: moved.filter((symbol) => priceSymbol(symbol) === key), undo }
  }

  /** Loaded on first use: most simulators fork nothing. */
  async function moveFork(node: Node, key: string, price: bigint): Promise<PriceMove | undefined> {
    const { moveFeeds } = await import('../chain/fork/install/moveFeeds.js')
    return moveFeeds({ node, book: book.on(node.network), faucet }, key, price)
  }
}

interface PriceMove {
  moved: readonly string[]
  undo(): Promise<void>
}

/** The answers of the feeds; offline networks take precedence. */
async function readFeeds(
  nodes: Nodes,
  book: AddressBook,
  forked: ReadonlyMap<NetworkName, unknown>,
): Promise<Record<string, bigint>> {
  const readers = createReaders(book)
  const order = nodes.all().toSorted((a, b) => +forked.has(a.network) - +forked.has(b.network))
  const read = order.map((node) =>
    readers(node.network).read(node, actors.admin, { protocols: [] }),
  )
  const all = (await Promise.all(read)).toReversed().flatMap(({ prices }) => [...prices])
  return Object.fromEntries([...new Map(all)].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function pricedSymbols(book: AddressBook): string[] {
  const all = networkNames.flatMap((network) => book.on(network).tokens.map((t) => t.symbol))
  return [...new Set(all)].filter((symbol) => priceSymbol(symbol) !== undefined).sort()
}

interface Move {
  node: Node
  book: AddressBook
  faucet: Faucet
  /** The prices of all keys before the move, since pools are pairs. */
  before: ReadonlyMap<string, bigint>
  key: string
  price: bigint
}

async function movePrice({ node, book, faucet, before, key, price }: Move): Promise<void> {
  const networkBook = book.on(node.network)
  const data = encodeFunctionData({
    abi: priceHubAbi,
    functionName: 'setPrice',
    args: [hubKey(key), price],
  })
  await sendAs(node, { from: actors.admin, to: networkBook.priceHub, data })
  await moveAllPools(node, networkBook, faucet, (symbol) => {
    const ofSymbol = priceSymbol(symbol)!
    return ofSymbol === key ? price : before.get(ofSymbol)!
  })
}

/** The hub's price of every key. All networks have the same prices, so one is read. */
async function readHub(node: Node, book: AddressBook): Promise<ReadonlyMap<string, bigint>> {
  const to = book.on(node.network).priceHub
  const reads = Object.keys(startPrices).map(async (key): Promise<[string, bigint]> => {
    const call = { abi: priceHubAbi, functionName: 'priceOf', args: [hubKey(key)] } as const
    const params = [{ to, data: encodeFunctionData(call) }, 'latest']
    const data = await node.rpc.request<Hex>('eth_call', params)
    return [key, decodeFunctionResult({ ...call, data })]
  })
  return new Map(await Promise.all(reads))
}
