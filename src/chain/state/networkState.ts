import type { Address, Hex } from 'viem'
import { toFunctionSelector, toHex } from 'viem/utils'
import type { AddressBook, NetworkBook } from '../../deployments/addressBook.js'
import type { LeftOut } from '../../deployments/markets.js'
import type { NetworkName, Token } from '../../deployments/networks.js'
import { nonceLensAbi } from '../../generated/abis.js'
import { svcAddresses } from '../../generated/svc.js'
import { keepNewest } from '../../lib/keepNewest.js'
import type { Node } from '../rpc/node.js'
import { RpcError, RpcTransportError } from '../rpc/rpc.js'
import {
  type AaveState,
  type CometState,
  type MarketReads,
  type MorphoRewardsState,
  type MorphoState,
  marketReadsOf,
  type Protocol,
  protocols,
  type VaultState,
  wanted,
} from './marketReads.js'
import {
  callNow,
  decodeReads,
  encodeCall,
  encodeReads,
  type Read,
  selectorOf,
  wordAt,
} from './multicall.js'

/** What one wallet has on one network, and what the markets there look like, all read at one block. */
export interface NetworkState {
  network: NetworkName
  blockNumber: bigint
  /** Unix seconds: the time of the next block, should it be mined now. */
  timestamp: bigint
  /** Whether the wallet's address has code: then a bridge brings it wrapped tokens, else native ones. */
  isDeployed: boolean
  /**
   * Which nonce secret of the wallet is the first, from the count on that was asked for, of which this chain has seen no
   * nonce used or cancelled.
   */
  nonceCount: number
  /** By canonical symbol, native included. */
  balances: ReadonlyMap<string, bigint>
  /** USD with 8 decimals by canonical symbol; a token whose feed does not answer is left out. */
  prices: ReadonlyMap<string, bigint>
  /** Markets, reserves and vaults that do not answer are left out, here and below. */
  comets: readonly CometState[]
  morphoMarkets: readonly MorphoState[]
  aaveReserves: readonly AaveState[]
  vaults: readonly VaultState[]
  /** Rewards of vault holders; undefined when they were not read or the network has none. */
  morphoRewards?: MorphoRewardsState | undefined
  /** Markets of the address file that the network, a fork, does not have. */
  leftOut?: readonly LeftOut[]
}

/** What a read covers: reading less takes less time. */
export interface StateScope {
  /** Protocols whose markets and positions are read; all when absent. */
  protocols?: readonly Protocol[]
  /**
   * Symbols whose balances and prices are read, with the other token of a wrapped pair (ETH and WETH), and whose markets: Comet's by base asset,
   * Morpho's by loan and collateral token together, reserves and vaults by their asset. All when absent.
   */
  assets?: readonly string[]
}

export interface NetworkStateReader {
  /**
   * Reads as the next block would see it: interest runs on although no block was mined since. Nonce secrets are looked at from
   * `nonceCount` on; from the first when absent.
   */
  read(node: Node, wallet: Address, scope?: StateScope, nonceCount?: number): Promise<NetworkState>
}

const [getBlockNumber, getTimestamp, getEthBalance, balanceOf, latestAnswer, signer] = [
  'function getBlockNumber() view returns (uint256)',
  'function getCurrentBlockTimestamp() view returns (uint256)',
  'function getEthBalance(address account) view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function latestAnswer() view returns (int256)',
  'function signer() view returns (address)',
].map((signature) => toFunctionSelector(signature)) as [Hex, Hex, Hex, Hex, Hex, Hex]

/** More than a block may use: a call is not mined, and real vaults on a fork have many markets to walk. */
const readGas = toHex(200_000_000)

/** A state and its reads take some 80 kB. */
const rememberedWallets = 8

function balanceRead(book: NetworkBook, token: Token, wallet: Address): Read {
  return token.native
    ? { target: book.multicall3, data: encodeCall(getEthBalance, [wallet]) }
    : { target: token.address, data: encodeCall(balanceOf, [wallet]) }
}

/** What a whole network state reads of a wallet and the markets in one call, read by read. bench/folio.mjs measures it. @public */
export function singleReads(book: NetworkBook, wallet: Address): Read[] {
  const markets = marketReadsOf(book, protocols, () => true)
  return [
    ...book.tokens.map((token) => balanceRead(book, token, wallet)),
    ...book.tokens.map(({ feed }) => ({ target: feed, data: latestAnswer })),
    ...Object.values(markets).flatMap(({ reads }) => reads(wallet)),
  ]
}

/** A reader of everything the planner and the folio need of a network: one multicall, one round trip. */
export function createNetworkStateReader(book: NetworkBook): NetworkStateReader {
  const readers = new Map<string, ReturnType<typeof scopedReader>>()
  return {
    read(node, wallet, scope = {}, nonceCount = 0) {
      const key = JSON.stringify(scope)
      const reader = readers.get(key) ?? scopedReader(book, scope)
      readers.set(key, reader)
      return reader(node, wallet, nonceCount)
    },
  }
}

