import type { Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import { actors } from '../chain/deployments/actors.js'
import type { AddressBook } from '../chain/deployments/addressBook.js'
import { type NetworkName, networkNames } from '../chain/deployments/networks.js'
import type { Faucet } from '../chain/funds/faucet.js'
import { movePools } from '../chain/funds/poolPrices.js'
import type { Node, Nodes } from '../chain/node/node.js'
import { sendAs } from '../chain/node/send.js'
import { createReaders } from '../chain/state/readers.js'
import { hubKey, priceSymbol, prices as startPrices } from '../chain/world/prices.js'
import { priceHubAbi } from '../generated/abis.js'
import { ServiceError } from '../lib/errors.js'
import { serialQueue } from '../lib/serialQueues.js'

/** What assets cost on all networks, in USD with 8 decimals. */
export interface PriceBoard {
  /** The price of every asset, by symbol in alphabetical order; assets that share a price have the same. */
  all(): Promise<Record<string, bigint>>
  /**
   * Moves the price of an asset, and of those that are a claim on it (ETH and WETH), on every network: feeds, Aave's and
   * Morpho's oracles, and quotes follow the price hub; Uniswap pools are swapped to it. Resolves when all have moved. When
   * one network fails, the others are put back and the error says so.
   *
   * Rejects with `invalid_params` for an asset without a price, or a price that is not between 1e-8 and 1e9 USD.
   */
  set(asset: string, usdE8: bigint): Promise<{ moved: string[] }>
}

/** A billion USD: pools and oracles of 18-decimal tokens keep room above it. */
const highestPrice = 10n ** 17n

/**
 * The price board of the offline world. Changes are made one after the other. With `forked` networks it moves nothing, since their
 * feeds are not the simulator's to change, and says what assets cost on the first network that has them, offline ones first.
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
    set: (asset, usdE8) => inTurn(() => setPrice(nodes, book, faucet, asset, usdE8)),
  }

  async function setPrice(
    nodes: Nodes,
    book: AddressBook,
    faucet: Faucet,
    asset: string,
    usdE8: bigint,
  ): Promise<{ moved: string[] }> {
    if (forked.size > 0)
      throw new ServiceError(
        'invalid_params',
        `prices cannot be moved while networks are forked (${[...forked.keys()].join(', ')}): those take theirs from the feeds of the fork`,
        { hint: 'start without --fork to move prices, or fork at another block' },
      )
    const key = priceSymbol(asset)
    if (key === undefined)
      throw new ServiceError(
        'invalid_params',
        `asset ${JSON.stringify(asset.slice(0, 40))} has no price; allowed: ${symbols.join(', ')}`,
      )
    if (usdE8 < 1n || usdE8 > highestPrice)
      throw new ServiceError(
        'invalid_params',
        'usd must be at least 0.00000001 and at most 1000000000',
      )
    const before = await readHub(nodes.all()[0]!, book)
    const moveAll = (price: bigint): Promise<PromiseSettledResult<void>[]> =>
      Promise.allSettled(
        nodes.all().map((node) => movePrice({ node, book, faucet, before, key, price })),
      )
    const failed = (await moveAll(usdE8)).find((result) => result.status === 'rejected')
    if (failed) {
      await moveAll(before.get(key)!)
      throw new ServiceError(
        'internal_error',
        `The price of ${key} could not be moved everywhere; it was put back`,
        { hint: String(failed.reason), cause: failed.reason },
      )
    }
    return { moved: symbols.filter((symbol) => priceSymbol(symbol) === key) }
  }
}

/** What the feeds of all networks answer; of an asset on several, the first offline one's. */
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

/** Every asset symbol that has a price, alphabetically. */
function pricedSymbols(book: AddressBook): string[] {
  const all = networkNames.flatMap((network) => book.on(network).tokens.map((t) => t.symbol))
  return [...new Set(all)].filter((symbol) => priceSymbol(symbol) !== undefined).sort()
}

interface Move {
  node: Node
  book: AddressBook
  faucet: Faucet
  /** The prices of all keys before the move: pools are pairs. */
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
  await movePools(node, networkBook, faucet, (symbol) => {
    const ofSymbol = priceSymbol(symbol)!
    return ofSymbol === key ? price : before.get(ofSymbol)!
  })
}

/** The hub's price of every key. One network speaks for all: they are moved together. */
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
