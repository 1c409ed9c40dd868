import type { ForkTargets } from '../../chain/fork/upstream/target.js'
import type { HttpLog } from '../../http/core/log.js'
import type { ClockOption, SeedOption } from '../../time/clockOption.js'

/** How a simulator is started. Everything has a default. */
export interface SimulatorOptions {
  /** Address to listen on; `127.0.0.1`. `localhost` listens on ::1 too. */
  host?: string
  /** TCP port of the API; a free one when 0 or absent. */
  port?: number
  /** Folder in which everything survives any end, a sudden one too; without one all is kept in memory. */
  dataDir?: string
  /**
   * File that `svc-sim data export` has written: begins with its chains, accounts, activities and events, and keeps nothing, or all in
   * `dataDir`, which must be new then.
   */
  fromExport?: string
  /** Another name of `fromExport`. */
  snapshot?: string
  /**
   * Networks to fork from an RPC endpoint, for example `{ base: { url, block } }`; the others are offline. Without `block` the newest
   * one is taken; with several URLs the next is asked where one fails. In a `dataDir` the chains go on from the block of its first start,
   * also without `fork`: then from what was read until then.
   */
  fork?: ForkTargets
  /**
   * Folder that `svc-sim bundle create` has written: its networks are forked from there, and nothing is asked of anybody. What it lacks
   * is an error that names it; with `fork` it is asked of the endpoint of that network. A `dataDir` takes it over at its first start.
   */
  bundle?: string
  /** Adds to the bundle, at the end, what was asked of endpoints besides. */
  saveBundle?: boolean
  /** Folder in which forks keep what they read for the next start at the same block, or `none`; one in the user's cache folder. */
  forkCache?: string
  /** How many requests the endpoints of forks may get; what is asked beyond is an error that says so. A world has as many of its own. */
  forkMaxRequests?: number
  /**
   * Addresses of which a bundle is taken to have nothing where it has recorded nothing: recipients, for example. `signers` stands for the
   * signers of all sub-accounts. Their wallets need not be named.
   */
  assumeEmpty?: readonly string[]
  /** Bearer keys; each is a prime account of its own. When absent the default key, or beyond loopback one that is drawn. */
  apiKeys?: readonly string[]
  /** Keys that answer 401 `api_key_revoked`. */
  revokedApiKeys?: readonly string[]
  /** Makes ids repeatable from run to run, and with a frozen or auto clock everything; drawn when absent. */
  seed?: SeedOption
  /** This port and the four after it each answer the JSON-RPC of one network, in the order of `GET /networks`; none when absent. */
  rpcPortBase?: number
  /** Lets JSON-RPC through that breaks the simulator's own ground: mining switched off, one chain's time, absurd fees, unbounded gas. */
  rpcUnsafe?: boolean
  /** Bearer token that the control API and JSON-RPC require; must be given when bound to another address than loopback. */
  controlToken?: string
  /** Further names, with or without a port, that requests may have in `Host`; for compose and proxies. */
  allowedHosts?: readonly string[]
  /** Origins of browser apps that may call the service API and JSON-RPC; `['loopback']` when absent, `['none']` for none. */
  corsOrigins?: readonly string[]
  /** `real`, `auto`, `frozen`, `frozen@ISO-TIME` or `{ frozenAt }`; when absent as the data folder was left, or else real. */
  clock?: ClockOption
  /** A folio or plan that reads longer than this is 408 `timeout`; 30 s. */
  readTimeoutMs?: number
  /** How long `poll=true` waits; 25 s. */
  longPollMs?: number
  /** From a bridge deposit to its fill; 2 s. */
  bridgeDelayMs?: number
  /** A JSON-RPC message that takes a node longer than this is answered with an error; 35 s. */
  rpcTimeoutMs?: number
  /** Worlds that are kept ready to be leased (`POST /_sim/worlds`), beyond those that are; none. */
  worlds?: number
  /** How many worlds there may be, leased or ready; 32. */
  maxWorlds?: number
  /** Folder of YAML files that can be played besides the shipped scenarios: `GET /_sim/scenarios`. */
  scenarios?: string
  /** File in which the journal and what belongs to it is kept for `svc-sim ui FILE`; written while it runs and at the end. */
  trace?: string
  /** Leaves the dashboard at `/_sim/ui/` out. */
  noUi?: boolean
  /** Told about each step of the start; what needs attention, such as a fork that waits, has no kind. */
  onProgress?: (step: string, kind?: StepKind) => void
  /**
   * Where it says what goes wrong: `pretty`, as text on standard error, or `json`, one object a line there, also for each
   * request; or a log of your own.
   */
  log?: LogFormat | HttpLog
}

/** What a step of the start is: it begins, it goes on, it is done. */
export type StepKind = 'begun' | 'detail' | 'ready'

/** How many worlds there may be when nothing is said. */
export const defaultMaxWorlds = 32

/** How the log is written; `pretty` unless something else is said. */
export type LogFormat = 'pretty' | 'json'

/** Why a simulator ended. */
export interface Ended {
  reason: string
  /** 0 when it was asked to. */
  exitCode: number
}
