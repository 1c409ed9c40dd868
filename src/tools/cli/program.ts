import { Command, CommanderError, Option } from 'commander'
import { packageVersion, shownPackageFile } from '../../lib/files/packageFile.js'
import {
  type CommandName,
  commandsOf,
  type OptionSpec,
} from '../../simulator/options/optionSpec.js'
import { ConfigError, configFileName, type Flags, readOptions } from './options/config.js'
import {
  flagOf,
  type OptionName,
  type OptionValues,
  optionNames,
  optionSpecs,
} from './options/optionTable.js'
import { sayFailure, setOutput, surviveClosedOutput } from './process/output.js'

/** What a command does with its options and the words after them; resolves to the exit code. */
type Action = (values: OptionValues, words: readonly string[]) => Promise<number>

const version = packageVersion()

// Each command's code is loaded when it is asked for: the others' would only delay the nodes.
const actions: Record<CommandName, Action> = {
  start: async (values) => (await import('./commands/start.js')).start(values, version),
  exec: async (values, words) => (await import('./commands/exec.js')).exec(values, words),
  fund: async (values) => (await import('./commands/fund.js')).fund(values),
  scenario: async (values, words) =>
    (await import('./commands/scenario.js')).scenario(values, words),
  why: async (values, words) => (await import('./commands/why.js')).why(values, words),
  env: async (values) => (await import('./commands/env.js')).env(values),
  coverage: async (values) => (await import('./commands/coverage.js')).coverage(values),
  verify: async (values) => (await import('./commands/verify.js')).verify(values),
  corpus: async (values) => (await import('./commands/corpus.js')).corpus(values),
  swarm: async (values, words) => (await import('./commands/swarm.js')).swarmCommand(values, words),
  openapi: async (values) => (await import('./commands/openapi.js')).openapi(values),
  data: async (values, words) => (await import('./commands/data.js')).data(values, words, version),
  bundle: async (values, words) => (await import('./commands/bundle.js')).bundle(values, words),
  mcp: async (values) => (await import('./commands/mcp.js')).mcp(values, version),
  ui: async (values, words) => (await import('./commands/ui.js')).ui(values, words),
  doctor: async (values) => (await import('./commands/doctor.js')).doctor(values),
}

const descriptions: Record<CommandName, string> = {
  start: 'start the simulator and print its URL, key and pages; Ctrl-C stops it',
  exec: 'start the simulator, run a command against it, stop, and exit with its code',
  fund: 'give funds to a sub-account of a running simulator',
  scenario: 'run scripted fault scenarios; exits with 1 when one fails',
  why: 'print the timeline of an account, plan, activity, intent, request, transaction or fault rule of a running simulator',
  env: 'print how to reach a running simulator: eval "$(svc-sim env)" points a shell at it',
  coverage: 'list the documented responses that clients of a running simulator have received',
  verify:
    'check any server against the interface: exits with 1 if something differs, 2 if the run cannot finish',
  corpus:
    'print the probes of verify as scenarios, to play them again or for runners in other languages',
  swarm:
    'search for faults that break a command, shrink them, and write them as scenarios; exits with 1 when it finds something, 2 when it cannot search',
  openapi: 'print the OpenAPI document',
  data: 'check or compact a data folder, export it to one file, or import it',
  bundle:
    'record networks as of one moment, to fork them without an endpoint; inspect such a bundle',
  mcp: 'serve coding agents over the Model Context Protocol, on standard input and output',
  ui: 'show the trace of a run in a browser, read-only',
  doctor: 'check that the simulator can run here, and say what to do if it cannot',
}

/** Runs the command line (without node and script); resolves to the exit code. 2 is for a command line that is wrong. */
export async function run(args: readonly string[]): Promise<number> {
  surviveClosedOutput()
  let code = 0
  const program = createProgram((exitCode) => {
    code = exitCode
  })
  try {
    await program.parseAsync(withSeparator(args), { from: 'user' })
    return code
  } catch (error) {
    // Commander has already written what it has to say.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    sayFailure(error)
    const isMistyped =
      error instanceof ConfigError ||
      ['ScenarioFileError', 'TraceFileError', 'VariableError'].includes((error as Error).name)
    return isMistyped ? 2 : 1
  }
}

