import { allowedHost, corsOrigin, defaultCorsOrigins } from '../../../http/core/originPolicy.js'
import { defaultApiKey } from '../../../simulator/options/keys.js'
import { forkOptions } from './forkOptions.js'
import {
  anyText,
  baseUrl,
  clock,
  host,
  howMany,
  instant,
  oneOf,
  port,
  portBase,
  redisUrl,
  seconds,
  seed,
  token,
  yesOrNo,
} from './optionValues.js'
import { swarmOptions } from './swarmOptions.js'
import { verifyOptions } from './verifyOptions.js'

/** The commands that have options. */
export type CommandName =
  | 'start'
  | 'exec'
  | 'fund'
  | 'scenario'
  | 'why'
  | 'env'
  | 'coverage'
  | 'verify'
  | 'corpus'
  | 'swarm'
  | 'openapi'
  | 'worker'
  | 'front'
  | 'data'
  | 'bundle'
  | 'mcp'
  | 'ui'
  | 'doctor'

/** One option; its flag, environment variable and file key follow from its name in the table. */
export interface OptionSpec<T = unknown> {
  commands: readonly CommandName[]
  /** What stands for the value in the help; absent for a yes-or-no option. */
  value?: string
  /** Another name that is accepted everywhere; the help does not list it. */
  alias?: string
  /** May be given several times; its value is a list. */
  many?: boolean
  /** How a list in one text, as in the environment, is taken apart; at every comma when absent. */
  split?: (text: string) => string[]
  help: string
  /** Its text may hold a key and is not repeated in errors. */
  isSecret?: boolean
  /** Throws with what is wrong with the text. */
  parse: (text: string) => T
  /** The value when it is given nowhere. */
  fallback?: T | readonly T[]
}

/** The port of the API; `exec` takes a free one instead. */
export const defaultPort = 4477

const running = ['start', 'exec'] as const
const fleet = ['worker', 'front'] as const

