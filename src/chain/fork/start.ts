import { ServiceError } from '../../lib/errors.js'
import { loadAddressBook } from '../deployments/addressBook.js'
import { type NetworkName, networkNames } from '../deployments/networks.js'
import { createFaucet, type Faucet } from '../funds/faucet.js'
import type { Node, Nodes } from '../node/node.js'
import { createBudget } from './budget.js'
import { type Bundle, readBundle } from './bundle.js'
import { defaultCacheDir } from './cache.js'
import { expectForks, type FolderForks } from './folder.js'
import type { Forks } from './forkedNetwork.js'
import { graft, tokensWithoutFeed } from './graft.js'
import { ForkError, type OpenFork, type Opening, openFork, openRecorded } from './open.js'
import { forkPointOf } from './ownFills.js'
import { type Survey, survey } from './survey.js'
import type { ForkLimits, ForkOrigins } from './target.js'

/**
 * Opens all forks at once. When one cannot be opened the others are closed, and the error says which and why.
 *
 * @param kept What a data folder has of them; it keeps what is read from then on.
 */
export async function openForks(
  { fork: targets = {}, bundle: bundleFolder }: ForkOrigins,
  { forkCache = defaultCacheDir(), forkMaxRequests, say, signal }: ForkLimits & Opening = {},
  kept?: FolderForks,
): Promise<OpenForks> {
  const budget = createBudget(forkMaxRequests)
  const cacheDir = forkCache === 'none' ? undefined : forkCache
  const opening = { budget, cacheDir, signal, ...(say && { say }) }
  const unknown = Object.keys(targets).find((name) => !networkNames.some((known) => known === name))
  if (unknown !== undefined)
    throw new ForkError(
      `fork names "${unknown}", which is no network. Networks: ${networkNames.join(', ')}`,
    )
  const bundle = bundleFolder === undefined ? undefined : await readBundle(bundleFolder)
  const isAsked = (network: NetworkName) => network in targets || bundle?.networks.has(network)
  if (kept) expectForks(kept, networkNames.filter(isAsked), bundle?.networks)
  const attempts = networkNames.flatMap((network) => {
    const target = targets[network]
    const recorded = bundle?.networks.get(network)
    const folder = kept?.of(network)
    if (target) return [openFork(network, target, opening, { ...bundle, recorded, folder })]
    return recorded || folder?.pin ? [openRecorded(network, recorded, folder)] : []
  })
  const settled = await Promise.allSettled(attempts)
  const open = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = settled.find((one) => one.status === 'rejected')
  if (!failed) return { open, bundle }
  await Promise.all(open.map((fork) => fork.close()))
  throw failed.reason
}

/** Forks that can be started, and the bundle that they have been opened from. */
export interface OpenForks {
  open: readonly OpenFork[]
  bundle: Bundle | undefined
}

/** What is known of the forked networks now, as a bundle. */
export function bundleOf(open: readonly OpenFork[], about: Omit<Bundle, 'networks'>): Bundle {
  const networks = open.map(
    ({ network, block, hash, answers }) =>
      [network, { block, hash, answers: new Map(answers()) }] as const,
  )
  return { ...about, networks: new Map(networks) }
}

/**
 * Puts the simulator's own contracts on the started nodes of forks, where they begin there, and finds out which part of the address
 * book is there.
 */
export async function prepareForks(
  nodes: Nodes,
  forks: readonly OpenFork[],
  {
    worldFiles,
    areNew,
    progress,
  }: {
    worldFiles: Record<NetworkName, string>
    areNew: boolean
    progress: (step: string) => void
  },
): Promise<Forks> {
  const forked = new Set(forks.map(({ network }) => network))
  const faucet = createFaucet(nodes, loadAddressBook(), forked)
  const prepared = forks.map(async (fork) => {
    const { network, host, block } = fork
    const node = nodes.get(network)
    const book = loadAddressBook().on(network)
    progress(`${network}: forked from ${host} at block ${block}; reading its markets`)
    if (areNew) await graft(node, book, worldFiles[network])
    Object.assign(node, { fork: await forkPointOf(node, book, fork) })
    const found = await survey(node, book)
    for (const line of remarks(node, found)) progress(`${network}: ${line}`)
    const empty = areNew ? await stock(node, faucet, found) : []
    if (empty.length > 0)
      progress(
        `${network}: the exchange has no ${empty.join(', ')} to sell: their prices or balances cannot be read there`,
      )
    const { leftOut, comets } = found
    fork.started()
    const asked = fork.isRecordedOnly ? '' : `, after ${fork.sent()} requests to ${host}`
    progress(`${network}: ready${asked}`)
    return [network, { host, block, leftOut, comets }] as const
  })
  return new Map(await Promise.all(prepared))
}

/** How often a start that takes its time says how far it is. Milliseconds. */
const tellEveryMs = 3_000

/** Says of each network how much was asked for it, as long as the work goes on. */
export async function tellRequests<T>(
  forks: readonly OpenFork[],
  progress: (step: string) => void,
  work: Promise<T>,
): Promise<T> {
  const told = new Map<OpenFork, number>()
  const tell = (): void => {
    for (const fork of forks) {
      const sent = fork.sent()
      if (sent === (told.get(fork) ?? 0)) continue
      told.set(fork, sent)
      progress(`${fork.network}: ${sent} requests to ${fork.host} so far`)
    }
  }
  const timer = setInterval(tell, tellEveryMs)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}

/** What a user of this fork has to know. */
function remarks({ network }: Node, { leftOut, prices }: Survey): string[] {
  const book = loadAddressBook().on(network)
  const own = tokensWithoutFeed(book).map(({ symbol }) => symbol)
  const unpriced = book.tokens.map(({ symbol }) => symbol).filter((symbol) => !prices.has(symbol))
  return [
    ...leftOut.map(({ name, why }) => `${name} is left out: ${why}`),
    ...(own.length > 0
      ? [`${own.join(', ')}: no feed there; the price of the start stands in the simulator’s own`]
      : []),
    ...(unpriced.length > 0 ? [`${unpriced.join(', ')}: the feed does not answer, no price`] : []),
  ]
}

/** Dollars of each token that the exchange gets, as in the offline world. */
const inventoryUsd = 50_000_000n

/** Gives the exchange its inventory at the fork's prices. Resolves to the symbols that it could not get. */
async function stock({ network }: Node, faucet: Faucet, { prices }: Survey): Promise<string[]> {
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
