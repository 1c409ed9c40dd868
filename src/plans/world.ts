import type { QuoteClient } from '../aggregator/client.js'
import type { Quote } from '../aggregator/quote.js'
import type { AddressBook, SvcAddresses } from '../chain/addressBook.js'
import { type NetworkName, networkNames } from '../chain/networks.js'
import type { Nodes } from '../chain/node.js'
import { UpstreamError } from '../chain/rpc.js'
import type { NetworkSnapshot, SnapshotReader, SnapshotScope } from '../chain/snapshot.js'
import type { Clock } from '../clock.js'
import { ServiceError } from '../errors.js'
import type { RewardClaim, RewardsUpdater } from '../rewards/updater.js'
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
  rewards: RewardsUpdater
  /** A read that takes longer is 408 `timeout`. Milliseconds. */
  readTimeoutMs: number
}

/** Rejects with 408 `timeout` when the reads take longer than allowed, for example because a node hangs or a fork’s upstream does. */
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
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    throw new ServiceError('timeout', error.message, {
      hint: 'the endpoint of a forked network does not answer: start it again, or start the simulator with another --fork',
      cause: error,
    })
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

/** What the wallet can claim from the rewards distributors of these networks, with proofs. */
export async function readRewards(
  sources: Pick<WorldSources, 'rewards' | 'readTimeoutMs'>,
  account: AccountRecord,
  snapshots: PlanWorld['snapshots'],
): Promise<RewardClaim[]> {
  const claims = [...snapshots.values()].map((snapshot) =>
    sources.rewards.claim(snapshot, account.walletAddress),
  )
  const found = await withinTimeout(Promise.all(claims), sources.readTimeoutMs)
  return found.filter((claim) => claim !== undefined)
}

/** What was offered when a plan was made; building it again uses the same. */
export interface Offers {
  quotes: readonly Quote[]
  rewards: readonly RewardClaim[]
}

/** A plan's operations and the offers that they were built from. */
export interface Assembled extends Offers {
  planned: PlannedOperation[]
}

/**
 * Reads what the plan needs and builds it: first the plan's own networks, with fresh offers unless the plan's own are handed
 * in; the other networks only when the funds there are short. What the balances refuse is said before a failed quote is.
 */
export async function assemble(
  sources: WorldSources,
  { kind, intent, account, stamp }: PlanRequest,
  stored?: Offers,
): Promise<Assembled> {
  const { book, scripts } = sources
  const wallet = account.walletAddress
  const scope = scopeOf(kind, intent)
  const requests = stored ? [] : (kind.quotes?.(intent, book, wallet) ?? [])
  // Settled, since a failed quote waits until the balances have spoken; reads that time out do not wait for a quote.
  const quoting = Promise.allSettled([
    Promise.all(requests.map((request) => sources.quotes.quote(request))),
  ])
  const own = await readSnapshots(sources, account, kind.networks(intent, book), scope)
  const [quoted] = await quoting
  const rewards = stored?.rewards ?? (await readRewards(sources, account, own))
  const build = async (snapshots: PlanWorld['snapshots']): Promise<Assembled> => {
    const read = { book, scripts, wallet, snapshots, rewards }
    kind.check?.(intent, read)
    if (quoted.status === 'rejected') throw quoted.reason
    const more = stored ? [] : (kind.quotesFrom?.(intent, read) ?? [])
    const quotes = stored?.quotes ?? [
      ...quoted.value,
      ...(await Promise.all(more.map((request) => sources.quotes.quote(request)))),
    ]
    return { planned: planOperations(kind, intent, { ...read, quotes }, stamp), quotes, rewards }
  }
  try {
    return await build(own)
  } catch (error) {
    if (!(error instanceof MissingSnapshot)) throw error
    const others = networkNames.filter((network) => !own.has(network))
    const rest = await readSnapshots(sources, account, others, { ...scope, protocols: [] })
    return await build(new Map([...own, ...rest]))
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
