import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import type { RequestHandler } from 'express'
import type { Chains, ChainsOptions } from '../chain/chains.js'
import type { Forks } from '../chain/fork/install/forkedNetwork.js'
import { worldFiles } from '../chain/genesis/load.js'
import { describeDeath, type NodeDeath } from '../chain/process/launch.js'
import { answerOf, type ControlSchemas, createControl } from '../clients/control/controlClient.js'
import type { FundRequest } from '../clients/remote/sim.js'
import { checkScenarioFolder } from '../clients/scenarios/runs.js'
import type { ScenarioTarget } from '../clients/scenarios/target.js'
import type { Snapshots } from '../control/snapshots.js'
import type { Timekeeper } from '../control/time.js'
import { type NetworkName, networkNames, perNetwork } from '../deployments/networks.js'
import type { FaultRules } from '../faults/rules/faultRules.js'
import type { Bind } from '../http/core/types.js'
import { listen } from '../http/server/listen.js'
import { listenForRpc } from '../http/server/rpcPorts.js'
import { unlessAborted } from '../lib/abort.js'
import { keepingProcessAlive, keepProcessAlive } from '../lib/keepProcessAlive.js'
import { createClock } from '../time/clock.js'
import { composeWorlds } from './composeWorlds.js'
import { clockStart } from './options/checkOptions.js'
import type { Ended, SimulatorOptions } from './options/options.js'
import { keysOf } from './options/simulatorOptions.js'
import {
  answerWhileStarting,
  bindOf,
  dataDirOf,
  logOf,
  tracingTo,
  withoutPathOf,
} from './startParts.js'
import { type Parts, stopParts } from './stop.js'

export interface Simulator {
  url: string
  /** The first of `apiKeys`. */
  apiKey: string
  /** The given keys, the default one, or a random one. */
  apiKeys: readonly string[]
  controlUrl: string
  docsUrl: string
  /** The dashboard; undefined with `noUi`. */
  uiUrl: string | undefined
  rpc: Record<NetworkName, string>
  snapshots: Pick<Snapshots, 'take' | 'list' | 'restore' | 'delete' | 'reset' | 'markStart'>
  faults: FaultRules
  /** `POST /_sim/fund`. Rejects with the service's message. */
  fund(request: FundRequest): Promise<{ address: string; balance: string }>
  /** The seed of ids and random choices: the given one, or a random one. */
  seed: bigint
  clock: Timekeeper
  /** Writes a checkpoint of the data folder, so that the next start replays nothing. */
  checkpoint(): Promise<void>
  /** Stops leasing worlds and reports not ready; resolves when the last lease has ended, or the signal is aborted. */
  drain(signal: AbortSignal): Promise<void>
  /** Answers requests in progress, then stops everything; takes at most five seconds. Safe to call twice. */
  close(): Promise<void>
  /** Stops because of a failure: `closed` resolves with this reason and exit code 1, even if something could not be stopped. */
  fail(reason: string): Promise<void>
  /** Resolves when it has ended, also because a node died. */
  closed: Promise<Ended>
  forks: Forks
  /** Writes everything read from forked networks so far to a folder, as a bundle. */
  saveBundle: Chains['saveBundle']
}

/** Settings that only the programs which run a simulator pass: command line and worker. */
export interface StartControl {
  keepAlive?: boolean
  /** Aborts the start, which rejects with the signal's reason. */
  signal?: AbortSignal
  /** Starts or lends the chains; new ones are started when absent. */
  openChains?: ((options: ChainsOptions) => Promise<Chains>) | undefined
  /** Makes the MCP server at `/_sim/mcp`, which reaches this simulator at `target`. */
  agents?: ((target: ScenarioTarget) => RequestHandler) | undefined
}

/** How long an aborted start may take to end by itself. Milliseconds. */
const breakOffMs = 1_000

/**
 * Starts five nodes with the offline world, and the API over them. Rejects when a part cannot start; nothing stays behind.
 *
 * With `keepAlive` the running simulator keeps the program alive, until it is closed; without, it does so only while it starts and stops.
 */
export const startSimulator = keepingProcessAlive(startFromOptions)

