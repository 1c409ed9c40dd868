import type { Hex } from 'viem'
import type { NetworkState } from '../../chain/state/networkState.js'
import type { AddressBook } from '../../deployments/addressBook.js'
import { type NetworkName, networkNames, networkOf } from '../../deployments/networks.js'
import type { Stateful } from '../../lib/lifecycle.js'
import { nonceSecret } from '../plans/assembly/planner.js'
import { type PlanSources, readNetworkStates, readRewards } from '../plans/prepare/assemble.js'
import type { AccountRecord, ActivityRecord, EventRecord, Store } from '../store/store.js'
import { encodeBridges, encodeFolio, encodeState, type FolioExtras } from './encode.js'
import { type Completion, patchesOn } from './patches.js'
import type { Folio } from './schema.js'
import type { ValueHistory } from './values.js'

/** A folio of the networks that answer. */
interface PartialFolio {
  /** Null when none answers. */
  folio: Folio | null
  missing: { network: NetworkName; problem: string }[]
}

export interface FolioViewer {
  /** The folio of the networks that answer soon. Never rejects for one that does not. */
  look(account: AccountRecord): Promise<PartialFolio>
}

/** What the HTTP layer asks of the portfolio reader. Failures are `ServiceError` (408 `timeout`). */
export interface FolioService {
  /** Computes the folio. With `cached`, returns the last one computed for this account, if there is one. */
  read(account: AccountRecord, options: { cached: boolean }): Promise<Folio>
}

export interface LastFolios {
  /** The last one computed for this account, if there is one. */
  last(account: AccountRecord): Folio | undefined
}

/** A network that has not answered by then is left out of what the dashboard shows. Milliseconds. */
const lookTimeoutMs = 2_000

/** Reads folios: one multicall per network, all networks side by side. Keeps the last one per account for `cached=true`. */
export function createFolioService(
  sources: Pick<PlanSources, 'nodes' | 'reader' | 'rewards' | 'readTimeoutMs'> & {
    book: AddressBook
    store: Store
    values: Pick<ValueHistory, 'begin'>
  },
): FolioService & LastFolios & FolioViewer & Stateful<ReadonlyMap<string, Folio>> {
  const { store, values } = sources
  const bridgeHints = encodeBridges(sources.book)
  const cache = new Map<string, Folio>()
  // By the balances: each reading has a map of its own, and a cached one has the same map again.
  const encoded = new WeakMap<NetworkState['balances'], Folio>()
  const encodeOnce: typeof encodeState = (state, ...given) => {
    const part = encoded.get(state.balances) ?? encodeState(state, ...given)
    encoded.set(state.balances, part)
    return part
  }

  async function fresh(account: AccountRecord): Promise<Folio> {
    const note = values.begin()
    const records = await recordsOf(store, account)
    const states = await readNetworkStates(sources, account, networkNames, records.known)
    const folio = await folioOf(account, records, states)
    cache.set(account.accountId, folio)
    note(account.accountId, folio)
    return folio
  }

  async function look(account: AccountRecord): Promise<PartialFolio> {
    const note = values.begin()
    const records = await recordsOf(store, account)
    const patient = { ...sources, readTimeoutMs: Math.min(sources.readTimeoutMs, lookTimeoutMs) }
    const reads = await Promise.allSettled(
      networkNames.map((network) => readNetworkStates(patient, account, [network], records.known)),
    )
    const missing = reads.flatMap((read, i) =>
      read.status === 'rejected'
        ? [{ network: networkNames[i]!, problem: (read.reason as Error).message }]
        : [],
    )
    const states = new Map(
      reads.flatMap((read) => (read.status === 'fulfilled' ? [...read.value] : [])),
    )
    const folio = states.size > 0 ? await folioOf(account, records, states) : null
    // What some networks hold is not what the account is worth.
    if (folio && missing.length === 0) note(account.accountId, folio)
    return { folio, missing }
  }

  async function folioOf(
    account: AccountRecord,
    { activities, underWay }: Awaited<ReturnType<typeof recordsOf>>,
    states: Awaited<ReturnType<typeof readNetworkStates>>,
  ): Promise<Folio> {
    const { book } = sources
    const wallet = account.walletAddress
    const rewards = await readRewards(sources, account, states)
    const networkStates = [...states.values()]
    const extras: FolioExtras = {
      wallet,
      nonceSecret: ({ network, nonceCount }) =>
        nonceSecret(networkOf(network).chainId, wallet, nonceCount),
      completions: completionsOf(activities, networkStates),
      patches: networkStates.flatMap((each) => patchesOn(underWay, each, book, wallet)),
      rewards,
    }
    return encodeFolio(networkStates, book, extras, { encodeOne: encodeOnce, bridgeHints })
  }

  const last = ({ accountId }: AccountRecord) => cache.get(accountId)
  return {
    look,
    last,
    async read(account, { cached }) {
      return (cached && last(account)) || fresh(account)
    },
    save: () => new Map(cache),
    restore(saved) {
      cache.clear()
      for (const [accountId, folio] of saved) cache.set(accountId, folio)
    },
  }
}

/** The operations and fills of activities, and whether they are through by what the chains say. */
function completionsOf(
  activities: readonly ActivityRecord[],
  networkStates: readonly { done: ReadonlySet<Hex> }[],
): Completion[] {
  const isDone = (id: Hex): boolean => networkStates.some(({ done }) => done.has(id))
  return activities.flatMap(({ metadata }) =>
    metadata.flatMap((item): Completion[] => {
      const completion = (kind: Completion['kind'], id: Hex): Completion[] => [
        { kind, id, through: item.success === true || isDone(id) },
      ]
      if (item.svc_operation_nonce !== null)
        return completion('svc_nonce', item.svc_operation_nonce)
      // A refund completes nothing.
      return item.action_type === 'BRIDGE_MINT' ? completion('across_fill', item.relay_hash) : []
    }),
  )
}

/** What the store says of a wallet. It is read before the chains, which may only be ahead of it. */
async function recordsOf(store: Store, { accountId, walletAddress: wallet }: AccountRecord) {
  const [nonceCounts, activities, underWay] = await Promise.all([
    store.nonceCounts(wallet),
    store.activities(accountId),
    store.executions(wallet),
  ])
  return { activities, underWay, known: { nonceCounts, underWay } }
}

export type ValueWatch = ReturnType<typeof watchValues>

/** Reads the folios of accounts with new events, so that their values are recorded: one account at a time, to leave a busy simulator its time. */
export function watchValues(given: {
  viewer: FolioViewer
  store: Pick<Store, 'allAccounts'>
  isWatched(): boolean
}) {
  const { viewer, store } = given
  const waiting = new Set<string>()
  let isKept = false
  let looking: Promise<void> | undefined
  const lookAtAll = async (): Promise<void> => {
    for (const id of waiting) {
      waiting.delete(id)
      const account = (await store.allAccounts()).find(({ accountId }) => accountId === id)
      // A folio that cannot be read now is read at the next event.
      if (account) await viewer.look(account).catch(() => {})
    }
  }
  return {
    /** While nobody watches, events are ignored. */
    hear({ accountId }: EventRecord): void {
      if (!isKept && !given.isWatched()) return
      waiting.add(accountId)
      looking ??= lookAtAll()
        .catch(() => {}) // the store has been closed
        .finally(() => {
          looking = undefined
        })
    },
    /** From now on somebody watches, for example a trace that is kept. */
    watch(): void {
      isKept = true
    },
    /** Resolves when the folios of all accounts with events have been read. */
    settled: async (): Promise<void> => looking,
  }
}
