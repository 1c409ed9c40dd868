import { parseFork, splitForks } from '../../chain/fork/upstream/target.js'
import { fewestKeptBlocks } from '../../chain/transactions/takenBack.js'
import {
  allowedHost,
  corsOrigin,
  defaultCorsOrigins,
  isLoopback,
} from '../../http/core/originPolicy.js'
import { drawKey } from '../../lib/ids.js'
import {
  advertisedUrl,
  type CommandName,
  clock,
  file,
  folder,
  host,
  howMany,
  matching,
  type OptionSpec,
  type OptionValue,
  seed,
  token,
  whole,
  wholeCount,
} from './optionSpec.js'
import type { SimulatorOptions } from './options.js'

/** The API key if none is given. */
export const defaultApiKey = 'qk_local0_00000000000000000000'

/** The accepted keys. The default key is public, so a random one is drawn if other machines may reach the host. */
export function keysOf(host: string, apiKeys: readonly string[] = []): readonly string[] {
  if (apiKeys.length > 0) return apiKeys
  return [isLoopback(host) ? defaultApiKey : drawKey()]
}

/** The default port of `start`; `exec` takes a free one. */
export const defaultPort = 4477

/** One help text for several commands. */
export const sameFor = <T>(commands: readonly CommandName[], of: T) =>
  Object.fromEntries(commands.map((name) => [name, of]))