async function startFromOptions({
  keepAlive = true,
  signal,
  openChains,
  agents,
  ...options
}: SimulatorOptions & StartControl = {}): Promise<Simulator> {
  const progress = options.onProgress ?? (() => {})
  const host = options.host ?? '127.0.0.1'
  const seed = BigInt(options.seed ?? randomBytes(6).readUIntBE(0, 6))
  const bind = bindOf(host, options)
  if (options.scenarios !== undefined) checkScenarioFolder(options.scenarios)
  const apiKeys = keysOf(host, options.apiKeys)
  const route = withoutPathOf(bind.advertise)
  const listening = await listen({ host, port: options.port ?? 0, route }, answerWhileStarting)
  const parts: Parts = { listening }
  let stopping: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopping ??= keepingProcessAlive(stopParts)(parts)
    return stopping
  }
  let end: (ended: Ended) => void = () => {}
  const closed = new Promise<Ended>((resolve) => {
    end = resolve
  })
  let failed: Promise<void> | undefined
  const fail = (reason: string): Promise<void> => {
    // Parts that cannot be stopped end with the process; the log of the data folder is complete.
    failed ??= stop()
      .catch(() => {})
      .then(() => end({ reason, exitCode: 1 }))
    return failed
  }
  const onDeath = (death: NodeDeath): void => {
    void fail(describeDeath(death))
  }
  try {
    progress(`listening on ${listening.url}; starting ${networkNames.length} nodes`, 'begun')
    if (options.rpcPortBase !== undefined)
      parts.rpcPorts = await listenForRpc(host, options.rpcPortBase)
    const onAbort = (): void => {
      parts.askedAt = performance.now()
    }
    signal?.addEventListener('abort', onAbort)
    const starting = start(parts, options, {
      ...{ bind, seed, apiKeys, onDeath, progress, signal, openChains, agents },
    })
    await unlessAborted(starting, signal, breakOffMs)
    signal?.removeEventListener('abort', onAbort)
  } catch (error) {
    await stop()
    throw signal?.aborted ? signal.reason : error
  }
  if (keepAlive) void closed.then(keepProcessAlive())
  const { url } = listening
  progress(`ready at ${url}, seed ${seed}${options.seed === undefined ? ' (random)' : ''}`, 'ready')
  return {
    url,
    apiKey: apiKeys[0]!,
    apiKeys,
    controlUrl: `${url}/_sim`,
    docsUrl: `${url}/docs`,
    uiUrl: options.noUi ? undefined : `${url}/_sim/ui/`,
    rpc: perNetwork(({ name }) => `${url}/rpc/${name}`),
    snapshots: parts.service!.snapshots,
    faults: parts.service!.faults,
    seed,
    clock: parts.service!.timekeeper,
    fund: (request) =>
      answerOf(
        createControl(`${url}/_sim`, options.controlToken).POST('/fund', {
          body: request as ControlSchemas['Fund'],
        }),
      ),
    checkpoint: async () => parts.chains?.data?.folder.checkpoint(),
    drain: (aborted) => parts.worlds!.drain(aborted),
    async close() {
      if (failed) return failed
      await stop().catch((error: Error) => {
        end({ reason: error.message, exitCode: 1 })
        throw error
      })
      end({ reason: 'stopped', exitCode: 0 })
    },
    fail,
    closed,
    forks: parts.chains!.forks,
    saveBundle: (...how) => parts.chains!.saveBundle(...how),
  }
}

interface StartContext {
  bind: Bind
  seed: bigint
  apiKeys: readonly string[]
  onDeath: (death: NodeDeath) => void
  progress: NonNullable<SimulatorOptions['onProgress']>
  signal: AbortSignal | undefined
  openChains: StartControl['openChains']
  agents: StartControl['agents']
}

async function start(
  parts: Parts,
  options: SimulatorOptions,
  { bind, seed, apiKeys, onDeath, progress, signal, openChains, agents }: StartContext,
): Promise<void> {
  // The nodes start while the rest of the program is being loaded.
  const { forkCache, forkMaxRequests, assumeEmpty } = options
  const forkLimits = { forkCache, forkMaxRequests, assumeEmpty }
  const starting = import('../chain/chains.js').then(async ({ startChains }) => {
    const dataDir = await dataDirOf(parts, options, progress)
    parts.chains = await (openChains ?? startChains)({
      world: worldFiles(),
      clock: clockStart(options.clock),
      dataDir,
      origins: { fork: options.fork, bundle: options.bundle },
      saveBundle: options.saveBundle ?? false,
      forkLimits,
      keepBlocks: options.keepBlocks,
      onDeath,
      progress,
      signal,
    })
    return parts.chains
  })
  const composing = import('./compose.js')
  const [chains, { composeService }] = await settleAll([starting, composing])
  progress('the nodes respond; starting the service', 'detail')
  const clock = createClock(chains.clock)
  const log = await logOf(options, apiKeys)
  const common = {
    bind,
    rpcUnsafe: options.rpcUnsafe ?? false,
    rpcTimeoutMs: options.rpcTimeoutMs,
    readTimeoutMs: options.readTimeoutMs ?? 30_000,
    longPollMs: options.longPollMs,
    bridgeDelayMs: options.bridgeDelayMs ?? 2_000,
    url: parts.listening.url,
    scenarioFolder: options.scenarios,
    noUi: options.noUi ?? false,
  }
  const tracing = options.trace === undefined ? undefined : await tracingTo(options.trace)
  const { keepBlocks } = options
  const ofWorlds = {
    ...common,
    forkLimits,
    keepBlocks,
    ...(tracing && { traceFolder: tracing.folder, traceFile: resolve(options.trace!) }),
  }
  const worlds = composeWorlds(options, {
    settings: ofWorlds,
    log,
    ...(clock.mode === 'auto' && { clock: { mode: 'auto', atMs: 'earliest' } }),
  })
  parts.worlds = worlds
  parts.service = await composeService({
    ...common,
    nodes: chains.nodes,
    forks: chains.forks,
    clock,
    log,
    seed,
    hasOwnSeed: options.seed !== undefined,
    apiKeys,
    revokedApiKeys: options.revokedApiKeys ?? [],
    data: chains.data,
    place: options.dataDir === undefined ? {} : { dataDir: resolve(options.dataDir) },
    worlds: worlds.leases,
    ...(agents && { agents: () => agents(targetOf(parts, apiKeys, bind)) }),
  })
  if (tracing) {
    const trace = await tracing.keep(
      parts.service.traced,
      (error) => log.error('the trace was not written', error),
      worlds.leases.known,
    )
    parts.trace = trace
    worlds.traceDefault(trace.leave)
  }
  const handler = worlds.wrap(parts.service.handler)
  parts.listening.serve(handler)
  parts.rpcPorts?.serve(handler)
  worlds.warmUp()
}

/** How a client reaches this simulator. */
function targetOf(
  { listening: { url } }: Parts,
  [apiKey]: readonly string[],
  { controlToken }: Bind,
): ScenarioTarget {
  return { url, apiKey: apiKey!, controlToken }
}

/** Like `Promise.all`, but waits for the others before it rejects, so that what they started can be stopped. */
async function settleAll<A, B>([a, b]: [Promise<A>, Promise<B>]): Promise<[A, B]> {
  await Promise.allSettled([a, b])
  return Promise.all([a, b])
}
