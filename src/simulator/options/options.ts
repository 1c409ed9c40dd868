import type { ForkTargets } from '../../chain/fork/upstream/target.js'
import type { HttpLog } from '../../http/core/log.js'
import type { ClockOption, SeedOption } from '../../time/clockOption.js'

/** Options of a simulator. Everything has a default. */
export interface SimulatorOptions {
  /** Address to listen on; `127.0.0.1`. `localhost` listens on ::1 too. */
  host?: string
  /** TCP port of the API; any free port when 0 or absent. */
  port?: number
  /** Folder that persists everything, even through a crash. Without one, the state is in memory. */
  dataDir?: string
  /**
   * File from `svc-sim data export`: the simulator starts with its chains, accounts, activities and events. Together with `dataDir`, which
   * must be new, the state is persisted there.
   */
  fromExport?: string
  /** An alias of `fromExport`. */
  snapshot?: string
  /**
   * Networks to fork from an RPC endpoint, for example `{ base: { url, block } }`; the others are offline. Without `block`, the
   * newest block is used. With several URLs, the next one is tried when one fails. A `dataDir` stays at the block of its first start. It can
   * also be started without `fork`, and then has only what was read before.
   */
  fork?: ForkTargets
  /**
   * Folder from `svc-sim bundle create`: its networks are forked from there, without an endpoint. Reading anything that the bundle lacks
   * fails with an error that names it, or with `fork`, reads it from the network's endpoint. A `dataDir` copies the bundle at its first start.
   */
  bundle?: string
  /** At the end, adds everything to the bundle that was read from endpoints. */
  saveBundle?: boolean
  /** Folder in which forks cache what they read, for the next start at the same block, or `none`; a folder in the user's cache by default. */
  forkCache?: string
  /** The most requests to the endpoints of forks; later ones fail with an error that says so. Each world has its own limit. */
  forkMaxRequests?: number
  /**
   * Addresses that are assumed to be empty where a bundle has no record of them, for example recipients. `signers` stands for the signers
   * of all sub-accounts, the recorded ones included. Wallets of sub-accounts, and signers that were not recorded, need not be listed.
   */
  assumeEmpty?: readonly string[]
  /** How many recent blocks of each network keep their transactions, at least 1,000; all when absent. */
  keepBlocks?: number
  /** API keys; each belongs to another prime account. When absent, the default key, or a random one when bound beyond loopback. */
  apiKeys?: readonly string[]
  /** API keys that get 401 `api_key_revoked`. */
  revokedApiKeys?: readonly string[]
  /** Makes ids repeatable from run to run, and with a frozen or auto clock everything else too; random when absent. */
  seed?: SeedOption
  /** This port and the four after it each serve the JSON-RPC of one network, in the order of `GET /networks`; none when absent. */
  rpcPortBase?: number
  /** Allows JSON-RPC that can break the simulation: switching off mining, moving one chain's time, absurd fees, unbounded gas. */
  rpcUnsafe?: boolean
  /** Bearer token that the control API and JSON-RPC require; must be given when bound to another address than loopback. */
  controlToken?: string
  /** More host names, with or without a port, that requests may have in `Host`; for compose and proxies. */
  allowedHosts?: readonly string[]
  /**
   * URL by which clients reach this simulator, with a path or without, behind a proxy or load balancer: the URLs of leased worlds and of
   * `GET /_sim/connect` begin with it. When absent, they have the host of the request.
   */
  advertise?: string
  /** Origins of browser apps that may call the service API and JSON-RPC; `['loopback']` when absent, `['none']` for none. */
  corsOrigins?: readonly string[]
  /** `real`, `auto`, `frozen`, `frozen@ISO-TIME` or `{ frozenAt }`; when absent, as it was in the data folder, or else real. */
  clock?: ClockOption
  /** A folio or plan that reads the chains for longer than this fails with 408 `timeout`; 30 s. */
  readTimeoutMs?: number
  /** How long `poll=true` waits; 25 s. */
  longPollMs?: number
  /** From a bridge deposit to its fill; 2 s. */
  bridgeDelayMs?: number
  /** A JSON-RPC request that takes a node longer than this fails; 35 s. */
  rpcTimeoutMs?: number
  /** How many worlds to keep ready for leases (`POST /_sim/worlds`), besides the leased ones; none. */
  worlds?: number
  /** The most worlds, leased or ready; 32. */
  maxWorlds?: number
  /** Folder with more scenarios (YAML), listed by `GET /_sim/scenarios` with the shipped ones. */
  scenarios?: string
  /** File for the trace of the run, which `svc-sim ui FILE` shows; written during the run and at its end. */
  trace?: string
  /** Serves no dashboard at `/_sim/ui/`. */
  noUi?: boolean
  /** Called at each step of the start. Messages that need attention, such as a fork that waits, have no kind. */
  onProgress?: (step: string, kind?: StepKind) => void
  /**
   * Where problems are logged: `pretty` writes text to standard error; `json` writes one object per line there, also for each request; or
   * pass your own log.
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
