import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import type { ForkTargets } from '../../chain/fork/upstream/target.js'
import type { Faucet } from '../../chain/funds/faucet.js'
import type { Readiness } from '../../chain/process/health.js'
import type { Head, inspectBlocks, inspectTransaction } from '../../chain/transactions/inspect.js'
import type { MiningSwitch } from '../../chain/transactions/mining.js'
import type { ScenarioRuns } from '../../clients/scenarios/runs.js'
import type { ScenarioTarget } from '../../clients/scenarios/target.js'
import type { Settling } from '../../control/autoClock.js'
import type { Liquidator } from '../../control/liquidator.js'
import type { PriceBoard } from '../../control/priceBoard.js'
import type { Snapshots } from '../../control/snapshots.js'
import type { SystemLock } from '../../control/systemLock.js'
import type { Timekeeper } from '../../control/time.js'
import type { AddressBook } from '../../deployments/addressBook.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { Faults } from '../../faults/engine/engine.js'
import type { Ids } from '../../lib/ids.js'
import type { Journal } from '../../observe/journal/journal.js'
import type { WhySources } from '../../observe/journal/whySchema.js'
import type { Coverage } from '../../observe/metrics/answerCounts.js'
import type { Stream } from '../../observe/stream/stream.js'
import type { FolioService, FolioViewer, ValueWatch } from '../../service/folio/read.js'
import type { ValueHistory } from '../../service/folio/values.js'
import type { PlanKind } from '../../service/plans/model/kind.js'
import type { PlanService } from '../../service/plans/pipeline.js'
import type { RewardsUpdater } from '../../service/rewards/updater.js'
import type { EventRecord, Store } from '../../service/store/store.js'
import type { Clock, Wait } from '../../time/clock.js'
import type { EndedWorld, LeasedWorld, LeaseRequest } from '../../worlds/lease.js'
import type { Worlds } from '../../worlds/pool.js'
import type { ApiKey } from './apiKeys.js'
import type { HttpLog } from './log.js'
import type { OriginPolicy } from './originPolicy.js'

/** What the HTTP layer needs to know of a plan kind to serve and document its endpoint. */
export type PlanKindInfo = Pick<
  PlanKind,
  | 'kind'
  | 'path'
  | 'summary'
  | 'description'
  | 'schema'
  | 'isExtension'
  | 'digestOnly'
  | 'quotes'
  | 'quotesFrom'
  | 'doubt'
>

/** What a server is reached under, and what it asks of callers. */
export interface Bind extends OriginPolicy {
  /** The host the server listens on, for example `127.0.0.1`. */
  host: string
  /** The URL with which the URLs in responses begin; the one of the request when absent. */
  advertise?: string | undefined
  /** What the control API and JSON-RPC ask for; without one they are open on loopback and closed elsewhere. */
  controlToken?: string | undefined
  /** The key of the world that is served here. It also opens its control API and JSON-RPC. */
  worldKey?: string
}

export interface AppDeps {
  access: AccessDeps
  service: ServiceDeps
  control: ControlDeps
  chains: ChainDeps
  faults: Faults
  timing: TimingDeps
  records: RecordDeps
  scenarios: ScenarioRuns
  /** Serves coding agents at `/_sim/mcp`. */
  agents?: RequestHandler
  /** Where its state is, and which leased world it is. */
  place?: { dataDir?: string; worldId?: string }
  /** Set when the app serves a trace: nothing can be changed. */
  trace?: {
    file: string
    madeBy: string
    endedAt: string
    accountsLeftOut: number
    worldsLeftOut: number
  }
  /** The worlds that can be leased; a world itself has none. */
  worlds?: WorldLeases
}

export interface WorldAsk
  extends Pick<LeaseRequest, 'leaseSeconds' | 'name' | 'isImmediate' | 'signal'> {
  wishes: {
    seed?: string | undefined
    /** As `--clock`. */
    clock?: string | undefined
    fork?: ForkTargets | undefined
    /** Folder of a bundle. */
    bundle?: string | undefined
  }
  /** The content of a scenario file, or its text. */
  scenario?: string | Record<string, unknown> | undefined
}

export interface FailedTest {
  test: string
  error?: string | undefined
  since?: number | undefined
  passed?: boolean | undefined
  passed_on_retry?: boolean | undefined
}

