import type { NetworkName } from '../../deployments/networks.js'
import { urlVariable, variable } from './variables.js'
import { type WorldClient, worldAt } from './worldClient.js'

/**
 * Whether all that this program does is to happen in the one world of the run, as under `svc-sim swarm` and `exec --scenario`: faults that
 * are armed there happen in no other.
 */
export function isWorldShared(): boolean {
  const said = variable('SVC_WORLD')
  if (said !== undefined && said !== 'shared')
    throw new Error(
      `SVC_WORLD is ${JSON.stringify(said.slice(0, 80))}, but must be shared or not set. Unset it to lease a world.`,
    )
  return said === 'shared'
}

/**
 * The world of the run, from the variables that `exec` sets. Closing it changes nothing.
 *
 * @param wanted What a leased world can begin with.
 * @throws when it is asked for what a shared world cannot have, or a variable is missing.
 */
export function sharedWorld(wanted: {
  scenario?: unknown
  fork?: unknown
  bundle?: unknown
}): WorldClient {
  const { scenario, fork, bundle } = wanted
  const [own] = Object.entries({ scenario, fork, bundle }).find(([, value]) => value) ?? []
  if (own)
    throw new Error(
      `SVC_WORLD is "shared": everything happens in one world, which cannot begin with a ${own} of its own. Unset SVC_WORLD to lease one, or leave out ${own}.`,
    )
  const [url, apiKey] = [urlVariable('SVC_BASE_URL'), variable('SVC_API_KEY')]
  if (!url || !apiKey)
    throw new Error(
      `SVC_WORLD is "shared", but ${url ? 'SVC_API_KEY' : 'SVC_BASE_URL'} is not set. svc-sim swarm and svc-sim exec --scenario set all three; unset SVC_WORLD elsewhere.`,
    )
  const controlUrl = urlVariable('SVC_CONTROL_URL') ?? `${url.replace(/\/+$/, '')}/_sim`
  const rpc = (network: NetworkName): string =>
    urlVariable(`SVC_RPC_${network.toUpperCase()}`) ?? `${url}/rpc/${network}`
  return worldAt({ url, apiKey, controlUrl, rpc }, async () => {}, variable('SVC_CONTROL_TOKEN'))
}
