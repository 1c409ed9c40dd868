import { devAccounts } from '../../../chain/funds/faucet.js'
import { networkNames, networks } from '../../../deployments/networks.js'
import { isLoopback } from '../../../http/core/originPolicy.js'
import type { Connect } from '../../../http/routes/control/connect.js'
import { namedContracts } from '../../../http/routes/control/snippets.js'
import { defaultPort } from '../../../simulator/options/simulatorOptions.js'
import type { Simulator } from '../../../simulator/sim.js'
import type { OptionValues } from '../options/optionTable.js'

export type Shown = Pick<
  Simulator,
  'url' | 'apiKey' | 'apiKeys' | 'docsUrl' | 'uiUrl' | 'rpc' | 'forks' | 'seed' | 'clock'
>

export type ShownOptions = Pick<OptionValues, 'apiKey' | 'host' | 'dataDir' | 'rpcPortBase'> &
  Partial<Pick<OptionValues, 'fromExport' | 'verbose'>>

/** What `start` prints when it is ready: 15 lines at most, the last one to paste. With `verbose`, all that `svc-sim env` prints too. */
export function banner(simulator: Shown, values: ShownOptions, version: string): string {
  const { url, docsUrl, uiUrl, seed } = simulator
  const { now, mode } = simulator.clock.time()
  const here = url === `http://127.0.0.1:${defaultPort}` ? '' : ` --base-url ${url}`
  return [
    `svc-sim ${version} is ready. Ctrl-C stops it.`,
    '',
    row('API', url),
    row('API key', keysOf(simulator, values)),
    ...(uiUrl === undefined ? [] : [row('Dashboard', uiUrl)]),
    row('Docs', `${url}/_sim/docs/ (API: ${docsUrl})`),
    row('Seed', `${seed} (--seed ${seed} repeats the ids)`),
    row('Clock', `${mode}, ${now}`),
    row('State', values.dataDir ?? stateIn(values)),
    ...forkRow(simulator),
    ...rpcPortRow(values),
    row('More', `npx svc-sim env${here} prints RPC URLs, actors and contracts`),
    '',
    'Next, create an account:',
    createAccount(simulator),
    ...(values.verbose ? ['', ...details(simulator)] : []),
    '',
  ].join('\n')
}

function keysOf({ apiKeys }: Shown, { apiKey, host }: ShownOptions): string {
  const isDrawn = apiKey.length === 0 && !isLoopback(host)
  return `${apiKeys.join(', ')}${isDrawn ? ' (random for this start; --api-key KEY sets a fixed one)' : ''}`
}

function stateIn({ fromExport }: ShownOptions): string {
  const from = fromExport === undefined ? '' : `, from ${fromExport}`
  return `in memory${from}; --data-dir DIR persists it`
}

function forkRow({ forks }: Shown): string[] {
  if (forks.size === 0) return []
  const descriptions = [...forks].map(
    ([name, { host, block }]) => `${name} from ${host} at block ${block}`,
  )
  return [row('Forked', descriptions.join(', '))]
}

function rpcPortRow({ rpcPortBase }: ShownOptions): string[] {
  if (rpcPortBase === undefined) return []
  return [
    row(
      'RPC ports',
      networkNames.map((name, index) => `${rpcPortBase + index} ${name}`).join(', '),
    ),
  ]
}

/** A command that works as printed. */
function createAccount({ url, apiKey }: Shown): string {
  const account = JSON.stringify({ signer_type: 'eoa', signer_address: devAccounts[0]!.address })
  return `curl -sS ${url}/accounts -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '${account}'`
}

function details({ rpc, forks }: Shown): string[] {
  const leftOut = [...forks].flatMap(([name, fork]) =>
    fork.leftOut.map((market) => `${market.name} is left out on ${name}: ${market.why}`),
  )
  return [...reference({ rpc, actors: [...devAccounts], contracts: namedContracts() }), ...leftOut]
}

function row(label: string, text: string): string {
  return `  ${label.padEnd(11)}${text}`
}

/** RPC URLs, actors and contracts, as lines for people. */
export function reference({
  rpc,
  actors,
  contracts,
}: Pick<Connect, 'rpc' | 'actors' | 'contracts'>): string[] {
  const names = Object.keys(contracts)
  const width = Math.max(...names.map((name) => name.length)) + 2
  const row = (label: string, text: string) => `  ${label.padEnd(width)}${text}`
  return [
    'JSON-RPC, HTTP and WebSocket:',
    ...networks.map(({ name, chainId }) => row(name, `${rpc[name]}   (chain id ${chainId})`)),
    '',
    'Actors with 10000 native tokens on every offline network. Their keys are public: never send them anything of value.',
    ...actors.map(({ address, privateKey }) => `  ${address}  ${privateKey}`),
    '',
    'Contracts of the simulator, at the same address on every network:',
    ...names.map((name) => row(name, contracts[name]!)),
  ]
}