/** Leases worlds, and says what can be expected to go wrong in the words of the control API, or by `NoWorldError`. */
export interface WorldLeases
  extends Pick<
    Worlds,
    'ofId' | 'ofKey' | 'all' | 'renew' | 'release' | 'counts' | 'answers' | 'failures' | 'onChange'
  > {
  /**
   * A test has failed in a world. With the journal cursor at which it began, the trace of the run keeps what it did, apart from what comes
   * later. Undefined when there is no such world.
   */
  markFailed(id: string, failed: FailedTest): Promise<LeasedWorld | undefined>
  /** The default world, with the tests that were reported there. */
  ofDefault(): LeasedWorld
  /** How many worlds have ended since the start with failed tests, the last failed or lost ones, newest first, and the file of the trace that keeps what they did. */
  ended(): { failed: number; worlds: readonly EndedWorld[]; trace: string | undefined }
  /** A world that is leased, or one of the last whose lease has ended. */
  known(id: string): LeasedWorld | undefined
  /** How a client reaches the world of this key. */
  reach(apiKey: string): ScenarioTarget
  lease(ask: WorldAsk): Promise<{
    world: LeasedWorld
    /** The scenario's accounts, by name. */
    accounts: Record<string, { id: string; wallet: string; signer: string; key: string }>
  }>
}

interface AccessDeps {
  keys: readonly ApiKey[]
  bind: Bind
  /** Serves no dashboard. */
  noUi?: boolean
}

interface ServiceDeps {
  ids: Pick<Ids, 'account' | 'request'>
  store: Store
  book: AddressBook
  plans: PlanService
  planKinds: readonly PlanKindInfo[]
  folio: FolioService
  /** How long `poll=true` waits; default 25 s (interface.md, "Limits": about 30). */
  longPollMs?: number | undefined
  /** Milliseconds between readings and signs of life of a folio stream; default 30 s (service-facts 8.3). */
  folioKeepaliveMs?: number
}

interface ControlDeps extends Pick<WhySources, 'expectedFill' | 'shortNow' | 'staleNow'> {
  timekeeper: Timekeeper
  snapshots: Snapshots
  faucet: Faucet
  prices: PriceBoard
  liquidator: Liquidator
  rewards: Pick<RewardsUpdater, 'grant'>
  /** Reads portfolios without faults. */
  folio: FolioViewer
  values: Pick<ValueHistory, 'of' | 'latest'> & Pick<ValueWatch, 'settled'>
  /** Delivers an event of an account again; undefined when the account has none of this cursor. */
  sendAgain(accountId: string, cursor: number): Promise<EventRecord | undefined>
}

interface ChainDeps {
  /** Passes a JSON-RPC request on to the network's node. The body has not been read. */
  rpc: { handle(network: NetworkName, req: IncomingMessage, res: ServerResponse): void }
  readiness(): Promise<Readiness>
  /** Those that a client has mine no blocks, or one at an interval. */
  switches(): readonly MiningSwitch[]
  heads(): Promise<Head[]>
  /** A mined transaction of any of them, and the networks that did not answer. */
  inspect(hash: `0x${string}`): ReturnType<typeof inspectTransaction>
  /** Blocks of one of them, newest first; rejects when it does not answer. */
  blocks(
    network: NetworkName,
    which: Parameters<typeof inspectBlocks>[2],
  ): ReturnType<typeof inspectBlocks>
}

interface TimingDeps {
  clock: Clock & { idle: Wait; look: Wait }
  /**
   * With a frozen clock, resolves when what earlier requests left behind has ended or waits for the clock, so that each request finds the same
   * state in every run; with an `auto` clock, when also nothing is due. Undefined while the clock runs. See `Settling`.
   */
  settled(how?: Settling): Promise<unknown> | undefined
  /** A client has read an activity, all of an account, or everything: an `auto` clock may skip what they wait for. */
  clientRead(what?: { activityId?: string | undefined; accountId?: string | undefined }): void
  /** Counts a request as in flight while it works: an `auto` clock stands still for it, unless it waits for the clock itself. */
  counted<T>(work: () => Promise<T>): Promise<T>
  lock: SystemLock
  /** Aborted when the server stops: ends waiting long polls with what there is. */
  stopping: AbortSignal
}

interface RecordDeps {
  journal: Journal
  coverage: Coverage
  /** The stream of events. */
  stream: Pick<Stream, 'reader'>
  metrics(): Promise<string>
  log: HttpLog
}
