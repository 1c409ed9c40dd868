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

/** The funds and positions of a wallet on one network, and the markets there, all read at one block. */
export interface NetworkState {
  network: NetworkName
  blockNumber: bigint
  /** The time of the next block if it were mined now. Unix seconds. */
  timestamp: bigint
  /** Whether the wallet has code. If so, bridges deliver wrapped tokens to it, otherwise native ones. */
  isDeployed: boolean
  /** The number of the wallet's first unused nonce secret on this chain, from the requested number on. */
  nonceCount: number
  /** By canonical symbol, native included. */
  balances: ReadonlyMap<string, bigint>
  /** USD with 8 decimals by canonical symbol; without tokens whose feed does not answer. */
  prices: ReadonlyMap<string, bigint>
  /** Without markets, reserves and vaults that do not answer, here and below. */
  comets: readonly CometState[]
  morphoMarkets: readonly MorphoState[]
  aaveReserves: readonly AaveState[]
  vaults: readonly VaultState[]
  /** Rewards of vault holders; undefined when they were not read or the network has none. */
  morphoRewards?: MorphoRewardsState | undefined
  /** Markets of the address file that the network, a fork, does not have. */
  leftOut?: readonly LeftOut[]
}

/** Reading less takes less time. */
export interface StateScope {
  /** Protocols whose markets and positions are read; all when absent. */
  protocols?: readonly Protocol[]
  /**
   * Symbols whose balances, prices and markets are read; all when absent. ETH and WETH include each other. Comet markets are selected by base
   * asset, Morpho's by loan and collateral token together, reserves and vaults by asset.
   */
  assets?: readonly string[]
}

export interface NetworkStateReader {
  /**
   * Reads in the context of the next block, so interest accrues without new blocks. The search for an unused nonce secret begins at
   * `nonceCount`, or at the first.
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

/** More than the gas of a block, because real vaults on forks read many markets. */
const readGas = toHex(200_000_000)

/** Wallets whose latest state is cached. A state and its reads take 80 kB. */
const rememberedWallets = 8

function balanceRead(book: NetworkBook, token: Token, wallet: Address): Read {
  return token.native
    ? { target: book.multicall3, data: encodeCall(getEthBalance, [wallet]) }
    : { target: token.address, data: encodeCall(balanceOf, [wallet]) }
}

/** The reads of a whole network state. bench/folio.mjs measures them. @public */
export function singleReads(book: NetworkBook, wallet: Address): Read[] {
  const markets = marketReadsOf(book, protocols, () => true)
  return [
    ...book.tokens.map((token) => balanceRead(book, token, wallet)),
    ...book.tokens.map(({ feed }) => ({ target: feed, data: latestAnswer })),
    ...Object.values(markets).flatMap(({ reads }) => reads(wallet)),
  ]
}

/** Reads everything that planner and folio need in one multicall. */
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
    // Returns nothing, without failing, only for an account without code.
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

  // Equal answers return the same state object, so that callers can cache what they derive from it.
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

/** The most operations of a plan on one network. Each uses one nonce of the plan's secret. */
export const noncesPerSecret = 16

const firstFree = selectorOf(nonceLensAbi, 'firstFree')

function nonceRead(book: NetworkBook, wallet: Address, count: number): Read {
  const args = [svcAddresses.nonceManager, wallet, BigInt(count), BigInt(noncesPerSecret)]
  return { target: book.nonceLens, data: encodeCall(firstFree, args) }
}

/** One reader per network, created on first use. Those of `forked` networks prefetch the slots of each new wallet (`warm`). */
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

/** Makes reads wait for the prefetch of their wallet. The next read retries a failed prefetch. */
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
 * Makes a forked node fetch the slots that a read of this wallet needs. In one multicall the node would fetch hundreds of slots one after
 * the other; here the markets are read in parallel.
 */
export async function warm(node: Node, book: NetworkBook, wallet: Address): Promise<void> {
  await Promise.all(
    singleReads(book, wallet).map(async ({ target, data }) => {
      const call = { to: target, data }
      await node.rpc.request('eth_call', [call, 'latest']).catch((error) => {
        // The read itself handles markets that do not answer.
        if (!(error instanceof RpcError)) throw error
      })
    }),
  )
}
