import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { NetworkName } from './chain/deployments/networks.js'
import { networkNames, perNetwork } from './chain/deployments/networks.js'
import type { Forks } from './chain/fork/start.js'
import type { ForkTargets } from './chain/fork/target.js'
import { notReadyYet } from './chain/node/health.js'
import { describeDeath, type NodeDeath } from './chain/node/launch.js'
import { worldFiles } from './chain/world/load.js'
import { checkWorldCounts, composeWorlds } from './composeWorlds.js'
import type { Snapshots } from './control/snapshots.js'
import type { Timekeeper } from './control/timekeeper.js'
import type { Faults } from './faults/engine.js'
import { allowedHost, checkOrigins, corsOrigin, defaultCorsOrigins } from './http/callers.js'
import { listen } from './http/listen.js'
import { listenForRpc } from './http/rpcPorts.js'
import type { Bind, HttpLog } from './http/types.js'
import { keysOf } from './keys.js'
import { unlessAborted } from './lib/abort.js'
import { awake, keepAwake } from './lib/awake.js'
import { type Parts, stopParts } from './stop.js'
import { type ClockStart, createClock, parseClock } from './time/clock.js'

/** How a simulator is started. Everything has a default. */
export interface SimulatorOptions {
  /** Address to listen on; `127.0.0.1`. `localhost` listens on ::1 too. */
  host?: string
  /** TCP port of the API; a free one when 0 or absent. */
  port?: number
  /** Folder in which everything survives any end, a sudden one too; without one all is kept in memory. */
  dataDir?: string
  /**
   * Networks to fork from an RPC endpoint, for example `{ base: { url, block } }`; the others are offline. Without `block` the newest
   * one is taken. Not together with `dataDir`.
   */
  fork?: ForkTargets
  /** Bearer keys; each is a prime account of its own. When absent the default key, or beyond loopback one that is drawn. */
  apiKeys?: readonly string[]
  /** Keys that answer 401 `api_key_revoked`. */
  revokedApiKeys?: readonly string[]
  /** Makes ids repeatable from run to run, and with a frozen clock everything; drawn when absent. */
  seed?: bigint
  /** This port and the four after it each answer the JSON-RPC of one network, in the order of `GET /networks`; none when absent. */
  rpcPortBase?: number
  /** Lets JSON-RPC through that breaks the simulator's own ground: mining switched off, one chain's time, absurd fees, unbounded gas. */
  rpcUnsafe?: boolean
  /** Bearer token of the control API and of JSON-RPC; needed when bound to another address than loopback. */
  controlToken?: string
  /** Further names, with or without a port, that requests may have in `Host`; for compose and proxies. */
  allowedHosts?: readonly string[]
  /** Origins of browser apps that may call the service API and JSON-RPC; `['loopback']` when absent, `['none']` for none. */
  corsOrigins?: readonly string[]
  /** `real`, `frozen`, `frozen@ISO-TIME` or `{ frozenAt }`; when absent as the data folder was left, or else real. */
  clock?: ClockOption
  /** A folio or plan that reads longer than this is 408 `timeout`; 30 s. */
  readTimeoutMs?: number
  /** How long `poll=true` waits; 30 s. */
  longPollMs?: number
  /** From a bridge deposit to its fill; 2 s. */
  bridgeDelayMs?: number
  /** A JSON-RPC message that takes a node longer than this is answered with an error; 35 s. */
  rpcTimeoutMs?: number
  /** Worlds that are kept ready to be leased (`POST /_sim/worlds`), beyond those that are; none. */
  worlds?: number
  /** How many worlds there may be, leased or ready; 32. */
  maxWorlds?: number
  /** Told about each step of the start. */
  onProgress?: (step: string) => void
  /**
   * Where it says what goes wrong: `pretty`, as text on standard error, or `json`, one object a line there, also for each
   * request; or a log of your own.
   */
  log?: LogFormat | HttpLog
}

/** How the log is written; `pretty` unless something else is said. */
export type LogFormat = 'pretty' | 'json'

/** How the clock starts. Frozen, it stands at 2026-01-01T00:00:00Z (or the chains' time where that is later) unless a time is given. */
export type ClockOption = string | { frozenAt: string | Date }

/** Why a simulator ended. */
export interface Ended {
  reason: string
  /** 0 when it was asked to. */
  exitCode: number
}

/**
 * Funds to give; exactly one of `account_id` and `address`. `amount` in the asset's smallest unit: text, an integer up to 2^53-1, or
 * a `bigint`.
 */
export interface FundRequest {
  account_id?: string
  address?: string
  asset: string
  amount: string | number | bigint
  network: NetworkName
}

