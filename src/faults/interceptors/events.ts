import { AsyncLocalStorage } from 'node:async_hooks'
import type { Stateful } from '../../lib/lifecycle.js'
import { currentScope, inScope } from '../../lib/requestContext.js'
import type { EventRecord, Store } from '../../store/store.js'
import type { Faults } from '../engine.js'

/** What an account has been told, once a fault has come between it and its events. */
interface View {
  /** Events up to this cursor were delivered as they are. */
  from: number
  /** What was delivered after them, each under the cursor of its delivery. */
  delivered: readonly EventRecord[]
}

type Saved = { views: ReadonlyMap<string, View>; held: readonly EventRecord[] }

/** The seam `events`. `hear` is to be called with each event that is durable. */
export interface EventFaults extends Stateful<Saved> {
  hear(event: EventRecord): void
  /** Delivers an event of this store once more, under the next cursor; undefined when there is none of this cursor. */
  again(store: Store, accountId: string, cursor: number): Promise<EventRecord | undefined>
  /** The store as those who read events see it. */
  over(store: Store): Store
}

/**
 * Puts the seam `events` between the store's events and whoever reads them. An account's events are untouched until the first
 * one that happens while there are rules; from then on cursors are those of delivery, which only grow. A restored snapshot
 * delivers at once what was held when it was taken.
 */
export function createEventFaults(faults: Faults): EventFaults {
  // Delivery belongs to no request, whichever one caused the event.
  const detached = AsyncLocalStorage.snapshot()
  const views = new Map<string, View>()
  const heard = new Map<string, number>()
  const listeners = createListeners()
  const waiting = new Map<string, (() => void)[]>()
  const held = new Set<EventRecord>()

  const deliver = (event: EventRecord): EventRecord => {
    const { accountId } = event
    const view = views.get(accountId)!
    const last = view.delivered.at(-1)?.cursor ?? view.from
    const told = { ...event, cursor: Math.max(last + 1, event.cursor) }
    views.set(accountId, { ...view, delivered: [...view.delivered, told] })
    listeners.tell(told)
    const next = waiting.get(accountId) ?? []
    waiting.delete(accountId)
    for (const go of next) go()
    return told
  }
  const pass = (event: EventRecord): void => {
    const { accountId } = event
    held.add(event)
    const call = {
      facts: { account_id: accountId },
      event,
      othersWait: () => waiting.has(accountId),
      afterNext: (go: () => void) =>
        void waiting.set(accountId, [...(waiting.get(accountId) ?? []), go]),
    }
    const proceed = async (): Promise<undefined> => {
      // Events of a state that has been replaced meanwhile are not delivered.
      if (held.has(event)) deliver(event)
    }
    void faults.around('events', call, proceed).finally(() => held.delete(event))
  }

  const seen = (all: readonly EventRecord[], accountId: string, since: number): EventRecord[] => {
    const view = views.get(accountId)
    const until = view?.from ?? (faults.armed ? heard.get(accountId) : undefined) ?? Infinity
    const untouched = all.filter(({ cursor }) => cursor <= until)
    return [...untouched, ...(view?.delivered ?? []).filter(({ cursor }) => cursor > since)]
  }
  return {
    // The other methods are the store's own.
    over: (real) =>
      Object.assign(Object.create(real) as Store, {
        async events(accountId: string, since: number) {
          return seen(await real.events(accountId, since), accountId, since)
        },
        onEvent: listeners.on,
      }),
    async again(real, accountId, cursor) {
      const all = await real.events(accountId, 0)
      const event = all.find((each) => each.cursor === cursor)
      if (!event) return undefined
      // Without a view, what was heard of until now has been delivered as it is.
      const from = heard.get(accountId) ?? all.at(-1)?.cursor ?? cursor
      if (!views.has(accountId)) views.set(accountId, { from, delivered: [] })
      return deliver(event)
    },
    hear(event) {
      const { accountId, cursor } = event
      heard.set(accountId, cursor)
      if (!views.has(accountId)) {
        if (!faults.armed) return listeners.tell(event)
        views.set(accountId, { from: cursor - 1, delivered: [] })
      }
      const scope = currentScope()
      detached(() => (scope ? inScope(scope, () => pass(event)) : pass(event)))
    },
    save: () => ({ views: new Map(views), held: [...held] }),
    restore(saved) {
      for (const map of [views, heard, waiting]) map.clear()
      held.clear()
      for (const [accountId, view] of saved.views) views.set(accountId, view)
      for (const event of saved.held) deliver(event)
    },
  }
}

/** Who waits for the events of an account. */
function createListeners() {
  const listeners = new Map<string, Set<(event: EventRecord) => void>>()
  return {
    tell(event: EventRecord): void {
      for (const listener of [...(listeners.get(event.accountId) ?? [])]) listener(event)
    },
    /** Returns how to stop listening. */
    on(accountId: string, listener: (event: EventRecord) => void): () => void {
      const ofAccount = listeners.get(accountId) ?? new Set()
      listeners.set(accountId, ofAccount.add(listener))
      return () => {
        ofAccount.delete(listener)
        if (ofAccount.size === 0 && listeners.get(accountId) === ofAccount)
          listeners.delete(accountId)
      }
    },
  }
}
