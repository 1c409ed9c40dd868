import type { PersistedData } from '../chain/chains.js'
import type { Forks } from '../chain/fork/install/forkedNetwork.js'
import type { Node, Nodes } from '../chain/rpc/node.js'
import { expectMining, undoLeftovers } from '../chain/transactions/mining.js'
import type { AddressBook } from '../deployments/addressBook.js'
import { networkNames } from '../deployments/networks.js'
import { noBlocks } from '../faults/effects/chain.js'
import { isChangedByRules, takeBackAll } from '../faults/effects/exchange.js'
import {
  createDeliveries,
  recoverViews,
  undelivered,
  type Views,
} from '../faults/engine/deliveries.js'
import type { FaultEngine } from '../faults/engine/engine.js'
import { addAgain, persistedRules } from '../faults/engine/persistedFaults.js'
import type { RuleView } from '../faults/rules/faultRules.js'
import type { HttpLog } from '../http/core/log.js'
import { ServiceError } from '../lib/errors.js'
import { emptyStore, recoverStore } from '../service/store/recoverStore.js'
import type { Clock, ClockState, SettableClock } from '../time/clock.js'
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

/** The networks that a rule of the folder halts. */
function haltedBy(rules: readonly RuleView[]): (node: Node) => boolean {
  const halts = rules.filter(
    ({ on, effect }) =>
      on === 'chain' && (effect === 'halt' || (typeof effect === 'object' && 'halt' in effect)),
  )
  return ({ network }) =>
    halts.some(({ match }) => match.network === undefined || match.network === network)
}

/** Undoes what the faults of a killed run had set nodes to for a while. Takes no turn of a node: a transaction that waits for a block has it. */
async function undoHolds(
  nodes: Nodes,
  isHalted: (node: Node) => boolean,
  log: HttpLog,
): Promise<void> {
  await Promise.all(
    nodes
      .all()
      .map((node) =>
        undoLeftovers(node, { isHalted: isHalted(node) }).catch((error) =>
          log.error(`the ${node.network} network after a sudden end`, error),
        ),
      ),
  )
}

/**
 * Tells the engine what the folder has beside the rules. Undoes what fault rules had changed in the exchanges, and set nodes to for a while, when the process was killed; the restored rules change
 * it again when they fire. A network that one of them halts stays halted.
 * Forked networks are checked only if a rule for quotes exists, because the check sends requests upstream.
 */
export async function takeBackAfterKill(
  data: PersistedData | undefined,
  faults: FaultEngine,
  { nodes, book, forks }: { nodes: Nodes; book: AddressBook; forks: Forks },
  log: HttpLog,
): Promise<void> {
  if (!data) return
  const saved = await persistedRules(data.folder.recovered)
  faults.resume(saved)
  const { rules: persisted } = saved
  await undoHolds(nodes, haltedBy(persisted), log)
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
  { nodes, clock }: { nodes: Nodes; clock: Clock },
  log: HttpLog,
): Promise<() => Promise<void>> {
  const { rules: persisted } = data ? await persistedRules(data.folder.recovered) : { rules: [] }
  const resume = async (rules: typeof persisted): Promise<void> => {
    for (const rule of rules)
      await addAgain(faults, { ...rule, earlier_hits: rule.hits }).catch((error: Error) =>
        log.error(`the fault rule ${rule.id} of the data folder is left out`, error),
      )
  }
  await resume(persisted.filter(({ on }) => on !== 'chain'))
  return async () => {
    await resume(persisted.filter(({ on }) => on === 'chain'))
    faults.stoppages.endOthers(new Set(faults.list().map(({ id }) => id)), clock.now())
    // What a rule halts for good is its own now; one that was left out, or is over, halts nothing.
    await undoHolds(nodes, noBlocks.isHeld, log)
  }
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
