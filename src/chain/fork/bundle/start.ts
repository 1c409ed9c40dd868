import { loadAddressBook } from '../../../deployments/addressBook.js'
import { type NetworkName, networkNames } from '../../../deployments/networks.js'
import { unlessAborted } from '../../../lib/abort.js'
import { ServiceError } from '../../../lib/errors.js'
import { createFaucet, type Faucet } from '../../funds/faucet.js'
import { startNodes } from '../../process/nodes.js'
import type { Node, Nodes } from '../../rpc/node.js'
import { type DetectedMarkets, detectMarkets } from '../install/detectMarkets.js'
import type { Forks } from '../install/forkedNetwork.js'
import { installContracts, tokensWithoutFeed } from '../install/installContracts.js'
import {
  cachedPreparation,
  cachePreparation,
  changedAccounts,
  giveAccounts,
  type Preparation,
} from '../install/preparation.js'
import { defaultCacheDir } from '../upstream/cache.js'
import { type AccountKnowledge, knowledgeEntry } from '../upstream/emptyAccounts.js'
import { createBudget } from '../upstream/pacedEndpoint.js'
import type { ForkLimits, ForkOrigins } from '../upstream/target.js'
import { type Bundle, type OpeningBundle, openBundle } from './bundle.js'
import { expectForks, type FolderForks } from './folder.js'
import { ForkError, type OpenFork, type Opening, openFork, openRecorded } from './open.js'
import { findPoolLayout, forkPointOf } from './ownFills.js'

/**
 * Opens all forks at once. When one cannot be opened, closes the others, and the error says which and why.
 *
 * @param cache The forks of a data folder, which records all reads.
 */
export async function openForks(
  { fork: targets = {}, bundle: bundleFolder }: ForkOrigins,
  {
    forkCache = defaultCacheDir(),
    forkMaxRequests,
    assumeEmpty,
    say,
    signal,
  }: ForkLimits & Opening = {},
  cache?: FolderForks,
): Promise<OpenForks> {
  const budget = createBudget(forkMaxRequests)
  const cacheDir = forkCache === 'none' ? undefined : forkCache
  const opening = { budget, cacheDir, signal, ...(say && { say }) }
  const unknown = Object.keys(targets).find((name) => !networkNames.some((known) => known === name))
  if (unknown !== undefined)
    throw new ForkError(
      `fork names "${unknown}", which is no network. Networks: ${networkNames.join(', ')}`,
    )
  const bundle = bundleFolder === undefined ? undefined : await openBundle(bundleFolder)
  // Endpoints need to know which answers the bundle has, and a data folder copies them.
  if (cache || Object.keys(targets).length > 0) await bundle?.loaded
  const isAsked = (network: NetworkName) => network in targets || bundle?.networks.has(network)
  if (cache) expectForks(cache, networkNames.filter(isAsked), bundle?.networks)
  const attempts = networkNames.flatMap((network) => {
    const target = targets[network]
    const recorded = bundle?.networks.get(network)
    const folder = cache?.of(network)
    if (target) return [openFork(network, target, opening, { ...bundle, recorded, folder })]
    return recorded || folder?.pin
      ? [openRecorded(network, recorded, folder, bundle?.loaded, { assumeEmpty })]
      : []
  })
  const settled = await Promise.allSettled(attempts)
  const open = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = settled.find((one) => one.status === 'rejected')
  if (!failed) return { open, bundle }
  await Promise.all(open.map((fork) => fork.close()))
  throw failed.reason
}

export interface OpenForks {
  open: readonly OpenFork[]
  bundle: OpeningBundle | undefined
}

export function bundleOf(
  open: readonly OpenFork[],
  about: Omit<Bundle, 'networks'>,
  known?: (network: NetworkName) => AccountKnowledge,
): Bundle {
  const networks = open.map(({ network, block, hash, cache }) => {
    const answers = new Map(cache.entries())
    if (known) answers.set(...knowledgeEntry(known(network)))
    return [network, { block, hash, answers }] as const
  })
  return { ...about, networks: new Map(networks) }
}

export interface PreparingOptions {
  /** The offline world, which has the simulator's own contracts. */
  world: { hash: string; files: Record<NetworkName, string> }
  /** Whether a data folder continues the network, with its earlier preparation. */
  goesOn?: (network: NetworkName) => boolean
  progress: (step: string) => void
  signal?: AbortSignal | undefined
}

/**
 * Detects the markets of each fork, and makes the accounts that it gets: the simulator's own contracts and the inventory of its exchange.
 * This runs once per block, on a temporary node, so that the first start at a block equals later ones.
 */
