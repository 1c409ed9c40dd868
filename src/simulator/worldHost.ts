import { randomBytes } from 'node:crypto'
import pTimeout from 'p-timeout'
import { type Chains, startChains } from '../chain/chains.js'
import type { Forks } from '../chain/fork/install/forkedNetwork.js'
import { areForked, type ForkLimits } from '../chain/fork/upstream/target.js'
import { worldFiles } from '../chain/genesis/load.js'
import { describeDeath, type NodeDeath } from '../chain/process/launch.js'
import { startResettable } from '../chain/resettableChains.js'
import type { Nodes } from '../chain/rpc/node.js'
import { type Listening, listenOnSocket } from '../http/server/listen.js'
import type { TraceSources } from '../observe/trace/content.js'
import { type ClockStart, type ClockState, createClock } from '../time/clock.js'
import type { WorldBeginning } from '../worlds/workers.js'
import { composeService, type Service } from './compose.js'
import type { ServiceOptions } from './composeBase.js'
import { defaultApiKey } from './options/simulatorOptions.js'
import { closeService, type Parts, stopParts } from './stop.js'

/** Settings shared by all worlds of a simulator, sent to the workers as JSON. */
export interface WorldSettings
  extends Pick<
    ServiceOptions,
    | 'bind'
    | 'rpcUnsafe'
    | 'rpcTimeoutMs'
    | 'readTimeoutMs'
    | 'longPollMs'
    | 'bridgeDelayMs'
    | 'url'
    | 'scenarioFolder'
    | 'noUi'
  > {
  /** Whether the log takes each request. */
  logsRequests: boolean
  /** Where worlds write their traces; none if absent. */
  traceFolder?: string
  /** The fork cache and the request limit of forked worlds. */
  forkLimits: ForkLimits
  /** How many recent blocks their nodes keep with transactions; all when absent. */
  keepBlocks?: number | undefined
}

export interface HostedWorld {
  /** Ends its service and begins anew on the same chains, as another world. Rejects when it cannot; then it has to be stopped. */
  beginAgain(beginning: WorldBeginning): Promise<void>
  /** Makes resets restore the current state. */
  markStart(): Promise<void>
  /** Writes its trace since this journal cursor under another id, if traces are wanted. */
  leaveTrace(as: string, since: number): Promise<void>
  /** Ends it within five seconds. */
  stop(): Promise<void>
}

/** The surroundings of a world: its log, and callbacks. */
export interface WorldContext {
  settings: WorldSettings
  /** The log of the world of that id. */
  logOf(id: string): ServiceOptions['log']
  /** The world of that id has begun, with its records. */
  onBegin(id: string, records: Pick<TraceSources, 'coverage' | 'journal' | 'store'>): void
  onEnd(id: string): void
  /** A node died: the world is lost and must be stopped. */
  onDeath(reason: string): void
  /** Aborts the start. */
  signal: AbortSignal
}

/** The chains of a world, and how to take them to where a world begins. */
interface WorldChains {
  nodes: Nodes
  forks: Forks
  begin(clock: ClockStart | undefined): Promise<ClockState>
  chains: Pick<Chains, 'checkpoint' | 'stop' | 'addToSourceBundle'>
}

interface Open extends Pick<Parts, 'trace'> {
  leaveTrace?: HostedWorld['leaveTrace']
  listening: Listening
  service: Service
}

/** How long a service may take to end that is to be followed by another. Milliseconds. */
const closeWithinMs = 3_000

