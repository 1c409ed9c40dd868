import { allowedHost, corsOrigin, defaultCorsOrigins } from '../../../http/core/originPolicy.js'
import { defaultApiKey } from '../../../simulator/options/keys.js'
import { documentOptions } from './documentOptions.js'
import { fleetOptions } from './fleetOptions.js'
import { forkOptions } from './forkOptions.js'
import {
  baseUrl,
  clock,
  host,
  howMany,
  instant,
  oneOf,
  port,
  portBase,
  seed,
  token,
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
  /** What commands say for which the option means something else; the others say `help`. */
  helpOf?: Partial<Record<CommandName, string>>
  /** Commands that take it once, although it is a list for others. */
  once?: readonly CommandName[]
  /** Its text may hold a key and is not repeated in errors. */
  isSecret?: boolean
  /** Throws with what is wrong with the text. Without it any text will do, or for an option without `value` yes or no. */
  parse?: (text: string) => T
  /** The value when it is given nowhere; false for a yes-or-no option. */
  fallback?: T | readonly T[]
}

/** The same words for several commands. */
const each = (commands: readonly CommandName[], help: string) =>
  Object.fromEntries(commands.map((name) => [name, help]))

/** The port of the API; `exec` takes a free one instead. */
export const defaultPort = 4477

const running = ['start', 'exec'] as const
const fleet = ['worker', 'front'] as const

