import { watchOutside } from './activities/outsideWatch.js'
import { createQuoteClient } from './aggregator/client.js'
import { startAggregator } from './aggregator/server.js'
import { createBridgeRelayer } from './bridge/relayer.js'
import type { KeptData } from './chain/chains.js'
import { loadAddressBook } from './chain/deployments/addressBook.js'
import type { Forks } from './chain/fork/forkedNetwork.js'
import { createFaucet } from './chain/funds/faucet.js'
import { promptFaucet } from './chain/funds/promptFaucet.js'
import { heads } from './chain/node/heads.js'
import { expectAlive, readiness } from './chain/node/health.js'
import { outlivesReturn } from './chain/node/lasting.js'
import type { Nodes } from './chain/node/node.js'
import { noticeCall, withNotice } from './chain/node/notice.js'
import { type RpcProxy, rpcProxy } from './chain/node/proxy.js'
import { createReaders } from './chain/state/readers.js'
import { keptBooks, keptClock, resumeRules, saltOf, takeBackAfterKill } from './composeData.js'
import { composeScenarios, composeTrace } from './composeRecords.js'
import { createLiquidator } from './control/liquidator.js'
import { createPriceBoard } from './control/priceBoard.js'
import { interrupt } from './control/quiesce.js'
import { createSnapshots, type Snapshots } from './control/snapshots.js'
import { createSystemLock, type SystemLock } from './control/systemLock.js'
import type { Timekeeper } from './control/time.js'
import { betweenMoves, createTimekeeper, lockedTimekeeper } from './control/timekeeper.js'
import { createFaults, type Faults, liftFaults } from './faults/engine.js'
import { bridgeFaults } from './faults/interceptors/bridge.js'
import { rpcFaults, withChainFaults } from './faults/interceptors/chain.js'
import { createEventFaults } from './faults/interceptors/events.js'
import { type ExecutingAccounts, withExecuteFaults } from './faults/interceptors/execute.js'
import { withFolioFaults } from './faults/interceptors/folio.js'
import { withPlanFaults } from './faults/interceptors/plan.js'
import { quoteFaults } from './faults/interceptors/quote.js'
import { keptFaults } from './faults/keptFaults.js'
import { createFolioService } from './folio/read.js'
import { svcAddresses } from './generated/svc.js'
import { type ApiKey, apiKeysOf } from './http/apiKeys.js'
import { createApp } from './http/app.js'
import { quietLog, quietly } from './http/bookkeeping.js'
import type { Face } from './http/listen.js'
import type { HttpLog } from './http/log.js'
import { rpcUpgrade } from './http/rpcUpgrade.js'
import type { Bind, Coverage, WorldLeases } from './http/types.js'
import { createJournal, type Journal, journalBounds } from './journal/journal.js'
import { manyAborted } from './lib/abort.js'
import { createIds } from './lib/ids.js'
import type { Stateful, Worker } from './lib/lifecycle.js'
import { createDurations } from './metrics/durations.js'
import { watchNodes } from './metrics/nodeStates.js'
import { withPlanTimes } from './metrics/timedPlans.js'
import { planKinds } from './plans/kinds/index.js'
import { createPlanService } from './plans/lifecycle.js'
import { createRewardsUpdater } from './rewards/updater.js'
import { createStore } from './store/createStore.js'
import { createStream } from './stream/stream.js'
import { tellTo, toldSnapshots, toldTimekeeper } from './stream/tell.js'
import { createBackgroundTasks, yieldFor } from './time/backgroundTasks.js'
import type { SettableClock } from './time/clock.js'
import type { TraceSources } from './trace/content.js'

/** What a service is composed of. */
export interface ServiceOptions {
  nodes: Nodes
  forks: Forks
  clock: SettableClock
  log: HttpLog
  seed: bigint
  /** Whether somebody gave the seed. */
  hasOwnSeed: boolean
  apiKeys: readonly string[]
  revokedApiKeys: readonly string[]
  data: KeptData | undefined
  bind: Bind
  rpcUnsafe: boolean
  rpcTimeoutMs: number | undefined
  readTimeoutMs: number
  longPollMs: number | undefined
  bridgeDelayMs: number
  /** Where it is reached, and a world by its key. */
  url: string
  /** Without which nobody is answered at that address. */
  ownHeaders?: Record<string, string>
  /** Of one's own scenarios. */
  scenarioFolder: string | undefined
  /** Whose prime account the keys speak for; each for its own when absent. */
  primeKey?: string
  /** Whether the dashboard is left out. */
  noUi: boolean
  /** The worlds that can be leased besides. */
  worlds?: WorldLeases
}

