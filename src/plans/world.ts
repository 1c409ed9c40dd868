import type { QuoteClient } from '../aggregator/client.js'
import type { Quote } from '../aggregator/quote.js'
import type { AddressBook, SvcAddresses } from '../chain/addressBook.js'
import { type NetworkName, networkNames } from '../chain/networks.js'
import type { Nodes } from '../chain/node.js'
import type { NetworkSnapshot, SnapshotReader, SnapshotScope } from '../chain/snapshot.js'
import type { Clock } from '../clock.js'
import { ServiceError } from '../errors.js'
import type { AccountRecord } from '../store/store.js'
import type { PlanKind, PlanWorld } from './kind.js'
import { type PlannedOperation, type PlanStamp, planOperations } from './planner.js'
import { MissingSnapshot } from './resolve.js'

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
  sources: Pick<WorldSources, 'nodes' | 'reader' | 'readTimeoutMs'>,
  account: AccountRecord,
  networks: readonly NetworkName[],
  scope?: SnapshotScope,
): Promise<ReadonlyMap<NetworkName, NetworkSnapshot>> {
  const reads = networks.map(async (network): Promise<[NetworkName, NetworkSnapshot]> => {
    const node = sources.nodes.get(network)
    return [network, await sources.reader(network).read(node, account.walletAddress, scope)]
  })
  return new Map(await withinTimeout(Promise.all(reads), sources.readTimeoutMs))
}

/** A plan's operations and the quotes that they were built from. */
export interface Assembled {
  planned: PlannedOperation[]
  quotes: readonly Quote[]
}

/**
 * Reads what the plan needs and builds it: first the plan's own networks, with fresh quotes unless the plan's own are handed
 * in; the other networks only when the funds there are short. What the balances refuse is said before a failed quote is.
 */
export async function assemble(
  sources: WorldSources,
  { kind, intent, account, stamp }: PlanRequest,
  storedQuotes?: readonly Quote[],
): Promise<Assembled> {
  const { book, scripts } = sources
  const wallet = account.walletAddress
  const scope = scopeOf(kind, intent)
  const requests = storedQuotes ? [] : (kind.quotes?.(intent, book, wallet) ?? [])
  // Settled, since a failed quote waits until the balances have spoken; reads that time out do not wait for a quote.
  const quoting = Promise.allSettled([
    Promise.all(requests.map((request) => sources.quotes.quote(request))),
  ])
  const own = await readSnapshots(sources, account, kind.networks(intent, book), scope)
  const [quoted] = await quoting
  const build = (snapshots: PlanWorld['snapshots']): Assembled => {
    const read = { book, scripts, wallet, snapshots }
    kind.check?.(intent, read)
    if (quoted.status === 'rejected') throw quoted.reason
    const quotes = storedQuotes ?? quoted.value
    return { planned: planOperations(kind, intent, { ...read, quotes }, stamp), quotes }
  }
  try {
    return build(own)
  } catch (error) {
    if (!(error instanceof MissingSnapshot)) throw error
    const others = networkNames.filter((network) => !own.has(network))
    const rest = await readSnapshots(sources, account, others, { ...scope, protocols: [] })
    return build(new Map([...own, ...rest]))
  }
}

/** ETH travels between networks as WETH, which on some of them is not its twin. */
const ether = ['ETH', 'WETH']

function scopeOf(kind: PlanKind, intent: unknown): SnapshotScope {
  const { reads = [] } = kind
  const scope = { protocols: typeof reads === 'function' ? reads(intent) : reads }
  const named = kind.assets?.(intent).map((symbol) => symbol.toUpperCase())
  if (named === undefined) return scope
  const bridged = ether.some((symbol) => named.includes(symbol)) ? ether : []
  return { ...scope, assets: [...new Set([...named, ...bridged])] }
}

/** Whose plan of which kind, and what fixes its nonces and expiry. */
export interface PlanRequest {
  kind: PlanKind
  intent: unknown
  account: AccountRecord
  stamp: PlanStamp
}
