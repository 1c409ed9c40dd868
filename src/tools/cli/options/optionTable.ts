import {
  anyText,
  type CommandName,
  commandNames,
  file,
  folder,
  howMany,
  matching,
  type OptionSpec,
  type OptionValue,
  oneOf,
  url,
  wholeCount,
} from '../../../simulator/options/optionSpec.js'
import type { SimulatorOptions } from '../../../simulator/options/options.js'
import { sameFor, simulatorOptions } from '../../../simulator/options/simulatorOptions.js'
import { parseClock } from '../../../time/clock.js'
import { findingKinds } from '../../swarm/types.js'

const anyUrl = url(
  /^https?:\/\//,
  'it must be an http:// or https:// address, for example http://127.0.0.1:4477',
)
const reporters = ['pretty', 'json', 'tap', 'junit'] as const

/** A time in whole seconds. */
const seconds = (value: string) => ({
  value,
  parse(given: string): number {
    if (/^\d{1,9}$/.test(given) && Number(given) <= 86_400) return Number(given)
    throw new Error('it must be a whole number of seconds from 0 to 86400')
  },
})

/** A time such as `90s`, `10m` or `2h`, in seconds. */
const span = matching(
  'TIME',
  /^(?!0+[smh]$)\d{1,6}[smh]$/,
  'it must be a time such as 90s, 10m or 2h',
  (given) => Number.parseInt(given, 10) * ({ s: 1, m: 60, h: 3_600 }[given.at(-1)!] ?? 1),
)

const instant = {
  value: 'TIME',
  parse(given: string): number {
    const start = /^\d{4}-/.test(given) ? parseClock(`frozen@${given}`) : undefined
    if (start?.mode === 'frozen' && start.atMs !== 'earliest') return Math.floor(start.atMs / 1000)
    throw new Error('it must be an instant such as 2026-01-01T00:00:00Z')
  },
}

/** Options of one command, with what its help says of them. */
const of = <const T extends Record<string, OptionSpec>>(command: CommandName, options: T) =>
  Object.fromEntries(
    Object.entries(options).map(([name, spec]) => [name, { commands: [command], ...spec }]),
  ) as { [N in keyof T]: T[N] & { commands: readonly CommandName[] } }