/** The service over running nodes. */
export interface Service {
  face: Face
  faults: Faults
  snapshots: Snapshots
  timekeeper: Timekeeper
  /** Whether its nodes can go back to where they were as if nothing had been: nobody has sent them what outlives that. */
  isTraceless(): boolean
  /** What a trace of it is made from. */
  traced: TraceSources
  /** Interrupts executions, and lets go of requests that wait: streams end, faults hold nothing. Resolves when WebSockets have ended. */
  letGo(): Promise<void>
  /** When nothing is being executed any more: writes the store. After `letGo`. */
  close(): Promise<void>
}

/** Puts the parts together: the only place that names them all. */
export async function composeService(given: ServiceOptions): Promise<Service> {
  const { clock, hasOwnSeed, bind } = given
  const log = quietLog(given.log)
  const options = { ...given, log, repeats: () => hasOwnSeed && clock.mode === 'frozen' }
  const keys = apiKeysOf(options, clock)
  const base = await composeBase(options)
  const planning = await composePlanning(options, base)
  const control = composeControl(options, base, planning)
  equipFaults(base, { planning, control, keys })
  const { faults, rules, tasks, stream } = base
  const { ids, store } = base.world
  const lock = createSystemLock()
  const journal = createJournal(clock, journalBounds, base.tell.exchange)
  const workers = [planning.bridge, base.outside.follower, planning.plans]
  const snapshots = toldSnapshots(
    composeSnapshots(options, base, { planning, lock, journal, workers }),
    control.timekeeper,
    stream,
  )
  await given.data?.keep([store, base.kept.part, base.rules.part, base.events.part])
  await takeBackAfterKill(given.data, { ...base.world, forks: given.forks }, log)
  await snapshots.markStart()
  const resumeChainRules = await resumeRules(given.data, faults, log)
  await Promise.all(workers.map((worker) => worker.resume()))
  await resumeChainRules()
  const settled = async () => clock.mode === 'real' || tasks.settled()
  const traces = new Set<string>()
  const rpc = composeRpc(options, base, { lock, settled, traces })
  const coverage = new Map<string, number>()
  const metrics = composeMetrics(options, base, { planning, coverage })
  const stopping = manyAborted()
  given.worlds?.onChange(base.tell.world)
  const seen = { rules, timekeeper: control.timekeeper, snapshots, board: control.prices }
  const trace = composeTrace({ journal, store, coverage, keys, bind, ...seen })
  const app = createApp({
    access: { keys, bind, noUi: options.noUi },
    service: composeAnswers(options, base, planning),
    control: {
      ...control,
      snapshots,
      faucet: promptFaucet(base.faucet, base.world),
      rewards: planning.rewards,
      folio: planning.seenFolio,
      sendAgain: (accountId, cursor) => base.events.again(base.world.store, accountId, cursor),
    },
    chains: { rpc, ...seenOf(options) },
    faults: rules.faults,
    timing: { clock, settled, lock, stopping: stopping.signal },
    records: { journal, coverage, metrics, stream, log },
    scenarios: composeScenarios(options, base.tell.scenario),
    ...(options.worlds && { worlds: options.worlds }),
  })
  return {
    faults: rules.faults,
    snapshots,
    timekeeper: lockedTimekeeper(control.timekeeper, lock),
    isTraceless: () => traces.size === 0,
    traced: trace.sources,
    face: { handle: app, upgrade: rpcUpgrade(rpc, options, ids, keys), requestId: ids.request },
    async letGo() {
      stopping.abort()
      trace.ending()
      await lock.retire()
      await interrupt([planning.bridge, planning.plans], log.error)
      // What a fault holds must not hold up the rest.
      await rules.end().catch((error) => log.error('removing the faults', error))
      await rpc.drain()
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.pause()))
      rpc.close()
      planning.quotes.close()
      await Promise.all([store.close(), planning.aggregator.close()])
    },
  }
}

