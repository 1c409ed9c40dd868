import type { RequestHandler } from 'express'
import type { PersistedData } from '../chain/chains.js'
import type { Forks } from '../chain/fork/install/forkedNetwork.js'
import { createFaucet } from '../chain/funds/faucet.js'
import type { Nodes } from '../chain/rpc/node.js'
import { withSteps } from '../chain/rpc/node.js'
import { stepsInOrder } from '../chain/rpc/pipeline.js'
import { notifyStep } from '../chain/transactions/notifyStep.js'
import { loadAddressBook } from '../deployments/addressBook.js'
import { createFaultSeams } from '../faults/engine/seams.js'
import { chainFaultStep, withOtherIds } from '../faults/interceptors/calls.js'
import { createEventFaults } from '../faults/interceptors/events.js'
import type { HttpLog, LogEvent } from '../http/core/log.js'
import type { Bind, WorldLeases } from '../http/core/types.js'
import { createIds } from '../lib/ids.js'
import { createRedactor, redactJson } from '../observe/journal/redact.js'
import { publishTo } from '../observe/stream/publish.js'
import { createStream } from '../observe/stream/stream.js'
import { watchOutside } from '../service/activities/outsideWatch.js'
import { createLedger } from '../service/context/ledger.js'
import { createStore } from '../service/store/createStore.js'
import type { EventRecord, PlanRecord } from '../service/store/store.js'
import { createBackgroundTasks } from '../time/backgroundTasks.js'
import type { SettableClock } from '../time/clock.js'
import { persistedClock, recoverRecords, saltOf } from './composeData.js'
import { firedEvent } from './logEvents.js'

export interface ServiceOptions {
  nodes: Nodes
  forks: Forks
  clock: SettableClock
  log: HttpLog
  seed: bigint
  hasOwnSeed: boolean
  apiKeys: readonly string[]
  revokedApiKeys: readonly string[]
  data: PersistedData | undefined
  bind: Bind
  rpcUnsafe: boolean
  rpcTimeoutMs: number | undefined
  readTimeoutMs: number
  longPollMs: number | undefined
  bridgeDelayMs: number
  /** The URL of the simulator; a world is reached there by its key. */
  url: string
  /** The folder with the user's scenarios. */
  scenarioFolder: string | undefined
  /** The key whose prime account all keys belong to; each key has its own when absent. */
  primeKey?: string
  noUi: boolean
  /** The data folder, and the id of a leased world. */
  place?: { dataDir?: string; worldId?: string }
  /** Makes what serves coding agents at `/_sim/mcp`. */
  agents?: () => RequestHandler
  worlds?: WorldLeases
}

export interface PartsOptions extends ServiceOptions {
  /** Whether a restore restarts ids, so that the same requests get the same bytes. Otherwise ids are unique in the whole run. */
  repeats(): boolean
}

export type Base = Awaited<ReturnType<typeof composeBase>>

export async function composeBase(options: PartsOptions) {
  const { clock, forks, log, repeats, seed } = options
  const { dataLog, db, deliveries } = await recoverRecords(options.data)
  const stream = createStream()
  const publish = publishTo(stream)
  const secrets = [...options.apiKeys, ...options.revokedApiKeys, options.bind.controlToken ?? []]
  const redact = createRedactor(secrets.flat())
  // A client may name a fault rule after a secret.
  const happened = (event: LogEvent): void => log.happened?.(redactJson(event, redact) as LogEvent)
  const faults = createFaultSeams(seed, (change, rule, effect) => {
    publish.fault(change, rule)
    if (change === 'fired') happened(firedEvent(rule, `${effect}`))
  })
  const tasks = createBackgroundTasks(() => [...forks.values()].some((fork) => fork.isAsked()))
  const events = createEventFaults(faults, deliveries, tasks.run)
  /** Listeners to events from the parts built on this base. */
  const hearers = new Set<(event: EventRecord) => void>()
  const planHearers = new Set<(plan: PlanRecord) => void>()
  const book = loadAddressBook(forks)
  const ids = withOtherIds(createIds(seed, options.hasOwnSeed ? saltOf(options.data) : '', repeats))
  const store = createStore({
    log: dataLog,
    db,
    onEvent(event) {
      events.observe(event)
      for (const hear of hearers) hear(event)
      publish.event(event)
    },
    onPlan(plan) {
      for (const hear of planHearers) hear(plan)
    },
    onAccount({ walletAddress, signerAddress }) {
      const signer = signerAddress.toLowerCase()
      for (const node of options.nodes.all()) node.fork?.expectWallet(walletAddress, signer)
    },
    isRepeatable: repeats,
  })
  const common = { clock, book, store, ids, track: tasks.run, onError: log.error }
  const outside = watchOutside({ ...common, nodes: options.nodes, onBlock: publish.block })
  const nodes = withSteps(options.nodes, (node) => ({
    fault: stepsInOrder(
      chainFaultStep(faults, node.lifecycle),
      node.postponed?.step,
      notifyStep(node, outside.follower.look),
    ),
  }))
  const faucet = createFaucet(nodes, book, forks)
  const ledger = createLedger(clock)
  const world = { ...common, nodes, ledger }
  const clockLog = persistedClock(clock, dataLog)
  return {
    world,
    tasks,
    dataLog,
    clockLog,
    faults,
    events,
    hearers,
    planHearers,
    outside,
    faucet,
    stream,
    publish,
    happened,
  }
}
