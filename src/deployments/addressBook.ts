import type { Address, Hex } from 'viem'
import { keccak256, toHex } from 'viem/utils'
import { svcAddresses } from '../generated/svc.js'
import { type RawNetwork, rawNetwork } from './addressFile.js'
import type { CometMarket, LeftOut } from './markets.js'
import { type NetworkName, networkNames, networkOf, type Token } from './networks.js'
import {
  lower,
  type MorphoRewardsBook,
  type ProtocolBook,
  parseComet,
  parseMorphoRewards,
  parseProtocols,
} from './protocolBook.js'

/** All contracts of one network, at their canonical addresses in lower case. */
export interface NetworkBook extends ProtocolBook {
  network: NetworkName
  chainId: number
  nativeSymbol: string
  wrappedNativeSymbol: string
  /** In the order of `contracts/addresses.json`, native first. */
  tokens: readonly Token[]
  comets: readonly CometMarket[]
  cometRewards: Address
  multicall3: Address
  /** Answers everything about a Comet market and a position in one call; has no state, so a fork may just be given its code. */
  cometLens: Address
  /** The same for Morpho Blue, for an Aave V3 reserve, and for a vault. */
  morphoLens: Address
  aaveLens: Address
  vaultLens: Address
  /** Rewards of vault holders; undefined where the network has no reward token. */
  morphoRewards: MorphoRewardsBook | undefined
  /** The same for those rewards. */
  rewardsLens: Address
  /** Finds the nonce of a wallet's next plan; has no state either. */
  nonceLens: Address
  /** Across spoke pool: bridge deposits go in here, fills come out. */
  spokePool: Address
  /** Simulator-owned contracts: the same addresses on every network. */
  exchange: Address
  /** Drives every price feed of the offline world. */
  priceHub: Address
  /** What a fork does not have of the address file; nothing in the offline world. Not among the markets above. */
  leftOut: readonly LeftOut[]
}

/** The address book of all networks; cannot tell an offline world from a forked one. */
export interface AddressBook {
  on(network: NetworkName): NetworkBook
  /** Finds an asset on a network by symbol, ignoring case. */
  token(network: NetworkName, symbol: string): Token | undefined
  /** Canonical symbols of all assets on all networks, each once. */
  symbols(): readonly string[]
}

/** Addresses of the scripts that wallets run, the same on every network (CREATE2). */
export type SvcScripts = Record<keyof typeof svcAddresses.scripts, Address>

/** Findings about a forked network. */
interface SeenOnFork {
  leftOut: readonly LeftOut[]
  comets?: readonly CometMarket[]
}

/**
 * The address book of `contracts/addresses.json` plus the simulator's own contracts. The file is read once and each network
 * is parsed when it is first asked for, so loading costs a start nothing that it does not use. What `forks` say is missing on
 * their networks is not in it, and Comet markets are what they say.
 */
export function loadAddressBook(
  forks: ReadonlyMap<NetworkName, SeenOnFork> = new Map(),
): AddressBook {
  const books = new Map<NetworkName, NetworkBook>()
  let symbols: readonly string[] | undefined
  const on = (network: NetworkName): NetworkBook => {
    const known = books.get(network)
    if (known) return known
    const fork = forks.get(network)
    const { leftOut = [], comets } = fork ?? {}
    const parsed = parseNetwork(network, rawNetwork(network))
    const listed = comets ? { ...parsed, comets } : parsed
    const whole = fork ? withoutTariff(listed) : listed
    const book = leftOut.length === 0 ? whole : without(whole, leftOut)
    books.set(network, book)
    return book
  }
  return {
    on,
    token(network, symbol) {
      const wanted = symbol.toLowerCase()
      return on(network).tokens.find((t) => t.symbol.toLowerCase() === wanted)
    },
    symbols() {
      symbols ??= [...new Set(networkNames.flatMap((n) => on(n).tokens.map((t) => t.symbol)))]
      return symbols
    },
  }
}

