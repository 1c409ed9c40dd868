import type { QuoteClient } from '../aggregator/client.js'
import type { Quote } from '../aggregator/quote.js'
import type { AddressBook, SvcAddresses } from '../chain/addressBook.js'
import type { NetworkName } from '../chain/networks.js'
import type { Nodes } from '../chain/node.js'
import type { NetworkSnapshot, SnapshotReader } from '../chain/snapshot.js'
import { type Clock, unixSeconds } from '../clock.js'
import { ServiceError } from '../errors.js'
import type { AccountRecord } from '../store/store.js'
import type { PlanKind, PlanWorld } from './kind.js'

/** What reading the world takes. */
export interface WorldSources {
  clock: Clock
  nodes: Nodes
  book: AddressBook
  scripts: SvcAddresses['scripts']
  reader(network: NetworkName): SnapshotReader
  quotes: QuoteClient
  /** A read that takes longer is 408 `timeout`. Milliseconds. */
  readTimeoutMs: number
}

/** Rejects with 408 `timeout` when the reads take longer than allowed, for example because a node hangs. */
export async function withinTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new ServiceError('timeout', `the folio computation took longer than ${timeoutMs} ms`, {
          hint: 'a node does not answer in time; try again, or read the folio with cached=true',
        }),
      )
    }, timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Reads the snapshots of the networks in parallel, one round trip each. */
export async function readSnapshots(
  sources: Pick<WorldSources, 'clock' | 'nodes' | 'reader' | 'readTimeoutMs'>,
  account: AccountRecord,
  networks: readonly NetworkName[],
): Promise<ReadonlyMap<NetworkName, NetworkSnapshot>> {
  const at = unixSeconds(sources.clock)
  const reads = networks.map(async (network): Promise<[NetworkName, NetworkSnapshot]> => {
    const node = sources.nodes.get(network)
    return [network, await sources.reader(network).read(node, account.walletAddress, at)]
  })
  return new Map(await withinTimeout(Promise.all(reads), sources.readTimeoutMs))
}

/**
 * Reads everything a plan is built from: snapshots, and fresh quotes unless the plan's own are handed in. What the balances
 * already refuse is said before a failed quote is.
 */
export async function readWorld(
  sources: WorldSources,
  kind: PlanKind,
  intent: unknown,
  account: AccountRecord,
  storedQuotes?: readonly Quote[],
): Promise<PlanWorld> {
  const { book, scripts } = sources
  const wallet = account.walletAddress
  const requests = storedQuotes ? [] : (kind.quotes?.(intent, book, wallet) ?? [])
  const [snapshots, quotes] = await Promise.allSettled([
    readSnapshots(sources, account, kind.networks(intent, book)),
    Promise.all(requests.map((request) => sources.quotes.quote(request))),
  ])
  if (snapshots.status === 'rejected') throw snapshots.reason
  const read = { book, scripts, wallet, snapshots: snapshots.value }
  kind.check?.(intent, read)
  if (quotes.status === 'rejected') throw quotes.reason
  return { ...read, quotes: storedQuotes ?? quotes.value }
}