/** Every option of every command: the one place from which flags, environment, file keys, help and values follow. */
export const optionTable = {
  port: {
    commands: ['start', 'exec', 'ui', 'doctor', ...fleet],
    value: 'N',
    help: `port of the API, 0 for a free one (default: ${defaultPort}; with exec and ui a free one; with worker the one of --advertise)`,
    parse: port,
  },
  host: {
    commands: ['start', 'exec', 'doctor', ...fleet],
    value: 'HOST',
    help: 'address to listen on; one that other machines reach needs --control-token, with worker --fleet-token',
    parse: host,
    fallback: '127.0.0.1',
  },
  dataDir: {
    commands: [...running, 'data'],
    value: 'DIR',
    help: 'persist chains and accounts in this folder, also what forks have read (default: in memory only)',
    parse: anyText,
  },
  fromExport: {
    commands: running,
    alias: 'snapshot',
    value: 'FILE',
    help: 'start from a file of "svc-sim data export"; with a new --data-dir, continue there',
    parse: anyText,
  },
  apiKey: {
    commands: [...running, 'scenario', 'mcp', 'verify'],
    value: 'KEY',
    many: true,
    help: `API key to accept, each with a prime account of its own; for clients, the key to send (default: ${defaultApiKey}; with a --host that other machines reach, a random one, printed at the start)`,
    parse: token,
    fallback: [],
  },
  revokedApiKey: {
    commands: running,
    value: 'KEY',
    many: true,
    help: 'API key that gets 401 api_key_revoked',
    parse: token,
    fallback: [],
  },
  seed: {
    commands: [...running, 'swarm'],
    value: 'N',
    help: 'the same seed gives the same ids in every run (default: random); swarm: of the first schedule (default: drawn)',
    parse: seed,
  },
  clock: {
    commands: running,
    value: 'CLOCK',
    help: 'real: runs with the machine; frozen or frozen@2026-01-01T00:00:00Z: moves only when you advance it; auto: jumps ahead when everything waits (default: real, or as the data folder was left)',
    parse: clock,
  },
  ...forkOptions,
  scenario: {
    commands: running,
    value: 'FILE',
    help: 'prepare the accounts, funds and faults of this scenario file; your client acts',
    parse: anyText,
  },
  scenarios: {
    commands: running,
    value: 'DIR',
    help: 'folder with more scenario files to play (GET /_sim/scenarios)',
    parse: anyText,
  },
  trace: {
    commands: running,
    value: 'FILE',
    help: 'record the run in this file; "svc-sim ui FILE" shows it',
    parse: anyText,
  },
  rpcPortBase: {
    commands: running,
    value: 'N',
    help: 'first of five ports in a row, each the JSON-RPC of one network (default: only at /rpc/NET of the API)',
    parse: portBase,
  },
  rpcUnsafe: {
    commands: [...running, 'worker'],
    help: 'allow JSON-RPC that can break the simulator: mining off, time of one chain, resets, extreme fees and gas',
    parse: yesOrNo,
    fallback: false,
  },
  allowedHost: {
    commands: [...running, 'front'],
    value: 'NAME',
    many: true,
    help: 'host name to allow in requests (Host), with or without port, for compose and proxies',
    parse: allowedHost,
    fallback: [],
  },
  corsOrigin: {
    commands: [...running, ...fleet],
    value: 'ORIGIN',
    many: true,
    help: 'origin of a browser app that may call the API and /rpc; loopback: all apps of this machine, none: no app',
    parse: corsOrigin,
    fallback: defaultCorsOrigins,
  },
  controlToken: {
    commands: [...running, 'front', 'fund', 'scenario', 'why', 'env', 'coverage', 'mcp'],
    value: 'TOKEN',
    help: 'bearer token of the control API and of /rpc, required beyond loopback',
    parse: token,
  },
  worlds: {
    commands: [...running, 'worker'],
    value: 'N',
    help: 'number of worlds to keep ready for leases, for parallel tests (default: 0; each then starts when it is requested)',
    parse: howMany,
  },
  maxWorlds: {
    commands: [...running, 'worker'],
    value: 'N',
    help: 'limit of worlds, about 160 MB each (default: 32)',
    parse: howMany,
  },
  noUi: {
    commands: running,
    help: 'leave out the dashboard at /_sim/ui/',
    parse: yesOrNo,
    fallback: false,
  },
  directory: {
    commands: fleet,
    value: 'URL',
    isSecret: true,
    help: 'Redis or Valkey in which workers and fronts of a fleet find each other: redis://HOST:PORT, or rediss:// for TLS',
    parse: redisUrl,
  },
  advertise: {
    commands: ['worker'],
    value: 'URL',
    help: 'where fronts reach this worker, for example http://10.0.0.5:4500 (default: where it listens)',
    parse: baseUrl,
  },
  fleetToken: {
    commands: fleet,
    value: 'TOKEN',
    isSecret: true,
    help: 'shared secret of workers and fronts',
    parse: token,
  },
  drainSeconds: {
    commands: ['worker'],
    value: 'N',
    help: 'how long a stopping worker waits for its leases to end',
    parse: seconds,
    fallback: 300,
  },
  json: {
    commands: ['start', 'why', 'verify', 'data', 'bundle', 'ui'],
    help: 'print JSON: start and ui one line when ready, why the timeline, verify the report, data what check found, bundle what it holds',
    parse: yesOrNo,
    fallback: false,
  },
  log: {
    commands: running,
    value: 'FORMAT',
    help: 'log on standard error: pretty, a line for each refused request and each failure; requests, a line for every request; json, every request as one JSON object per line',
    parse: oneOf(['pretty', 'requests', 'json'] as const),
    fallback: 'pretty',
  },
  quiet: {
    commands: running,
    help: 'print only the reason when it fails: no banner, steps or refused requests',
    parse: yesOrNo,
    fallback: false,
  },
  verbose: {
    commands: running,
    help: 'also print the steps of the start, RPC URLs, actors and contracts',
    parse: yesOrNo,
    fallback: false,
  },
  account: {
    commands: ['fund', 'bundle'],
    value: 'ID',
    many: true,
    help: 'fund: sub-account whose wallet gets the funds; bundle: address of a signer whose account will be used from it',
    parse: anyText,
    fallback: [],
  },
  at: {
    commands: ['bundle'],
    value: 'TIME',
    help: 'moment to record, for example 2026-01-01T00:00:00Z: each network’s last block by then (default: the newest that all have reached)',
    parse: instant,
  },
  asset: { commands: ['fund'], value: 'SYMBOL', help: 'asset to give, e.g. USDC', parse: anyText },
  amount: {
    commands: ['fund'],
    value: 'N',
    help: 'how much to add, in the smallest unit of the asset (1000000 is one USDC)',
    parse: anyText,
  },
  network: {
    commands: ['fund'],
    value: 'NET',
    help: 'mainnet, base, arbitrum, optimism or polygon',
    parse: anyText,
  },
  baseUrl: {
    commands: ['fund', 'scenario', 'why', 'env', 'coverage', 'mcp', 'verify'],
    value: 'URL',
    help: 'the running simulator (default: SVC_BASE_URL, which exec sets, otherwise http://127.0.0.1:4477; scenario: its own; mcp: the one that the agent starts; verify: any server)',
    parse: baseUrl,
  },
  reporter: {
    commands: ['scenario', 'coverage', 'verify', 'swarm'],
    value: 'NAME',
    help: 'how results are written: pretty, junit, tap (not verify and swarm) or json (verify and swarm)',
    parse: oneOf(['pretty', 'tap', 'junit', 'json'] as const),
    fallback: 'pretty',
  },
  require: {
    commands: ['coverage'],
    value: 'CELL',
    many: true,
    help: 'response that must have been met, such as 409:plan_stale@execute; exits with 1 if it was not',
    parse: anyText,
    fallback: [],
  },
  ...verifyOptions,
  ...swarmOptions,
  transcript: {
    commands: ['scenario'],
    value: 'FILE',
    help: 'write every request and response to this file, one line of JSON each',
    parse: anyText,
  },
  control: {
    commands: ['openapi'],
    help: 'the document of the control API instead of the service',
    parse: yesOrNo,
    fallback: false,
  },
  oas: {
    commands: ['openapi'],
    value: 'VERSION',
    help: 'the version of OpenAPI, 3.1 or 3.0',
    parse: oneOf(['3.1', '3.0'] as const),
    fallback: '3.1',
  },
  forClients: {
    commands: ['openapi'],
    help: 'for client generators: leave out what only the simulator has, such as its headers',
    parse: yesOrNo,
    fallback: false,
  },
  format: {
    commands: ['openapi', 'env'],
    value: 'FORMAT',
    help: 'openapi: yaml or json (default: by the name of --out, otherwise yaml); env: sh, dotenv or json (default: sh)',
    parse: oneOf(['yaml', 'json', 'sh', 'dotenv'] as const),
  },
  schema: {
    commands: ['corpus'],
    help: 'the JSON Schema of the corpus instead',
    parse: yesOrNo,
    fallback: false,
  },
  out: {
    commands: ['openapi', 'corpus', 'bundle', 'swarm'],
    value: 'PATH',
    help: 'openapi and corpus: write to this file instead of standard output; bundle: folder to write to; swarm: folder for scenarios and traces (default: swarm)',
    parse: anyText,
  },
  overwrite: {
    commands: ['data', 'bundle'],
    help: 'allow export or create to replace an existing file or folder',
    parse: yesOrNo,
    fallback: false,
  },
} as const satisfies Record<string, OptionSpec>

export type OptionName = keyof typeof optionTable

/** The value that each option has in the end: a list when it may be repeated, undefined when it is given nowhere. */
export type OptionValues = {
  [N in OptionName]: (typeof optionTable)[N] extends {
    many: true
    parse: (text: string) => infer T
  }
    ? readonly T[]
    : (typeof optionTable)[N] extends { fallback: unknown; parse: (text: string) => infer T }
      ? T
      : ReturnType<(typeof optionTable)[N]['parse']> | undefined
}

/** `dataDir` -> `data-dir`: the flag without dashes, and the key in the file. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** `dataDir` -> `SVC_SIM_DATA_DIR`. */
export function variableOf(name: string): string {
  return `SVC_SIM_${flagOf(name).replaceAll('-', '_').toUpperCase()}`
}
