import { type Address, erc20Abi, type Hex } from 'viem'
import { encodeFunctionData, parseAbi, toHex } from 'viem/utils'
import type { NetworkBook } from '../../deployments/addressBook.js'
import type { LeftOut } from '../../deployments/leftOut.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { Token } from '../../deployments/token.js'
import { keepNewest } from '../../lib/keepNewest.js'
import type { Node } from '../rpc/node.js'
import { RpcTransportError } from '../rpc/rpc.js'
import { type AaveState, aaveRead, decodeAave } from './aaveState.js'
import { callNow } from './callNow.js'
import { type CometState, cometRead, decodeComet } from './cometState.js'
import { decodeMorpho, type MorphoState, morphoRead } from './morphoState.js'
import {
  decodeReads,
  encodeReads,
  fillWallet,
  type Read,
  walletPlaceholder,
  wordAt,
} from './multicall.js'
import { fillCount, nonceRead } from './nonceState.js'
import { decodeRewards, type MorphoRewardsState, rewardsRead } from './rewardsState.js'
import { decodeVault, type VaultState, vaultRead } from './vaultState.js'

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
  comets: readonly CometState[]
  /** Morpho Blue markets; one that does not answer is left out. */
  morphos: readonly MorphoState[]
  /** Reserves of the Aave pool, and vaults; likewise. */
  aaves: readonly AaveState[]
  vaults: readonly VaultState[]
  /** Rewards of vault holders; undefined when they were not read or the network has none. */
  morphoRewards?: MorphoRewardsState | undefined
  /** Markets of the address file that the network, a fork, does not have. */
  leftOut?: readonly LeftOut[]
}

/** The protocols whose markets and positions can be read. */
export const protocols = ['comet', 'morpho', 'aave', 'vaults', 'morphoRewards'] as const
export type Protocol = (typeof protocols)[number]

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
  const markets = marketsOf(book, protocols, () => true)
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
  const markets = marketsOf(book, of, isWanted)
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
      morphos: next(markets.morphos),
      aaves: next(markets.aaves),
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

/** The reads of one protocol's markets, and what their answers say; a market that does not answer is left out. */
interface MarketReads<State> {
  reads: Read[]
  decode(answers: readonly (string | undefined)[]): State[]
}

function marketReads<Market, State>(
  markets: readonly Market[],
  read: (market: Market) => Read,
  decode: (market: Market, data: string) => State,
): MarketReads<State> {
  return {
    reads: markets.map(read),
    decode: (answers) =>
      markets.flatMap((market, i) => {
        const answer = answers[i]
        return answer ? [decode(market, answer)] : []
      }),
  }
}

/** The markets of a scope, in the order in which they are read. */
function marketsOf(
  book: NetworkBook,
  of: readonly Protocol[],
  isWanted: (symbol: string) => boolean,
) {
  const pick = <Market>(
    protocol: Protocol,
    all: readonly Market[],
    symbolsOf: (market: Market) => readonly string[],
  ) => (of.includes(protocol) ? all.filter((market) => symbolsOf(market).every(isWanted)) : [])
  const { aave, comets, morpho, morphoRewards } = book
  return {
    comets: marketReads(
      pick('comet', comets, (market) => [market.baseSymbol]),
      (market) => cometRead(book, market),
      decodeComet,
    ),
    morphos: marketReads(
      pick('morpho', morpho.markets, (each) => [each.loanSymbol, each.collateralSymbol]),
      (market) => morphoRead(book, market),
      decodeMorpho,
    ),
    aaves: marketReads(
      pick('aave', aave.reserves, (reserve) => [reserve.symbol]),
      (reserve) => aaveRead(book, reserve),
      decodeAave,
    ),
    vaults: marketReads(
      pick('vaults', morpho.vaults, (vault) => [vault.assetSymbol]),
      (vault) => vaultRead(book, vault),
      decodeVault,
    ),
    rewards: marketReads(
      pick('morphoRewards', morphoRewards ? [morphoRewards] : [], () => []),
      (rewards) => rewardsRead(book, rewards),
      decodeRewards,
    ),
  }
}

/** Whether a symbol belongs to the scope. The native token and its wrapped form go together; case does not matter. */
function wanted(book: NetworkBook, assets: readonly string[] | undefined) {
  if (assets === undefined) return () => true
  const pair = [book.nativeSymbol, book.wrappedNativeSymbol]
  const named = assets.map((symbol) => symbol.toLowerCase())
  const withPair = pair.some((symbol) => named.includes(symbol.toLowerCase()))
    ? [...named, ...pair.map((symbol) => symbol.toLowerCase())]
    : named
  return (symbol: string): boolean => withPair.includes(symbol.toLowerCase())
}
