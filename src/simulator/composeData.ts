import type { PersistedData } from '../chain/chains.js'
import type { Forks } from '../chain/fork/install/forkedNetwork.js'
import type { Nodes } from '../chain/rpc/node.js'
import { expectMining } from '../chain/transactions/mining.js'
import type { AddressBook } from '../deployments/addressBook.js'
import { networkNames } from '../deployments/networks.js'
import { isChangedByRules, takeBackAll } from '../faults/effects/exchange.js'
import {
  createDeliveries,
  recoverViews,
  undelivered,
  type Views,
} from '../faults/engine/deliveries.js'
import type { FaultEngine } from '../faults/engine/engine.js'
import { addAgain, persistedRules } from '../faults/engine/persistedFaults.js'
import type { HttpLog } from '../http/core/log.js'
import { ServiceError } from '../lib/errors.js'
import { emptyStore, recoverStore } from '../service/store/recoverStore.js'
import type { ClockState, SettableClock } from '../time/clock.js'
import { type DataLog, type LoggedPart, noLog } from '../wal/dataLog.js'

/** The log of the data folder, the store as it was left, and what accounts were told; all new without one. */
export async function recoverRecords(data: PersistedData | undefined) {
  const dataLog = data?.folder ?? noLog
  const db = data ? await recoverStore(data.folder.recovered) : emptyStore()
  const views: Views = data ? await recoverViews(data.folder.recovered) : new Map()
  const deliveries = createDeliveries(dataLog, views)
  for (const event of undelivered(views, db.data.events)) await deliveries.deliver(event)
  return { dataLog, db, deliveries }
}

/**
 * What fault rules had changed of the exchanges when the process was killed goes back before anything else happens: the rules stand
 * again, and change it again when they fire. Forked networks are looked at only where there is such a rule: a look asks their upstream.
 */
export async function takeBackAfterKill(
  data: PersistedData | undefined,
  { nodes, book, forks }: { nodes: Nodes; book: AddressBook; forks: Forks },
  log: HttpLog,
): Promise<void> {
  if (!data) return
  const persisted = await persistedRules(data.folder.recovered)
  const areOfQuotes = persisted.some(({ on }) => on === 'quote')
  const networks = networkNames.filter((network) => areOfQuotes || !forks.has(network))
  await Promise.all(
    networks.map(async (network) => {
      const node = nodes.get(network)
      try {
        if (!(await isChangedByRules(node, book.on(network)))) return
        await expectMining([node], 'the changes of a fault there are not reverted')
        await takeBackAll(node, book.on(network))
      } catch (error) {
        const cause = error instanceof ServiceError ? error.message : error
        log.error(`the exchange of ${network}`, cause)
      }
    }),
  )
}

/**
 * Fault rules that a data folder was left with stand again. Resolves to what is to be called when all else goes on: what lies under a
 * chain would be in the way of that.
 */
export async function resumeRules(
  data: PersistedData | undefined,
  faults: FaultEngine,
  log: HttpLog,
): Promise<() => Promise<void>> {
  const persisted = data ? await persistedRules(data.folder.recovered) : []
  const resume = async (rules: typeof persisted): Promise<void> => {
    for (const rule of rules)
      await addAgain(faults, rule).catch((error: Error) =>
        log.error(`the fault rule ${rule.id} of the data folder is left out`, error),
      )
  }
  await resume(persisted.filter(({ on }) => on !== 'chain'))
  return () => resume(persisted.filter(({ on }) => on === 'chain'))
}

/** The mark of a persisted store, so that a given seed does not draw its ids again. */
export function saltOf(data: PersistedData | undefined): string {
  return data?.folder.recovered.mark ?? ''
}

/** The clock as it is kept, its state, whole; and how it is moved so that a restart begins with where it was moved to. */
export function persistedClock(clock: SettableClock, log: DataLog) {
  /** Where it is being moved: a checkpoint meanwhile comes after what the log says of it. */
  let moving: ClockState | undefined
  const part: LoggedPart = {
    name: 'clock',
    startsQuickly: true,
    async content(mark) {
      const marked = mark()
      const text = JSON.stringify(moving ?? clock.state())
      await marked
      return [text]
    },
  }
  return {
    part,
    async keep(state: ClockState, move: () => Promise<void>): Promise<void> {
      moving = state
      try {
        await log.append(part.name, state)
        await move()
      } finally {
        moving = undefined
      }
    },
  }
}