/** What the parts are composed of. */
interface PartsOptions extends ServiceOptions {
  /**
   * Whether a restore takes ids back: then the same requests get the same bytes again. Everywhere else an id means one thing
   * in the whole run.
   */
  repeats(): boolean
}

type Base = Awaited<ReturnType<typeof composeBase>>
type Planning = Awaited<ReturnType<typeof composePlanning>>
type Control = ReturnType<typeof composeControl>

/** What the other parts stand on: faults first, since the seams are around everything, then store and nodes. */
async function composeBase(options: PartsOptions) {
  const { clock, forks, log, repeats, seed } = options
  const { dataLog, state, deliveries } = await keptBooks(options.data)
  const stream = createStream()
  const tell = tellTo(stream)
  const faults = createFaults(seed, repeats, tell.fault)
  const rules = keptFaults(faults, dataLog)
  const events = createEventFaults(faults, deliveries)
  const book = loadAddressBook(forks)
  const ids = createIds(seed, options.hasOwnSeed ? saltOf(options.data) : '', repeats)
  const store = createStore({
    log: dataLog,
    recovered: state,
    onEvent(event) {
      events.hear(event)
      tell.event(event)
    },
    isRepeatable: repeats,
  })
  const tasks = createBackgroundTasks()
  const common = { clock, book, store, ids, track: tasks.run, onError: log.error }
  const outside = watchOutside({ ...common, nodes: options.nodes, onBlock: tell.block })
  const nodes = withChainFaults(withNotice(options.nodes, outside.follower.look), faults)
  const faucet = createFaucet(nodes, book, forks)
  const world = { ...common, nodes }
  const kept = keptClock(clock, dataLog)
  return { world, tasks, dataLog, kept, faults, rules, events, outside, faucet, stream, tell }
}

/** What makes plans and carries them out, and the portfolio that they are made from. */
async function composePlanning(options: PartsOptions, base: Base) {
  const { forks, bridgeDelayMs, readTimeoutMs } = options
  const { world, faults, faucet, outside } = base
  const { clock, nodes, book, store } = world
  const callers: ExecutingAccounts = new Map()
  const bridge = createBridgeRelayer({
    ...world,
    wait: clock.wait,
    faucet,
    forked: forks,
    delayMs: bridgeDelayMs,
    around: bridgeFaults(faults, { store, book, callers }),
  })
  const quoting = quoteFaults(faults, book)
  const aggregator = await startAggregator({ clock, nodes, book, around: quoting.around })
  const quotes = createQuoteClient(aggregator.url, { clock, headers: quoting.headers })
  const rewards = createRewardsUpdater({ nodes, book, faucet, forked: forks })
  const sources = {
    ...world,
    scripts: svcAddresses.scripts,
    reader: createReaders(book, forks),
    quotes,
    rewards,
    readTimeoutMs,
  }
  const times = {
    planned: createDurations(),
    executed: createDurations(),
    ended: createDurations(),
  }
  const service = createPlanService({
    ...sources,
    forked: forks,
    bridge: { ...bridge, outcome: (deposit) => yieldFor(bridge.outcome(deposit)) },
    kinds: planKinds,
    onEnd({ kind, end, ms }) {
      if (end !== 'interrupted') times.ended.add({ kind, result: end }, ms / 1000)
    },
  })
  const plans = { ...service, execute: betweenMoves(clock, service.execute) }
  // The bridge first: what plans send again makes new deposits.
  outside.onReplaced(bridge.recheck)
  outside.onReplaced(plans.recheck)
  const executing = withExecuteFaults(plans, faults, { store, callers, kinds: planKinds })
  return {
    bridge,
    aggregator,
    quotes,
    rewards,
    times,
    plans: withPlanTimes(withPlanFaults(executing, faults, planKinds), times),
    folio: withFolioFaults(createFolioService(sources), faults),
    // What is looked at from outside is no call that a rule could count.
    seenFolio: createFolioService({ ...sources, nodes: options.nodes }),
  }
}

