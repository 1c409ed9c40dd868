import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type OutsideWatch, watchOutside } from './activities/outsideWatch.js'
import { createQuoteClient } from './aggregator/client.js'
import { startAggregator } from './aggregator/server.js'
import { createBridgeRelayer } from './bridge/relayer.js'
import { loadAddressBook } from './chain/deployments/addressBook.js'
import type { NetworkName } from './chain/deployments/networks.js'
import type { Forks } from './chain/fork/start.js'
import { createFaucet } from './chain/funds/faucet.js'
import { promptFaucet } from './chain/funds/promptFaucet.js'
import { expectAlive, readiness } from './chain/node/health.js'
import type { Nodes } from './chain/node/node.js'
import { noticeCall, withNotice } from './chain/node/notice.js'
import { networkOfRpcPath, type RpcProxy, rpcProxy } from './chain/node/proxy.js'
import { createReaders } from './chain/state/readers.js'
import { createLiquidator } from './control/liquidator.js'
import { createPriceBoard } from './control/priceBoard.js'
import { createSnapshots, type Snapshots } from './control/snapshots.js'
import { createSystemLock, type SystemLock } from './control/systemLock.js'
import { createTimekeeper, type Timekeeper } from './control/timekeeper.js'
import type { FaultTools } from './faults/effect.js'
import { createFaults, type Faults, liftFaults } from './faults/engine.js'
import {
  bridgeFaults,
  type ExecutingAccounts,
  rpcFaults,
  withChainFaults,
  withExecuteFaults,
} from './faults/interceptors/accounts.js'
import { type EventFaults, withEventFaults } from './faults/interceptors/events.js'
import { quoteFaults, withFolioFaults, withPlanFaults } from './faults/interceptors/service.js'
import type { RuleTargets } from './faults/targets.js'
import { createFolioService } from './folio/read.js'
import { svcAddresses } from './generated/svc.js'
import { createApp } from './http/app.js'
import { quietLog, quietly } from './http/bookkeeping.js'
import { foreignRpc, socketHasToken } from './http/guard.js'
import type { Face } from './http/listen.js'
import type { ApiKey, AppDeps, HttpLog } from './http/types.js'
import { createJournal } from './journal/journal.js'
import { manyAborted } from './lib/abort.js'
import { createIds } from './lib/ids.js'
import type { Stateful } from './lib/lifecycle.js'
import { planKinds } from './plans/kinds/index.js'
import { createPlanService } from './plans/lifecycle.js'
import { createRewardsUpdater } from './rewards/updater.js'
import { createStore } from './store/createStore.js'
import { createBackgroundTasks, yieldFor } from './time/backgroundTasks.js'
import { type Clock, isoSeconds, type SettableClock } from './time/clock.js'

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
  storeFile: string | undefined
  bind: AppDeps['bind']
  rpcUnsafe: boolean
  rpcTimeoutMs: number | undefined
  readTimeoutMs: number
  longPollMs: number | undefined
  bridgeDelayMs: number
}

/** The service over running nodes. */
export interface Service {
  face: Face
  faults: Faults
  snapshots: Snapshots
  timekeeper: Timekeeper
  /** Ends waiting long polls, interrupts what is being executed between two steps, and writes the store. */
  close(): Promise<void>
}

