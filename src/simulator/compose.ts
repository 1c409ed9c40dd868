import type { Express } from 'express'
import { promptFaucet } from '../chain/funds/promptFaucet.js'
import { expectAlive, readiness } from '../chain/process/health.js'
import { type RpcAnswers, type RpcCall, type RpcProxy, rpcProxy } from '../chain/proxy/proxy.js'
import { untilAnswered } from '../chain/rpc/gate.js'
import { methodOf } from '../chain/rpc/methods.js'
import { heads, inspectBlocks, inspectTransaction } from '../chain/transactions/inspect.js'
import { createAutoClock, type Settling } from '../control/autoClock.js'
import { createLiquidator } from '../control/liquidator.js'
import { createPriceBoard } from '../control/priceBoard.js'
import {
  recordedFaucet,
  recordedLiquidations,
  recordedPrices,
  recordedRewards,
  recordedTimekeeper,
} from '../control/recorded.js'
import { isSnapshotMethod, rpcSnapshots } from '../control/rpcSnapshots.js'
import {
  createSnapshots,
  interrupt,
  type Snapshots,
  settledSnapshots,
} from '../control/snapshots.js'
import { createSystemLock, patienceMs, type SystemLock } from '../control/systemLock.js'
import type { Timekeeper } from '../control/time.js'
import { createTimekeeper, lockedTimekeeper, type OwnTimekeeper } from '../control/timekeeper.js'
import type { NetworkName } from '../deployments/networks.js'
import {
  createFaults,
  type FaultEngine,
  liftFaults,
  settledFaults,
} from '../faults/engine/engine.js'
import { type PersistedFaults, persistFaults } from '../faults/engine/persistedFaults.js'
import type { FaultRules } from '../faults/rules/faultRules.js'
import { expectedFillUnder } from '../faults/rules/stoppages.js'
import type { RuleTargets } from '../faults/rules/targets.js'
import { viewOf } from '../faults/rules/view.js'
import { createApp } from '../http/app.js'
import { type ApiKey, apiKeysOf } from '../http/core/apiKeys.js'
import { safeLog, safely } from '../http/core/log.js'
import type { HttpHandler } from '../http/server/listen.js'
import { rpcUpgrade } from '../http/worlds/worldRouter.js'
import { manyAborted } from '../lib/abort.js'
import type { Stateful, Worker } from '../lib/lifecycle.js'
import { heldActivities } from '../observe/journal/held.js'
import type { Journal } from '../observe/journal/journal.js'
import { recordedSwitches } from '../observe/journal/miningSwitches.js'
import { publishingSnapshots, publishingTimekeeper } from '../observe/stream/publish.js'
import type { TraceSources } from '../observe/trace/content.js'
import { currentScope, inScope } from '../service/context/requestContext.js'
import { watchValues } from '../service/folio/read.js'
import { planKinds } from '../service/plans/kinds/index.js'
import { type Base, composeBase, type PartsOptions, type ServiceOptions } from './composeBase.js'
import { resumeRules, takeBackAfterKill } from './composeData.js'
import { composePlanning, type PlanParts } from './composePlanning.js'
import { composeJournal, composeMetrics, composeScenarios, composeTrace } from './composeRecords.js'
import { recordedWrites } from './rpcWrites.js'

export interface Service {
  handler: HttpHandler
  faults: FaultRules
  snapshots: Snapshots
  timekeeper: Timekeeper
  /** The methods that clients have called whose effects a reset of the nodes does not undo; usually none. */
  lastingMethods: ReadonlySet<string>
  traced: TraceSources
  /** Interrupts executions and ends waiting requests: streams end, faults are removed. Resolves when WebSockets have closed. */
  drain(): Promise<void>
  /** Stops background work and writes the store. Call it after `drain`. */
  close(): Promise<void>
}