/** Every option of every command: flags, variables, keys of the file, help, values and reference follow from it. */
const optionTable = {
  ...simulatorOptions,
  drainSeconds: {
    commands: ['start'],
    takes: seconds('N'),
    help: 'after SIGTERM, lease no more worlds, and wait up to N seconds for the leases to end',
    fallback: 0,
  },
  json: {
    commands: ['start', 'ui'],
    help: 'print one line of JSON when ready, instead of the banner',
    helpOf: {
      why: 'print the timeline as JSON',
      data: 'print the result as JSON',
      bundle: 'print what the bundle holds as JSON',
      doctor: 'print the checks as JSON',
      fund: 'print the balance as JSON',
      env: 'print how to reach it as JSON; the same as --format json',
      openapi: 'print JSON; the same as --format json',
      ...sameFor(
        ['verify', 'swarm', 'coverage', 'scenario'],
        'print the report as JSON; the same as --reporter json',
      ),
    },
  },
  log: {
    takes: oneOf('FORMAT', ['pretty', 'requests', 'json']),
    help: 'log on standard error: pretty, a line for each refused request and each failure; requests, a line for every request; json, every request as one JSON object per line',
    fallback: 'pretty',
  },
  quiet: { help: 'print only the reason when it fails: no banner, steps or refused requests' },
  verbose: { help: 'also print the steps of the start, RPC URLs, actors and contracts' },
  noColor: {
    commands: commandNames,
    help: 'print without colours, also on a terminal; the variable NO_COLOR does the same',
  },
  ...of('fund', {
    account: {
      takes: anyText('ID'),
      many: true,
      help: 'sub-account whose wallet gets the funds (acc_...); required',
      helpOf: { bundle: 'create: address of a signer whose account will be used from the bundle' },
      once: ['fund'],
    },
    asset: { takes: anyText('SYMBOL'), help: 'symbol of the asset, such as USDC; required' },
    amount: {
      takes: anyText('N'),
      help: 'amount to add, in the smallest unit of the asset (1000000 is 1 USDC); required',
    },
    network: {
      takes: anyText('NET'),
      help: 'network that gets the funds: mainnet, base, arbitrum, optimism or polygon; required',
    },
  }),
  at: {
    commands: ['bundle'],
    takes: instant,
    help: 'create: moment to record, for example 2026-01-01T00:00:00Z: each network’s last block by then (default: the newest that all have reached)',
  },
  baseUrl: {
    commands: ['fund', 'why', 'env', 'coverage'],
    takes: anyUrl,
    help: 'URL of the running simulator (default: SVC_BASE_URL, which exec sets, otherwise http://127.0.0.1:4477)',
    helpOf: {
      scenario:
        'URL of a running simulator to play the scenarios on (default: one is started for each)',
      mcp: 'URL of a running simulator (default: SVC_BASE_URL, otherwise one that the agent starts)',
      verify: 'URL of the server to check (default: SVC_BASE_URL, otherwise http://127.0.0.1:4477)',
    },
  },
  reporter: {
    commands: ['scenario', 'coverage'],
    takes: oneOf('NAME', reporters),
    takesOf: sameFor(['verify', 'swarm'], oneOf('NAME', ['pretty', 'json', 'junit'])),
    help: 'form of the results: pretty, json, tap or junit',
    helpOf: sameFor(['verify', 'swarm'], 'form of the results: pretty, json or junit'),
    fallback: 'pretty',
  },
  require: {
    commands: ['coverage'],
    takes: anyText('CELL'),
    many: true,
    help: 'response that a client must have received, such as 409:plan_stale@execute; exits with 1 if none has',
    helpOf: {
      exec: 'response that the command must have received, such as 409:plan_stale@execute; if it succeeds without one, exits with 1',
    },
  },
  ...of('verify', {
    only: {
      takes: oneOf('REACH', ['read', 'plan', 'all']),
      help: 'read: reads, and requests that are refused; plan: also creates accounts and plans; all: also executes them',
      fallback: 'all',
    },
    fundUrl: {
      takes: anyUrl,
      isSecret: true,
      help: 'URL that pays: it receives a POST of {address, asset, amount, network}, like /_sim/fund',
      helpOf: {
        scenario:
          'URL that pays on a server that is no simulator: it receives a POST of {address, asset, amount, network}',
      },
    },
    fundCmd: {
      takes: anyText('CMD'),
      isSecret: true,
      help: 'command that pays, without a shell: {address}, {account_id}, {asset}, {amount} and {network} are replaced in it, and its environment has SVC_FUND_ADDRESS and so on',
      helpOf: {
        scenario:
          'command that pays on a server that is no simulator, without a shell: {address}, {account_id}, {asset}, {amount} and {network} are replaced in it',
      },
    },
    record: { takes: file, help: 'record the run in this file, without ids, times and amounts' },
    against: {
      takes: file,
      help: 'compare with a recorded run; exits with 1 if the server has changed since',
    },
    baseline: {
      takes: file,
      help: 'accept the differences of a recorded run; exits with 1 only if a smaller part of an axis holds',
    },
    brief: {
      help: 'print only differences and scores, not every documented response',
      helpOf: { why: 'print only what it has come to, and what to do next' },
    },
  }),
  ...of('why', {
    cursor: {
      takes: wholeCount,
      help: 'of an id that came again after a reset or restore: the life of this cursor of the journal (default: the present life, otherwise the newest)',
    },
  }),
  ...of('swarm', {
    runs: {
      takes: wholeCount,
      help: 'number of fault schedules to try (default: 100; no limit with --for)',
    },
    for: { takes: span, help: 'how long to try new schedules, such as 90s, 10m or 2h' },
    jobs: {
      takes: howMany,
      help: 'number of worlds that run side by side (default: two for each core; each takes about 250 MB)',
    },
    profile: {
      takes: anyText('NAME|FILE'),
      help: 'faults to draw: survivable, which a good client survives; any, also those that no client can repair; open, also other readings of the interface; or a file',
      fallback: 'survivable',
    },
    shrinkRuns: {
      takes: wholeCount,
      help: 'limit of runs for shrinking one finding',
      fallback: 40,
    },
    bail: {
      takes: wholeCount,
      help: 'end the search after this many different findings that show again (default: no limit)',
    },
    finding: {
      takes: oneOf('KIND', findingKinds),
      many: true,
      help: 'look only for this finding, such as moved_twice',
      fallback: findingKinds,
    },
    timeout: {
      takes: seconds('SECONDS'),
      help: 'how long a run may take in all (default: besides waiting for responses, ten times the run without faults, and at least 15)',
    },
    restart: {
      help: 'also kill the command at single requests, and run it again: for clients that persist their state (in SVC_RUN_DIR)',
    },
    resume: {
      takes: folder,
      help: 'go on with the search whose --out was DIR, from the run after its last one',
    },
    replay: { takes: file, help: 'run the scenario of a finding three times, instead of a search' },
  }),
  transcript: {
    commands: ['scenario'],
    takes: file,
    help: 'write every request and response to this file, one line of JSON each',
  },
  ...of('openapi', {
    control: { help: 'print the document of the control API instead of the service API' },
    oas: {
      takes: oneOf('VERSION', ['3.1', '3.0']),
      help: 'version of OpenAPI, 3.1 or 3.0',
      fallback: '3.1',
    },
    forClients: {
      help: 'for client generators: leave out what only the simulator has, such as its headers',
    },
    format: {
      takes: oneOf('FORMAT', ['yaml', 'json', 'sh', 'dotenv']),
      help: 'yaml or json (default: by the name of --out, otherwise yaml)',
      helpOf: { env: 'sh, dotenv or json (default: sh)' },
    },
  }),
  probe: {
    commands: ['corpus'],
    takes: anyText('NAME'),
    help: 'print only the scenario of this probe, for "svc-sim scenario run"',
  },
  schema: { commands: ['corpus'], help: 'print the JSON Schema of the corpus instead' },
  out: {
    commands: ['openapi', 'corpus'],
    takes: anyText('PATH'),
    help: 'write to this file instead of standard output',
    helpOf: {
      bundle: 'create: folder to write the bundle to',
      swarm: 'folder for scenarios and traces (default: swarm)',
    },
  },
  overwrite: {
    commands: ['data'],
    help: 'export: replace an existing file',
    helpOf: { bundle: 'create: replace an existing folder' },
  },
} as const satisfies Record<string, OptionSpec>

export type OptionName = keyof typeof optionTable

/** The table without the type of each option. */
export const optionSpecs: Record<OptionName, OptionSpec> = optionTable
export const optionNames = Object.keys(optionTable) as OptionName[]

export type OptionValues = { [N in OptionName]: OptionValue<(typeof optionTable)[N]> }

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