/** Puts the parts together: the only place that names them all. */
export async function composeService(given: ServiceOptions): Promise<Service> {
  const { nodes, clock, hasOwnSeed } = given
  const log = quietLog(given.log)
  const options = { ...given, log, repeats: () => hasOwnSeed && clock.mode === 'frozen' }
  const parts = await composeParts(options)
  const { plans, bridge, outside, quotes, store, aggregator, faults, work } = parts
  const lock = createSystemLock()
  const workers = [bridge, outside.follower, plans]
  const stateful = [
    parts.ids,
    parts.folio,
    parts.rewards,
    bridge,
    outside.follower,
    outside.records,
    plans,
    faults,
    parts.events,
    store,
  ]
  const journal = createJournal(clock)
  const snapshots = createSnapshots({
    nodes: parts.nodes,
    expectAlive: () => expectAlive(nodes, 'Nothing was changed'),
    clock,
    lock,
    work: parts.work,
    workers,
    lift: () => liftFaults(faults),
    stateful: stateful as Stateful[],
    onReturn: (to) => quietly(log, () => journal.mark(to)),
  })
  await snapshots.markStart()
  await Promise.all(workers.map((worker) => worker.resume()))
  const settled = async () => clock.mode === 'real' || work.settled()
  const rpc = composeRpc(options, parts, { lock, settled })
  const stopping = manyAborted()
  const app = createApp({
    ...parts,
    faucet: promptFaucet(parts.faucet, parts),
    store: parts.events.store,
    planKinds,
    lock,
    settled,
    snapshots,
    journal,
    coverage: new Map(),
    rpc,
    readiness: () => readiness(nodes, options.forks),
    log,
    stopping: stopping.signal,
    bind: options.bind,
    ...(options.longPollMs === undefined ? {} : { longPollMs: options.longPollMs }),
  })
  return {
    faults,
    snapshots,
    timekeeper: gated(parts.timekeeper, lock),
    face: {
      handle: app,
      upgrade: rpcUpgrade(rpc, options.bind),
      requestId: () => parts.ids.request(),
    },
    async close() {
      stopping.abort()
      await lock.retire()
      // First of all: what a fault holds must not hold up the rest.
      await faults.clear().catch((error) => log.error('removing the faults', error))
      // Executions wait for the bridge, and go on at the next start where there is one.
      await Promise.all(workers.map((worker) => worker.pause()))
      rpc.close()
      quotes.close()
      await Promise.all([store.close(), aggregator.close()])
    },
  }
}

/** JSON-RPC over the nodes: each message finds one world, and what faults do to the network. */
function composeRpc(
  options: ServiceOptions,
  { nodes, faults, outside }: Awaited<ReturnType<typeof composeParts>>,
  { lock, settled }: { lock: SystemLock; settled(): Promise<unknown> },
): RpcProxy {
  const { rpcUnsafe, rpcTimeoutMs } = options
  const aroundRpc = rpcFaults(faults)
  return rpcProxy(options.nodes, {
    isUnsafe: rpcUnsafe,
    onAnswer: noticeCall(nodes, outside.follower.look),
    async around(call, proceed) {
      await settled()
      return lock.shared(`JSON-RPC of ${call.network}`, () => aroundRpc(call, proceed))
    },
    ...(rpcTimeoutMs === undefined ? {} : { timeoutMs: rpcTimeoutMs }),
  })
}