export async function composeService(given: ServiceOptions): Promise<Service> {
  const { clock, hasOwnSeed, bind } = given
  const log = safeLog(given.log)
  const options = { ...given, log, repeats: () => hasOwnSeed && clock.mode !== 'real' }
  const keys = apiKeysOf(options, clock)
  const base = await composeBase(options)
  const { ids, store } = base.world
  const planning = await composePlanning(options, base)
  const control = composeControl(options, base, planning)
  const { faults, rules } = composeFaults(options, base, { planning, control, keys })
  const lock = createSystemLock()
  const journal = composeJournal(options, base)
  const workers = [planning.bridge, base.outside.follower, planning.plans]
  const snapshots = publishingSnapshots(
    composeSnapshots(options, base, { planning, control, faults, lock, journal, workers }),
    control.timekeeper,
    base.stream,
  )
  given.data?.keep([store, base.clockLog.part, rules.part, base.events.part])
  await takeBackAfterKill(given.data, faults, { ...base.world, forks: given.forks }, log)
  await snapshots.markStart()
  const resumeChainRules = await resumeRules(given.data, faults, base.world, log)
  await Promise.all(workers.map((worker) => worker.resume()))
  await resumeChainRules()
  const { timekeeper } = control
  const rest = await composeRest(options, base, { timekeeper, lock })
  const [coverage, stopping] = [new Map<string, number>(), manyAborted()]
  const recorded = { journal, store, coverage, keys, bind, rules, snapshots, timekeeper }
  const { rpc, lastingMethods } = composeRpc(options, base, { lock, rest, ...recorded })
  const metrics = composeMetrics(options, base, { planning, rules, coverage })
  given.worlds?.onChange(base.publish.world)
  const { prices: board, folio: viewer, values } = control
  const trace = composeTrace({ ...recorded, ...seenOf(options, journal), board, viewer, values })
  const app = createApp({
    access: { keys, bind, noUi: options.noUi },
    service: composeAnswers(options, base, planning),
    control: {
      ...control,
      snapshots,
      faucet: recordedFaucet(promptFaucet(base.faucet, base.world), base.world.ledger),
      rewards: recordedRewards(planning.rewards, base.world.ledger),
      sendAgain: (accountId, cursor) => base.events.redeliver(store, accountId, cursor),
    },
    chains: { rpc, ...seenOf(options, journal) },
    faults: rules.faults,
    timing: { clock, ...rest, lock, stopping: stopping.signal },
    records: { journal, coverage, metrics, stream: base.stream, log },
    scenarios: composeScenarios(options, base.publish.scenario),
    ...(options.place && { place: options.place }),
    ...(options.worlds && { worlds: options.worlds }),
    ...(options.agents && { agents: options.agents() }),
  })
  return {
    faults: settledFaults(rules.faults, () => rest.settled('briefly')),
    snapshots: settledSnapshots(snapshots, () => rest.settled()),
    timekeeper: lockedTimekeeper(timekeeper, lock, rest.settled),
    lastingMethods,
    traced: trace.sources,
    handler: handlerOf(app, rpcUpgrade(rpc, options, ids, keys), ids.request),
    async drain() {
      stopping.abort()
      rest.stop()
      trace.ending()
      await lock.retire()
      await interrupt([planning.bridge, planning.plans], log.error)
      await rules.end().catch((error) => log.error('removing the faults', error)) // the rest goes on
      await rpc.drain()
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.pause()))
      for (const worker of workers) worker.end?.()
      rpc.close()
      planning.quotes.close()
      await Promise.all([store.close(), planning.aggregator.close()])
    },
  }
}

function handlerOf(
  app: Express,
  upgrade: HttpHandler['upgrade'],
  requestId: () => string,
): HttpHandler {
  return { handle: app, app, upgrade, requestId }
}

/** Lets requests wait for the background work of earlier ones, and moves an `auto` clock. */
async function composeRest(
  { nodes, log }: PartsOptions,
  { tasks, hearers, planHearers, world: { clock, store } }: Base,
  { timekeeper, lock }: { timekeeper: OwnTimekeeper; lock: SystemLock },
) {
  const { skip } = timekeeper
  const parts = { clock, nodes, tasks, lock, skip, onError: log.error }
  const auto = createAutoClock({ ...parts, isOpenPlan: (id) => store.isOpenPlan(id) })
  const { limits } = auto
  planHearers.add(limits.planned)
  hearers.add(({ accountId, data: { activity_id: activityId, activity_status: status } }) => {
    if (status === 'pending') limits.began({ activityId, accountId })
    else limits.ended(activityId)
  })
  const begin = async (): Promise<void> => {
    for (const plan of await store.openPlans(clock.now())) limits.planned(plan)
  }
  await begin()
  lock.onReplaced(() => {
    limits.lift()
    begin().catch((error) => log.error('the open plans after a restore', error))
  })
  const settled = (how?: Settling): Promise<unknown> | undefined => {
    if (clock.mode === 'real') return undefined
    const atMostMs = how === 'briefly' ? patienceMs : undefined
    if (clock.mode === 'frozen') return tasks.settled(undefined, atMostMs)
    // Changes over the control API wait for everything that is due.
    if (how === undefined) return auto.rest(atMostMs, () => limits.clientRead())
    return auto.rest(atMostMs, how === 'wholly' ? limits.lift : undefined)
  }
  return { settled, counted: auto.counted, clientRead: limits.clientRead, stop: auto.stop }
}

