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
  /** The file into which they are taken; an absolute path. */
  traceFile?: string
  /** The fork cache and the request limit of forked worlds. */
  forkLimits: ForkLimits
  /** How many recent blocks their nodes keep with transactions; all when absent. */
  keepBlocks?: number | undefined
}

export interface HostedWorld {
  /** Ends its service and starts another world on the same chains. When it rejects, call `stop`. */
  beginAgain(beginning: WorldBeginning): Promise<void>
  /** Makes `reset` restore the present state. */
  markStart(): Promise<void>
  /** Writes its trace since this journal cursor under another id, if traces are wanted. */
  leaveTrace(as: string, since: number): Promise<void>
  /** Ends it within five seconds. */
  stop(): Promise<void>
}

export interface WorldContext {
  settings: WorldSettings
  logOf(id: string): ServiceOptions['log']
  onBegin(id: string, records: Pick<TraceSources, 'coverage' | 'journal' | 'store'>): void
  onEnd(id: string): void
  /** A node died: the world is lost and must be stopped. */
  onDeath(reason: string): void
  /** Aborts the start. */
  signal: AbortSignal
}

interface WorldChains {
  nodes: Nodes
  forks: Forks
  /** Takes the chains to the state in which a world begins; resolves to its clock. */
  begin(clock: ClockStart | undefined): Promise<ClockState>
  chains: Pick<Chains, 'checkpoint' | 'stop' | 'addToSourceBundle'>
}

interface Open extends Pick<Parts, 'trace'> {
  leaveTrace?: HostedWorld['leaveTrace']
  listening: Listening
  service: Service
}

/** How long a service may take to end before another world takes over its chains. Milliseconds. */
const closeWithinMs = 3_000

/** Starts five nodes and a service that listens on the world's socket. */
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

/** Offline chains can be reused by later worlds; forked ones cannot. */
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
      // The same in every world, so that worlds with the same seed return the same bytes.
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

/** The world's trace, if wanted. A trace that cannot be written does not end the world. */
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