/**
 * Whose USD feed prices a token that has none under its own symbol, in order of preference: a wrapped token follows its
 * native one, a bridged stablecoin the original, a wrapped bitcoin BTC.
 */
const feedAliases: Record<string, readonly string[]> = {
  WETH: ['ETH'],
  WPOL: ['POL'],
  'USDC.e': ['USDC'],
  USDbC: ['USDC'],
  USDT0: ['USDT'],
  WBTC: ['BTC'],
  cbBTC: ['BTC'],
}

/**
 * The address of something that the simulator adds to a world and that has no address of its own elsewhere, for example
 * `feed/wstETH/USD`: the last 20 bytes of keccak256("svc-sim/<name>"), the same on every network.
 */
export function ownAddress(name: string): Address {
  return `0x${keccak256(toHex(`svc-sim/${name}`)).slice(-40)}`
}

function parseNetwork(network: NetworkName, raw: RawNetwork): NetworkBook {
  const tokens = Object.entries(raw.tokens)
    .map(([symbol, token]) => ({
      symbol,
      name: token.name,
      decimals: token.decimals,
      address: lower(token.address),
      native: token.native ?? false,
      feed: feedOf(symbol, raw),
    }))
    .sort((a, b) => Number(b.native) - Number(a.native))
  return {
    network,
    chainId: networkOf(network).chainId,
    nativeSymbol: raw.nativeSymbol,
    wrappedNativeSymbol: raw.wrappedNativeSymbol,
    tokens,
    comets: Object.values(raw.comet.markets).map((market) => parseComet(market, tokens)),
    cometRewards: lower(raw.comet.rewards),
    multicall3: lower(raw.multicall3),
    cometLens: ownAddress('lens/comet'),
    morphoLens: ownAddress('lens/morpho'),
    aaveLens: ownAddress('lens/aave'),
    vaultLens: ownAddress('lens/vault'),
    morphoRewards: parseMorphoRewards(raw, tokens, {
      distributor: ownAddress('morpho/rewards distributor'),
      grants: ownAddress('morpho/reward grants'),
    }),
    rewardsLens: ownAddress('lens/rewards'),
    nonceLens: ownAddress('lens/nonce'),
    spokePool: lower(raw.across.spokePool),
    ...parseProtocols(raw, tokens),
    exchange: lower(svcAddresses.exchange),
    priceHub: lower(svcAddresses.priceHub),
    leftOut: [],
  }
}

/** A fork's vaults keep no account of who is due what, and its distributor's trees are made elsewhere. */
function withoutTariff(book: NetworkBook): NetworkBook {
  const { morphoRewards } = book
  return morphoRewards ? { ...book, morphoRewards: { ...morphoRewards, perSecond: 0n } } : book
}

function without(book: NetworkBook, leftOut: readonly LeftOut[]): NetworkBook {
  const has = (protocol: LeftOut['protocol'], id: Hex): boolean =>
    !leftOut.some((market) => market.protocol === protocol && market.id === id)
  const { aave, morpho, morphoRewards } = book
  return {
    ...book,
    comets: book.comets.filter(({ address }) => has('comet', address)),
    aave: { ...aave, reserves: aave.reserves.filter(({ asset }) => has('aave', asset)) },
    morpho: {
      ...morpho,
      markets: morpho.markets.filter(({ id }) => has('morpho', id)),
      vaults: morpho.vaults.filter(({ address }) => has('vaults', address)),
    },
    morphoRewards:
      morphoRewards && has('morphoRewards', morphoRewards.distributor) ? morphoRewards : undefined,
    leftOut,
  }
}

function feedOf(symbol: string, raw: RawNetwork): Address {
  const listed = [symbol, ...(feedAliases[symbol] ?? [])].find((s) => raw.chainlinkFeeds[s])
  return listed ? lower(raw.chainlinkFeeds[listed]!.address) : ownAddress(`feed/${symbol}/USD`)
}