/** Portfolios and their history of values, past the faults. */
function composeLooking({ stream, hearers, world: { store } }: Base, planning: PlanParts) {
  const { seenFolio: viewer, values } = planning
  const watch = watchValues({ viewer, store, isWatched: stream.isFollowed })
  hearers.add(watch.hear)
  const { settled } = watch
  return { folio: viewer, values: { ...values, settled, watch: watch.watch } }
}

type Control = ReturnType<typeof composeControl>
type Rest = Awaited<ReturnType<typeof composeRest>>

function composeControl({ forks }: PartsOptions, base: Base, planning: PlanParts) {
  const { clockLog, faucet, faults, tasks, outside, stream } = base
  const { clock, nodes, book, ledger } = base.world
  const timekeeper = createTimekeeper({
    clock,
    nodes,
    tasks,
    isFollowed: stream.isFollowed,
    catchUp: planning.bridge.catchUp,
    keep: clockLog.keep,
  })
  return {
    expectedFill: expectedFillUnder(
      () => [...faults.set.rules.values()].map(viewOf),
      nodes,
      planning.bridge.expected,
    ),
    staleNow: planning.staleNow,
    shortNow: async (...asked: Parameters<typeof planning.planAgain>) => {
      const { short, hasFunds } = await planning.planAgain(...asked)
      return short || hasFunds ? { ...(short && { short }) } : undefined
    },
    timekeeper: publishingTimekeeper(recordedTimekeeper(timekeeper, ledger), stream),
    prices: recordedPrices(createPriceBoard(nodes, book, faucet, forks), ledger),
    liquidator: createLiquidator({
      nodes,
      book,
      faucet,
      onDone: recordedLiquidations(book, ledger, outside.liquidated),
    }),
    ...composeLooking(base, planning),
  }
}

/** Makes the engine of the fault rules; the seams where rules fire are in the other parts already. */
function composeFaults(
  { repeats }: PartsOptions,
  { world, faults: seams, faucet, dataLog }: Base,
  parts: { planning: PlanParts; control: Control; keys: readonly ApiKey[] },
): { faults: FaultEngine; rules: PersistedFaults } {
  const { clock, nodes, book, store, track, ledger } = world
  const { prices } = parts.control
  const { recheck } = parts.planning.plans
  const primeIds = parts.keys.map(({ primeId }) => primeId)
  let targets: Promise<RuleTargets> | undefined
  const faults = createFaults(seams, {
    repeats,
    onFired: () => rules.keepCounts(),
    tools: { clock, wait: clock.wait, nodes, book, store, faucet, prices, recheck, track, ledger },
    loadTargets() {
      targets ??= import('../http/ruleTargets.js').then(({ ruleTargetsOf }) =>
        ruleTargetsOf({ planKinds, primeIds, book, store }),
      )
      return targets
    },
  })
  const rules = persistFaults(faults, dataLog)
  return { faults, rules }
}

function composeAnswers({ longPollMs }: PartsOptions, base: Base, planning: PlanParts) {
  const { ids, store, book } = base.world
  const { plans, folio } = planning
  return { ids, store: base.events.over(store), book, plans, planKinds, folio, longPollMs }
}