/** A running simulator. */
export interface Simulator {
  url: string
  /** The first of `apiKeys`. */
  apiKey: string
  /** All keys that are accepted: the given ones, or the default, or the one that was drawn. */
  apiKeys: readonly string[]
  controlUrl: string
  docsUrl: string
  rpc: Record<NetworkName, string>
  /** Snapshots of the whole system. Each rejects with the service's message when it is refused. */
  snapshots: Pick<Snapshots, 'take' | 'list' | 'restore' | 'delete' | 'reset' | 'markStart'>
  /** Faults on purpose. `add` rejects with the reason when a rule names something that does not exist. */
  faults: Pick<Faults, 'add' | 'set' | 'list' | 'remove' | 'clear'>
  /** The faucet: `POST /_sim/fund`. Rejects with the service's message when it refuses. */
  fund(request: FundRequest): Promise<{ address: string; balance: string }>
  /** From which ids and chances are drawn: the given seed, or one that was drawn. */
  seed: bigint
  /** The one clock of the API and the chains. */
  clock: Timekeeper
  /** Writes everything down whole in the data folder, so that the next start has nothing to do again. */
  writeDown(): Promise<void>
  /**
   * Stops everything within five seconds and leaves no process behind. Requests under way are answered before. Safe to call twice.
   */
  close(): Promise<void>
  /** Stops like `close`, but because it must: it has ended with this reason and exit code 1, whatever could not be stopped. */
  fail(reason: string): Promise<void>
  /** Resolves when it has ended, also when a node died under it. */
  closed: Promise<Ended>
  /** The forked networks, and which protocols are missing there. */
  forks: Forks
}

/** What only those who start a simulator in a program of its own say. */
interface StartControl {
  keepAlive?: boolean
  /** Breaks the start off, which then rejects with its reason. */
  signal?: AbortSignal
}

/** How long a start that was broken off may take to find its end by itself. Milliseconds. */
const breakOffMs = 1_000

/**
 * Starts five nodes with the offline world, and the API over them. Rejects when a part cannot start; nothing stays behind.
 *
 * With `keepAlive` the running simulator keeps the program alive, until it is closed; without, it does so only while it starts and stops.
 */
export const startSimulator = awake(startAwake)

async function startAwake({
  keepAlive = true,
  signal,
  ...options
}: SimulatorOptions & StartControl = {}): Promise<Simulator> {
  const progress = options.onProgress ?? (() => {})
  const host = options.host ?? '127.0.0.1'
  const seed = options.seed ?? BigInt(randomBytes(6).readUIntBE(0, 6))
  const bind = bindOf(host, options)
  checkWorldCounts(options)
  const apiKeys = keysOf(host, options.apiKeys)
  const listening = await listen({ host, port: options.port ?? 0 }, answerWhileStarting)
  const parts: Parts = { listening }
  let stopping: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopping ??= awake(stopParts)(parts)
    return stopping
  }
  let end: (ended: Ended) => void = () => {}
  const closed = new Promise<Ended>((resolve) => {
    end = resolve
  })
  let failed: Promise<void> | undefined
  const fail = (reason: string): Promise<void> => {
    // What cannot be stopped any more ends with the process; the data folder has everything in its log.
    failed ??= stop()
      .catch(() => {})
      .then(() => end({ reason, exitCode: 1 }))
    return failed
  }
  const onDeath = (death: NodeDeath): void => {
    void fail(describeDeath(death))
  }
  try {
    progress(`listening on ${listening.url}; starting ${networkNames.length} nodes`)
    if (options.rpcPortBase !== undefined)
      parts.rpcPorts = await listenForRpc(host, options.rpcPortBase)
    const onAbort = (): void => {
      parts.askedAt = performance.now()
    }
    signal?.addEventListener('abort', onAbort)
    const starting = start(parts, options, { bind, seed, apiKeys, onDeath, progress, signal })
    await unlessAborted(starting, signal, breakOffMs)
    signal?.removeEventListener('abort', onAbort)
  } catch (error) {
    await stop()
    throw signal?.aborted ? signal.reason : error
  }
  if (keepAlive) void closed.then(keepAwake())
  const { url } = listening
  progress(`seed ${seed}${options.seed === undefined ? ', drawn' : ''}`)
  progress(`ready at ${url}`)
  return {
    url,
    apiKey: apiKeys[0]!,
    apiKeys,
    controlUrl: `${url}/_sim`,
    docsUrl: `${url}/docs`,
    rpc: perNetwork(({ name }) => `${url}/rpc/${name}`),
    snapshots: parts.service!.snapshots,
    faults: parts.service!.faults,
    seed,
    clock: parts.service!.timekeeper,
    fund: (request) => fund(`${url}/_sim/fund`, request, options.controlToken),
    writeDown: async () => parts.chains?.data?.folder.checkpoint(),
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
  }
}