function scopedReader(book: NetworkBook, { protocols: of = protocols, assets }: StateScope) {
  const isWanted = wanted(book, assets)
  const tokens = book.tokens.filter((token) => isWanted(token.symbol))
  const feeds = [...new Set(tokens.map((token) => token.feed))]
  const markets = marketReadsOf(book, of, isWanted)
  const blockReads = [getBlockNumber, getTimestamp].map((data) => ({
    target: book.multicall3,
    data,
  }))
  const readsOf = (wallet: Address): Read[] => [
    ...tokens.map((token) => balanceRead(book, token, wallet)),
    ...feeds.map((feed) => ({ target: feed, data: latestAnswer })),
    ...Object.values(markets).flatMap(({ reads }) => reads(wallet)),
    // Only an account without code answers nothing, and does not fail.
    { target: wallet, data: signer },
  ]

  const decode = (returned: Hex): NetworkState => {
    const results = decodeReads(returned)
    const [blockNumber, timestamp, nonceCount] = results
    if (blockNumber === undefined || timestamp === undefined)
      throw new RpcTransportError(
        `${book.network}: Multicall3 at ${book.multicall3} does not answer`,
      )
    if (nonceCount === undefined)
      throw new RpcTransportError(
        `${book.network}: the nonce lens at ${book.nonceLens} does not answer`,
      )
    const balancesAt = 3
    const feedsAt = balancesAt + tokens.length
    let at = feedsAt + feeds.length
    const next = <State>({ count, decode }: MarketReads<State>): State[] => {
      const answers = results.slice(at, at + count)
      at += count
      return decode(answers)
    }
    const answers = new Map(feeds.map((feed, i) => [feed, results[feedsAt + i]]))
    return {
      network: book.network,
      blockNumber: wordAt(blockNumber, 0),
      timestamp: wordAt(timestamp, 0),
      isDeployed: results.at(-1) !== '',
      nonceCount: Number(wordAt(nonceCount, 0)),
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
      // In the order of the reads.
      comets: next(markets.comets),
      morphoMarkets: next(markets.morphoMarkets),
      aaveReserves: next(markets.aaveReserves),
      vaults: next(markets.vaults),
      morphoRewards: next(markets.rewards)[0],
      leftOut: book.leftOut,
    }
  }

  // An answer that is the same has the same state, the very object: who has made something of it need not make it again.
  const latest = new Map<Address, { reads: Read[]; returned: Hex; state: NetworkState }>()
  return async (node: Node, wallet: Address, nonceFrom: number): Promise<NetworkState> => {
    const known = latest.get(wallet)
    const reads = known?.reads ?? readsOf(wallet)
    const data = encodeReads([...blockReads, nonceRead(book, wallet, nonceFrom), ...reads])
    const returned = await callNow(node, { to: book.multicall3, data, gas: readGas })
    if (known?.returned === returned) return known.state
    const state = decode(returned)
    latest.delete(wallet) // so that it is the newest
    latest.set(wallet, { reads, returned, state })
    keepNewest(latest, rememberedWallets)
    return state
  }
}

/** The most operations that a plan can have on one network: each has a nonce of the plan's secret. Plan kinds need far fewer. */
export const noncesPerSecret = 16

const firstFree = selectorOf(nonceLensAbi, 'firstFree')

/** The read of the first nonce secret, from a count on, of which the wallet has used no nonce on this chain. */
function nonceRead(book: NetworkBook, wallet: Address, count: number): Read {
  const args = [svcAddresses.nonceManager, wallet, BigInt(count), BigInt(noncesPerSecret)]
  return { target: book.nonceLens, data: encodeCall(firstFree, args) }
}

/**
 * One reader per network, made when the network is first read. Those of `forked` networks fetch a wallet's slots side by side
 * before they first read it.
 */
export function createReaders(
  book: AddressBook,
  forked: { has(network: NetworkName): boolean } = new Set(),
): (network: NetworkName) => NetworkStateReader {
  const readers = new Map<NetworkName, NetworkStateReader>()
  return (network) => {
    const known = readers.get(network)
    if (known) return known
    const plain = createNetworkStateReader(book.on(network))
    const reader = forked.has(network) ? warmed(plain, book.on(network)) : plain
    readers.set(network, reader)
    return reader
  }
}

/** Reads for a wallet wait until what it has there has been fetched; a fetch that failed is tried again by the next read. */
function warmed(reader: NetworkStateReader, book: NetworkBook): NetworkStateReader {
  const fetched = new Map<Address, Promise<void>>()
  return {
    async read(node, wallet, scope, nonceCount) {
      const fetching = fetched.get(wallet) ?? warm(node, book, wallet)
      fetched.set(wallet, fetching)
      await fetching.catch((error) => {
        fetched.delete(wallet)
        throw error
      })
      return reader.read(node, wallet, scope, nonceCount)
    },
  }
}

/**
 * Makes a forked node fetch what a snapshot of this wallet needs from its upstream. In the snapshot's one call it would fetch slot
 * after slot, hundreds of round trips in a row; here every market is a call of its own, and all are under way at once.
 */
export async function warm(node: Node, book: NetworkBook, wallet: Address): Promise<void> {
  await Promise.all(
    singleReads(book, wallet).map(async ({ target, data }) => {
      const call = { to: target, data }
      await node.rpc.request('eth_call', [call, 'latest']).catch((error) => {
        // A market that does not answer is the snapshot's affair.
        if (!(error instanceof RpcError)) throw error
      })
    }),
  )
}
