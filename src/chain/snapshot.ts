import type { Address, Hex } from 'viem'
import { encodeFunctionData, parseAbi } from 'viem/utils'
import { cometLensAbi } from '../generated/abis.js'
import type { CometMarket, NetworkBook, Token } from './addressBook.js'
import {
  decodeReads,
  encodeReads,
  fillWallet,
  type Read,
  walletPlaceholder,
  wordAt,
} from './aggregate.js'
import type { NetworkName } from './networks.js'
import type { Node } from './node.js'
import { RpcTransportError } from './rpc.js'
import { decodeMorpho, type MorphoState, morphoRead } from './snapshotMorpho.js'

/** A Comet market and the wallet's position in it. Amounts in smallest units, rates per second and 1e18-scaled. */
export interface CometState {
  market: CometMarket
  totalSupply: bigint
  totalBorrow: bigint
  supplyRate: bigint
  borrowRate: bigint
  /** Reward tracking: units of `trackingIndexScale` per second, for the whole market. */
  supplySpeed: bigint
  borrowSpeed: bigint
  trackingIndexScale: bigint
  supplied: bigint
  borrowed: bigint
  rewardOwed: bigint
  /** In the order of `market.collaterals`. */
  collateral: bigint[]
  collateralTotals: bigint[]
}

/** What one wallet has on one network, and what the markets there look like, all read at one block. */
export interface NetworkSnapshot {
  network: NetworkName
  blockNumber: bigint
  /** Unix seconds: the time of the next block, should it be mined now. */
  timestamp: bigint
  /** By canonical symbol, native included. */
  balances: ReadonlyMap<string, bigint>
  /** USD with 8 decimals by canonical symbol; a token whose feed does not answer is left out. */
  prices: ReadonlyMap<string, bigint>
  comets: readonly CometState[]
  /** Morpho Blue markets; one that does not answer is left out. */
  morphos: readonly MorphoState[]
}

/** The protocols whose markets and positions a snapshot can hold. */
export const protocols = ['comet', 'morpho'] as const
export type Protocol = (typeof protocols)[number]

/** What a snapshot shall hold; a plan pays for what it looks at. */
export interface SnapshotScope {
  /** Protocols whose markets and positions are read; all when absent. */
  protocols?: readonly Protocol[]
  /**
   * Symbols whose balances and prices are read, with their wrapped or native twins, and whose markets: Comet's by base asset,
   * Morpho's by loan and collateral token together. All when absent.
   */
  assets?: readonly string[]
}

/** Reads snapshots of one network; the calldata is encoded once per scope. */
export interface SnapshotReader {
  /** Reads as the next block would see it: interest runs on although no block was mined since. */
  read(node: Node, wallet: Address, scope?: SnapshotScope): Promise<NetworkSnapshot>
}

const readsAbi = parseAbi([
  'function getBlockNumber() view returns (uint256)',
  'function getCurrentBlockTimestamp() view returns (uint256)',
  'function getEthBalance(address account) view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function latestAnswer() view returns (int256)',
])

function blockReads(book: NetworkBook): Read[] {
  return (['getBlockNumber', 'getCurrentBlockTimestamp'] as const).map((functionName) => ({
    target: book.multicall3,
    data: encodeFunctionData({ abi: readsAbi, functionName }),
  }))
}

function balanceRead(book: NetworkBook, token: Token): Read {
  return {
    target: token.native ? book.multicall3 : token.address,
    data: encodeFunctionData({
      abi: readsAbi,
      functionName: token.native ? 'getEthBalance' : 'balanceOf',
      args: [walletPlaceholder],
    }),
  }
}

function cometRead(book: NetworkBook, market: CometMarket): Read {
  return {
    target: book.cometLens,
    data: encodeFunctionData({
      abi: cometLensAbi,
      functionName: 'read',
      args: [
        market.address,
        book.cometRewards,
        walletPlaceholder,
        market.collaterals.map((collateral) => collateral.asset),
      ],
    }),
  }
}