/** The options of a simulator, on the command line and of `createSimulator`. */
export const simulatorOptions = {
  port: {
    takes: whole(0, 65_535, ', where 0 takes a free port'),
    help: `port of the API, 0 for a free one (default: ${defaultPort})`,
    helpOf: {
      exec: 'port of the API, 0 for a free one (default: a free one)',
      ui: 'port of the page, 0 for a free one (default: a free one)',
      doctor: `port to check (default: ${defaultPort})`,
    },
  },
  host: {
    takes: host,
    help: 'address to listen on; one that other machines reach needs --control-token',
    helpOf: { doctor: 'address to check' },
    fallback: '127.0.0.1',
  },
  dataDir: {
    takes: folder,
    help: 'persist chains and accounts in this folder, also what forks have read (default: in memory only)',
    helpOf: { data: 'the data folder; required' },
  },
  fromExport: {
    takes: file,
    alias: 'snapshot',
    help: 'start from a file of "svc-sim data export"; with a new --data-dir, continue there',
  },
  apiKey: {
    library: 'apiKeys',
    takes: token('KEY'),
    many: true,
    help: `API key to accept; each has its own prime account (default: ${defaultApiKey}; with a --host that other machines reach, a random one, printed at the start)`,
    helpOf: {
      scenario: `API key to send to the simulator of --base-url (default: ${defaultApiKey})`,
      ...sameFor(
        ['mcp', 'verify'],
        `API key to send (default: SVC_API_KEY, otherwise ${defaultApiKey})`,
      ),
    },
    once: ['scenario', 'mcp', 'verify'],
  },
  revokedApiKey: {
    library: 'revokedApiKeys',
    takes: token('KEY'),
    many: true,
    help: 'API key that gets 401 api_key_revoked',
  },
  seed: {
    takes: seed,
    help: 'the same seed gives the same ids in every run (default: random)',
    helpOf: { swarm: 'the same seed draws the same schedules of faults (default: random)' },
  },
  clock: {
    takes: clock,
    help: 'real: runs with the machine; frozen: moves only when you advance it; auto: jumps ahead when everything waits; frozen@ and auto@ take a time, such as 2026-01-01T00:00:00Z or now (default: real, or as the data folder was left)',
    helpOf: {
      swarm:
        'clock of the worlds, as for start; auto skips waits (default: auto@now, which begins at the machine’s time)',
    },
  },
  fork: {
    takes: {
      value: 'NET=URL[,URL...][@BLOCK]',
      parse: parseFork,
      split: splitForks,
      // Checked when the chains are opened.
      problem: () => undefined,
    },
    many: true,
    isSecret: true,
    help: 'fork a network from an RPC endpoint, at a block or the newest; if one URL fails, the next is used; the other networks stay offline; a data folder stays at the block of its first start',
    helpOf: {
      bundle:
        'create: network to record from an RPC endpoint, up to a block or the newest; if one URL fails, the next is used',
    },
  },
  bundle: {
    takes: folder,
    help: 'fork the networks of this bundle without an endpoint; with --fork, missing state is read from there; a new data folder takes the bundle over',
  },
  assumeEmpty: {
    takes: matching(
      'ADDRESS',
      /^(signers|0x[0-9a-fA-F]{40})$/,
      'it must be an address (0x and 40 hex digits), or signers',
      (text) => text.toLowerCase(),
    ),
    many: true,
    help: 'take this address for empty where the bundle has recorded nothing of it; signers means the signers of all sub-accounts, the recorded ones included',
    helpOf: {
      bundle:
        'create: take this address for empty whenever the bundle is used, where it has recorded nothing of it; signers means the signers of all sub-accounts, the recorded ones included',
    },
  },
  saveBundle: { help: 'at the end, add what was read from --fork to the bundle' },
  forkCache: {
    takes: folder,
    help: 'cache of what forks read, for the next start at the same block, or none (default: in your cache folder; with --data-dir in that folder)',
    helpOf: {
      bundle:
        'create: cache of what was read, for the next bundle at the same block, or none (default: in your cache folder)',
    },
  },
  forkMaxRequests: {
    takes: { ...whole(0, Number.MAX_SAFE_INTEGER), parse: wholeCount.parse },
    help: 'limit of requests to the endpoints of forks; further ones fail with an error that says so (default: no limit)',
    helpOf: { bundle: 'create: limit of requests to the endpoints (default: no limit)' },
  },
  scenario: {
    library: false,
    takes: file,
    help: 'prepare the accounts, funds and faults of this scenario file; your client acts',
  },
  scenarios: {
    takes: folder,
    help: 'folder with more scenario files to play (GET /_sim/scenarios)',
  },
  trace: { takes: file, help: 'record the run in this file; "svc-sim ui FILE" shows it' },
  rpcPortBase: {
    takes: whole(1, 65_531, ': it and the four ports after it are used'),
    help: 'first of five ports in a row, each the JSON-RPC of one network (default: only at /rpc/NET of the API)',
  },
  rpcUnsafe: {
    help: 'allow JSON-RPC that can break the simulator: mining off, time of one chain, resets, extreme fees and gas',
  },
  keepBlocks: {
    takes: whole(fewestKeptBlocks, Number.MAX_SAFE_INTEGER),
    help: 'keep the transactions of the latest N blocks of each network only, for runs of weeks (default: all; 1,000 executions take about 25 MB)',
  },
  allowedHost: {
    library: 'allowedHosts',
    takes: { value: 'NAME', parse: allowedHost },
    many: true,
    help: 'host name to allow in requests (Host), with or without port, for compose and proxies',
  },
  advertise: {
    commands: ['start'],
    takes: advertisedUrl,
    help: 'URL by which clients reach this simulator, behind a proxy or load balancer: URLs of worlds begin with it (default: the host of the request)',
  },
  corsOrigin: {
    library: 'corsOrigins',
    takes: { value: 'ORIGIN', parse: corsOrigin },
    many: true,
    help: 'origin of a browser app that may call the API and /rpc; loopback: all apps of this machine, none: no app',
    fallback: defaultCorsOrigins,
  },
  controlToken: {
    takes: token('TOKEN'),
    help: 'bearer token to require for the control API and /rpc; needed when other machines reach --host',
    helpOf: sameFor(
      ['fund', 'scenario', 'why', 'env', 'coverage', 'mcp'],
      'control token of the running simulator, if it was started with one (default: SVC_CONTROL_TOKEN, which exec sets)',
    ),
  },
  worlds: {
    takes: howMany,
    help: 'number of worlds to keep ready for leases, for parallel tests (default: 0; each then starts when it is requested)',
  },
  maxWorlds: { takes: howMany, help: 'limit of worlds, about 160 MB each (default: 32)' },
  noUi: { help: 'leave out the dashboard at /_sim/ui/' },
} as const satisfies Record<string, OptionSpec>

type Table = typeof simulatorOptions
type LibraryName<N extends keyof Table> = Table[N] extends {
  library: infer L extends PropertyKey | false
}
  ? L
  : N

/** The options of the table by the library's names. Fails to compile if `SimulatorOptions` lacks one or has another type for it. */
export type OptionsOfTable = Agreeing<{
  [N in Exclude<keyof Table, 'fork'> as Exclude<LibraryName<N>, false>]: OptionValue<Table[N]>
}>
type Agreeing<
  T extends {
    [N in keyof T]: N extends keyof SimulatorOptions ? SimulatorOptions[N] | undefined : never
  },
> = T