/** Callers in this process wait for a restore like those who come over HTTP. */
function gated(timekeeper: Timekeeper, lock: SystemLock): Timekeeper {
  const pass = <T>(work: () => Promise<T>): Promise<T> => lock.shared('the clock', work)
  return {
    time: timekeeper.time,
    advance: (seconds) => pass(() => timekeeper.advance(seconds)),
    freeze: (atMs) => pass(() => timekeeper.freeze(atMs)),
    resume: () => pass(() => timekeeper.resume()),
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

/** Everything below HTTP, each part with what it needs. */
async function composeParts(options: PartsOptions) {
  const { forks, clock, log } = options
  // Made last, since it may use all the others; they ask for it when they are used.
  let faults: ReturnType<typeof createFaults> | undefined
  const callers: ExecutingAccounts = new Map()
  let events: EventFaults | undefined
  let outside: OutsideWatch | undefined
  const look = (network: NetworkName): void => outside?.follower.look(network)
  const nodes = withChainFaults(withNotice(options.nodes, look), () => faults)
  const book = loadAddressBook(forks)
  const quoting = quoteFaults(() => faults, book)
  const ids = createIds(options.seed, await saltOf(options), options.repeats)
  const [store, aggregator] = await Promise.all([
    createStore({
      ...(options.storeFile === undefined ? {} : { file: options.storeFile }),
      onEvent: (event) => events?.hear(event),
      isRepeatable: options.repeats,
    }),
    startAggregator({ clock, nodes, book, around: quoting.around }),
  ])
  const tasks = createBackgroundTasks()
  const world = { clock, nodes, book, store, ids, track: tasks.run, onError: log.error }
  const { wait } = clock
  const faucet = createFaucet(nodes, book, forks)
  const bridge = createBridgeRelayer({
    ...world,
    wait,
    faucet,
    forked: forks,
    delayMs: options.bridgeDelayMs,
    around: bridgeFaults(() => faults, { ...world, callers }),
  })
  const quotes = createQuoteClient(aggregator.url, { clock, headers: quoting.headers })
  const rewards = createRewardsUpdater({ nodes, book, faucet })
  const sources = {
    clock,
    nodes,
    book,
    scripts: svcAddresses.scripts,
    reader: createReaders(book, forks),
    quotes,
    rewards,
    readTimeoutMs: options.readTimeoutMs,
  }
  const plans = createPlanService({
    ...sources,
    ...world,
    bridge: { outcome: (deposit) => yieldFor(bridge.outcome(deposit)) },
    kinds: planKinds,
  })
  // The bridge first: what plans send again makes deposits anew.
  const replaced = recheckAll(bridge, plans)
  outside = watchOutside({ ...world, nodes: options.nodes, replaced })
  const prices = createPriceBoard(nodes, book, faucet, forks)
  const keys = primeAccounts(options)
  faults = composeFaults(options, keys, { ...world, faucet, prices, wait, recheck: plans.recheck })
  const executing = withExecuteFaults(plans, faults, { store, callers, kinds: planKinds })
  events = withEventFaults(store, faults)
  return {
    ...world,
    events,
    work: tasks,
    aggregator,
    faults,
    faucet,
    bridge,
    outside,
    rewards,
    quotes,
    plans: withPlanFaults(executing, faults, planKinds),
    timekeeper: createTimekeeper({ clock, nodes, tasks, catchUp: bridge.catchUp }),
    folio: withFolioFaults(createFolioService({ ...sources, store }), faults),
    prices,
    keys,
    liquidator: createLiquidator({ nodes, book, faucet, onDone: outside.liquidated }),
  }
}

/** Tells parts, one after the other, that blocks of a chain were replaced. */
function recheckAll(...parts: { recheck(network: NetworkName): Promise<void> }[]) {
  return async (network: NetworkName): Promise<void> => {
    for (const part of parts) await part.recheck(network)
  }
}

/** The engine of faults. What rules may name is loaded with the first rule: a start without faults does not pay for it. */
function composeFaults(
  { seed, repeats }: PartsOptions,
  keys: readonly ApiKey[],
  tools: FaultTools,
) {
  const ground = async (): Promise<RuleTargets> => {
    const { ruleTargetsOf } = await import('./http/ruleTargets.js')
    const primeIds = keys.map(({ primeId }) => primeId)
    return ruleTargetsOf({ planKinds, primeIds, book: tools.book, store: tools.store })
  }
  return createFaults(tools, ground, seed, repeats)
}

/** What keeps a given seed from drawing ids again that a kept store has already: what is in it. */
async function saltOf({ hasOwnSeed, storeFile }: ServiceOptions): Promise<string> {
  if (!hasOwnSeed || storeFile === undefined) return ''
  const kept = await readFile(storeFile).catch(() => undefined)
  return kept ? createHash('sha256').update(kept).digest('hex') : ''
}

/** Who may speak JSON-RPC may do so by WebSocket. */
function rpcUpgrade(rpc: RpcProxy, bind: AppDeps['bind']): Face['upgrade'] {
  return (req, socket, head) => {
    const network = networkOfRpcPath(req.url)
    // Answered as a plain request, it hears why.
    if (!network || foreignRpc(req.headers, bind) || !socketHasToken(req, bind)) return false
    rpc.handleUpgrade(network, req, socket, head)
    return true
  }
}

function primeAccounts({ apiKeys, revokedApiKeys, clock }: ServiceOptions): ApiKey[] {
  return [
    ...apiKeys.map((key) => primeAccount(key, clock, false)),
    ...revokedApiKeys.map((key) => primeAccount(key, clock, true)),
  ]
}

/** Each key is a prime account of its own; its id follows from the key, so that it survives a restart. */
function primeAccount(key: string, clock: Clock, revoked: boolean): ApiKey {
  const digest = createHash('sha256').update(`prime account of ${key}`).digest('hex')
  return {
    key,
    primeId: `svc_${BigInt(`0x${digest}`).toString(36).slice(0, 12)}`,
    name: 'Local prime account',
    email: 'local@svc-sim.invalid',
    createdAt: isoSeconds(clock.now()),
    revoked,
  }
}
