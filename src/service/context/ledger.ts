import type { NetworkName } from '../../deployments/networks.js'
import { keepNewest } from '../../lib/keepNewest.js'
import type { Author, LedgerEntry, LedgerTransaction, Touch } from './changes.js'
import { currentScope } from './requestContext.js'

export interface PlanPlace {
  /** Position before the plan read the networks. */
  from: number
  /** Balances in smallest units, by `balanceKey`. */
  balances: Readonly<Record<string, string>>
  /** By network, the first block that the plan has not seen; absent where the network does not say. */
  blocks: Partial<Record<NetworkName, number>>
  /** Whose it is, and how long it lives: the store forgets plans that have expired. */
  life?: { accountId: string; createdAtMs: number; expiresAtMs: number }
}

/** What has happened since a plan read the networks, oldest first. */
export interface SincePlan extends PlanPlace {
  entries: readonly LedgerEntry[]
  /** Older entries have been dropped. */
  isCutShort: boolean
}

/** A reset, or the restore of a snapshot. */
export interface Return {
  ms: number
  requestId: string | undefined
  snapshot: { id: string; name?: string | undefined } | undefined
}

/** A plan that a return undid, with the position from which on things have happened since. */
type Undone = Return & { from: number }

export type Ledger = ReturnType<typeof createLedger>

export interface SavedLedger {
  entries: ReadonlyMap<number, LedgerEntry>
  next: number
  /** How many plans had been made. */
  plans: number
}

/** The name of a balance in `PlanPlace`. */
export function balanceKey(network: NetworkName, symbol: string): string {
  return `${network} ${symbol}`
}

/** Plans live two minutes: more than happens in that time. */
const mostEntries = 5_000
const mostPlans = 1_000

/**
 * Everything that can change what a plan reads, recorded where it happens: it names the culprit when a plan goes stale. Follows resets and
 * restores. A restart forgets it, like the journal.
 */
export function createLedger(clock: { now(): number }) {
  let entries = new Map<number, LedgerEntry>()
  const places = new Map<string, PlanPlace & { order: number }>()
  const undone = new Map<string, Undone>()
  let next = 0
  let plans = 0
  return {
    add(actor: Author, touched: readonly Touch[], transaction?: LedgerTransaction): void {
      const [position, requestId] = [next++, currentScope()?.requestId]
      const common = { position, ms: clock.now(), requestId, actor, touched }
      entries.set(position, { ...common, ...(transaction && { transaction }) })
      keepNewest(entries, mostEntries)
    },
    position: () => next,
    /** Remembers what a plan was made from. */
    planMade(planId: string, place: PlanPlace): void {
      undone.delete(planId)
      places.delete(planId)
      places.set(planId, { ...place, order: plans++ })
      keepNewest(places, mostPlans)
    },
    /** Undefined when the plan was made before this process started, or too long ago. */
    since(planId: string): SincePlan | undefined {
      const place = places.get(planId)
      if (!place) return undefined
      const [oldest = next] = entries.keys()
      return {
        ...place,
        isCutShort: oldest > place.from,
        entries: [...entries.values()].filter((entry) => isAfter(entry, place)),
      }
    },
    /** What has happened since a plan was made, or since it was undone; undefined where that is not known. */
    after(planId: string): readonly LedgerEntry[] | undefined {
      const from = places.get(planId)?.from ?? undone.get(planId)?.from
      const [oldest = next] = entries.keys()
      if (from === undefined || oldest > from) return undefined
      return [...entries.values()].filter(({ position }) => position >= from)
    },
    /** Completes an entry whose transaction was not mined when it was added. */
    complete(entry: LedgerEntry, block: number, touched: readonly Touch[]): void {
      const { position, transaction } = entry
      if (!transaction || !entries.has(position)) return
      entries.set(position, { ...entry, touched, transaction: { ...transaction, block } })
    },
    /** Called when a rule goes: what it changed is undone, or is another rule's now. */
    undo(rule: string, effect: string): void {
      for (const [position, entry] of entries) {
        const { actor } = entry
        if (actor.by === 'fault' && actor.rule === rule && actor.effect === effect)
          entries.set(position, { ...entry, isUndone: true })
      }
    },
    /** Called after `restore`: plans that were made since then are gone. */
    returned(snapshot: Return['snapshot']): void {
      const requestId = currentScope()?.requestId
      for (const each of undone.values()) each.from = Math.min(each.from, next)
      for (const [planId, { order }] of places)
        if (order >= plans) {
          places.delete(planId)
          undone.set(planId, { ms: clock.now(), requestId, snapshot, from: next })
        }
      keepNewest(undone, mostPlans)
    },
    /** What undid a plan; undefined when nothing did. */
    undone: (planId: string) => undone.get(planId),
    save: (): SavedLedger => ({ entries: new Map(entries), next, plans }),
    restore(saved: SavedLedger): void {
      entries = new Map(saved.entries)
      next = saved.next
      plans = saved.plans
    },
  }
}

/** Whether a plan cannot have seen it: by the block, where both are known, else by the position. */
function isAfter({ position, transaction }: LedgerEntry, { from, blocks }: PlanPlace): boolean {
  if (!transaction) return position >= from
  const unseen = blocks[transaction.network]
  if (unseen === undefined) return position >= from
  return transaction.block === undefined || transaction.block >= unseen
}
