import { AsyncLocalStorage } from 'node:async_hooks'
import { createKeyedListeners } from '../../lib/listeners.js'
import { currentScope, inScope, note } from '../../service/context/requestContext.js'
import type { EventRecord, Store } from '../../service/store/store.js'
import type { BackgroundTasks } from '../../time/backgroundTasks.js'
import type { Deliveries, Views } from '../engine/deliveries.js'
import type { FaultSeams } from '../engine/seams.js'
import type { DeliveryCall, EventCall } from '../rules/effect.js'

export interface Saved {
  views: Views
  held: readonly EventRecord[]
}

/**
 * Puts the seam `events` between the store's events and their readers. An account's events are unchanged until the first one that happens
 * while there are rules; from then on cursors are those of delivery, which only grow, also over a restart. Events that were held when a
 * snapshot was taken are delivered at once after its restore.
 */
export function createEventFaults(
  faults: FaultSeams,
  deliveries: Deliveries,
  track: BackgroundTasks['run'],
) {
  // Delivery belongs to no request, whichever one caused the event.
  const detached = AsyncLocalStorage.snapshot()
  const heard = new Map<string, number>()
  const listeners = createKeyedListeners<EventRecord>()
  const publish = (event: EventRecord): void => listeners.publish(event.accountId, event)
  const underWay = createUnderWay(deliveries, publish, track, faults)

  const pass = (event: EventRecord): void =>
    underWay.add(event, (call, deliver) => faults.intercept('events', call, deliver))

  const visibleEvents = (
    all: readonly EventRecord[],
    accountId: string,
    since: number,
  ): EventRecord[] => {
    const view = deliveries.view(accountId)
    const until = view?.from ?? (faults.hasRules ? heard.get(accountId) : undefined) ?? Infinity
    const untouched = all.filter(({ cursor }) => cursor <= until)
    const delivered = (view?.deliveries ?? []).flatMap(({ event }) =>
      event && event.cursor > since ? [event] : [],
    )
    return [...untouched, ...delivered]
  }
  return {
    part: deliveries.part,
    /** The store as readers of events see it. The other methods are the store's own. */
    over: (real: Store): Store =>
      Object.assign(Object.create(real) as Store, {
        events: (accountId: string, since: number) =>
          deliveries.read(async () =>
            visibleEvents(await real.events(accountId, since), accountId, since),
          ),
        onEvent: listeners.add,
      }),
    /** Delivers an event of this store once more, under the next cursor; undefined when there is none of this cursor. */
    async redeliver(real: Store, accountId: string, cursor: number) {
      const all = await real.events(accountId, 0)
      const event = all.find((each) => each.cursor === cursor)
      if (!event) return undefined
      // Without a view, all events so far were delivered unchanged.
      const from = heard.get(accountId) ?? all.at(-1)?.cursor ?? cursor
      if (!deliveries.view(accountId)) deliveries.begin(accountId, from)
      return underWay.deliver(event)
    },
    /** Call it with each event that is durable. */
    observe(event: EventRecord): void {
      const { accountId, cursor } = event
      heard.set(accountId, cursor)
      if (!deliveries.view(accountId)) {
        if (!faults.hasRules) {
          publish(event)
          return
        }
        deliveries.begin(accountId, cursor - 1)
      }
      const scope = currentScope()
      detached(() => (scope ? inScope(scope, () => pass(event)) : pass(event)))
    },
    save: () => ({ views: deliveries.save(), held: underWay.held() }),
    async restore(saved: Saved) {
      heard.clear()
      underWay.clear()
      deliveries.restore(saved.views)
      for (const event of saved.held) await underWay.deliver(event)
    },
  }
}

type Proceed = () => Promise<undefined>
type Work = (proceed: Proceed, isDue: () => boolean) => Promise<unknown>

/** Events that have happened, until they are delivered or dropped. `tell` is called with each delivered one. */
function createUnderWay(
  deliveries: Deliveries,
  publish: (event: EventRecord) => void,
  track: BackgroundTasks['run'],
  faults: FaultSeams,
) {
  const held = new Set<EventRecord>()
  /** Of these, what could not be written down: it comes with the next one of its account. */
  const late = new Set<EventRecord>()
  const waiting = new Map<string, (() => void)[]>()
  /** Events of a state that has been replaced meanwhile are not delivered. */
  let epoch = {}

  const letWaitingGo = (accountId: string): void => {
    const next = waiting.get(accountId) ?? []
    waiting.delete(accountId)
    for (const go of next) go()
  }
  const deliver = async (event: EventRecord, isDue?: () => boolean, jump = 0) => {
    const taken = (): void => {
      held.delete(event)
      letWaitingGo(event.accountId)
    }
    const delivered = await deliveries.deliver(event, isDue, taken, jump)
    if (!delivered) return undefined
    noteDelivery(event, delivered)
    publish(delivered)
    return delivered
  }
  const settle = (event: EventRecord, work: Work): Promise<void> =>
    track(() => settleNow(event, work), `the delivery of event ${event.cursor}`)
  const settleNow = async (event: EventRecord, work: Work): Promise<void> => {
    const own = epoch
    const isDue = () => epoch === own
    const proceed = async (): Promise<undefined> => {
      const call: DeliveryCall = {
        facts: { account_id: event.accountId },
        event,
        jump: 0,
        async first(other) {
          // Of no event of the store, so that a sudden end in between does not pass for the delivery of this one.
          const delivered = await deliveries.deliver({ ...other, cursor: 0 }, isDue)
          if (delivered) publish(delivered)
        },
      }
      await faults.intercept('answer.delivery', call, async () => {
        await deliver(event, isDue, call.jump)
        return undefined
      })
    }
    try {
      await work(proceed, isDue)
    } catch {
      if (!isDue()) return
      held.add(event)
      late.add(event)
    }
  }
  const deliverLate = (accountId: string): void => {
    for (const event of [...late]) {
      if (event.accountId !== accountId) continue
      late.delete(event)
      void settle(event, (proceed) => proceed())
    }
  }
  return {
    deliver,
    /** Holds an event while `pass` decides what becomes of it; what that does not deliver is dropped. */
    add(event: EventRecord, pass: (call: EventCall, proceed: Proceed) => Promise<unknown>): void {
      const { accountId } = event
      deliverLate(accountId)
      held.add(event)
      const call = {
        facts: { account_id: accountId },
        event,
        othersWait: () => waiting.has(accountId),
        afterNext: (go: () => void) =>
          void waiting.set(accountId, [...(waiting.get(accountId) ?? []), go]),
      }
      void settle(event, async (proceed, isDue) => {
        await pass(call, proceed)
        // What cannot be written down comes up again at the next start, as if it had been held.
        if (held.delete(event)) await deliveries.drop(event, isDue).catch(() => {})
      })
    },
    held: (): readonly EventRecord[] => [...held],
    clear(): void {
      epoch = {}
      for (const all of [held, late, waiting]) all.clear()
    },
  }
}

function noteDelivery({ cursor: of }: EventRecord, { accountId, cursor, data }: EventRecord): void {
  const { activity_id, activity_status } = data
  note({ type: 'delivery', account_id: accountId, of, cursor, activity_id, activity_status })
}
