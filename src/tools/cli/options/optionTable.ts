import {
  baseUrl,
  commandNames,
  instant,
  type OptionSpec,
  oneOf,
  seconds,
} from '../../../simulator/options/optionSpec.js'
import type { SimulatorOptions } from '../../../simulator/options/options.js'
import { each, simulatorOptions } from '../../../simulator/options/simulatorOptions.js'
import { swarmOptions, verifyOptions } from './searchOptions.js'

const running = ['start', 'exec'] as const

type Reporter = 'pretty' | 'tap' | 'junit' | 'json'

/** Every option of every command: the one place from which flags, environment, file keys, help and values follow. */
export const optionTable = {
  ...simulatorOptions,
  drainSeconds: {
    commands: ['start'],
    value: 'N',
    help: 'after SIGTERM, lease no more worlds, and wait up to N seconds for the leases to end',
    parse: seconds,
    fallback: 0,
  },
  json: {
    commands: [
      ...['start', 'why', 'verify', 'data', 'bundle', 'ui', 'doctor', 'coverage', 'scenario'],
      ...['fund', 'env', 'swarm', 'openapi'],
    ],
    help: 'print one line of JSON when ready, instead of the banner',
    helpOf: {
      why: 'print the timeline as JSON',
      data: 'print the result as JSON',
      bundle: 'print what the bundle holds as JSON',
      doctor: 'print the checks as JSON',
      fund: 'print the balance as JSON',
      env: 'print how to reach it as JSON; the same as --format json',
      openapi: 'print JSON; the same as --format json',
      ...each(
        ['verify', 'swarm', 'coverage', 'scenario'],
        'print the report as JSON; the same as --reporter json',
      ),
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
  noColor: {
    commands: commandNames,
    help: 'print without colours, also on a terminal; the variable NO_COLOR does the same',
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
    help: 'form of the results: pretty, json, tap or junit',
    helpOf: each(['verify', 'swarm'], 'form of the results: pretty, json or junit'),
    parse: oneOf<Reporter>(['pretty', 'json', 'tap', 'junit']),
    parseOf: each(['verify', 'swarm'], oneOf<Reporter>(['pretty', 'json', 'junit'])),
    fallback: 'pretty',
  },
  require: {
    commands: ['exec', 'coverage'],
    value: 'CELL',
    many: true,
    help: 'response that a client must have received, such as 409:plan_stale@execute; exits with 1 if none has',
    helpOf: {
      exec: 'response that the command must have received, such as 409:plan_stale@execute; if it succeeds without one, exits with 1',
    },
    fallback: [],
  },
  ...verifyOptions,
  ...swarmOptions,
  transcript: {
    commands: ['scenario'],
    value: 'FILE',
    help: 'write every request and response to this file, one line of JSON each',
  },
  control: {
    commands: ['openapi'],
    help: 'print the document of the control API instead of the service API',
  },
  oas: {
    commands: ['openapi'],
    value: 'VERSION',
    help: 'version of OpenAPI, 3.1 or 3.0',
    parse: oneOf(['3.1', '3.0'] as const),
    fallback: '3.1',
  },
  forClients: {
    commands: ['openapi'],
    help: 'for client generators: leave out what only the simulator has, such as its headers',
  },
  format: {
    commands: ['openapi', 'env'],
    value: 'FORMAT',
    help: 'yaml or json (default: by the name of --out, otherwise yaml)',
    helpOf: { env: 'sh, dotenv or json (default: sh)' },
    parse: oneOf(['yaml', 'json', 'sh', 'dotenv'] as const),
  },
  schema: {
    commands: ['corpus'],
    help: 'print the JSON Schema of the corpus instead',
  },
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

/** The options of a command, as the simulator that it starts takes them. */
export function simulatorOptionsOf(values: Partial<OptionValues>): SimulatorOptions {
  const given = Object.entries<OptionSpec>(simulatorOptions).flatMap(
    ([name, { library = name }]) => {
      const value = values[name as OptionName]
      return library === false || value === undefined ? [] : [[library, value]]
    },
  )
  const { fork = [] } = values
  const targets = fork.map(({ network, ...target }) => [network, target])
  return { ...Object.fromEntries(given), fork: Object.fromEntries(targets) }
}

/** `dataDir` -> `data-dir`: the flag without dashes, and the key in the file. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** `dataDir` -> `SVC_SIM_DATA_DIR`. */
export function variableOf(name: string): string {
  return `SVC_SIM_${flagOf(name).replaceAll('-', '_').toUpperCase()}`
}
