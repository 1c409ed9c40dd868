import { devAccounts } from '../../../chain/funds/faucet.js'
import { walletAddressOf } from '../../../chain/wallet/wallet.js'
import { networks } from '../../../deployments/networks.js'
import { svcAddresses } from '../../../generated/svc.js'
import { isLoopback } from '../../../http/core/loopback.js'
import type { Simulator } from '../../../simulator/sim.js'
import type { OptionValues } from '../options/optionTable.js'

/** What `start` prints when it is ready: all that a newcomer needs, ending with three commands to paste. */
export function banner(
  simulator: Pick<
    Simulator,
    | 'url'
    | 'apiKey'
    | 'apiKeys'
    | 'controlUrl'
    | 'docsUrl'
    | 'uiUrl'
    | 'rpc'
    | 'forks'
    | 'seed'
    | 'clock'
  >,
  values: Pick<OptionValues, 'apiKey' | 'host' | 'controlToken' | 'dataDir' | 'rpcPortBase'> &
    Partial<Pick<OptionValues, 'snapshot'>>,
  version: string,
): string {
  const { url, controlUrl, docsUrl, uiUrl, rpc, forks } = simulator
  const { now, mode } = simulator.clock.time()
  const { scripts, ...contracts } = svcAddresses
  const isDrawn = values.apiKey.length === 0 && !isLoopback(values.host)
  return [
    '',
    `svc-sim ${version} is ready. Ctrl-C stops it.`,
    '',
    row('API', url),
    ...simulator.apiKeys.map((key) => row('API key', `${key}   (Authorization: Bearer ${key})`)),
    ...(isDrawn
      ? [
          '',
          '  The key was drawn for this start; --api-key gives one that stays, and with it its accounts.',
        ]
      : []),
    ...(uiUrl === undefined ? [] : [row('Dashboard', uiUrl)]),
    row('Docs', `${docsUrl}   (document: ${url}/openapi.json)`),
    row('Health', `${url}/health/ready`),
    row('Control', `${controlUrl}   (document: ${controlUrl}/openapi.json)`),
    row('Seed', `${simulator.seed}   (--seed ${simulator.seed} gives the same ids again)`),
    row('Clock', `${mode}, ${now}`),
    row('State', values.dataDir ?? stateIn(values)),
    '',
    `JSON-RPC of the chains, HTTP and WebSocket${isLoopback(values.host) ? '' : ' (with the control token)'}:`,
    ...networks.map(({ name, chainId }, index) => {
      const fork = forks.get(name)
      const from = fork ? `, forked from ${fork.host} at block ${fork.block}` : ''
      const { rpcPortBase } = values
      const also = rpcPortBase === undefined ? '' : `, port ${rpcPortBase + index} too`
      return row(name, `${rpc[name]}   (chain id ${chainId}${from}${also})`)
    }),
    ...[...forks].flatMap(([name, { leftOut }]) =>
      leftOut.map((market) => `  ${market.name} is left out on ${name}: ${market.why}`),
    ),
    '',
    `Actors with 10000 native tokens on every ${forks.size > 0 ? 'offline ' : ''}network. Their keys are public: never send them anything of value.`,
    ...devAccounts.map(({ address, privateKey }) => `  ${address}  ${privateKey}`),
    '',
    'Contracts of the simulator, at the same address on every network:',
    ...Object.entries(contracts).map(([name, address]) => row(name, address)),
    ...Object.entries(scripts).map(([name, address]) => row(`script ${name}`, address)),
    '',
    'Paste these to create an account for the first actor, fund it, and see its folio:',
    '',
    ...commands(simulator, values),
    '',
  ].join('\n')
}

function stateIn({ snapshot }: Partial<Pick<OptionValues, 'snapshot'>>): string {
  const from = snapshot === undefined ? 'in memory' : `from ${snapshot}`
  return `${from}, gone when stopped; --data-dir DIR keeps it`
}

/**
 * Three commands that work in any order of pasting and any number of times, without tools beyond curl and the Node that is
 * here anyway: the wallet address follows from the signer, and the account is found by it.
 */
function commands(
  { url, apiKey, controlUrl }: Pick<Simulator, 'url' | 'apiKey' | 'controlUrl'>,
  { host, controlToken }: Pick<OptionValues, 'host' | 'controlToken'>,
): string[] {
  const signer = devAccounts[0]!.address
  const wallet = walletAddressOf(signer)
  const key = bearer(apiKey)
  const token = isLoopback(host) || controlToken === undefined ? '' : ` ${bearer(controlToken)}`
  const json = "-H 'Content-Type: application/json'"
  const account = JSON.stringify({ signer_type: 'eoa', signer_address: signer })
  const funds = JSON.stringify({
    address: wallet,
    asset: 'USDC',
    amount: '100000000',
    network: 'base',
  })
  const findId = `JSON.parse(fs.readFileSync(0)).accounts.find((a) => a.svc_wallet_address === "${wallet}").account_id`
  return [
    `curl -sS ${url}/accounts ${key} ${json} -d '${account}'`,
    `curl -sS ${controlUrl}/fund${token} ${json} -d '${funds}'`,
    `curl -sS "${url}/accounts/$(curl -sS ${url}/accounts ${key} | node -pe '${findId}')/folio" ${key}`,
  ]
}

/** Needs no quoting beyond this: keys and tokens are checked to be plain characters. */
function bearer(token: string): string {
  return `-H 'Authorization: Bearer ${token}'`
}

/** Wide enough for the longest name of a contract: what follows stands in one column. */
const labelWidth =
  2 + Math.max(...Object.keys(svcAddresses.scripts).map((name) => `script ${name}`.length))

function row(label: string, text: string): string {
  return `  ${label.padEnd(labelWidth)}${text}`
}
