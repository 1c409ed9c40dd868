import type { Nodes } from '../../../chain/rpc/node.js'
import { UpstreamError } from '../../../chain/rpc/rpc.js'
import type {
  NetworkState,
  NetworkStateReader,
  StateScope,
} from '../../../chain/state/networkState.js'
import type { AddressBook, SvcScripts } from '../../../deployments/addressBook.js'
import { type NetworkName, networkNames } from '../../../deployments/networks.js'
import { coarseTimeout } from '../../../lib/coarseTimeout.js'
import { ServiceError } from '../../../lib/errors.js'
import type { Clock } from '../../../time/clock.js'
import type { QuoteClient } from '../../aggregator/client.js'
import type { Quote } from '../../aggregator/quote.js'
import type { RewardClaim, RewardsUpdater } from '../../rewards/updater.js'
import type { AccountRecord, ExecutionRecord, PlanRecord } from '../../store/store.js'
import { withOtherForms } from '../assembly/funding.js'
import { type Planned, planOperations } from '../assembly/planner.js'
import { MissingNetworkState } from '../assembly/resolve.js'
import { namesIn } from '../model/fields.js'
import { networksOf, type PlanInput, type PlanKind, type PlanSpend } from '../model/kind.js'
import { type Done, readSteadily } from './progress.js'
import {
  activityNames,
  describeReservations,
  type Reservation,
  reservationsOn,
  withoutReserved,
} from './reservations.js'

export interface PlanSources {
  clock: Clock
  nodes: Nodes
  book: AddressBook
  scripts: SvcScripts
  reader(network: NetworkName): NetworkStateReader
  quotes: QuoteClient
  rewards: RewardsUpdater
  /** Networks whose tokens are their makers' own. */
  forked?: { has(network: NetworkName): boolean }
  /** A read that takes longer is 408 `timeout`. Milliseconds. */
  readTimeoutMs: number
}

/** Rejects with 408 `timeout` when the reads take longer than allowed, for example because a node hangs or a fork’s upstream does. */
export async function withinTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let cancel = (): void => {}
  // pTimeout would make an error, with its stack, for each call.
  const late = new Promise<never>((_, reject) => {
    cancel = coarseTimeout(timeoutMs, () =>
      reject(
        new ServiceError('timeout', 'Folio computation timed out', {
          hint: `a node has not answered within ${timeoutMs} ms; GET /_sim/faults lists the rules that may have stopped or slowed it; cached=true still returns a folio that was computed before`,
        }),
      ),
    )
  })
  try {
    return await Promise.race([work, late])
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    throw new ServiceError('timeout', error.message, {
      hint: 'the message says what a forked network cannot provide, and why; if its endpoint does not respond, restart the endpoint, or start the simulator with another --fork',
      cause: error,
    })
  } finally {
    cancel()
  }
}

/** By network, how many nonce secrets of a wallet are known to be behind it: those of consumed plans. */
export type NonceCounts = Readonly<Record<NetworkName, number>>

/** What the records say of a wallet: read before the chains, so that those can only be ahead of it. */
export interface WalletRecords {
  nonceCounts: NonceCounts
  underWay: readonly ExecutionRecord[]
}

/** A snapshot, and the progress of executions under way by then. */
export interface Sighting extends NetworkState {
  done: Done
}

/** Reads the states of the networks in parallel, one round trip each; where something is under way there are three. */
export async function readNetworkStates(
  sources: Pick<PlanSources, 'nodes' | 'book' | 'reader' | 'readTimeoutMs'>,
  { walletAddress: wallet }: AccountRecord,
  networks: readonly NetworkName[],
  { nonceCounts, underWay }: WalletRecords,
  scope?: StateScope,
): Promise<ReadonlyMap<NetworkName, Sighting>> {
  const reads = networks.map(async (network): Promise<[NetworkName, Sighting]> => {
    const reader = sources.reader(network)
    const node = sources.nodes.get(network)
    const read = () => reader.read(node, wallet, scope, nonceCounts[network])
    if (underWay.length === 0) return [network, { ...(await read()), done: new Set() }]
    const place = { node, book: sources.book.on(network), wallet }
    const { result, done } = await readSteadily(place, underWay, read)
    return [network, { ...result, done }]
  })
  return new Map(await withinTimeout(Promise.all(reads), sources.readTimeoutMs))
}

/** What the wallet can claim from the rewards distributors of these networks, with proofs. */
export async function readRewards(
  sources: Pick<PlanSources, 'rewards' | 'readTimeoutMs'>,
  account: AccountRecord,
  states: PlanInput['states'],
): Promise<RewardClaim[]> {
  const claims = [...states.values()]
    .filter(({ morphoRewards }) => morphoRewards)
    .map((state) => sources.rewards.claim(state, account.walletAddress))
  if (claims.length === 0) return []
  const results = await withinTimeout(Promise.all(claims), sources.readTimeoutMs)
  return results.filter((claim) => claim !== undefined)
}

/** The offers of a plan; building it again uses the same. */
export interface Offers {
  quotes: readonly Quote[]
  rewards: readonly RewardClaim[]
}