/** Every option of every command: the one place from which flags, environment, file keys, help and values follow. */
export const optionTable = {
  port: {
    commands: ['start', 'exec', 'ui', 'doctor', ...fleet],
    value: 'N',
    help: `port of the API, 0 for a free one (default: ${defaultPort})`,
    helpOf: {
      exec: 'port of the API, 0 for a free one (default: a free one)',
      worker:
        'port to listen on, 0 for a free one (default: the one of --advertise, or a free one)',
      front: `port to listen on, 0 for a free one (default: ${defaultPort})`,
      ui: 'port of the page, 0 for a free one (default: a free one)',
      doctor: `port to check (default: ${defaultPort})`,
    },
    parse: port,
  },
  host: {
    commands: ['start', 'exec', 'doctor', ...fleet],
    value: 'HOST',
    help: 'address to listen on; one that other machines reach needs --control-token',
    helpOf: {
      worker: 'address to listen on; one that other machines reach needs --fleet-token',
      doctor: 'address to check',
    },
    parse: host,
    fallback: '127.0.0.1',
  },
  dataDir: {
    commands: [...running, 'data'],
    value: 'DIR',
    help: 'persist chains and accounts in this folder, also what forks have read (default: in memory only)',
    helpOf: { data: 'the data folder; required' },
  },
  fromExport: {
    commands: running,
    alias: 'snapshot',
    value: 'FILE',
    help: 'start from a file of "svc-sim data export"; with a new --data-dir, continue there',
  },
  apiKey: {
    commands: [...running, 'scenario', 'mcp', 'verify'],
    value: 'KEY',
    many: true,
    help: `API key to accept; each has its own prime account (default: ${defaultApiKey}; with a --host that other machines reach, a random one, printed at the start)`,
    helpOf: {
      scenario: `API key to send to the simulator of --base-url (default: ${defaultApiKey})`,
      mcp: `API key to send (default: SVC_API_KEY, otherwise ${defaultApiKey})`,
      verify: `API key to send (default: SVC_API_KEY, otherwise ${defaultApiKey})`,
    },
    once: ['scenario', 'mcp', 'verify'],
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
    help: 'the same seed gives the same ids in every run (default: random)',
    helpOf: { swarm: 'the same seed draws the same schedules of faults (default: random)' },
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
  },
  scenarios: {
    commands: running,
    value: 'DIR',
    help: 'folder with more scenario files to play (GET /_sim/scenarios)',
  },
  trace: {
    commands: running,
    value: 'FILE',
    help: 'record the run in this file; "svc-sim ui FILE" shows it',
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
    help: 'bearer token to require for the control API and /rpc; needed when other machines reach --host',
    helpOf: each(
      ['fund', 'scenario', 'why', 'env', 'coverage', 'mcp'],
      'control token of the running simulator, if it was started with one',
    ),
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
  },
  ...fleetOptions,
  json: {
    commands: ['start', 'why', 'verify', 'data', 'bundle', 'ui'],
    help: 'print one line of JSON when ready, instead of the banner',
    helpOf: {
      why: 'print the timeline as JSON',
      verify: 'print the report as JSON; the same as --reporter json',
      data: 'check: print the result as JSON',
      bundle: 'print what the bundle holds as JSON',
    },
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
  },
  verbose: {
    commands: running,
    help: 'also print the steps of the start, RPC URLs, actors and contracts',
  },
  account: {
    commands: ['fund', 'bundle'],
    value: 'ID',
    many: true,
    help: 'sub-account whose wallet gets the funds (acc_...); required',
    helpOf: { bundle: 'create: address of a signer whose account will be used from the bundle' },
    once: ['fund'],
    fallback: [],
  },
  at: {
    commands: ['bundle'],
    value: 'TIME',
    help: 'create: moment to record, for example 2026-01-01T00:00:00Z: each network’s last block by then (default: the newest that all have reached)',
    parse: instant,
  },
  asset: {
    commands: ['fund'],
    value: 'SYMBOL',
    help: 'symbol of the asset, such as USDC; required',
  },
  amount: {
    commands: ['fund'],
    value: 'N',
    help: 'amount to add, in the smallest unit of the asset (1000000 is 1 USDC); required',
  },
  network: {
    commands: ['fund'],
    value: 'NET',
    help: 'network that gets the funds: mainnet, base, arbitrum, optimism or polygon; required',
  },
  baseUrl: {
    commands: ['fund', 'scenario', 'why', 'env', 'coverage', 'mcp', 'verify'],
    value: 'URL',
    help: 'URL of the running simulator (default: SVC_BASE_URL, which exec sets, otherwise http://127.0.0.1:4477)',
    helpOf: {
      scenario:
        'URL of a running simulator to play the scenarios on (default: one is started for each)',
      mcp: 'URL of a running simulator (default: SVC_BASE_URL, otherwise one that the agent starts)',
      verify: 'URL of the server to check (default: SVC_BASE_URL, otherwise http://127.0.0.1:4477)',
    },
    parse: baseUrl,
  },
  reporter: {
    commands: ['scenario', 'coverage', 'verify', 'swarm'],
    value: 'NAME',
    help: 'form of the results: pretty, tap or junit',
    helpOf: each(['verify', 'swarm'], 'form of the results: pretty, json or junit'),
    parse: oneOf(['pretty', 'tap', 'junit', 'json'] as const),
    fallback: 'pretty',
  },
  require: {
    commands: ['coverage'],
    value: 'CELL',
    many: true,
    help: 'response that a client must have received, such as 409:plan_stale@execute; exits with 1 if none has',
    fallback: [],
  },
  ...verifyOptions,
  ...swarmOptions,
  transcript: {
    commands: ['scenario'],
    value: 'FILE',
    help: 'write every request and response to this file, one line of JSON each',
  },
  ...documentOptions,
  out: {
    commands: ['openapi', 'corpus', 'bundle', 'swarm'],
    value: 'PATH',
    help: 'write to this file instead of standard output',
    helpOf: {
      bundle: 'create: folder to write the bundle to',
      swarm: 'folder for scenarios and traces (default: swarm)',
    },
  },
  overwrite: {
    commands: ['data', 'bundle'],
    help: 'export: replace an existing file',
    helpOf: { bundle: 'create: replace an existing folder' },
  },
} as const satisfies Record<string, OptionSpec>

export type OptionName = keyof typeof optionTable

type ValueOf<Spec> = Spec extends { parse: (text: string) => infer T } ? T : string

/** The value that each option has in the end: a list when it may be repeated, undefined when it is given nowhere. */
export type OptionValues = {
  [N in OptionName]: OptionValue<(typeof optionTable)[N]>
}

type OptionValue<Spec> = Spec extends { many: true }
  ? readonly ValueOf<Spec>[]
  : Spec extends { fallback: unknown }
    ? ValueOf<Spec>
    : Spec extends { value: string }
      ? ValueOf<Spec> | undefined
      : boolean

/** `dataDir` -> `data-dir`: the flag without dashes, and the key in the file. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** `dataDir` -> `SVC_SIM_DATA_DIR`. */
export function variableOf(name: string): string {
  return `SVC_SIM_${flagOf(name).replaceAll('-', '_').toUpperCase()}`
}