function composeSnapshots(
  options: PartsOptions,
  { world, dataLog, outside, events, tasks }: Base,
  parts: {
    planning: PlanParts
    control: Control
    faults: FaultEngine
    lock: SystemLock
    journal: Journal
    workers: readonly Worker[]
  },
): Snapshots {
  const { clock, nodes, ids, store, book, ledger } = world
  const { faults, lock, journal, workers } = parts
  const { expectedFill } = parts.control
  const { folio, values, rewards, bridge, plans } = parts.planning
  const { follower, records } = outside
  const stateful = [
    ids,
    folio,
    values,
    rewards,
    bridge,
    follower,
    records,
    plans,
    faults,
    events,
    ledger,
    store,
  ]
  return createSnapshots({
    nodes,
    expectAlive: () => expectAlive(options.nodes, 'Nothing was changed'),
    clock,
    lock,
    tasks,
    workers,
    lift: () => liftFaults(faults),
    stateful: stateful as Stateful[],
    onTaken: ({ id }) => journal.taken(id),
    async onLeave() {
      const [rules, nowMs] = [faults.list(), clock.now()]
      const switches = recordedSwitches(options.nodes, journal)
      const sources = { journal, store, book, rules, switches, expectedFill, nowMs }
      const held = await heldActivities(sources).catch((error) =>
        options.log.error('finding what holds the activities under way', error),
      )
      return (to) =>
        safely(options.log, () => {
          ledger.returned(to)
          journal.mark(to, held || undefined)
        })
    },
    repeats: options.repeats,
    replacing: (work) => dataLog.replace(work, 'everything'),
  })
}

/** JSON-RPC over the nodes. No restore runs while a message is being answered. */
function composeRpc(
  options: ServiceOptions,
  { world }: Base,
  seams: { lock: SystemLock; rest: Rest; journal: Journal; snapshots: Snapshots },
): { rpc: RpcProxy; lastingMethods: ReadonlySet<string> } {
  const { rpcUnsafe, rpcTimeoutMs } = options
  const { lock, rest, journal } = seams
  const lastingMethods = new Set<string>()
  // Past the faults: inspecting a write is not a client's request.
  const isWorlds = (method: string): boolean => !rpcUnsafe && isSnapshotMethod(method)
  const recorded = { journal, log: options.log, isWorlds }
  const written = recordedWrites({ ...world, nodes: options.nodes, ...recorded })
  const worlds = rpcSnapshots(settledRestores(seams.snapshots, rest))
  const rpc = rpcProxy(world.nodes, {
    isUnsafe: rpcUnsafe,
    async intercept(call: RpcCall, proceed: () => Promise<RpcAnswers>) {
      for (const { method } of call.requests) if (methodOf(method).lasts) lastingMethods.add(method)
      let answer: Promise<RpcAnswers> | undefined
      const begin = (): Promise<unknown> => {
        answer = written(call, proceed)
        const about = call.requests.map(({ method }) => methodOf(method))
        return untilAnswered(about, answer)
      }
      await rest.counted(async () => {
        await rest.settled('asClient')
        await lock.shared(`JSON-RPC of ${call.network}`, begin)
      })
      rest.clientRead()
      return answer!
    },
    instead: {
      handles: isWorlds,
      answer(call) {
        const requestId = currentScope()?.requestId ?? world.ids.request()
        const scope = { requestId, note() {}, cut() {} }
        return inScope(scope, () => written(call, () => worlds(call)))
      },
    },
    ...(rpcTimeoutMs === undefined ? {} : { timeoutMs: rpcTimeoutMs }),
  })
  return { rpc, lastingMethods }
}

/** Makes restores wait for background work of earlier requests, as over the control API. */
function settledRestores(snapshots: Snapshots, { settled, counted }: Rest): Snapshots {
  return {
    ...settledSnapshots(snapshots, () => settled()),
    restore: (id, how) =>
      counted(async () => {
        await settled('briefly')
        return snapshots.restore(id, how)
      }),
  }
}

/** Reads the nodes past the faults. */
function seenOf({ nodes, forks }: ServiceOptions, journal: Journal) {
  const switches = () => recordedSwitches(nodes, journal)
  return {
    readiness: () => readiness(nodes, forks, switches),
    switches,
    heads: () => heads(nodes),
    inspect: (hash: `0x${string}`) => inspectTransaction(nodes, hash),
    blocks: (network: NetworkName, which: Parameters<typeof inspectBlocks>[2]) =>
      inspectBlocks(nodes, network, which),
  }
}