/** Decodes `CometLens.read`: the two structs stand in line (7 and 3 words), then two offsets to the arrays. */
function decodeComet(market: CometMarket, data: string): CometState {
  const list = (offsetWord: number): bigint[] => {
    const start = Number(wordAt(data, offsetWord)) / 32
    return market.collaterals.map((_, i) => wordAt(data, start + 1 + i))
  }
  return {
    market,
    totalSupply: wordAt(data, 0),
    totalBorrow: wordAt(data, 1),
    supplyRate: wordAt(data, 2),
    borrowRate: wordAt(data, 3),
    supplySpeed: wordAt(data, 4),
    borrowSpeed: wordAt(data, 5),
    trackingIndexScale: wordAt(data, 6),
    supplied: wordAt(data, 7),
    borrowed: wordAt(data, 8),
    rewardOwed: wordAt(data, 9),
    collateral: list(10),
    collateralTotals: list(11),
  }
}

/** A reader of everything the planner and the folio need of a network: one multicall, one round trip. */
export function createSnapshotReader(book: NetworkBook): SnapshotReader {
  const readers = new Map<string, ReturnType<typeof scopedReader>>()
  return {
    read(node, wallet, scope = {}) {
      const key = JSON.stringify(scope)
      const reader = readers.get(key) ?? scopedReader(book, scope)
      readers.set(key, reader)
      return reader(node, wallet)
    },
  }
}

function scopedReader(book: NetworkBook, { protocols: of = protocols, assets }: SnapshotScope) {
  const isWanted = wanted(book, assets)
  const tokens = book.tokens.filter((token) => isWanted(token.symbol))
  const comets = of.includes('comet')
    ? book.comets.filter((market) => isWanted(market.baseSymbol))
    : []
  const morphos = of.includes('morpho')
    ? book.morpho.markets.filter(
        (market) => isWanted(market.loanSymbol) && isWanted(market.collateralSymbol),
      )
    : []
  const feeds = [...new Set(tokens.map((token) => token.feed))]
  const priceRead = encodeFunctionData({ abi: readsAbi, functionName: 'latestAnswer' })
  const calldata = encodeReads([
    ...blockReads(book),
    ...tokens.map((token) => balanceRead(book, token)),
    ...feeds.map((target) => ({ target, data: priceRead })),
    ...comets.map((market) => cometRead(book, market)),
    ...morphos.map((market) => morphoRead(book, market)),
  ])

  return async (node: Node, wallet: Address): Promise<NetworkSnapshot> => {
    const returned = await node.rpc.request<Hex>('eth_call', [
      { to: book.multicall3, data: fillWallet(calldata, wallet) },
      'pending',
    ])
    const results = decodeReads(returned)
    const [blockNumber, timestamp] = results
    if (blockNumber === undefined || timestamp === undefined)
      throw new RpcTransportError(
        `${book.network}: Multicall3 at ${book.multicall3} does not answer`,
      )
    const balancesAt = 2
    const feedsAt = balancesAt + tokens.length
    const cometsAt = feedsAt + feeds.length
    const morphosAt = cometsAt + comets.length
    const answers = new Map(feeds.map((feed, i) => [feed, results[feedsAt + i]]))
    return {
      network: book.network,
      blockNumber: wordAt(blockNumber, 0),
      timestamp: wordAt(timestamp, 0),
      balances: new Map(
        tokens.map((token, i) => {
          const balance = results[balancesAt + i]
          return [token.symbol, balance ? wordAt(balance, 0) : 0n]
        }),
      ),
      prices: new Map(
        tokens.flatMap((token): [string, bigint][] => {
          const answer = answers.get(token.feed)
          return answer ? [[token.symbol, wordAt(answer, 0)]] : []
        }),
      ),
      comets: comets.flatMap((market, i) => {
        const state = results[cometsAt + i]
        return state ? [decodeComet(market, state)] : []
      }),
      morphos: morphos.flatMap((market, i) => {
        const state = results[morphosAt + i]
        return state ? [decodeMorpho(market, state)] : []
      }),
    }
  }
}

/** Whether a symbol belongs to the scope. The native token and its wrapped twin go together; case does not matter. */
function wanted(book: NetworkBook, assets: readonly string[] | undefined) {
  if (assets === undefined) return () => true
  const twins = [book.nativeSymbol, book.wrappedNativeSymbol]
  const named = assets.map((symbol) => symbol.toLowerCase())
  const withTwins = twins.some((twin) => named.includes(twin.toLowerCase()))
    ? [...named, ...twins.map((twin) => twin.toLowerCase())]
    : named
  return (symbol: string): boolean => withTwins.includes(symbol.toLowerCase())
}