/** Commander drops the `--`, behind which `scenario` has a command, unless there are two. */
function withSeparator(args: readonly string[]): readonly string[] {
  const at = args[0] === 'scenario' ? args.indexOf('--') : -1
  return at < 0 ? args : [...args.slice(0, at), '--', ...args.slice(at)]
}

/** What Commander says of a mistake. Some words that people try are routes of the control API. */
function errorText(text: string): string {
  const [, word] = /unknown command '((?:fault|snapshot)s?|clock|reset|restore)'/.exec(text) ?? []
  if (word === undefined) return text.replace(/^error:/, 'svc-sim:')
  const guide = shownPackageFile('docs/guides/shell.md')
  return `svc-sim: unknown command '${word}'. Use the control API for this, for example with curl: ${guide} has the requests.\n`
}

/** The whole command line. `ended` gets the exit code of the command that ran. */
export function createProgram(ended: (code: number) => void): Command {
  const program = new Command('svc-sim')
    .description('A local simulator of a DeFi sub-account plan service.')
    .version(version)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(errorText(text)) })
    .showHelpAfterError('See "svc-sim --help", or "svc-sim COMMAND --help".')
    .enablePositionalOptions()
    .addHelpText('after', `\n${otherPlaces}\n`)
  const others = (Object.keys(actions) as CommandName[]).filter(
    (name) => !mainCommands.includes(name),
  )
  for (const name of [...mainCommands, ...others]) {
    program.commandsGroup(mainCommands.includes(name) ? 'Start here:' : 'More commands:')
    const command = program.command(name).description(descriptions[name])
    addOptions(command, name)
    const lines = examples[name].map((each) => `  svc-sim ${each}\n`).join('')
    command.addHelpText('after', `\nExamples:\n${lines}\n${otherPlaces}\n`)
    if (name === 'exec' || name === 'swarm') {
      command
        .usage('[options] -- COMMAND [ARGUMENTS...]')
        .argument(
          '<command...>',
          'command to run; SVC_BASE_URL and SVC_API_KEY in its environment point at the simulator',
        )
        .passThroughOptions()
    }
    if (name === 'why')
      command.argument(
        '<id>',
        'acc_..., pln_..., act_..., qi_..., req_..., 0x... (a transaction) or the id of a fault rule',
      )
    if (name === 'ui') command.argument('<file>', 'a file of --trace')
    if (name === 'data') {
      command
        .usage('[options] check | compact | export FILE | import FILE')
        .argument(
          '<verb>',
          'check: describes the folder and verifies it, changes nothing; ' +
            'compact: rewrites the folder so that the next start is quick; ' +
            'export: writes it to one file, after a compact if necessary; ' +
            'import: makes a new data folder from such a file',
        )
        .argument('[file]', 'the export; "svc-sim start --from-export FILE" starts from it')
    }
    if (name === 'bundle') {
      command
        .usage('[options] create | inspect DIR')
        .argument(
          '<verb>',
          'create: records the networks of --fork as of one moment, with what plans and folios of each --account need; ' +
            'inspect: describes a bundle and verifies it',
        )
        .argument('[dir]', 'the bundle; "svc-sim start --bundle DIR" starts from it')
    }
    if (name === 'scenario') {
      command
        .usage('[options] run FILE... | run FILE -- COMMAND [ARGUMENTS...] | schema')
        .argument(
          '<verb>',
          'run: plays the files, or prepares the world of one file and runs a command in it; schema: prints the JSON Schema of the files',
        )
        .argument('[file...]', 'scenario files (YAML)')
    }
    command.action(async () => {
      const values = readOptions(name, flagsOf(command))
      if (values.noColor) setOutput({ isColoured: false })
      ended(await actions[name](values, command.args))
    })
  }
  return program
}

const otherPlaces = `Each option can also be set as a variable or in ${configFileName}: ${shownPackageFile('docs/reference/environment.md')}`

/** What was written. Commander takes `--no-ui` for an option `ui` that is true until it is denied. */
function flagsOf(command: Command): Flags {
  const { ui, color, ...flags } = command.opts<Flags & { ui?: boolean; color?: boolean }>()
  return {
    ...flags,
    ...(ui === false && { noUi: true }),
    ...(color === false && { noColor: true }),
  }
}

