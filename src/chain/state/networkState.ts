import { type Address, erc20Abi, type Hex } from 'viem'
import { encodeFunctionData, parseAbi, toHex } from 'viem/utils'
import type { NetworkBook } from '../../deployments/addressBook.js'
import type { LeftOut } from '../../deployments/leftOut.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { Token } from '../../deployments/token.js'
import { nonceLensAbi } from '../../generated/abis.js'
import { svcAddresses } from '../../generated/svc.js'
import { keepNewest } from '../../lib/keepNewest.js'
import type { Node } from '../rpc/node.js'
import { RpcTransportError } from '../rpc/rpc.js'
import type { AaveState } from './aaveState.js'
import type { CometState } from './cometState.js'
import { type MarketReads, marketReadsOf, type Protocol, protocols, wanted } from './marketReads.js'
import type { MorphoState } from './morphoState.js'
import {
  callNow,
  decodeReads,
  encodeReads,
  fillWallet,
  type Read,
  walletPlaceholder,
  wordAt,
} from './multicall.js'
import type { MorphoRewardsState } from './rewardsState.js'
import type { VaultState } from './vaultState.js'

export type { CometState } from './cometState.js'

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

/** Reads the state of one network; the calldata is encoded once per scope. */
export interface NetworkStateReader {
  /**
   * Reads as the next block would see it: interest runs on although no block was mined since. Nonce secrets are looked at from
   * `nonceCount` on; from the first when absent.
   */
  read(node: Node, wallet: Address, scope?: StateScope, nonceCount?: number): Promise<NetworkState>
}

const readsAbi = [
  ...erc20Abi,
  ...parseAbi([
    'function getBlockNumber() view returns (uint256)',
    'function getCurrentBlockTimestamp() view returns (uint256)',
    'function getEthBalance(address account) view returns (uint256)',
    'function latestAnswer() view returns (int256)',
    'function signer() view returns (address)',
  ]),
] as const

/** More than a block may use: a call is not mined, and real vaults on a fork have many markets to walk. */
const readGas = toHex(200_000_000)

/** A state takes some 50 kB. */
const rememberedWallets = 8

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

/** Only an account without code answers nothing, and does not fail. */
const codeRead: Read = {
  target: walletPlaceholder,
  data: encodeFunctionData({ abi: readsAbi, functionName: 'signer' }),
}

function priceRead(feed: Address): Read {
  return {
    target: feed,
    data: encodeFunctionData({ abi: readsAbi, functionName: 'latestAnswer' }),
  }
}

/** What a whole network state reads in one call, read by read, with `walletPlaceholder` for the wallet. */
export function singleReads(book: NetworkBook): Read[] {
  const markets = marketReadsOf(book, protocols, () => true)
  return [
    ...book.tokens.map((token) => balanceRead(book, token)),
    ...book.tokens.map(({ feed }) => priceRead(feed)),
    ...Object.values(markets).flatMap(({ reads }) => reads),
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
  const calldata = encodeReads([
    ...blockReads(book),
    nonceRead(book),
    ...tokens.map((token) => balanceRead(book, token)),
    ...feeds.map(priceRead),
    ...Object.values(markets).flatMap(({ reads }) => reads),
    codeRead,
  ])

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
    const next = <State>({ reads, decode }: MarketReads<State>): State[] => {
      const answers = results.slice(at, at + reads.length)
      at += reads.length
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
  const latest = new Map<Address, { returned: Hex; state: NetworkState }>()
  return async (node: Node, wallet: Address, nonceFrom: number): Promise<NetworkState> => {
    const data = fillCount(fillWallet(calldata, wallet), nonceFrom)
    const returned = await callNow(node, { to: book.multicall3, data, gas: readGas })
    const known = latest.get(wallet)
    if (known?.returned === returned) return known.state
    const state = decode(returned)
    latest.delete(wallet) // so that it is the newest
    latest.set(wallet, { returned, state })
    keepNewest(latest, rememberedWallets)
    return state
  }
}

/** The most operations that a plan can have on one network: each has a nonce of the plan's secret. Plan kinds need far fewer. */
export const noncesPerSecret = 16

/** A count that no wallet reaches; `fillCount` puts the real one in its place. */
const countPlaceholder = 'c0117fa11ed'.padEnd(64, '0')

/** The read of the first nonce secret, from a count on, of which the wallet has used no nonce on this chain. */
function nonceRead(book: NetworkBook): Read {
  return {
    target: book.nonceLens,
    data: encodeFunctionData({
      abi: nonceLensAbi,
      functionName: 'firstFree',
      args: [
        svcAddresses.nonceManager,
        walletPlaceholder,
        BigInt(`0x${countPlaceholder}`),
        BigInt(noncesPerSecret),
      ],
    }),
  }
}

/** The calldata with the count in the place of the placeholder. */
function fillCount(calldata: Hex, count: number): Hex {
  return calldata.replace(countPlaceholder, count.toString(16).padStart(64, '0')) as Hex
}