interface StartContext {
  bind: Bind
  seed: bigint
  apiKeys: readonly string[]
  onDeath: (death: NodeDeath) => void
  progress: (step: string) => void
  signal: AbortSignal | undefined
}

async function start(
  parts: Parts,
  options: SimulatorOptions,
  { bind, seed, apiKeys, onDeath, progress, signal }: StartContext,
): Promise<void> {
  // The nodes start while the rest of the program is being loaded.
  const starting = import('./chain/chains.js').then(async ({ startChains }) => {
    parts.chains = await startChains({
      world: worldFiles(),
      clock: clockStart(options),
      dataDir: options.dataDir,
      fork: options.fork ?? {},
      onDeath,
      progress,
      signal,
    })
    return parts.chains
  })
  const composing = import('./compose.js')
  const [chains, { composeService }] = await settleAll([starting, composing])
  progress('nodes answer; putting the service on them')
  const clock = createClock(chains.clock)
  const log = await logOf(options, apiKeys)
  const common = {
    bind,
    rpcUnsafe: options.rpcUnsafe ?? false,
    rpcTimeoutMs: options.rpcTimeoutMs,
    readTimeoutMs: options.readTimeoutMs ?? 30_000,
    longPollMs: options.longPollMs,
    bridgeDelayMs: options.bridgeDelayMs ?? 2_000,
  }
  const worlds = composeWorlds(options, { settings: common, log, url: parts.listening.url })
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
    worlds: worlds.leases,
  })
  parts.listening.serve(worlds.around(parts.service.face))
  parts.rpcPorts?.serve(parts.service.face)
  worlds.warmUp()
}

/** What the service has to know of the address. Throws when a name or an origin is malformed. */
function bindOf(host: string, options: SimulatorOptions): Bind {
  const { controlToken, allowedHosts = [], corsOrigins = defaultCorsOrigins } = options
  checkOrigins(corsOrigins)
  return {
    host,
    ...(controlToken === undefined ? {} : { controlToken }),
    allowedHosts: allowedHosts.map((name) => checked('allowedHosts', name, allowedHost)),
    corsOrigins: corsOrigins.map((origin) => checked('corsOrigins', origin, corsOrigin)),
  }
}

function checked(option: string, text: string, check: (text: string) => string): string {
  try {
    return check(text)
  } catch (error) {
    throw new Error(`${option} has ${JSON.stringify(text)}, but ${(error as Error).message}`)
  }
}

/** How the clock is to run at the start; undefined when nobody said. */
function clockStart({ clock }: SimulatorOptions): ClockStart | undefined {
  if (typeof clock === 'object') {
    const { frozenAt } = clock
    return parseClock(`frozen@${typeof frozenAt === 'string' ? frozenAt : frozenAt.toISOString()}`)
  }
  return clock === undefined ? undefined : parseClock(clock)
}

/** Like `Promise.all`, but waits for the others before it rejects, so that what they started can be stopped. */
async function settleAll<A, B>([a, b]: [Promise<A>, Promise<B>]): Promise<[A, B]> {
  await Promise.allSettled([a, b])
  return Promise.all([a, b])
}

/** Before the nodes are up: alive, not ready; everything else waits. */
function answerWhileStarting(req: IncomingMessage, res: ServerResponse): boolean {
  const path = req.url?.split('?')[0]
  if (req.method !== 'GET' || (path !== '/health/live' && path !== '/health/ready')) return false
  const live = path === '/health/live'
  res.writeHead(live ? 200 : 503, { 'content-type': 'application/json; charset=utf-8' })
  res.end(JSON.stringify(live ? { status: 'live' } : notReadyYet()))
  return true
}

async function fund(url: string, request: FundRequest, token: string | undefined) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(request, (_key, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    ),
  })
  const body = (await response.json()) as { address: string; balance: string; message?: string }
  if (!response.ok) throw new Error(`fund: ${body.message}`)
  return body
}

/** The log, with all keys and tokens masked where it is ours and JSON. */
async function logOf(
  { log = 'pretty', revokedApiKeys = [], controlToken }: SimulatorOptions,
  apiKeys: readonly string[],
): Promise<HttpLog> {
  if (typeof log === 'object') return log
  if (log === 'pretty') return { debug() {}, error: logError }
  const { jsonLog } = await import('./http/jsonLog.js')
  const secrets = [...apiKeys, ...revokedApiKeys, controlToken ?? []].flat()
  return jsonLog(secrets, (line) => void process.stderr.write(line))
}

function logError(message: string, cause: unknown): void {
  process.stderr.write(`${message}: ${cause instanceof Error ? cause.stack : String(cause)}\n`)
}