/** Starts a world: five nodes, and a service of its own over them, which answers on the world's socket. */
export async function startWorld(
  beginning: WorldBeginning,
  context: WorldContext,
): Promise<HostedWorld> {
  const world = await openWorldChains(beginning, context)
  let open: Open | undefined
  let { id } = beginning
  let stopping: Promise<void> | undefined
  const begin = async (given: WorldBeginning): Promise<void> => {
    const clock = await world.begin(given.clock)
    open = await openService(world, { given, clock }, context)
    id = given.id
    context.onBegin(id, open.service.traced)
  }
  const stop = (): Promise<void> => {
    const end = async (): Promise<void> => {
      if (!open) return world.chains.stop()
      await stopParts({ ...open, chains: world.chains }).finally(() => context.onEnd(id))
    }
    stopping ??= end()
    return stopping
  }
  try {
    await begin(beginning)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    async beginAgain(given) {
      if (areForked(beginning) || areForked(given))
        throw new Error('forked chains are made for one lease')
      const { service, trace, ...others } = open!
      const isResettable = service.lastingMethods.size === 0
      open = undefined
      await pTimeout(closeService({ service, ...others }), {
        milliseconds: closeWithinMs,
      }).finally(() => context.onEnd(id))
      await trace?.askNodes()
      await trace?.finish()
      if (!isResettable)
        throw new Error('a client has sent its nodes what a return does not take back')
      await begin(given)
    },
    markStart: async () => open?.service.snapshots.markStart(),
    leaveTrace: async (as, since) => open?.leaveTrace?.(as, since),
    stop,
  }
}

/** The chains of the offline world can begin anew; forked ones are for one beginning. */
async function openWorldChains(
  { clock, fork, bundle }: WorldBeginning,
  { onDeath, signal, settings: { forkLimits, keepBlocks } }: WorldContext,
): Promise<WorldChains> {
  const nodeOptions = {
    onDeath: (death: NodeDeath) => onDeath(describeDeath(death)),
    signal,
    keepBlocks,
  }
  const origins = { fork, bundle }
  if (!areForked(origins)) {
    const { nodes, begin } = await startResettable(worldFiles(), nodeOptions)
    const chains = { async checkpoint() {}, stop: nodes.stop, async addToSourceBundle() {} }
    return { nodes, begin, forks: new Map(), chains }
  }
  const world = worldFiles()
  const options = {
    ...nodeOptions,
    world,
    clock,
    origins,
    forkLimits,
    dataDir: undefined,
    progress() {},
  }
  const chains = await startChains(options)
  const { nodes, forks } = chains
  return { nodes, forks, chains, begin: async () => chains.clock }
}

async function openService(
  { nodes, forks }: WorldChains,
  { given, clock }: { given: WorldBeginning; clock: ClockState },
  { settings, logOf }: WorldContext,
): Promise<Open> {
  const listening = await listenOnSocket(given.socket)
  try {
    const seed = BigInt(given.seed ?? randomBytes(6).readUIntBE(0, 6))
    const service = await composeService({
      ...settings,
      bind: { ...settings.bind, worldKey: given.apiKey },
      nodes,
      forks,
      clock: createClock(clock),
      log: logOf(given.id),
      seed,
      hasOwnSeed: given.seed !== undefined,
      apiKeys: [given.apiKey],
      // Every world has the same one, so that two of the same seed give the same bytes.
      primeKey: defaultApiKey,
      revokedApiKeys: [],
      data: undefined,
      place: { worldId: given.id },
    })
    listening.serve(service.handler)
    return { listening, service, ...(await traceOf(service, { given, settings, logOf })) }
  } catch (error) {
    await listening.close()
    throw error
  }
}

/** What the world leaves behind, where somebody wants it. A trace that cannot be written is no reason for a world to be lost. */
async function traceOf(
  { traced }: Service,
  {
    given: { id },
    settings: { traceFolder },
    logOf,
  }: { given: WorldBeginning } & Pick<WorldContext, 'settings' | 'logOf'>,
): Promise<Pick<Open, 'trace' | 'leaveTrace'>> {
  if (traceFolder === undefined) return {}
  const { leaveTrace } = await import('../observe/trace/worldTraces.js')
  const { askNodes, finish, leave } = leaveTrace(traceFolder, id, traced)
  const onError = (error: Error) => logOf(id).error('its trace was not written', error)
  return {
    trace: { askNodes, finish: () => finish().catch(onError) },
    leaveTrace: (as, since) => leave(as, since).catch(onError),
  }
}