/** What the control API can do to the world. */
function composeControl({ forks }: PartsOptions, base: Base, { bridge }: Planning) {
  const { kept, faucet, tasks, outside, stream } = base
  const { clock, nodes, book } = base.world
  const timekeeper = createTimekeeper({
    clock,
    nodes,
    tasks,
    catchUp: bridge.catchUp,
    keep: kept.keep,
  })
  return {
    timekeeper: toldTimekeeper(timekeeper, stream),
    prices: createPriceBoard(nodes, book, faucet, forks),
    liquidator: createLiquidator({ nodes, book, faucet, onDone: outside.liquidated }),
  }
}

/** From here on there can be fault rules. */
function equipFaults(
  { world, faults, rules, faucet }: Base,
  parts: { planning: Planning; control: Control; keys: readonly ApiKey[] },
): void {
  const { clock, nodes, book, store, track } = world
  const { prices } = parts.control
  const { recheck } = parts.planning.plans
  const primeIds = parts.keys.map(({ primeId }) => primeId)
  faults.equip({
    onFired: rules.keepCounts,
    tools: { clock, wait: clock.wait, nodes, book, store, faucet, prices, recheck, track },
    async loadTargets() {
      const { ruleTargetsOf } = await import('./http/ruleTargets.js')
      return ruleTargetsOf({ planKinds, primeIds, book, store })
    },
  })
}

/** What the service API answers from. */
function composeAnswers({ longPollMs }: PartsOptions, base: Base, planning: Planning) {
  const { ids, store, book } = base.world
  const { plans, folio } = planning
  const known = { ids, store: base.events.over(store), book, plans, planKinds, folio }
  return { ...known, ...(longPollMs === undefined ? {} : { longPollMs }) }
}

/** Snapshots of everything that remembers something. */
function composeSnapshots(
  options: PartsOptions,
  { world, dataLog, outside, faults, events, tasks }: Base,
  parts: { planning: Planning; lock: SystemLock; journal: Journal; workers: readonly Worker[] },
): Snapshots {
  const { clock, nodes, ids, store } = world
  const { lock, journal, workers } = parts
  const { folio, rewards, bridge, plans } = parts.planning
  const { follower, records } = outside
  const stateful = [ids, folio, rewards, bridge, follower, records, plans, faults, events, store]
  return createSnapshots({
    nodes,
    expectAlive: () => expectAlive(options.nodes, 'Nothing was changed'),
    clock,
    lock,
    tasks,
    workers,
    lift: () => liftFaults(faults),
    stateful: stateful as Stateful[],
    onReturn: (to) => quietly(options.log, () => journal.mark(to)),
    replacing: (work) => dataLog.replace(work, 'everything'),
  })
}

/** JSON-RPC over the nodes: each message finds one world, and what faults do to the network. */
function composeRpc(
  options: ServiceOptions,
  { world, faults, outside }: Base,
  { lock, settled, traces }: { lock: SystemLock; settled(): Promise<unknown>; traces: Set<string> },
): RpcProxy {
  const { rpcUnsafe, rpcTimeoutMs } = options
  const aroundRpc = rpcFaults(faults)
  return rpcProxy(options.nodes, {
    isUnsafe: rpcUnsafe,
    onAnswer: noticeCall(world.nodes, outside.follower.look),
    async around(call, proceed) {
      for (const method of call.methods) if (outlivesReturn(method)) traces.add(method)
      await settled()
      return lock.shared(`JSON-RPC of ${call.network}`, () => aroundRpc(call, proceed))
    },
    ...(rpcTimeoutMs === undefined ? {} : { timeoutMs: rpcTimeoutMs }),
  })
}

/** What is seen of the nodes, past the faults. */
function seenOf({ nodes, forks }: ServiceOptions) {
  return { readiness: () => readiness(nodes, forks), heads: () => heads(nodes) }
}

/** What `GET /metrics` answers. */
function composeMetrics(
  { nodes, worlds }: ServiceOptions,
  { world, tasks, faults }: Base,
  { planning, coverage }: { planning: Planning; coverage: Coverage },
): () => Promise<string> {
  const { times, bridge } = planning
  const { store } = world
  // Past the faults: what is seen of the nodes is no call that a rule could count.
  const seen = { nodes: watchNodes(nodes), worlds }
  const sources = { coverage, ...times, store, tasks, bridge, faults, ...seen }
  return async () => {
    // With its library only where somebody asks.
    const { exposition } = await import('./metrics/exposition.js')
    return exposition(sources)
  }
}
