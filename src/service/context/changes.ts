import type { Hex } from 'viem'
import type { NetworkName } from '../../deployments/networks.js'
import { keepNewest } from '../../lib/keepNewest.js'
import type { Stateful } from '../../lib/lifecycle.js'
import { currentScope } from './requestContext.js'

/** What changed the world under the plans that were open at that time. Prices are USD as decimal strings, times ISO 8601. */
export type PlanDisturbance =
  | { cause: 'price'; assets: readonly string[]; before: string; after: string }
  | { cause: 'clock'; before: string; after: string }
  | { cause: 'reorganisation'; network: NetworkName; replaced: number; rule?: string }
  | FaultChange

/** A fault changed the world under one plan. `hashes` are the transactions that it sent; none where it wrote the state itself. */
export interface FaultChange {
  cause: 'fault'
  rule: string
  effect: string
  plan_id: string
  /** The request that made the plan had the rule in its header. */
  carried?: true
  changed: 'nonce' | 'price' | 'balance' | 'expiry'
  /** Of an expiry, ISO 8601. */
  before?: string
  after?: string
  hashes: readonly Hex[]
  network?: NetworkName
}

/** A change, with when it happened and which request made it. */
export type TimedChange = PlanDisturbance & { ms: number; requestId: string | undefined }

/** Balances that a plan was made from, in smallest units, by `network symbol`. */
export type SeenBalances = Readonly<Record<string, string>>

/** The name of a balance in `SeenBalances`. */
export function balanceKey(network: NetworkName, symbol: string): string {
  return `${network} ${symbol}`
}

/** A plan's place among the changes. */
interface PlanPlace {
  from: number
  seen: SeenBalances
}

/**
 * The changes since each plan was made, in this process: a plan that goes stale later names its culprit from them. A restart
 * forgets them.
 */
export interface ChangeRecord extends Stateful<ReadonlyMap<number, TimedChange>> {
  add(change: PlanDisturbance): void
  /** Where the next change will stand. Taken before a plan reads the networks. */
  position(): number
  /** Remembers what a plan was made from. */
  planMade(planId: string, place: PlanPlace): void
  /** The changes since the plan was made, newest first, and the balances that it saw; undefined when this is not known. */
  since(planId: string): { changes: readonly TimedChange[]; seen: SeenBalances } | undefined
}

/** More than any plan lives to see. */
const most = 1_000

/** Makes an empty record on this clock. */
export function createChangeRecord(clock: { now(): number }): ChangeRecord {
  let changes = new Map<number, TimedChange>()
  const places = new Map<string, PlanPlace>()
  let next = 0
  return {
    add(change) {
      const requestId = currentScope()?.requestId
      changes.set(next++, { ...change, ms: clock.now(), requestId })
      keepNewest(changes, most)
    },
    position: () => next,
    planMade(planId, place) {
      places.set(planId, place)
      keepNewest(places, most)
    },
    since(planId) {
      const place = places.get(planId)
      if (!place) return undefined
      const later = [...changes].filter(([order]) => order >= place.from)
      return { changes: later.map(([, change]) => change).reverse(), seen: place.seen }
    },
    save: () => new Map(changes),
    restore(saved) {
      changes = new Map(saved)
    },
  }
}
