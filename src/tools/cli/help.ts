import type { CommandName } from '../../simulator/options/optionSpec.js'
import type { OptionName } from './options/optionTable.js'

/** The commands that most people need, in the order in which they need them; the help lists them first. */
export const mainCommands: readonly CommandName[] = ['start', 'exec', 'env', 'why', 'doctor']

/** Two ways to use each command. */
export const examples: Record<CommandName, readonly [string, string]> = {
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
