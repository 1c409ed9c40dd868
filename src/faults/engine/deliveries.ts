import { readFile } from 'node:fs/promises'
import type { EventRecord } from '../../service/store/store.js'
import { contentAt, type DataLog, type LoggedPart } from '../../wal/dataLog.js'
import type { Recovered } from '../../wal/recover.js'

/** The part of a data folder that holds the deliveries. */
const name = 'deliveries'

interface Delivery {
  of: number
  /** As it was delivered, under the cursor of its delivery; absent when it never will be. */
  event?: EventRecord
}

/** The events that an account was delivered, once a fault has changed their delivery. */
export interface View {
  /** Events up to this cursor were delivered as they are. */
  from: number
  /** What became of those after it, in that order. */
  deliveries: Delivery[]
}

export type Views = Map<string, View>

/** One line of the log, and of the file with `deliveries` instead. */
type DeliveryStep = [accountId: string, from: number, Delivery]

export type Deliveries = ReturnType<typeof createDeliveries>

/**
 * The events that accounts were delivered, where they differ from those of the store. They survive the end of the process: `views` is what
 * the log had of them (`recoverViews`), and becomes their own.
 */
export function createDeliveries(log: DataLog, views: Views = new Map()) {
  const add = (accountId: string, delivery: Delivery): Promise<void> => {
    const view = views.get(accountId)!
    view.deliveries.push(delivery)
    const step: DeliveryStep = [accountId, view.from, delivery]
    return log.append(name, step, () => {
      view.deliveries = view.deliveries.filter((each) => each !== delivery)
    })
  }
  const part: LoggedPart = {
    name,
    startsQuickly: true,
    content: (mark) =>
      contentAt(mark, () => [...views].map((entry) => `${JSON.stringify(entry)}\n`)),
  }
  return {
    part,
    view: (accountId: string) => views.get(accountId),
    /** From this cursor on, the account sees only events that are delivered here. */
    begin: (accountId: string, from: number) => void views.set(accountId, { from, deliveries: [] }),
    /**
     * Delivers an event under the next cursor, or `jump` beyond it, if `isDue` is still true when something can be written, and calls `taken`
     * in that same moment. Resolves to the event as delivered, when that is durable.
     */
    async deliver(event: EventRecord, isDue = () => true, taken = () => {}, jump = 0) {
      while (log.isClosed) await log.opened()
      if (!isDue()) return undefined
      const view = views.get(event.accountId)!
      const delivered = { ...event, cursor: Math.max(lastCursor(view) + 1, event.cursor) + jump }
      const added = add(event.accountId, { of: event.cursor, event: delivered })
      taken()
      await added
      return delivered
    },
    /** An event will never be delivered; `isDue` as above. */
    async drop(event: EventRecord, isDue = () => true) {
      while (log.isClosed) await log.opened()
      if (isDue()) await add(event.accountId, { of: event.cursor })
    },
    /** Returns the result of `look` once everything that it read is durable. */
    async read<T>(look: () => Promise<T>): Promise<T> {
      for (;;) {
        const result = await look()
        if (await log.settled()) return result
      }
    },
    save: () => copyOf(views),
    restore(saved: Views) {
      views.clear()
      for (const [accountId, view] of copyOf(saved)) views.set(accountId, view)
    },
  }
}

function copyOf(views: Views): Views {
  return new Map(
    [...views].map(([id, { from, deliveries }]) => [id, { from, deliveries: [...deliveries] }]),
  )
}

function lastCursor({ from, deliveries }: View): number {
  return deliveries.findLast(({ event }) => event)?.event?.cursor ?? from
}

/** The views as the folder was left with them. */
export async function recoverViews({ files, changes }: Recovered): Promise<Views> {
  const file = files[name]
  const lines = file === undefined ? [] : (await readFile(file, 'utf8')).split('\n')
  const views: Views = new Map(
    lines.filter((line) => line !== '').map((line) => JSON.parse(line) as [string, View]),
  )
  for (const [accountId, from, delivery] of (changes[name] ?? []) as DeliveryStep[]) {
    const view = views.get(accountId) ?? { from, deliveries: [] }
    views.set(accountId, view)
    view.deliveries.push(delivery)
  }
  return views
}

/** The events of the store that were neither delivered nor dropped when the process ended. */
export function undelivered(
  views: Views,
  events: ReadonlyMap<string, readonly EventRecord[]>,
): EventRecord[] {
  return [...views].flatMap(([accountId, { from, deliveries }]) => {
    const done = new Set(deliveries.map(({ of }) => of))
    return (events.get(accountId) ?? []).filter(({ cursor }) => cursor > from && !done.has(cursor))
  })
}
