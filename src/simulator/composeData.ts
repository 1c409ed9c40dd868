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
import { contentAt, type DataLog, type LoggedPart, noLog } from '../wal/dataLog.js'

/** Recovers store, events and the deliveries to accounts from the data folder; without one, all are empty. */
export async function recoverRecords(data: PersistedData | undefined) {
  const dataLog = data?.folder ?? noLog
  const db = data ? await recoverStore(data.folder.recovered) : emptyStore()
  const views: Views = data ? await recoverViews(data.folder.recovered) : new Map()
  const deliveries = createDeliveries(dataLog, views)
  for (const event of undelivered(views, db.data.events)) await deliveries.deliver(event)
  return { dataLog, db, deliveries }
}

/**
 * Undoes what fault rules had changed in the exchanges when the process was killed; the restored rules change it again when they fire.
 * Forked networks are checked only if a rule for quotes exists, because the check sends requests upstream.
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
 * Restores the fault rules of the data folder. Resolves to a function that restores the rules of chains: call it last, because they
 * could block everything else.
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

/** The salt of ids: a restarted simulator with the same seed must not draw the same ids again. */
export function saltOf(data: PersistedData | undefined): string {
  return data?.folder.recovered.mark ?? ''
}

/** Persists the clock: its part of the data folder, and `keep`, which logs a move before it happens. */
export function persistedClock(clock: SettableClock, log: DataLog) {
  /** The target of a move in progress, which the log already has, so a checkpoint must have it too. */
  let moving: ClockState | undefined
  const part: LoggedPart = {
    name: 'clock',
    startsQuickly: true,
    content: (mark) => contentAt(mark, () => [JSON.stringify(moving ?? clock.state())]),
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