export async function prepareForks(
  forks: readonly OpenFork[],
  { world, goesOn = () => false, progress, signal }: PreparingOptions,
): Promise<ReadonlyMap<OpenFork, Preparation>> {
  for (const { network, host, block } of forks)
    progress(`${network}: forked from ${host} at block ${block}`)
  const known = new Map<OpenFork, Preparation>()
  for (const fork of forks) {
    const preparation = cachedPreparation(fork.cache, world.hash, goesOn(fork.network))
    if (preparation) known.set(fork, preparation)
  }
  const unknown = forks.filter((fork) => !known.has(fork))
  if (unknown.length > 0) {
    const args = Object.fromEntries(unknown.map((fork) => [fork.network, fork.args]))
    const networks = unknown.map(({ network }) => network)
    const nodes = await startNodes({ networks, args, signal })
    try {
      const faucet = createFaucet(nodes, loadAddressBook(), new Set(networks))
      const preparing = unknown.map(async (fork) => {
        const { network, cache } = fork
        progress(`${network}: reading its markets`)
        const made = await prepare(fork, nodes.get(network), faucet, world.files[network])
        await cachePreparation(cache, world.hash, made)
        known.set(fork, made)
      })
      await unlessAborted(Promise.all(preparing), signal)
    } finally {
      await nodes.stop()
    }
  }
  return known
}

async function prepare(
  fork: OpenFork,
  node: Node,
  faucet: Faucet,
  worldFile: string,
): Promise<Preparation> {
  const book = loadAddressBook().on(node.network)
  await node.rpc.request('evm_mine')
  const pool = await findPoolLayout(node, book.spokePool)
  Object.assign(node, { fork: forkPointOf(book, fork, pool) })
  await installContracts(node, book, worldFile)
  const markets = await detectMarkets(node, book)
  const empty = await stock(node, faucet, markets)
  const { leftOut, comets } = markets
  return {
    leftOut,
    comets,
    ...pool,
    accounts: await changedAccounts(node),
    remarks: remarks(node, markets, empty),
  }
}

/** Makes the started nodes ready; new ones get the prepared accounts. */
export async function installForks(
  nodes: Nodes,
  preparations: ReadonlyMap<OpenFork, Preparation>,
  { areNew, progress }: { areNew: boolean; progress: (step: string) => void },
): Promise<Forks> {
  const installed = [...preparations].map(async ([fork, preparation]) => {
    const { network, host, block } = fork
    const { accounts, leftOut, comets } = preparation
    const node = nodes.get(network)
    if (areNew) await giveAccounts(node, accounts)
    const book = loadAddressBook().on(network)
    Object.assign(node, { fork: forkPointOf(book, fork, preparation) })
    for (const remark of preparation.remarks) progress(`${network}: ${remark}`)
    fork.started()
    const requests = fork.isRecordedOnly ? '' : `, after ${fork.sent()} requests to ${host}`
    progress(`${network}: ready${requests}`)
    const { isAsked } = fork
    return [network, { host, block, leftOut, comets, isAsked }] as const
  })
  return new Map(await Promise.all(installed))
}

/** How often a slow start reports its progress. Milliseconds. */
const reportEveryMs = 3_000

/** Reports the number of requests of each network while the work runs. */
export async function reportRequests<T>(
  forks: readonly OpenFork[],
  progress: (step: string) => void,
  work: Promise<T>,
): Promise<T> {
  const reported = new Map<OpenFork, number>()
  const report = (): void => {
    for (const fork of forks) {
      const sent = fork.sent()
      if (sent === (reported.get(fork) ?? 0)) continue
      reported.set(fork, sent)
      progress(`${fork.network}: ${sent} requests to ${fork.host} so far`)
    }
  }
  const timer = setInterval(report, reportEveryMs)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}

function remarks(
  { network }: Node,
  { leftOut, prices }: DetectedMarkets,
  empty: string[],
): string[] {
  const book = loadAddressBook().on(network)
  const own = tokensWithoutFeed(book).map(({ symbol }) => symbol)
  const unpriced = book.tokens.map(({ symbol }) => symbol).filter((symbol) => !prices.has(symbol))
  return [
    ...leftOut.map(({ name, why }) => `${name} is left out: ${why}`),
    ...(own.length > 0
      ? [
          `${own.join(', ')}: no price feed there; the simulator’s own feed keeps the price from the start`,
        ]
      : []),
    ...(unpriced.length > 0 ? [`${unpriced.join(', ')}: the feed does not answer, no price`] : []),
    ...(empty.length > 0
      ? [
          `the exchange has no ${empty.join(', ')} to sell: their prices or balances cannot be read there`,
        ]
      : []),
  ]
}

/** US dollars of each token, as in the offline world. */
const inventoryUsd = 50_000_000n

/** Gives the exchange its inventory at the fork's prices. Resolves to the symbols that it lacks. */
async function stock(
  { network }: Node,
  faucet: Faucet,
  { prices }: DetectedMarkets,
): Promise<string[]> {
  const { tokens, exchange } = loadAddressBook().on(network)
  const empty = await Promise.all(
    tokens.map(async ({ symbol, decimals }) => {
      const price = prices.get(symbol) ?? 0n
      if (price <= 0n) return [symbol]
      const amount = (inventoryUsd * 10n ** 8n * 10n ** BigInt(decimals)) / price
      return faucet.fund({ address: exchange, asset: symbol, amount, network }).then(
        () => [],
        (error) => {
          if (error instanceof ServiceError) return [symbol]
          throw error
        },
      )
    }),
  )
  return empty.flat()
}