function addOptions(command: Command, of: CommandName): void {
  for (const name of optionNames) {
    const spec = optionSpecs[name]
    const { takes, many, alias, help, helpOf } = spec
    if (!commandsOf(spec).includes(of)) continue
    const value = takes ? ` <${takes.value}>` : ''
    const option = new Option(
      `--${flagOf(name)}${value}`,
      `${helpOf?.[of] ?? help}${describe(spec, of)}`,
    )
    if (many) option.argParser(collect)
    const group = groupOf(of, name)
    if (group !== undefined) option.helpGroup(group)
    command.addOption(option)
    if (alias) command.addOption(new Option(`--${flagOf(alias)}${value}`).hideHelp())
  }
}

/** The end of an option's help: its default, and whether it may be repeated. */
function describe({ fallback, many, once }: OptionSpec, of: CommandName): string {
  const values = [fallback].flat().filter((value) => value !== undefined && value !== false)
  const isDefault = values.length > 0 ? ` (default: ${values.join(', ')})` : ''
  return `${isDefault}${many && !once?.includes(of) ? ' (repeatable)' : ''}`
}

function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}

/** The commands that most people need, in the order in which they need them; the help lists them first. */
const mainCommands: readonly CommandName[] = ['start', 'exec', 'env', 'why', 'doctor']

/** Two ways to use each command. */
const examples: Record<CommandName, readonly [string, string]> = {
  start: ['start', 'start --clock auto --data-dir sim-data'],
  exec: ['exec -- npm test', 'exec --scenario stuck-bridge.yaml -- npm test'],
  fund: [
    'fund --account acc_3vd81mz5c0xe --asset USDC --amount 1000000 --network base',
    'fund --account acc_3vd81mz5c0xe --asset ETH --amount 1000000000000000000 --network mainnet --json',
  ],
  scenario: ['scenario run scenarios/*.yaml', 'scenario schema'],
  why: ['why act_3vd81mz5c0xe', 'why --brief acc_3vd81mz5c0xe'],
  env: ['env', 'env --format dotenv > .env'],
  coverage: ['coverage', 'coverage --require 409:plan_stale@execute'],
  verify: ['verify --only read', 'verify --base-url https://sandbox.example --api-key KEY --json'],
  corpus: [
    'corpus --out corpus.json',
    'corpus --probe "a signer has one account" --out probe.json',
  ],
  swarm: ['swarm -- node my-client.mjs', 'swarm --for 10m --jobs 2 -- npm test'],
  openapi: ['openapi --out openapi.yaml', 'openapi --control --json'],
  data: ['data check --data-dir sim-data', 'data export monday.svc --data-dir sim-data'],
  bundle: ['bundle create --fork base=https://rpc.example --out base', 'bundle inspect base'],
  mcp: ['mcp', 'mcp --base-url http://127.0.0.1:4477'],
  ui: ['ui run.trace', 'ui --port 4500 run.trace'],
  doctor: ['doctor', 'doctor --port 4500 --json'],
}

const groups: Record<string, readonly string[]> = {
  'Address and access:': [
    ...(['port', 'host', 'allowedHost', 'corsOrigin', 'advertise', 'rpcPortBase'] as const),
    ...(['rpcUnsafe', 'apiKey', 'revokedApiKey', 'controlToken', 'noUi'] as const),
  ],
  'State and time:': ['dataDir', 'fromExport', 'seed', 'clock', 'keepBlocks'],
  'Forks:': [
    ...(['fork', 'bundle', 'assumeEmpty', 'saveBundle', 'forkCache', 'forkMaxRequests'] as const),
  ],
  'Faults and records:': ['scenario', 'scenarios', 'trace', 'require'],
  'Worlds for parallel tests:': ['worlds', 'maxWorlds', 'drainSeconds'],
  'Output:': ['json', 'log', 'quiet', 'verbose', 'noColor'],
}

/** The group of an option of `start` and `exec`, which have too many for one list. */
export function groupOf(command: CommandName, option: OptionName): string | undefined {
  if (command !== 'start' && command !== 'exec') return undefined
  return Object.keys(groups).find((name) => groups[name]!.includes(option))
}
