import { networks } from '../../../deployments/networks.js'
import type { Connect } from '../../../http/routes/control/connect.js'

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