/** What a plan that was made before must be built with to be the same again. */
export interface Earlier extends Offers {
  /** Unix seconds of its chain when it was made. */
  issuedAt: number
  /** On each of its networks, how many nonce secrets are behind the one that it uses. */
  nonceCounts: PlanRecord['nonceCounts']
  spends: readonly PlanSpend[]
  /** What it took out of a yield position. */
  withdrawn?: bigint
}

export interface Assembled extends Offers, Planned {
  states: PlanInput['states']
}

export interface PlanRequest {
  kind: PlanKind
  intent: unknown
  account: AccountRecord
  known: WalletRecords
}

/**
 * Reads the plan's own networks, with fresh offers unless it was made `earlier`; the others only when funds there are short. What executions
 * under way still need is reserved. A shortage of funds is reported before a failed quote.
 */
export async function assemble(
  sources: PlanSources,
  request: PlanRequest,
  earlier?: Earlier,
): Promise<Assembled> {
  const { kind, intent, account } = request
  const { book, scripts } = sources
  const wallet = account.walletAddress
  const scope = scopeOf(kind, intent)
  const requests = earlier ? [] : (kind.quotes?.(intent, book, wallet) ?? [])
  const networks = networksOf(kind, intent, book)
  const others = networkNames.filter((network) => !networks.includes(network))
  const read = (names: readonly NetworkName[], of: StateScope) =>
    readNetworkStates(sources, account, names, request.known, of)
  const readOthers = () => read(others, { ...scope, protocols: [] })
  // Settled, since a failed quote waits until the balances have spoken; reads that time out do not wait for a quote.
  const quoting = Promise.allSettled([
    Promise.all(requests.map((each) => sources.quotes.quote(each))),
  ])
  // What took the others once needs them again, so they are read in the same round.
  const [own, rest] = await Promise.all([
    read(networks, scope),
    others.some((network) => earlier?.nonceCounts[network] !== undefined) ? readOthers() : [],
  ])
  const [quoted] = await quoting
  const rewards = earlier?.rewards ?? (await readRewards(sources, account, own))
  const build = async (states: PlanInput['states']): Promise<Assembled> => {
    if (earlier) requireNonces(states, earlier)
    const spent = earlier && { spent: earlier.spends, withdrawn: earlier.withdrawn }
    const world = { book, scripts, wallet, states, rewards, ...spent }
    kind.check?.(intent, world)
    if (quoted.status === 'rejected') throw quoted.reason
    const more = earlier ? [] : (kind.quotesFrom?.(intent, world) ?? [])
    const quotes = earlier?.quotes ?? [
      ...quoted.value,
      ...(await Promise.all(more.map((each) => sources.quotes.quote(each)))),
    ]
    const planned = planOperations(kind, intent, { ...world, quotes }, earlier?.issuedAt)
    return { ...planned, quotes, rewards, states }
  }
  const buildIn = (sightings: ReadonlyMap<NetworkName, Sighting>) =>
    request.known.underWay.length === 0
      ? build(sightings)
      : aroundReserved(sightings, request, book, build)
  try {
    return await buildIn(new Map([...own, ...rest]))
  } catch (error) {
    if (!(error instanceof MissingNetworkState)) throw error
    return await buildIn(new Map([...own, ...(await readOthers())]))
  }
}

/** Builds from what the executions under way leave. If only they prevent the plan, `plan_failed` says so. */
async function aroundReserved<T>(
  sightings: ReadonlyMap<NetworkName, Sighting>,
  { account, known: { underWay } }: PlanRequest,
  book: AddressBook,
  build: (states: PlanInput['states']) => Promise<T>,
): Promise<T> {
  const reserved: Reservation[] = []
  const left = new Map<NetworkName, NetworkState>()
  for (const [network, state] of sightings) {
    const here = reservationsOn(underWay, state, book.on(network))
    reserved.push(...here)
    left.set(network, withoutReserved(state, here, book.on(network)))
  }
  try {
    return await build(left)
  } catch (error) {
    const hasFailed = error instanceof ServiceError && error.code === 'plan_failed'
    if (!hasFailed || reserved.length === 0) throw error
    await build(sightings).catch((cause) => {
      throw cause instanceof MissingNetworkState ? cause : error
    })
    throw new ServiceError(
      'plan_failed',
      `${error.message}; reserved for what is under way: ${describeReservations(reserved, activityNames(underWay, account))}`,
      { hint: 'wait for that activity to end, or request only what is left', cause: error },
    )
  }
}

export class UsedNonceError extends ServiceError {
  readonly network: NetworkName
  constructor(network: NetworkName) {
    super('plan_failed', `a nonce of its operations was used up on ${network}`)
    this.network = network
  }
}

/** Building again ends where the chain has seen one of the plan's own nonces: only a new plan has others. */
function requireNonces(states: PlanInput['states'], { nonceCounts }: Earlier): void {
  for (const { network, nonceCount } of states.values())
    if ((nonceCounts[network] ?? nonceCount) !== nonceCount) throw new UsedNonceError(network)
}

function scopeOf({ reads = [], readsAllAssets, schema }: PlanKind, intent: unknown): StateScope {
  const scope = { protocols: typeof reads === 'function' ? reads(intent) : reads }
  if (readsAllAssets) return scope
  return { ...scope, assets: withOtherForms(namesIn('asset', schema, intent)) }
}
